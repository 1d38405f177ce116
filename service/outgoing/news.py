"""News: short letters to the people of a table when something has changed that is no move."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import News
from service.core.models import Match, SeatRow
from service.core.statuses import LetterKind
from service.outgoing.outbox import owe

log = structlog.get_logger(__name__)


def tell(
    service: Service,
    work: Work,
    match: Match,
    event: News,
    key: object,
    *,
    to: Iterable[SeatRow] | None = None,
) -> None:
    """Tell the people of the table (or only those given) of an event: one letter each.

    `key` tells this event from others of its kind, so that telling it again changes nothing. Who is
    out of the game is told nothing unless they are among those given.
    """
    log.info("table_told", match=match.id, news=event.code, about=event.about)
    for row in in_play(match) if to is None else to:
        if row.player is None:
            continue
        owe(
            service,
            work,
            LetterKind.NEWS,
            row.player,
            dedupe=f"news.{match.code}.{row.seat}.{event.code}.{key}.{row.player.id}",
            match=match,
            seat=row.seat,
            entry=match.last_entry,
            details=event,
        )


def people(match: Match) -> list[SeatRow]:
    """The seats whose player is still of the table, whether a bot plays for them or not."""
    return [row for row in match.seats if row.player is not None and row.left_at is None]


def in_play(match: Match) -> list[SeatRow]:
    """Those of them who have a say in how it goes on: who is out of the game has none."""
    return [row for row in people(match) if not row.is_out]


def present(match: Match) -> list[SeatRow]:
    """The seats that people play themselves now."""
    return [row for row in in_play(match) if row.played_by is None]

"""Matches as lists show them: one's own board, the standing, the last turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service import reading
from service.models import Match
from service.overview import Table
from service.statuses import MatchStatus, SeatStatus
from service.web.drawings import last_turns

MOST = 12
"""Boards on one page; tables beyond are told in words alone."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """What its player sees of a match in a list. `last` is the newest turn (None before the first),
    `stories` the events of everybody's last one.
    """

    view: dict[str, Any]
    names: list[str]
    last: reading.Told | None
    stories: list[list[dict[str, Any]]]


def glances(database: Session, tables: Sequence[Table]) -> dict[int, Glance]:
    """What is shown of these tables, by match id."""
    return {match.id: _glance(database, match, seat) for match, seat in drawn(tables)}


def drawn(tables: Sequence[Table]) -> list[tuple[Match, Seat]]:
    """Those of which a board is shown, and whose."""
    found = [
        (table.match, table.row.seat)
        for table in tables
        if table.row.status == SeatStatus.ACCEPTED
        and table.row.seat is not None
        and table.match.status in (MatchStatus.PLAYING, MatchStatus.ENDED)
    ]
    return found[:MOST]


def _glance(database: Session, match: Match, seat: Seat) -> Glance:
    round_ago = max(1, match.last_entry - len(match.seats) + 1)
    told = reading.story(database, match, seat, round_ago)
    return Glance(
        view=reading.sight(database, match, seat).view,
        names=reading.names(match),
        last=told[-1] if told else None,
        stories=last_turns(told, match.last_entry),
    )

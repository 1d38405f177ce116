"""Matches as lists show them: one's own board, the standing, the last turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from engine.journal import Position
from engine.protocol import Seat
from service.core.models import Match
from service.core.statuses import MatchStatus, SeatStatus
from service.core.verdicts import JsonObject
from service.matches import journal, reading
from service.matches.overview import Table
from service.web import language
from service.web.drawings import last_turns

MOST = 12
"""Boards on one page; tables beyond are told in words alone."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its player sees it in a list. `last` is the newest turn (None before the first),
    `stories` the events of everybody's last one.
    """

    view: JsonObject
    names: list[str]
    last: reading.HistoryEntry | None
    stories: list[list[JsonObject]]


def glances(database: Session, tables: Sequence[Table]) -> dict[int, Glance]:
    """The glances at these tables, by match id."""
    shown = drawn(tables)
    positions = journal.present(database, [match for match, _ in shown])
    told = reading.last_round(database, shown)
    return {
        match.id: _glance(match, seat, positions[match.id], told[match.id]) for match, seat in shown
    }


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


def _glance(
    match: Match, seat: Seat, reached: Position[Any], told: list[reading.HistoryEntry]
) -> Glance:
    return Glance(
        view=reading.view_of(match, seat, reached),
        names=reading.names(match, language.current()),
        last=told[-1] if told else None,
        stories=last_turns(told, match.last_entry),
    )

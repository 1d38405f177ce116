"""The stays of a player at a match: which seat was theirs, from when until when. Somebody else may
have it by now, or have had it before.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from engine.protocol import Seat
from service.core.models import EntryRow, Letter, Match, Player
from service.core.statuses import LetterKind


class Stay(msgspec.Struct, frozen=True, kw_only=True):
    """One stay. `since` and `until` are open (None) where nobody sat there before, or has since.
    `name` is what the table called them, where they were replaced.
    """

    seat: Seat
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    name: str | None = None

    def holds(self, at: InstrumentedAttribute[Any]) -> list[ColumnElement[bool]]:
        """The conditions that a moment in this column falls into it."""
        found: list[ColumnElement[bool]] = []
        if self.since is not None:
            found.append(at >= self.since)
        if self.until is not None:
            found.append(at < self.until)
        return found


def stays_of(session: Session, match: Match, player: Player) -> list[Stay]:
    """All stays of this player at this match."""
    found = [
        Stay(seat=row.seat, since=row.answered_at if row.former else None)
        for row in match.seats
        if row.player_id == player.id and row.seat is not None
    ]
    replaced = session.execute(
        select(Letter.dedupe, Letter.created_at).where(
            Letter.match_id == match.id,
            Letter.player_id == player.id,
            Letter.kind == LetterKind.CANCELLED,
            Letter.dedupe.like(f"cancelled.{match.code}.%.replaced.%"),
        )
    )
    for dedupe, until in replaced:
        parts = dedupe.split(".")
        seat, occupancy = int(parts[2]), int(parts[4])
        found.append(
            Stay(
                seat=seat,
                since=_end(session, match, seat, occupancy - 1),
                until=until,
                name=_name(session, match, seat, until),
            )
        )
    return found


def _end(session: Session, match: Match, seat: Seat, occupancy: int) -> dt.datetime | None:
    """When the one who sat there before them was replaced."""
    dedupe = f"cancelled.{match.code}.{seat}.replaced.{occupancy}"
    return session.scalar(select(Letter.created_at).where(Letter.dedupe == dedupe))


def _name(session: Session, match: Match, seat: Seat, until: dt.datetime) -> str | None:
    last = session.scalar(
        select(func.max(EntryRow.n)).where(EntryRow.match_id == match.id, EntryRow.made_at <= until)
    )
    return (match.seats[seat].former or {}).get(str(last))

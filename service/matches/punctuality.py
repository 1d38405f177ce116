"""The punctuality of a player: how many of their last turns came in time. Told to hosts before they
invite, if the player lets it be told; no rating, and nothing before there are enough turns.

A turn is late once its time was up, whoever played it then; time that was given anew forgives that.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.orm import Session

from engine.protocol import Asks
from service.core.models import DecisionRow, Player, SeatRow

LEAST, MOST = 20, 100
"""Turns that there must be, and those that are looked at."""


class Punctuality(msgspec.Struct, frozen=True):
    """So many of the last turns were in time."""

    in_time: int
    turns: int


def of(session: Session, player: Player) -> Punctuality | None:
    """The punctuality of a player; None as long as they have had too few turns with a clock."""
    found: dict[tuple[int, str], bool] = {}
    for row in session.execute(_TURNS, {"player": player.id}):
        if row.former and row.opened_entry <= max(int(n) for n in row.former):
            continue  # of who sat there before
        key = row.match_id, row.turn or row.decision
        found[key] = found.get(key, True) and row.expired_at is None
    if len(found) < LEAST:
        return None
    return Punctuality(sum(found.values()), len(found))


def told_of(session: Session, address: str) -> Punctuality | None:
    """The same of who has this address, if they let hosts know it."""
    player = session.scalar(
        select(Player).where(
            func.lower(Player.email) == address.strip().lower(), Player.shows_punctuality
        )
    )
    return None if player is None else of(session, player)


_TURNS = (
    select(
        DecisionRow.match_id,
        DecisionRow.decision,
        DecisionRow.turn,
        DecisionRow.opened_entry,
        DecisionRow.expired_at,
        SeatRow.former,
    )
    .join(SeatRow, (SeatRow.match_id == DecisionRow.match_id) & (SeatRow.seat == DecisionRow.seat))
    .where(
        SeatRow.player_id == bindparam("player"),
        DecisionRow.asks == Asks.MUST,
        # A clock has run for it: it is a player's, not a bot's.
        or_(DecisionRow.allowance.is_not(None), DecisionRow.expired_at.is_not(None)),
        or_(DecisionRow.closed_entry.is_not(None), DecisionRow.expired_at.is_not(None)),
    )
    .order_by(DecisionRow.opened_at.desc())
    .limit(MOST)
)

"""Beginners: who plays a game for the first time, and how far they are in it."""

from __future__ import annotations

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session, aliased

from engine.protocol import Asks, Seat
from service.core.models import DecisionRow, Match, SeatRow


def own_turn(session: Session, match: Match, seat: Seat, player_id: int) -> int | None:
    """The number of the turn that a player is about to play, from 1, in the first match of the game
    that they have begun; None in a later match.
    """
    other, place = aliased(Match), aliased(SeatRow)
    before = exists().where(
        place.player_id == player_id,
        place.seat.is_not(None),
        other.id == place.match_id,
        other.game == match.game,
        other.id != match.id,
        other.started_at < match.started_at,
    )
    if session.scalar(select(before)):
        return None
    played = select(func.count()).where(
        DecisionRow.match_id == match.id,
        DecisionRow.seat == seat,
        DecisionRow.asks == Asks.MUST,
        DecisionRow.closed_entry.is_not(None),
    )
    return (session.scalar(played) or 0) + 1

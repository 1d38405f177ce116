"""Beginners: who plays a game for the first time, and how far they are in it."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import bindparam, exists, func, select
from sqlalchemy.orm import Session, aliased

from engine.protocol import Asks, Seat
from service.core.models import DecisionRow, Match, SeatRow

_OTHER, _SEAT = aliased(Match), aliased(SeatRow)

# Put together once: with its aliases that takes ten times as long as to ask it.
BEGUN_BEFORE = exists().where(
    _SEAT.player_id == bindparam("player"),
    _SEAT.seat.is_not(None),
    _OTHER.id == _SEAT.match_id,
    _OTHER.game == bindparam("game"),
    _OTHER.id != bindparam("match"),
    _OTHER.started_at < bindparam("started"),
)
"""True if the player had begun another match of the game before: `asked` has its parameters."""

_ANOTHER = select(BEGUN_BEFORE)


def asked(match: Match, player_id: int) -> Mapping[str, object]:
    """The parameters of `BEGUN_BEFORE` for a player of this match."""
    return {
        "match": match.id,
        "game": match.game,
        "started": match.started_at,
        "player": player_id,
    }


def own_turn(session: Session, match: Match, seat: Seat, player_id: int) -> int | None:
    """The number of the turn that a player is about to play, from 1, in the first match of the game
    that they have begun; None in a later match.
    """
    if session.scalar(_ANOTHER, asked(match, player_id)):
        return None
    played = select(func.count()).where(
        DecisionRow.match_id == match.id,
        DecisionRow.seat == seat,
        DecisionRow.asks == Asks.MUST,
        DecisionRow.closed_entry.is_not(None),
    )
    return (session.scalar(played) or 0) + 1

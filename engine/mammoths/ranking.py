"""The final standing and the scores (M§15.5, M§15.8)."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.mammoths.state import State
from engine.protocol import Outcome, Seat

_CAMP = 1_000_000
_PAWN = 10_000
_MOST_FOOD = 9_999


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One tribe at the end: `score` are camps, pawns and food; `points` the share of the win, as
    text ("1", "1/2", "0")."""

    rank: int
    seat: Seat
    result: Literal["won", "shared", "lost"]
    points: str
    score: tuple[int, int, int]


def score(state: State, seat: Seat) -> tuple[int, int, int]:
    """Camps, pawns, food; nothing for a tribe off the map."""
    if state.tribes[seat].status != "map":
        return 0, 0, 0
    pawns = sum(group.w + group.f for group in state.pawns_of(seat))
    return len(state.camps_of(seat)), pawns, state.tribes[seat].all_food


def scores(state: State) -> tuple[int, ...]:
    """The scores as single numbers that compare in the same way."""
    each = (score(state, seat) for seat in range(state.seats))
    return tuple(c * _CAMP + pawns * _PAWN + min(food, _MOST_FOOD) for c, pawns, food in each)


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    return Outcome(winners=state.winners, scores=scores(state), termination=state.termination)


def standing(state: State) -> tuple[Row, ...]:
    """The rows of a finished match, best first (RULING A67)."""

    def place(seat: Seat) -> tuple[object, ...]:
        tribe = state.tribes[seat]
        if seat in state.winners:
            return (0,)
        if tribe.status == "map":
            camps, pawns, food = score(state, seat)
            return 1, -camps, -pawns, -food
        if tribe.status == "due":
            return (2,)
        return 3, -tribe.fell

    rows: list[Row] = []
    ordered = sorted(range(state.seats), key=lambda seat: (*place(seat), seat))
    for number, seat in enumerate(ordered):
        same = number and place(seat) == place(ordered[number - 1])
        rank = rows[-1].rank if same else number + 1
        share = len(state.winners)
        won = seat in state.winners
        rows.append(
            Row(
                rank=state.seats if state.termination == "all_lost" else rank,
                seat=seat,
                result="lost" if not won else "won" if share == 1 else "shared",
                points="0" if not won else "1" if share == 1 else f"1/{share}",
                score=score(state, seat),
            )
        )
    return tuple(rows)

"""The strongest few turns, for the links of a letter."""

from __future__ import annotations

from collections.abc import Sequence

from engine.protocol import Seat
from engine.sapiens.actions import Action
from engine.sapiens.bots.greedy import finish, laying, ranked
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.state import LAY, START, State

_TRIED_PER_ASKED = 2
"""Placements whose whole turn is played out for each one asked for."""


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
    """Up to `limit` whole turns, best first, no two on the same squares.

    Where there is nothing to lay any more there is one way to finish the turn.
    """
    if limit < 1:
        return ()
    if state.turn.phase not in (START, LAY):
        return (finish(begin(state)).actions,)
    best_on: dict[frozenset[int], Line] = {}
    for _, placement, how in ranked(state):
        squares = frozenset((placement.first, placement.second))
        if squares not in best_on:
            best_on[squares] = begin(state).play(laying(state, placement, how))
            if len(best_on) == limit * _TRIED_PER_ASKED:
                break

    def points(line: Line) -> int:
        player = line.state.players[seat]
        return player.fp + player.sp

    turns = sorted((finish(line) for line in best_on.values()), key=points, reverse=True)
    return tuple(line.actions for line in turns[:limit])

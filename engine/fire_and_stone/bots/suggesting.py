"""The strongest few turns, for the links of a letter. They depend on what the seat knows alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.bots.turns import (
    explorers_to_move,
    follow,
    moves,
    next_actions,
    opening,
    ranked,
    turn,
)
from engine.fire_and_stone.bots.worth import Judging
from engine.fire_and_stone.notation.meaning import meaning
from engine.fire_and_stone.state import Phase, State
from engine.protocol import Seat

_TRIED = 8
"""Moves whose turn is played out, however few are asked for."""


def suggestions(state: State, seat: Seat, limit: int) -> Sequence[tuple[Action, ...]]:
    """Up to `limit` submissions, best first, up to what is hidden or the end of the turn. No two
    begin alike.
    """
    judging = Judging(state, seat)
    found: dict[Hashable, tuple[Action, ...]] = {}
    for actions in _starts(state, seat, judging):
        meant = tuple(meaning(state, seat, action) for action in actions)
        found.setdefault(meant, actions)
        if len(found) == min(limit, _TRIED):
            break
    return tuple(_finished(state, seat, judging, actions) for actions in found.values())


def _starts(state: State, seat: Seat, judging: Judging) -> Iterator[tuple[Action, ...]]:
    """The first move or choice of each, best first."""
    if state.turn.number == 0 or state.turn.phase == Phase.TUNNEL:
        yield turn(state, seat, judging)
    elif state.turn.phase == Phase.MOVE:
        every = moves(state, seat, judging, explorers_to_move(state))
        for move in sorted(every, key=lambda move: -move.value):
            yield (*opening(state, move), *move.actions)
    else:
        yield from ranked(state, seat, judging)


def _finished(
    state: State, seat: Seat, judging: Judging, actions: tuple[Action, ...]
) -> tuple[Action, ...]:
    """The submission with the rest of the turn, as far as nothing comes to light."""
    if not state.turn.number:
        return actions
    begins = iter([actions])
    return follow(state, seat, lambda at: next(begins, None) or next_actions(at, seat, judging))[0]

"""A position to show a game by to somebody who has never seen it: some turns of a game, held in
memory.

The same position for everybody, made anew by each process.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine.chance import SEED_BYTES, SeededChance
from engine.games import games, nearest_size
from engine.play import submit
from engine.protocol import Game, Seat, new_options, seats_to_wait_for

SEED = bytes(SEED_BYTES)
TURNS = 12
SEATS = 3
NAMES = ["Ida", "Milo", "Nora", "Otis", "Rosa", "Sami"]
"""Strangers: on a board of another game nobody looks for the people of their own table."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A position of a game in which `seat` is to make a decision, and who plays."""

    game: Game[Any, Any]
    state: Any
    seat: Seat
    decision: str
    names: list[str]


@cache
def sample_of(key: str) -> Sample:
    """The position after some turns, each the one the game suggests; of a game that is over by then
    half of them.
    """
    game = games()[key]
    chance = SeededChance(SEED)
    seats = nearest_size(game, SEATS)
    state: Any = game.setup(seats, new_options(game), chance).state
    met = [state]
    for _ in range(TURNS):
        here = _asked(game, state)
        actions = game.suggestions(state, here.seat, 1)[0]
        state = submit(game, state, here.seat, here.id, actions, chance).state
        if not seats_to_wait_for(game.decisions(state)):
            state = met[len(met) // 2]
            break
        met.append(state)
    here = _asked(game, state)
    return Sample(game=game, state=state, seat=here.seat, decision=here.id, names=NAMES[:seats])


def _asked(game: Any, state: Any) -> Any:
    """The first decision the game waits for."""
    return next(d for d in game.decisions(state) if d.blocks)

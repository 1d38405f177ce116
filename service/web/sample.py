"""A position to show to who has never seen the game: some default turns by a fixed seed."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine.chance import SEED_BYTES, SeededChance
from engine.games import games
from engine.play import complete, submit
from engine.protocol import seats_to_wait_for

SEED = bytes(SEED_BYTES)
TURNS = 15


@cache
def sample(key: str) -> tuple[dict[str, Any], int]:
    """The public view of the position and how many seats there are."""
    game = games()[key]
    chance = SeededChance(SEED)
    seats = min(3, game.seats.stop - 1)
    state = game.setup(seats, game.options_type(), chance).state
    for _ in range(TURNS):
        decisions = [d for d in game.decisions(state) if d.blocking]
        if not seats_to_wait_for(decisions):
            break
        here = decisions[0]
        actions = complete(game, state, here.seat, here.id, SeededChance(SEED))
        state = submit(game, state, here.seat, here.id, actions, chance).state
    return msgspec.to_builtins(game.view(state, None)), seats

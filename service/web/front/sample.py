"""A position to try the game at, for who has never seen it: some turns of a game, held in memory.

The same position for everybody, made anew by each process. Nothing that is tried at it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec

from engine.chance import SEED_BYTES, SeededChance
from engine.games import games, nearest_size
from engine.play import submit
from engine.protocol import seats_to_wait_for
from service.matches.plans import Draft, Plan, TurnBuilder
from service.web.turns.selection import BoardSelection, address, board_selection

SEED = bytes(SEED_BYTES)
TURNS = 12
SEATS = 3
NAMES = ["Ana", "Bruno", "Chloé", "Dara", "Emil", "Fay"]
KEPT = 64
"""Plans kept by a process."""


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """The sample as the front page shows it: a plan for the seat that is to move, the touches
    towards its next step (None: the turn is whole), and one step less (None: nothing is chosen).
    """

    game: str
    seat: int
    names: list[str]
    plan: Plan
    touch: BoardSelection | None
    undo: str | None


def tried(game: str, texts: Sequence[str], taps: Sequence[str], path: str) -> Tried:
    """Try these choices and touches; those that do not fit are left out."""
    builder = _builder(game)
    plan = _plan(game, tuple(texts))
    return Tried(
        game=game,
        seat=builder.seat,
        names=NAMES[: nearest_size(builder.game, SEATS)],
        plan=plan,
        touch=board_selection(plan, game, builder.seat, path, taps),
        undo=address(path, plan.texts[: plan.own - 1]) if plan.own else None,
    )


@lru_cache(maxsize=KEPT)
def _plan(game: str, texts: tuple[str, ...]) -> Plan:
    return _builder(game).write(Draft(texts=texts))


@cache
def _builder(key: str) -> TurnBuilder:
    """Plans for whoever is to move after some turns, each the one the game suggests; in a game that
    is over by then half of them.
    """
    game = games()[key]
    chance = SeededChance(SEED)
    state: Any = game.setup(nearest_size(game, SEATS), game.options_type(), chance).state
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
    return TurnBuilder(game, state, here.seat, here.id)


def _asked(game: Any, state: Any) -> Any:
    """The first decision the game waits for."""
    return next(d for d in game.decisions(state) if d.blocks)

"""The sample of a game (`service.matches.samples`) to try the game at. Nothing that is tried at it
is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import msgspec

from service.matches.plans import Draft, Plan, TurnBuilder
from service.matches.samples import sample_of
from service.web.turns.selection import BoardSelection, address, board_selection

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
        names=sample_of(game).names,
        plan=plan,
        touch=board_selection(plan, game, builder.seat, path, taps),
        undo=address(path, plan.texts[: plan.own - 1]) if plan.own else None,
    )


@lru_cache(maxsize=KEPT)
def _plan(game: str, texts: tuple[str, ...]) -> Plan:
    return _builder(game).write(Draft(texts=texts))


@cache
def _builder(key: str) -> TurnBuilder:
    """Plans for whoever is to move in the sample of a game."""
    here = sample_of(key)
    return TurnBuilder(here.game, here.state, here.seat, here.decision)

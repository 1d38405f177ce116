"""Text of actions and plans, both ways (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.chance import NoChance
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import flow
from engine.fire_and_stone import map as land
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.notation.grammar import ACTION, Order
from engine.fire_and_stone.notation.meaning import meaning, meanings
from engine.fire_and_stone.notation.plan_lines import LINES
from engine.fire_and_stone.notation.words import KEEPS, NAMED, WORDS
from engine.fire_and_stone.notation.writing import verb_of, write
from engine.fire_and_stone.plans.filing import check_plan
from engine.fire_and_stone.plans.lines import Plan
from engine.fire_and_stone.state import State
from engine.kit.notation.actions import ReadingContext, Wanted
from engine.kit.notation.nearness import Metrics, field_distance
from engine.kit.notation.reactions import PlanningNotation

_FIELDS = {
    "place": ("place", "fire"),
    "piece": ("piece", "pieces"),
    "card": ("card", "covers", "given"),
    "column": ("column",),
    "objective": ("objective",),
}
"""By kind of what is missing, the fields of actions that name it."""


def _file(plan: Plan | None) -> Action:
    if plan is not None:
        check_plan(None, plan)
    return do.File(plan=plan)


def _expected(here: ReadingContext[State, Action], wanted: Wanted) -> Iterable[str]:
    """Texts of what is missing, in the reader's language, by what is offered."""
    if wanted.kind == "verb":
        texts = (write(here.state, here.seat, action, here.lang) for action in here.listed)
        return (text.partition(" ")[0] for text in texts)
    found = []
    for action in here.listed:
        if wanted.verb in ("", verb_of(type(action))):
            for field in _FIELDS.get(wanted.kind, ()):
                value = getattr(action, field, ())
                names = value if isinstance(value, tuple) else (value,)
                found += [NAMED.write(name, here.lang) for name in names]
    return found or wanted.examples


def _far(one: str, other: str) -> float:
    """Land steps between two places."""
    if one not in INDEX or other not in INDEX:
        return 9
    return land.distances(INDEX[one], (1 << len(INDEX)) - 1)[INDEX[other]]


_METRICS: Metrics = {"place": _far, "fire": _far}

NOTATION: Final = PlanningNotation[State, Action, Order](
    lines=LINES,
    file=_file,
    words=WORDS,
    keeps=KEEPS,
    grammar=ACTION,
    meanings=meanings,
    format=write,
    decisions=flow.decisions,
    apply=lambda state, seat, action: flow.apply(state, seat, action, NoChance()),
    kinds=("verb", "place", "piece", "card", "column", "kind", "objective", "number", "end"),
    expected=_expected,
    of_time=frozenset(("game_over", "not_your_turn", "not_now")),
    meaning=meaning,
    distance=lambda state, seat, one, other: field_distance(one, other, _METRICS),
)

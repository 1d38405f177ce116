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
from engine.fire_and_stone.notation.plan_lines import read_plan
from engine.fire_and_stone.notation.words import KEEPS, WORDS
from engine.fire_and_stone.notation.writing import NAMED, VERB_OF, write
from engine.fire_and_stone.plans.filing import check_plan
from engine.fire_and_stone.plans.lines import Plan
from engine.fire_and_stone.state import State
from engine.kit.notation.actions import ActionNotation, ReadingContext, Wanted
from engine.kit.notation.nearness import Metrics, field_distance
from engine.protocol import Seat

_FIELDS = {
    "place": ("place", "fire"),
    "piece": ("piece", "pieces"),
    "card": ("card", "covers", "given"),
    "column": ("column",),
    "objective": ("objective",),
}
"""By kind of what is missing, the fields of actions that name it."""


class FireAndStoneNotation(ActionNotation[State, Action, Order]):
    """Actions, and behind them the lines of a plan."""

    def parse(self, state: State, seat: Seat, text: str, lang: str) -> tuple[Action, ...]:
        rest, lines = read_plan(text, lang)
        if not lines:
            return super().parse(state, seat, text, lang)
        plan = None if lines[0] is None else Plan(lines=tuple(filter(None, lines)))
        if plan is not None:
            check_plan(None, plan)
        file = do.File(plan=plan)
        if not rest.strip():
            return (file,)
        # It is filed first: what an action reveals ends the submission.
        return (file, *super().parse(state, seat, rest, lang))


def _expected(here: ReadingContext[State, Action], wanted: Wanted) -> Iterable[str]:
    """Texts of what is missing, in the reader's language, by what is offered."""
    offered = [action for action in here.listed if isinstance(action, tuple(VERB_OF))]
    if wanted.kind == "verb":
        return (_verb(here, action) for action in offered)
    fields = _FIELDS.get(wanted.kind, ())
    found = []
    for action in offered:
        if wanted.verb in ("", VERB_OF[type(action)]):
            for field in fields:
                value = getattr(action, field, ())
                names = value if isinstance(value, tuple) else (value,)
                found += [NAMED[field].write(name, here.lang) for name in names]
    return found or wanted.examples


def _verb(here: ReadingContext[State, Action], action: Action) -> str:
    return write(here.state, here.seat, action, here.lang).partition(" ")[0]


def _far(one: str, other: str) -> float:
    """Land steps between two places."""
    if one not in INDEX or other not in INDEX:
        return 9
    return land.distances(INDEX[one], (1 << len(INDEX)) - 1)[INDEX[other]]


_METRICS: Metrics = {"place": _far, "fire": _far}

NOTATION: Final = FireAndStoneNotation(
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

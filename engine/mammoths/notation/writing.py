"""Actions as text: one order a line, plans and answers of several (M§24.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.kit.plans.alternatives import Alternatives
from engine.mammoths import actions as do
from engine.mammoths.notation import words
from engine.mammoths.notation.grammar import write_condition, write_line


def write(action: Any, lang: str) -> str:
    """The canonical text of an action."""
    order = words.ORDERS.write
    match action:
        case do.Place(sow=sow):
            yes = words.SOWN.write("yes" if sow else "no", lang)
            said = [write_line(action, lang), order("sow", lang), yes]
        case do.Answer(orders=orders):
            said = [order("answer", lang), *_lines(orders, lang), order("done", lang)]
        case do.Draft(lines=lines):
            said = [*_lines(lines, lang), order("draft", lang)]
        case do.PlanMove(plan=plan) | do.PlanFight(plan=plan):
            kind = "move" if isinstance(action, do.PlanMove) else "combat"
            said = [order("plan", lang), words.PLANS.write(kind, lang), *_plan(plan, lang)]
        case _:
            return write_line(action, lang)
    return " ".join(said)


def _lines(actions: Iterable[Any], lang: str) -> list[str]:
    return [write_line(action, lang) for action in actions]


def _plan(plan: Alternatives[do.Condition, Any], lang: str) -> list[str]:
    said: list[str] = []
    for number, alternative in enumerate(plan.alternatives):
        said += [words.ORDERS.write("or", lang)] if number else []
        said += [write_condition(each, lang) for each in alternative.conditions]
        said += _lines(alternative.lines, lang)
    closing = words.CLOSINGS.write(plan.otherwise, lang)
    return [*said, words.ORDERS.write("otherwise", lang), closing]

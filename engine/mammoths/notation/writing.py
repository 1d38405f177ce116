"""Actions as text: one order a line, plans and answers of several (M§24.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.kit.notation.orders import write_plan
from engine.mammoths import actions as do
from engine.mammoths.notation import words
from engine.mammoths.notation.grammar import write_condition, write_line


def write(action: Any, lang: str) -> str:
    """The canonical text of an action."""
    order = words.ORDERS.write
    match action:
        case do.Place(sow=False):
            said = [write_line(action, lang), order("sow", lang), words.SOWN.write("no", lang)]
        case do.Answer(orders=orders):
            said = [order("answer", lang), *_lines(orders, lang), order("done", lang)]
        case do.Draft(lines=lines):
            said = [*_lines(lines, lang), order("draft", lang)]
        case do.PlanMove(plan=plan) | do.PlanFight(plan=plan):
            kind = "move" if isinstance(action, do.PlanMove) else "combat"
            whole = write_plan(plan, lang, words.ORDERS, write_condition, write_line)
            closing = words.CLOSINGS.write(plan.otherwise, lang)
            said = [order("plan", lang), words.PLANS.write(kind, lang), *whole, closing]
        case _:
            return write_line(action, lang)
    return " ".join(said)


def _lines(actions: Iterable[Any], lang: str) -> list[str]:
    return [write_line(action, lang) for action in actions]

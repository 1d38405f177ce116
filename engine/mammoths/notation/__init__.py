"""The text of actions: one order a line, plans of several lines (M§24.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from engine.chance import SeededChance
from engine.kit.notation.orders import Mark, OrderNotation, PlanKind, Sorts, written
from engine.mammoths import actions as do
from engine.mammoths import flow
from engine.mammoths.errors import illegal
from engine.mammoths.notation import words
from engine.mammoths.notation.grammar import KINDS, LINE
from engine.mammoths.notation.writing import write
from engine.mammoths.state import State

_MOST_LINES: Final = 120

_HEX = re.compile(r"[1-7][1-7]")
_FIRE, _CAMP = written(words.ORDERS, "fire"), written(words.ORDERS, "camp")
_NAMES_ANOTHER = written(words.ORDERS, "plan", "withdraw", "forget")
_CHOICES = written(words.CAMP_CHOICES, False, True)


def _belongs(plain: Sequence[str], at: int) -> bool:
    """True if the word at this place, which begins orders, goes on with the one before it."""
    word, before = plain[at], plain[at - 1]
    if before in _NAMES_ANOTHER or (word == "loss" and before == "event"):
        return True
    if word in _FIRE:
        return not _HEX.fullmatch("".join(plain[at + 1 : at + 2]))
    names_fire = word in _CAMP and at >= 2 and plain[at - 2] in _FIRE
    return names_fire and _CHOICES.isdisjoint(plain[at + 2 : at + 3])


def _amended(action: do.Action, mark: Mark) -> do.Action | None:
    """The wish list with what its `sow` says."""
    if not isinstance(action, do.Place) or mark.what != "sow":
        return None
    return do.Place(hexes=action.hexes, sow=mark.value == "yes")


NOTATION: Final = OrderNotation[State, Any](
    words=words.WORDS,
    keeps=words.KEEPS,
    write=write,
    decisions=flow.decisions,
    apply=lambda state, seat, action: flow.apply(state, seat, action, SeededChance(b"reading")),
    grammar=LINE,
    kinds=KINDS,
    most=_MOST_LINES,
    orders=words.ORDERS,
    belongs=_belongs,
    sorts=Sorts(
        lines=do.LINES,
        done=do.Done,
        played=(*do.LINES, do.Done, do.Place, do.Answer),
        orders=do.FIGHT_ORDERS,
        gather=do.with_order,
        answer=lambda orders: do.Answer(orders=orders),
        draft=lambda lines: do.Draft(lines=lines),
        plans={
            "move": PlanKind(do.LINES, lambda plan: do.PlanMove(plan=plan)),
            "combat": PlanKind(
                do.FIGHT_ORDERS, lambda plan: do.PlanFight(plan=plan), may_be_empty=True
            ),
        },
        amend=_amended,
    ),
    answers=lambda state, seat: any(
        each.seat == seat and each.kind == "combat" for each in flow.decisions(state)
    ),
    on_file=lambda state, seat: state.tribes[seat].orders,
    nothing_left=partial(illegal, "nothing_left"),
    empty_alternative=partial(illegal, "empty_alternative"),
)

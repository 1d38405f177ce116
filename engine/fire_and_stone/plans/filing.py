"""Filing a plan (F§19.1): what may stand in one, and the plans that are offered as examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action, File
from engine.fire_and_stone.map import INDEX, TERRITORIES
from engine.fire_and_stone.plans.lines import (
    MOST_BRANCHES,
    MOST_LINES,
    MOST_WISHES,
    SHOWN,
    SORTS,
    SORTS_OF,
    SUBJECTS,
    Plan,
    Test,
    Wish,
)
from engine.kit.plans.reactions import Branch, When
from engine.protocol import IllegalAction


def check_plan(on_file: Plan | None, plan: Plan | None) -> None:
    """Raises IllegalAction for a plan that cannot be filed in place of the one on file."""
    if plan == on_file:
        raise IllegalAction("same_plan", "F§19.1")
    if plan is None:
        return
    if not 1 <= len(plan.lines) <= MOST_LINES:
        raise IllegalAction("plan_length", "F§19.1", lines=len(plan.lines), most=MOST_LINES)
    for number, line in enumerate(plan.lines, 1):
        if not _is_line(line):
            raise IllegalAction("plan_line", "F§19.2", line=number)


def _is_line(line: When[str, Test, Wish]) -> bool:
    if line.event not in SORTS_OF or len(line.branches) > MOST_BRANCHES:
        return False
    return all(
        all(map(_is_test, branch.guard))
        and all(map(_is_list, branch.lists))
        and all(wish.do in SORTS_OF[line.event] for wish in branch.lists[0])
        for branch in line.branches
    )


def _is_list(wishes: tuple[Wish, ...]) -> bool:
    return len(wishes) <= MOST_WISHES and all(map(_is_wish, wishes))


def _is_test(test: Test) -> bool:
    if test.subject not in SUBJECTS:
        return False
    if isinstance(test.value, int):
        return test.subject != "shown" and 0 <= test.value <= 99
    if test.relation != "is":
        return False
    if test.subject in box.COLUMNS:
        return test.value in (*box.GATHERED, "free")
    return test.subject == "shown" and test.value in SHOWN


_WHAT = {
    "kind": box.GATHERED,
    "forage": INDEX,
    "build": ("", *INDEX),
    "place": INDEX,
    "invention": box.INVENTION,
    "vp": ("", *box.INVENTION),
    "objective": box.OBJECTIVES,
}
_NAMES = {
    "pieces": box.GAME_INDEX,
    "cook": box.GAME_INDEX,
    "look": INDEX,
    "cave": {*INDEX, *box.INVENTION, *box.COLUMNS, *box.GAME_INDEX, "all"},
}
"""By sort of wish, `what` and `names` of it as they may be; for others there are none."""


def _is_wish(wish: Wish) -> bool:
    if wish.do not in SORTS or wish.what not in _WHAT.get(wish.do, ("",)):
        return False
    if wish.column not in ("", *(box.COLUMNS if wish.do in ("kind", "take", "forage") else ())):
        return False
    named = len(wish.names) <= MOST_WISHES and set(wish.names) <= set(_NAMES.get(wish.do, ()))
    return named and wish.number in range(100)


def _line(event: str, *lists: tuple[Wish, ...]) -> When[str, Test, Wish]:
    return When(event=event, branches=(Branch(lists=lists),))


_IF_HUNGRY = Branch(guard=(Test("food", "at_most", 1),), lists=((Wish("food", number=2),),))
_ELSE = Branch[Test, Wish](lists=((Wish("kind", "mushroom"), Wish("kind", "nut")),))
EXAMPLES: Final = (
    Plan(
        lines=(
            _line("forest", (Wish("hunt"),), (Wish("most_food"),)),
            _line("gathering", (Wish("take"), Wish("food", number=2))),
            _line("hut", (Wish("place", "cape"), Wish("place", "alps"))),
            _line("anything", (Wish("default"),)),
        )
    ),
    Plan(
        lines=(
            When(event="gathering", branches=(_IF_HUNGRY, _ELSE)),
            _line("fire", (Wish("cook"), Wish("pass"))),
            _line("other", (Wish("place", "congo"), Wish("default"))),
        )
    ),
    Plan(lines=(_line("anything", (Wish("default"),)),)),
)


def examples(on_file: Plan | None, regions: Iterable[int]) -> Iterator[Action]:
    """Some of the plans that can be filed, and to drop the one on file. They name fires of the
    `regions` in which the explorers are; who has one explorer is shown no line for another.
    """
    where = tuple(regions)
    named = [each.id for each in TERRITORIES if each.has == "fire" and each.region in where]
    fires = tuple(Wish("place", name) for name in named)
    lines = {"hut": _line("hut", fires)}
    if 1 not in where:
        lines["other"] = _line("other", (fires[0], Wish("default")))
    for plan in EXAMPLES:
        told = [line for line in plan.lines if line.event != "other" or len(where) > 1]
        found = Plan(lines=tuple(lines.get(line.event, line) for line in told))
        if found != on_file:
            yield File(plan=found)
    if on_file is not None:
        yield File(plan=None)


def check_file(on_file: Plan | None, action: File) -> None:
    """Raises IllegalAction for a plan that cannot be filed in place of the one on file."""
    check_plan(on_file, action.plan)

"""Filing a plan (F§19.1): what may stand in one, and the plans that are offered as examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.fire_and_stone import components as box
from engine.fire_and_stone.actions import Action, File
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.plans.lines import (
    AMOUNTS,
    ANYTHING,
    EVENTS,
    GATHERING_EVENT,
    MOST_BRANCHES,
    MOST_LINES,
    MOST_WISHES,
    SUBJECTS,
    Plan,
    Test,
    Wish,
)
from engine.kit.plans.reactions import Branch, When
from engine.protocol import IllegalAction

_GATHERING = frozenset(("kind", "take", "food"))
_FIRE = frozenset(("place",))

WISHES: Final[Mapping[str, frozenset[str]]] = {
    "forest": frozenset(("hunt",)),
    "fire": frozenset(("cook",)),
    GATHERING_EVENT: _GATHERING,
    **dict.fromkeys(box.GATHERED, _GATHERING),
    "village": frozenset(("build",)),
    "empty": frozenset(("food", "forage")),
    "cave": frozenset(("cave",)),
    **dict.fromkeys(box.CAVE_IDS, frozenset(("cave",))),
    "hunt": frozenset(("pieces", "most_food", "most_bags")),
    "hut": _FIRE,
    "return": _FIRE,
    "second": _FIRE,
    "ember": frozenset(("cook",)),
    "card": frozenset(("invention", "vp", "none")),
    "basket": frozenset(("keep", "drop")),
    "tunnel": frozenset(("place",)),
    "look": frozenset(("look",)),
    "arrange": frozenset(("same",)),
    "council": frozenset(("objective", "keep")),
    "other": frozenset(("place",)),
    ANYTHING: frozenset(),
}
"""By event the sorts of wishes that belong to it (F§19.3), beside those of any."""
PASSING: Final = frozenset(
    (
        *("forest", "fire", GATHERING_EVENT, *box.GATHERED, "village", "empty"),
        *("cave", *box.CAVE_IDS, "ember", ANYTHING),
    )
)
"""The events at which an action, or cooking, may be passed over."""
ALL_SORTS: Final = frozenset().union(*WISHES.values())
assert set(WISHES) == set(EVENTS)


def belongs(wish: Wish, event: str) -> bool:
    """True if a wish may stand in a line of this event."""
    if wish.do in ("default", "ask"):
        return True
    return event in PASSING if wish.do == "pass" else wish.do in WISHES[event]


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
    if line.event not in WISHES or len(line.branches) > MOST_BRANCHES:
        return False
    return all(_is_branch(line.event, branch) for branch in line.branches)


def _is_branch(event: str, branch: Branch[Test, Wish]) -> bool:
    if not all(map(_is_test, branch.guard)):
        return False
    for number, wishes in enumerate(branch.lists):
        if len(wishes) > MOST_WISHES or not all(map(_is_wish, wishes)):
            return False
        if not number and not all(belongs(wish, event) for wish in wishes):
            return False
    return True


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


SHOWN: Final = frozenset(
    (
        *box.KINDS.values(),
        GATHERING_EVENT,
        *box.CAVE_IDS,
        *box.GAME_INDEX,
        *box.INVENTION,
        *box.OBJECTIVES,
    )
)
"""The things that a stop can show."""
assert not set(AMOUNTS) & set(box.COLUMNS)


def _is_wish(wish: Wish) -> bool:
    known = {
        "kind": box.GATHERED,
        "forage": INDEX,
        "build": ("", *INDEX),
        "place": INDEX,
        "invention": box.INVENTION,
        "vp": ("", *box.INVENTION),
        "objective": box.OBJECTIVES,
    }
    named = {
        "pieces": box.GAME_INDEX,
        "cook": box.GAME_INDEX,
        "look": INDEX,
        "cave": {*INDEX, *box.INVENTION, *box.COLUMNS, *box.GAME_INDEX, "all"},
    }
    if wish.do not in ALL_SORTS | {"default", "ask", "pass"}:
        return False
    if wish.column and (
        wish.column not in box.COLUMNS or wish.do not in ("kind", "take", "forage")
    ):
        return False
    if wish.what not in known.get(wish.do, ("",)) or len(wish.names) > MOST_WISHES:
        return False
    return wish.number in range(100) and set(wish.names) <= set(named.get(wish.do, ()))


def _line(event: str, *lists: tuple[Wish, ...]) -> When[str, Test, Wish]:
    return When(event=event, branches=(Branch(lists=lists),))


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
            When(
                event="gathering",
                branches=(
                    Branch(guard=(Test("food", "at_most", 1),), lists=((Wish("food", number=2),),)),
                    Branch(lists=((Wish("kind", "mushroom"), Wish("kind", "nut")),)),
                ),
            ),
            _line("fire", (Wish("cook"), Wish("pass"))),
            _line("other", (Wish("place", "congo"), Wish("default"))),
        )
    ),
    Plan(lines=(_line("anything", (Wish("default"),)),)),
)


def examples(on_file: Plan | None) -> Iterator[Action]:
    """Some of the plans that can be filed, and to drop the one on file."""
    return (File(plan=plan) for plan in (*EXAMPLES, None) if plan != on_file)


def check_file(on_file: Plan | None, action: File) -> None:
    """Raises IllegalAction for a plan that cannot be filed in place of the one on file."""
    check_plan(on_file, action.plan)

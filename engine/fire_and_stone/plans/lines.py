"""The parts of a plan: events, tests and wishes (F§19.3), as the kit's reactions have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from engine.fire_and_stone import components as box
from engine.kit.plans.reactions import Reactions

MOST_LINES: Final = 24
MOST_WISHES: Final = 12
"""In one list."""
MOST_BRANCHES: Final = 6

GATHERING_EVENT: Final = "gathering"
ANYTHING: Final = "anything"
_WISHES: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    (("forest",), ("hunt",)),
    (("fire", "ember"), ("cook",)),
    ((GATHERING_EVENT, *box.GATHERED), ("kind", "take", "food")),
    (("village",), ("build",)),
    (("empty",), ("food", "forage")),
    (("cave", *box.CAVE_IDS), ("cave",)),
    (("hunt",), ("pieces", "most_food", "most_bags")),
    (("hut", "return", "second", "tunnel", "other"), ("place",)),
    (("card",), ("invention", "vp", "none")),
    (("basket",), ("keep", "drop")),
    (("look",), ("look",)),
    (("arrange",), ("same",)),
    (("council",), ("objective", "keep")),
    ((ANYTHING,), ()),
)
"""Events, and the sorts of wishes that belong to them (F§19.3)."""
PASSING: Final = frozenset(
    (
        *("forest", "fire", GATHERING_EVENT, *box.GATHERED, "village", "empty"),
        *("cave", *box.CAVE_IDS, "ember", ANYTHING),
    )
)
"""The events at which an action, or cooking, may be passed over."""
OF_ANY: Final = frozenset(("default", "ask"))
SORTS_OF: Final[Mapping[str, frozenset[str]]] = {
    event: OF_ANY.union(wishes, ("pass",) if event in PASSING else ())
    for events, wishes in _WISHES
    for event in events
}
"""By event, which is what is to be decided, the sorts of wishes that may stand in a line of it."""
SORTS: Final = frozenset().union(*SORTS_OF.values())

AMOUNTS: Final = ("food", "space", "bags", "huts", "track", "cost", "tiles", "held")
SUBJECTS: Final = (*AMOUNTS, *box.COLUMNS, "shown", "explorer")
SHOWN: Final = frozenset(
    (
        *(*box.KINDS.values(), GATHERING_EVENT, *box.CAVE_IDS),
        *(*box.GAME_INDEX, *box.INVENTION, *box.OBJECTIVES),
    )
)
"""The things that a stop can show."""


class Test(msgspec.Struct, frozen=True, gc=False):
    """A test of a guard. `subject` is one of SUBJECTS. `value` is a number; of a column also a kind
    or "free", of "shown" what the last stop may have shown.
    """

    __test__ = False

    subject: str
    relation: Literal["at_least", "at_most", "is"]
    value: int | str


class Wish(msgspec.Struct, frozen=True, gc=False):
    """A wish. `do` says its sort; the rest is what was named with it.

    "kind" (`what`: of gathering), "take", "food" (`number`), "forage" (`what`: a place), "hunt",
    "pieces" (`names`), "most_food", "most_bags", "cook" (`names`; none for all), "build" (`what`: a
    fire, if any), "cave" (`names`: what the card needs), "place" (a fire to return to or a place to
    go to), "invention", "vp" (`what`: what it covers), "none", "keep", "drop", "look" (`names`),
    "same", "objective", "pass", "default", "ask". `column` goes with kinds, takes and foraging.
    """

    do: str
    what: str = ""
    column: str = ""
    number: int = 0
    names: tuple[str, ...] = ()


Plan: TypeAlias = Reactions[str, Test, Wish]


def covers(one: str, other: str) -> bool:
    """True if a line of event `one` fits wherever one of `other` does."""
    if one in (other, ANYTHING):
        return True
    if one == GATHERING_EVENT:
        return other in box.GATHERED
    if one == "cave":
        return other in box.CAVE_IDS
    return one == "return" and other == "hut"

"""The parts of a plan: events, tests and wishes (F§19.3), as the kit's reactions have them."""

from __future__ import annotations

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
EVENTS: Final = (
    "forest",
    "fire",
    GATHERING_EVENT,
    *box.GATHERED,
    "village",
    "empty",
    "cave",
    "hunt",
    "hut",
    "return",
    "second",
    "ember",
    "card",
    "basket",
    "tunnel",
    "look",
    "arrange",
    "council",
    "other",
    ANYTHING,
    *box.CAVE_IDS,
)
"""The events a line may have: what is to be decided."""

AMOUNTS: Final = ("food", "space", "bags", "huts", "track", "cost", "tiles", "held")
SUBJECTS: Final = (*AMOUNTS, "light", "dark", "shown", "explorer")


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

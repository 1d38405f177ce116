"""Plans of Hill and Ford (T§7): what may stand in one, and what it says to a decision."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.protocol import PlanStep, Seat
from tests.engine.toy.actions import (
    PLACES,
    Action,
    Bury,
    BuryLow,
    Camp,
    File,
    Line,
    Pick,
    Rest,
    When,
)
from tests.engine.toy.state import State

MOST_LINES = 4
CONDITIONS: dict[type, tuple[When, ...]] = {
    Camp: ("always", "alone", "late", "then"),
    Rest: ("always", "berries", "wolf", "grass", "late", "then"),
    Pick: ("always", "berries", "wolf", "grass", "late", "then"),
    BuryLow: ("always", "late", "then"),
}
ASKED: dict[type, str] = {Camp: "camp", Rest: "dig", Pick: "dig", BuryLow: "bury"}
"""The kind of decision that a wish answers."""

EXAMPLES: tuple[File, ...] = (
    File(
        lines=(
            Line(when="alone", do=Camp(place="hill")),
            Line(when="always", do=Camp(place="ford")),
            Line(when="berries", do=Rest()),
            Line(when="always", do=Pick()),
        )
    ),
    File(
        lines=(
            Line(when="always", do=Camp(place="wood")),
            Line(when="then", do=Pick()),
            Line(when="then", do=BuryLow()),
        )
    ),
    File(lines=(Line(when="late", do=Camp(place="cave")), Line(when="wolf", do=Rest()))),
    File(lines=()),
)


class Plans:
    """The plans a seat may file: more than anybody could list."""

    def __init__(self, on_file: tuple[Line, ...]) -> None:
        self._on_file = on_file

    def __iter__(self) -> Iterator[Action]:
        return (plan for plan in EXAMPLES if plan in self)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, File) and fault(action) is None and action.lines != self._on_file


def fault(plan: File) -> str | None:
    """The code of the error in a plan."""
    if len(plan.lines) > MOST_LINES:
        return "long_plan"
    if any(line.when not in CONDITIONS[type(line.do)] for line in plan.lines):
        return "odd_condition"
    return None


def planned(state: State, seat: Seat, *, expired: bool) -> PlanStep | None:
    """The first line whose time it is and whose condition holds."""
    if state.phase in ("duel", "over") or seat != state.to_move:
        return None
    for number, line in enumerate(state.plans[seat]):
        if ASKED[type(line.do)] == state.phase and _holds(state, number, line, expired):
            return PlanStep(line=number, actions=(_action(state, seat, line.do),))
    return None


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a plan; `reached` is false if a line above it always answers instead."""

    line: Line
    reached: bool


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan says."""

    sentences: tuple[Sentence, ...]


class Unmet(msgspec.Struct, frozen=True, kw_only=True):
    """A line, by its place from 1, whose condition does not hold."""

    number: int
    when: When


class Stopped(msgspec.Struct, frozen=True, kw_only=True):
    """The lines about what is asked now, none of which speaks."""

    unmet: tuple[Unmet, ...]


def explained(action: Action) -> Explained | None:
    """A plan as sentences."""
    if not isinstance(action, File):
        return None
    always: set[str] = set()
    sentences = []
    for line in action.lines:
        asked = ASKED[type(line.do)]
        sentences.append(Sentence(line=line, reached=asked not in always))
        if line.when == "always":
            always.add(asked)
    return Explained(sentences=tuple(sentences))


def stopped(state: State, seat: Seat) -> Stopped | None:
    """Why the plan for the turn that is being played does not speak now."""
    if state.phase in ("duel", "over") or seat != state.to_move or not state.plans[seat]:
        return None
    if planned(state, seat, expired=False) is not None:
        return None
    lines = enumerate(state.plans[seat], 1)
    unmet = (Unmet(number=n, when=x.when) for n, x in lines if ASKED[type(x.do)] == state.phase)
    return Stopped(unmet=tuple(unmet))


def _action(state: State, seat: Seat, wish: Camp | Rest | Pick | BuryLow) -> Action:
    return Bury(card=min(state.hands[seat])) if isinstance(wish, BuryLow) else wish


def _holds(state: State, number: int, line: Line, expired: bool) -> bool:
    if line.when == "then":
        return 0 <= state.said == number - 1
    if line.when in ("always", "late"):
        return line.when == "always" or expired
    if isinstance(line.do, Camp):
        return line.do.place not in state.camps
    return state.tiles[PLACES.index(state.camps[-1])] == line.when

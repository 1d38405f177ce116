"""Alternatives: whole moves or orders with conditions, filed ahead in order of preference.

    if [not] CONDITION ... LINE ... or if ... LINE ... otherwise ask

The first alternative runs whose conditions hold and whose lines are all legal, one after the other.
What conditions and lines are is a game's: C and A are any types that go through JSON.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from engine.kit.plans.situation import Refusal, Situation
from engine.protocol import IllegalAction

A = TypeVar("A")
C = TypeVar("C")


class If(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    """A condition that is to hold; if `negated`, not to."""

    condition: C
    negated: bool = False


class Alternative(msgspec.Struct, Generic[C, A], frozen=True, kw_only=True):
    """Lines to be done in their order if all conditions hold. Without lines nothing is done."""

    conditions: tuple[If[C], ...] = ()
    lines: tuple[A, ...] = ()


class Otherwise(StrEnum):
    """The thing to do if no alternative runs."""

    ASK = "ask"
    STAY = "stay"
    """Nothing is done."""
    ORDERS = "orders"
    """What is ordered for any case is done."""


class Alternatives(msgspec.Struct, Generic[C, A], frozen=True, kw_only=True):
    """A plan."""

    alternatives: tuple[Alternative[C, A], ...]
    otherwise: Otherwise = Otherwise.ASK


class UnmetCondition(msgspec.Struct, frozen=True, kw_only=True, tag_field="why", tag="unmet"):
    """An alternative passed over: this is the first of its conditions that does not hold."""

    alternative: int
    condition: int


class IllegalLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="why", tag="illegal"):
    """An alternative passed over, or a line of it: the line is not legal after those before it."""

    alternative: int
    line: int
    refusal: Refusal


PassedOver: TypeAlias = UnmetCondition | IllegalLine


class Chosen(msgspec.Struct, Generic[A], frozen=True, kw_only=True, tag_field="did", tag="chosen"):
    """The alternative that runs, by its number from 0, and the legal lines of it.

    `passed_over` has one reason for each alternative before it, `left_out` each line of its own
    that is left out because it is not legal.
    """

    alternative: int
    lines: tuple[A, ...]
    passed_over: tuple[PassedOver, ...] = ()
    left_out: tuple[IllegalLine, ...] = ()


class NoneRuns(msgspec.Struct, frozen=True, kw_only=True, tag_field="did", tag="none_runs"):
    """No alternative runs, for the one reason each in `passed_over`."""

    otherwise: Otherwise
    passed_over: tuple[PassedOver, ...]


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """An alternative that did not run: the condition that does not hold, or the line that is not
    legal, and why not.
    """

    alternative: int
    why: Literal["unmet", "illegal"]
    what: Any
    refusal: Refusal | None = None


def stops(plan: Alternatives[C, A], said: NoneRuns) -> tuple[Stop, ...]:
    """The reason for each alternative of a plan of which none runs."""
    found = []
    for each in said.passed_over:
        alternative, number = plan.alternatives[each.alternative], each.alternative
        if isinstance(each, UnmetCondition):
            unmet = alternative.conditions[each.condition]
            found.append(Stop(alternative=number, why="unmet", what=unmet))
        else:
            line = alternative.lines[each.line]
            refusal = each.refusal
            found.append(Stop(alternative=number, why="illegal", what=line, refusal=refusal))
    return tuple(found)


def consult(
    plan: Alternatives[C, A], situation: Situation[C, A], *, lenient: bool = False
) -> Chosen[A] | NoneRuns:
    """The first alternative whose conditions hold and whose lines are all legal in their order.

    Nothing is mended or shortened. Only if `lenient`, for when time is up, the first alternative
    whose conditions hold runs without the lines that are not legal when their turn comes.
    """
    passed_over: list[PassedOver] = []
    for number, alternative in enumerate(plan.alternatives):
        unmet = _unmet(number, alternative, situation)
        if unmet is not None:
            passed_over.append(unmet)
            continue
        legal, illegal = _tried(number, alternative, situation)
        if illegal and not lenient:
            passed_over.append(illegal[0])
            continue
        return Chosen(
            alternative=number,
            lines=tuple(legal),
            passed_over=tuple(passed_over),
            left_out=tuple(illegal),
        )
    return NoneRuns(otherwise=plan.otherwise, passed_over=tuple(passed_over))


def _unmet(
    number: int, alternative: Alternative[C, A], situation: Situation[C, A]
) -> UnmetCondition | None:
    for at, each in enumerate(alternative.conditions):
        if situation.holds(each.condition) == each.negated:
            return UnmetCondition(alternative=number, condition=at)
    return None


def _tried(
    number: int, alternative: Alternative[C, A], situation: Situation[C, A]
) -> tuple[list[A], list[IllegalLine]]:
    """The lines that are legal, and those that are not, each after the legal ones before it."""
    legal: list[A] = []
    illegal: list[IllegalLine] = []
    for at, line in enumerate(alternative.lines):
        try:
            situation = situation.play(line)
        except IllegalAction as error:
            refusal = Refusal.of(error)
            illegal.append(IllegalLine(alternative=number, line=at, refusal=refusal))
        else:
            legal.append(line)
    return legal, illegal


class Described(msgspec.Struct, Generic[C, A], frozen=True, kw_only=True):
    """An alternative in words: its number from 0, when it runs, what it does.

    `always` is true if it has no condition. `unmet_now` and `illegal_now` say what of it does not
    hold, and is not legal, in the situation it was explained in: it may still come to be.
    """

    alternative: int
    always: bool
    conditions: tuple[If[C], ...]
    lines: tuple[A, ...]
    unmet_now: UnmetCondition | None
    illegal_now: IllegalLine | None


class Explanation(msgspec.Struct, Generic[C, A], frozen=True, kw_only=True):
    """A plan for templates to put in words; if none of its alternatives runs, `otherwise`."""

    alternatives: tuple[Described[C, A], ...]
    otherwise: Otherwise


def explain(plan: Alternatives[C, A], situation: Situation[C, A]) -> Explanation[C, A]:
    """The plan alternative by alternative, and how each stands now."""
    described = []
    for number, alternative in enumerate(plan.alternatives):
        _, illegal = _tried(number, alternative, situation)
        described.append(
            Described(
                alternative=number,
                always=not alternative.conditions,
                conditions=alternative.conditions,
                lines=alternative.lines,
                unmet_now=_unmet(number, alternative, situation),
                illegal_now=illegal[0] if illegal else None,
            )
        )
    return Explanation(alternatives=tuple(described), otherwise=plan.otherwise)

"""Reactions: lines that say what to do when something comes up in the own turn.

    when EVENT [if TESTS]: WISH > WISH {then WISHES} {else [if TESTS:] WISHES {then WISHES}}

A line fits a decision by its event; its branches have guards; a list of wishes means the first of
them that is legal; the lists after `then` wait for the decisions that follow. What events, tests
and wishes are is a game's: E, C and W are any types that go through JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from engine.kit.plans.situation import Refusal, Situation
from engine.protocol import IllegalAction

A = TypeVar("A")
C = TypeVar("C")
E = TypeVar("E")
W = TypeVar("W")
E_contra = TypeVar("E_contra", contravariant=True)
C_contra = TypeVar("C_contra", contravariant=True)
W_contra = TypeVar("W_contra", contravariant=True)


class Branch(msgspec.Struct, Generic[C, W], frozen=True, kw_only=True):
    """Lists of wishes for one decision after the other, if all tests of the guard hold."""

    guard: tuple[C, ...] = ()
    lists: tuple[tuple[W, ...], ...]

    def __post_init__(self) -> None:
        if not self.lists or not all(self.lists):
            raise ValueError("a branch has lists of wishes, and none of them is empty")


class When(msgspec.Struct, Generic[E, C, W], frozen=True, kw_only=True):
    """A line: what to do when its event comes up."""

    event: E
    branches: tuple[Branch[C, W], ...]

    def __post_init__(self) -> None:
        if not self.branches:
            raise ValueError("a line has branches")


class Reactions(msgspec.Struct, Generic[E, C, W], frozen=True, kw_only=True):
    """A plan: its lines, tried from top to bottom. They are not used up."""

    lines: tuple[When[E, C, W], ...]


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The lists of the line used last that wait: the one that is next, and those after it.

    All numbers are from 0. It belongs to one plan, and is nothing to another that replaces it.
    """

    line: int
    branch: int
    list: int


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A wish of a plan, by numbers from 0. Lists other than the first had waited."""

    line: int
    branch: int
    list: int
    wish: int


class UnmetGuard(msgspec.Struct, frozen=True, kw_only=True, tag_field="why", tag="unmet"):
    """A branch passed over: this is the first test of its guard that does not hold."""

    line: int
    branch: int
    test: int


class RefusedWish(msgspec.Struct, frozen=True, kw_only=True, tag_field="why", tag="refused"):
    """A wish passed over, since it is not legal."""

    place: Place
    refusal: Refusal


PassedOver: TypeAlias = UnmetGuard | RefusedWish


class Acted(msgspec.Struct, Generic[A], frozen=True, kw_only=True, tag_field="did", tag="acted"):
    """The plan answers the decision, or a part of it, with these actions: the wish at `place`.

    `waiting` is what waits from now on, `passed_over` what was tried before in vain.
    """

    place: Place
    actions: tuple[A, ...]
    waiting: Waiting | None
    passed_over: tuple[PassedOver, ...] = ()


class Reason(StrEnum):
    """The reason why a plan stops."""

    NO_LINE = "no_line"
    """No line fits the decision with a guard that holds."""
    NOT_LEGAL = "not_legal"
    """A line fits, or waited for this, and none of its wishes is legal."""
    ASKS = "asks"
    """The plan says to ask."""


class Stopped(msgspec.Struct, frozen=True, kw_only=True, tag_field="did", tag="stopped"):
    """The decision stays with its player. `waiting` waits on.

    `place` is the wish that was tried last, and names the line that failed; None without a line.
    """

    reason: Reason
    place: Place | None
    waiting: Waiting | None
    passed_over: tuple[PassedOver, ...] = ()


class Asked(Situation[C_contra, A], Protocol[E_contra, C_contra, W_contra, A]):
    """An open decision, as a plan is put to it. `holds` judges a test, `play` tries an action."""

    def fits(self, event: E_contra, /) -> bool:
        """True if a line of this event is for this decision."""
        ...

    def belongs(self, wish: W_contra, /) -> bool:
        """True if the wish is for this decision, legal or not."""
        ...

    def asks(self, wish: W_contra, /) -> bool:
        """True if the wish is to be asked."""
        ...

    def actions(self, wish: W_contra, /) -> tuple[A, ...]:
        """The actions that the wish stands for here, one at least; they need not be legal.

        Raises IllegalAction if it stands for none.
        """
        ...


def consult(
    plan: Reactions[E, C, W], waiting: Waiting | None, asked: Asked[E, C, W, A]
) -> Acted[A] | Stopped:
    """The answer of a plan to an open decision.

    1. What waits is tried first, if all wishes of its next list belong to this decision. If one of
       them is legal the first such is done, and the lists after it wait; if none is, it stops.
    2. Else the lines, from top to bottom. Of one that fits the first branch whose guard holds is
       tried: its first legal wish is done, and the lists after `then` wait instead of what did. If
       none is legal the next branches are tried likewise; after the last it stops. A line that
       does not fit, or of which no guard holds, is passed over.
    3. Without a line it stops.

    A line without `then` leaves what waits waiting.
    """
    return _Consulting(plan, waiting, asked).answer()


def made_without(
    plan: Reactions[E, C, W], waiting: Waiting, belongs: Callable[[W], bool]
) -> Waiting | None:
    """The rest of a plan that waits once a decision was made without asking it: what was to be done
    there, if all wishes of the next list belong to it, waits no more.
    """
    lists = plan.lines[waiting.line].branches[waiting.branch].lists
    if not all(map(belongs, lists[waiting.list])):
        return waiting
    return replace(waiting, list=waiting.list + 1) if waiting.list + 1 < len(lists) else None


class _Consulting(Generic[E, C, W, A]):
    def __init__(
        self, plan: Reactions[E, C, W], waiting: Waiting | None, asked: Asked[E, C, W, A]
    ) -> None:
        self._plan = plan
        self._waiting = waiting
        self._asked = asked
        self._passed_over: list[PassedOver] = []

    def answer(self) -> Acted[A] | Stopped:
        for lists in self._candidates():
            answer = self._tried(lists)
            if answer is not None:
                return answer
        return self._stopped(Reason.NO_LINE, None)

    def _candidates(self) -> Iterator[Iterable[Waiting]]:
        """Lists of wishes of which the first legal wish is done: what waits, then each line."""
        if self._waiting is not None and self._is_next(self._waiting):
            yield [self._waiting]
        for number, line in enumerate(self._plan.lines):
            if self._asked.fits(line.event):
                yield (
                    Waiting(line=number, branch=at, list=0)
                    for at, branch in enumerate(line.branches)
                    if self._holds(number, at, branch)
                )

    def _is_next(self, waiting: Waiting) -> bool:
        """True if all that is wished for next is for this decision."""
        return all(map(self._asked.belongs, self._lists(waiting)[waiting.list]))

    def _holds(self, line: int, at: int, branch: Branch[C, W]) -> bool:
        for number, test in enumerate(branch.guard):
            if not self._asked.holds(test):
                self._passed_over.append(UnmetGuard(line=line, branch=at, test=number))
                return False
        return True

    def _tried(self, lists: Iterable[Waiting]) -> Acted[A] | Stopped | None:
        """The first legal wish of the first list that has one, or that to be asked.

        None if there is no list.
        """
        place = None
        for at in lists:
            for number, wish in enumerate(self._lists(at)[at.list]):
                place = Place(line=at.line, branch=at.branch, list=at.list, wish=number)
                if self._asked.asks(wish):
                    return self._stopped(Reason.ASKS, place)
                try:
                    actions = self._legal(wish)
                except IllegalAction as error:
                    refused = RefusedWish(place=place, refusal=Refusal.of(error))
                    self._passed_over.append(refused)
                    continue
                return Acted(
                    place=place,
                    actions=actions,
                    waiting=self._after(at),
                    passed_over=tuple(self._passed_over),
                )
        return None if place is None else self._stopped(Reason.NOT_LEGAL, place)

    def _legal(self, wish: W) -> tuple[A, ...]:
        """The actions of a wish. Raises IllegalAction."""
        actions = self._asked.actions(wish)
        if not actions:
            raise ValueError(f"{wish!r} stands for no action")
        situation = self._asked
        for action in actions:
            situation = situation.play(action)
        return actions

    def _after(self, at: Waiting) -> Waiting | None:
        """What waits once a wish of this list is done."""
        if at.list + 1 < len(self._lists(at)):
            return replace(at, list=at.list + 1)
        return None if at.list else self._waiting

    def _lists(self, at: Waiting) -> tuple[tuple[W, ...], ...]:
        return self._plan.lines[at.line].branches[at.branch].lists

    def _stopped(self, reason: Reason, place: Place | None) -> Stopped:
        return Stopped(
            reason=reason,
            place=place,
            waiting=self._waiting,
            passed_over=tuple(self._passed_over),
        )


class Role(StrEnum):
    """The part of a wish in its sentence."""

    FIRST = "first"
    FAILING_THAT = "failing_that"
    """It is done if none of those before it is legal."""
    THEN = "then"
    """The first wish for the next decision."""


class Clause(msgspec.Struct, Generic[W], frozen=True, kw_only=True):
    """A wish in its sentence."""

    role: Role
    wish: W


class Case(msgspec.Struct, Generic[C, W], frozen=True, kw_only=True):
    """A branch in words: if all tests of the guard hold, the clauses.

    `otherwise` is true behind `else`: if those before it do not hold, or nothing in them is legal.
    """

    otherwise: bool
    guard: tuple[C, ...]
    clauses: tuple[Clause[W], ...]


class Sentence(msgspec.Struct, Generic[E, C, W], frozen=True, kw_only=True):
    """A line in words: its number from 0, its event, and what is done by cases.

    `reached` is false if another line before it answers whatever it is for.
    """

    line: int
    event: E
    cases: tuple[Case[C, W], ...]
    reached: bool


class Explanation(msgspec.Struct, Generic[E, C, W], frozen=True, kw_only=True):
    """A plan for templates to put in words; in all other cases its player is asked.

    `waiting` is what waits, the first of it tried before all lines. Of the events that may come up
    the `uncovered` have no line, and the `conditional` only such with a guard.
    """

    sentences: tuple[Sentence[E, C, W], ...]
    waiting: tuple[Clause[W], ...]
    conditional: tuple[E, ...]
    uncovered: tuple[E, ...]


def explain(
    plan: Reactions[E, C, W],
    waiting: Waiting | None,
    possible: Iterable[E],
    covers: Callable[[E, E], bool],
) -> Explanation[E, C, W]:
    """The plan as a tree of sentences, cases and clauses.

    `possible` are the events that can still come up, as far as the owner knows. `covers(one,
    other)` is true if a line of event `one` fits wherever one of `other` does.
    """
    always: list[E] = []
    sentences = []
    for number, line in enumerate(plan.lines):
        reached = not any(covers(event, line.event) for event in always)
        cases = tuple(
            Case(otherwise=at > 0, guard=branch.guard, clauses=_clauses(branch.lists))
            for at, branch in enumerate(line.branches)
        )
        sentences.append(Sentence(line=number, event=line.event, cases=cases, reached=reached))
        if not all(branch.guard for branch in line.branches):
            always.append(line.event)
    events = [line.event for line in plan.lines]
    unsure = [each for each in possible if not any(covers(event, each) for event in always)]
    rest: tuple[Clause[W], ...] = ()
    if waiting is not None:
        lists = plan.lines[waiting.line].branches[waiting.branch].lists
        rest = _clauses(lists[waiting.list :])
    return Explanation(
        sentences=tuple(sentences),
        waiting=rest,
        conditional=tuple(e for e in unsure if any(covers(event, e) for event in events)),
        uncovered=tuple(e for e in unsure if not any(covers(event, e) for event in events)),
    )


def _clauses(lists: Sequence[Sequence[W]]) -> tuple[Clause[W], ...]:
    return tuple(
        Clause(role=Role.FAILING_THAT if at else Role.THEN if later else Role.FIRST, wish=wish)
        for later, wishes in enumerate(lists)
        for at, wish in enumerate(wishes)
    )

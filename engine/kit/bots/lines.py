"""A submission tried out: the actions of one decision with the position they lead to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, Protocol, TypeVar

import msgspec

from engine.chance import Chance, NoChance
from engine.play import NotYourDecision
from engine.protocol import Decision, IllegalAction, Seat, Step

S = TypeVar("S")
A = TypeVar("A")

_NO_CHANCE = NoChance()


class Rules(Protocol[S, A]):
    """The two functions of a game that trying needs: a `Game` has them, and so may a module."""

    def decisions(self, state: S, /) -> tuple[Decision[A], ...]: ...

    def apply(self, state: S, seat: Seat, action: A, chance: Chance, /) -> Step[S]: ...


class Line(msgspec.Struct, Generic[S, A], frozen=True, eq=False, kw_only=True):
    """Actions of one decision, and the position `state` that they lead to.

    `remaining` is the decision as it is open there, None once it is made or something is revealed:
    a submission ends there. If the last action has `revealed` something, then on a guess the
    position is one of several that it may lead to. `before` is the line without its last action.
    """

    rules: Rules[S, A]
    chance: Chance
    seat: Seat
    decision: str
    state: S
    remaining: Decision[A] | None
    alone: bool
    """True if the seat has no other decision open."""
    revealed: bool = False
    actions: tuple[A, ...] = ()
    """The submission."""
    before: Line[S, A] | None = None

    @property
    def made(self) -> bool:
        """True if the submission is whole: it may be handed in, and nothing can be added.

        An order is, once it blocks no more: it may be open still, for one that replaces it.
        """
        return self.remaining is None or bool(self.actions and not self.remaining.blocks)

    @property
    def steps(self) -> tuple[tuple[S, A], ...]:
        """Each action with the position it was played in."""
        if self.before is None:
            return ()
        return (*self.before.steps, (self.before.state, self.actions[-1]))

    def play(self, action: A) -> Line[S, A]:
        """The line with one more action. Raises IllegalAction, also once it is `made`."""
        here = self.remaining
        if here is None or self.made:
            raise IllegalAction("turn_over", "")
        step = self.rules.apply(self.state, self.seat, action, self.chance)
        # With one decision open, what the game accepts is of this decision.
        if not self.alone and action not in here.choices:
            raise IllegalAction("other_decision", here.rule, kind=here.kind)
        remaining, alone = _open(self.rules, step.state, self.seat, self.decision)
        return Line(
            rules=self.rules,
            chance=self.chance,
            seat=self.seat,
            decision=self.decision,
            state=step.state,
            remaining=remaining,
            alone=alone,
            revealed=step.reveals,
            actions=(*self.actions, action),
            before=self,
        )

    def follow(self, actions: Iterable[A]) -> Line[S, A]:
        """The line with these actions, up to the first that reveals something or makes the
        decision. Raises IllegalAction."""
        line = self
        for action in actions:
            if line.made:
                break
            line = line.play(action)
        return line

    def finish(self, choose: Callable[[S], A]) -> Line[S, A]:
        """The line made whole by the action that `choose` names in each position."""
        line = self
        while not line.made:
            line = line.play(choose(line.state))
        return line

    def meaning(self, meaning: Callable[[S, Seat, A], Hashable]) -> Hashable:
        """The meaning of the actions, each in its position, by that of one (`Notation.meaning`)."""
        return tuple(meaning(state, self.seat, action) for state, action in self.steps)


def begin(
    rules: Rules[S, A], state: S, decision: Decision[A], chance: Chance = _NO_CHANCE
) -> Line[S, A]:
    """The line of a decision that is open here, with nothing done yet; it may go on from within a
    turn.

    What the actions draw comes from `chance`; without one they may draw nothing. Raises
    NotYourDecision.
    """
    remaining, alone = _open(rules, state, decision.seat, decision.id)
    if remaining is None:
        raise NotYourDecision(decision.seat, decision.id)
    return Line(
        rules=rules,
        chance=chance,
        seat=decision.seat,
        decision=decision.id,
        state=state,
        remaining=remaining,
        alone=alone,
    )


def _open(
    rules: Rules[S, A], state: S, seat: Seat, decision: str
) -> tuple[Decision[A] | None, bool]:
    """What is left of the decision, and whether the seat has no other one open."""
    own = [each for each in rules.decisions(state) if each.seat == seat]
    return next((each for each in own if each.id == decision), None), len(own) < 2

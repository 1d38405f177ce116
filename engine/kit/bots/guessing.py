"""Actions tried on several guesses at once, where what is hidden or drawn makes a difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from engine.chance import Chance
from engine.kit.bots.lines import Line, Rules, begin
from engine.protocol import Decision, IllegalAction, Seat

S = TypeVar("S")
A = TypeVar("A")


class GuessingRules(Rules[S, A], Protocol[S, A]):
    """Rules that know what a seat cannot know: a `Game` is one."""

    def guess(self, state: S, seat: Seat, chance: Chance, /) -> S: ...


class Trial(msgspec.Struct, Generic[S, A], frozen=True, eq=False):
    """The same actions on several guesses, a line on each, which goes on until it reveals."""

    lines: tuple[Line[S, A], ...]

    def play(self, action: A) -> Trial[S, A]:
        """The trial with one more action, on the lines that have revealed nothing.

        Raises IllegalAction if it is illegal on one of them, or if there are none: what is legal
        after a reveal is not known beforehand.
        """
        if all(line.revealed for line in self.lines):
            raise IllegalAction("turn_over", "")
        return Trial(tuple(line if line.revealed else line.play(action) for line in self.lines))

    def mean(self, worth: Callable[[Line[S, A]], float]) -> float:
        """The mean of what the lines are worth."""
        return sum(map(worth, self.lines)) / len(self.lines)


def try_on_guesses(
    rules: GuessingRules[S, A], state: S, decision: Decision[A], chance: Chance, number: int
) -> Trial[S, A]:
    """The trial of an open decision with nothing done yet, on so many guesses.

    What actions draw comes from `chance`, too. Raises NotYourDecision.
    """
    guesses = (rules.guess(state, decision.seat, chance) for _ in range(number))
    return Trial(tuple(begin(rules, guess, decision, chance) for guess in guesses))

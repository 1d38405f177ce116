"""Submissions tried on several guesses, where what is hidden or drawn makes a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from engine.chance import Chance
from engine.kit.bots.lines import Line, Rules, begin
from engine.protocol import Decision, Seat

S = TypeVar("S")
A = TypeVar("A")


class GuessingRules(Rules[S, A], Protocol[S, A]):
    """Rules that know what a seat cannot know: a `Game` is one."""

    def guess(self, state: S, seat: Seat, chance: Chance, /) -> S: ...


def begin_on_guesses(
    rules: GuessingRules[S, A], state: S, decision: Decision[A], chance: Chance, number: int
) -> tuple[Line[S, A], ...]:
    """The line of the decision with nothing done yet, on each of so many guesses.

    The first guess is the position itself, which bots are given guessed. What actions draw comes
    from `chance`.
    """
    guesses = [state] + [rules.guess(state, decision.seat, chance) for _ in range(number - 1)]
    return tuple(begin(rules, guess, decision, chance) for guess in guesses[:number])


def mean_worth(
    lines: Sequence[Line[S, A]],
    actions: Sequence[A],
    worth: Callable[[Line[S, A]], float],
) -> float:
    """The mean of what the actions are worth on each of the lines, up to what they reveal there.

    Raises IllegalAction.
    """
    return sum(worth(line.follow(actions)) for line in lines) / len(lines)

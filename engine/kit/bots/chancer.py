"""A random bot: any legal submission."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from engine.chance import Chance
from engine.kit.bots.lines import Line

S = TypeVar("S")
A = TypeVar("A")


def draw(line: Line[S, A], chance: Chance, kind: Callable[[A], Hashable] = type) -> Line[S, A]:
    """The line made whole step by step: a kind of action at random, then one of that kind.

    So that the few actions of one kind are not drowned by the many of another. Not to make a
    decision that does not block, as long as it is not begun, counts as one kind more. Of choices
    that are open it draws from the examples. It ends if the choices do: a game in which an action
    can be taken back by another gives it lines without that one.
    """
    while line.remaining is not None and not line.made:
        kinds: dict[Any, list[A]] = {}
        for action in line.remaining.choices:
            kinds.setdefault(kind(action), []).append(action)
        drawn = list(kinds.values())
        at = chance.below("kind of action", len(drawn) + (not line.remaining.blocks))
        if at == len(drawn):
            break
        line = line.play(drawn[at][chance.below("action", len(drawn[at]))])
    return line

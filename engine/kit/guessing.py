"""Positions that a seat cannot tell from the true one: what it does not know is dealt anew."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeVar

from engine.chance import Chance

T = TypeVar("T", bound=Any)


def dealt_anew(
    chance: Chance, purpose: str, hidden: Iterable[tuple[T, ...]]
) -> list[tuple[T, ...]]:
    """Hidden groups of things, each as large as before, of all of them together in another order.
    Nothing is drawn where there is nothing.
    """
    groups = list(hidden)
    things = sorted(thing for group in groups for thing in group)
    drawn = iter(chance.shuffled(purpose, things) if things else ())
    return [tuple(islice(drawn, len(group))) for group in groups]

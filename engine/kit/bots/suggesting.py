"""Suggestions: the best few of many submissions, no two of them twins."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from engine.kit.bots.lines import Line
from engine.protocol import Seat

FEW = 2
"""Suggestions that are made at least, where there are so many submissions."""

S = TypeVar("S")
A = TypeVar("A")


def suggest(
    lines: Iterable[Line[S, A]],
    worth: Callable[[Line[S, A]], float],
    limit: int,
    meaning: Callable[[S, Seat, A], Hashable],
    alike: Callable[[Line[S, A], Line[S, A]], bool] | None = None,
) -> tuple[tuple[A, ...], ...]:
    """The submissions of up to `limit` whole lines, best first and of equal ones the first.

    Of lines with the same `meaning` (`Notation.meaning`) only the best is among them. Near twins,
    those that are `alike` one before them, are none to choose from: they come last, and only where
    there would be fewer than FEW without them.
    """
    if limit < 1:
        return ()
    kept: list[Line[S, A]] = []
    near: list[Line[S, A]] = []
    meanings: set[Hashable] = set()
    for line in sorted(lines, key=worth, reverse=True):
        if len(kept) == limit:
            break
        meant = line.meaning(meaning)
        if meant in meanings:
            continue
        meanings.add(meant)
        twin = alike is not None and any(alike(line, other) for other in kept)
        (near if twin else kept).append(line)
    return tuple(line.actions for line in (*kept, *near[: max(0, FEW - len(kept))])[:limit])

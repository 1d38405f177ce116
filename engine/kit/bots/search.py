"""A search of whole submissions in stages, each handing its best lines to the next: a beam.

What it may cost is counted in positions and never in time, so that the same position is played the
same way on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from engine.kit.bots.lines import Line

S = TypeVar("S")
A = TypeVar("A")


class Worth(NamedTuple):
    """The value of a line, and the number of positions visited to tell it."""

    value: float
    visited: int = 1


Grow: TypeAlias = Callable[[Line[S, A]], Iterable[Line[S, A]]]
Judge: TypeAlias = Callable[[Line[S, A]], Worth]


class Stage(msgspec.Struct, Generic[S, A], frozen=True, kw_only=True):
    """A step of the search.

    It makes lines of each line given to it (`grow`), judges them, and hands on the `width` best.
    With `of_one` no more than so many of those grown from one line are handed on. With `keep` the
    lines given are handed on as they were judged, beside those grown from them.

    Nothing is grown any more once more than `share` of the budget has been visited. It is looked at
    between lines grown from different ones, and where `of_one` does not compare them, between any
    two. But one line is always handed on.
    """

    grow: Grow[S, A]
    judge: Judge[S, A]
    width: int = 1
    of_one: int | None = None
    keep: bool = False
    share: float = inf


class Found(NamedTuple, Generic[S, A]):
    """The best line, and how many positions were visited to find it."""

    line: Line[S, A]
    visited: int


class _Judged(NamedTuple, Generic[S, A]):
    value: float
    line: Line[S, A]


def search(start: Line[S, A], stages: Sequence[Stage[S, A]], budget: int) -> Found[S, A]:
    """The best line that the stages find, one after the other, from `start`.

    Of lines of equal worth the first found is the better. Raises ValueError if a stage that keeps
    no lines grows none.
    """
    searching: _Search[S, A] = _Search(budget)
    lines = [_Judged(0.0, start)]
    for stage in stages:
        lines = _best(searching.grown(stage, lines), stage.width)
        if not lines:
            raise ValueError("a stage has grown no line")
    return Found(lines[0].line, searching.visited)


class _Search(Generic[S, A]):
    def __init__(self, budget: int) -> None:
        self._budget = budget
        self.visited = 0

    def grown(self, stage: Stage[S, A], lines: Sequence[_Judged[S, A]]) -> Iterator[_Judged[S, A]]:
        """All lines that a stage chooses from."""
        most = stage.share * self._budget
        handed_on = False
        for given in lines:
            if stage.keep:
                yield given
                handed_on = True
            if handed_on and self.visited > most:
                continue
            grown = (self._judged(stage, line) for line in stage.grow(given.line))
            for judged in grown if stage.of_one is None else _best(grown, stage.of_one):
                yield judged
                handed_on = True
                if stage.of_one is None and self.visited > most:
                    break

    def _judged(self, stage: Stage[S, A], line: Line[S, A]) -> _Judged[S, A]:
        worth = stage.judge(line)
        self.visited += worth.visited
        return _Judged(worth.value, line)


def _best(judged: Iterable[_Judged[S, A]], number: int) -> list[_Judged[S, A]]:
    return sorted(judged, key=lambda each: each.value, reverse=True)[:number]

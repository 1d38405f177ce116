"""All randomness of a match, from one secret seed, one draw at a time.

The algorithm is ours, so that a record outlives any library's generator (docs/record.md has it for
other languages). Draw number `i` (0, 1, 2, ... over the whole match) reads its own stream of bytes

    SHA-256(seed || "paleopost draw" || i as 8 bytes big-endian || block as 4 bytes big-endian)

for block = 0, 1, 2, ..., cut into 8-byte big-endian words. A number below n is the first word that
is less than the greatest multiple of n up to 2**64, modulo n. A shuffle of n things is Fisher and Yates
from the end: for k = n-1 down to 1, swap k with a number below k+1.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

import msgspec

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 1 << 64


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded draw: `what` it was for, out of how many, and the result.

    For a shuffle `result` is the permutation: place j of the outcome holds item `result[j]`.
    For a number it has one element.
    """

    index: int
    what: str
    kind: str  # "shuffle" | "below"
    n: int
    result: tuple[int, ...]


class Divergence(Exception):
    """A recorded draw is not the one asked for, or not the one the seed gives."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"draw {index}: {reason}")
        self.index = index
        self.reason = reason


class Chance(Protocol):
    """Where a game takes its randomness from. `what` names the purpose, for the record."""

    def below(self, what: str, n: int) -> int: ...

    def shuffled(self, what: str, items: Sequence[T]) -> tuple[T, ...]: ...


def seed_hash(seed: bytes) -> str:
    """The commitment published before the first move: hexadecimal SHA-256 of the seed."""
    return hashlib.sha256(seed).hexdigest()


def _words(seed: bytes, index: int) -> Iterator[int]:
    head = seed + b"paleopost draw" + index.to_bytes(8, "big")
    block = 0
    while True:
        digest = hashlib.sha256(head + block.to_bytes(4, "big")).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


def _below(words: Iterator[int], n: int) -> int:
    limit = _WORD - _WORD % n
    for word in words:
        if word < limit:
            return word % n
    raise AssertionError("the stream of words does not end")


def draw(seed: bytes, index: int, what: str, kind: str, n: int) -> Draw:
    """Draw number `index` of the match with this seed."""
    words = _words(seed, index)
    if kind == "below":
        result = [_below(words, n)]
    else:
        result = list(range(n))
        for k in range(n - 1, 0, -1):
            j = _below(words, k + 1)
            result[k], result[j] = result[j], result[k]
    return Draw(index=index, what=what, kind=kind, n=n, result=tuple(result))


class _Drawing(ABC):
    """Turns draws into numbers and shuffles, and keeps them."""

    def __init__(self, start: int) -> None:
        self.next = start
        self.draws: list[Draw] = []

    @abstractmethod
    def _draw(self, what: str, kind: str, n: int) -> Draw: ...

    def _take(self, what: str, kind: str, n: int) -> tuple[int, ...]:
        if n < 1:
            raise ValueError(f"nothing to draw from for {what}")
        made = self._draw(what, kind, n)
        self.draws.append(made)
        self.next += 1
        return made.result

    def below(self, what: str, n: int) -> int:
        """A number from 0 to n - 1. Raises ValueError if n < 1."""
        return self._take(what, "below", n)[0]

    def shuffled(self, what: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order. Raises ValueError if there are none."""
        return tuple(items[k] for k in self._take(what, "shuffle", len(items)))


class SeededChance(_Drawing):
    """Draws from a seed, beginning with draw number `start`; `draws` is what was drawn."""

    def __init__(self, seed: bytes, start: int = 0) -> None:
        super().__init__(start)
        self._seed = seed

    def _draw(self, what: str, kind: str, n: int) -> Draw:
        return draw(self._seed, self.next, what, kind, n)


class RecordedChance(_Drawing):
    """Gives back recorded draws, and raises Divergence when the game asks for another."""

    def __init__(self, recorded: Sequence[Draw], start: int = 0) -> None:
        super().__init__(start)
        self._recorded = recorded

    def _draw(self, what: str, kind: str, n: int) -> Draw:
        at = len(self.draws)
        if at >= len(self._recorded):
            raise Divergence(self.next, f"{kind} of {n} for {what} is not in the record")
        found = self._recorded[at]
        if (found.index, found.what, found.kind, found.n) != (self.next, what, kind, n):
            raise Divergence(
                self.next,
                f"the record has {found.kind} of {found.n} for {found.what} (draw {found.index}),"
                f" the game asks for {kind} of {n} for {what}",
            )
        return found


class NoChance(_Drawing):
    """For positions where the rules draw nothing: raises Divergence on any draw."""

    def __init__(self) -> None:
        super().__init__(0)

    def _draw(self, what: str, kind: str, n: int) -> Draw:
        raise Divergence(self.next, f"{kind} of {n} for {what} where nothing may be drawn")

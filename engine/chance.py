"""All randomness of a match, from one secret seed, one draw at a time.

The algorithm is ours, so that a record outlives any library's generator (docs/record.md has it for
other languages). Draw number `i` (0, 1, 2, ... over the whole match) reads its own stream of bytes

    SHA-256(seed || "paleopost draw" || i as 8 bytes big-endian || block as 4 bytes big-endian)

for block = 0, 1, 2, ..., cut into 8-byte big-endian words. A number below n is the first word that
is less than the greatest multiple of n up to 2**64, modulo n. A shuffle of n things is Fisher and
Yates from the end: for k = n-1 down to 1, swap k with a number below k+1.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")

Kind: TypeAlias = Literal["shuffle", "below"]

SEED_BYTES = 32
_WORD = 1 << 64


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded draw: `what` it was for, out of how many, and the result.

    For a shuffle `result` is the permutation: place j of the outcome holds item `result[j]`.
    For a number it has one element.
    """

    index: int
    what: str
    kind: Kind
    n: int
    result: tuple[int, ...]


class Divergence(Exception):
    """A draw is not the one expected here.

    `index` is the number of the draw, `field` what of it differs ("" for the whole draw),
    `expected` what the replay or the seed asks for and `found` what is recorded.
    """

    def __init__(self, index: int, field: str, expected: Any, found: Any) -> None:
        super().__init__(f"draw {index} {field}: expected {expected}, found {found}")
        self.index = index
        self.field = field
        self.expected = expected
        self.found = found


class Chance(Protocol):
    """The source of a game's randomness. `what` names the purpose, for the record."""

    def below(self, what: str, n: int) -> int:
        """A number from 0 to n - 1. Raises ValueError if n < 1."""
        ...

    def shuffled(self, what: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order. Raises ValueError if there are none."""
        ...


def seed_hash(seed: bytes) -> str:
    """The commitment published before the first move: hexadecimal SHA-256 of the seed."""
    return hashlib.sha256(seed).hexdigest()


def seed_of_number(number: int) -> bytes:
    """The seed a small number stands for: SHA-256 of "paleopost seed N", N in decimal."""
    return hashlib.sha256(f"paleopost seed {number}".encode("ascii")).digest()


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
    return next(word for word in words if word < limit) % n


def draw(seed: bytes, index: int, what: str, kind: Kind, n: int) -> Draw:
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
    def _draw(self, what: str, kind: Kind, n: int) -> Draw: ...

    def _take(self, what: str, kind: Kind, n: int) -> tuple[int, ...]:
        if n < 1:
            raise ValueError(f"nothing to draw from for {what}")
        made = self._draw(what, kind, n)
        self.draws.append(made)
        self.next += 1
        return made.result

    def below(self, what: str, n: int) -> int:
        return self._take(what, "below", n)[0]

    def shuffled(self, what: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items[k] for k in self._take(what, "shuffle", len(items)))


class SeededChance(_Drawing):
    """Draws from a seed, beginning with draw number `start`; `draws` is what was drawn."""

    def __init__(self, seed: bytes, start: int = 0) -> None:
        super().__init__(start)
        self._seed = seed

    def _draw(self, what: str, kind: Kind, n: int) -> Draw:
        return draw(self._seed, self.next, what, kind, n)


class RecordedChance(_Drawing):
    """Gives back recorded draws, and raises Divergence at the first that is not the one asked for.

    With a seed, every result is checked against it too.
    """

    def __init__(self, recorded: Sequence[Draw], start: int = 0, seed: bytes | None = None) -> None:
        super().__init__(start)
        self._recorded = recorded
        self._seed = seed

    def _draw(self, what: str, kind: Kind, n: int) -> Draw:
        at = len(self.draws)
        if at >= len(self._recorded):
            raise Divergence(self.next, "", f"{kind} of {n} for {what}", None)
        found = self._recorded[at]
        asked = {"index": self.next, "what": what, "kind": kind, "n": n}
        for field, expected in asked.items():
            if getattr(found, field) != expected:
                raise Divergence(self.next, field, expected, getattr(found, field))
        if not _possible(found):
            raise Divergence(self.next, "result", f"{kind} of {n}", list(found.result))
        if self._seed is not None:
            self._check(found, draw(self._seed, self.next, what, kind, n))
        return found

    def _check(self, found: Draw, drawn: Draw) -> None:
        for place, (expected, recorded) in enumerate(zip(drawn.result, found.result, strict=True)):
            if expected != recorded:
                raise Divergence(self.next, f"result[{place}]", expected, recorded)


class NoChance(_Drawing):
    """For positions where the rules draw nothing: raises Divergence on any draw."""

    def __init__(self) -> None:
        super().__init__(0)

    def _draw(self, what: str, kind: Kind, n: int) -> Draw:
        raise Divergence(self.next, "", "nothing to draw", f"{kind} of {n} for {what}")


def _possible(drawn: Draw) -> bool:
    if drawn.kind == "below":
        return len(drawn.result) == 1 and 0 <= drawn.result[0] < drawn.n
    return sorted(drawn.result) == list(range(drawn.n))

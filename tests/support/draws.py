"""What the product draws by `secrets` in this process: the same in every run of a test.

A match's seed is made of such draws, so another deal would be played each time, and a test that
holds for most of them would fail once in a while. `--draws NAME` plays other deals: a test has to
hold for these, too.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import TypeVar

T = TypeVar("T")

BYTES = 32
"""As many as `secrets` draws where nobody says."""


class Draws:
    """Takes the place of the operating system's randomness while it is `begun`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._random = Random(name)

    def begin(self) -> None:
        """Have `secrets` draw from here, in this process, from now on."""
        for drawing in (self.token_bytes, self.choice, self.randbelow):
            setattr(secrets, drawing.__name__, drawing)

    def again(self, of: str) -> None:
        """Draw from the beginning what belongs to a test."""
        self._random = Random(f"{self._name} {of}")

    @contextmanager
    def aside(self, of: str) -> Iterator[None]:
        """Draw what belongs to something that several tests share, whichever of them is first."""
        kept = self._random
        self.again(of)
        try:
            yield
        finally:
            self._random = kept

    def token_bytes(self, nbytes: int | None = None) -> bytes:
        """As `secrets.token_bytes`; `token_hex` and `token_urlsafe` call it."""
        return self._random.randbytes(BYTES if nbytes is None else nbytes)

    def choice(self, seq: Sequence[T]) -> T:
        """As `secrets.choice`."""
        return self._random.choice(seq)

    def randbelow(self, exclusive_upper_bound: int) -> int:
        """As `secrets.randbelow`."""
        return self._random.randrange(exclusive_upper_bound)

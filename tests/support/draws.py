"""What the product draws in this process (`service.core.randomness`): the same in every run of a
test.

A match's seed is made of such draws, so another deal would be played each time, and a test that
holds for most of them would fail once in a while. `--draws NAME` plays other deals: a test has to
hold for these, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from random import Random


class Draws:
    """Takes the place of the operating system's randomness while it is `begun`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._begun = False

    def begin(self) -> None:
        """Have the service draw from here, in this process, from now on."""
        global _begun
        self._begun = True
        _begun = self
        self.again("")

    def again(self, of: str) -> None:
        """Draw from the beginning what belongs to a test."""
        if self._begun:
            _draw_from(Random(f"{self._name} {of}"))

    @contextmanager
    def aside(self, of: str) -> Iterator[None]:
        """Draw what belongs to something that several tests share, whichever of them is first."""
        from service.core import randomness

        kept = randomness.source
        self.again(of)
        try:
            yield
        finally:
            randomness.source = kept


_begun: Draws | None = None


def aside(of: str) -> AbstractContextManager[None]:
    """Draw so what a process makes once for several tests without a fixture."""
    return _begun.aside(of) if _begun is not None else nullcontext()


def _draw_from(source: Random) -> None:
    # Imported late: tests of the engine need nothing of the service
    from service.core import randomness

    randomness.source = source

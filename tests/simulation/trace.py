"""What happened, line by line: the same seed gives the same lines."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable


class Trace:
    """The lines of a run, and counts of what they tell."""

    def __init__(self, now: Callable[[], dt.datetime]) -> None:
        self._now = now
        self.lines: list[str] = []
        self.counts: Counter[str] = Counter()

    def note(self, kind: str, *words: object) -> None:
        """Something happened."""
        said = " ".join(str(word) for word in words)
        self.lines.append(f"{self._now():%d %H:%M:%S.%f} {kind} {said}".rstrip())

    def fault(self, kind: str, *words: object) -> None:
        """Something was broken on purpose."""
        self.counts[kind] += 1
        self.note(f"! {kind}", *words)

    @property
    def digest(self) -> str:
        """The lines in short."""
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()

"""The clock of this process: the present, lengths of time, and waiting. Nothing else of the service
asks the operating system for them, so that all of it can be run by another clock.
"""

from __future__ import annotations

import datetime as dt
import time
from typing import Protocol


class Clock(Protocol):
    """A source of the time, which can wait."""

    def now(self) -> dt.datetime:
        """The present, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds since some moment, which nobody sets."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait for so many seconds."""
        ...


class OperatingSystem:
    """The clock of the machine."""

    def now(self) -> dt.datetime:
        """The present, UTC."""
        return dt.datetime.now(dt.UTC)

    def monotonic(self) -> float:
        """Seconds since some moment, which nobody sets."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait for so many seconds."""
        time.sleep(seconds)


source: Clock = OperatingSystem()
"""What all of the service goes by."""


def now() -> dt.datetime:
    """The present, UTC."""
    return source.now()


def monotonic() -> float:
    """Seconds since some moment: for telling how long something takes."""
    return source.monotonic()


def sleep(seconds: float) -> None:
    """Wait for so many seconds."""
    source.sleep(seconds)

"""A clock that stands still until the simulation moves it on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

START = dt.datetime(2026, 11, 23, 9, 0, tzinfo=dt.UTC)
"""A Monday morning."""


class VirtualClock:
    """The clock of the service (`service.core.system_clock`) in a simulation. Who sleeps gives way
    to others: `nap` is told for how long.
    """

    def __init__(self, nap: Callable[[float], None]) -> None:
        self._at = START
        self._nap = nap

    def now(self) -> dt.datetime:
        """The present, UTC."""
        return self._at

    def monotonic(self) -> float:
        """Seconds since the simulation began."""
        return (self._at - START).total_seconds()

    def sleep(self, seconds: float) -> None:
        """Give way to others until that time has passed."""
        self._nap(seconds)

    def advance(self, length: dt.timedelta) -> None:
        """Let time pass."""
        self._at += length

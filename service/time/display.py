"""Times as the reader of a letter has them: in their zone and language, seen from when it was
written.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime, format_timedelta

_SECOND = dt.timedelta(seconds=1)

_UNIT = re.compile(r"(?<=\d) ")
"""The space between a number and its unit, where no line may end."""


class Clock:
    """The reader's clock. `written` is when the letter became due: distances are counted from it,
    so that a letter sent again says the same.
    """

    def __init__(self, zone: str, lang: str, written: dt.datetime) -> None:
        self.zone = zone
        self._lang = lang
        self._written = written

    def say(self, at: dt.datetime, pattern: str) -> str:
        """The local time by a CLDR pattern, e.g. "EEEE d MMMM, HH:mm"."""
        return _say(at, self.zone, pattern, self._lang)

    def date(self, day: dt.date, pattern: str) -> str:
        """A day by a CLDR pattern, e.g. "EEEE d MMMM"."""
        return format_date(day, pattern, locale=self._lang)

    def seconds_to(self, at: dt.datetime) -> int:
        """The whole seconds to a moment; 0 for what is past."""
        return max(0, int((at - self._written).total_seconds()))

    def distance(self, at: dt.datetime) -> str:
        """The distance to a moment: "in 2 days", "il y a 3 heures"; what is now was a second ago. A
        number and its unit stay on one line.
        """
        off = at - self._written
        if dt.timedelta() <= off < _SECOND:
            off = -_SECOND
        said = format_timedelta(off, add_direction=True, locale=self._lang)
        return _UNIT.sub("\N{NO-BREAK SPACE}", said)

    def span(self, at: dt.datetime) -> str:
        """The time to a moment, without a direction: "2 days", "3 heures"."""
        said = format_timedelta(at - self._written, locale=self._lang)
        return _UNIT.sub("\N{NO-BREAK SPACE}", said)


@lru_cache(maxsize=1024)
def _say(at: dt.datetime, zone: str, pattern: str, lang: str) -> str:
    # The zone by its name: one moment is equal to itself in all zones.
    return format_datetime(at.astimezone(ZoneInfo(zone)), pattern, locale=lang)

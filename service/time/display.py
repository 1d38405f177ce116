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
_MINUTE = dt.timedelta(minutes=1)

# Days up to two weeks, hours up to two days: "in 1 week" or "in 1 day" would hide half as much.
_UNITS = (
    (dt.timedelta(weeks=1), 2),
    (dt.timedelta(days=1), 2),
    (dt.timedelta(hours=1), 1),
    (dt.timedelta(minutes=1), 1),
)
"""Each unit that a time to come is said in, and how many there have to be."""

_DAY = dt.timedelta(days=1)
_TWENTY_FOURTH = 24
"""So small a part of a unit (an hour at most) may lack: the letter took a moment to be written."""

_WHOLE_HOUR = re.compile(r"(?<='h')\s*mm")
"""The minutes of a French time, which are left out at the full hour: "10 h", "10 h 30"."""

_DAY_OF_MONTH = re.compile(r"\bd(?= M)")

_BABEL = 0.85
"""The threshold that Babel has by itself."""

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
        return format_date(day, _first(day, pattern, self._lang), locale=self._lang)

    def seconds_to(self, at: dt.datetime) -> int:
        """The whole seconds to a moment; 0 for what is past."""
        return max(0, int((at - self._written).total_seconds()))

    def is_past(self, at: dt.datetime) -> bool:
        """True for a moment that is over."""
        return at < self._written

    def is_now(self, at: dt.datetime) -> bool:
        """True for a moment of this minute, to which no distance is worth saying."""
        return abs(at - self._written) < _MINUTE

    def distance(self, at: dt.datetime) -> str:
        """The distance to a moment: "in 2 days", "il y a 3 heures"; what is now was a second ago. A
        number and its unit stay on one line.
        """
        off = at - self._written
        if dt.timedelta() <= off < _SECOND:
            off = -_SECOND
        return self._said(off, direction=True)

    def span(self, at: dt.datetime) -> str:
        """The time to a moment, without a direction: "2 days", "3 heures"."""
        return self._said(at - self._written, direction=False)

    def _said(self, off: dt.timedelta, *, direction: bool) -> str:
        # What is to come is never rounded up: whoever trusts it would come too late.
        off, threshold = _rounded_down(off)
        said = format_timedelta(
            off, threshold=threshold, add_direction=direction, locale=self._lang
        )
        return _UNIT.sub("\N{NO-BREAK SPACE}", said)


def _rounded_down(off: dt.timedelta) -> tuple[dt.timedelta, float]:
    """A time to come in whole units, and the threshold by which Babel says it in that unit."""
    for unit, least in _UNITS:
        count = (off + min(unit, _DAY) / _TWENTY_FOURTH) // unit
        if count >= least:
            return count * unit, count
    return off, _BABEL


@lru_cache(maxsize=1024)
def _say(at: dt.datetime, zone: str, pattern: str, lang: str) -> str:
    # The zone by its name: one moment is equal to itself in all zones.
    local = at.astimezone(ZoneInfo(zone))
    if not local.minute:
        pattern = _WHOLE_HOUR.sub("", pattern)
    return format_datetime(local, _first(local, pattern, lang), locale=lang)


def _first(day: dt.date, pattern: str, lang: str) -> str:
    """The pattern with the ordinal that French has for the first of a month alone: "1er mai"."""
    return _DAY_OF_MONTH.sub("d'er'", pattern) if lang == "fr" and day.day == 1 else pattern

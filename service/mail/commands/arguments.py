"""The arguments of command words: nothing, days, dates, hours, a text. Each reader gives them, or
None if what stands behind the word is something else.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import isleap
from collections.abc import Callable, Mapping
from unicodedata import normalize

import msgspec
from babel.dates import get_month_names

from service.core.plain import SPELLED, bare, plain
from service.time import parse
from service.time.parse import OFF

_UNITS = {
    "d": 1,
    "day": 1,
    "days": 1,
    "j": 1,
    "jour": 1,
    "jours": 1,
    "w": 7,
    "week": 7,
    "weeks": 7,
    "semaine": 7,
    "semaines": 7,
    "sem": 7,
}
_DAYS = re.compile(r"(?:(?:of|for|de|pour|pendant)\s+)?(\d{1,4}|[a-z]+)\s*([a-z]*)")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_FIRST = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_MONTHS = {
    name: number
    for lang in ("en", "fr")
    for width in ("wide", "abbreviated")
    for number, written in get_month_names(width, "format", lang).items()
    for name in {plain(written).rstrip("."), plain(written)[:4].rstrip(".")}
} | {"sept": 9, "mar": 3}
_MONTH = "|".join(sorted((re.escape(name) for name in _MONTHS), key=len, reverse=True))
_ORDINAL = r"(?:st|nd|rd|th|er)?"
_DAY_OF_MONTH = re.compile(rf"(\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?({_MONTH})\.?(?:,?\s+(\d{{4}}))?")
_MONTH_AND_DAY = re.compile(rf"({_MONTH})\.?\s+(?:the\s+)?(\d{{1,2}}){_ORDINAL}(?:,?\s+(\d{{4}}))?")
_SPELLED = (
    rf"\d{{1,2}}{_ORDINAL}\s+(?:of\s+)?(?:{_MONTH})\b\.?(?:,?\s+\d{{4}})?"
    rf"|(?:{_MONTH})\.?\s+(?:the\s+)?\d{{1,2}}{_ORDINAL}\b(?:,?\s+\d{{4}})?"
)
_DATE = rf"(\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}}|{_SPELLED})"
_FROM = r"(?:(?:from|du|le|on|starting)\s+)?"
_TO = r"(?:\s*(?:to|until|till|au|jusqu'au|a|-|–|\.\.|/)?\s*)"
_DATES = re.compile(rf"{_FROM}{_DATE}(?:{_TO}{_DATE})?")
_DAYS_OF_MONTH = re.compile(rf"{_FROM}(\d{{1,2}}){_ORDINAL}{_TO}(\d{{1,2}}{_ORDINAL}\s.*)")
_UNTIL = re.compile(rf"(?:until|till|jusqu'au|jusqu'a|au)\s+{_DATE}")
_TIME = re.compile(r"(\d{1,2})(?:\s*[:h.]\s*(\d{2})?|\s*(?:heures?|uhr))?\s*([ap]\.?m\.?)?")


class Nothing(msgspec.Struct, frozen=True):
    """No argument."""


def nothing(rest: str) -> Nothing | None:
    """No more in the line than a full stop."""
    return Nothing() if not bare(rest) else None


def nothing_but(*words: str) -> Callable[[str], Nothing | None]:
    """Nothing, or one of these words, which say no more: "play now"."""
    return lambda rest: Nothing() if plain(bare(rest)) in ("", *words) else None


class Text(msgspec.Struct, frozen=True):
    """All that stands behind a word, and may stand below it."""

    text: str


def anything(rest: str) -> Text | None:
    """All of it, as it was written (in French a space stands before a colon)."""
    return Text(rest.strip().removeprefix(":").strip())


class Choice(msgspec.Struct, frozen=True):
    """The value that the word stands for which was chosen."""

    choice: str


def one_of(options: Mapping[str, str]) -> Callable[[str], Choice | None]:
    """One of these words, which stand for values."""

    def read(rest: str) -> Choice | None:
        said = plain(bare(rest))
        return Choice(options[said]) if said in options else None

    return read


class Days(msgspec.Struct, frozen=True):
    """A number of days."""

    days: int


def days(rest: str) -> Days | None:
    """A number of days: "5", "5 days", "une semaine"."""
    found = _DAYS.fullmatch(plain(bare(rest)))
    if found is None:
        return None
    number = int(found[1]) if found[1].isdecimal() else SPELLED.get(found[1])
    unit = _UNITS.get(found[2]) if found[2] else 1
    return Days(number * unit) if number is not None and unit is not None else None


class Yearly(msgspec.Struct, frozen=True):
    """A day without its year: "20 December"."""

    month: int
    day: int

    def in_(self, year: int) -> dt.date:
        """That day of a year; the last of February where there is no 29th."""
        if (self.month, self.day) == (2, 29) and not isleap(year):
            return dt.date(year, 2, 28)
        return dt.date(year, self.month, self.day)

    def from_(self, day: dt.date) -> dt.date:
        """The next such day, this one included."""
        this = self.in_(day.year)
        return this if this >= day else self.in_(day.year + 1)

    def until(self, day: dt.date) -> dt.date:
        """The last such day, this one included."""
        this = self.in_(day.year)
        return this if this <= day else self.in_(day.year - 1)


class DaysAway(msgspec.Struct, frozen=True, kw_only=True):
    """The days one is away: from `first` (None: from today on) to `last`, or so many; or that it is
    over, which ends what was said before.
    """

    first: dt.date | Yearly | None = None
    last: dt.date | Yearly | None = None
    days: int | None = None
    over: bool = False


def away(rest: str) -> DaysAway | None:
    """The days one is away: two dates, one, "until" one, a number of days, or that it is over."""
    said = plain(bare(rest))
    if said in OFF or said in {"over", "end", "ended", "fin", "terminee", "termine", "annulee"}:
        return DaysAway(over=True)
    if found := _UNTIL.fullmatch(said):
        last = _date(found[1])
        return DaysAway(last=last) if last else None
    if found := _DATES.fullmatch(said):
        first, last = _date(found[1]), _date(found[2] or found[1])
        return DaysAway(first=first, last=last) if first and last else None
    if (found := _DAYS_OF_MONTH.fullmatch(said)) and (last := _date(found[2])):
        month = last.month
        first = _day(last.year if isinstance(last, dt.date) else 0, month, int(found[1]))
        return DaysAway(first=first, last=last) if first else None
    number = days(rest)
    return DaysAway(days=number.days) if number is not None else None


def dated(
    first: dt.date | Yearly | None, last: dt.date | Yearly, today: dt.date
) -> tuple[dt.date, dt.date]:
    """The first and the last day that are meant, said today; without a first one from today on.

    Days without a year are the next ones; an absence that has begun by then counts from today.
    """
    if isinstance(last, Yearly):
        last = last.from_(first if isinstance(first, dt.date) else today)
    if isinstance(first, Yearly):
        first = max(first.until(last), today)
    return first or today, last


def _date(text: str) -> dt.date | Yearly | None:
    text = text.strip()
    if found := _ISO.fullmatch(text):
        year, month, day = map(int, found.groups())
    elif found := _DAY_FIRST.fullmatch(text):
        day, month, year = map(int, found.groups())
    elif found := _DAY_OF_MONTH.fullmatch(text):
        year, month, day = int(found[3] or 0), _MONTHS[found[2]], int(found[1])
    elif found := _MONTH_AND_DAY.fullmatch(text):
        year, month, day = int(found[3] or 0), _MONTHS[found[1]], int(found[2])
    else:
        return None
    return _day(year, month, day)


def _day(year: int, month: int, day: int) -> dt.date | Yearly | None:
    """A day, of no year if that is 0; None if there is none such."""
    try:
        # Any leap year tells whether there is such a day.
        date = dt.date(year or 2028, month, day)
    except ValueError:
        return None
    return date if year else Yearly(month, day)


class Hours(msgspec.Struct, frozen=True):
    """Two times of the day in minutes; None for none."""

    first: int | None
    last: int | None


def hours(rest: str) -> Hours | None:
    """Two times of the day, or that there are none."""
    said = plain(bare(rest))
    if said in OFF:
        return Hours(None, None)
    said = re.sub(r"^(?:from|de|entre|between)\s+", "", said)
    parts = re.split(r"\s*(?:\bto\b|\buntil\b|\ba\b|-|–|\bet\b|\band\b|\s)\s*", said)
    times = [_time(part) for part in parts if part]
    return Hours(*times) if len(times) == 2 and None not in times else None


class Hour(msgspec.Struct, frozen=True):
    """A time of the day in minutes; None for never."""

    at: int | None


def hour(rest: str) -> Hour | None:
    """A time of the day, or never."""
    said = re.sub(r"^(?:at|a|vers|daily at)\s+", "", plain(bare(rest)))
    if said in OFF:
        return Hour(None)
    at = _time(said)
    return None if at is None else Hour(at)


def _time(text: str) -> int | None:
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    hour_, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour_ <= 12:
            return None
        hour_ = hour_ % 12 + (12 if found[3].startswith("p") else 0)
    if hour_ == 24 and minute == 0:
        hour_ = 0
    return hour_ * 60 + minute if hour_ < 24 and minute < 60 else None


class Reminders(msgspec.Struct, frozen=True):
    """The times to be reminded at (`service.time.parse.reminders`)."""

    when: list[str]


def before(rest: str) -> Reminders | None:
    """Times before a deadline."""
    when = parse.reminders(rest)
    return None if when is None else Reminders(when)


class Zone(msgspec.Struct, frozen=True):
    """The name of a time zone, as "Europe/Paris"."""

    zone: str


def zone(rest: str) -> Zone | None:
    """The name of a time zone, or what may be one (case, spaces and accents forgiven)."""
    unmarked = normalize("NFKD", bare(rest)).encode("ascii", "ignore").decode()
    said = "_".join(unmarked.split())
    return Zone(said) if re.fullmatch(r"[A-Za-z][A-Za-z0-9_+\-/]*", said) else None

"""Playing time, measured on the wall clock of the player whose move it is, and when it is up.

Playing time runs on the table's weekdays and stands on days the player is away, and while we are. A
day is a day of the wall clock, so "Monday 18:00 and three days" is Thursday 18:00 even if a night
between was 23 or 25 hours long. Pure arithmetic: no database, no present.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

WHOLE_DAY = 24 * 60
EVERY_DAY = 0b1111111

_SECOND = dt.timedelta(seconds=1)
_DAY = dt.timedelta(days=1)


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The hours in which a player's clock runs, and when it may run out.

    `playing_days` has bit 0 for Monday. Quiet hours are minutes of the local day, from `quiet_from`
    to before `quiet_to`, over midnight if that is less; the same twice, or None, is no quiet hours.
    Of `absences` both days count. In `outages` (from, to), in order and apart from each other, we
    were away: no clock ran. Raises ValueError if no weekday is left to play on.
    """

    zone: str
    playing_days: int = EVERY_DAY
    quiet_from: int | None = None
    quiet_to: int | None = None
    absences: tuple[tuple[dt.date, dt.date], ...] = ()
    outages: tuple[tuple[dt.datetime, dt.datetime], ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.playing_days <= EVERY_DAY:
            raise ValueError("no weekday to play on")


def deadline(start: dt.datetime, seconds: int, schedule: Schedule) -> dt.datetime:
    """The moment when so much playing time has passed since `start`, or the next good one
    (`settled`).

    An outage moves it by the playing time that was left from its beginning until then.
    """
    at = settled(_after(start, dt.timedelta(seconds=seconds), schedule), schedule)
    for away, back in schedule.outages:
        if start < back and away < at:
            left = _passed(max(away, start), at, schedule)
            at = max(at, settled(_after(back, left, schedule), schedule))
    return at


def after(start: dt.datetime, seconds: int, schedule: Schedule) -> dt.datetime:
    """The first moment at which so much playing time has passed since `start`."""
    at = _after(start, dt.timedelta(seconds=seconds), schedule)
    for away, back in schedule.outages:
        if start < back and away < at:
            left = _passed(max(away, start), at, schedule)
            at = max(at, _after(back, left, schedule))
    return at


def elapsed(start: dt.datetime, end: dt.datetime, schedule: Schedule) -> int:
    """The whole seconds of playing time from `start` to `end`; 0 if the end comes first."""
    passed = _passed(start, end, schedule)
    for away, back in schedule.outages:
        passed -= _passed(max(away, start), min(back, end), schedule)
    return passed // _SECOND


def _after(start: dt.datetime, left: dt.timedelta, schedule: Schedule) -> dt.datetime:
    here = _wall(start, schedule.zone)
    if left <= dt.timedelta(0):
        return start
    while True:
        here = _next_playing(here, schedule)
        midnight = _midnight(here) + _DAY
        if left <= midnight - here:
            return _instant(here + left, schedule.zone)
        left -= midnight - here
        here = midnight


def _passed(start: dt.datetime, end: dt.datetime, schedule: Schedule) -> dt.timedelta:
    """Playing time from `start` to `end` as if we had never been away."""
    here, until = _wall(start, schedule.zone), _wall(end, schedule.zone)
    passed = dt.timedelta(0)
    while (here := _next_playing(here, schedule)) < until:
        midnight = _midnight(here) + _DAY
        passed += min(midnight, until) - here
        here = midnight
    return passed


def settled(at: dt.datetime, schedule: Schedule) -> dt.datetime:
    """This moment, or the next that is neither in quiet hours nor on a free or absent day."""
    zone = schedule.zone
    wall = _wall(at, zone)
    moved = wall
    while True:
        better = _next_playing(_past_quiet(moved, schedule), schedule)
        if better != moved:
            moved = better
            continue
        if moved == wall:
            return at
        # In spring the wall clock may have no such time; the one after it may be a bad one again.
        at = _instant(moved, zone)
        wall = moved = _wall(at, zone)


def calm(at: dt.datetime, schedule: Schedule) -> dt.datetime:
    """This moment, or the end of the quiet hours it falls into."""
    wall = _wall(at, schedule.zone)
    moved = _past_quiet(wall, schedule)
    return at if moved == wall else _instant(moved, schedule.zone)


def settled_back(at: dt.datetime, schedule: Schedule) -> dt.datetime:
    """This moment, or the last minute before it that is neither in quiet hours nor on a free or
    absent day.
    """
    wall = moved = _wall(at, schedule.zone)
    while (better := _last_playing(_before_quiet(moved, schedule), schedule)) != moved:
        moved = better
    return at if moved == wall else _instant(moved, schedule.zone)


def today(at: dt.datetime, zone: str) -> dt.date:
    """The date that this moment has in the zone."""
    return at.astimezone(ZoneInfo(zone)).date()


def _past_quiet(wall: dt.datetime, schedule: Schedule) -> dt.datetime:
    begin, end = schedule.quiet_from, schedule.quiet_to
    if begin is None or end is None or begin == end:
        return wall
    midnight = _midnight(wall)
    since = (wall - midnight) / dt.timedelta(minutes=1)
    if begin < end:
        return midnight + dt.timedelta(minutes=end) if begin <= since < end else wall
    if since < end:
        return midnight + dt.timedelta(minutes=end)
    return midnight + dt.timedelta(minutes=end + WHOLE_DAY) if since >= begin else wall


def _before_quiet(wall: dt.datetime, schedule: Schedule) -> dt.datetime:
    if schedule.quiet_from is None or _past_quiet(wall, schedule) == wall:
        return wall
    began = _midnight(wall) + dt.timedelta(minutes=schedule.quiet_from)
    return (began if began <= wall else began - _DAY) - dt.timedelta(minutes=1)


def _last_playing(wall: dt.datetime, schedule: Schedule) -> dt.datetime:
    """This time, or the last minute of the day before on which the clock runs."""
    day = wall.date()
    while not _plays(schedule, day) or any(a <= day <= b for a, b in schedule.absences):
        day -= _DAY
    return wall if day == wall.date() else dt.datetime.combine(day, dt.time(23, 59))


def _next_playing(wall: dt.datetime, schedule: Schedule) -> dt.datetime:
    """This time, or the first of the next day on which the clock runs."""
    playing = (d for d in _days_from(wall.date(), schedule) if _plays(schedule, d))
    day = next(playing)
    return wall if day == wall.date() else dt.datetime.combine(day, dt.time())


def _plays(schedule: Schedule, day: dt.date) -> bool:
    return bool(schedule.playing_days >> day.weekday() & 1)


def _days_from(day: dt.date, schedule: Schedule) -> Iterator[dt.date]:
    """The days from this one on, without those of absences."""
    while True:
        until = max(
            (last for first, last in schedule.absences if first <= day <= last), default=None
        )
        if until is None:
            yield day
            until = day
        day = until + _DAY


def _midnight(wall: dt.datetime) -> dt.datetime:
    return dt.datetime.combine(wall.date(), dt.time())


def _wall(at: dt.datetime, zone: str) -> dt.datetime:
    """What the wall clock shows, without a zone. Put back in autumn, it stands still until the hour
    that comes twice is over, so that it never runs backwards.
    """
    local = at.astimezone(ZoneInfo(zone))
    if local.fold:
        earlier = local.replace(fold=0)
        changed = _change(earlier.astimezone(dt.UTC), at.astimezone(dt.UTC), zone)
        offset = earlier.utcoffset()
        assert offset is not None
        return (changed + offset).replace(tzinfo=None)
    return local.replace(tzinfo=None)


def _instant(wall: dt.datetime, zone: str) -> dt.datetime:
    """The first moment at which the wall clock shows this time or, if it leaps over it in spring, a
    later one.
    """
    local = wall.replace(tzinfo=ZoneInfo(zone), fold=0)
    at = local.astimezone(dt.UTC)
    if at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == wall:
        return at
    return _change(local.replace(fold=1).astimezone(dt.UTC), at, zone)


@lru_cache(maxsize=256)
def _change(before: dt.datetime, behind: dt.datetime, zone: str) -> dt.datetime:
    """When between these moments the clocks were changed: the first one with the later's offset."""
    here = ZoneInfo(zone)
    offset = behind.astimezone(here).utcoffset()
    low = before.replace(microsecond=0)
    high = behind.replace(microsecond=0) + (_SECOND if behind.microsecond else dt.timedelta(0))
    while high - low > _SECOND:
        middle = low + (high - low) // 2 // _SECOND * _SECOND
        if middle.astimezone(here).utcoffset() == offset:
            high = middle
        else:
            low = middle
    return high

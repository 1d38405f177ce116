"""Deadlines on the wall clock: summer time, weekdays, absences, quiet hours; and properties."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.time import pace
from service.time.pace import Schedule

DAY = 24 * 3600
ZONES = (
    "Europe/Paris",
    "America/New_York",
    "America/Santiago",  # summer time in the south, changed at midnight
    "Australia/Adelaide",  # half an hour, southern summer
    "Australia/Lord_Howe",  # changed by half an hour
    "Asia/Kathmandu",  # a quarter of an hour
    "Asia/Kolkata",
    "Pacific/Apia",  # left out 30 December 2011
    "UTC",
)


def local(zone: str, text: str, fold: int = 0) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


def shown(at: dt.datetime, zone: str) -> str:
    return at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("zone", "start", "days", "expected"),
    [
        ("Europe/Paris", "2026-11-23 18:00", 3, "2026-11-26 18:00"),
        # Clocks are put back on 25 October 2026 and forward on 28 March 2027.
        ("Europe/Paris", "2026-10-24 18:00", 1, "2026-10-25 18:00"),
        ("Europe/Paris", "2027-03-27 18:00", 3, "2027-03-30 18:00"),
        ("America/New_York", "2026-10-31 09:15", 2, "2026-11-02 09:15"),
        ("America/Santiago", "2026-09-05 12:00", 1, "2026-09-06 12:00"),
        ("Australia/Lord_Howe", "2026-10-03 20:00", 1, "2026-10-04 20:00"),
        ("Asia/Kathmandu", "2026-02-27 23:45", 2, "2026-03-01 23:45"),
        # 2:30 does not exist on 28 March 2027: the clock goes on at 3:00.
        ("Europe/Paris", "2027-03-27 02:30", 1, "2027-03-28 03:00"),
        # Nor does midnight of 6 September 2026 in Santiago.
        ("America/Santiago", "2026-09-05 00:00", 1, "2026-09-06 01:00"),
        # A whole day that never was.
        ("Pacific/Apia", "2011-12-29 10:00", 1, "2011-12-31 00:00"),
    ],
)
def test_days_are_days_of_the_wall_clock(zone: str, start: str, days: int, expected: str) -> None:
    schedule = Schedule(zone=zone)
    assert shown(pace.deadline(local(zone, start), days * DAY, schedule), zone) == expected


def test_a_time_that_comes_twice_is_the_first() -> None:
    schedule = Schedule(zone="Europe/Paris")
    found = pace.deadline(local("Europe/Paris", "2026-10-24 02:30"), DAY, schedule)
    assert found == dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC)


def test_the_hour_that_comes_twice_counts_once() -> None:
    zone = "Europe/Paris"
    schedule = Schedule(zone=zone)
    first, second = (local(zone, "2026-10-25 02:30", fold) for fold in (0, 1))
    end = local(zone, "2026-10-25 04:00")
    assert pace.elapsed(first, end, schedule) == 90 * 60
    assert pace.elapsed(second, end, schedule) == 60 * 60


@pytest.mark.parametrize(
    ("start", "days", "expected"),
    [
        # 27 November 2026 is a Friday.
        ("2026-11-27 20:00", 1, "2026-11-30 20:00"),
        ("2026-11-28 15:00", 1, "2026-12-01 00:00"),
        # Friday's midnight is Saturday: the next moment of play is Monday's first.
        ("2026-11-27 00:00", 1, "2026-11-30 00:00"),
        ("2026-11-23 18:00", 7, "2026-12-02 18:00"),
    ],
)
def test_free_weekdays_do_not_count(start: str, days: int, expected: str) -> None:
    schedule = Schedule(zone="Europe/Paris", playing_days=0b0011111)
    found = pace.deadline(local("Europe/Paris", start), days * DAY, schedule)
    assert shown(found, "Europe/Paris") == expected


def test_days_away_do_not_count() -> None:
    away = (dt.date(2026, 12, 20), dt.date(2027, 1, 3))
    schedule = Schedule(zone="Europe/Paris", absences=(away,))
    found = pace.deadline(local("Europe/Paris", "2026-12-18 18:00"), 3 * DAY, schedule)
    assert shown(found, "Europe/Paris") == "2027-01-05 18:00"
    assert pace.elapsed(local("Europe/Paris", "2026-12-18 18:00"), found, schedule) == 3 * DAY


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("2026-11-23 21:59", "2026-11-24 21:59"),
        ("2026-11-23 22:00", "2026-11-25 08:30"),
        ("2026-11-23 23:30", "2026-11-25 08:30"),
        ("2026-11-23 03:00", "2026-11-24 08:30"),
        ("2026-11-23 08:30", "2026-11-24 08:30"),
        ("2026-11-26 23:00", "2026-11-30 08:30"),
    ],
)
def test_no_deadline_in_quiet_hours(start: str, expected: str) -> None:
    """Over midnight, and on into the weekend if there is one behind it."""
    schedule = Schedule(
        zone="Europe/Paris", playing_days=0b0011111, quiet_from=22 * 60, quiet_to=8 * 60 + 30
    )
    found = pace.deadline(local("Europe/Paris", start), DAY, schedule)
    assert shown(found, "Europe/Paris") == expected


def test_what_the_spring_moves_into_quiet_hours_moves_on() -> None:
    schedule = Schedule(zone="Europe/Paris", quiet_from=3 * 60, quiet_to=7 * 60)
    found = pace.deadline(local("Europe/Paris", "2027-03-27 02:30"), DAY, schedule)
    assert shown(found, "Europe/Paris") == "2027-03-28 07:00"


def test_letters_wait_for_the_end_of_quiet_hours_or_come_before_them() -> None:
    zone = "Asia/Kolkata"
    schedule = Schedule(zone=zone, quiet_from=22 * 60, quiet_to=7 * 60)
    night, day = local(zone, "2026-11-24 03:00"), local(zone, "2026-11-24 12:00")
    assert shown(pace.calm(night, schedule), zone) == "2026-11-24 07:00"
    assert shown(pace.settled_back(night, schedule), zone) == "2026-11-23 21:59"
    assert pace.calm(day, schedule) == pace.settled_back(day, schedule) == day


def test_a_schedule_needs_a_day() -> None:
    for mask in (0, -1, 128):
        with pytest.raises(ValueError, match="weekday"):
            Schedule(zone="UTC", playing_days=mask)


# Seconds from the end of 2011 on, the year that Samoa left a day out
moments = st.integers(1_322_700_000, 1_861_900_000).map(
    lambda seconds: dt.datetime.fromtimestamp(seconds, dt.UTC)
)
amounts = st.integers(0, 40 * DAY)
minutes = st.one_of(st.none(), st.integers(0, 1439))


@st.composite
def schedules(draw: st.DrawFn, bounded: bool = True) -> Schedule:
    first = draw(st.dates(dt.date(2011, 12, 1), dt.date(2029, 1, 1)))
    absence = (first, first + dt.timedelta(days=draw(st.integers(0, 40))))
    return Schedule(
        zone=draw(st.sampled_from(ZONES)),
        playing_days=draw(st.integers(1, 127)),
        quiet_from=draw(minutes) if bounded else None,
        quiet_to=draw(minutes) if bounded else None,
        absences=draw(st.sampled_from([(), (absence,)])),
    )


def _is_good(at: dt.datetime, schedule: Schedule) -> bool:
    there = at.astimezone(ZoneInfo(schedule.zone))
    minute = there.hour * 60 + there.minute
    begin, end = schedule.quiet_from, schedule.quiet_to
    if begin is None or end is None or begin == end:
        quiet = False
    elif begin < end:
        quiet = begin <= minute < end
    else:
        quiet = minute >= begin or minute < end
    free = not schedule.playing_days >> there.weekday() & 1
    away = any(first <= there.date() <= last for first, last in schedule.absences)
    return not (quiet or free or away)


@given(moments, amounts, schedules())
def test_a_deadline_is_at_a_good_moment_and_not_before_its_time(
    start: dt.datetime, seconds: int, schedule: Schedule
) -> None:
    found = pace.deadline(start, seconds, schedule)
    assert found >= start
    # What the clock shows twice is, the second time, the end of the first.
    if not found.astimezone(ZoneInfo(schedule.zone)).fold:
        assert _is_good(found, schedule)
    assert pace.elapsed(start, found, schedule) >= seconds


@given(moments, schedules())
def test_what_cannot_come_later_comes_at_a_good_moment_before(
    at: dt.datetime, schedule: Schedule
) -> None:
    found = pace.settled_back(at, schedule)
    assert found <= at
    there = found.astimezone(ZoneInfo(schedule.zone))
    # The wall clock may leap over the last minute before the quiet hours, or show it twice.
    leaps = (found - dt.timedelta(hours=1)).astimezone(there.tzinfo).utcoffset()
    if leaps == there.utcoffset():
        assert _is_good(found, schedule)


@given(moments, amounts, amounts, schedules())
def test_more_time_is_never_an_earlier_deadline(
    start: dt.datetime, some: int, more: int, schedule: Schedule
) -> None:
    early = pace.deadline(start, some, schedule)
    assert early <= pace.deadline(start, some + more, schedule)
    assert early <= pace.deadline(start + dt.timedelta(seconds=more), some, schedule)


@given(moments, amounts, schedules(bounded=False))
def test_elapsed_is_the_inverse(start: dt.datetime, seconds: int, schedule: Schedule) -> None:
    """Where no spring leaps over it, the time that has passed at the end is the time there was."""
    end = pace.after(start, seconds, schedule)
    passed = pace.elapsed(start, end, schedule)
    assert passed >= seconds
    before = end - dt.timedelta(seconds=1)
    if before >= start:
        assert pace.elapsed(start, before, schedule) <= seconds
    if passed != seconds:
        assert pace.elapsed(start, end - dt.timedelta(seconds=1), schedule) < seconds


@given(moments, amounts, amounts, schedules())
def test_time_passes_in_parts_as_it_does_whole(
    start: dt.datetime, some: int, more: int, schedule: Schedule
) -> None:
    middle = start + dt.timedelta(seconds=some)
    end = middle + dt.timedelta(seconds=more)
    parts = pace.elapsed(start, middle, schedule) + pace.elapsed(middle, end, schedule)
    assert abs(parts - pace.elapsed(start, end, schedule)) <= 1


@st.composite
def outages(draw: st.DrawFn) -> tuple[tuple[dt.datetime, dt.datetime], ...]:
    """Times in which we were away, in order and apart."""
    at, found = draw(moments), []
    for up, away in draw(st.lists(st.tuples(amounts, amounts), max_size=4)):
        began = at + dt.timedelta(seconds=up + 1)
        at = began + dt.timedelta(seconds=away + 1)
        found.append((began, at))
    return tuple(found)


@given(moments, amounts, schedules(), outages())
def test_no_outage_brings_a_deadline_nearer(
    start: dt.datetime,
    seconds: int,
    schedule: Schedule,
    away: tuple[tuple[dt.datetime, dt.datetime], ...],
) -> None:
    ours = msgspec.structs.replace(schedule, outages=away)
    found = pace.deadline(start, seconds, ours)
    assert found >= pace.deadline(start, seconds, schedule)
    assert found >= pace.after(start, seconds, ours)
    if not found.astimezone(ZoneInfo(schedule.zone)).fold:
        assert _is_good(found, schedule)
    # A second for each outage may be lost in summing up, none to the player's harm.
    assert pace.elapsed(start, found, ours) >= seconds - len(away)


@given(moments, amounts, schedules(bounded=False), amounts, amounts)
def test_what_was_left_when_we_went_away_is_left_when_we_are_back(
    start: dt.datetime, seconds: int, schedule: Schedule, up: int, length: int
) -> None:
    before = pace.deadline(start, seconds, schedule)
    began = start + dt.timedelta(seconds=up)
    ended = began + dt.timedelta(seconds=length)
    ours = msgspec.structs.replace(schedule, outages=((began, ended),))
    after = pace.deadline(start, seconds, ours)
    if before <= began:
        assert after == before
    else:
        left = pace.elapsed(began, before, schedule)
        assert pace.elapsed(ended, after, schedule) >= left - 1


def test_an_outage_of_two_days_moves_a_deadline_by_two_days() -> None:
    schedule = Schedule(zone="Europe/Paris", quiet_from=22 * 60, quiet_to=7 * 60)
    start = local("Europe/Paris", "2026-12-07 18:00")
    for began, ended, seconds, expected in (
        ("2026-12-08 12:00", "2026-12-10 12:00", DAY, "2026-12-10 18:00"),
        # It was moved out of the night, and is moved from there.
        ("2026-12-08 00:00", "2026-12-08 01:00", 6 * 3600, "2026-12-08 08:00"),
        # Over before
        ("2026-12-09 12:00", "2026-12-11 12:00", DAY, "2026-12-08 18:00"),
        # Since before
        ("2026-12-06 18:00", "2026-12-07 20:00", DAY, "2026-12-08 20:00"),
    ):
        span = (local("Europe/Paris", began), local("Europe/Paris", ended))
        ours = msgspec.structs.replace(schedule, outages=(span,))
        assert shown(pace.deadline(start, seconds, ours), "Europe/Paris") == expected

"""Digests come by their hour, each reader's in a minute of their own before it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.core.models import Player
from service.time.daytime import DIGESTS_WITHIN, digest_day, next_digest, next_time

ZONES = ("Europe/Paris", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")
moments = st.datetimes(
    dt.datetime(2026, 1, 1),  # noqa: DTZ001 (hypothesis adds the zone)
    dt.datetime(2027, 12, 1),  # noqa: DTZ001
    timezones=st.just(dt.UTC),
)


def reader(number: int, zone: str = "Europe/Paris", **what: int) -> Player:
    """A player with this number."""
    return Player(id=number, zone=zone, **what)


@given(st.integers(1, 10**6), st.sampled_from(ZONES), st.integers(0, 23), moments)
def test_a_digest_leaves_in_the_half_hour_before_its_hour(
    number: int, zone: str, hour: int, after: dt.datetime
) -> None:
    player = reader(number, zone)
    leaves = next_digest(player, hour * 60, after)
    strikes = next_time(zone, hour * 60, leaves)
    assert after < leaves < strikes <= leaves + dt.timedelta(minutes=DIGESTS_WITHIN)
    assert digest_day(player, hour * 60, leaves) == strikes.astimezone(ZoneInfo(zone)).date()
    again = next_digest(player, hour * 60, leaves)
    assert next_time(zone, hour * 60, again) - again == strikes - leaves, "always the same minute"
    days = {digest_day(player, hour * 60, moment) for moment in (leaves, again)}
    assert len(days) == 2


@pytest.mark.parametrize("late", [dt.timedelta(), dt.timedelta(hours=1), dt.timedelta(hours=9)])
def test_a_digest_that_is_late_takes_none_away_of_the_next_day(late: dt.timedelta) -> None:
    """One by a quarter to twelve may be put together after midnight, when the service was away."""
    player, hour = reader(10), 23 * 60 + 45
    leaves = next_digest(player, hour, dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC))
    again = next_digest(player, hour, leaves + late)
    assert digest_day(player, hour, leaves + late) == dt.date(2026, 11, 23)
    assert digest_day(player, hour, again) == dt.date(2026, 11, 24)


def test_a_digest_in_an_hour_that_comes_twice_is_of_its_day() -> None:
    """Paris, 25 October 2026: the clocks go from 3:00 back to 2:00."""
    player = reader(29)  # a digest of theirs leaves thirty minutes before
    leaves = next_digest(player, 2 * 60 + 59, dt.datetime(2026, 10, 24, 12, tzinfo=dt.UTC))
    assert leaves == dt.datetime(2026, 10, 25, 0, 29, tzinfo=dt.UTC)
    moments = [leaves + dt.timedelta(minutes=n) for n in (0, 2, 90)]
    days = {digest_day(player, 2 * 60 + 59, moment) for moment in moments}
    assert days == {dt.date(2026, 10, 25)}


def test_readers_of_one_hour_are_spread_over_its_minutes() -> None:
    after = dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC)
    minutes = Counter(next_digest(reader(n), 8 * 60, after) for n in range(1, 10_001))
    assert len(minutes) == DIGESTS_WITHIN
    assert max(minutes.values()) == 334


@pytest.mark.parametrize(
    ("hour", "leaves"),
    [
        (8, "2026-11-24 08:00"),  # the minute lies in quiet hours, which end at eight
        (7, "2026-11-24 08:00"),
        (20, "2026-11-24 19:49"),
    ],
)
def test_quiet_hours_go_before_the_minute(hour: int, leaves: str) -> None:
    player = reader(10, quiet_from=22 * 60, quiet_to=8 * 60)
    after = dt.datetime(2026, 11, 23, 22, 30, tzinfo=dt.UTC)
    moment = next_digest(player, hour * 60, after).astimezone(ZoneInfo("Europe/Paris"))
    assert moment.strftime("%Y-%m-%d %H:%M") == leaves


def test_a_digest_that_waits_for_the_end_of_quiet_hours_still_takes_what_comes() -> None:
    """By eight, quiet until nine: what comes at 7:50, after the minute of the reader, is in it."""
    player = reader(19, "UTC", quiet_from=22 * 60, quiet_to=9 * 60)  # twenty minutes before
    nine = dt.datetime(2026, 11, 24, 9, tzinfo=dt.UTC)
    assert next_digest(player, 8 * 60, nine - dt.timedelta(hours=3)) == nine
    assert next_digest(player, 8 * 60, nine - dt.timedelta(minutes=70)) == nine
    assert next_digest(player, 8 * 60, nine) == nine + dt.timedelta(days=1)

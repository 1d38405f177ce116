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
    assert digest_day(player, leaves) == strikes.astimezone(ZoneInfo(zone)).date()
    again = next_digest(player, hour * 60, leaves)
    assert next_time(zone, hour * 60, again) - again == strikes - leaves, "always the same minute"
    assert digest_day(player, again) != digest_day(player, leaves)


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

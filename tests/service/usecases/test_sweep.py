"""Several beats: one sweep for each of their intervals."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine

from service.core import counters
from service.ops import sweep
from tests.support.tables import World

pytestmark = pytest.mark.both_databases

NOON = dt.datetime(2026, 11, 23, 11, 0, tzinfo=dt.UTC)
EVERY = 15
BEATS = 4


def swept(world: World) -> int:
    """The sweeps that there were."""
    with world.service.database.read() as session:
        return sum(counters.totals(session)["sweep"].values())


@pytest.mark.parametrize("behind", [0.0, 0.1, 3.0, 7.5, 11.9, 12.1, 14.9])
@pytest.mark.both_databases(11.9, 12.1)
def test_two_beats_make_no_more_sweeps_than_one(world: World, behind: float) -> None:
    """However far the second is behind; and it goes on alone when the first is gone."""
    with time_machine.travel(NOON, tick=False) as clock:
        for number in range(8):
            for late in (0.0, behind):
                clock.move_to(NOON + dt.timedelta(seconds=number * EVERY + late))
                sweep.sweep_once(world.service)
        both = swept(world)
        assert 8 <= both <= 9
        for number in range(8, 12):
            clock.move_to(NOON + dt.timedelta(seconds=number * EVERY + behind))
            sweep.sweep_once(world.service)
        assert 4 <= swept(world) - both + 1 <= 5


def test_of_several_at_once_one_sweeps(world: World) -> None:
    with ThreadPoolExecutor(BEATS) as pool:
        done = list(pool.map(lambda _: sweep.sweep_once(world.service), range(BEATS)))
    assert sorted(done) == [False] * (BEATS - 1) + [True]
    assert swept(world) == 1


def test_a_clock_that_was_set_back_stops_no_sweep(world: World) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert sweep.sweep_once(world.service)
        clock.shift(-dt.timedelta(hours=1))
        assert sweep.sweep_once(world.service)
        clock.shift(dt.timedelta(seconds=1))
        assert not sweep.sweep_once(world.service)

"""Fire & Stone through the service: how often somebody is waited for, and a table left alone."""

from __future__ import annotations

from itertools import groupby

import pytest
from sqlalchemy import select

from service.core import locks
from service.core.models import EntryRow, Match
from service.core.statuses import MatchStatus
from service.matches import standins
from service.matches.tables import BotSeat, Guest
from service.matches.waits import waits_of
from service.time import pausing
from tests.support.tables import World
from tests.support.time import at, days

GAME = "fire_and_stone"
SEED = 5
"""On Namib grow mushrooms."""
BEN, CAM = (Guest(address=f"{name}@example.org", name=name.title()) for name in ("ben", "cam"))


def opened(world: World, *guests: Guest | BotSeat) -> int:
    """A table that Ana begins, the same match each time."""
    number = world.begun(
        guests, GAME, pace_days=1, timeout="default", options={"first": 0}, seed=SEED
    )
    world.hear()
    return number


def turns(world: World, number: int) -> list[set[str]]:
    """By whom the turns were played that are over, the oldest first."""
    query = select(EntryRow).where(EntryRow.match_id == number, EntryRow.n > 0)
    with world.service.database.read() as session:
        rows = list(session.scalars(query.order_by(EntryRow.n)))
    parts = groupby(rows, key=lambda row: row.turn)
    return [{str(row.cause.actor) for row in part} for _, part in parts]


@pytest.mark.rarely
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_that_file_plans_are_waited_for_once_a_turn(world: World, seats: int) -> None:
    bots = [BotSeat(bot="planner")] * (seats - 1)
    number = opened(world, *bots)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, number)
        standins.put_in(world.service, work, match, match.seats[0])
    world.hear()
    assert world.match(number).status == MatchStatus.ENDED
    with world.service.database.read() as session:
        waits = waits_of(session, session.get_one(Match, number))
    print(f"{seats} planners: {waits.turns} player turns, {waits.waits} waits")
    assert waits.waits <= 1.1 * waits.turns


def test_f17_10_a_table_sleeps_after_two_turns_of_each_without_a_command(world: World) -> None:
    """F§17.10: a turn begun by its player and ended by the clock is none of them."""
    with days(world) as time:
        number = opened(world, BEN, CAM)
        time.tick()
        world.submit(number, "go namib")
        time.tick()
        assert world.match(number).paused_at is None
        for _ in range(8):
            time.after(days=1, minutes=1)
        assert turns(world, number) == [{"player", "clock"}, *[{"clock"}] * 6]
        assert world.match(number).paused_at is not None
        asked = world.awaited(number)
        time.after(days=9)
        assert len(turns(world, number)) == 7, "no turn is played until one answers"
        with at(world, number) as (work, match):
            pausing.resume(world.service, work, match, asked.seat)
        assert world.awaited(number).deadline is not None

"""Days away: the clocks wait, out of a budget for each year."""

from __future__ import annotations

import datetime as dt

import pytest

from service.core.context import Service
from service.core.errors import Refused
from service.core.models import Player
from service.matches.tables import BotSeat
from service.time import absence
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import clock_of, days

ANA = "ana@example.org"


def asked(world: World, game_key: str) -> int:
    """A match in which it is Ana's turn, whoever began."""
    match_id = world.open([BotSeat(bot="random")], game_key, pace_days=3)
    world.hear()
    return match_id


def away(world: World, first: str, last: str) -> int:
    ana = world.player(ANA).id
    with world.service.database.write() as work:
        player = work.session.get_one(Player, ana)
        dates = (dt.date.fromisoformat(first), dt.date.fromisoformat(last))
        return absence.add(world.service, work, player, *dates).id


def back(world: World, absence_id: int | None = None) -> None:
    ana = world.player(ANA).id
    with world.service.database.write() as work:
        player = work.session.get_one(Player, ana)
        absence.end(world.service, work, player, absence_id)


def left(world: World, year: int) -> int | None:
    ana = world.player(ANA).id
    with world.service.database.read() as session:
        player = session.get_one(Player, ana)
        return absence.left(world.service, session, player, year)


def test_deadlines_move_by_the_days_away(world: World, game_key: str) -> None:
    with days(world):
        match_id = asked(world, game_key)
        away(world, "2026-11-25", "2026-12-01")
        assert clock_of(world, match_id) == "2026-12-03 18:00"
        away(world, "2026-11-26", "2026-11-30")
        assert clock_of(world, match_id) == "2026-12-03 18:00", "told of already"


@pytest.mark.on_postgresql
def test_who_comes_back_early_has_the_rest_of_the_time(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = asked(world, game_key)
        away(world, "2026-11-24", "2026-12-10")
        time.to("2026-12-01 09:00")
        back(world)
        # Six hours of Monday are gone, and Tuesday counts from its beginning.
        assert clock_of(world, match_id) == "2026-12-03 18:00"
        assert left(world, 2026) == 30 - 7


@pytest.mark.on_postgresql
def test_days_that_have_not_begun_can_be_given_up(world: World, game_key: str) -> None:
    with days(world):
        match_id = asked(world, game_key)
        first = away(world, "2026-11-25", "2026-11-25")
        second = away(world, "2026-12-20", "2026-12-21")
        back(world, first)
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        assert left(world, 2026) == 28
        back(world)
        with pytest.raises(Refused, match="not_away"):
            back(world, second)


def test_the_budget_is_of_each_year_and_counts_a_day_once(world: World) -> None:
    with days(world):
        away(world, "2026-12-20", "2027-01-03")
        away(world, "2026-12-25", "2026-12-28")
        away(world, "2026-12-30", "2027-01-05")
        assert (left(world, 2026), left(world, 2027)) == (18, 25)
        with pytest.raises(Refused) as caught:
            away(world, "2026-12-01", "2026-12-19")
        assert (caught.value.code, caught.value.context) == (
            "away_budget",
            {"left": 18, "year": 2026},
        )
        away(world, "2026-12-02", "2026-12-19")
        assert left(world, 2026) == 0


def test_without_a_budget_everything_is_free(database_url: str) -> None:
    jobs = Jobs()
    world = World(Service(settings_for(database_url, VACATION_DAYS="0"), jobs), jobs)
    with days(world):
        away(world, "2026-11-23", "2027-11-23")
        assert left(world, 2027) is None
    world.service.database.dispose()


@pytest.mark.parametrize(
    ("first", "last"),
    [("2026-11-22", "2026-11-25"), ("2026-11-25", "2026-11-24"), ("2027-11-01", "2027-11-26")],
)
def test_days_that_cannot_be_are_refused(world: World, first: str, last: str) -> None:
    with days(world), pytest.raises(Refused, match="bad_dates"):
        away(world, first, last)


def test_today_is_the_players_own(world: World) -> None:
    """At 18:00 in Paris it is tomorrow in Auckland."""
    with days(world):
        ana = world.player(ANA).id
        with world.service.database.write() as work:
            work.session.get_one(Player, ana).zone = "Pacific/Auckland"
        with pytest.raises(Refused, match="bad_dates"):
            away(world, "2026-11-23", "2026-11-24")
        away(world, "2026-11-24", "2026-11-24")

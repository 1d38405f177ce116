"""Clocks: days for each turn, banks, weekdays, holding, extending; never backwards."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from service.core.errors import Refused
from service.core.models import Player
from service.matches import moves, standins
from service.matches.tables import BotSeat, Guest
from service.time import deadlines
from tests.support.tables import World
from tests.support.time import at, clock_of, days, player_of, row_of

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")
BOT = BotSeat(bot="random")
WORKDAYS = 0b0011111


def started(world: World, game_key: str, **terms: Any) -> int:
    return world.begun([BEN], game_key, **terms)


def test_days_of_a_turn_begin_when_it_is_asked_for(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        time.to("2026-11-25 12:30")
        world.submit(match_id)
        world.hear()
        assert clock_of(world, match_id) == "2026-11-28 12:30"


def test_clocks_run_on_the_days_of_the_table(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=2, playing_days=WORKDAYS)
        time.to("2026-11-25 10:00")
        world.submit(match_id)
        world.hear()
        assert clock_of(world, match_id) == "2026-11-27 10:00"
        time.to("2026-11-27 09:00")
        world.submit(match_id)
        world.hear()
        assert clock_of(world, match_id) == "2026-12-01 09:00"


def test_a_bots_turn_has_no_clock(world: World, game_key: str) -> None:
    with days(world):
        match_id = world.open([BOT], game_key)
        world.hear()
        moves.play(world.service, world.submit(match_id).id)
        row = world.awaited(match_id)
        assert world.match(match_id).seats[row.seat].bot
        assert (row.deadline, row.allowance, row.held) == (None, None, None)


def test_a_bank_is_charged_by_playing_time_and_gains_the_increment(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        terms = {"pace_days": 0, "bank_hours": 240, "increment_hours": 12}
        match_id = started(world, game_key, playing_days=WORKDAYS, **terms)
        # Ten days of play from Monday 18:00: two weekends between
        assert clock_of(world, match_id) == "2026-12-07 18:00"
        time.to("2026-11-30 18:00")
        seat = world.awaited(match_id).seat
        world.submit(match_id)
        world.hear()
        assert world.match(match_id).seats[seat].bank_left == (240 - 5 * 24 + 12) * 3600
        assert clock_of(world, match_id) == "2026-12-14 18:00"


@pytest.mark.parametrize("hold", [0, 60])
def test_waiting_to_be_played_costs_nothing_of_a_bank(
    world: World, game_key: str, hold: int
) -> None:
    """Neither the time a turn is held by the table nor that of a busy worker."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=0, bank_hours=48, hold_minutes=hold)
        time.after(hours=10)
        seat = world.awaited(match_id).seat
        world.submit(match_id)
        if hold:
            time.tick()
        assert world.match(match_id).last_entry == 0
        world.jobs.enqueued.clear()  # the worker hears nothing for three hours
        time.after(hours=3)
        assert world.match(match_id).last_entry == 1
        assert world.match(match_id).seats[seat].bank_left == 38 * 3600


def test_days_on_top_of_a_bank_are_used_first(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1, bank_hours=48)
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        time.to("2026-11-24 17:00")
        seat = world.awaited(match_id).seat
        world.submit(match_id)
        world.hear()
        assert world.match(match_id).seats[seat].bank_left == 48 * 3600


def test_an_empty_bank_leaves_an_hour(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=0, bank_hours=24, increment_hours=0)
        for _ in range(2):
            time.after(hours=30)
            world.submit(match_id)
            world.hear()
        assert world.match(match_id).seats[world.awaited(match_id).seat].bank_left == 0
        assert clock_of(world, match_id) == "2026-11-26 07:00"


@pytest.mark.on_postgresql
def test_a_held_clock_keeps_what_is_left(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        time.after(hours=30)
        with at(world, match_id) as (work, match):
            player_of(work, match, world.awaited(match_id).seat).stopped_at = world.service.now()
            deadlines.refresh(world.service, work, match)
        row = world.awaited(match_id)
        assert (row.deadline, row.held, row.allowance) == (None, "unreachable", 42 * 3600)
        time.after(days=20)
        with at(world, match_id) as (work, match):
            player = player_of(work, match, row.seat)
            player.stopped_at = None
            deadlines.refresh_player(world.service, work, player)
        row = world.awaited(match_id)
        assert row.held is None
        assert row.deadline == world.service.now() + dt.timedelta(hours=42)


def test_a_change_of_settings_leaves_an_hour_at_least(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        time.to("2026-11-24 16:30")
        seat = world.awaited(match_id).seat

        def live_in(zone: str) -> None:
            with at(world, match_id) as (work, match):
                player_of(work, match, seat).zone = zone
                deadlines.refresh(world.service, work, match)

        live_in("Asia/Tokyo")
        assert clock_of(world, match_id) == "2026-11-24 18:00", "a day is as long there"
        with at(world, match_id) as (work, match):
            player = player_of(work, match, seat)
            player.quiet_from, player.quiet_to = 0, 8 * 60
            deadlines.refresh(world.service, work, match)
        # 18:00 in Paris is 2:00 in Tokyo: the end of the quiet hours there
        assert clock_of(world, match_id) == "2026-11-25 00:00"
        time.to("2026-11-24 23:30")
        live_in("Europe/Paris")
        assert clock_of(world, match_id) == "2026-11-25 08:00"


@pytest.mark.on_postgresql
def test_a_deadline_that_is_past_by_new_rules_comes_in_an_hour(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=5, playing_days=WORKDAYS)
        assert clock_of(world, match_id) == "2026-11-30 18:00"
        time.to("2026-11-30 12:00")
        with at(world, match_id) as (work, match):
            match.playing_days = 127
            deadlines.refresh(world.service, work, match)
        assert clock_of(world, match_id) == "2026-11-30 13:00"
        time.to("2026-11-30 12:30")
        with at(world, match_id) as (work, match):
            deadlines.refresh(world.service, work, match)
        assert clock_of(world, match_id) == "2026-11-30 13:00", "not put off again and again"


def test_a_host_can_give_more_days(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key, pace_days=3)
        seat = world.awaited(match_id).seat
        with at(world, match_id) as (work, match):
            deadlines.extend(world.service, work, match, seat, 2)
        assert clock_of(world, match_id) == "2026-11-28 18:00"
        for other, length, code in ((seat, 31, "bad_days"), (1 - seat, 2, "no_clock")):
            with pytest.raises(Refused, match=code), at(world, match_id) as (work, match):
                deadlines.extend(world.service, work, match, other, length)


@pytest.mark.on_postgresql
def test_more_days_after_time_was_up_begin_now(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        time.after(days=4)
        seat = world.awaited(match_id).seat
        assert world.awaited(match_id).deadline is None
        with at(world, match_id) as (work, match):
            deadlines.extend(world.service, work, match, seat, 2)
        assert clock_of(world, match_id) == "2026-11-29 18:00"


def test_an_undone_turn_has_its_clock_back(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1, bank_hours=48, increment_hours=6)
        asked = world.awaited(match_id)
        time.after(hours=30)
        world.submit(match_id)
        world.hear()
        seat = asked.seat
        assert world.match(match_id).seats[seat].bank_left == (42 + 6) * 3600
        time.after(hours=2)
        with at(world, match_id) as (work, match):
            row = deadlines.open_rows(work.session, match)[0]
            row.closed_entry = 1
            again = work.session.get_one(type(row), (match_id, asked.decision))
            again.closed_entry = None
            work.session.flush()
            deadlines.reopen(world.service, work, match, again, went_on=False)
            assert again.deadline == asked.deadline
            deadlines.stop(world.service, work, match, again)
        assert world.match(match_id).seats[seat].bank_left == (40 + 6) * 3600


def test_a_stand_in_takes_the_clock_off_and_a_return_starts_it_anew(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        asked = world.awaited(match_id)
        with at(world, match_id) as (work, match):
            standins.put_in(world.service, work, match, match.seats[asked.seat])
        row = row_of(world, match_id, asked.decision)
        assert (row.deadline, row.allowance) == (None, None)
        assert ("moves.bot", (match_id, asked.decision)) in world.jobs.enqueued
        time.world.jobs.enqueued.clear()
        with at(world, match_id) as (work, match):
            assert standins.take_back(world.service, work, match, asked.seat)
        row = row_of(world, match_id, asked.decision)
        assert (row.enqueued_at, row.deadline) == (None, asked.deadline)
        with at(world, match_id) as (work, match):
            assert not standins.take_back(world.service, work, match, asked.seat)


def test_a_player_who_lives_elsewhere_has_days_of_their_own(world: World, game_key: str) -> None:
    """Summer time ends there on 1 November 2026: the night between has 25 hours."""
    with days(world, dt.datetime(2026, 10, 31, 16, 0, tzinfo=dt.UTC)):
        people = [world.player(f"{name}@example.org", name=name).id for name in ("ana", "ben")]
        with world.service.database.write() as work:
            for player in people:
                work.session.get_one(Player, player).zone = "America/New_York"
        match_id = started(world, game_key, pace_days=1)
        row = world.awaited(match_id)
        assert row.deadline == dt.datetime(2026, 11, 1, 17, 0, tzinfo=dt.UTC)


def test_the_bank_is_used_up_when_a_bot_takes_over(world: World, game_key: str) -> None:
    with days(world) as time:
        cam = Guest(address="cam@example.org", name="Cam")
        match_id = world.begun(
            [BEN, cam], game_key, pace_days=0, bank_hours=72, increment_hours=4, timeout="bot"
        )
        late = world.awaited(match_id).seat
        time.after(days=3, minutes=5)
        seat = world.match(match_id).seats[late]
        assert seat.stand_in is not None
        assert seat.bank_left == 0, "and nothing is gained by what a bot plays"


def test_what_a_bot_takes_over_early_has_cost_what_was_used(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1, bank_hours=48)
        asked = world.awaited(match_id).seat
        time.after(hours=34)
        with at(world, match_id) as (work, match):
            standins.put_in(world.service, work, match, match.seats[asked])
        assert world.match(match_id).seats[asked].bank_left == 38 * 3600

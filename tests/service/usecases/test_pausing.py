"""Pauses by consent: asked for, agreed to, refused, running and over."""

from __future__ import annotations

import pytest

from service.core.errors import Refused
from service.matches import hosting, leaving, standins, tables
from service.matches.tables import BotSeat, Guest
from service.time import pausing
from tests.support.tables import World
from tests.support.time import at, clock_of, days, sent

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")
CAM = Guest(address="cam@example.org", name="Cam")


def started(world: World, game_key: str, *others: Guest | BotSeat) -> int:
    match_id = world.begun(others or [BEN, CAM], game_key, pace_days=3)
    world.hear()
    return match_id


def ask(world: World, match_id: int, seat: int, length: int = 5) -> str:
    with at(world, match_id) as (work, match):
        return pausing.ask(world.service, work, match, seat, length).status


def answer(world: World, match_id: int, seat: int, agree: bool) -> str:
    with at(world, match_id) as (work, match):
        return pausing.answer(world.service, work, match, seat, agree).status


def resume(world: World, match_id: int, seat: int) -> None:
    with at(world, match_id) as (work, match):
        pausing.resume(world.service, work, match, seat)


def test_it_begins_when_everybody_has_agreed_and_ends_by_itself(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        match_id = started(world, game_key)
        time.to("2026-11-24 06:00")
        assert ask(world, match_id, 0) == "asked"
        time.tick()
        assert sent(world, match_id, "news") == [(1, "pause_asked"), (2, "pause_asked")]
        assert answer(world, match_id, 1, True) == "asked"
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        assert answer(world, match_id, 2, True) == "running"
        assert world.awaited(match_id).held == "paused"
        time.to("2026-11-29 05:59")
        pausing.end_if_over(world.service, 1)
        assert world.awaited(match_id).held == "paused", "rung too early"
        time.to("2026-11-29 06:00")
        assert clock_of(world, match_id) == "2026-12-01 18:00"
        codes = [code for _, code in sent(world, match_id, "news")]
        assert (codes.count("paused"), codes.count("resumed")) == (3, 3)


def test_one_who_does_not_agree_is_enough(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key)
        ask(world, match_id, 0)
        assert answer(world, match_id, 2, False) == "refused"
        with pytest.raises(Refused, match="no_pause_asked"):
            answer(world, match_id, 1, True)
        time.tick()
        assert [x for x in sent(world, match_id, "news") if x[1] == "pause_refused"] == [
            (0, "pause_refused"),
            (1, "pause_refused"),
        ]


@pytest.mark.on_postgresql
def test_it_can_be_asked_otherwise_or_withdrawn(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key)
        ask(world, match_id, 0, 5)
        ask(world, match_id, 0, 9)
        answer(world, match_id, 1, True)
        assert answer(world, match_id, 0, False) == "withdrawn"
        assert ask(world, match_id, 2) == "asked"
        with pytest.raises(Refused, match="pause_asked"):
            ask(world, match_id, 1)


def test_asking_for_the_same_again_changes_nothing(world: World, game_key: str) -> None:
    """Who has agreed need not agree again, and nobody gets a second letter; other days are new."""
    with days(world) as time:
        match_id = started(world, game_key)
        ask(world, match_id, 0, 5)
        answer(world, match_id, 1, True)
        ask(world, match_id, 0, 5)
        time.tick()
        assert sent(world, match_id, "news") == [(1, "pause_asked"), (2, "pause_asked")]
        ask(world, match_id, 0, 6)
        assert answer(world, match_id, 2, True) == "asked"
        time.tick()
        assert len(sent(world, match_id, "news")) == 4
        ask(world, match_id, 0, 6)
        assert answer(world, match_id, 1, True) == "running"


def test_anybody_can_end_it_before(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, BEN)
        with pytest.raises(Refused, match="not_paused"):
            resume(world, match_id, 1)
        ask(world, match_id, 0)
        answer(world, match_id, 1, True)
        with pytest.raises(Refused, match="paused"):
            ask(world, match_id, 0)
        time.after(days=1)
        resume(world, match_id, 1)
        assert clock_of(world, match_id) == "2026-11-27 18:00"
        time.after(days=30)
        codes = [code for _, code in sent(world, match_id, "news")]
        assert codes.count("resumed") == 2, "over once"


def test_bots_and_those_away_need_not_agree(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key, BEN, BotSeat(bot="random"))
        with at(world, match_id) as (work, match):
            standins.put_in(world.service, work, match, match.seats[1])
        world.hear()
        assert ask(world, match_id, 0) == "running"


def test_a_turn_made_in_a_pause_asks_the_next_without_a_clock(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key, BEN)
        ask(world, match_id, 0)
        answer(world, match_id, 1, True)
        first = world.awaited(match_id).decision
        world.submit(match_id)
        world.hear()
        row = world.awaited(match_id)
        assert row.decision != first
        assert world.match(match_id).paused_at is not None, "they agreed on it"
        assert (row.held, row.deadline, row.allowance) == ("paused", None, 3 * 24 * 3600)
        resume(world, match_id, 0)
        assert clock_of(world, match_id) == "2026-11-26 18:00"


@pytest.mark.parametrize("length", [0, 61, -3])
def test_a_pause_has_a_length(world: World, game_key: str, length: int) -> None:
    with days(world):
        match_id = started(world, game_key, BEN)
        with pytest.raises(Refused, match="bad_days"):
            ask(world, match_id, 0, length)


def test_nobody_agrees_to_a_pause_when_the_match_is_over(world: World, game_key: str) -> None:
    """By a page that was opened before."""
    with days(world) as time:
        match_id = started(world, game_key, BEN)
        ask(world, match_id, 0)
        with at(world, match_id) as (work, match):
            leaving.resign(world.service, work, match, 0)
        for agree in (True, False):
            with pytest.raises(Refused, match="not_playing"):
                answer(world, match_id, 1, agree)
        time.tick()
        assert world.match(match_id).paused_at is None
        assert {code for _, code in sent(world, match_id, "news")} <= {"pause_asked"}


def test_nobody_agrees_to_a_pause_in_a_pause(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key)
        ask(world, match_id, 0)
        with at(world, match_id) as (work, match):
            pausing.stop_all(world.service, work, match)
        with pytest.raises(Refused, match="paused"):
            answer(world, match_id, 1, True)
        assert answer(world, match_id, 1, False) == "refused"


def test_nobody_takes_a_seat_back_when_the_match_is_over(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key)
        with at(world, match_id) as (work, match):
            standins.put_in(world.service, work, match, match.seats[0])
        for seat in (1, 2):
            with at(world, match_id) as (work, match):
                leaving.resign(world.service, work, match, seat)
        with at(world, match_id) as (work, match):
            assert match.status == "ended"
            assert not standins.take_back(world.service, work, match, 0)
        time.tick()
        assert "back" not in {code for _, code in sent(world, match_id, "news")}


@pytest.mark.parametrize("how", ["leaves", "is away"])
def test_a_pause_begins_when_who_has_not_agreed_is_gone(
    world: World, game_key: str, how: str
) -> None:
    with days(world):
        match_id = started(world, game_key)
        ask(world, match_id, 0)
        assert answer(world, match_id, 1, True) == "asked"
        with at(world, match_id) as (work, match):
            if how == "leaves":
                leaving.resign(world.service, work, match, 2)
            else:
                standins.put_in(world.service, work, match, match.seats[2])
        with at(world, match_id) as (work, match):
            assert match.paused_at is not None
            assert pausing.running_of(work.session, match) is not None


@pytest.mark.on_postgresql
def test_a_pause_is_not_asked_for_by_who_has_left(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key)
        ask(world, match_id, 0)
        with at(world, match_id) as (work, match):
            leaving.resign(world.service, work, match, 0)
        assert world.match(match_id).paused_at is None
        assert ask(world, match_id, 1) == "asked"


@pytest.mark.on_postgresql
def test_who_takes_a_seat_over_has_not_agreed(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key)
        ask(world, match_id, 0)
        answer(world, match_id, 1, True)
        with at(world, match_id) as (work, match):
            dan = Guest(address="dan@example.org", name="Dan")
            guest = hosting.replace(world.service, work, match, 1, dan)
            assert guest.player is not None
            door = world.service.keys.token("invitation", match_id, guest.player.id)
        with world.service.database.write() as work:
            tables.answer(world.service, work, door, "accept")
        assert answer(world, match_id, 2, True) == "asked"
        assert answer(world, match_id, 1, True) == "running"


def test_bots_wait_when_the_last_who_plays_leaves(world: World, game_key: str) -> None:
    """The others are away: what bots play among themselves is nobody's match."""
    with days(world) as time:
        match_id = started(world, game_key)
        with at(world, match_id) as (work, match):
            for seat in (0, 1):
                standins.put_in(world.service, work, match, match.seats[seat])
            leaving.resign(world.service, work, match, 2)
        time.tick()
        time.after(minutes=5)
        asleep = world.match(match_id)
        assert (asleep.status, asleep.last_entry) == ("playing", 0)
        assert world.jobs.enqueued == [], "nobody is rung for in vain"
        with at(world, match_id) as (work, match):
            standins.take_back(world.service, work, match, 1)
            pausing.resume(world.service, work, match, 1)
        time.tick()
        assert world.match(match_id).status == "playing"
        assert world.awaited(match_id).seat == 1

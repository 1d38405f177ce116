"""Reminders under a moved clock: when they come, and when they do not."""

from __future__ import annotations

from typing import Any

import pytest

from service.core.errors import Refused
from service.core.letter_details import ReminderDetails
from service.core.models import Letter
from service.matches.tables import Guest
from service.time import deadlines, nudging, reminders
from tests.support.tables import World
from tests.support.time import at, clock_of, days, player_of, sent, waiting_letters

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")


def started(world: World, game_key: str, **terms: Any) -> int:
    return world.begun([BEN], game_key, **terms)


def change(world: World, match_id: int, **wishes: object) -> None:
    """Let whoever is to move have it otherwise."""
    seat = world.awaited(match_id).seat
    with at(world, match_id) as (work, match):
        player = player_of(work, match, seat)
        for name, value in wishes.items():
            setattr(player, name, value)
        deadlines.refresh_player(world.service, work, player)


def test_the_story_of_a_turn_nobody_makes(world: World, game_key: str) -> None:
    """Three days from Monday 18:00, quiet from 22:00 to 8:00: half time falls into the night."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        change(world, match_id, quiet_from=22 * 60, quiet_to=8 * 60)
        time.tick()
        late = world.awaited(match_id).seat
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        assert waiting_letters(world, match_id) == [
            ("half", "2026-11-25 08:00"),  # 6:00, and quiet
            ("24h", "2026-11-25 18:00"),
            ("4h", "2026-11-26 14:00"),
        ]
        time.to("2026-11-25 07:59")
        assert sent(world, match_id, "reminder") == []
        time.to("2026-11-25 08:00")
        time.after(seconds=30)
        assert sent(world, match_id, "reminder") == [(late, "half")]
        time.to("2026-11-25 18:01")
        time.to("2026-11-26 14:01")
        assert sent(world, match_id, "reminder") == [(late, "half"), (late, "24h"), (late, "4h")]
        time.to("2026-11-26 17:59")
        assert sent(world, match_id, "news") == []
        time.to("2026-11-26 18:01")
        assert sorted(sent(world, match_id, "news")) == [(0, "time_up"), (1, "time_up")]
        time.after(days=5)
        assert len(sent(world, match_id, "reminder")) == 3
        assert len(sent(world, match_id, "news")) == 2, "the table is told once"


def test_no_reminder_after_the_move_is_in(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        first = world.awaited(match_id).decision
        time.to("2026-11-24 12:00")
        world.submit(match_id)
        time.tick()
        letters = world.letters(match_id, "reminder")
        assert {x.status for x in letters if x.decision == first} == {"dropped"}
        time.to("2026-11-27 11:00")
        assert all(x.decision != first for x in letters if x.status == "sent")


def test_a_turn_that_is_held_needs_no_reminder(world: World, game_key: str) -> None:
    """It was handed in before the reminder was due, and is played after."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1, hold_minutes=60)
        time.to("2026-11-24 05:30")
        decision = world.awaited(match_id).decision
        world.submit(match_id)
        time.to("2026-11-24 06:10")
        with world.service.database.read() as session:
            half = next(x for x in world.letters(match_id, "reminder") if x.decision == decision)
            assert half.details == ReminderDetails(which="half")
            assert not reminders.is_wanted(session, session.get_one(Letter, half.id))
        assert sent(world, match_id, "reminder") == []


@pytest.mark.parametrize(
    ("pace", "wishes", "expected"),
    [
        # Two of them at once are one; a day has no "24h".
        (2, {}, [("half", "2026-11-24 18:00"), ("4h", "2026-11-25 14:00")]),
        (1, {}, [("half", "2026-11-24 06:00"), ("4h", "2026-11-24 14:00")]),
        (1, {"reminders": []}, []),
        (
            1,
            {"reminders": ["90m", "23h"]},
            [("23h", "2026-11-23 19:00"), ("90m", "2026-11-24 16:30")],
        ),
        (1, {"reminders": ["22h"]}, [("22h", "2026-11-23 20:00")]),
        # Too near to the turn letter, or to the deadline
        (1, {"reminders": ["1410m", "20m"]}, []),
        # In the night before a deadline in the morning: before the night
        (
            1,
            {"reminders": ["4h"], "quiet_from": 0, "quiet_to": 18 * 60},
            [("4h", "2026-11-23 23:59")],
        ),
    ],
)
def test_when_they_come(
    world: World,
    game_key: str,
    pace: int,
    wishes: dict[str, object],
    expected: list[tuple[str, str]],
) -> None:
    with days(world):
        match_id = started(world, game_key, pace_days=pace)
        change(world, match_id, **wishes)
        assert waiting_letters(world, match_id) == expected


def test_none_comes_on_a_free_day_before_a_quiet_morning(world: World, game_key: str) -> None:
    """Tuesday is free: what is too late on Wednesday comes on Monday."""
    with days(world):
        match_id = started(world, game_key, pace_days=1, playing_days=0b101)
        change(world, match_id, reminders=["4h"], quiet_from=0, quiet_to=17 * 60 + 40)
        assert clock_of(world, match_id) == "2026-11-25 18:00"
        assert waiting_letters(world, match_id) == [("4h", "2026-11-23 23:59")]


def test_they_follow_the_clock_and_are_not_sent_twice(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=2)
        change(world, match_id, reminders=["24h", "4h"])
        time.to("2026-11-24 19:00")
        seat = world.awaited(match_id).seat
        assert sent(world, match_id, "reminder") == [(seat, "24h")]
        with at(world, match_id) as (work, match):
            deadlines.extend(world.service, work, match, seat, 3)
        assert waiting_letters(world, match_id) == [("4h", "2026-11-28 14:00")]
        with at(world, match_id) as (work, match):
            match.paused_at = world.service.now()
            deadlines.refresh(world.service, work, match)
        assert waiting_letters(world, match_id) == []
        time.after(days=1)
        with at(world, match_id) as (work, match):
            match.paused_at = None
            deadlines.refresh(world.service, work, match)
        assert waiting_letters(world, match_id) == [("4h", "2026-11-29 14:00")]
        time.to("2026-11-29 14:01")
        assert sent(world, match_id, "reminder") == [(seat, "24h"), (seat, "4h")]


def nudge(world: World, match_id: int, by: int) -> None:
    with at(world, match_id) as (work, match):
        nudging.nudge(world.service, work, match, by)


@pytest.mark.on_postgresql
def test_a_nudge_once_a_day_and_not_at_night(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=5)
        change(world, match_id, quiet_from=22 * 60, quiet_to=8 * 60, reminders=[])
        late = world.awaited(match_id).seat
        time.to("2026-11-24 23:00")
        nudge(world, match_id, 1 - late)
        time.tick()
        assert sent(world, match_id, "nudge") == []
        time.to("2026-11-25 08:01")
        assert sent(world, match_id, "nudge") == [(late, "")]
        with pytest.raises(Refused) as caught:
            nudge(world, match_id, 1 - late)
        assert caught.value.code == "too_soon"
        assert caught.value.context == {"again_at": "2026-11-25T22:00:00+00:00"}
        time.to("2026-11-25 23:00")
        nudge(world, match_id, 1 - late)
        world.submit(match_id)
        time.to("2026-11-26 09:00")
        assert len(sent(world, match_id, "nudge")) == 1, "the move came in before the morning"


def test_there_must_be_somebody_to_nudge(world: World, game_key: str) -> None:
    with days(world):
        match_id = started(world, game_key)
        with pytest.raises(Refused, match="nobody_to_nudge"):
            nudge(world, match_id, world.awaited(match_id).seat)


def test_nudging_goes_on_when_time_is_up(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        late = world.awaited(match_id).seat
        time.after(days=2)
        nudge(world, match_id, 1 - late)
        time.tick()
        assert sent(world, match_id, "nudge") == [(late, "")]

"""Time is up: each of the four things a table can agree on."""

from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import select

from service.core import retriable
from service.core.models import EntryRow, InboundMail, SeatRow, Submission
from service.mail.receive import inbound
from service.matches import expiry, moves, standins
from service.matches.tables import BotSeat, Guest
from service.ops import dead_letters
from service.time import pausing
from tests.support.correspondence import Correspondence
from tests.support.tables import World
from tests.support.time import at, days, row_of, sent

pytestmark = pytest.mark.slow

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")
CAM = Guest(address="cam@example.org", name="Cam")


def started(world: World, game_key: str, timeout: str, *others: Guest | BotSeat) -> int:
    return world.begun(others or [BEN], game_key, pace_days=1, timeout=timeout)


def causes(world: World, match_id: int) -> list[str]:
    with world.service.database.read() as session:
        query = select(EntryRow.cause).where(EntryRow.match_id == match_id, EntryRow.n > 0)
        return [str(cause) for cause in session.scalars(query.order_by(EntryRow.n))]


def test_waiting_goes_on_without_a_clock(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "wait")
        late = world.awaited(match_id)
        time.after(days=1, minutes=1)
        row = row_of(world, match_id, late.decision)
        assert row.deadline is None
        assert row.expired_at is not None
        assert causes(world, match_id) == []
        world.submit(match_id)
        time.tick()
        assert causes(world, match_id) == ["player"]


def test_the_default_turn_is_played_and_told(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "default")
        late = world.awaited(match_id).seat
        time.after(days=1, minutes=1)
        assert causes(world, match_id) == ["default"]
        assert sent(world, match_id, "news") == [(late, "played_default")]
        assert world.awaited(match_id).seat != late


def test_a_table_that_sleeps_is_paused_and_wakes_by_a_word(world: World, game_key: str) -> None:
    """Everybody's last two turns were the clock's."""
    with days(world) as time:
        match_id = started(world, game_key, "default", BEN, BotSeat(bot="random"))
        time.tick()
        for _ in range(5):
            time.after(days=1, minutes=1)
        people = [row.seat for row in world.match(match_id).seats if row.player is not None]
        assert causes(world, match_id).count("default") == 4
        assert world.match(match_id).paused_at is not None
        asleep = [seat for seat, code in sent(world, match_id, "news") if code == "everybody_away"]
        assert sorted(seat for seat in asleep if seat is not None) == people
        row = world.awaited(match_id)
        assert (row.held, row.deadline) == ("paused", None)
        time.after(days=60)
        assert causes(world, match_id).count("default") == 4
        with at(world, match_id) as (work, match):
            pausing.resume(world.service, work, match, row.seat)
        assert world.awaited(match_id).deadline is not None


def test_one_who_plays_keeps_the_table_awake(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "default")
        first = world.awaited(match_id).seat
        for _ in range(8):
            if world.awaited(match_id).seat == first:
                time.after(days=1, minutes=1)
            else:
                world.submit(match_id)
                time.tick()
        assert causes(world, match_id) == ["default", "player"] * 4
        assert world.match(match_id).paused_at is None


@pytest.mark.on_postgresql
def test_a_bot_plays_until_the_player_is_back(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "bot", BEN)
        late = world.awaited(match_id).seat
        time.after(days=1, minutes=1)
        seat = world.match(match_id).seats[late]
        assert seat.stand_in is not None
        assert causes(world, match_id) == [f"bot:{seat.stand_in}"]
        assert sorted(sent(world, match_id, "news")) == [(0, "stand_in"), (1, "stand_in")]
        letters = len(world.letters(match_id, "turn"))
        world.submit(match_id)
        time.tick()
        assert causes(world, match_id)[-1] == f"bot:{seat.stand_in}"
        mine = [x for x in world.letters(match_id, "turn") if x.seat == late]
        assert len(mine) == 1, "no letters for the bot's turns"
        assert len(world.letters(match_id, "turn")) == letters + 1
        with at(world, match_id) as (work, match):
            assert standins.take_back(world.service, work, match, late)
        world.submit(match_id)
        time.tick()
        row = world.awaited(match_id)
        assert row.seat == late
        assert row.deadline is not None
        assert sent(world, match_id, "turn")[-1] == (late, "")
        assert (1 - late, "back") in sent(world, match_id, "news")


def test_who_comes_back_before_the_bot_has_moved_is_asked_again(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "bot")
        late = world.awaited(match_id)
        time._clock.shift(24 * 3600 + 60)
        expiry.expire(world.service, match_id, late.decision)
        with at(world, match_id) as (work, match):
            standins.take_back(world.service, work, match, late.seat)
        time.tick()
        assert causes(world, match_id) == []
        assert world.awaited(match_id).decision == late.decision


def test_a_turn_handed_in_is_in_time(world: World, game_key: str) -> None:
    """Stored a minute before the deadline, and no worker has looked at it yet."""
    with days(world) as time:
        match_id = started(world, game_key, "default")
        decision = world.awaited(match_id).decision
        time._clock.shift(24 * 3600 - 60)
        world.submit(match_id)
        time._clock.shift(120)
        expiry.expire(world.service, match_id, decision)
        assert row_of(world, match_id, decision).expired_at is None
        time.tick()
        assert causes(world, match_id) == ["player"]


@pytest.mark.parametrize("timeout", ["wait", "default", "bot"])
def test_expiring_twice_is_once(world: World, game_key: str, timeout: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, timeout)
        decision = world.awaited(match_id).decision
        expiry.expire(world.service, match_id, decision)
        assert row_of(world, match_id, decision).expired_at is None, "not before its time"
        time.send()
        time._clock.shift(24 * 3600 + 60)
        for _ in range(3):
            expiry.expire(world.service, match_id, decision)
        time.tick()
        assert len(causes(world, match_id)) == (0 if timeout == "wait" else 1)
        assert len(sent(world, match_id, "news")) == (1 if timeout == "default" else 2)


def test_who_does_not_move_is_dropped(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "drop", BEN, CAM)
        late = world.awaited(match_id).seat
        time.after(days=1, minutes=1)
        with world.service.database.read() as session:
            row = session.scalars(
                select(SeatRow).where(SeatRow.match_id == match_id, SeatRow.seat == late)
            ).one()
        assert row.left_why == "dropped"
        assert row.played_by is not None
        assert causes(world, match_id) == [f"bot:{row.played_by}"]


def test_a_turn_in_a_mail_that_came_in_time_is_not_overtaken(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "drop")
        asked = world.awaited(match_id)
        table = Correspondence(world, match_id)
        turn = world.legal_turn(match_id, asked.seat, asked.decision)
        to, sender = table.address(asked.seat, asked.decision), "ana@example.org"
        if asked.seat != 0:
            sender = "ben@example.org"
        time.after(hours=23, minutes=59)
        mail = table.take(table.written(sender, to, turn), to, sender)
        assert mail is not None
        time.pass_unnoticed(minutes=30)  # and nobody has looked at it
        expiry.expire(world.service, match_id, asked.decision)
        assert world.match(match_id).seats[asked.seat].left_at is None
        assert inbound.handle(world.service, mail).verdict == "played"
        time.tick()
        assert causes(world, match_id) == ["player"]
        with world.service.database.read() as session:
            (submission,) = session.scalars(select(Submission))
            assert submission.received_at == session.get_one(InboundMail, mail).received_at


def test_a_mail_that_came_too_late_holds_nothing_up(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "default")
        asked = world.awaited(match_id)
        table = Correspondence(world, match_id)
        to = table.address(asked.seat, asked.decision)
        time.send()
        time.pass_unnoticed(days=1, minutes=1)
        table.take(table.written("ana@example.org", to, "1"), to)
        time.tick()
        assert causes(world, match_id) == ["default"]


def test_a_turn_that_failed_by_our_fault_is_not_overtaken(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "drop")
        asked = world.awaited(match_id)
        time.after(hours=1)
        submission = world.submit(match_id)
        for _ in range(retriable.MOVES.limit):
            moves.count_attempt(world.service, submission.id)
        time.pass_unnoticed(days=3)
        expiry.expire(world.service, match_id, asked.decision)
        assert world.match(match_id).seats[asked.seat].left_at is None
        with world.service.database.write() as work:
            dead_letters.retry(world.service, work, f"move-{submission.id}")
        time.tick()
        assert causes(world, match_id) == ["player"]


def asleep(world: World, match_id: int) -> int:
    """How many letters have said that everybody is away."""
    return [code for _, code in sent(world, match_id, "news")].count("everybody_away")


def test_a_table_that_falls_asleep_again_is_told_again(world: World, game_key: str) -> None:
    """Whoever is asked then has the time of a turn, not what is left when time is up."""
    with days(world) as time:
        match_id = started(world, game_key, "default", BEN, CAM)
        while world.match(match_id).paused_at is None:
            time.after(days=1, minutes=1)
        assert asleep(world, match_id) == 3
        asked = world.awaited(match_id)
        with at(world, match_id) as (work, match):
            pausing.resume(world.service, work, match, (asked.seat + 1) % 3)
        now = world.service.now()
        assert world.awaited(match_id).deadline == now + dt.timedelta(days=1)
        time.after(days=1, minutes=1)
        assert world.match(match_id).paused_at is not None
        assert world.awaited(match_id).decision == asked.decision
        assert asleep(world, match_id) == 6


def test_a_turn_wakes_a_table_that_was_left_alone(world: World, game_key: str) -> None:
    """Who plays need not say `resume` as well; the others are told, and have a clock again."""
    with days(world) as time:
        match_id = started(world, game_key, "default", BEN, CAM)
        while world.match(match_id).paused_at is None:
            time.after(days=1, minutes=1)
        asked = world.awaited(match_id)
        time.after(days=20)
        assert world.match(match_id).paused_at is not None
        world.submit(match_id, body="nonsense")
        time.tick()
        assert world.match(match_id).paused_at is not None, "nothing was played"
        world.submit(match_id)
        time.tick()
        assert world.match(match_id).paused_at is None
        told = [seat for seat, code in sent(world, match_id, "news") if code == "resumed"]
        assert (len(told), {*told}) == (2, {0, 1, 2} - {asked.seat})
        after = world.awaited(match_id)
        assert after.seat != asked.seat
        assert (after.held, after.deadline) == (None, world.service.now() + dt.timedelta(days=1))


def test_what_bots_play_wakes_no_table(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "bot")
        while world.match(match_id).paused_at is None:
            time.after(days=1, minutes=1)
        played = world.match(match_id).last_entry
        world.submit(match_id, source="bot:random")
        time.tick()
        assert world.match(match_id).last_entry > played
        assert world.match(match_id).paused_at is not None
        world.submit(match_id)
        time.tick()
        assert world.match(match_id).paused_at is None


def test_an_empty_bank_gives_a_day_when_a_table_wakes(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = world.begun([BEN], game_key, pace_days=0, bank_hours=48, timeout="bot")
        while world.match(match_id).paused_at is None:
            time.after(days=2, minutes=1)
        asked = world.awaited(match_id)
        with at(world, match_id) as (work, match):
            pausing.resume(world.service, work, match, asked.seat)
        now = world.service.now()
        assert world.awaited(match_id).deadline == now + dt.timedelta(days=1)
        time.after(hours=2)
        world.submit(match_id)
        time.tick()
        assert world.match(match_id).seats[asked.seat].bank_left == 0


@pytest.mark.parametrize("other", [BEN, BotSeat(bot="random")])
def test_bots_do_not_play_a_match_to_its_end_alone(
    world: World, game_key: str, other: Guest | BotSeat
) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "bot", other)
        time.tick()
        for _ in range(3):
            time.after(days=1, minutes=1)
        match = world.match(match_id)
        assert match.status == "playing"
        assert match.paused_at is not None
        asked = world.awaited(match_id)
        assert (asked.held, match.seats[asked.seat].played_by) == ("paused", None)
        assert asleep(world, match_id) == sum(row.player is not None for row in match.seats)
        with at(world, match_id) as (work, match):
            pausing.resume(world.service, work, match, asked.seat)
        assert world.awaited(match_id).deadline is not None


@pytest.mark.on_postgresql
def test_a_default_turn_that_fails_by_our_fault_leaves_a_clock(world: World, game_key: str) -> None:
    """And its player is told of nothing that was not played."""
    with days(world) as time:
        match_id = started(world, game_key, "default")
        asked = world.awaited(match_id)
        time.send()
        for _ in range(2):
            time.pass_unnoticed(days=1, minutes=1)
            expiry.expire(world.service, match_id, asked.decision)
            world.jobs.enqueued.clear()
            assert row_of(world, match_id, asked.decision).deadline is None
            with world.service.database.read() as session:
                turn = session.scalars(select(Submission).order_by(Submission.id)).all()[-1]
            for _ in range(retriable.MOVES.limit):
                moves.count_attempt(world.service, turn.id)
            again = row_of(world, match_id, asked.decision)
            assert again.expired_at is None
            assert again.deadline == world.service.now() + dt.timedelta(days=1)
        time.tick()
        assert causes(world, match_id) == []
        assert sent(world, match_id, "news") == []
        with world.service.database.write() as work:
            dead_letters.retry(world.service, work, f"move-{turn.id}")
        time.tick()
        assert causes(world, match_id) == [], "its player has time again"
        time.after(days=1, minutes=1)
        assert causes(world, match_id) == ["default"]
        assert sent(world, match_id, "news") == [(asked.seat, "played_default")]


def test_a_default_turn_that_is_overtaken_is_not_told(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "default")
        asked = world.awaited(match_id)
        time.pass_unnoticed(days=1, minutes=1)
        expiry.expire(world.service, match_id, asked.decision)
        world.jobs.enqueued.clear()
        moves.play(world.service, world.submit(match_id).id)
        time.after(minutes=1)
        assert causes(world, match_id) == ["player"]
        assert sent(world, match_id, "news") == []


def test_a_default_turn_does_not_replace_what_its_player_has_decided(world: World) -> None:
    """Where that can still be changed, the decision is open when the default turn comes."""
    with days(world) as time:
        match_id = started(world, "mammoths", "default")
        asked = world.awaited(match_id)
        time.send()
        time.pass_unnoticed(days=1, minutes=1)
        expiry.expire(world.service, match_id, asked.decision)
        ((default,),) = world.jobs.take("moves.play")
        decided = world.submit(match_id, world.bots_turn(match_id, "random"))
        moves.play(world.service, decided.id)
        assert moves.play(world.service, default).status == "refused"
        row = row_of(world, match_id, asked.decision)
        assert (row.closed_entry, row.blocks, row.deadline) == (None, False, None)
        assert causes(world, match_id) == ["player"]


def test_a_table_whose_default_turn_fails_waits(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days(world) as time:
        match_id = started(world, game_key, "default")
        late = world.awaited(match_id)
        time.send()
        time.pass_unnoticed(days=1, minutes=1)
        monkeypatch.setattr(expiry, "complete", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            expiry.expire(world.service, match_id, late.decision)
        expiry.expire(world.service, match_id, late.decision)
        row = row_of(world, match_id, late.decision)
        assert (row.deadline, row.expired_at) == (None, world.service.now())
        time.after(minutes=2)
        assert {code for _, code in sent(world, match_id, "news")} == {"time_up"}

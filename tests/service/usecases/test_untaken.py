"""Letters that the mail server does not take: no clock runs, and nothing is sent as other bytes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from sqlalchemy import select

from service.core import retriable, schema
from service.core.context import Service
from service.core.errors import Refused
from service.core.letter_details import ReminderDetails, Unsent
from service.core.models import EntryRow, Letter, Player
from service.mail.send import circuit_breaker, claims, delivery, digests, resending
from service.mail.send.smtp import NotTaken, Refusal, SmtpFailure, SmtpTransport, Timeouts
from service.matches import expiry, messages, moves, undoing
from service.matches.tables import Guest
from service.ops import backup, dead_letters, sweep
from service.ops.restoring import restore
from service.time import deadlines
from tests.support.correspondence import Correspondence
from tests.support.sink import Delivery, SmtpSink
from tests.support.tables import Postbox, World
from tests.support.time import Days, at, clock_of, days, row_of, sent

pytestmark = pytest.mark.slow

BEN = Guest(address="ben@example.org", name="Ben", lang="en")
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def sink(smtp_sink: SmtpSink) -> Iterator[SmtpSink]:
    yield smtp_sink
    smtp_sink.hangs.clear()


def to(sink: SmtpSink) -> SmtpTransport:
    """A way to it that waits for no reply."""
    return SmtpTransport(sink.url, Timeouts(command=0.5, reply=0.5))


def started(world: World, game_key: str, **terms: Any) -> tuple[int, Letter]:
    """A table of two people and the turn letter that its first player is owed."""
    match_id = world.begun([BEN], game_key, **{"pace_days": 3, **terms})
    world.jobs.enqueued.clear()
    (letter,) = world.letters(match_id, "turn")
    return match_id, letter


def known(world: World, letter: Letter) -> Letter:
    with world.service.database.read() as session:
        return session.get_one(Letter, letter.id)


def when_due(time: Days, letter: Letter) -> None:
    due = known(time.world, letter).due_at
    assert due is not None
    time.pass_unnoticed(seconds=(due - time.world.service.now()).total_seconds() + 1)


def calendar_of(delivered: Delivery) -> list[tuple[dt.datetime, int]]:
    events: list[Any] = []  # icalendar's types are wider than its files
    for part in delivered.message.walk():
        if part.get_content_type() != "text/calendar":
            continue
        raw = part.get_payload(decode=True)
        assert isinstance(raw, bytes)
        events += Calendar.from_ical(raw).walk("VEVENT")
    return [(event["DTEND"].dt, int(event["SEQUENCE"])) for event in events]


@pytest.mark.rarely("login", "4xx")
@pytest.mark.parametrize("trouble", ["away", "MAIL", "login", "4xx"])
def test_nobody_is_dropped_who_was_not_asked(
    world: World, game_key: str, sink: SmtpSink, trouble: str
) -> None:
    """Whatever the mail server has, for a week: what counts is the time after the 250."""
    with days(world) as time:
        match_id, letter = started(world, game_key, timeout="drop")
        decision = world.awaited(match_id).decision
        away = to(sink)
        if trouble == "away":
            away = SmtpTransport("smtp://127.0.0.1:1")
        elif trouble == "login":
            sink.password = "right"
            away = SmtpTransport(f"smtp://user:wrong@127.0.0.1:{sink.port}")
        elif trouble == "4xx":
            sink.to_recipient += ["451 4.3.0 later"] * 99
        else:
            sink.hangs.add(trouble)
        for _ in range(12):
            assert not delivery.deliver(world.service, away, letter.id)
            when_due(time, letter)
            sweep.sweep(world.service)
            world.hear()
        time.pass_unnoticed(days=7)
        expiry.expire(world.service, match_id, decision)
        row = row_of(world, match_id, decision)
        assert (row.held, row.deadline, row.expired_at) == ("unsent", None, None)
        assert all(seat.left_at is None for seat in world.match(match_id).seats)
        sink.hangs.clear()
        sink.to_recipient.clear()
        sink.password = None
        assert delivery.deliver(world.service, SmtpTransport(sink.url), letter.id)
        row = row_of(world, match_id, decision)
        assert (row.held, row.deadline) == (None, world.service.now() + 72 * HOUR)


@pytest.mark.on_postgresql
def test_time_a_letter_was_left_lying_is_nobodys_whatever_is_looked_at_meanwhile(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    """The sweep that has moved the clocks by an outage has found the letter stuck, too."""
    with days(world) as time:
        match_id, letter = started(world, game_key)
        time.pass_unnoticed(hours=5)
        time.outage(hours=2)
        sweep.sweep(world.service)
        row = row_of(world, match_id, letter.decision or "")
        assert (row.held, row.deadline) == ("unsent", None)
        assert delivery.deliver(world.service, SmtpTransport(sink.url), letter.id)
        row = row_of(world, match_id, letter.decision or "")
        assert (row.held, row.deadline) == (None, world.service.now() + 72 * HOUR)


def test_time_a_letter_was_left_lying_is_not_theirs_who_played_by_the_page_and_took_it_back(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key, hold_minutes=120)
        time.pass_unnoticed(hours=5)
        turn = world.submit(match_id)
        time.outage(hours=2)
        sweep.sweep(world.service)
        assert row_of(world, match_id, letter.decision or "").held == "unsent"
        with at(world, match_id) as (work, match):
            assert undoing.undo(world.service, work, match, turn.seat).how == "withdrawn"
        assert delivery.deliver(world.service, SmtpTransport(sink.url), letter.id)
        row = row_of(world, match_id, letter.decision or "")
        assert (row.held, row.deadline) == (None, world.service.now() + 72 * HOUR)


@pytest.mark.parametrize("taken", [True, False])
def test_no_clock_runs_for_what_was_decided_while_its_letter_was_sent(
    world: World, taken: bool
) -> None:
    """By the page, in secret and so that it can still be changed: nobody waits for it any more."""
    with days(world) as time:
        match_id = world.begun([BEN], "mammoths", pace_days=3, timeout="drop")
        letter = world.letters(match_id, "turn")[0]
        assert letter.decision is not None

        class Slow(Postbox):
            def send(
                self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
            ) -> None:
                assert moves.play(world.service, world.submit(match_id).id).status == "played"
                time.pass_unnoticed(minutes=2)
                if not taken:
                    raise NotTaken(SmtpFailure.RECIPIENT, "450 4.2.0 greylisted")
                before_end()

        assert delivery.deliver(world.service, Slow(), letter.id) is taken
        row = row_of(world, match_id, letter.decision)
        assert (row.closed_entry, row.blocks) == (None, False)
        assert (row.deadline, row.held) == (None, None)
        assert not [
            each
            for each in world.letters(match_id, "reminder")
            if each.seat == row.seat and each.status == "due"
        ]
        time.pass_unnoticed(days=4)
        expiry.expire(world.service, match_id, letter.decision)
        assert world.match(match_id).seats[row.seat].left_at is None


def test_a_letter_that_was_surely_not_taken_is_written_anew(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)
        sink.to_recipient.append("450 4.2.0 greylisted")
        assert not delivery.deliver(world.service, to(sink), letter.id)
        assert known(world, letter).message is None
        time.pass_unnoticed(days=2)
        assert delivery.deliver(world.service, to(sink), letter.id)
        now = world.service.now()
        (one,) = sink.deliveries
        assert parsedate_to_datetime(one.message["Date"]) == now
        assert row_of(world, match_id, letter.decision or "").deadline == now + 72 * HOUR
        assert calendar_of(one) == [(now + 72 * HOUR, 1)]
        assert b"in 3=C2=A0days" in one.raw


def test_a_letter_that_may_have_been_taken_keeps_its_bytes(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    """Whatever it would say by now; the next letter tells the true date in its calendar."""
    with days(world) as time:
        match_id, letter = started(world, game_key, playing_days=127)
        sink.drops = 1
        assert not delivery.deliver(world.service, to(sink), letter.id)
        found = known(world, letter)
        assert (found.status, found.failure) == ("due", SmtpFailure.AFTER_DATA)
        assert found.due_at is not None
        assert found.due_at >= world.service.now() + dt.timedelta(minutes=15)
        time.pass_unnoticed(days=1)
        with at(world, match_id) as (work, match):
            deadlines.extend(world.service, work, match, letter.seat or 0, 2)
            work.session.get_one(Player, letter.player_id).name = "Another"
        assert delivery.deliver(world.service, to(sink), letter.id)
        first, second = sink.deliveries
        assert first.raw == second.raw
        found = known(world, letter)
        assert (found.status, found.message) == ("sent", None)
        moved = row_of(world, match_id, letter.decision or "").deadline
        assert moved == world.service.now() + 120 * HOUR
        assert moved is not None
        time.pass_unnoticed(seconds=(moved - 20 * HOUR - world.service.now()).total_seconds())
        for reminder in world.letters(match_id, "reminder"):
            delivery.deliver(world.service, to(sink), reminder.id)
        assert calendar_of(sink.deliveries[-1]) == [(moved, 1)]


@pytest.mark.on_postgresql
def test_a_turn_whose_letter_may_have_been_taken_is_not_taken_back(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world):
        match_id, letter = started(world, game_key)
        assert delivery.deliver(world.service, to(sink), letter.id)
        mover = world.awaited(match_id).seat
        world.submit(match_id)
        world.hear()
        sink.drops = 1
        after = world.letters(match_id, "turn")[-1]
        delivery.deliver(world.service, to(sink), after.id)
        with at(world, match_id) as (work, match):
            work.session.get_one(EntryRow, (match_id, 1)).revealed = False
            with pytest.raises(Refused, match="too_late_shown"):
                undoing.undo(world.service, work, match, mover)


@pytest.mark.on_postgresql
def test_the_time_of_a_slow_handing_over_is_nobodys(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)

        class Slow(Postbox):
            def send(self, *given: object) -> None:
                time.pass_unnoticed(minutes=9)
                super().send(*given)  # type: ignore[arg-type]

        assert delivery.deliver(world.service, Slow(), letter.id)
        assert clock_of(world, match_id) == "2026-11-26 18:09"


@pytest.mark.on_postgresql
def test_waiting_for_a_free_sender_is_nobodys_but_quiet_hours_are_the_readers(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)
        with world.service.database.write() as work:
            player = work.session.get_one(Player, letter.player_id)
            player.quiet_from, player.quiet_to = 17 * 60, 20 * 60
        assert not delivery.deliver(world.service, world.post, letter.id)
        time.pass_unnoticed(hours=2)
        assert delivery.deliver(world.service, world.post, letter.id)
        assert clock_of(world, match_id) == "2026-11-26 18:00", "they wished to sleep"
        world.submit(match_id)
        world.hear()
        after = world.letters(match_id, "turn")[-1]
        time.pass_unnoticed(days=2)
        assert delivery.deliver(world.service, world.post, after.id)
        assert clock_of(world, match_id) == "2026-11-28 20:00", "nobody had sent it"


def test_no_reminder_comes_before_the_letter(world: World, game_key: str, sink: SmtpSink) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key, pace_days=1)
        time.pass_unnoticed(hours=13)  # "half" is due, and so is the letter
        reminders = world.letters(match_id, "reminder")
        for reminder in reminders:
            assert not delivery.deliver(world.service, world.post, reminder.id)
        sink.to_sender.append("451 4.3.0 later")
        assert not delivery.deliver(world.service, to(sink), letter.id)
        time.pass_unnoticed(days=1)
        for reminder in reminders:
            assert not delivery.deliver(world.service, world.post, reminder.id)
        assert delivery.deliver(world.service, world.post, letter.id)
        assert sent(world, match_id, "reminder") == []
        time.after(hours=13)
        assert [which for _, which in sent(world, match_id, "reminder")] == ["half"]


@pytest.mark.on_postgresql
def test_a_refused_letter_holds_the_clock_and_the_table_is_told(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key, timeout="drop")
        sink.replies.append("554 5.6.0 not such a text")
        assert not delivery.deliver(world.service, to(sink), letter.id)
        assert known(world, letter).status == "dead_letter"
        row = world.awaited(match_id)
        assert (row.held, row.deadline) == ("unsent", None)
        told = world.letters(match_id, "news")
        assert [(x.seat, x.details) for x in told] == [(1 - row.seat, Unsent(about=row.seat))]
        time.after(days=30)
        assert sent(world, match_id, "news") == [(1 - row.seat, "unsent")]
        assert world.awaited(match_id).deadline is None
        with world.service.database.write() as work:
            dead_letters.retry(world.service, work, f"letter-{letter.id}")
        assert delivery.deliver(world.service, to(sink), letter.id)
        assert world.awaited(match_id).deadline == world.service.now() + 72 * HOUR


def test_a_digest_that_is_not_taken_holds_the_clocks_of_its_boards(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key, pace_days=5)
        with world.service.database.write() as work:
            work.session.get_one(Player, letter.player_id).digest_at = 19 * 60
        assert not delivery.deliver(world.service, world.post, letter.id)
        assert known(world, letter).status == "gathered"
        time.pass_unnoticed(hours=1)
        assert not delivery.deliver(world.service, world.post, letter.id)
        (digest,) = world.letters(kind="digest")
        assert known(world, letter).told_in == digest.id
        sink.to_recipient.append("450 4.2.0 later")
        assert not delivery.deliver(world.service, to(sink), digest.id)
        assert world.awaited(match_id).held == "unsent"
        time.pass_unnoticed(days=3)
        assert delivery.deliver(world.service, to(sink), digest.id)
        # The hour until the digest was the reader's own wish.
        assert world.awaited(match_id).deadline == world.service.now() + 119 * HOUR
        assert digests.matches_of(digest) == [match_id]


class Frozen(Postbox):
    """Stops for longer than its claim, before or after the end of the text; then fails."""

    def __init__(self, time: Days, other: Callable[[], bool], *, after: bool) -> None:
        super().__init__()
        self._time, self._other, self._after = time, other, after

    def send(self, sender: str, to: str, message: bytes, before_end: Callable[[], None]) -> None:
        if self._after:
            before_end()
        self._time.pass_unnoticed(minutes=16)
        self._other()
        if not self._after:
            before_end()
        raise NotTaken(SmtpFailure.AFTER_DATA, "timed out")


@pytest.mark.on_postgresql
@pytest.mark.parametrize("after", [False, True])
def test_a_sender_frozen_beyond_its_claim_changes_nothing(
    world: World, game_key: str, after: bool
) -> None:
    with days(world) as time:
        _, letter = started(world, game_key)
        frozen = Frozen(
            time,
            lambda: delivery.deliver(world.service, world.post, letter.id),
            after=after,
        )
        assert not delivery.deliver(world.service, frozen, letter.id)
        found = known(world, letter)
        assert (found.status, found.due_at, found.claim) == ("sent", None, 2)
        assert len(world.post.sent) == 1
        assert (found.failure, found.message) == (None, None)


@pytest.mark.on_postgresql
def test_a_frozen_sender_does_not_mark_what_another_has_claimed(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        _, letter = started(world, game_key)
        dead = Postbox()
        dead.fail_after = KeyboardInterrupt()

        def die() -> bool:
            with pytest.raises(KeyboardInterrupt):
                delivery.deliver(world.service, dead, letter.id)
            return False

        assert not delivery.deliver(world.service, Frozen(time, die, after=True), letter.id)
        found = known(world, letter)
        assert (found.status, found.claim) == ("sending", 2)


@pytest.mark.on_postgresql
def test_a_server_that_fails_is_left_alone_and_tried_by_one(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world) as time:
        letters = [started(world, game_key)[1] for _ in range(6)]
        away = SmtpTransport("smtp://127.0.0.1:1")
        for letter in letters:
            assert not delivery.deliver(world.service, away, letter.id)
        assert [known(world, x).attempts for x in letters] == [1, 1, 1, 0, 0, 0]
        time.pass_unnoticed(seconds=29)
        assert sweep.sweep(world.service)["letters"] == 0, "it is left alone"
        time.pass_unnoticed(seconds=2)
        world.jobs.enqueued.clear()
        sweep.sweep(world.service)
        assert {x.id for x in letters[3:]} <= {i for (i,) in world.jobs.take("mail.deliver")}
        for letter in letters[3:]:
            assert not delivery.deliver(world.service, away, letter.id)
        assert [known(world, x).attempts for x in letters] == [1, 1, 1, 1, 0, 0], "one probes"
        with world.service.database.read() as session:
            assert circuit_breaker.is_open(session, world.service.now() + dt.timedelta(seconds=59))
        time.pass_unnoticed(seconds=61)
        # Longer than the breaker's pause, however long its own wait was drawn.
        with world.service.database.write() as work:
            work.session.get_one(Letter, letters[3].id).due_at = world.service.now() + dt.timedelta(
                hours=1
            )
        world.jobs.enqueued.clear()
        assert delivery.deliver(world.service, to(sink), letters[4].id)
        again = {i for (i,) in world.jobs.take("mail.deliver")}
        assert letters[3].id in again, "what failed is due again at once"
        for letter in letters:
            delivery.deliver(world.service, to(sink), letter.id)
        assert [known(world, x).status for x in letters] == ["sent"] * 6


def test_a_recipient_that_is_refused_does_not_stop_the_others(
    world: World, game_key: str, sink: SmtpSink
) -> None:
    with days(world):
        letters = [started(world, game_key)[1] for _ in range(5)]
        sink.to_recipient += ["450 4.2.2 full"] * 4
        transport = to(sink)
        assert [delivery.deliver(world.service, transport, x.id) for x in letters] == [
            *[False] * 4,
            True,
        ]


@pytest.mark.on_postgresql
def test_a_sent_letter_goes_again_as_it_was_or_under_another_name(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)
        world.post.sent.clear()
        assert delivery.deliver(world.service, world.post, letter.id)
        for name in (None, "Another"):
            time.pass_unnoticed(hours=1)
            with world.service.database.write() as work:
                if name is not None:
                    work.session.get_one(Player, letter.player_id).name = name
                resending.again(world.service, work, work.session.get_one(Letter, letter.id))
            world.hear(mail=True)
        first, same, other = [raw for _, _, raw in world.post.sent]
        assert first == same
        names = [re.findall(rb"Message-ID: (.*)\r\n", raw) for raw in (first, other)]
        assert names[0] != names[1]
        assert known(world, letter).status == "sent"
        assert row_of(world, match_id, letter.decision or "").held is None


@pytest.mark.on_postgresql
def test_an_error_of_ours_makes_a_dead_letter_and_holds_the_clock(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key, timeout="drop")
        monkeypatch.setattr(claims, "render", lambda *_: 1 / 0)
        for _ in range(retriable.LETTERS.limit):
            with pytest.raises(ZeroDivisionError):
                delivery.deliver(world.service, world.post, letter.id)
            if known(world, letter).status == "due":
                when_due(time, letter)
        found = known(world, letter)
        assert (found.status, found.failure) == ("dead_letter", SmtpFailure.OURS)
        monkeypatch.undo()
        time.after(days=9)
        assert world.awaited(match_id).held == "unsent"


def test_the_page_says_why_the_clock_stands_and_refresh_leaves_it(
    world: World, game_key: str
) -> None:
    with days(world):
        match_id, letter = started(world, game_key)
        world.post.fail = NotTaken(SmtpFailure.LOGIN, "535 no")
        assert not delivery.deliver(world.service, world.post, letter.id)
        for paused in (True, False):
            with at(world, match_id) as (work, match):
                match.paused_at = world.service.now() if paused else None
                deadlines.refresh(world.service, work, match)
            assert world.awaited(match_id).held == ("paused" if paused else "unsent")


@pytest.mark.on_postgresql
def test_a_refusal_is_final_only_for_recipient_and_text(world: World, game_key: str) -> None:
    with days(world):
        _, letter = started(world, game_key)
        world.post.fail = Refusal("550 5.1.1 nobody", recipient=True)
        assert not delivery.deliver(world.service, world.post, letter.id)
        found = known(world, letter)
        assert (found.status, found.failure) == ("dead_letter", SmtpFailure.RECIPIENT)
        with world.service.database.read() as session:
            dead = session.scalars(select(Letter.id).where(Letter.status == "dead_letter")).all()
        assert dead == [letter.id]


def test_a_copy_of_a_refused_letter_starts_the_clock(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)
        decision = world.awaited(match_id).decision
        world.post.fail = Refusal("550 5.6.0 content")
        delivery.deliver(world.service, world.post, letter.id)
        assert row_of(world, match_id, decision).held == "unsent"
        world.post.fail = None
        time.pass_unnoticed(hours=1)
        with world.service.database.write() as work:
            again = work.session.get_one(Letter, letter.id)
            resending.again(world.service, work, again, anew=True)
        assert delivery.deliver(world.service, world.post, world.letters(match_id, "turn")[-1].id)
        row = row_of(world, match_id, decision)
        assert (row.held, row.deadline) == (None, world.service.now() + 72 * HOUR)


@pytest.mark.on_postgresql
def test_no_clock_runs_before_the_copy_of_a_refused_letter_is_tried(
    world: World, game_key: str
) -> None:
    """Nor by an answer, which shows what is asked as well, and is refused, too."""
    with days(world):
        match_id, letter = started(world, game_key)
        row = world.awaited(match_id)
        post = Correspondence(world, match_id)
        world.post.fail = Refusal("550 5.6.0 content")
        assert not delivery.deliver(world.service, world.post, letter.id)
        with world.service.database.write() as work:
            refused = work.session.get_one(Letter, letter.id)
            resending.again(world.service, work, refused, anew=True)
        again = world.letters(match_id, "turn")[-1]
        mail = post.reply(row.seat, "status", row.decision)
        (answer,) = post.answers(mail)
        assert answer.decision == row.decision
        world.post.fail = NotTaken(SmtpFailure.RECIPIENT, "450 4.2.0 greylisted")
        assert not delivery.deliver(world.service, world.post, answer.id)
        found = row_of(world, match_id, row.decision)
        assert (found.held, found.deadline) == ("unsent", None)
        world.post.fail = None
        assert delivery.deliver(world.service, world.post, again.id)
        found = row_of(world, match_id, row.decision)
        assert (found.held, found.deadline) == (None, world.service.now() + 72 * HOUR)


def test_a_clock_set_back_leaves_the_mail_server_alone_no_longer(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        _, letter = started(world, game_key)
        for _ in range(8):
            circuit_breaker.failed(world.service)
        world.beat()
        time.set_back(hours=48)
        sweep.sweep(world.service)
        assert delivery.deliver(world.service, world.post, letter.id)


def test_reminders_that_were_tried_fold_into_the_nearest(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)
        assert delivery.deliver(world.service, world.post, letter.id)
        world.post.fail = ConnectionRefusedError("nobody there")
        for _ in range(69):
            time.pass_unnoticed(hours=1)
            sweep.sweep(world.service)
            world.hear(mail=True)
        world.post.fail = None
        for _ in range(6):
            time.pass_unnoticed(minutes=20)
            sweep.sweep(world.service)
            world.hear(mail=True)
        seat = world.awaited(match_id).seat
        left = [x for x in world.letters(match_id, "reminder") if x.seat == seat]
        assert [x.details_as(ReminderDetails).which for x in left if x.status == "sent"] == ["4h"]


@pytest.mark.on_postgresql
def test_what_is_said_after_a_letter_may_have_gone_is_another(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id, letter = started(world, game_key)
        assert delivery.deliver(world.service, world.post, letter.id)
        with at(world, match_id) as (work, match):
            messages.say(world.service, work, match, 0, "First.", "first")
        time.pass_unnoticed(minutes=30)
        said = world.letters(match_id, "message")[-1]
        world.post.fail_after = NotTaken(SmtpFailure.AFTER_DATA, "lost")
        delivery.deliver(world.service, world.post, said.id)
        world.post.fail_after = None
        with world.service.database.write() as work:
            work.session.get_one(Letter, said.id).attempts = 0  # as after `retry`
        with at(world, match_id) as (work, match):
            messages.say(world.service, work, match, 0, "Second.", "second")
        assert len(world.letters(match_id, "message")) == 2


def test_after_a_restore_no_clock_runs_before_its_letter_is_taken(
    world: World, game_key: str, tmp_path: Path
) -> None:
    """The turn letter that had not left is dropped for the one that tells of the restore."""
    with days(world) as time:
        match_id, _ = started(world, game_key, timeout="drop")
        decision = world.awaited(match_id).decision
        world.beat()
        world.post.fail = ConnectionRefusedError("nobody there")
        time.pass_unnoticed(hours=5)  # it lies there, and nobody has even tried
        database, settings = world.service.database, world.service.settings
        version = schema.versions(database)[0] or ""
        backup.write(database, version, tmp_path / "copy", world.service.now())
        database.dispose()
        time.outage(hours=1)
        restore(settings, tmp_path / "copy", replace=True)
        world.service = Service(settings, world.jobs)
        for _ in range(40):
            time.pass_unnoticed(hours=2)
            sweep.sweep(world.service)
            world.hear(mail=True)
        row = row_of(world, match_id, decision)
        assert (row.held, row.deadline, row.expired_at) == ("unsent", None, None)
        assert world.match(match_id).status == "playing"
        world.post.fail = None
        while row_of(world, match_id, decision).held:
            time.pass_unnoticed(hours=1)
            sweep.sweep(world.service)
            world.hear(mail=True)
        deadline = row_of(world, match_id, decision).deadline
        assert deadline is not None
        assert deadline >= world.service.now() + 71 * HOUR

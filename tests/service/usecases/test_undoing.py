"""Taking a turn back: while it is held, and after it was played."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from sqlalchemy import select

from service.core import locks, verdicts
from service.core.errors import Refused
from service.core.letter_details import MessageDetails
from service.core.models import DecisionRow, EntryRow, InboundMail, Letter, Match, Submission
from service.core.statuses import LetterStatus
from service.mail.receive import replying
from service.mail.send import delivery, resending
from service.mail.send.smtp import NotTaken, Refusal, SmtpFailure
from service.matches import journal, moves, undoing
from service.matches.tables import BotSeat, Guest
from service.matches.undoing import Undone
from service.ops import sweep
from service.time import pausing
from tests.support.correspondence import Correspondence
from tests.support.tables import Postbox, World
from tests.support.time import at, days

BEN = Guest(address="ben@example.org", name="Ben")
HOLD = 30


def started(world: World, game_key: str, hold: int = 0, **terms: Any) -> int:
    match_id = world.open([BEN], game_key, **terms)
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id).hold_minutes = hold
    world.everybody_accepts(match_id)
    world.hear()
    return match_id


def fetched(world: World, submission: Submission) -> Submission:
    with world.service.database.read() as session:
        return session.get_one(Submission, submission.id)


def undo(world: World, match_id: int, seat: int) -> Undone:
    with world.service.database.write() as work:
        return undoing.undo(
            world.service, work, locks.lock_number(world.service, work, match_id), seat
        )


def obstacle(world: World, match_id: int, seat: int) -> str | None:
    with world.service.database.read() as session:
        return undoing.obstacle(session, session.get_one(Match, match_id), seat)


def hidden_turn(world: World, match_id: int) -> DecisionRow:
    """A turn is played of which we say that it revealed nothing: whose it was, and what."""
    row = world.awaited(match_id)
    world.submit(match_id)
    world.jobs.enqueued = [job for job in world.jobs.enqueued if job[0] == "moves.play"]
    world.hear()
    with world.changing() as work:
        n = locks.lock_number(world.service, work, match_id).last_entry
        work.session.get_one(EntryRow, (match_id, n)).revealed = False
    return row


def deliver(world: World, mail: InboundMail) -> None:
    """Send the one answer to a mail, and nothing else."""
    (owed,) = Correspondence(world, mail.match_id or 0).answers(mail)
    assert delivery.deliver(world.service, world.post, owed.id)


def test_a_held_turn_is_checked_at_once_and_played_when_its_time_has_come(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key, HOLD)
    now = world.service.now()
    with time_machine.travel(now, tick=False) as clock:
        before = world.awaited(match_id)
        submission = world.submit(match_id)
        world.hear()
        held = fetched(world, submission)
        assert (held.status, held.verdict) == ("held", verdicts.Held(replaced=False))
        assert held.held_until == held.pending_since == now + dt.timedelta(minutes=HOLD)
        assert world.awaited(match_id).decision == before.decision
        assert world.match(match_id).last_entry == 0
        clock.shift(dt.timedelta(minutes=HOLD - 1))
        assert sweep.sweep(world.service)["moves"] == 0
        moves.play(world.service, submission.id)
        assert fetched(world, submission).status == "held"
        clock.shift(dt.timedelta(minutes=2))
        assert sweep.sweep(world.service)["moves"] == 1
        world.hear()
    assert fetched(world, submission).status == "played"
    assert world.match(match_id).last_entry == 1


def test_a_turn_that_cannot_be_played_is_refused_before_it_is_held(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key, HOLD)
    good = world.submit(match_id)
    world.hear()
    bad = world.submit(match_id, "hop hop")
    world.hear()
    assert fetched(world, bad).status == "refused"
    still = verdicts.Held(replaced=False)
    assert fetched(world, good).verdict == still, "a slip takes nothing back"


def test_a_newer_turn_takes_the_place_of_the_one_that_is_held(world: World, game_key: str) -> None:
    match_id = started(world, game_key, HOLD)
    first, second = world.submit(match_id), world.submit(match_id)
    world.hear()
    assert (fetched(world, first).status, fetched(world, first).verdict) == (
        "withdrawn",
        verdicts.Replaced(),
    )
    with world.service.database.read() as session:
        match = session.get_one(Match, match_id)
        found = moves.waiting(session, match, second.decision)
        assert found is not None
        assert found.id == second.id


def test_a_held_turn_can_be_played_now(world: World, game_key: str) -> None:
    match_id = started(world, game_key, HOLD)
    submission = world.submit(match_id)
    world.hear()
    for _ in range(2):
        with world.changing() as work:
            held = work.session.get_one(Submission, submission.id)
            moves.release(world.service, work, held)
        world.hear()
        assert fetched(world, submission).status == "played"
        assert fetched(world, submission).pending_since is None
    assert world.match(match_id).last_entry == 1


def test_no_turn_is_held_beyond_its_deadline(world: World, game_key: str) -> None:
    match_id = started(world, game_key, HOLD)
    row = world.awaited(match_id)
    soon = world.service.now() + dt.timedelta(minutes=10)
    with world.changing() as work:
        work.session.get_one(DecisionRow, (match_id, row.decision)).deadline = soon
    assert world.submit(match_id).held_until == soon
    with world.changing() as work:
        late = world.service.now() - dt.timedelta(minutes=1)
        work.session.get_one(DecisionRow, (match_id, row.decision)).deadline = late
    assert world.submit(match_id).held_until is None


@pytest.mark.on_postgresql
def test_bots_are_not_held(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="random")], game_key)
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id).hold_minutes = HOLD
    world.hear()
    assert world.awaited(match_id).seat == 0
    with world.changing() as work:
        asked = work.session.get_one(DecisionRow, (match_id, world.awaited(match_id).decision))
        asked.expired_at = world.service.now()
    submission = world.submit(match_id, source="default")
    world.hear()
    assert fetched(world, submission).status == "played"
    with world.service.database.read() as session:
        assert (
            session.scalars(
                select(Submission.held_until).where(Submission.held_until.is_not(None))
            ).all()
            == []
        )


def test_a_held_turn_is_taken_back_and_leaves_no_trace(world: World, game_key: str) -> None:
    match_id = started(world, game_key, HOLD)
    row = world.awaited(match_id)
    submission = world.submit(match_id)
    world.hear()
    letters = len(world.letters(match_id))
    assert obstacle(world, match_id, row.seat) is None
    undone = undo(world, match_id, row.seat)
    assert undone == Undone(
        how="withdrawn",
        decision=row.decision,
        body=submission.body,
        submission=submission.code,
    )
    moves.play(world.service, submission.id)
    with time_machine.travel(world.service.now() + dt.timedelta(days=1)):
        sweep.sweep(world.service)
        world.hear()
    assert fetched(world, submission).status == "withdrawn"
    assert world.match(match_id).last_entry == 0
    assert world.awaited(match_id).decision == row.decision
    assert len(world.letters(match_id)) == letters
    with pytest.raises(Refused, match="nothing_to_undo"):
        undo(world, match_id, row.seat)


def test_another_seat_takes_nothing_of_mine_back(world: World, game_key: str) -> None:
    match_id = started(world, game_key, HOLD)
    row = world.awaited(match_id)
    submission = world.submit(match_id)
    world.hear()
    assert obstacle(world, match_id, 1 - row.seat) == "nothing_to_undo"
    with pytest.raises(Refused, match="nothing_to_undo"):
        undo(world, match_id, 1 - row.seat)
    assert fetched(world, submission).status == "held"


def test_a_played_turn_is_taken_back_before_anybody_was_shown_it(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key)
    before = world.awaited(match_id)
    sent = {letter.id for letter in world.letters(match_id)}
    row = hidden_turn(world, match_id)
    assert world.awaited(match_id).seat != row.seat
    assert obstacle(world, match_id, row.seat) is None
    undone = undo(world, match_id, row.seat)
    assert (undone.how, undone.decision) == ("taken back", row.decision)
    match = world.match(match_id)
    assert match.last_entry == 0
    again = world.awaited(match_id)
    assert (again.decision, again.seat, again.deadline) == (
        before.decision,
        before.seat,
        before.deadline,
    )
    assert {letter.id for letter in world.letters(match_id)} == sent
    # The match goes on as if nothing had been.
    world.submit(match_id)
    world.hear(mail=True)
    assert world.match(match_id).last_entry == 1
    following = world.awaited(match_id)
    (letter,) = [x for x in world.letters(match_id, "turn") if x.entry == 1]
    assert (letter.decision, letter.status) == (following.decision, "sent")
    with world.service.database.read() as session:
        assert journal.position(session, match, 1).n == 1


@pytest.mark.parametrize("long_after", [False, True])
def test_a_pause_between_is_not_charged_to_who_takes_a_turn_back(
    world: World, game_key: str, long_after: bool
) -> None:
    """The turn is made an hour after it was asked; the match stands for four of its three days."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        asked = world.awaited(match_id)
        time.send()
        time.pass_unnoticed(hours=1)
        row = hidden_turn(world, match_id)
        with at(world, match_id) as (work, match):
            pausing.ask(world.service, work, match, 0, 5)
            pausing.answer(world.service, work, match, 1, True)
        time.pass_unnoticed(days=4)
        if not long_after:
            undo(world, match_id, row.seat)
            assert world.awaited(match_id).held == "paused"
        with at(world, match_id) as (work, match):
            pausing.resume(world.service, work, match, 0)
        if long_after:
            undo(world, match_id, row.seat)
        again = world.awaited(match_id)
        assert (again.decision, again.held) == (asked.decision, None)
        assert again.deadline == world.service.now() + dt.timedelta(days=3, hours=-1)


def test_what_was_revealed_stays(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = hidden_turn(world, match_id)
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, 1)).revealed = True
    assert obstacle(world, match_id, row.seat) == "too_late_revealed"
    with pytest.raises(Refused, match="too_late_revealed"):
        undo(world, match_id, row.seat)
    assert world.match(match_id).last_entry == 1


def test_the_journal_says_what_was_revealed(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    world.submit(match_id)
    world.hear()
    with world.service.database.read() as session:
        entry = session.get_one(EntryRow, (match_id, 1))
        told = [event.kind for event in journal.events_of(entry)]
        assert entry.revealed == ("revealed" in told)


@pytest.mark.on_postgresql
@pytest.mark.parametrize("how", ["letter", "page", "watched", "left"])
def test_what_others_were_shown_stays(world: World, game_key: str, how: str) -> None:
    match_id = started(world, game_key)
    row = hidden_turn(world, match_id)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        if how == "letter":
            work.session.scalars(
                select(Letter).where(Letter.entry == 1, Letter.kind == "turn")
            ).one().status = LetterStatus.SENDING
        elif how == "page":
            match.seats[1 - row.seat].seen_entry = 1
        elif how == "watched":
            match.watched_entry = 1
        else:
            match.seats[1 - row.seat].left_entry = 1
    assert obstacle(world, match_id, row.seat) == "too_late_shown"
    with pytest.raises(Refused, match="too_late_shown"):
        undo(world, match_id, row.seat)
    assert world.match(match_id).last_entry == 1


@pytest.mark.on_postgresql
def test_my_own_look_at_it_and_words_to_the_table_do_not_count(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = hidden_turn(world, match_id)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        match.seats[row.seat].seen_entry = 1
        letter = work.session.scalars(
            select(Letter).where(Letter.entry == 1, Letter.kind == "turn")
        ).one()
        said = {
            c.key: getattr(letter, c.key) for c in Letter.__table__.columns if c.key != "id"
        } | {
            "kind": "message",
            "dedupe": "message",
            "decision": None,
            "details": MessageDetails(messages=()),
            "status": "sent",
        }
        work.session.add(Letter(**said))
    undo(world, match_id, row.seat)
    assert world.match(match_id).seats[row.seat].seen_entry == 0
    (message,) = world.letters(match_id, "message")
    assert message.entry == 0, "it is of a position that there is"


@pytest.mark.parametrize(
    ("status", "stays"),
    [
        ("due", False),
        ("gathered", False),
        ("suppressed", False),
        ("dropped", False),
        ("dead_letter", False),
        ("sending", True),
        ("sent", True),
    ],
)
def test_a_letter_counts_once_the_mail_server_may_have_it(
    world: World, game_key: str, status: str, stays: bool
) -> None:
    match_id = started(world, game_key)
    row = hidden_turn(world, match_id)
    with world.service.database.write() as work:
        work.session.scalars(
            select(Letter).where(Letter.entry == 1, Letter.kind == "turn")
        ).one().status = LetterStatus(status)
    assert obstacle(world, match_id, row.seat) == ("too_late_shown" if stays else None)
    if not stays:
        undo(world, match_id, row.seat)
        assert world.match(match_id).last_entry == 0


@pytest.mark.parametrize("fails", [False, True])
def test_a_letter_that_is_to_be_sent_again_has_been_sent(
    world: World, game_key: str, fails: bool
) -> None:
    match_id = started(world, game_key)
    row = hidden_turn(world, match_id)
    (letter,) = [x for x in world.letters(match_id, "turn") if x.entry == 1]
    assert delivery.deliver(world.service, world.post, letter.id)
    with world.service.database.write() as work:
        resending.again(world.service, work, work.session.get_one(Letter, letter.id))
    if fails:
        world.post.fail = Refusal("550 5.7.1 not this time")
        assert not delivery.deliver(world.service, world.post, letter.id)
    assert obstacle(world, match_id, row.seat) == "too_late_shown"


@pytest.mark.parametrize("words", ["board", "history", "status"])
def test_an_answer_shows_the_turn_to_another_but_not_to_who_played_it(
    world: World, game_key: str, words: str
) -> None:
    match_id = started(world, game_key)
    post = Correspondence(world, match_id)
    row = hidden_turn(world, match_id)
    deliver(world, post.reply(row.seat, words))
    assert obstacle(world, match_id, row.seat) is None
    mail = post.reply(1 - row.seat, words)
    assert obstacle(world, match_id, row.seat) is None, "nobody has it yet"
    deliver(world, mail)
    assert obstacle(world, match_id, row.seat) == "too_late_shown"


@pytest.mark.on_postgresql
def test_an_answer_that_is_owed_is_still_sent(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    post = Correspondence(world, match_id)
    row = hidden_turn(world, match_id)
    mail = post.reply(1 - row.seat, "board")
    (owed,) = post.answers(mail)
    assert (owed.entry, owed.decision) == (1, world.awaited(match_id).decision)
    undo(world, match_id, row.seat)
    deliver(world, mail)
    (answer,) = post.answers(mail)
    assert (answer.status, answer.entry, answer.decision) == ("sent", 0, None)
    assert obstacle(world, match_id, row.seat) == "nothing_to_undo"


@pytest.mark.on_postgresql
def test_an_answer_does_not_say_that_a_turn_taken_back_was_played(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key)
    post = Correspondence(world, match_id)
    row = world.awaited(match_id)
    mail = post.reply(row.seat, world.legal_turn(match_id, row.seat, row.decision))
    assert post.answer(mail).codes == ["played"]
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, 1)).revealed = False
    undo(world, match_id, row.seat)
    assert post.answer(mail).codes == ["withdrawn"]


@pytest.mark.on_postgresql
def test_a_mail_is_handled_after_an_answer_told_of_a_turn_taken_back(
    world: World, game_key: str
) -> None:
    """What it may quote is written again, without the turn."""
    match_id = started(world, game_key)
    post = Correspondence(world, match_id)
    row = world.awaited(match_id)
    turn = post.reply(row.seat, world.legal_turn(match_id, row.seat, row.decision))
    deliver(world, turn)
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, 1)).revealed = False
    undo(world, match_id, row.seat)
    mail = post.reply(row.seat, "history", in_reply_to=post.answer(turn)["Message-ID"])
    assert post.answer(mail).codes == ["history"]


def test_an_answer_on_its_way_and_not_taken_does_not_say_that_a_turn_taken_back_was_played(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key)
    post = Correspondence(world, match_id)
    row = world.awaited(match_id)
    mail = post.reply(row.seat, world.legal_turn(match_id, row.seat, row.decision))
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, 1)).revealed = False

    class Away(Postbox):
        def send(
            self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
        ) -> None:
            undo(world, match_id, row.seat)
            raise NotTaken(SmtpFailure.CONNECT, "no route to host")

    (owed,) = post.answers(mail)
    assert not delivery.deliver(world.service, Away(), owed.id)
    assert post.answer(mail).codes == ["withdrawn"]


def test_a_mail_is_answered_as_the_match_stands_after_a_turn_is_taken_back(
    world: World, game_key: str
) -> None:
    """The turn goes back while the mail it came in is being answered."""
    match_id = started(world, game_key)
    post = Correspondence(world, match_id)
    row = world.awaited(match_id)
    stored = post.take(post.written("ana@example.org", post.address(0), "-"), post.address(0))
    submission = world.submit(match_id)
    moves.play(world.service, submission.id)
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, 1)).revealed = False
        mail = work.session.get_one(InboundMail, stored)
        mail.player_id = world.match(match_id).seats[row.seat].player_id

    def conclude() -> None:
        with world.service.database.write() as work:
            mine = work.session.get_one(InboundMail, stored)
            turn = work.session.get_one(Submission, submission.id)
            replying.conclude(world.service, work, mine, turn)

    answering = threading.Thread(target=conclude)
    with world.service.database.write() as work:
        undoing.undo(
            world.service, work, locks.lock_number(world.service, work, match_id), row.seat
        )
        answering.start()
        answering.join(0.3)
        assert answering.is_alive(), "it waits for the match"
    answering.join(300)
    answer = post.answer(mail)
    assert (answer.letter.entry, answer.codes) == (0, ["withdrawn"])


def test_a_bot_that_began_to_think_thinks_again(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="random")], game_key)
    world.hear()
    last = world.match(match_id).last_entry
    submission = world.submit(match_id)
    moves.play(world.service, submission.id)
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, last + 1)).revealed = False
    jobs = world.jobs.take("moves.bot")
    assert jobs
    undo(world, match_id, 0)
    world.jobs.enqueued += [("moves.bot", job) for job in jobs]
    world.hear()
    assert world.match(match_id).last_entry == last
    world.submit(match_id)
    world.hear()
    assert world.match(match_id).last_entry == last + 2
    with world.service.database.read() as session:
        causes = [str(row.cause) for row in journal.rows(session, world.match(match_id), last + 1)]
    assert causes == ["player", "bot:random"]

"""Each letter reaches the MTA at least once, and always as the same bytes."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable

import pytest
import time_machine
from sqlalchemy import delete, event, select

from service.core import locks, retriable
from service.core.letter_details import DigestBoard, DigestDetails
from service.core.models import Key, Letter
from service.core.statuses import LetterKind, LetterStatus
from service.mail.send import claims, delivery, failures
from service.mail.send.smtp import Refusal, SmtpFailure
from service.matches import hosting
from service.matches.tables import Guest, answer
from service.ops import sweep
from service.outgoing.outbox import owe
from service.players.accounts import ask_sign_in
from tests.support.correspondence import Correspondence
from tests.support.tables import Postbox, World

pytestmark = pytest.mark.on_postgresql

MOST_READ = 13
"""Statements that read, for one letter, on PostgreSQL with its locks."""

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")


def invited(world: World, game_key: str) -> int:
    world.open([BEN], game_key)
    (job,) = world.jobs.take("mail.deliver")
    return int(job[0])


def letter(world: World, letter_id: int) -> Letter:
    with world.service.database.read() as session:
        return session.get_one(Letter, letter_id)


def test_a_letter_is_sent_once(world: World, game_key: str) -> None:
    number = invited(world, game_key)
    assert delivery.deliver(world.service, world.post, number)
    assert not delivery.deliver(world.service, world.post, number)
    assert [to for _, to, _ in world.post.sent] == ["ben@example.org"]
    found = letter(world, number)
    assert (found.status, found.due_at) == ("sent", None)


def test_a_failure_waits_longer_each_time(world: World, game_key: str) -> None:
    number = invited(world, game_key)
    world.post.fail = ConnectionRefusedError("no MTA")
    start = world.service.now()
    waits = []
    for _ in range(3):
        with time_machine.travel(start):
            assert not delivery.deliver(world.service, world.post, number)
            due = letter(world, number).due_at
            assert due is not None
            waits.append(round((due - start).total_seconds() / 60))
            start = due + dt.timedelta(seconds=30)
    world.post.fail = None
    with time_machine.travel(start):
        assert sweep.sweep(world.service)["letters"] == 1
        assert delivery.deliver(world.service, world.post, number)
    assert waits == [1, 2, 4]
    assert len(world.post.sent) == 1


@pytest.mark.parametrize("after", [False, True])
def test_a_sender_that_died_is_followed_by_another_with_the_same_bytes(
    world: World, game_key: str, after: bool
) -> None:
    """Whether it died before the end of the text or after it: nobody knows."""
    number = invited(world, game_key)
    start = world.service.now()
    handed: list[bytes] = []

    class Dying(Postbox):
        """Hands the letter over, and dies before it can say so."""

        def send(
            self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
        ) -> None:
            if after:
                before_end()
            handed.append(message)
            raise KeyboardInterrupt

    for days in (0, 1, 2):
        with time_machine.travel(start + dt.timedelta(days=days)):
            with pytest.raises(KeyboardInterrupt):
                delivery.deliver(world.service, Dying(), number)
            found = letter(world, number)
            assert (found.status, found.message is not None) == ("sending", True)
            assert not delivery.deliver(world.service, world.post, number), "it is still claimed"
    with time_machine.travel(start + dt.timedelta(days=3)):
        assert delivery.deliver(world.service, world.post, number)
    assert {*handed} == {message for _, _, message in world.post.sent}
    found = letter(world, number)
    assert (found.status, found.message) == ("sent", None)
    assert found.fingerprint == hashlib.sha256(handed[0]).digest()


def test_a_refused_letter_is_a_dead_letter_with_the_reason(world: World, game_key: str) -> None:
    number = invited(world, game_key)
    world.post.fail = Refusal("550 no such user")
    assert not delivery.deliver(world.service, world.post, number)
    found = letter(world, number)
    assert (found.status, found.error, found.due_at) == ("dead_letter", "550 no such user", None)


def test_a_server_that_is_away_is_asked_for_as_long_as_it_takes(
    world: World, game_key: str
) -> None:
    number = invited(world, game_key)
    world.post.fail = TimeoutError("slow")
    start = now = world.service.now()
    waits = []
    while now < start + dt.timedelta(days=3):
        with time_machine.travel(now, tick=False):
            delivery.deliver(world.service, world.post, number)
        found = letter(world, number)
        assert found.status == "due"
        assert found.due_at is not None
        waits.append((found.due_at - now) / dt.timedelta(hours=1))
        now = found.due_at + dt.timedelta(minutes=15)
    assert found.failure == SmtpFailure.TIMEOUT
    assert 4 <= max(waits) <= 4.4
    world.post.fail = None
    with time_machine.travel(now, tick=False):
        assert delivery.deliver(world.service, world.post, number)
    found = letter(world, number)
    assert (found.status, found.failure, found.error) == ("sent", None, None)


def test_nothing_but_what_they_ask_for_goes_to_a_suppressed_address(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN, Guest(address="cam@example.org")], game_key)
    ben = world.player("ben@example.org")
    token = world.service.keys.token("invitation", match_id, ben.id)
    with world.service.database.write() as work:
        answer(world.service, work, token, "never")
    with world.service.database.write() as work:
        ask_sign_in(world.service, work, "ben@example.org", "fr")
    kinds = [(x.kind, x.status) for x in world.letters() if x.player_id == ben.id]
    assert kinds == [("invitation", "due"), ("signin", "due")]


def test_a_letter_all_senders_die_over_is_a_dead_letter(world: World, game_key: str) -> None:
    number = invited(world, game_key)
    with world.service.database.write() as work:
        # What is left when the process is killed between claim and mark, time and again
        work.session.get_one(Letter, number).faults = retriable.LETTERS.limit
    assert not delivery.deliver(world.service, world.post, number)
    assert letter(world, number).status == "dead_letter"
    assert world.post.sent == []


def test_a_letter_all_senders_die_over_while_they_write_it_is_a_dead_letter(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = invited(world, game_key)

    def die(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(claims, "render", die)
    for _ in range(retriable.LETTERS.limit):
        assert letter(world, number).status == "due"
        with pytest.raises(KeyboardInterrupt):
            delivery.deliver(world.service, world.post, number)
        # As the task does that the broker gives to the next worker.
        failures.count_death(world.service, number)
    found = letter(world, number)
    assert (found.status, found.failure) == ("dead_letter", SmtpFailure.OURS)


def test_an_invitation_that_waits_is_not_sent_once_nobody_wants_it(
    world: World, game_key: str
) -> None:
    number = invited(world, game_key)
    ben = world.player("ben@example.org")
    match_id = letter(world, number).match_id
    token = world.service.keys.token("invitation", match_id, ben.id)
    with world.service.database.write() as work:
        answer(world.service, work, token, "never")
    assert not delivery.deliver(world.service, world.post, number)
    assert letter(world, number).status == "suppressed"
    assert world.post.sent == []


def test_who_has_given_the_seat_up_is_told_no_more_of_it(world: World, game_key: str) -> None:
    """A letter that failed on its way, or was a dead letter, comes after the change."""
    match_id = world.begun([BEN], game_key)
    world.hear(mail=True)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        seat = next(row for row in match.seats if row.player_id != match.host_id)
        assert seat.seat is not None
        hosting.replace(world.service, work, match, seat.seat, Guest(address="zoe@example.org"))
    zoe = world.player("zoe@example.org")
    with world.service.database.write() as work:
        answer(
            world.service, work, world.service.keys.token("invitation", match_id, zoe.id), "accept"
        )
    world.hear(mail=True)
    letters = [x for x in world.letters(match_id) if x.kind in ("start", "turn")]
    late = next(x for x in letters if x.player.email == "ben@example.org")
    with world.service.database.write() as work:
        found = work.session.get_one(Letter, late.id)
        found.status, found.due_at = LetterStatus.DUE, world.service.now()
        board = DigestBoard(match=match_id, seat=seat.seat, decision="t1", entry=0)
        details = DigestDetails(boards=(board,), letters=(late.id,))
        owe(
            world.service,
            work,
            LetterKind.DIGEST,
            late.player,
            dedupe="digest.late",
            details=details,
        )
    (digest,) = world.letters(kind="digest")
    world.post.sent.clear()
    for number in (late.id, digest.id):
        assert not delivery.deliver(world.service, world.post, number)
        assert (letter(world, number).status, letter(world, number).due_at) == ("dropped", None)
    assert world.post.sent == []


def test_a_match_that_began_before_there_were_reply_addresses(world: World, game_key: str) -> None:
    match_id = world.open([BEN], game_key)
    with world.service.database.write() as work:
        work.session.execute(delete(Key).where(Key.purpose == "reply"))
    table = Correspondence(world, match_id)
    guest = world.player("ben@example.org").id
    world.hear(mail=True)  # the invitation goes out with an address
    assert table.send("ben@example.org", table.guest_address(guest), "status").verdict == "word"
    world.everybody_accepts(match_id)
    with world.service.database.write() as work:
        work.session.execute(delete(Key).where(Key.purpose == "reply"))
    asked = world.awaited(match_id)
    # Its address is what we would make, so it is good before it has been issued.
    assert table.reply(asked.seat, "status", asked.decision).verdict == "word"
    world.hear(mail=True)
    other = 1 - asked.seat
    assert table.reply(other, "status").verdict == "word"
    assert table.reply(asked.seat, "1", asked.decision).verdict == "played"


def test_a_turn_letter_reads_each_row_about_once(world: World, game_key: str) -> None:
    """A worker's time is mostly statements and templates: what looks a row up again is felt."""
    match_id = world.begun([BEN], game_key)
    with world.service.database.read() as session:
        asked = select(Letter.id).where(Letter.match_id == match_id, Letter.kind == "turn")
        number = session.scalars(asked).one()
    statements: list[str] = []

    def note(*given: object) -> None:
        statements.append(str(given[2]))

    engine = world.service.database.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        assert delivery.deliver(world.service, world.post, number)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert len([each for each in statements if each.startswith("SELECT")]) <= MOST_READ, statements

"""The next player's letter, written and claimed in the transaction of the turn: it leaves at least
once, one Message-ID is the same bytes, and nothing about it holds up a turn.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from email import message_from_bytes
from functools import partial

import pytest

from service.core.models import Letter
from service.core.statuses import LetterStatus
from service.mail.render import render
from service.mail.send import circuit_breaker, claims, delivery
from service.mail.send.smtp import NotTaken, SmtpFailure
from service.matches import moves
from service.matches.tables import Guest
from service.ops import sweep
from tests.support.tables import Postbox, World
from tests.support.time import at, clock_of, days, player_of

pytestmark = pytest.mark.both_databases

BEN = Guest(address="ben@example.org", name="Ben", lang="en")
Job = tuple[int, ...]


def begun(world: World, game_key: str) -> int:
    """A table of two people who have got all their letters; from here on the next player's are
    claimed by who plays the turn.
    """
    match_id = world.begun([BEN], game_key, pace_days=3)
    world.hear(mail=True)
    world.post.sent.clear()
    world.service.claim_ahead = partial(claims.claim_ahead, world.service)
    return match_id


def played(world: World, match_id: int) -> Job:
    """The job of the letter that a turn leads to."""
    assert moves.play(world.service, world.submit(match_id).id).status == "played"
    world.jobs.take("moves.play")
    (job,) = world.jobs.take("mail.deliver")
    return job


def newest(world: World, match_id: int) -> Letter:
    return world.letters(match_id, "turn")[-1]


def deliver(world: World, *job: int) -> bool:
    return delivery.deliver(world.service, world.post, *job)


def ids(world: World) -> list[str]:
    """The Message-ID of every letter that was sent."""
    return [str(message_from_bytes(each)["Message-ID"]) for _, _, each in world.post.sent]


def test_the_bytes_are_those_that_would_be_written_after_it(world: World, game_key: str) -> None:
    match_id = begun(world, game_key)
    for _ in range(3):
        job = played(world, match_id)
        letter = newest(world, match_id)
        assert job == (letter.id, 1)
        assert letter.status == LetterStatus.SENDING
        with world.service.database.read() as session:
            anew = render(world.service, session, session.get_one(Letter, letter.id))
        assert deliver(world, *job)
        assert world.post.sent[-1][2] == anew
        assert not deliver(world, *job), "a job that comes twice"
        found = newest(world, match_id)
        assert (found.status, found.message, found.attempts) == ("sent", None, 0)
    assert len(set(ids(world))) == 3


def test_a_lost_job_is_made_up_for_by_the_sweep(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = begun(world, game_key)
        number, claim = played(world, match_id)
        kept = newest(world, match_id).message
        assert kept is not None
        assert not deliver(world, number), "nobody else sends it meanwhile"
        time.pass_unnoticed(seconds=(claims.AHEAD_FOR + sweep.PATIENCE).total_seconds() + 1)
        sweep.sweep(world.service)
        assert world.jobs.take("mail.deliver") == [(number,)]
        assert deliver(world, number)
        assert [each for _, _, each in world.post.sent] == [zlib.decompress(kept)]
        assert not deliver(world, number, claim)
        assert len(world.post.sent) == 1


def test_who_comes_late_to_a_letter_nobody_has_begun_on_writes_it_anew(
    world: World, game_key: str
) -> None:
    """The mailer was away for an hour: the letter tells the deadline as it is by now."""
    with days(world) as time:
        match_id = begun(world, game_key)
        job = played(world, match_id)
        before = newest(world, match_id)
        assert before.message is not None
        time.pass_unnoticed(hours=1)
        assert deliver(world, *job)
        ((_, _, sent),) = world.post.sent
        assert sent != zlib.decompress(before.message)
        assert clock_of(world, match_id) == "2026-11-26 19:00"
        assert b"19:00" in sent
        assert newest(world, match_id).claim == 2


def test_what_a_broker_that_was_set_back_gives_again_has_another_name(
    world: World, game_key: str
) -> None:
    """The machine goes down when the letter has just left, and neither sender nor broker knows it:
    other bytes do not come under its Message-ID.
    """
    with days(world) as time:
        match_id = begun(world, game_key)
        job = played(world, match_id)

        class Cut(Postbox):
            def send(
                self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
            ) -> None:
                world.post.send(sender, to, message, before_end)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            delivery.deliver(world.service, Cut(), *job)
        time.pass_unnoticed(hours=1)
        assert deliver(world, *job)
        (_, _, first), (_, _, again) = world.post.sent
        assert first != again
        assert len(set(ids(world))) == 2


def test_what_is_refused_to_one_who_was_given_its_job_and_taken_of_another_has_another_name(
    world: World, game_key: str
) -> None:
    """A broker that gives a job twice gives it to two at once. One dies when the letter has left,
    and the other cannot know that: what is written later does not come under its Message-ID.
    """
    with days(world) as time:
        match_id = begun(world, game_key)
        number, claim = played(world, match_id)
        other = Postbox()
        other.fail = NotTaken(SmtpFailure.CONNECT, "no route to host")

        class Cut(Postbox):
            def send(
                self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
            ) -> None:
                world.post.send(sender, to, message, before_end)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            delivery.deliver(world.service, Cut(), number, claim)
        assert not delivery.deliver(world.service, other, number, claim)
        time.pass_unnoticed(hours=1)
        assert deliver(world, number)
        (_, _, first), (_, _, again) = world.post.sent
        assert first != again
        assert len(set(ids(world))) == 2


def test_a_sender_frozen_beyond_it_sends_nothing(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = begun(world, game_key)
        number, claim = played(world, match_id)

        class Frozen(Postbox):
            def send(
                self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
            ) -> None:
                time.pass_unnoticed(minutes=5)
                assert deliver(world, number)
                before_end()
                raise AssertionError("the claim is lost")

        assert not delivery.deliver(world.service, Frozen(), number, claim)
        assert len(world.post.sent) == 1
        found = newest(world, match_id)
        assert (found.status, found.claim) == ("sent", 2)


def test_a_reply_that_is_not_prompt_prolongs_it(world: World, game_key: str) -> None:
    """The mail server takes ten minutes over the letter, and nobody else sends it."""
    with days(world) as time:
        match_id = begun(world, game_key)
        job = played(world, match_id)

        class Slow(Postbox):
            def send(
                self, sender: str, to: str, message: bytes, before_end: Callable[[], None]
            ) -> None:
                before_end()
                time.pass_unnoticed(seconds=claims.SOON.total_seconds() + 1)
                before_end()
                time.pass_unnoticed(minutes=10)
                assert not deliver(world, job[0])
                super().send(sender, to, message, lambda: None)

        slow = Slow()
        assert delivery.deliver(world.service, slow, *job)
        assert len(slow.sent) == 1
        assert world.post.sent == []
        assert newest(world, match_id).status == "sent"


def test_one_that_cannot_be_written_holds_up_no_turn(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = begun(world, game_key)
    monkeypatch.setattr(claims, "render", lambda *_: 1 / 0)
    (number,) = played(world, match_id)
    found = newest(world, match_id)
    assert (found.status, found.message, found.claim) == ("due", None, 0)
    monkeypatch.undo()
    assert deliver(world, number)


def test_a_turn_somebody_died_over_is_played_by_itself(world: World, game_key: str) -> None:
    """Its letter may have been why."""
    match_id = begun(world, game_key)
    submission = world.submit(match_id).id
    moves.count_attempt(world.service, submission)
    assert moves.play(world.service, submission).status == "played"
    ((number,),) = world.jobs.take("mail.deliver")
    assert newest(world, match_id).status == "due"
    assert deliver(world, number)


@pytest.mark.parametrize("why", ["the server has failed", "quiet hours", "muted", "digest"])
def test_what_is_to_wait_is_left_to_the_mailer(world: World, game_key: str, why: str) -> None:
    with days(world):
        match_id = begun(world, game_key)
        with at(world, match_id) as (work, match):
            for seat in (0, 1):
                player = player_of(work, match, seat)
                if why == "quiet hours":
                    player.quiet_from, player.quiet_to = 0, 1439
                elif why == "digest":
                    player.digest_at = 480
                elif why == "muted":
                    match.seats[seat].muted_at = world.service.now()
        if why == "the server has failed":
            circuit_breaker.failed(world.service)
        assert moves.play(world.service, world.submit(match_id).id).status == "played"
        assert {len(job) for job in world.jobs.take("mail.deliver")} <= {1}
        found = newest(world, match_id)
        assert (found.claim, found.message) == (0, None)

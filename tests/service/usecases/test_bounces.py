"""Letters that come back: when an address is given up, who is told, and how it comes to life."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from service.core.letter_details import News, SignInDetails, Unreachable
from service.core.models import Letter, Player
from service.core.statuses import StopReason
from service.mail.parse.reports import Failure
from service.mail.send import delivery
from service.mail.send.smtp import Refusal
from service.matches.tables import Guest
from service.players import bounces, preferences
from service.players.accounts import ask_sign_in, sign_in
from tests.support.tables import World

BEN = "ben@example.org"
NOON = dt.datetime(2026, 11, 21, 11, 0, tzinfo=dt.UTC)
HARD = Failure(recipient=BEN, status="5.1.1", hard=True, diagnostic="no such user")
SOFT = Failure(recipient=BEN, status="4.2.2", hard=False, diagnostic="mailbox full")


def table(world: World, game_key: str) -> int:
    """A match of Ana and Ben; its id."""
    return world.begun([Guest(address=BEN, name="Ben")], game_key)


def report(world: World, failure: Failure, number: int) -> None:
    """A report about the letter of this number (one of Ben's)."""
    ben = world.player(BEN)
    with world.service.database.write() as work:
        dedupe = f"test.{number}"
        letter = work.session.query(Letter).filter_by(dedupe=dedupe).one_or_none()
        if letter is None:
            letter = Letter(
                dedupe=dedupe,
                kind="news",
                player_id=ben.id,
                details=Unreachable(about=0),
                status="sent",
                created_at=world.service.now(),
            )
            work.session.add(letter)
            work.session.flush()
        bounces.count(world.service, work, letter, [failure])


def stopped(world: World) -> bool:
    return world.player(BEN).stopped_at is not None


def told(world: World, match_id: int) -> list[tuple[str, str]]:
    """The news of the table: to whom, and what."""
    return [
        (letter.player.name, letter.details_as(News).code)
        for letter in world.letters(match_id, "news")
    ]


def test_two_hard_failures_within_days_stop_the_mail(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        report(world, HARD, 1)
        assert not stopped(world)
        clock.shift(dt.timedelta(days=2))
        report(world, HARD, 2)
        assert stopped(world)
        assert world.player(BEN).stopped_why == "bounces"
        assert told(world, match_id) == [("Ana", "unreachable")]


def test_a_failure_fades(world: World) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        report(world, HARD, 1)
        clock.shift(dt.timedelta(days=7))
        assert bounces.faded(world.player(BEN), world.service.now().timestamp()) == 0.5
        clock.shift(dt.timedelta(days=7))
        report(world, HARD, 2)
        assert not stopped(world)
        assert world.player(BEN).bounce_score == 1.25


def test_soft_failures_count_a_quarter(world: World) -> None:
    with time_machine.travel(NOON, tick=False):
        for number in range(7):
            report(world, SOFT, number)
        assert not stopped(world)
        report(world, SOFT, 8)
        assert stopped(world)


def test_a_letter_counts_once_however_often_it_is_reported(world: World) -> None:
    with time_machine.travel(NOON, tick=False):
        for _ in range(5):
            report(world, HARD, 1)
        assert not stopped(world)
        assert world.player(BEN).bounce_score == 1.0


def test_a_dead_address_holds_the_clock_and_gets_nothing(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        while world.awaited(match_id).seat != 1:
            world.submit(match_id)
            world.hear()
        assert world.awaited(match_id).deadline is not None
        for number in (1, 2):
            report(world, HARD, number)
        row = world.awaited(match_id)
        assert (row.deadline, row.held) == (None, "unreachable")
        clock.shift(30)
        for letter in world.letters(match_id):
            delivery.deliver(world.service, world.post, letter.id)
        assert BEN not in [to for _, to, _ in world.post.sent]


def test_signing_in_brings_an_address_back_to_life(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        while world.awaited(match_id).seat != 1:
            world.submit(match_id)
            world.hear()
        for number in (1, 2):
            report(world, HARD, number)
        clock.shift(60)
        for letter in world.letters(match_id):
            delivery.deliver(world.service, world.post, letter.id)
        with world.service.database.write() as work:
            ask_sign_in(world.service, work, BEN, "en")
        clock.shift(60)
        letter = world.letters(kind="signin")[-1]
        assert delivery.deliver(world.service, world.post, letter.id), "it is asked for"
        token = world.service.keys.token("signin", letter.details_as(SignInDetails).nonce)
        with world.service.database.write() as work:
            sign_in(world.service, work, token)
        assert not stopped(world)
        assert world.awaited(match_id).deadline is not None
        assert told(world, match_id) == [("Ana", "unreachable"), ("Ana", "reachable")]
        turn = [x for x in world.letters(match_id, "turn") if x.player.email == BEN][-1]
        assert turn.status == "due", "what he missed comes now"


def test_a_turn_whose_letter_came_back_is_asked_for_again(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        while world.awaited(match_id).seat != 1:
            world.submit(match_id)
            world.hear()
        clock.shift(60)
        asked = bens_turns(world, match_id)[-1]
        assert delivery.deliver(world.service, world.post, asked.id)
        comes_back(world, asked.id)
        report(world, HARD, 1)
        assert world.awaited(match_id).held == "unreachable"
        revive(world)
        first, again = bens_turns(world, match_id)[-2:]
        assert (first.id, first.status, again.status) == (asked.id, "sent", "due")
        assert not again.notes.failed, "nothing is known about the copy"
        assert delivery.deliver(world.service, world.post, again.id)
        stop_again(world)
        revive(world)
        assert len(bens_turns(world, match_id)) == 2, "it has arrived: once is enough"


@pytest.mark.on_postgresql
def test_boards_of_a_digest_that_came_back_are_asked_for_again(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = table(world, game_key)
        ben = world.player(BEN).id
        with world.service.database.write() as work:
            player = work.session.get_one(Player, ben)
            preferences.change(world.service, work, player, digest=20 * 60)
        while world.awaited(match_id).seat != 1:
            world.submit(match_id)
            world.hear()
        for hours in (1, 24, 1):
            clock.shift(3600 * hours)
            for letter in world.letters():
                delivery.deliver(world.service, world.post, letter.id)
        (digest,) = world.letters(kind="digest")
        assert (digest.status, bens_turns(world, match_id)[-1].status) == ("sent", "sent")
        comes_back(world, digest.id)
        report(world, HARD, 1)
        revive(world)
        assert [x.status for x in bens_turns(world, match_id)][-2:] == ["sent", "due"]


def bens_turns(world: World, match_id: int) -> list[Letter]:
    return [x for x in world.letters(match_id, "turn") if x.player.email == BEN]


def comes_back(world: World, number: int) -> None:
    """A letter that was sent comes back."""
    with world.service.database.write() as work:
        bounces.count(world.service, work, work.session.get_one(Letter, number), [HARD])


def stop_again(world: World) -> None:
    ben = world.player(BEN).id
    with world.service.database.write() as work:
        bounces.stop(world.service, work, work.session.get_one(Player, ben), StopReason.BOUNCES)


def revive(world: World) -> None:
    ben = world.player(BEN).id
    with world.service.database.write() as work:
        assert bounces.revive(world.service, work, work.session.get_one(Player, ben))


def test_what_an_operator_stopped_stays_stopped(world: World) -> None:
    ben = world.player(BEN)
    with world.service.database.write() as work:
        player = work.session.get_one(Player, ben.id)
        bounces.stop(world.service, work, player, StopReason.OPERATOR)
        assert not bounces.revive(world.service, work, player)
    assert stopped(world)


@pytest.mark.parametrize(
    ("reply", "hard"),
    [
        ("550 5.1.1 <ben@example.org>: Recipient address rejected: User unknown", True),
        ("550 5.1.10 RESOLVER.ADR.RecipientNotFound", True),
        ("550 5.2.1 The email account that you tried to reach is disabled", True),
        ("550 5.7.1 Service unavailable; client host blocked", False),
        ("552 5.2.2 mailbox full", False),
        ("553 5.1.8 Sender address rejected", False),
        ("550 no", False),
    ],
)
def test_a_refusal_during_smtp_counts(world: World, reply: str, hard: bool) -> None:
    with world.service.database.write() as work:
        ask_sign_in(world.service, work, BEN, "en")
    (letter,) = world.letters(kind="signin")
    world.post.fail = Refusal(reply, recipient=True)
    assert not delivery.deliver(world.service, world.post, letter.id)
    assert world.player(BEN).bounce_score == (bounces.HARD if hard else bounces.SOFT)


def test_a_refused_text_says_nothing_about_the_address(world: World) -> None:
    with world.service.database.write() as work:
        ask_sign_in(world.service, work, BEN, "en")
    (letter,) = world.letters(kind="signin")
    world.post.fail = Refusal("554 5.6.0 content rejected")
    delivery.deliver(world.service, world.post, letter.id)
    assert world.player(BEN).bounce_score == 0

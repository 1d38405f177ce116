"""When letters are sent, gathered, held back or dropped: by the reader's clock and wishes."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from service.access.addresses import Addresses, Tag
from service.core.models import Letter, Player
from service.core.statuses import LetterKind
from service.mail.render import KINDS
from service.mail.send import delivery
from service.matches.tables import BotSeat, Guest
from service.ops import sweep
from service.outgoing.identity import letter_bounced
from service.outgoing.policies import POLICIES
from service.players import preferences
from service.players.accounts import ask_sign_in
from tests.support.tables import World

PARIS = dt.timezone(dt.timedelta(hours=1))
EVENING = dt.datetime(2026, 11, 21, 23, 15, tzinfo=PARIS)
NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=PARIS)


def at(hour: int, minute: int = 0, day: int = 21) -> dt.datetime:
    return dt.datetime(2026, 11, day, hour, minute, tzinfo=PARIS)


def prefers(world: World, address: str = "ana@example.org", **what: object) -> None:
    """Change how somebody is written to."""
    ana = world.player(address, name="Ana")
    with world.service.database.write() as work:
        player = work.session.get_one(Player, ana.id)
        preferences.change(world.service, work, player, **what)  # type: ignore[arg-type]


def asked_first(world: World, game_key: str, **more: object) -> int:
    """A match of Ana and a bot in which Ana is to move; its id."""
    match_id = world.open([BotSeat(bot="random")], game_key, **more)
    while world.awaited(match_id).seat != 0:
        world.jobs.enqueued = [b for b in world.jobs.enqueued if b[0] != "mail.deliver"]
        world.hear()
    return match_id


def post(world: World) -> list[str]:
    """Deliver all that is due now; to whom, in order."""
    world.jobs.take("mail.deliver")
    before = len(world.post.sent)
    world.beat()
    sweep.sweep(world.service)
    for (letter,) in world.jobs.take("mail.deliver"):
        delivery.deliver(world.service, world.post, letter)
    for (letter,) in world.jobs.take("mail.deliver"):
        delivery.deliver(world.service, world.post, letter)
    return [to for _, to, _ in world.post.sent[before:]]


def turn(world: World, match_id: int) -> Letter:
    """Ana's newest turn letter."""
    return [x for x in world.letters(match_id, "turn") if x.seat == 0][-1]


def test_every_kind_of_letter_has_a_policy_and_a_writer() -> None:
    assert set(KINDS) == set(POLICIES) == set(LetterKind)


def test_a_letter_waits_for_the_end_of_quiet_hours(world: World, game_key: str) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        prefers(world, quiet=(22 * 60, 7 * 60))
        match_id = asked_first(world, game_key)
        clock.shift(60)
        assert post(world) == []
        letter = turn(world, match_id)
        assert (letter.status, letter.due_at, letter.attempts) == ("due", at(7, day=22), 0)
        clock.move_to(at(6, 59, day=22))
        assert post(world) == []
        clock.move_to(at(7, 1, day=22))
        assert set(post(world)) == {"ana@example.org"}
        assert turn(world, match_id).status == "sent"


def test_what_was_asked_for_does_not_wait(world: World) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        prefers(world, quiet=(22 * 60, 7 * 60))
        with world.service.database.write() as work:
            ask_sign_in(world.service, work, "ana@example.org", "en")
        clock.shift(30)
        assert post(world) == ["ana@example.org"]


def test_a_turn_that_was_played_meanwhile_is_not_asked_for(world: World, game_key: str) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        prefers(world, quiet=(22 * 60, 7 * 60))
        match_id = asked_first(world, game_key)
        letter = turn(world, match_id)
        world.submit(match_id)
        world.hear()
        clock.move_to(at(8, day=22))
        post(world)
        with world.service.database.read() as session:
            assert session.get_one(Letter, letter.id).status == "dropped"


def test_the_envelope_names_the_letter(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = asked_first(world, game_key)
        clock.shift(30)
        post(world)
    addresses = Addresses(world.service.settings)
    tags = [addresses.tag_of(sender) for sender, _, _ in world.post.sent]
    assert tags
    assert tags[-1] is not None
    with world.service.database.read() as session:
        named = letter_bounced(world.service, session, tags[-1])
        forged = Tag("bounce", "1" + tags[-1].text)
        assert letter_bounced(world.service, session, forged) is None
    assert named is not None
    assert named.id == turn(world, match_id).id


def test_a_muted_table_is_silent_and_the_rest_is_not(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        match_id = world.begun([Guest(address="ben@example.org", name="Ben")], game_key)
        with world.service.database.write() as work:
            match = work.session.merge(world.match(match_id))
            preferences.mute(world.service, work, match, 0, on=True)
        for _ in range(2):
            world.submit(match_id)
            world.hear()
        clock.shift(30)
        assert "ana@example.org" not in post(world)
        assert "ben@example.org" in [to for _, to, _ in world.post.sent]
        with world.service.database.write() as work:
            match = work.session.merge(world.match(match_id))
            preferences.mute(world.service, work, match, 0, on=False)
        clock.shift(30)
        asked = world.awaited(match_id).seat == 0
        assert (post(world) == ["ana@example.org"]) == asked


@pytest.mark.parametrize("hour", [8, 20])
def test_letters_are_gathered_for_the_digest(world: World, game_key: str, hour: int) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        prefers(world, digest=hour * 60)
        match_id = asked_first(world, game_key)
        clock.shift(30)
        assert post(world) == []
        letter = turn(world, match_id)
        strikes = at(hour, day=21 if hour > 12 else 22)
        due = strikes - dt.timedelta(minutes=2)  # the minute of the first player
        assert (letter.status, letter.due_at) == ("gathered", due)
        clock.move_to(due + dt.timedelta(minutes=1))
        assert post(world) == ["ana@example.org"], "one letter for all of them"
        assert [x.kind for x in world.letters(kind="digest")] == ["digest"]
        assert turn(world, match_id).status == "sent"
        clock.shift(3600)
        assert post(world) == [], "nothing new to tell"


def test_a_deadline_does_not_wait_for_the_digest(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        prefers(world, digest=11 * 60)
        match_id = asked_first(world, game_key, pace_days=1)
        clock.shift(30)
        assert post(world) == [], "due tomorrow at noon: the digest comes in time"
        prefers(world, digest=13 * 60 - 60 + 30)
        clock.shift(60 * 60)
        post(world)
        assert turn(world, match_id).status == "sent"
        assert world.letters(kind="digest") == []


def test_there_is_no_digest_of_nothing(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        prefers(world, digest=8 * 60)
        match_id = asked_first(world, game_key)
        clock.shift(30)
        post(world)
        with world.service.database.write() as work:
            match = work.session.merge(world.match(match_id))
            preferences.mute(world.service, work, match, 0, on=True)
        clock.move_to(at(8, 1, day=22))
        assert post(world) == []
        assert world.letters(kind="digest") == []
        assert turn(world, match_id).status == "suppressed"


@pytest.mark.on_postgresql
def test_a_table_can_be_left_out_of_the_digest(world: World, game_key: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        prefers(world, digest=8 * 60)
        match_id = asked_first(world, game_key)
        clock.shift(30)
        assert post(world) == []
        with world.service.database.write() as work:
            match = work.session.merge(world.match(match_id))
            preferences.set_digest(world.service, work, match, 0, on=False)
        clock.shift(30)
        assert set(post(world)) == {"ana@example.org"}
        assert turn(world, match_id).status == "sent"

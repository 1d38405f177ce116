"""Nobody works on what has changed meanwhile, and nobody waits in a ring for another who waits.

On PostgreSQL: SQLite has one writer at a time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from service.core import locks
from service.core.context import Service
from service.core.models import DecisionRow, Letter, Match, Player
from service.core.statuses import StopReason
from service.mail.receive import inbound
from service.mail.send import delivery
from service.mail.send.smtp import Refusal
from service.matches import expiry
from service.matches.tables import Guest
from service.players import bounces
from service.players import preferences as wishes
from service.time import absence, deadlines, pace, pausing
from tests.support.correspondence import Correspondence
from tests.support.overtaking import is_free, waiting_for
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import at

BEN = Guest(address="ben@example.org", name="Ben")


@pytest.fixture
def world(postgresql_url: str) -> Iterator[World]:
    """A fresh service on PostgreSQL."""
    jobs = Jobs()
    service = Service(settings_for(postgresql_url), jobs)
    yield World(service, jobs)
    service.database.dispose()


def started(world: World, game_key: str) -> int:
    return world.begun([BEN], game_key, pace_days=2)


def asked_player(world: World, match_id: int) -> int:
    player = world.match(match_id).seats[world.awaited(match_id).seat].player_id
    assert player is not None
    return player


def test_who_has_all_matches_of_a_player_sees_them_as_they_are(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    player_id = asked_player(world, match_id)
    with world.service.database.write() as work:
        player = work.session.get_one(Player, player_id)
        before = work.session.get_one(Match, match_id)
        assert (before.paused_at, player.stopped_at) == (None, None)
        with at(world, match_id) as (other, match):
            match.paused_at = world.service.now()
            other.session.get_one(Player, player_id).stopped_at = world.service.now()
        assert locks.lock_all(world.service, work, player) == [before]
        assert before.paused_at is not None
        assert player.stopped_at is not None


def test_what_a_savepoint_had_locked_is_locked_again_after_it(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    with world.service.database.write() as work, world.service.database.engine.connect() as other:
        for whole in (False, True):
            part = work.session.begin_nested()
            assert world.service.database.lock_match(work.session, match_id)
            assert not world.service.database.lock_match(work.session, match_id), "it is had"
            if whole:
                part.commit()
            else:
                part.rollback()
            assert is_free(other, Match, match_id) == (not whole)


@pytest.mark.parametrize("what", ["zone", "away"])
def test_a_pause_that_begins_meanwhile_is_kept(world: World, game_key: str, what: str) -> None:
    match_id = started(world, game_key)
    player_id = asked_player(world, match_id)
    with world.service.database.write() as work:
        player = work.session.get_one(Player, player_id)
        before = work.session.get_one(Match, match_id)
        assert before.paused_at is None
        with at(world, match_id) as (other, match):
            pausing.stop_all(world.service, other, match)
        if what == "zone":
            wishes.change(world.service, work, player, zone="Asia/Tokyo")
        else:
            today = pace.today(world.service.now(), player.zone)
            absence.add(world.service, work, player, today, today + dt.timedelta(days=3))
    row = world.awaited(match_id)
    assert (row.held, row.deadline) == ("paused", None)


def test_a_player_who_cannot_be_reached_meanwhile_is_held(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    player_id = asked_player(world, match_id)
    with world.service.database.write() as work:
        match = work.session.get_one(Match, match_id)
        assert all(row.player is None or row.player.stopped_at is None for row in match.seats)
        with world.service.database.write() as other:
            lost = other.session.get_one(Player, player_id)
            bounces.stop(world.service, other, lost, StopReason.BOUNCES)
        deadlines.refresh(world.service, work, locks.lock(world.service, work, match))
    assert world.awaited(match_id).held == "unreachable"


def test_time_that_is_up_in_a_pause_is_held_instead(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    decision = world.awaited(match_id).decision
    with at(world, match_id) as (work, match):
        pausing.stop_all(world.service, work, match)
    with at(world, match_id) as (work, match):
        row = work.session.get_one(DecisionRow, (match_id, decision))
        row.deadline, row.held = world.service.now() - dt.timedelta(hours=1), None
    expiry.expire(world.service, match_id, decision)
    row = world.awaited(match_id)
    assert (row.expired_at, row.held, row.deadline) == (None, "paused", None)


def test_a_reply_has_no_match_while_it_waits_for_an_earlier_one(
    world: World, game_key: str
) -> None:
    """A word in it may be about all matches of its writer."""
    first, second = started(world, game_key), started(world, game_key)
    table = Correspondence(world, second)
    mail = table.take(
        table.written("ana@example.org", table.address(0), "away 3 days"), table.address(0)
    )
    assert mail is not None
    with waiting_for(world, first, lambda: inbound.handle(world.service, mail)) as other:
        assert is_free(other, Match, second)


def test_settings_are_not_held_while_a_match_is_waited_for(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    player_id = asked_player(world, match_id)

    def change() -> None:
        with world.service.database.write() as work:
            player = work.session.get_one(Player, player_id)
            wishes.change(world.service, work, player, zone="Asia/Tokyo")

    with waiting_for(world, match_id, change) as other:
        assert is_free(other, Player, player_id)


def test_a_refused_letter_is_not_held_while_a_match_is_waited_for(
    world: World, game_key: str
) -> None:
    """The letter of one match, the clock of another: a dead address holds all clocks."""
    other_match, match_id = started(world, game_key), started(world, game_key)
    letter = next(one for one in world.letters(match_id, "turn"))
    assert letter.player_id == asked_player(world, match_id)
    with world.service.database.write() as work:
        player = work.session.get_one(Player, letter.player_id)
        player.bounce_score, player.bounced_at = 1.0, world.service.now()
    world.post.fail = Refusal("550 5.1.1 no such user", recipient=True)

    def deliver() -> None:
        delivery.deliver(world.service, world.post, letter.id)

    with waiting_for(world, other_match, deliver) as other:
        assert is_free(other, Letter, letter.id)
        assert is_free(other, Player, letter.player_id)
    with world.service.database.read() as session:
        assert session.get_one(Player, letter.player_id).stopped_why == "bounces"


def test_a_report_is_counted_once_all_matches_are_had(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    letter = next(one for one in world.letters(match_id, "turn"))

    def count() -> None:
        with world.service.database.write() as work:
            mine = work.session.get_one(Letter, letter.id)
            bounces.count(world.service, work, mine, [bounces.refused("550 5.1.1 no such user")])

    with waiting_for(world, match_id, count) as other:
        assert is_free(other, Letter, letter.id)
        assert is_free(other, Player, letter.player_id)


def test_a_mail_is_stored_whoever_has_its_match(world: World, game_key: str) -> None:
    """Many come in one transaction, in any order: they only refer to their matches."""
    match_id = started(world, game_key)
    table = Correspondence(world, match_id)
    raw = table.written("ana@example.org", table.address(0), "status")
    with at(world, match_id) as (work, match):
        world.service.database.lock_match(work.session, match.id)
        with world.service.database.write() as other:
            other.session.execute(text("SET LOCAL lock_timeout = '1s'"))
            stored = inbound.take(
                world.service, other, raw, source="lmtp", recipient=table.address(0)
            )
        assert stored is not None

"""What happens is counted once, with what made it happen, and not at all if that was undone."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from service.core import counters, retriable
from service.core.db import Database
from service.core.models import Letter, Submission, Tally
from service.core.statuses import LetterStatus, SubmissionStatus
from service.mail.send import delivery
from service.mail.send.smtp import Refusal
from service.matches import moves
from service.matches.tables import BotSeat, Guest
from tests.support.correspondence import Correspondence
from tests.support.tables import World

pytestmark = pytest.mark.on_postgresql


def counted(world: World, name: str) -> dict[str, int]:
    """The numbers of a name by their labels."""
    return numbers(world.service.database, name)


def numbers(database: Database, name: str) -> dict[str, int]:
    with database.read() as session:
        found: dict[str, int] = {}
        for row in session.scalars(select(Tally).where(Tally.name == name)):
            found[row.labels] = found.get(row.labels, 0) + row.amount
        return found


def test_turns_are_counted_by_who_handed_them_in(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="random")], game_key)
    world.hear()
    submission = world.submit(match_id)
    world.hear()
    moves.play(world.service, submission.id)  # a job that is done twice
    world.submit(match_id, body="nonsense", source="link")
    world.hear()
    found = counted(world, "turns")
    assert found["form|played"] == 1
    assert found["link|refused"] == 1
    assert found["bot|played"] >= 1
    assert counted(world, "tables") == {f"{game_key}|playing": 1}


def test_a_turn_that_failed_is_not_counted(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = world.open([Guest(address="b@example.org")], game_key)
    world.everybody_accepts(match_id)
    submission = world.submit(match_id)

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patched:
        patched.setattr(moves, "apply_transition", broken)
        with pytest.raises(RuntimeError):
            moves.play(world.service, submission.id)
    assert counted(world, "turns") == {}
    moves.play(world.service, submission.id)
    assert counted(world, "turns") == {"form|played": 1}


def test_letters_are_counted_by_their_fate(world: World, game_key: str) -> None:
    world.open([Guest(address="b@example.org"), Guest(address="c@example.org")], game_key)
    first, second = [letter.id for letter in world.letters(kind="invitation")]
    assert delivery.deliver(world.service, world.post, first)
    world.post.fail = Refusal("550 no such box")
    assert not delivery.deliver(world.service, world.post, second)
    assert counted(world, "letters") == {"invitation|sent": 1, "invitation|dead_letter": 1}
    times = counted(world, "smtp")
    assert sum(times.values()) == 1
    assert set(times) <= {*map(str, counters.BOUNDS), "+Inf"}


def test_mails_are_counted_by_verdict(world: World, game_key: str) -> None:
    match_id = world.open([Guest(address="b@example.org", name="B")], game_key)
    world.everybody_accepts(match_id)
    table = Correspondence(world, match_id)
    table.reply(0, "status")
    table.send("mallory@example.org", table.address(0), "resign")
    assert counted(world, "mails") == {"lmtp|word": 1, "lmtp|foreign": 1}


def test_a_savepoint_takes_its_numbers_with_it(world: World, game_key: str) -> None:
    world.open([Guest(address="b@example.org")], game_key)
    with world.service.database.write() as work:
        counters.count(work.session, "before", "x")
        nested = work.session.begin_nested()
        counters.count(work.session, "within", "x")
        letter = work.session.scalars(select(Letter)).one()
        letter.status = LetterStatus.DEAD_LETTER
        work.session.flush()
        nested.rollback()
        with work.session.begin_nested():
            counters.count(work.session, "kept", "x", times=2)
        assert work.session.scalars(select(Tally)).all() == []
    assert counted(world, "before") == {"x": 1}
    assert counted(world, "kept") == {"x": 2}
    assert counted(world, "within") == counted(world, "letters") == {}


def test_numbers_grow(world: World) -> None:
    for _ in range(3):
        with world.service.database.write() as work:
            counters.time(work.session, "smtp", 0.02)
    assert counted(world, "smtp") == {"0.025": 3}
    assert counted(world, "smtp_sum") == {"": 60}


def test_a_status_on_its_way_is_not_counted(world: World, game_key: str) -> None:
    match_id = world.open([Guest(address="b@example.org")], game_key)
    world.everybody_accepts(match_id)
    submission = world.submit(match_id)
    for _ in range(retriable.MOVES.limit):
        moves.count_attempt(world.service, submission.id)
    with world.changing() as work:
        row = work.session.get_one(Submission, submission.id)
        row.status = SubmissionStatus.RECEIVED
    assert counted(world, "turns") == {"form|dead_letter": 1}

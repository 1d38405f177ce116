"""What was given up is listed, and tried again when the operator says so."""

from __future__ import annotations

import pytest

from engine.games import games
from service.core import retriable
from service.core.models import Letter
from service.mail.send import delivery
from service.mail.send.smtp import Refusal
from service.matches import moves
from service.matches.tables import BotSeat
from service.ops.dead_letters import NoDeadLetter, dead_letters, retry
from tests.support.tables import World


def bots(game_key: str) -> list[BotSeat]:
    game = games()[game_key]
    return [BotSeat(bot=next(iter(game.bots)))] * (game.seats[0] - 1)


def again(world: World, name: str) -> None:
    with world.service.database.write() as work:
        retry(world.service, work, name)


def names(world: World) -> list[str]:
    with world.service.database.read() as session:
        return [one.name for one in dead_letters(session)]


@pytest.mark.on_postgresql
def test_a_refused_letter_is_a_dead_letter_and_sent_once_retried(
    world: World, game_key: str
) -> None:
    world.open(bots(game_key), game_key)
    number = _first_letter(world)
    world.jobs.take("mail.deliver")
    world.post.fail = Refusal("550 no such box")
    assert not delivery.deliver(world.service, world.post, number)
    assert names(world) == [f"letter-{number}"]
    with world.service.database.read() as session:
        assert dead_letters(session)[0].reason == "550 no such box"
    world.post.fail = None
    assert not delivery.deliver(world.service, world.post, number)
    assert world.post.sent == []
    again(world, f"letter-{number}")
    assert world.jobs.take("mail.deliver") == [(number,)]
    assert delivery.deliver(world.service, world.post, number)
    assert len(world.post.sent) == 1
    assert names(world) == []


def test_a_dead_move_is_played_once_retried(world: World, game_key: str) -> None:
    match_id = world.open(bots(game_key), game_key)
    submission = world.submit(match_id)
    for _ in range(retriable.MOVES.limit):
        moves.count_attempt(world.service, submission.id)
    assert names(world) == [f"move-{submission.id}"]
    assert moves.play(world.service, submission.id).status == "dead_letter"
    world.jobs.take("moves.play")
    again(world, f"move-{submission.id}")
    assert world.jobs.take("moves.play") == [(submission.id,)]
    assert moves.play(world.service, submission.id).status == "played"
    assert names(world) == []


@pytest.mark.parametrize(
    "name", ["", "move", "move-", "move-x", "move-99", "letter-99", "letter-9" + "9" * 40, "x-1"]
)
def test_what_is_no_dead_letter_is_refused(world: World, name: str) -> None:
    with pytest.raises(NoDeadLetter):
        again(world, name)


def test_what_was_sent_or_played_is_no_dead_letter(world: World, game_key: str) -> None:
    match_id = world.open(bots(game_key), game_key)
    submission = world.submit(match_id)
    moves.play(world.service, submission.id)
    with pytest.raises(NoDeadLetter):
        again(world, f"move-{submission.id}")
    with pytest.raises(NoDeadLetter):
        again(world, f"letter-{_first_letter(world)}")


def _first_letter(world: World) -> int:
    with world.service.database.read() as session:
        letter = session.query(Letter).filter(Letter.kind != "reminder").order_by(Letter.id).first()
        assert letter is not None
        return letter.id

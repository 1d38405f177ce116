"""A turn that was held and is not played in the end: its player is told, once."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from sqlalchemy import select

from service.core import retriable, verdicts
from service.core.models import Submission
from service.matches import moves
from service.matches.tables import Guest
from service.ops import sweep
from tests.support.correspondence import Correspondence
from tests.support.tables import World

BEN = Guest(address="ben@example.org", name="Ben")
HOLD = 30


def started(world: World, game_key: str) -> int:
    match_id = world.begun([BEN], game_key, hold_minutes=HOLD)
    world.hear()
    return match_id


@pytest.mark.on_postgresql
@pytest.mark.parametrize("by_mail", [False, True])
@pytest.mark.parametrize("how", ["refused", "dead_letter"])
def test_a_held_turn_that_is_not_played_in_the_end_is_told_once(
    world: World, game_key: str, how: str, by_mail: bool
) -> None:
    """Where several are asked at once, another's turn may have made it impossible."""
    match_id = started(world, game_key)
    table = Correspondence(world, match_id)
    with time_machine.travel(world.service.now(), tick=False) as clock:
        asked = world.awaited(match_id)
        turn = world.legal_turn(match_id, asked.seat, asked.decision)
        if by_mail:
            assert table.reply(asked.seat, turn, asked.decision).verdict == "held"
        else:
            world.submit(match_id)
        world.hear()
        before = len(table.answers())
        with world.changing() as work:
            (held,) = work.session.scalars(select(Submission))
            held.body = "fold everything" if how == "refused" else held.body
            number = held.id
        clock.shift(dt.timedelta(minutes=HOLD + 1))
        for _ in range(retriable.MOVES.limit if how == "dead_letter" else 0):
            moves.count_attempt(world.service, number)
        for _ in range(2):
            moves.play(world.service, number)
        with world.service.database.read() as session:
            assert session.get_one(Submission, number).status == how
        letters = table.answers()[before:]
        assert [x.dedupe for x in letters] == [f"answer.turn.{number}"]
        told = table.rendered(letters[0])
        assert told.codes == ["not_after_all", "mend" if how == "refused" else "given_up"]
        assert "When its time came, it could not be played any more." in told.said


@pytest.mark.on_postgresql
def test_one_that_is_refused_when_its_player_wants_it_now_needs_no_letter(
    world: World, game_key: str
) -> None:
    """Who presses the button is looking at the page, and a word by mail has its own answer."""
    match_id = started(world, game_key)
    submission = world.submit(match_id)
    world.hear()
    with world.changing() as work:
        held = work.session.get_one(Submission, submission.id)
        held.body = "fold everything"
        moves.release(world.service, work, held)
    world.hear()
    with world.service.database.read() as session:
        assert session.get_one(Submission, submission.id).status == "refused"
    assert world.letters(match_id, "answer") == []


@pytest.mark.on_postgresql
def test_a_second_turn_says_that_it_takes_the_place_of_the_first(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key)
    table = Correspondence(world, match_id)
    asked = world.awaited(match_id)
    turn = world.legal_turn(match_id, asked.seat, asked.decision)
    first = table.answer(table.reply(asked.seat, turn, asked.decision))
    assert first.codes == ["held"]
    assert "replaces" not in first.said
    second = table.answer(table.reply(asked.seat, turn, asked.decision))
    assert second.codes == ["held"]
    assert "It replaces the one you had sent before." in second.said
    with world.service.database.read() as session:
        query = select(Submission.status, Submission.verdict).order_by(Submission.id)
        assert [tuple(row) for row in session.execute(query)] == [
            ("withdrawn", verdicts.Replaced()),
            ("held", verdicts.Held(replaced=True)),
        ]


def test_one_that_is_wanted_now_is_played_though_its_job_is_lost(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key)
    submission = world.submit(match_id)
    world.hear()
    with world.service.database.write() as work:
        moves.release(world.service, work, work.session.get_one(Submission, submission.id))
    world.jobs.enqueued.clear()
    with time_machine.travel(world.service.now() + dt.timedelta(minutes=1)):
        sweep.sweep(world.service)
        world.hear()
    assert world.match(match_id).last_entry == 1

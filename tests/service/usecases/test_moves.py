"""The way of a move: stored, played once, or answered."""

from __future__ import annotations

import datetime as dt
import threading

import msgspec
import pytest
import time_machine
from sqlalchemy import func, select, update

from engine.journal import Entry, replay
from service.core import retriable, verdicts
from service.core.models import DecisionRow, EntryRow, Submission
from service.core.statuses import Actor, Cause
from service.matches import bots, journal, moves
from service.matches.tables import BotSeat, Guest
from service.ops import sweep
from tests.support.tables import World, of_all

pytestmark = pytest.mark.both_databases

BEN = Guest(address="ben@example.org", name="Ben")


def started(world: World, game_key: str) -> int:
    match_id = world.begun([BEN], game_key)
    world.hear()
    return match_id


def entries(world: World, match_id: int) -> int:
    with world.service.database.read() as session:
        count = session.scalar(
            select(func.count()).select_from(EntryRow).where(EntryRow.match_id == match_id)
        )
    return (count or 0) - 1


def outcome(world: World, submission: Submission) -> tuple[str, str]:
    with world.service.database.read() as session:
        found = session.get_one(Submission, submission.id)
        assert found.verdict is not None
        return found.status, found.verdict.code


def test_a_move_is_stored_before_it_is_looked_at(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    submission = world.submit(match_id)
    assert submission.status == "received"
    assert entries(world, match_id) == 0
    assert world.jobs.take("moves.play") == [(submission.id,)]


def test_a_move_is_played_and_the_next_is_asked(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    before = world.awaited(match_id)
    submission = world.submit(match_id)
    world.hear()
    assert outcome(world, submission) == ("played", "played")
    after = world.awaited(match_id)
    assert after.decision != before.decision
    assert after.seat != before.seat
    letter = world.letters(match_id, "turn")[-1]
    assert (letter.seat, letter.decision, letter.entry) == (after.seat, after.decision, 1)


def test_a_task_delivered_ten_times_plays_once(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    submission = world.submit(match_id)
    for _ in range(10):
        moves.play(world.service, submission.id)
    assert entries(world, match_id) == 1
    assert len(world.letters(match_id, "turn")) == 2


def test_a_button_pressed_ten_times_is_one_submission(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    body = world.legal_turn(match_id, world.awaited(match_id).seat, "t1")
    found = {world.submit(match_id, body, dedupe="nonce").id for _ in range(10)}
    assert len(found) == 1


def test_two_browsers_at_once_make_one_move(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    both = [world.submit(match_id) for _ in range(2)]
    threads = [threading.Thread(target=moves.play, args=(world.service, s.id)) for s in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert entries(world, match_id) == 1
    assert sorted(outcome(world, s)[1] for s in both) == ["played", "stale"]


def test_a_stale_move_is_told_which_entry_made_the_decision(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    first = world.awaited(match_id)
    body = world.legal_turn(match_id, first.seat, first.decision)
    world.submit(match_id)
    world.hear()
    late = world.submit(match_id, body, seat=first.seat, decision=first.decision)
    world.hear()
    with world.service.database.read() as session:
        verdict = session.get_one(Submission, late.id).verdict
    assert verdict == verdicts.Stale(entry=1)


def test_another_seats_decision_is_not_yours(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = world.awaited(match_id)
    submission = world.submit(match_id, seat=1 - row.seat)
    world.hear()
    assert outcome(world, submission) == ("refused", "not_yours")
    assert entries(world, match_id) == 0


def test_an_unreadable_and_an_unfinished_turn_change_nothing(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = world.awaited(match_id)
    whole = world.legal_turn(match_id, row.seat, row.decision).split("\n")
    for body, code in (("hop hop", "unreadable"), ("", "unreadable"), (whole[0], "incomplete")):
        submission = world.submit(match_id, body)
        world.hear()
        assert outcome(world, submission) == ("refused", code)
    assert entries(world, match_id) == 0
    assert world.awaited(match_id).decision == row.decision


def test_an_error_of_ours_is_counted_and_then_makes_a_dead_letter(
    world: World, game_key: str
) -> None:
    match_id = started(world, game_key)
    submission = world.submit(match_id)
    with world.changing() as work:
        # A snapshot that cannot be read is what a bad disk or a bad deployment leaves.
        work.session.execute(
            update(EntryRow).values(state=b"{broken"), execution_options=of_all(work)
        )
    for _ in range(retriable.MOVES.limit):
        try:
            moves.play(world.service, submission.id)
        except msgspec.DecodeError:
            continue
    assert outcome(world, submission) == ("dead_letter", "given_up")
    assert entries(world, match_id) == 0


def test_a_snapshot_can_be_thrown_away(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    for _ in range(3):
        world.submit(match_id)
        world.hear()
    with world.changing() as work:
        work.session.execute(update(EntryRow).values(state=None), execution_options=of_all(work))
    submission = world.submit(match_id)
    world.hear()
    assert outcome(world, submission)[0] == "played"


def test_a_whole_match_of_bots_is_played_and_folds(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="greedy"), BotSeat(bot="random")], game_key)
    world.hear()
    while world.match(match_id).status == "playing":
        world.submit(match_id)
        world.hear()
    match = world.match(match_id)
    assert match.status == "ended"
    assert len(world.letters(match_id, "end")) == 1
    with world.service.database.read() as session:
        rows = journal.rows(session, match, 1)
        folded = list(replay(journal.game_of(match), journal.setup_of(match), map_entries(rows)))
        assert folded[-1].state == journal.position(session, match).state
        open_rows = session.scalar(
            select(func.count()).select_from(DecisionRow).where(DecisionRow.closed_entry.is_(None))
        )
    assert open_rows == 0
    assert {str(row.cause) for row in rows} == {"player", "bot:greedy", "bot:random"}


def map_entries(rows: list[EntryRow]) -> list[Entry]:
    return [journal.entry_of(row) for row in rows]


def test_a_lost_queue_loses_nothing(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="random")], game_key)
    world.jobs.enqueued.clear()
    start = world.service.now()
    with time_machine.travel(start + dt.timedelta(minutes=5)):
        found = sweep.sweep(world.service)
        # The bot who begins, or the host's letter, or both
        assert found["bots"] + found["letters"] in (1, 2)
        world.hear()
        submission = world.submit(match_id)
        world.jobs.enqueued.clear()
    with time_machine.travel(start + dt.timedelta(minutes=10)):
        assert sweep.sweep(world.service)["moves"] == 1
        world.hear()
    assert outcome(world, submission)[0] == "played"


def test_the_sweep_leaves_fresh_bells_alone(world: World, game_key: str) -> None:
    match_id = world.open([BEN], game_key)
    world.everybody_accepts(match_id)
    world.submit(match_id)
    world.jobs.enqueued.clear()
    assert not any(sweep.sweep(world.service).values())
    assert world.jobs.enqueued == []


def test_a_button_pressed_twice_at_once_is_one_submission(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    body = world.legal_turn(match_id, world.awaited(match_id).seat, "t1")
    found: list[int] = []

    def press() -> None:
        found.append(world.submit(match_id, body, dedupe="nonce").id)

    threads = [threading.Thread(target=press) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == 1
    assert len(world.jobs.take("moves.play")) == 1


def test_a_worker_that_died_over_a_bot_is_followed_by_the_default_turn(
    world: World, game_key: str
) -> None:
    match_id = world.open([BotSeat(bot="greedy")], game_key)
    row = world.awaited(match_id)
    if row.seat == 0:
        world.submit(match_id)
        moves.play(world.service, world.jobs.take("moves.play")[0][0])
        row = world.awaited(match_id)
    before = entries(world, match_id)
    bots.play_bot(world.service, match_id, row.decision, ponder=False)
    assert entries(world, match_id) == before + 1
    with world.service.database.read() as session:
        made = journal.rows(session, world.match(match_id), before + 1)[0]
    assert (made.seat, made.cause) == (1, Cause(Actor.CLOCK))


def test_a_bot_whose_turn_was_refused_does_not_hold_the_table_up(
    world: World, game_key: str
) -> None:
    match_id = world.open([BotSeat(bot="greedy")], game_key)
    row = world.awaited(match_id)
    if row.seat == 0:
        world.submit(match_id)
        moves.play(world.service, world.jobs.take("moves.play")[0][0])
        row = world.awaited(match_id)
    last = world.match(match_id).last_entry
    # What a bot with a defect would have handed in for this decision
    world.submit(
        match_id,
        "hop hop",
        source="bot:greedy",
        dedupe=f"bot:greedy.{match_id}.{row.decision}.{last}",
    )
    bots.play_bot(world.service, match_id, row.decision)
    assert entries(world, match_id) == last + 1


def test_what_the_sweep_rings_does_not_pile_up(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    world.submit(match_id)
    world.jobs.enqueued.clear()
    with time_machine.travel(world.service.now() + dt.timedelta(minutes=5)):
        for _ in range(2 * sweep.BUSY):
            sweep.sweep(world.service)
        plays = world.jobs.take("moves.play")
        assert sweep.BUSY < len(plays) < 2 * sweep.BUSY
        # Whatever became of those: a submission that still waits is rung for again.
        sweep.sweep(world.service)
        assert world.jobs.take("moves.play") == plays[:1]

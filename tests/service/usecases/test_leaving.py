"""Giving up, being dropped and removed: who plays on, when it is over, and who wins."""

from __future__ import annotations

import datetime as dt
import email
import email.policy
import json

import pytest
import time_machine

from engine.games import games
from engine.record import decode
from engine.verification import verify
from service.core import locks, verdicts
from service.core.errors import Refused
from service.core.letter_details import PlayerLeft
from service.core.models import DecisionRow, Match, Submission
from service.core.statuses import Actor, TimeoutPolicy
from service.mail.render import render
from service.matches import expiry, journal, leaving, reading, records, standins
from service.matches.tables import BotSeat, Guest
from service.ops import sweep
from service.time import deadlines
from tests.support.tables import World

BEN = Guest(address="ben@example.org", name="Ben")
ZOE = Guest(address="zoe@example.org", name="Zoé", lang="fr")


def started(world: World, game_key: str, *others: Guest | BotSeat) -> int:
    match_id = world.begun(others or (BEN, ZOE), game_key)
    world.hear()
    return match_id


def leave(world: World, match_id: int, seat: int, how: str = "resign") -> None:
    with world.service.database.write() as work:
        act = getattr(leaving, how)
        act(world.service, work, locks.lock_number(world.service, work, match_id), seat)


def record(world: World, match_id: int) -> bytes:
    with world.service.database.read() as session:
        return records.export(session, session.get_one(Match, match_id))


def news(world: World, match_id: int) -> list[tuple[int | None, str, str]]:
    return [
        (x.seat, told.code, told.why)
        for x in world.letters(match_id, "news")
        if isinstance(told := x.details, PlayerLeft)
    ]


def finish(world: World, match_id: int) -> None:
    while world.match(match_id).status == "playing":
        world.submit(match_id)
        world.hear()


def ended(world: World, match_id: int) -> dict[int | None, str]:
    """What the last letter says to each seat, in one line."""
    said = {}
    for letter in world.letters(match_id, "end"):
        with world.service.database.read() as session:
            raw = render(world.service, session, session.merge(letter))
        parsed = email.message_from_bytes(raw, policy=email.policy.default)
        body = parsed.get_body(("plain",))
        assert body is not None
        said[letter.seat] = " ".join(body.get_content().split())
    return said


def test_a_bot_plays_on_for_who_gave_up(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = world.awaited(match_id)
    leave(world, match_id, row.seat)
    match = world.match(match_id)
    bots = list(games()[game_key].bots)
    assert match.seats[row.seat].played_by == bots[-1]
    others = {seat for seat in range(3) if seat != row.seat}
    assert {(s, "left", "resigned") for s in others} == set(news(world, match_id))
    waiting = [x for x in world.letters(match_id) if x.seat == row.seat and x.due_at is not None]
    assert waiting == []
    world.hear()
    assert world.match(match_id).last_entry == 1, "the bot has played what was asked"
    assert standins_back(world, match_id, row.seat) is False
    finish(world, match_id)
    outcome = reading.outcome_of(world.match(match_id))
    assert outcome is not None
    assert row.seat not in outcome.winners
    # What the bot drew decides whether the others run out of moves first.
    assert outcome.termination in ("normal", "all_out")
    verified = decode(record(world, match_id))
    verify(verified, games())
    assert [(x.seat, x.why, x.after) for x in verified.leavings] == [(row.seat, "resigned", 0)]
    ends = world.letters(match_id, "end")
    assert {letter.seat for letter in ends} == {0, 1, 2}, "who left learns how it ended"


def standins_back(world: World, match_id: int, seat: int) -> bool:
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        return standins.take_back(world.service, work, match, seat)


@pytest.mark.parametrize("turns", [0, 4])
def test_with_one_person_left_the_match_is_over(world: World, game_key: str, turns: int) -> None:
    match_id = started(world, game_key, BEN)
    for _ in range(turns):
        world.submit(match_id)
        world.hear()
    leave(world, match_id, 1)
    match = world.match(match_id)
    assert (match.status, match.last_entry) == ("ended", turns)
    outcome = reading.outcome_of(match)
    assert outcome is not None
    with world.service.database.read() as session:
        state = journal.position(session, match).state
        open_rows = deadlines.open_rows(session, match)
    assert open_rows == []
    assert outcome.winners == (0,)
    assert outcome.scores == games()[game_key].scores(state)
    assert outcome.termination == "resigned"
    verify(decode(record(world, match_id)), games())
    assert {letter.seat for letter in world.letters(match_id, "end")} == {0, 1}
    assert world.letters(match_id, "news") == [], "the last letter says it"


def test_who_stays_wins_even_against_more_points(world: World, game_key: str) -> None:
    """A table of a person and a bot: if the person gives up, the bot wins with what it has."""
    match_id = started(world, game_key, BotSeat(bot="random"))
    world.submit(match_id)
    world.hear()
    leave(world, match_id, 0)
    outcome = reading.outcome_of(world.match(match_id))
    assert outcome is not None
    assert outcome.winners == (1,)


def test_the_end_letter_tells_who_left(world: World, game_key: str) -> None:
    match_id = started(world, game_key, ZOE)
    leave(world, match_id, 0)
    said = ended(world, match_id)
    assert "You gave up before the first turn" in said[0]
    assert "Zoé wins with" in said[0]
    assert "Ana a abandonné" in said[1]
    assert "Tu gagnes" in said[1]


def test_no_host_wins_by_removing_the_other(world: World, game_key: str) -> None:
    match_id = started(world, game_key, ZOE)
    world.submit(match_id)
    world.hear()
    leave(world, match_id, 1, "remove")
    outcome = reading.outcome_of(world.match(match_id))
    assert outcome is not None
    assert (outcome.winners, outcome.termination) == ((), "removed")
    verify(decode(record(world, match_id)), games())
    said = ended(world, match_id)
    assert "Nobody wins: the host ended the game" in said[0]
    assert "The host removed Zoé from the table after turn 1." in said[0]
    assert "1 turn in all." in said[0]
    assert "cannot win" not in said[0]
    assert "Personne ne gagne" in said[1]
    assert "L’hôte t’a retiré de la table" in said[1]


def test_giving_up_twice_is_once_and_after_the_end_refused(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    leave(world, match_id, 1)
    before = len(world.letters(match_id))
    leave(world, match_id, 1)
    assert len(world.letters(match_id)) == before
    leave(world, match_id, 2)
    with pytest.raises(Refused, match="not_playing"):
        leave(world, match_id, 0)


def test_a_held_turn_goes_with_its_player(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = world.awaited(match_id)
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id).hold_minutes = 30
    held = world.submit(match_id)
    world.hear()
    leave(world, match_id, row.seat)
    world.hear()
    with time_machine.travel(world.service.now() + dt.timedelta(hours=1)):
        sweep.sweep(world.service)
        world.hear()
    with world.service.database.read() as session:
        (first,) = journal.rows(session, world.match(match_id), 1, 1)
        turn = session.get_one(Submission, held.id)
    assert first.cause.actor is Actor.BOT
    assert (turn.status, turn.verdict) == ("withdrawn", verdicts.Withdrawn())
    assert world.letters(match_id, "answer") == [], "who left knows that it is not played"


@pytest.mark.on_postgresql
def test_the_clock_drops_who_let_it_run_out(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id).timeout = TimeoutPolicy.DROP
    row = world.awaited(match_id)
    assert row.deadline is not None
    world.hear(mail=True)  # no clock runs for who has not been asked
    with time_machine.travel(row.deadline + dt.timedelta(minutes=1)):
        world.beat()
        expiry.expire(world.service, match_id, row.decision)
        world.hear()
        assert set(news(world, match_id)) == {(s, "left", "dropped") for s in range(3)}
    seat = world.match(match_id).seats[row.seat]
    assert (seat.left_why, seat.left_entry) == ("dropped", 0)
    with world.service.database.read() as session:
        decided = session.get_one(DecisionRow, (match_id, row.decision))
    assert decided.closed_entry == 1


def test_a_running_record_tells_who_left_and_no_seed(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    leave(world, match_id, 1, "remove")
    plain = json.loads(record(world, match_id))
    assert plain["leavings"] == [{"seat": 1, "why": "removed", "after": 0}]
    assert (plain["seed"], plain["outcome"]) == (None, None)

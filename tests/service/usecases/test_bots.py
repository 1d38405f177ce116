"""Bots at the table, when something happens while they think."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from engine.bots import ask
from service.core.models import EntryRow, Submission
from service.matches import bots, moves, standins, undoing
from service.matches.tables import BotSeat, Guest
from tests.support.tables import World
from tests.support.time import at

BEN = Guest(address="ben@example.org", name="Ben")


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Have something happen once, while the next bot thinks."""

    def set_up(what: Callable[[], None]) -> None:
        waiting = [what]

        def thinking(*args: Any) -> Any:
            turn = ask(*args)
            while waiting:
                waiting.pop()()
            return turn

        monkeypatch.setattr("service.matches.bots.ask", thinking)

    return set_up


def play(world: World, match_id: int) -> None:
    moves.play(world.service, world.submit(match_id).id)


def before_the_bot(world: World, game_key: str) -> tuple[int, int]:
    """A person has just played, revealing nothing, and a bot is next: the match, whose turn."""
    match_id = world.begun([BEN, BotSeat(bot="random")], game_key)
    while True:
        row = world.awaited(match_id)
        match = world.match(match_id)
        if match.seats[row.seat].bot is not None:
            bots.play_bot(world.service, match_id, row.decision)
            continue
        play(world, match_id)
        if match.seats[world.awaited(match_id).seat].bot is not None:
            break
    with at(world, match_id) as (work, match):
        work.session.get_one(EntryRow, (match_id, match.last_entry)).revealed = False
    return match_id, row.seat


def undo(world: World, match_id: int, seat: int) -> None:
    with at(world, match_id) as (work, match):
        undoing.undo(world.service, work, match, seat)


def stored(world: World, match_id: int, decision: str) -> list[Submission]:
    with world.service.database.read() as session:
        query = select(Submission).where(Submission.match_id == match_id)
        return list(session.scalars(query.where(Submission.decision == decision)))


@pytest.mark.parametrize("again", [False, True], ids=["taken back", "and played again"])
def test_a_turn_taken_back_while_the_bot_thinks_hangs_no_table(
    world: World, game_key: str, meanwhile: Callable[..., None], again: bool
) -> None:
    match_id, seat = before_the_bot(world, game_key)
    asked = world.awaited(match_id)

    def happens() -> None:
        undo(world, match_id, seat)
        if again:
            play(world, match_id)

    meanwhile(happens)
    bots.play_bot(world.service, match_id, asked.decision)
    assert stored(world, match_id, asked.decision) == [], "it was about a position that is gone"
    if not again:
        play(world, match_id)
    anew = world.awaited(match_id)
    assert (anew.decision, anew.opened_entry) == (asked.decision, asked.opened_entry)
    bots.play_bot(world.service, match_id, anew.decision)
    assert [(s.source, s.status) for s in stored(world, match_id, anew.decision)] == [
        ("bot:random", "played")
    ]


def test_what_a_bot_has_handed_in_goes_with_the_turn_before_it(world: World, game_key: str) -> None:
    match_id, seat = before_the_bot(world, game_key)
    asked, last = world.awaited(match_id), world.match(match_id).last_entry
    key = f"bot:random.{match_id}.{asked.decision}.{last}"
    early = world.submit(match_id, source="bot:random", dedupe=key)
    undo(world, match_id, seat)
    assert moves.play(world.service, early.id).status == "withdrawn"
    play(world, match_id)
    bots.play_bot(world.service, match_id, asked.decision)
    assert world.match(match_id).last_entry == last + 1


@pytest.mark.on_postgresql
@pytest.mark.parametrize("handed_in", [False, True], ids=["thinking", "handed in"])
def test_no_bot_plays_for_who_has_come_back(
    world: World, game_key: str, meanwhile: Callable[..., None], handed_in: bool
) -> None:
    match_id = world.begun([BEN], game_key)
    asked = world.awaited(match_id)

    def back() -> None:
        with at(world, match_id) as (work, match):
            assert standins.take_back(world.service, work, match, asked.seat)

    with at(world, match_id) as (work, match):
        standins.put_in(world.service, work, match, match.seats[asked.seat])
    bot = world.match(match_id).seats[asked.seat].stand_in
    key = f"bot:{bot}.{match_id}.{asked.decision}.0"
    if handed_in:
        early = world.submit(match_id, source=f"bot:{bot}", dedupe=key)
        back()
        moves.play(world.service, early.id)
    else:
        meanwhile(back)
        bots.play_bot(world.service, match_id, asked.decision)
    assert world.match(match_id).last_entry == 0
    # If they are away again, it is the bot's turn again.
    with at(world, match_id) as (work, match):
        standins.put_in(world.service, work, match, match.seats[asked.seat])
    bots.play_bot(world.service, match_id, asked.decision)
    (entry,) = [s for s in stored(world, match_id, asked.decision) if s.status == "played"]
    assert (entry.source, entry.dedupe) == (f"bot:{bot}", key)

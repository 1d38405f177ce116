"""The answer to a turn that leaves a bonus unused."""

from __future__ import annotations

import datetime as dt

import pytest

from engine.games import games
from engine.play import texts
from engine.sapiens.actions import Camp, Hunt, Picking
from service.core import locks
from service.core.results import TurnHeld, TurnPlayed
from service.mail.receive.turn_of_reply import HOLD_MINUTES
from service.matches import journal, moves
from service.matches.tables import Guest
from tests.support.correspondence import Correspondence
from tests.support.games import KNOWN
from tests.support.tables import World


@pytest.mark.parametrize("hold", [0, 30])
def test_a_bonus_left_unused_is_named_first(world: World, hold: int) -> None:
    """A turn that leaves one waits, so that it can be taken back before a bot has answered it."""
    number = world.begun([Guest(address="g1@example.org", name="Bruno")], KNOWN, hold_minutes=0)
    post, game = Correspondence(world, number), games()[KNOWN]
    for _ in range(20):
        world.hear()
        asked = world.awaited(number)
        with world.service.database.read() as session:
            state = journal.position(session, world.match(number)).state
        suggested = game.suggestions(state, asked.seat, 1)[0]
        kept = [a for a in suggested if not isinstance(a, Camp | Hunt | Picking)]
        whole = texts(game, state, asked.seat, suggested, "en")
        if len(kept) < len(suggested):
            break
        world.submit(number, "\n".join(whole))
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, number).hold_minutes = hold
    left = [t for t, a in zip(whole, suggested, strict=True) if a in kept]
    unused = [t.split()[0] for t, a in zip(whole, suggested, strict=True) if a not in kept]
    before = world.service.now()
    answer = post.answer(post.reply(asked.seat, "\n".join(left), asked.decision))
    held = answer.results[0]
    assert isinstance(held, TurnHeld)
    written = held.until - dt.timedelta(minutes=hold or HOLD_MINUTES)
    assert before <= written <= world.service.now()
    said = " ".join(answer.text.split())
    first = said.partition("above this line ")[2]
    assert first.startswith("This leaves ")
    assert f"cost nothing: {unused[0]}" in first or f"costs nothing: {unused[0]}" in first
    assert "“undo”" in said
    with_it = post.reply(asked.seat, "\n".join(whole), asked.decision)
    assert isinstance(post.answer(with_it).results[0], TurnHeld if hold else TurnPlayed)
    with world.service.database.read() as session:
        waiting = moves.waiting_of(session, world.match(number), asked.seat)
    assert (waiting is not None) == bool(hold), "what was replaced is not said to wait"

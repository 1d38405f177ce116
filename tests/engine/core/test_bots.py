"""Asking bots: they know what a player in their seat knows."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots import ask, chance_of
from engine.chance import Chance, SeededChance, seed_of_number
from engine.play import NotYourDecision, submit
from engine.protocol import Decision, seats_to_wait_for
from tests.engine.core.matches import SEED, match
from tests.engine.toy import GAME, ToyGame
from tests.engine.toy.actions import Action, Play, Watch
from tests.engine.toy.state import State


class Watched(ToyGame):
    """The game of tests with a bot that shows what it was given."""

    def __init__(self) -> None:
        self.given: list[Any] = []
        self.asked: list[Decision[Action]] = []
        self.bots = {"watched": self._play}

    def _play(self, state: Any, decision: Decision[Action], chance: Chance) -> tuple[Action, ...]:
        self.given.append(state)
        self.asked.append(decision)
        return (Play(card=chance.below("card", 100)),)


def position() -> tuple[State, Decision[Action]]:
    """A position in which seat 1 may file an order, and that decision."""
    state = match()[2][3].state
    own = (each for each in GAME.decisions(state) if each.seat == 1)
    return state, next(each for each in own if each.kind == "watch")


def test_a_bot_is_given_a_guess() -> None:
    game = Watched()
    state, decision = position()
    for number in range(5):
        ask(game, "watched", state, decision, chance_of(seed_of_number(number), 1, 4))
    assert len({given.deck for given in game.given}) > 1
    for given in game.given:
        assert game.view(given, 1) == game.view(state, 1)
        assert given.hands[1] == state.hands[1]


def test_a_bot_is_given_the_decision_as_it_is_open_in_its_guess() -> None:
    """What can be chosen is made when asked for, from the position that it belongs to."""
    game = Watched()
    state, decision = position()
    ask(game, "watched", state, decision, chance_of(SEED, 1, 4))
    (asked,) = game.asked
    assert asked.choices is not decision.choices
    assert (asked.id, asked.seat) == (decision.id, 1)
    assert list(asked.choices) == list(decision.choices)


def test_a_bot_draws_from_the_chance_it_is_given() -> None:
    game = Watched()
    state, decision = position()
    asked = [ask(game, "watched", state, decision, chance_of(SEED, 1, n)) for n in (4, 4, 5)]
    assert asked[0] == asked[1] != asked[2]


def test_there_must_be_such_a_bot() -> None:
    with pytest.raises(KeyError):
        ask(Watched(), "deep", *position(), chance_of(SEED, 0, 1))


def test_the_decision_must_be_open() -> None:
    state, decision = position()
    with pytest.raises(NotYourDecision):
        ask(GAME, "random", state, replace(decision, id="another"), chance_of(SEED, 1, 1))


def test_a_bot_may_file_an_order_or_leave_it() -> None:
    """It is asked by the same road for a decision that does not block."""
    state, decision = position()
    assert not decision.blocks
    asked = [ask(GAME, "random", state, decision, chance_of(SEED, 1, n)) for n in range(60)]
    assert set(asked) == {(), *((order,) for order in decision.choices)}
    for order in decision.choices:
        assert isinstance(order, Watch)
        after = submit(GAME, state, 1, decision.id, [order], SeededChance(SEED)).state
        assert after.watches[1] == order.place
        assert seats_to_wait_for(GAME.decisions(after)) == seats_to_wait_for(GAME.decisions(state))

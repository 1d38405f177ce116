"""Asking bots: they know what a player in their seat knows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots import ask, chance_of
from engine.chance import Chance, seed_of_number
from engine.protocol import Seat
from tests.engine.core.matches import SEED, match
from tests.engine.toy import ToyGame
from tests.engine.toy.actions import Action, Play


class Watched(ToyGame):
    """The game of tests with a bot that shows what it was given."""

    def __init__(self) -> None:
        self.given: list[Any] = []
        self.bots = {"watched": self._play}

    def _play(self, state: Any, seat: Seat, chance: Chance) -> tuple[Action, ...]:
        self.given.append(state)
        return (Play(card=chance.below("card", 100)),)


def test_a_bot_is_given_a_guess() -> None:
    game = Watched()
    state = match()[2][3].state
    for number in range(5):
        ask(game, "watched", state, 1, chance_of(seed_of_number(number), 1, 4))
    assert len({given.deck for given in game.given}) > 1
    for given in game.given:
        assert game.view(given, 1) == game.view(state, 1)
        assert given.hands[1] == state.hands[1]


def test_a_bot_draws_from_the_chance_it_is_given() -> None:
    game = Watched()
    state = match()[2][3].state
    asked = [ask(game, "watched", state, 1, chance_of(SEED, 1, n)) for n in (4, 4, 5)]
    assert asked[0] == asked[1] != asked[2]


def test_there_must_be_such_a_bot() -> None:
    with pytest.raises(KeyError):
        ask(Watched(), "deep", match()[2][0].state, 0, chance_of(SEED, 0, 1))

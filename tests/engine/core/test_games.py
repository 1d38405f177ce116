"""The list of games."""

from __future__ import annotations

from itertools import pairwise

from engine.games import games
from tests.support.games import KNOWN


def test_games_are_listed_the_lightest_first() -> None:
    weights = [game.weight for game in games().values()]
    assert all(before <= after for before, after in pairwise(weights))
    assert {*weights} <= {*range(1, 6)}
    assert next(iter(games())) == KNOWN, "the easiest to learn of the product's"

"""The records of Fire & Stone, judged by a referee that knows only the documentation and the rules."""

from __future__ import annotations

import ast
import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.chance import seed_of_number
from engine.leaving import Leaving
from engine.record import encode, verify
from tests.engine.contract.walks import GAMES
from tests.referee.draws import Wrong
from tests.referee.fire_and_stone import referee
from tests.referee.fire_and_stone_names import CARDS, PLACES
from tests.referee.mixed import play

FOLDER = Path(__file__).parent
GAME = GAMES["fire_and_stone"]
Plain = dict[str, Any]
MANNERS = (
    "greedy planner wild",
    "wild",
    "planner",
    "wild greedy random",
    "wild planner default",
    "wild greedy planner",
)
"""How a table plays: what its seats do is mixed of these."""
PARTS = 10


def _taste(view: Any, actions: list[Any], whim: random.Random) -> Any:
    """The cave as often as all else together: its cards are what is rarely met."""
    cave = {place for place, tile in zip(PLACES, view.tiles, strict=True) if tile == "cave"}
    there = [action for action in actions if getattr(action, "place", "") in cave]
    return whim.choice(there if there and whim.random() < 0.5 else actions)


def _options(seats: int, number: int) -> Any:
    whim = random.Random(number)
    return GAME.options_type(
        cave_level=whim.choice(("any", "any", "beginner")),
        card_spaces=whim.choice(((3,), (2, 3))),
        start_tile=whim.choice(("sun", "moon")),
        starting_inventions=whim.random() < 0.6,
        first=whim.choice((None, None, *range(seats))),
    )


def _match(seats: int, number: int, *leavings: Leaving, upto: int | None = None) -> Plain:
    deal, manner = 10 * number + seats, MANNERS[number % len(MANNERS)]
    options = _options(seats, deal)
    record = play(GAME, seats, deal, options, [manner] * seats, leavings, upto, _taste)
    verify(record, GAMES)
    plain: Plain = json.loads(encode(record))
    return plain


@cache
def _written(seats: int, number: int) -> bytes:
    return json.dumps(_match(seats, number)).encode()


def _kinds(record: Plain, key: str, name: str) -> Counter[str]:
    return Counter(one[name] for entry in record["entries"] for one in entry[key])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_referee_agrees_with_matches_of_bots_clock_and_plans(seats: int) -> None:
    causes: set[str] = set()
    for number in (0, 4):
        record = json.loads(_written(seats, number))
        referee(record)
        causes |= {entry["cause"] for entry in record["entries"]}
    assert causes >= {"player", "plan", "default", "bot:planner", "bot:greedy"}


@pytest.mark.rarely
@pytest.mark.parametrize("part", range(PARTS))
def test_the_referee_agrees_with_three_hundred_matches(part: int) -> None:
    agreed = 0
    for number in range(part, 100, PARTS):
        for seats in (2, 3, 4):
            referee(json.loads(_written(seats, number)))
            agreed += 1
    print(f"{agreed} matches agree")
    assert agreed == 30


@pytest.mark.rarely
def test_three_hundred_matches_visit_the_rules() -> None:
    """Every cave, every action and every event but what needs a table to try for it."""

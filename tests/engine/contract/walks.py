"""Random play of any game, for the contract tests: every position, also within turns."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.chance import Draw, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE
from engine.games import games
from engine.mammoths.game import MAMMOTHS
from engine.protocol import Decision, Game, Step
from tests.engine.nim import GAME as NIM
from tests.engine.toy import GAME as TOY
from tests.support.cases import part

GAMES: dict[str, Game[Any, Any]] = {
    **games(),
    **{game.key: game for game in (TOY, NIM, FIRE_AND_STONE, MAMMOTHS)},
}
SEATS = {MAMMOTHS.key: (2, 5)}
"""The numbers of seats of a game whose turns are long; its own tests play with all numbers."""
TABLES = [(key, seats) for key, game in GAMES.items() for seats in SEATS.get(key, game.seats)]
"""Every game with its numbers of seats."""
SHOWN = {key: game for key, game in GAMES.items() if hasattr(game, "presentation")}
SHOWN_TABLES = [(key, seats) for key, seats in TABLES if key in SHOWN]
"""Those that have words and pictures, too."""


def at(tables: Iterable[tuple[str, int]], *, ends: Iterable[int] = (0, -1)) -> pytest.MarkDecorator:
    """Have a test run at each of these tables; `rarely` at those between the smallest and the
    largest of a game, or at all but its smallest.
    """
    often = {(key, game.seats[end]) for key, game in GAMES.items() for end in ends}
    return pytest.mark.parametrize(
        ("key", "seats"),
        [
            pytest.param(*table, marks=[] if table in often else pytest.mark.rarely)
            for table in tables
        ],
    )


at_every_table = at(TABLES)
at_every_shown_table = at(SHOWN_TABLES)

LONGEST = 8000
"""Actions after which a game that does not end is taken to be stuck."""


class Moment(NamedTuple):
    """A position met in play and what was done in it: the last one has no decision."""

    state: Any
    decision: Decision[Any] | None
    action: Any
    step: Step[Any] | None
    draws: tuple[Draw, ...]


@cache
def walk(key: str, seats: int, number: int) -> tuple[Moment, ...]:
    """A whole match by random actions, one at a time. Equal arguments give the same match."""
    return tuple(_walk(GAMES[key], seats, number))


def _walk(game: Game[Any, Any], seats: int, number: int) -> Iterator[Moment]:
    whim = random.Random(f"{game.key} {seats} {number}")
    chance = SeededChance(seed_of_number(number))
    state = game.setup(seats, game.options_type(), chance).state
    for _ in range(LONGEST):
        decision = _choose(whim, game.decisions(state))
        if decision is None:
            yield Moment(state, None, None, None, ())
            return
        action = whim.choice(list(decision.choices))
        before = len(chance.draws)
        step = game.apply(state, decision.seat, action, chance)
        yield Moment(state, decision, action, step, tuple(chance.draws[before:]))
        state = step.state
    raise AssertionError(f"{game.key} does not end in {LONGEST} actions")


def _choose(whim: random.Random, decisions: tuple[Decision[Any], ...]) -> Decision[Any] | None:
    """Mostly one of those that hold the game up, sometimes a standing order."""
    if not decisions:
        return None
    blocking = [d for d in decisions if d.blocks]
    return whim.choice(blocking if whim.random() < 0.8 else list(decisions))


def sample(key: str, seats: int, number: int, most: int) -> list[Moment]:
    """Up to `most` moments of a walk, or the part of them that this tier tries, as `spread`."""
    return spread(key, seats, number, part(most))


def spread(key: str, seats: int, number: int, most: int) -> list[Moment]:
    """Up to `most` moments of a walk, spread over it, each with something to decide."""
    moments = walk(key, seats, number)[:-1]
    stride = max(1, len(moments) // most)
    return list(moments[number % stride :: stride][:most])


@cache
def met(key: str) -> tuple[Any, ...]:
    """Actions of all kinds that were offered somewhere, to be tried where they may not be."""
    by_kind: dict[str, list[Any]] = {}
    for seats in SEATS.get(key, GAMES[key].seats):
        for moment in spread(key, seats, 0, 40):
            for decision in GAMES[key].decisions(moment.state):
                for action in decision.choices:
                    kind = type(action).__name__
                    kinds = by_kind.setdefault(kind, [])
                    if len(kinds) < 400 and action not in kinds[-50:]:
                        kinds.append(action)
    whim = random.Random(key)
    return tuple(a for some in by_kind.values() for a in whim.sample(some, min(12, len(some))))


def frozen(value: Any) -> bytes:
    """The JSON of a value, to see whether it changed."""
    return msgspec.json.encode(value)

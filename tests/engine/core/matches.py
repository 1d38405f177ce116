"""A whole match of the game of tests, with standing orders, for the tests of journal and record."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.bots import ask, chance_of
from engine.chance import seed_hash, seed_of_number
from engine.journal import Entry, Position, Setup, begin, extend
from tests.engine.toy import GAME
from tests.engine.toy.actions import Action, Watch

SEED = seed_of_number(7)


@cache
def match() -> tuple[Setup, tuple[Entry, ...], tuple[Position[Any], ...]]:
    """Three bots play; before each turn of the first round seat 2 orders a watch."""
    setup, position = begin(GAME, 3, GAME.options_type(), SEED, seed_hash(SEED))
    entries: list[Entry] = []
    positions: list[Position[Any]] = [position]

    def play(seat: int, decision: str, actions: tuple[Action, ...], cause: str) -> None:
        entry, reached, _ = extend(GAME, positions[-1], seat, decision, actions, cause, SEED)
        entries.append(entry)
        positions.append(reached)

    play(2, "w2.0", (Watch(place="hill"),), "player")
    while decisions := GAME.decisions(positions[-1].state):
        asked, state = decisions[0], positions[-1].state
        chance = chance_of(SEED, asked.seat, len(entries) + 1)
        play(asked.seat, asked.id, ask(GAME, "random", state, asked, chance), "bot:random")
    return setup, tuple(entries), tuple(positions)

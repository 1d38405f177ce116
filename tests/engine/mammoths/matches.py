"""Whole matches by bots, with plans, sealed orders and standing orders, for tests of this game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from engine.bots import ask, chance_of
from engine.chance import seed_hash, seed_of_number
from engine.journal import Entry, Position, Setup, begin, extend, follow_plans
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.state import Options, State
from engine.protocol import Asks

LONGEST = 4000


class Match(NamedTuple):
    """A match: its journal, the positions it went through, and events by entry."""

    setup: Setup
    entries: list[Entry]
    positions: list[Position[State]]

    @property
    def end(self) -> State:
        return self.positions[-1].state


def played(
    seats: int, bots: Sequence[str], number: int, options: Options | None = None, files: float = 0
) -> Match:
    """A match to its end; of those who are invited, and of later combat plans, a share files."""
    whim = random.Random(f"{seats} {number}")
    seed = seed_of_number(number)
    setup, position = begin(MAMMOTHS, seats, options or Options(), seed, seed_hash(seed))
    entries: list[Entry] = []
    positions = [position]
    settled: set[str] = set()

    def add(entry: Entry, reached: Position[State]) -> None:
        nonlocal position
        entries.append(entry)
        positions.append(reached)
        position = reached

    for _ in range(LONGEST):
        for entry, reached, _ in follow_plans(MAMMOTHS, position, seed):
            add(entry, reached)
        for decision in MAMMOTHS.decisions(position.state):
            invited = decision.asks is Asks.INVITE or decision.kind == "prepare"
            if not (invited or decision.kind == "orders") or decision.id in settled:
                continue
            if decision.kind != "orders":
                settled.add(decision.id)
                if whim.random() >= files:
                    continue
            name = bots[decision.seat % len(bots)]
            pondering = chance_of(seed, decision.seat, position.n + 1)
            actions = ask(MAMMOTHS, name, position.state, decision, pondering)
            if actions:
                seat, id_ = decision.seat, decision.id
                add(*extend(MAMMOTHS, position, seat, id_, actions, f"bot:{name}", seed)[:2])
        asked = next((d for d in MAMMOTHS.decisions(position.state) if d.blocks), None)
        if asked is None:
            return Match(setup, entries, positions)
        name = bots[asked.seat % len(bots)]
        pondering = chance_of(seed, asked.seat, position.n + 1)
        actions = ask(MAMMOTHS, name, position.state, asked, pondering)
        add(*extend(MAMMOTHS, position, asked.seat, asked.id, actions, f"bot:{name}", seed)[:2])
    raise AssertionError(f"match {number} of {seats} does not end")

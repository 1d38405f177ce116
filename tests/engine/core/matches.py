"""A whole match of the game of tests, with orders and plans, for journal and record."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.bots import ask, chance_of
from engine.chance import seed_hash, seed_of_number
from engine.journal import Entry, Position, Setup, begin, extend, follow_plans
from tests.engine.toy import GAME
from tests.engine.toy.actions import Action, Camp, File, Line, Pick, Watch

SEED = seed_of_number(7)
PLAN = File(lines=(Line(when="always", do=Camp(place="hill")), Line(when="always", do=Pick())))


@cache
def match() -> tuple[Setup, tuple[Entry, ...], tuple[Position[Any], ...]]:
    """Three bots play. Before the first turn seat 2 orders a watch, and then another, which is used
    up; in the second round it files a plan in its own turn, and a bot buries what the plan drew.
    """
    setup, position = begin(GAME, 3, GAME.options_type(), SEED, seed_hash(SEED))
    entries: list[Entry] = []
    positions: list[Position[Any]] = [position]

    def play(seat: int, decision: str, actions: tuple[Action, ...], cause: str) -> None:
        entry, reached, _ = extend(GAME, positions[-1], seat, decision, actions, cause, SEED)
        entries.append(entry)
        positions.append(reached)
        for entry, reached, _ in follow_plans(GAME, positions[-1], SEED):
            entries.append(entry)
            positions.append(reached)

    play(2, "0.watch.2", (Watch(place="hill"),), "player")
    play(2, "0.watch.2", (Watch(place="cave"),), "player")
    while decisions := GAME.decisions(positions[-1].state):
        decision, state = next(d for d in decisions if d.blocks), positions[-1].state
        if decision.id == "2.turn.2":
            play(2, "2.file.2", (PLAN,), "player")
            continue
        chance = chance_of(SEED, decision.seat, len(entries) + 1)
        turn = ask(GAME, "random", state, decision, chance)
        play(decision.seat, decision.id, turn, "bot:random")
    return setup, tuple(entries), tuple(positions)

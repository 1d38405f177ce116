"""Matches played wildly: every kind of action as often as any other, to visit all of the rules."""

from __future__ import annotations

import random
from typing import Any

from engine.chance import NoChance, seed_hash, seed_of_number
from engine.journal import Entry, begin, extend
from engine.protocol import Game
from engine.record import Record, export

LATE = ("Retrieve", "Take", "Token", "Out")


def play(game: Game[Any, Any], seats: int, number: int, options: Any = None) -> Record:
    """The record of a match in which every submission is made of actions picked by kind."""
    whim, seed = random.Random(f"{seats} {number}"), seed_of_number(number)
    chosen = game.options_type() if options is None else options
    setup, position = begin(game, seats, chosen, seed, seed_hash(seed))
    entries: list[Entry] = []
    while decisions := game.decisions(position.state):
        seat, decision = decisions[0].seat, decisions[0].id
        actions = _submission(game, position.state, whim)
        entry, position, _ = extend(game, position, seat, decision, actions, "player", seed)
        entries.append(entry)
    return export(game, setup, entries, seed)


def _submission(game: Game[Any, Any], state: Any, whim: random.Random) -> list[Any]:
    """Whole turns of a game in which nothing is drawn before a turn is over."""
    actions: list[Any] = []
    asked = game.decisions(state)[0]
    # Some turns take all they can get before going on, so that rich positions come about.
    greedy = whim.random() < 0.6
    while decision := next((d for d in game.decisions(state) if d.id == asked.id), None):
        kinds: dict[str, list[Any]] = {}
        for action in decision.choices:
            kinds.setdefault(type(action).__name__, []).append(action)
        for late in LATE if greedy else ():
            if len(kinds) > 1:
                kinds.pop(late, None)
        action = whim.choice(kinds[whim.choice(sorted(kinds))])
        actions.append(action)
        state = game.apply(state, asked.seat, action, NoChance()).state
    return actions

"""Whole matches of any game, played by everybody in turn: bots, the clock, plans, and a player who
tries every kind of action as often as any other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from engine.bots import ask, chance_of
from engine.chance import NoChance, SeededChance, seed_hash, seed_of_number
from engine.journal import Entry, Position, begin, extend, follow_plans
from engine.leaving import Leaving
from engine.play import complete
from engine.protocol import Decision, Game, Seat
from engine.record import Record, export

SOMETIMES = 0.15
"""How often an order is filed, or an answer replaced, where it can be."""
Taste: TypeAlias = Callable[[Any, list[Any], random.Random], Any]
"""Chooses among actions of one kind, given the public view."""


def any_of(view: Any, actions: list[Any], whim: random.Random) -> Any:
    return whim.choice(actions)


def play(
    game: Game[Any, Any],
    seats: int,
    number: int,
    options: Any,
    manners: Sequence[str],
    leavings: Sequence[Leaving] = (),
    upto: int | None = None,
    taste: Taste = any_of,
) -> Record:
    """The record of a match. `manners` says for each seat how it plays: "wild", "default", or the
    name of a bot; several with spaces between them are mixed. `upto` breaks it off after so many
    entries. `taste` is that of who plays wildly.
    """
    whim, seed = random.Random(f"{seats} {number}"), seed_of_number(number)
    setup, position = begin(game, seats, options, seed, seed_hash(seed))
    entries: list[Entry] = []

    def add(made: tuple[Entry, Position[Any], Any]) -> None:
        nonlocal position
        entries.append(made[0])
        position = made[1]

    def gone() -> set[Seat]:
        return {one.seat for one in leavings if one.after <= len(entries)}

    while game.decisions(position.state) and len(entries) != upto:
        decision = chosen(whim, game.decisions(position.state))
        manner = whim.choice(manners[decision.seat].split())
        if decision.seat in gone() and manner == "wild":
            manner = "default"
        actions = submission(game, position, decision, manner, whim, seed, taste)
        if not actions:
            continue
        cause = {"wild": "player", "default": "default"}.get(manner, f"bot:{manner}")
        add(extend(game, position, decision.seat, decision.id, actions, cause, seed))
        # A clock that runs out lets plans begin a turn, too.
        expired = range(seats) if whim.random() < SOMETIMES else ()
        left = gone()
        for made in follow_plans(game, position, seed, expired=expired, left=left):
            if len(entries) == upto or gone() != left:
                break
            add(made)
    return export(game, setup, entries, seed, (), leavings)


def chosen(whim: random.Random, decisions: Sequence[Decision[Any]]) -> Decision[Any]:
    blocking = [one for one in decisions if one.blocks]
    return whim.choice(list(decisions) if whim.random() < SOMETIMES or not blocking else blocking)


def submission(
    game: Game[Any, Any],
    position: Position[Any],
    decision: Decision[Any],
    manner: str,
    whim: random.Random,
    seed: bytes,
    taste: Taste,
) -> tuple[Any, ...]:
    state, seat = position.state, decision.seat
    if manner == "wild":
        return tuple(wild(game, state, decision, whim, taste))
    if manner == "default":
        spare = SeededChance(seed, position.next_draw)
        return complete(game, state, seat, decision.id, spare)
    return ask(game, manner, state, decision, chance_of(seed, seat, position.n + 1))


def wild(
    game: Game[Any, Any], state: Any, decision: Decision[Any], whim: random.Random, taste: Taste
) -> Iterator[Any]:
    """One decision, and often those behind it in the same turn, up to a reveal."""
    asked: Decision[Any] | None = decision
    if not decision.blocks:
        examples = list(decision.choices)
        yield from whim.sample(examples, min(1, len(examples)))
        return
    while asked is not None:
        kinds: dict[str, list[Any]] = {}
        for action in asked.choices:
            kinds.setdefault(type(action).__name__, []).append(action)
        if len(kinds) > 1 and whim.random() < 0.7:
            kinds.pop("Pass", None)
        alike = kinds[whim.choice(sorted(kinds))]
        action = taste(game.view(state, None), alike, whim)
        yield action
        step = game.apply(state, asked.seat, action, NoChance())
        if step.reveals:
            return
        state = step.state
        own = [one for one in game.decisions(state) if one.seat == asked.seat and one.blocks]
        here = next((one for one in own if one.id == asked.id), None)
        asking = (decision.turn, decision.sealed)
        more = (one for one in own if (one.turn, one.sealed) == asking)
        if here is None and whim.random() < 0.4:
            return
        asked = here or next(more, None)

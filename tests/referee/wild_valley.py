"""Whole matches of La Vallée des Mammouths in which orders of every kind are filed all the time, so
that all cards and all of the rules are met; without looking into the game's own code.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.bots import ask, chance_of
from engine.chance import NoChance, SeededChance, seed_hash, seed_of_number
from engine.games import games
from engine.journal import Entry, Position, begin, extend, follow_plans
from engine.leaving import Leaving
from engine.play import complete
from engine.protocol import IllegalAction
from engine.record import Record, export
from tests.referee.mammoths_names import HEXES, SPECIES, TRICKS
from tests.referee.mammoths_position import title_of

Plain = dict[str, Any]
GAME = games()["mammoths"]
OFTEN = 0.5
"""How often an order is filed before somebody decides."""


def options(number: int, seats: int) -> Any:
    """Rules of the table, other ones for each number."""
    whim = random.Random(f"options {number} {seats}")
    return GAME.options_type(
        board=whim.randrange(5),
        beginner_food=whim.random() < 0.3,
        fire_rules=whim.random() < 0.6,
        village_bonus=whim.randrange(4),
        cave_bonus=whim.randrange(4),
        food_spoils=whim.random() < 0.3,
        combat_values=whim.choice(("standard", "house")),
        births_need_man=whim.random() < 0.3,
        extra_discard=whim.random() < 0.5,
    )


def play(seats: int, number: int, upto: int = 2000, leavings: Sequence[Leaving] = ()) -> Record:
    """A match to its end, or its first entries; the same for the same numbers."""
    whim, seed = random.Random(f"{seats} {number}"), seed_of_number(10 * number + seats)
    setup, position = begin(GAME, seats, options(number, seats), seed, seed_hash(seed))
    entries: list[Entry] = []

    def submit(seat: int, decision: str, actions: list[Any], cause: str) -> None:
        nonlocal position
        try:
            made = extend(GAME, position, seat, decision, actions, cause, seed)
        except IllegalAction:
            if cause.startswith("bot"):
                raise
            return
        entries.append(made[0])
        position = made[1]
        expired = range(seats) if whim.random() < OFTEN / 5 else ()
        for entry, reached, _ in follow_plans(GAME, position, seed, expired=expired):
            entries.append(entry)
            position = reached

    while (asked := GAME.decisions(position.state)) and len(entries) < upto:
        if whim.random() < OFTEN:
            free = [one for one in asked if not one.blocks]
            orders = [one for one in free if one.id.split(".")[1] == "orders"]
            chosen = whim.choice(orders if whim.random() < 0.7 else free)
            if chosen.id.split(".")[1] == "orders":
                order = _order(whim, position, chosen.seat)
                submit(chosen.seat, chosen.id, [order], "player")
            elif choices := list(chosen.choices):
                submit(chosen.seat, chosen.id, [whim.choice(choices)], "player")
            continue
        decision = next(one for one in asked if one.blocks)
        kind, seat = decision.id.split(".")[1], decision.seat
        if kind == "move" and whim.random() < OFTEN:
            submit(seat, decision.id, _moves(whim, position, decision), "player")
            continue
        bot = whim.choice(("greedy", "greedy", "planner", "planner", "random", "default"))
        if bot == "default":
            spare = SeededChance(seed, position.next_draw)
            default = list(complete(GAME, position.state, seat, decision.id, spare))
            submit(seat, decision.id, default, bot)
            continue
        pondering = chance_of(seed, seat, position.n + 1)
        actions = list(ask(GAME, bot, position.state, decision, pondering))
        submit(seat, decision.id, actions, f"bot:{bot}")
    return export(GAME, setup, entries[:upto], seed, (), leavings)


def _moves(whim: random.Random, position: Position[Any], decision: Any) -> list[Any]:
    """Up to six lines, cards as often as all else, then `done`."""
    state, lines = position.state, []
    for _ in range(whim.randrange(7)):
        here = next(one for one in GAME.decisions(state) if one.id == decision.id)
        kinds: dict[str, list[Any]] = {}
        for action in here.choices:
            kinds.setdefault(type(action).__name__, []).append(action)
        kinds.pop("Done", None)
        if not kinds:
            break
        line = whim.choice(kinds[whim.choice(sorted(kinds))])
        if hasattr(line, "drop") and whim.random() < OFTEN:
            line = msgspec.structs.replace(line, drop=whim.choice(TRICKS))
        try:
            state = GAME.apply(state, decision.seat, line, NoChance()).state
        except IllegalAction:
            continue
        lines.append(line)
    return [*lines, _action({"do": "done"})]


def _action(plain: Plain) -> Any:
    return msgspec.convert(plain, GAME.action_type)


def _order(whim: random.Random, position: Position[Any], seat: int) -> Any:
    """An order of any kind, mostly about hexes where the tribe is."""
    view = msgspec.to_builtins(GAME.view(position.state, None))
    own = [group["hex"] for group in view["groups"] if group["seat"] == seat] or [35]
    beasts = [herd["hex"] for herd in view["herds"]] or [35]

    def some(most: int, among: Any = HEXES) -> list[Any]:
        return whim.sample(list(among), whim.randint(1, min(most, len(among))))

    here = whim.choice(own)
    drop = whim.choice(("", *TRICKS)) if view["options"]["extra_discard"] else ""
    at, sex = whim.choice((0, here)), whim.choice("wf")
    pairs = [[h, whim.choice(("w", "f", "wf", "wwf"))] for h in some(4, own)]
    trigger = whim.choice(("start", "start", "behind", "fighters", "never"))
    herd = whim.choice((None, *SPECIES))
    orders: list[Plain] = [
        {"do": "loss", "at": at, "letters": whim.choice(("w", "f", "fw", "wfwf", "ffff"))},
        {"do": "event_loss", "sex": sex},
        {"do": "fights", "hexes": some(5)},
        {"do": "herds", "at": here, "species": some(6, SPECIES)},
        {"do": "camp", "at": at, "burn": whim.random() < OFTEN},
        {"do": "retreat", "at": here, "to": some(20), "w": 0, "f": 0, "drop": drop},
        {"do": "retreat", "at": here, "to": some(20), "w": 2, "f": 1, "drop": drop},
        {"do": "spirits", "hexes": whim.choice(([], some(9, own))), "drop": drop},
        {
            "do": "beaters",
            "species": some(2, SPECIES),
            "direction": whim.randrange(6),
            "herd": herd,
            "near": here if herd else 0,
            "distance": whim.randrange(7) if herd else 0,
            "drop": drop,
        },
        {
            "do": "bait",
            "at": whim.choice(beasts),
            "distance": whim.randrange(3),
            "species": some(6, SPECIES),
            "drop": drop,
        },
        {"do": "feast", "at": here, "sex": sex, "drop": drop},
        {"do": "starve", "pawns": pairs},
        {"do": "unfed", "pawns": pairs},
        {"do": "births", "hexes": some(5)},
        {"do": "sow", "hexes": some(9, own)},
        {"do": "reenter", "hexes": some(9)},
        {"do": "forget", "word": whim.choice(("all", "unfed", "card", "loss")), "title": ""},
    ]
    orders += [
        {
            "do": "combat_card",
            "title": title,
            "at": at,
            "against": whim.choice(("", "tribes", *SPECIES)) if title != "T09" else "",
            "trigger": "start" if title == "T09" else trigger,
            "most": whim.randint(1, 8) if trigger == "fighters" and title != "T09" else 0,
            "drop": drop,
        }
        for title in ("T04", "T08", "T09", "T10")
    ]
    for title in ("T14", "T15"):
        trigger = whim.choice(("starving", "always", "never"))
        orders.append({"do": "stores", "title": title, "trigger": trigger, "drop": drop})
    # Cards that are in hand, more often than not.
    hand = (msgspec.to_builtins(GAME.view(position.state, seat))["own"] or {}).get("hand", ())
    able = [order for order in orders if title_of(order) in hand]
    order = whim.choice(able if able and whim.random() < OFTEN else orders)
    if order["do"] == "unfed" and whim.random() < 0.8:
        order = {"do": "starve", "pawns": pairs}
    return _action(order)

"""What players of La Vallée des Mammouths are offered in a move is what the rules allow, no less:
the referee tries everything there is in positions of wild games, before a move and in its midst.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import msgspec
import pytest

from engine.chance import NoChance
from engine.journal import replay
from engine.record import Record, encode, journal_of
from tests.referee.draws import Draws, Wrong
from tests.referee.mammoths import play_entry
from tests.referee.mammoths_names import HEXES, NEAR, TRICKS
from tests.referee.mammoths_plans import Planned
from tests.referee.wild_valley import GAME, Plain, play

MOST_STEPS = 3


def paths(here: int) -> Iterator[list[int]]:
    """Every way from a hex over its neighbours, those that come back included."""
    found = [[here]]
    for _ in range(MOST_STEPS):
        found = [[*path, there] for path in found for there in NEAR[path[-1]]]
        yield from found


def everything(match: Planned, seat: int) -> Iterator[Plain]:
    """Whatever could be a line of somebody's move: more pawns than there are, foreign hexes."""
    for here in match.where(seat):
        group = match.pawns(here, seat)
        few = [(1, 0), (0, 1)]
        every = list(product(range(group["w"] + 2), range(group["f"] + 2)))
        for path in paths(here):
            far = len(path) > 3 and here not in match.moving.marches
            for w, f in few if far else every:
                yield {"do": "move", "w": w, "f": f, "path": path}
    for here in HEXES:
        yield {"do": "found", "hex": here}
        for camp in (0, *HEXES):
            yield {"do": "fire", "hex": here, "camp": camp}
    hand = match.tribes[seat].hand
    drops = ("", *sorted(set(hand))) if match.options["extra_discard"] else ("",)
    for title, drop in product(TRICKS, drops):
        if drop and (title not in hand or (hand.count(title) == 1 and drop == title)):
            continue
        card: Plain = {"do": "card", "title": title, "tribe": None, "fire": False, "drop": drop}
        hexes = [[], *([here] for here in HEXES), *map(list, combinations(sorted(HEXES), 2))]
        yield from ({**card, "hexes": each} for each in hexes)
        for tribe, fire in product(range(len(match.tribes)), (False, True)):
            yield {**card, "hexes": [], "tribe": tribe, "fire": fire}


def takes(match: Planned, seat: int, line: Plain) -> bool:
    """Whether the referee takes a line."""
    if line["do"] == "move":
        return not match.why_not(seat, line["w"], line["f"], line["path"])
    if line["do"] == "found" and not match.may_found(seat, line["hex"]):
        return False
    if line["do"] == "fire" and not match.may_take_fire(seat, line["hex"]):
        return False
    if line["do"] == "card" and line["title"] not in match.tribes[seat].hand:
        return False
    if line["do"] == "card" and (line["title"] == "T16") != (line["tribe"] is not None):
        return False
    try:
        match.on_trial().line(seat, line)
    except (Wrong, LookupError):
        return False
    return True


def written(lines: Any) -> set[str]:
    return {json.dumps(line, sort_keys=True) for line in lines}


def compare(match: Planned, state: Any, seat: int, where: str) -> None:
    decision = next(one for one in GAME.decisions(state) if one.blocks and one.seat == seat)
    offered = written(map(msgspec.to_builtins, decision.choices)) - {'{"do": "done"}'}
    legal = written(line for line in everything(match, seat) if takes(match, seat, line))
    assert offered == legal, where


def compare_all(record: Record, stride: int) -> int:
    """Compare one of so many moves, and each after some of its lines; how many were compared."""
    setup, entries, seed = journal_of(record)
    plain = json.loads(encode(record))
    draws = Draws(seed)
    draws.give(plain["setup"]["draws"])
    match = Planned(record.seats, plain["options"], draws)
    match.begin()
    whim = random.Random(seed)
    moves = compared = 0
    positions = replay(GAME, setup, entries)
    for entry, position in zip(plain["entries"], positions, strict=False):
        if entry["actions"][-1]["do"] == "done":
            moves += 1
            if moves % stride == 0:
                seat, state, trial = entry["seat"], position.state, match.on_trial()
                compare(trial, state, seat, f"entry {entry['n']}")
                lines = [one for one in entry["actions"][:-1] if one["do"] in LINES]
                for line in lines[: whim.randint(0, len(lines))]:
                    trial.line(seat, line)
                    done = msgspec.convert(line, GAME.action_type)
                    state = GAME.apply(state, seat, done, NoChance()).state
                compare(trial, state, seat, f"entry {entry['n']}, after {trial.moving.lines}")
                compared += 1
        match.events = []
        draws.give(entry["draws"])
        play_entry(match, entry)
    return compared


LINES = ("move", "found", "fire", "card")


@pytest.mark.rarely
def test_what_is_offered_is_what_the_rules_allow() -> None:
    assert compare_all(play(3, 1, 40), 6) > 0


@pytest.mark.rarely
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("number", range(4))
def test_what_is_offered_in_wild_games_is_what_the_rules_allow(seats: int, number: int) -> None:
    """One of eight moves of twenty games: a position has so much to be tried that it takes long."""
    assert compare_all(play(seats, number), 8)

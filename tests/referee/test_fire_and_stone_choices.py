"""What players of Fire & Stone are offered is what the rules allow, no less: the referee tries
everything there is in positions of whole matches. The default is the same wherever it is asked.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import msgspec
import pytest

from engine.chance import NoChance
from engine.journal import start
from engine.record import Record, encode, journal_of
from tests.engine.contract.walks import GAMES
from tests.referee.draws import Draws, Wrong
from tests.referee.fire_and_stone_columns import Columns
from tests.referee.fire_and_stone_default import default
from tests.referee.fire_and_stone_names import CARDS, COLUMNS, OBJECTIVES, PIECES, PLACES
from tests.referee.test_fire_and_stone import match
from tests.support.cases import all_of_them

GAME = GAMES["fire_and_stone"]
Plain = dict[str, Any]


def everything(game: Columns) -> Iterator[Plain]:
    """Whatever could be done in some position of this phase."""
    phase = game.phase
    every = ("pass", "food", "hunt", "done", "build", "decline", "hold", "drop", "use", "look")
    yield from ({"do": kind} for kind in every)
    if phase in ("move", "tunnel", "look"):
        yield from ({"do": "lead", "explorer": number} for number in (1, 2))
        yield from ({"do": kind, "place": place} for kind in ("go", "name") for place in PLACES)
    elif phase in ("return", "second"):
        yield from ({"do": phase, "fire": place} for place in PLACES)
    elif phase == "rank":
        yield from ({"do": "rank", "cards": list(cards)} for cards in permutations(game.starting))
    elif phase == "arrange":
        kinds = sorted(game.hidden[place] for place in game.named)
        yield from ({"do": "arrange", "tiles": list(tiles)} for tiles in permutations(kinds))
    elif phase == "keep":
        yield from ({"do": "keep", "pieces": [piece]} for piece in PIECES)
        yield from ({"do": "keep", "pieces": list(two)} for two in product(PIECES, repeat=2))
    elif phase == "council":
        yield from ({"do": "swap", "objective": objective} for objective in OBJECTIVES)
    else:
        for column in COLUMNS:
            yield from ({"do": kind, "column": column} for kind in ("take", "discard"))
            yield from ({"do": "forage", "place": place, "column": column} for place in PLACES)
        for card in CARDS["invention"]:
            yield {"do": "invent", "card": card}
            yield {"do": "score", "covers": card}
            yield from ({"do": "barter", "given": card, "taken": taken} for taken in game.row)
        yield from ({"do": "piece", "piece": piece} for piece in PIECES)


def written(actions: Any) -> set[str]:
    return {json.dumps(action, sort_keys=True) for action in actions}


def legal(game: Columns, seat: int) -> set[str]:
    """The actions that the referee takes."""
    taken = []
    spare = copy.deepcopy(game)
    for action in everything(game):
        try:
            spare.play(action, seat)
            taken.append(action)
        except (Wrong, LookupError, ValueError, AssertionError):
            if action["do"] != "keep":
                continue  # What was refused has changed nothing, but for a first piece.
        spare = copy.deepcopy(game)
    return written(taken)


def compare(record: Record, stride: int) -> int:
    """Compare one of so many positions of a match, also those within decisions; how many."""
    setup, entries, seed = journal_of(record)
    plain = json.loads(encode(record))
    draws = Draws(seed)
    draws.give(plain["setup"]["draws"])
    game = Columns(record.seats, plain["options"], draws)
    state, met, compared = start(GAME, setup, seed).state, 0, 0
    for entry, written_entry in zip(entries, plain["entries"], strict=True):
        for action, plain_action in zip(entry.actions, written_entry["actions"], strict=True):
            met += 1
            # What is asked seldom is compared whenever it is met.
            if met % stride == 0 or game.phase in SELDOM:
                compared += 1
                offered(game, state, f"entry {entry.n}")
            game.play(plain_action, entry.seat)
            done = msgspec.convert(action, GAME.action_type)
            state = GAME.apply(state, entry.seat, done, NoChance()).state
    return compared


SELDOM = ("tunnel", "council", "arrange", "look", "ember", "basket", "card", "keep")


def offered(game: Columns, state: Any, where: str) -> None:
    for decision in GAME.decisions(state):
        if decision.blocks:
            ours = written(map(msgspec.to_builtins, decision.choices))
            assert ours == legal(game, decision.seat), f"{where}: {decision.kind}"
            by_default = written([msgspec.to_builtins(GAME.default(state, decision.seat))])
            assert by_default == written([default(game, decision.seat)]), f"{where}: by default"


@pytest.mark.rarely
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_offered_is_what_the_rules_allow(seats: int) -> None:
    stride = 12 if all_of_them() else 24
    assert compare(match(seats, 0), stride) > 360 / stride


@pytest.mark.rarely
@pytest.mark.parametrize("number", range(12))
def test_what_is_offered_in_many_matches_is_what_the_rules_allow(number: int) -> None:
    for seats in (2, 3, 4):
        compare(match(seats, number), 12)

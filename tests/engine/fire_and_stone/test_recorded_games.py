"""Recorded games, one for each cave card and each ending: they replay to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone.components import CAVE_IDS, END_AT, HUTS
from engine.journal import ReplayError
from engine.record import simulate
from engine.verification import verify
from tests.engine.recorded import FOLDER as GAMES
from tests.engine.recorded import replayed

FOLDER = GAMES / "fire_and_stone"
FILES = sorted(FOLDER.glob("*.jsonl"))


def test_every_cave_card_is_there() -> None:
    assert {f"cave-{card}" for card in CAVE_IDS} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_replays_to_the_letter(path: Path) -> None:
    head, state = replayed(GAME, path)
    assert json.loads(msgspec.json.encode(GAME.outcome(state))) == head["outcome"]
    kind, _, card = path.stem.partition("-")
    if kind == "cave":
        view = GAME.view(state, None)
        assert view.cave == card or (card == "collapsed_tunnel" and view.cave_gone)


@pytest.mark.parametrize("name", ["hut-tiles-3", "hut-tiles-4", "last-hut-2", "tie-2"])
def test_f13_it_ends_as_its_name_says(name: str) -> None:
    head, state = replayed(GAME, FOLDER / f"{name}.jsonl")
    by_huts = max(len(player.huts) for player in state.players) == HUTS
    assert (by_huts, state.track >= END_AT) == (name == "last-hut-2", name != "last-hut-2")
    assert len(head["outcome"]["winners"]) == (2 if name == "tie-2" else 1)
    assert state.turns_left == 0


def test_records_from_before_an_option_lack_it() -> None:
    seed = seed_of_number(3)
    asking = simulate(GAME, 2, seed, ["greedy"], GAME.options_type())
    forced = simulate(GAME, 2, seed, ["greedy"])
    assert forced.options == {**asking.options, "plays_forced": True}
    assert len(forced.entries) < len(asking.entries)
    games = {GAME.key: GAME}
    for record in (asking, forced):
        verify(record, games)
    older = {name: value for name, value in asking.options.items() if name != "plays_forced"}
    verify(replace(asking, options=older), games)
    with pytest.raises(ReplayError):
        verify(replace(forced, options=older), games)
    del older["cave_level"]
    with pytest.raises(ReplayError, match=r"options\.cave_level"):
        verify(replace(asking, options=older), games)

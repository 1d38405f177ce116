"""Recorded games, one for each cave card and each ending: they replay to the letter."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.components import CAVE_IDS, END_AT, HUTS
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import State
from engine.play import submit

FOLDER = Path(__file__).parents[2] / "fixtures" / "games" / "fire_and_stone"
FILES = sorted(FOLDER.glob("*.jsonl"))


def _digest(state: State) -> str:
    """The beginning of the digest of the public state (docs/record.md)."""
    public = msgspec.to_builtins(GAME.view(state, None))
    text = json.dumps(public, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _replayed(path: Path) -> tuple[dict[str, Any], State]:
    """The head of a file and the last position, every digest on the way compared."""
    head, *entries = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    options = msgspec.convert(head["options"], Options)
    chance = SeededChance(seed_of_number(head["seed"]))
    state = GAME.setup(head["seats"], options, chance).state
    assert _digest(state) == head["setup"]
    for n, (seat, decision, _, plain, digest) in enumerate(entries, 1):
        actions = [msgspec.convert(each, Action) for each in plain]
        played = submit(GAME, state, seat, decision, actions, NoChance())
        assert not played.unplayed
        state = played.state
        assert _digest(state) == digest, f"entry {n}"
    return head, state


def test_every_cave_card_is_there() -> None:
    assert {f"cave-{card}" for card in CAVE_IDS} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_replays_to_the_letter(path: Path) -> None:
    head, state = _replayed(path)
    assert json.loads(msgspec.json.encode(GAME.outcome(state))) == head["outcome"]
    kind, _, card = path.stem.partition("-")
    if kind == "cave":
        view = GAME.view(state, None)
        assert view.cave == card or (card == "collapsed_tunnel" and view.cave_gone)


@pytest.mark.parametrize("name", ["hut-tiles-3", "hut-tiles-4", "last-hut-2", "tie-2"])
def test_f13_it_ends_as_its_name_says(name: str) -> None:
    head, state = _replayed(FOLDER / f"{name}.jsonl")
    by_huts = max(len(player.huts) for player in state.players) == HUTS
    assert (by_huts, state.track >= END_AT) == (name == "last-hut-2", name != "last-hut-2")
    assert len(head["outcome"]["winners"]) == (2 if name == "tie-2" else 1)
    assert state.turns_left == 0

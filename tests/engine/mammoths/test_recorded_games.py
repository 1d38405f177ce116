"""Recorded games, one for each ending and number of players: they replay to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from engine.mammoths.game import MAMMOTHS
from tests.engine.recorded import FOLDER as GAMES
from tests.engine.recorded import replayed

FOLDER = GAMES / "mammoths"
FILES = sorted(FOLDER.glob("*.jsonl"))
ENDS = {"camps": "camps", "last": "last_tribe", "all": "all_lost", "back": "camps"}
"""How a game ends, by the first word of its file's name."""


def test_every_number_of_players_is_there() -> None:
    assert {f"camps-{seats}" for seats in MAMMOTHS.seats} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_replays_to_the_letter(path: Path) -> None:
    head, state = replayed(MAMMOTHS, path)
    assert json.loads(msgspec.json.encode(MAMMOTHS.outcome(state))) == head["outcome"]
    assert head["seats"] == int(path.stem[-1])
    assert state.termination == ENDS[path.stem.partition("-")[0]]
    if path.stem.startswith("back"):
        assert any(tribe.returned for tribe in state.tribes), "a tribe was out and came back"

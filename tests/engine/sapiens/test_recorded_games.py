"""Recorded games, one per ending: they replay to the letter, and another referee agrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.games import games
from engine.journal import ReplayError
from engine.record import BadRecord, decode
from engine.verification import verify
from tests.referee.sapiens import referee

FOLDER = Path(__file__).parents[2] / "fixtures" / "games"
FILES = sorted(FOLDER.glob("*.json"))


def test_every_ending_is_there() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(FILES) == 6
    assert all(f"| {path.name} |" in listed for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_replays_to_the_letter(path: Path) -> None:
    verify(decode(path.read_bytes()), games())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_referee_agrees(path: Path) -> None:
    referee(json.loads(path.read_bytes()))


@pytest.mark.parametrize(
    ("name", "termination", "winners", "out"),
    [
        ("normal-2", "normal", 1, 0),
        ("normal-3", "normal", 1, 0),
        ("normal-4", "normal", 1, 0),
        ("one-out-2", "normal", 1, 1),
        ("all-out-3", "all_out", 1, 3),
        ("tie-2", "normal", 2, 0),
    ],
)
def test_s12_it_ends_as_its_name_says(name: str, termination: str, winners: int, out: int) -> None:
    record = decode((FOLDER / f"{name}.json").read_bytes())
    assert record.outcome is not None
    assert record.outcome.termination == termination
    assert len(record.outcome.winners) == winners
    assert sum(player["out"] for player in record.entries[-1].state["players"]) == out


def test_a_point_too_many_is_found_where_it_is() -> None:
    record = json.loads((FOLDER / "normal-2.json").read_bytes())
    record["entries"][7]["state"]["players"][0]["fp"] += 1
    with pytest.raises(ReplayError, match="entry 8") as caught:
        verify(decode(json.dumps(record).encode()), games())
    assert caught.value.n == 8


def test_a_record_of_other_rules_is_not_judged() -> None:
    record = json.loads((FOLDER / "normal-2.json").read_bytes())
    record["rules_version"] += 1
    with pytest.raises(BadRecord, match="rules_version"):
        verify(decode(json.dumps(record).encode()), games())

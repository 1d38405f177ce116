"""docs/record.md names everything that is in a record."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from engine.chance import draw, seed_hash
from engine.fairness import Fairness, Part, commitment_of, seed_of
from engine.games import games
from engine.mammoths import events as mammoth_events
from engine.mammoths.actions import Action as MammothAction
from engine.mammoths.view import TribeView, View
from engine.record import Record, encode
from engine.sapiens.actions import Action
from engine.sapiens.events import EVENT_KINDS
from tests.referee.wild import play

TEXT = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
GENERAL, SAPIENS = TEXT.split("\n# Part 2")
MAMMOTHS = TEXT.split("\n# Part 4")[1]
NAMED = set(re.findall(r"`\"?([a-z_]+)\"?`", TEXT))
"""What stands between backticks."""


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, list) else set()


def test_every_key_of_a_record_is_documented() -> None:
    record = json.loads(encode(play(games()["sapiens"], 2, 0)))
    assert set(record) == set(Record.__struct_fields__)
    assert {key for key in _keys(record) if key.islower()} <= NAMED
    assert {*Fairness.__struct_fields__, *Part.__struct_fields__} <= NAMED


def test_every_event_is_documented_with_its_data() -> None:
    table = SAPIENS.split("## Events")[1].split("## The public state")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    for kind, keys in EVENT_KINDS.items():
        (data,) = (row[3] for row in rows if f"`{kind}`" in row[1])
        assert [key for key in keys if f"`{key}`" not in data] == []


@pytest.mark.parametrize("action", get_args(Action), ids=lambda action: action.__name__)
def test_every_action_is_documented_with_its_parameters(action: type[msgspec.Struct]) -> None:
    tag = action.__struct_config__.tag
    rows = [line for line in SAPIENS.splitlines() if line.startswith(f"| `{tag}` ")]
    row = next(line for line in rows if line.count("|") == 4)
    for field in action.__struct_fields__:
        assert f"`{field}`" in row or "the same" in row


def test_the_part_of_the_mammoths_names_every_event_action_and_key() -> None:
    actions, rest = MAMMOTHS.split("## Actions")[1].split("### A move")
    events, state = rest.split("## Events")[1].split("## The public state")
    rows = [line.split("|") for line in events.splitlines() if line.startswith("| `")]
    for kind, (_, keys) in mammoth_events.EVENT_KINDS.items():
        told = [row for row in rows if f"`{kind}`" in row[1]]
        assert told or f"`{kind}`" in events, kind
        assert [key for key in keys if told and f"`{key}`" not in told[0][3]] == [], kind
    lines = [line for line in actions.splitlines() if line.startswith("| `")]
    for action in get_args(MammothAction):
        tag = action.__struct_config__.tag
        line = next(line for line in lines if f"`{tag}`" in line.split("|")[1])
        assert [field for field in action.__struct_fields__ if f"`{field}`" not in line] == [], tag
    for key in (*View.__struct_fields__, *TribeView.__struct_fields__):
        assert f"`{key}`" in state, key


def test_the_vectors_of_the_documentation_are_right() -> None:
    seed = bytes(range(32))
    assert f"`{seed_hash(seed)}`" in GENERAL
    rows = re.findall(r"\| draw (\d), (below|shuffle of) (\d+)[^|]*\| `([^`]*)` \|", GENERAL)
    assert len(rows) == 5
    for index, kind, n, result in rows:
        made = draw(seed, int(index), "", "below" if kind == "below" else "shuffle", int(n))
        assert list(made.result) == json.loads(result)


def test_the_vector_of_a_seed_made_of_parts_is_right() -> None:
    secret = bytes(range(32))
    parts = [Part(seat=seat, name="", part=byte * 32) for seat, byte in ((0, "aa"), (2, "bb"))]
    seed = seed_of(secret, reversed(parts))
    rows = dict(
        re.findall(r"^\| (commitment|seed|its hash) \| `(\w{64})` \|$", GENERAL, re.MULTILINE)
    )
    assert rows["commitment"] == commitment_of(secret)
    assert rows["seed"] == seed.hex()
    numbered = b"".join(n.to_bytes(8, "big") + b * 32 for n, b in ((0, b"\xaa"), (2, b"\xbb")))
    assert seed == hashlib.sha256(secret + b"paleopost seed" + numbered).digest()
    assert f"`{seed_hash(seed)}`" in GENERAL

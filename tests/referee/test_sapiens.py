"""The records of Sapiens, judged by a referee that knows only the documentation and the rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import seed_of_number
from engine.games import games
from engine.journal import begin, extend
from engine.leaving import Leaving
from engine.record import encode, export, simulate
from engine.verification import verify
from tests.referee.draws import Wrong
from tests.referee.sapiens import referee
from tests.referee.wild import play
from tests.support.cases import all_of_them, part

SAPIENS = games()["sapiens"]
Plain = dict[str, Any]


@cache
def _wild(seats: int, number: int) -> bytes:
    return encode(play(SAPIENS, seats, number))


def _kinds(record: Plain, key: str, name: str) -> Counter[str]:
    parts = [record["setup"], *record["entries"]]
    return Counter(one[name] for part in parts for one in part.get(key, ()))


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.rarely), 4])
def test_the_referee_agrees_with_games_of_bots(seats: int) -> None:
    for number in range(3 if all_of_them() else 1):
        bots = ["greedy", "random", "planner", "greedy"][:seats]
        record = simulate(SAPIENS, seats, seed_of_number(number), bots)
        referee(json.loads(encode(record)))


@pytest.mark.rarely(3)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_referee_agrees_with_wild_games(seats: int) -> None:
    for number in range(part(8)):
        referee(json.loads(_wild(seats, number)))


def test_the_wild_games_visit_the_rules() -> None:
    actions: Counter[str] = Counter()
    events: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for seats in (2, 3, 4):
        for number in range(8):
            record = json.loads(_wild(seats, number))
            actions += _kinds(record, "actions", "do")
            events += _kinds(record, "events", "kind")
            ends[record["outcome"]["termination"]] += 1
    assert set(ends) == {"normal", "all_out"}
    assert set(actions) >= {
        *("lay", "abandon", "feast", "picking", "claim", "fight", "water", "camp", "hunt"),
        *("bear", "unbear", "token", "retrieve", "take", "remove"),
    }
    assert set(events) >= {
        *("fight_paid", "fight_own", "abandoned", "out", "declined", "plains_opened"),
        *("bear_put", "bear_removed", "removed", "end_triggered", "over"),
    }


def _plains() -> Any:
    """Boards of plains only: many tiles with `picking` cannot start (S§2.6)."""
    options = SAPIENS.options_type()
    rows = ("p1 p1 p1 p1",) * 5
    halves = options.halves  # type: ignore[attr-defined]
    return replace(options, halves=tuple(replace(half, rows=rows) for half in halves))


@pytest.mark.parametrize(("number", "redraws"), [(9, 1), (1607, 2)])
def test_s2_6_the_referee_agrees_with_redraws(number: int, redraws: int) -> None:
    record = json.loads(encode(play(SAPIENS, 4, number, _plains())))
    assert _kinds(record, "events", "kind")["redrawn"] == redraws
    assert any(draw["what"].startswith("redraw of seat") for draw in record["setup"]["draws"])
    referee(record)


def test_the_referee_takes_the_options_into_account() -> None:
    faces = ("L1a", "L2a", "L3a", "L4a", "R1b", "R2b", "R3b", "R4b")
    record = json.loads(encode(play(SAPIENS, 2, 1, replace(SAPIENS.options_type(), faces=faces))))
    boards = [player["board"] for player in record["setup"]["state"]["players"]]
    assert {board["left"][-1] for board in boards} == {"a"}
    referee(record)


def _with_leavings(seats: int, number: int, upto: int, *leavings: Leaving) -> Plain:
    """A wild match broken off after `upto` entries, that these had left."""
    whole = json.loads(_wild(seats, number))
    setup, position = begin(
        SAPIENS, seats, SAPIENS.options_type(), seed_of_number(number), whole["seed_hash"]
    )
    entries = []
    for n, entry in enumerate(whole["entries"][:upto], 1):
        left = any(x.seat == entry["seat"] and x.after < n for x in leavings)
        actions = [msgspec.convert(plain, SAPIENS.action_type) for plain in entry["actions"]]
        made, position, _ = extend(
            SAPIENS,
            position,
            entry["seat"],
            entry["decision"],
            actions,
            "bot:greedy" if left else "player",
            seed_of_number(number),
        )
        entries.append(made)
    record = export(SAPIENS, setup, entries, seed_of_number(number), (), leavings)
    verify(record, games())
    return json.loads(encode(record))  # type: ignore[no-any-return]


@pytest.mark.rarely(3)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_referee_agrees_on_matches_that_were_left(seats: int) -> None:
    everything = len(json.loads(_wild(seats, 0))["entries"])
    first = Leaving(seat=0, why="resigned", after=3)
    whole = _with_leavings(seats, 0, everything, first)
    referee(whole)
    assert 0 not in whole["outcome"]["winners"]
    last = Leaving(seat=1, why="dropped", after=9)
    broken = _with_leavings(seats, 0, 9, *([first, last] if seats > 2 else [last]))
    referee(broken)
    assert broken["outcome"]["termination"] == "dropped"
    broken["outcome"]["winners"] = [1]
    with pytest.raises(Wrong):
        referee(broken)
    removed = _with_leavings(seats, 0, 9, Leaving(seat=1, why="removed", after=9))
    referee(removed)
    assert removed["outcome"]["winners"] == []
    removed["outcome"]["winners"] = [0]
    with pytest.raises(Wrong):
        referee(removed)
    entry = next(e for e in whole["entries"] if e["seat"] == 0 and e["n"] > 3)
    entry["cause"] = "player"
    with pytest.raises(Wrong):
        referee(whole)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_referee_agrees_on_who_is_to_begin(first: int) -> None:
    options = SAPIENS.options_type(first=first)
    record = json.loads(encode(play(SAPIENS, 3, 2, options)))
    assert record["setup"]["state"]["first"] == first
    assert "first player" not in [draw["what"] for draw in record["setup"]["draws"]]
    referee(record)


def _first_laid(record: Plain) -> Plain:
    entry: Plain = record["entries"][5]
    return entry


def _draw(record: Plain) -> None:
    result = record["setup"]["draws"][0]["result"]
    result[-1], result[-2] = result[-2], result[-1]


def _points(record: Plain) -> None:
    _first_laid(record)["state"]["players"][0]["fp"] += 1


def _event(record: Plain) -> None:
    _first_laid(record)["events"].pop()


def _action(record: Plain) -> None:
    actions = _first_laid(record)["actions"]
    laid = next(action for action in actions if "first" in action)
    laid["first"], laid["second"] = laid["second"], laid["first"]


def _digest(record: Plain) -> None:
    _first_laid(record)["digest"] = "0" * 64


def _outcome(record: Plain) -> None:
    record["outcome"]["winners"] = []


def _seed(record: Plain) -> None:
    record["seed"] = seed_of_number(99).hex()


def _entry(record: Plain) -> None:
    del record["entries"][5]


@pytest.mark.parametrize(
    "tamper", [_draw, _points, _event, _action, _digest, _outcome, _seed, _entry]
)
def test_the_referee_is_not_fooled(tamper: Callable[[Plain], None]) -> None:
    record = json.loads(_wild(3, 0))
    tamper(record)
    with pytest.raises(Wrong):
        referee(record)

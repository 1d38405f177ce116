"""The records of Fire & Stone, judged by a referee that knows only documentation and rules."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import pytest

from engine.chance import seed_of_number
from engine.leaving import Leaving
from engine.record import Record, encode
from engine.verification import verify
from tests.engine.contract.walks import GAMES
from tests.referee.document import Unfinished
from tests.referee.draws import Wrong
from tests.referee.fire_and_stone import referee
from tests.referee.fire_and_stone_names import PLACES
from tests.referee.mixed import play

GAME = GAMES["fire_and_stone"]
Plain = dict[str, Any]
MANNERS = (
    "greedy planner wild",
    "wild",
    "planner",
    "wild greedy random",
    "wild planner default",
    "wild greedy planner",
)
"""How a table plays: what its seats do is mixed of these."""
PARTS = 10


def _taste(view: Any, actions: list[Any], whim: random.Random) -> Any:
    """The cave as often as all else together: its cards are what is rarely met."""
    cave = {place for place, tile in zip(PLACES, view.tiles, strict=True) if tile == "cave"}
    there = [action for action in actions if getattr(action, "place", "") in cave]
    return whim.choice(there if there and whim.random() < 0.5 else actions)


def _options(seats: int, number: int) -> Any:
    whim = random.Random(number)
    return GAME.options_type(
        cave_level=whim.choice(("any", "any", "beginner")),
        card_spaces=whim.choice(((3,), (2, 3))),
        start_tile=whim.choice(("sun", "moon")),
        starting_inventions=whim.random() < 0.6,
        first=whim.choice((None, None, *range(seats))),
        plays_forced=whim.random() < 0.7,
    )


def match(seats: int, number: int, *leavings: Leaving, upto: int | None = None) -> Record:
    """A whole match, the same for the same numbers; each has another deal and other options."""
    deal, manner = 10 * number + seats, MANNERS[number % len(MANNERS)]
    options = _options(seats, deal)
    record = play(GAME, seats, deal, options, [manner] * seats, leavings, upto, _taste)
    verify(record, GAMES)
    return record


def _match(seats: int, number: int, *leavings: Leaving, upto: int | None = None) -> Plain:
    plain: Plain = json.loads(encode(match(seats, number, *leavings, upto=upto)))
    return plain


@cache
def _written(seats: int, number: int) -> bytes:
    return json.dumps(_match(seats, number)).encode()


@pytest.mark.rarely(2)
@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.rarely), 4])
def test_the_referee_agrees_with_matches_of_bots_clock_and_plans(seats: int) -> None:
    causes: set[str] = set()
    for number in (0, 4):
        record = json.loads(_written(seats, number))
        referee(record)
        causes |= {entry["cause"] for entry in record["entries"]}
    assert causes >= {"player", "plan", "default", "bot:planner", "bot:greedy"}


@pytest.mark.rarely
@pytest.mark.parametrize("part", range(PARTS))
def test_the_referee_agrees_with_three_hundred_matches(part: int) -> None:
    wrong: list[str] = []
    tables = [(seats, number) for number in range(part, 100, PARTS) for seats in (2, 3, 4)]
    for seats, number in tables:
        try:
            referee(_match(seats, number))
        except Wrong as error:
            wrong.append(f"match {number} of {seats}: {error}")
    assert not wrong, f"{len(tables) - len(wrong)} of {len(tables)} matches agree: {wrong}"


def _broken_off(seats: int, why: Literal["dropped", "removed"]) -> Plain:
    """A match that ended after 60 entries, when the last of too many left."""
    first = [Leaving(seat=seat, why="resigned", after=40) for seat in range(2, seats)]
    last = Leaving(seat=1, why=why, after=60)
    return _match(seats, 0, *first, last, upto=60)


@pytest.mark.rarely(2)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_referee_agrees_on_matches_that_were_left(seats: int) -> None:
    whole = _match(seats, 0, Leaving(seat=0, why="resigned", after=40))
    referee(whole)
    assert 0 not in whole["outcome"]["winners"]
    late = next(e for e in whole["entries"] if e["seat"] == 0 and e["n"] > 40)
    for cause in ("player", "plan"):
        late["cause"] = cause
        with pytest.raises(Wrong):
            referee(whole)
    ends: list[tuple[Literal["dropped", "removed"], list[int]]]
    ends = [("dropped", [0]), ("removed", [])]
    for why, winners in ends:
        record = _broken_off(seats, why)
        referee(record)
        assert record["outcome"]["winners"] == winners
        record["outcome"]["winners"] = [1]
        with pytest.raises(Wrong):
            referee(record)


def _draw(record: Plain) -> None:
    result = record["setup"]["draws"][0]["result"]
    result[-1], result[-2] = result[-2], result[-1]


def _food(record: Plain) -> None:
    record["entries"][5]["state"]["players"][0]["food"] += 1


def _event(record: Plain) -> None:
    record["entries"][5]["events"].pop()


def _place(record: Plain) -> None:
    _first(record, "go")["place"] = "patagonia"


def _piece(record: Plain) -> None:
    """One more than may be kept: nobody sees which they were."""
    _first(record, "keep")["pieces"] *= 2


def _digest(record: Plain) -> None:
    record["entries"][5]["digest"] = "0" * 64


def _outcome(record: Plain) -> None:
    record["outcome"]["winners"] = []


def _seed(record: Plain) -> None:
    record["seed"] = seed_of_number(99).hex()


def _entry(record: Plain) -> None:
    del record["entries"][5]


def _default(record: Plain) -> None:
    """What a player did is said to be the default turn."""
    entry = next(e for e in record["entries"] if any(a["do"] == "hunt" for a in e["actions"]))
    entry["cause"] = "default"


def _joined(record: Plain) -> None:
    """Two entries made one: nothing goes on after a reveal."""
    entries = record["entries"]
    n = next(k for k, e in enumerate(entries) if "revealed" in [x["kind"] for x in e["events"]])
    entries[n + 1]["actions"] = entries[n]["actions"] + entries.pop(n + 1)["actions"]


def _first(record: Plain, kind: str) -> Plain:
    every = (action for entry in record["entries"] for action in entry["actions"])
    action: Plain = next(action for action in every if action["do"] == kind)
    return action


@pytest.mark.parametrize(
    "tamper",
    [
        *(_draw, _food, _event, _place, _piece, _digest, _outcome, _seed, _entry, _default),
        _joined,
    ],
)
def test_the_referee_is_not_fooled(tamper: Callable[[Plain], None]) -> None:
    record = json.loads(_written(3, 0))
    tamper(record)
    with pytest.raises(Wrong):
        referee(record)


def test_a_record_that_was_cut_short_is_unfinished() -> None:
    record = json.loads(_written(2, 0))
    del record["entries"][50:]
    with pytest.raises(Unfinished):
        referee(record)

"""The records of La Vallée des Mammouths, judged by a referee that knows only documentation and
rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Literal

import pytest

from engine.chance import seed_of_number
from engine.games import games
from engine.leaving import Leaving
from engine.record import encode, simulate
from tests.referee.document import Unfinished
from tests.referee.draws import Wrong, digest
from tests.referee.mammoths import referee
from tests.referee.mammoths_document import read
from tests.referee.mutations import Mutation, mutations
from tests.referee.wild_valley import options, play

SEATS = (2, 3, 4, 5, 6)
PARTS = 10
Plain = dict[str, Any]


def _bots(seats: int, number: int, files: bool) -> Plain:
    """A game of bots under other rules for each number; with `files` all file plans ahead."""
    bots = [("greedy", "random", "planner")[(number + seat) % 3] for seat in range(seats)]
    record = simulate(
        games()["mammoths"],
        seats,
        seed_of_number(1000 * number + seats),
        bots,
        options(number, seats) if number else None,
        range(seats) if files else (),
    )
    plain: Plain = json.loads(encode(record))
    return plain


@cache
def _written(seats: int, number: int) -> bytes:
    return encode(play(seats, number))


def _wild(seats: int, number: int) -> Plain:
    plain: Plain = json.loads(_written(seats, number))
    return plain


def _told(record: Plain) -> Iterator[Plain]:
    for part in (record["setup"], *record["entries"]):
        yield from part["events"]


@pytest.mark.rarely(3, 5)
@pytest.mark.parametrize("seats", SEATS)
def test_the_referee_agrees_with_games_of_bots_and_of_wild_players(seats: int) -> None:
    record = _bots(seats, seats % 2, files=seats % 2 == 0)
    assert record["outcome"] is not None
    referee(record)
    referee(_wild(seats, 0))


def _disagreements(records: Iterator[tuple[str, Plain]]) -> list[str]:
    wrong = []
    for name, record in records:
        try:
            referee(record)
        except Wrong as error:
            wrong.append(f"{name}: {error}")
    return wrong


@pytest.mark.rarely
@pytest.mark.parametrize("part", range(PARTS))
def test_the_referee_agrees_with_three_hundred_games_of_bots(part: int) -> None:
    numbers = range(part, 60, PARTS)
    assert not _disagreements(
        (f"game {number} of {seats}", _bots(seats, number, files=number % 2 == 0))
        for number in numbers
        for seats in SEATS
    )


@pytest.mark.rarely
@pytest.mark.parametrize("part", range(PARTS))
def test_the_referee_agrees_with_a_hundred_wild_games(part: int) -> None:
    assert not _disagreements(
        (f"game {number} of {seats}", _wild(seats, number))
        for number in range(part, 20, PARTS)
        for seats in SEATS
    )


@pytest.mark.rarely
def test_the_wild_games_meet_all_cards_and_ends() -> None:
    cards: Counter[str] = Counter()
    for number in range(20):
        for event in (event for seats in SEATS for event in _told(_wild(seats, number))):
            data = event["data"]
            cards[data.get("title") or data.get("card") or data.get("termination", "")] += 1
    assert {f"T{n:02}" for n in range(1, 21)} <= set(cards)
    assert {f"S{n:02}" for n in range(1, 15)} | {f"N{n:02}" for n in range(1, 14)} <= set(cards)
    assert {"camps", "last_tribe"} <= set(cards)


@pytest.mark.parametrize("why", ["dropped", "removed"])
def test_the_referee_agrees_on_a_match_that_was_left(why: Literal["dropped", "removed"]) -> None:
    first = Leaving(seat=2, why="resigned", after=20)
    last = Leaving(seat=1, why=why, after=20)
    record = json.loads(encode(play(3, 1, 20, (first, last))))
    referee(record)
    assert record["outcome"]["winners"] == ([] if why == "removed" else [0])
    record["outcome"]["winners"] = [1]
    with pytest.raises(Wrong):
        referee(record)


# What is changed, and where the referee has to see it


def _event(record: Plain, kind: str, holds: Callable[[Plain], bool] = bool) -> Plain:
    found = (x["data"] for x in _told(record) if x["kind"] == kind and holds(x["data"]))
    return next(found)


def _entry_with(record: Plain, kind: str) -> Plain:
    entries: list[Plain] = record["entries"]
    return next(e for e in entries if kind in [x["kind"] for x in e["events"]])


def _shuffle(record: Plain) -> None:
    result = record["setup"]["draws"][-1]["result"]
    result[-1], result[-2] = result[-2], result[-1]


def _drawn(what: str) -> Callable[[Plain], None]:
    def change(record: Plain) -> None:
        draws = (draw for entry in record["entries"] for draw in entry["draws"])
        draw = next(draw for draw in draws if draw["what"] == what)
        draw["result"] = [(draw["result"][0] + 1) % draw["n"]]

    change.__name__ = f"draw_{what}"
    return change


def _told_otherwise(kind: str, key: str) -> Callable[[Plain], None]:
    def change(record: Plain) -> None:
        _event(record, kind)[key] += 1

    change.__name__ = f"{kind}_{key}"
    return change


def _die_of_a_round(record: Plain) -> None:
    _event(record, "round_rolled")["sides"][0]["die"] += 1


def _loser(record: Plain) -> None:
    data = _event(record, "round_rolled", lambda data: data["losers"])
    data["losers"] = []


def _loss(record: Plain) -> None:
    events = _entry_with(record, "pawn_lost")["events"]
    events.remove(next(event for event in events if event["kind"] == "pawn_lost"))


def _sex_of_a_loss(record: Plain) -> None:
    data = _event(record, "pawn_lost")
    data["sex"] = "f" if data["sex"] == "w" else "w"


def _state(change: Callable[[Plain], None]) -> Callable[[Plain], None]:
    """A position changed, with the digest that belongs to it."""

    def changed(record: Plain) -> None:
        entry = record["entries"][len(record["entries"]) // 2]
        change(entry["state"])
        entry["digest"] = digest(entry["state"])

    changed.__name__ = change.__name__
    return changed


def _count(state: Plain) -> None:
    state["groups"][0]["w"] += 1


def _food(state: Plain) -> None:
    state["tribes"][0]["food"] += 1


def _herd(state: Plain) -> None:
    state["herds"].pop()


def _bag(state: Plain) -> None:
    state["bag"][0] = state["bag"][0][1:]


def _digest(record: Plain) -> None:
    record["entries"][5]["digest"] = "0" * 64


def _path(record: Plain) -> None:
    moves = (action for entry in record["entries"] for action in entry["actions"])
    move = next(action for action in moves if action["do"] == "move")
    move["w"] += 9


def _entry(record: Plain) -> None:
    del record["entries"][6]


def _winner(record: Plain) -> None:
    record["outcome"]["winners"] = []


def _seed(record: Plain) -> None:
    record["seed"] = seed_of_number(99).hex()


def _default(record: Plain) -> None:
    """What a player did is said to be the default turn."""
    entry = next(e for e in record["entries"] if len(e["actions"]) > 1)
    entry["cause"] = "default"


def _plan(record: Plain) -> None:
    """What a player did is said to be by a plan."""
    entry = next(e for e in record["entries"] if e["decision"].split(".")[1] == "move")
    entry["cause"] = "plan"


CHANGES = (
    *(_shuffle, _die_of_a_round, _loser, _loss, _sex_of_a_loss, _digest, _path, _entry, _winner),
    *(_seed, _default, _plan),
    *map(_drawn, ("die", "birth", "direction", "counter")),
    _told_otherwise("settled", "cost"),
    _told_otherwise("hunt_paid", "after"),
    _told_otherwise("herd_moved", "number"),
    _told_otherwise("direction_die", "die"),
    *map(_state, (_count, _food, _herd, _bag)),
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_the_referee_is_not_fooled(change: Callable[[Plain], None]) -> None:
    record = _wild(2, 0)
    change(record)
    with pytest.raises(Wrong) as caught:
        referee(record)
    assert not isinstance(caught.value, Unfinished)


TRUSTED = (
    "names",
    "entries.*.text",
    "entries.*.cause",
    "leavings",
    "fairness",
    "entries.*.actions",
)
"""Where a change may go unseen (docs/record.md, "What nobody can verify"): the referee reads no
notation, who decided is not in the rules, and an order that nothing came of may have been another.
"""


def _unseen(mutation: Mutation) -> bool:
    try:
        referee(read(mutation.data))
    except Wrong:
        return False
    return not ".".join(map(str, mutation.kind)).startswith(TRUSTED)


@pytest.mark.rarely
def test_every_kind_of_change_is_refused() -> None:
    record = _wild(2, 0)
    changed = islice(mutations(record), 0, None, 40)
    assert [(one.where, one.how) for one in changed if _unseen(one)] == []


def test_a_record_that_was_cut_short_is_unfinished() -> None:
    record = _wild(2, 0)
    del record["entries"][10:]
    record["outcome"] = None
    with pytest.raises(Unfinished):
        referee(record)

"""Whole games: every ending, no dead end, few waits, every event in its chapter."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import SeededChance, seed_of_number
from engine.journal import ReplayError, replay
from engine.mammoths.actions import Action
from engine.mammoths.events import CHAPTERS, EVENT_KINDS
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.ranking import standing
from engine.mammoths.state import Options, State
from engine.record import decode, encode, export
from engine.verification import verify
from engine.waits import count
from tests.engine.mammoths.matches import LONGEST, Match, played
from tests.engine.mammoths.positions import of_kind

GAMES = 6
"""Random games of each number of players, every variant among them; 600 by `make test-all`."""

VARIANTS = (
    Options(),
    Options(fire_rules=True),
    Options(food_spoils=True, births_need_man=True),
    Options(combat_values="house", extra_discard=True),
    Options(fire_rules=True, beginner_food=True, extra_discard=True, combat_values="house"),
)


@cache
def match(seats: int, bot: str, number: int, files: float = 0) -> Match:
    return played(seats, (bot,), number, VARIANTS[number % len(VARIANTS)], files)


def walk(seats: int, number: int) -> Iterator[State]:
    """The positions of a random game, with orders now and then."""
    whim = random.Random(f"mammoths {seats} {number}")
    chance = SeededChance(seed_of_number(number))
    state = MAMMOTHS.setup(seats, VARIANTS[number % len(VARIANTS)], chance).state
    for _ in range(LONGEST):
        yield state
        decisions = MAMMOTHS.decisions(state)
        if not decisions:
            return
        blocking = [decision for decision in decisions if decision.blocks]
        decision = whim.choice(blocking if whim.random() < 0.9 else decisions)
        kinds: dict[type, list[Action]] = {}
        for action in decision.choices:
            kinds.setdefault(type(action), []).append(action)
        action = whim.choice(whim.choice(list(kinds.values())))
        state = MAMMOTHS.apply(state, decision.seat, action, chance).state
        chance.draws.clear()
    raise AssertionError(f"game {number} of {seats} does not end")


def check(state: State) -> None:
    """What holds in any position."""
    for seat, tribe in enumerate(state.tribes):
        groups = state.pawns_of(seat)
        neutral = [each is not None and each[0] == seat for each in state.neutral]
        assert sum(group.w for group in groups) <= 10 + neutral[0]
        assert sum(group.f for group in groups) <= 6 + neutral[1]
        assert len(state.camps_of(seat)) <= 5
        assert tribe.food >= 0
        assert tribe.farm >= 0
        assert (tribe.status == "map") == bool(groups) or state.phase == "setup"
        assert tribe.fire == 0 or any(camp.hex == tribe.fire for camp in state.camps_of(seat))
        assert tribe.status == "map" or not tribe.hand
    if state.phase != "over":  # in mid-dawn counters may be drawn and not placed yet
        counters = sum(map(len, state.bag)) + sum(len(herd.counters) for herd in state.herds)
        assert counters + state.aside == 54 + 8
    assert sum(herd.counters.count("*") for herd in state.herds) + state.aside <= 8
    women = {(group.hex, group.seat) for group in state.groups if group.f}
    assert all((camp.hex, camp.seat) in women for camp in state.camps)
    lake = {at for at, place in state.map.places.items() if place.terrain == "lake"}
    assert not lake & {group.hex for group in state.groups}
    assert all(group.w + group.f > 0 for group in state.groups)


@pytest.mark.parametrize(
    "numbers",
    [
        range(GAMES),
        pytest.param(range(GAMES, 40), marks=pytest.mark.rarely),
        *(pytest.param(range(n, n + 40), marks=pytest.mark.rarely) for n in range(40, 600, 40)),
    ],
    ids=lambda numbers: f"{numbers.start}-{numbers.stop}",
)
@pytest.mark.parametrize("seats", MAMMOTHS.seats)
def test_random_games_end_and_keep_what_holds(seats: int, numbers: range) -> None:
    """All of them are the three thousand of docs/bots.md."""
    ends = set()
    for number in numbers:
        for state in walk(seats, number):
            if not state.moving.lines:
                check(state)
        assert MAMMOTHS.outcome(state) is not None
        ends.add(state.termination)
        rows = standing(state)
        assert sorted(row.seat for row in rows) == list(range(seats))
        assert [row.rank for row in rows] == sorted(row.rank for row in rows)
        shares = [row.points for row in rows if row.result in ("won", "shared")]
        assert shares in ([], ["1"], ["1/2"] * 2, ["1/3"] * 3)
    assert "last_tribe" in ends


def test_every_event_stands_in_its_chapter_in_order() -> None:
    for seats, bot in ((3, "greedy"), (5, "random")):
        for position in match(seats, bot, 3, 1.0).positions:
            told = []
            for event in position.events:
                assert event.chapter in EVENT_KINDS[event.kind][0]
                keys = {"turn", "unit", "hexes", "concerns", *EVENT_KINDS[event.kind][1]}
                assert set(event.data) == keys
                if event.chapter and event.data["turn"]:
                    told.append((event.data["turn"], CHAPTERS.index(event.chapter)))
            # Counters of a sick species go back at dawn, and are told with the arrivals.
            assert told == sorted(told) or of_kind(position.events, "counter_returned")


def test_a_journal_folds_to_the_same_positions() -> None:
    for seats, bot in ((5, "random"), (3, "greedy")):
        game = match(seats, bot, 3, 1.0)
        entries = [msgspec.json.decode(msgspec.json.encode(e), type=type(e)) for e in game.entries]
        assert any(entry.cause == "plan" for entry in entries)
        assert list(replay(MAMMOTHS, game.setup, entries)) == game.positions


def test_a_record_verifies_and_names_a_wrong_die() -> None:
    game = match(3, "greedy", 3, 1.0)
    games = {MAMMOTHS.key: MAMMOTHS}
    record = decode(encode(export(MAMMOTHS, game.setup, game.entries, seed_of_number(3))))
    verify(record, games)
    assert any(entry.cause == "plan" for entry in record.entries)
    assert any(".file." in (entry.decision or "") for entry in record.entries)
    n, at, die = next(
        (n, at, draw)
        for n, entry in enumerate(record.entries)
        for at, draw in enumerate(entry.draws or ())
        if draw.what == "die"
    )
    face = (die.result[0] + 1) % 6
    draws = list(record.entries[n].draws or ())
    draws[at] = replace(die, result=(face,))
    entries = list(record.entries)
    entries[n] = replace(entries[n], draws=tuple(draws))
    with pytest.raises(ReplayError) as wrong:
        verify(replace(record, entries=tuple(entries)), games)
    assert (wrong.value.n, wrong.value.place) == (n + 1, f"draws[{at}].result[0]")
    assert (wrong.value.expected, wrong.value.found) == (die.result[0], face)


def test_a_running_record_keeps_back_what_is_secret() -> None:
    game = match(3, "greedy", 3, 1.0)
    half = len(game.entries) // 2
    running = encode(export(MAMMOTHS, game.setup, game.entries[:half])).decode()
    for hidden in ("plan_move", "plan_fight", "combat_card", ".file.", ".prepare.", "0.orders"):
        assert hidden not in running


def test_games_end_by_camps_too() -> None:
    assert "camps" in {match(3, "greedy", number, 1.0).end.termination for number in (3, 4, 5)}


def test_games_end_with_nobody_left_too() -> None:
    ends = set()
    for number in range(180, 200):
        *_, last = walk(2, number)
        ends.add(last.termination)
    assert "all_lost" in ends


@pytest.mark.rarely
@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "most"), [(0.5, 1.0), pytest.param(1.0, 0.7, marks=pytest.mark.rarely)]
)
def test_few_waits_when_players_file_ahead(files: float, most: float) -> None:
    """Of those who file, each does so for the move and for combat (M§19.9)."""
    for seats in (2, 5):
        games = [played(seats, ("greedy",), number, files=files) for number in range(3)]
        counted = [count(MAMMOTHS, game.setup, game.entries) for game in games]
        assert sum(each.waits for each in counted) / sum(each.turns for each in counted) <= most

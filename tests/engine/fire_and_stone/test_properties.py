"""Properties of whole games: no dead end, what stays the same, what nobody can tell, waits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine import waits
from engine.chance import NoChance, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.events import EVENT_KINDS, PRIVATE
from engine.fire_and_stone.map import IN_REGION, NAMES, REGION, members
from engine.fire_and_stone.options import reach
from engine.fire_and_stone.plans.filing import EXAMPLES
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import Phase, State
from engine.record import journal_of, simulate
from tests.engine.fire_and_stone.positions import begun, forest, tile
from tests.support.cases import part

GAMES = 50
MOST_LISTED = 60
"""F§16.6."""


def _options(number: int) -> Options:
    return Options(
        card_spaces=(2, 3) if number % 2 else (3,),
        starting_inventions=number % 3 == 0,
        start_tile="moon" if number % 5 == 0 else "sun",
        cave_level="beginner" if number % 7 == 0 else "any",
    )


def _walk(number: int, cave: str = "") -> Iterator[State]:
    """The positions of a match by random actions."""
    whim = random.Random(number)
    chance = SeededChance(seed_of_number(number))
    state = GAME.setup(2 + number % 3, _options(number), chance).state
    state = replace(state, cave=cave or state.cave)
    while state.turn.phase != Phase.OVER:
        yield state
        decision = next(d for d in GAME.decisions(state) if d.blocks)
        offered = list(decision.choices)
        assert 1 <= len(offered) <= MOST_LISTED
        state = GAME.apply(state, decision.seat, whim.choice(offered), NoChance()).state
    yield state


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(n, marks=pytest.mark.rarely) for n in range(GAMES, 60 * GAMES, GAMES))],
)
def test_random_games_come_to_an_end_and_lose_nothing(first: int) -> None:
    """All of them are the three thousand of docs/bots.md."""
    for number in range(first, first + GAMES):
        turn = 0
        for state in _walk(number, box.CAVE_IDS[number % len(box.CAVE_IDS)]):
            if state.turn.number != turn:
                turn = state.turn.number
                _check(state)


def _check(state: State) -> None:
    """What holds whenever a turn begins."""
    own = [card for p in state.players for card in p.inventions if card not in box.STARTING_IDS]
    assert len(own) + len(state.row) + len(state.pile) == sum(
        card.copies for card in box.INVENTIONS
    )
    assert sum(player.bags for player in state.players) + state.bag_tokens == box.BAG_TOKENS
    for player in state.players:
        assert 0 <= player.food <= player.capacity
        assert len(player.huts) <= 20
        assert len(set(player.inventions)) == len(player.inventions)
        assert all(len(column) < 3 for column in player.columns)
        # F§5.7: nobody begins a turn on a tile face down.
        assert not any(state.down >> place & 1 for place in player.explorers)
    assert (state.turns_left >= 0) == (state.ended_by >= 0)


def _shown(state: State, seat: int) -> list[Any]:
    """All that a seat sees and is told before it decides."""
    shown: list[Any] = [GAME.view(state, seat), GAME.view(state, None)]
    for decision in GAME.decisions(state):
        if decision.seat == seat:
            shown.append((decision.id, decision.kind, list(decision.choices)))
            if decision.blocks:
                shown.append(GAME.default(state, seat))
                shown.append(GAME.suggestions(state, seat, 3))
    if seat == state.turn.seat and state.turn.number:
        filed = (replace(state, plan=plan) for plan in EXAMPLES)
        shown += [GAME.planned(each, seat, expired=True) for each in filed]
    return shown


@pytest.mark.parametrize("card", box.CAVE_IDS)
def test_what_is_unseen_changes_nothing_that_a_seat_is_shown(card: str) -> None:
    """F§15, with each cave card: views, choices, defaults, suggestions, plans."""
    number = box.CAVE_IDS.index(card)
    positions = list(_walk(number, card))
    for state in positions[3 :: max(1, len(positions) // part(12))]:
        for seat in range(len(state.players)):
            shown = _shown(state, seat)
            other = GAME.guess(state, seat, SeededChance(seed_of_number(number)))
            assert _shown(other, seat) == shown


@pytest.mark.parametrize("card", box.CAVE_IDS[::3])
def test_events_have_the_data_of_their_kind_and_secrets_their_audience(card: str) -> None:
    number = box.CAVE_IDS.index(card)
    whim, before = random.Random(number), None
    for state in _walk(number, card):
        if before is not None:
            decision = next(d for d in GAME.decisions(before) if d.blocks)
            action = whim.choice(list(decision.choices))
            for event in GAME.apply(before, decision.seat, action, NoChance()).events:
                assert set(event.data) == set(EVENT_KINDS[event.kind])
                assert event.audience == ((event.seat,) if event.kind in PRIVATE else None)
        before = state


def test_guesses_differ_in_all_that_is_unseen() -> None:
    state = next(s for s in _walk(4) if s.turn.number == 40 and s.turn.phase == Phase.MOVE)
    guesses = [GAME.guess(state, 0, SeededChance(seed_of_number(n))) for n in range(12)]
    for field in ("tiles", "stacks", "pile", "undealt", "cave"):
        if state.cave_up and field == "cave":
            continue
        assert len({getattr(guess, field) for guess in guesses}) > 1, field
    assert len({guess.players[1].objective for guess in guesses}) > 1


def test_what_a_hunter_saw_is_unknown_to_the_others() -> None:
    state = forest(tile(begun(), "namib", "forest"), "namib", 0, 2, 6, seen=1)
    hunter, other = (
        {GAME.guess(state, seat, SeededChance(seed_of_number(n))).forests for n in range(12)}
        for seat in (0, 1)
    )
    assert hunter == {state.forests}
    assert len(other) > 1


@pytest.mark.parametrize(
    ("seats", "number"),
    [*(pytest.param(*table, marks=pytest.mark.rarely) for table in ((2, 1), (3, 2))), (4, 3)],
)
def test_planners_are_waited_for_about_once_a_turn(seats: int, number: int) -> None:
    """F§19: at most 1.1 waits for each player turn, with plans."""
    record = simulate(GAME, seats, seed_of_number(number), ["planner"])
    setup, entries, _ = journal_of(record)
    counted = waits.count(GAME, setup, entries)
    assert counted.turns > 20
    assert counted.percent <= 110


def test_a_state_is_small_and_goes_through_json() -> None:
    for state in list(_walk(2))[::97]:
        text = msgspec.json.encode(state)
        assert len(text) < 4000
        assert msgspec.json.decode(text, type=State) == state


def _dealt(state: State, kind: str, place: int) -> State:
    """The position with a hidden tile of this kind from the region laid in a place."""
    unseen = members(state.down & ~state.mover.looked & IN_REGION[REGION[place]])
    there = next(n for n in unseen if state.tiles[n] == kind)
    tiles = list(state.tiles)
    tiles[place], tiles[there] = tiles[there], tiles[place]
    return replace(state, tiles="".join(tiles))


def _goes_on(state: State, place: int) -> tuple[bool | None, bool]:
    """What a walk to a tile that is face down says of itself, and whether the turn went on."""
    step = GAME.apply(state, state.turn.seat, do.Go(place=NAMES[place]), NoChance())
    return step.may_go_on, step.state.turn.number == state.turn.number


@pytest.mark.parametrize("number", range(8))
def test_whether_a_turn_may_go_on_says_nothing_of_what_lies_there(number: int) -> None:
    asked = False
    for state in _walk(number):
        if state.turn.phase != Phase.MOVE or state.turn.explorer < 0:
            continue
        unseen = state.down & ~state.mover.looked
        for place in members(reach(state, state.turn.explorer) & unseen):
            kinds = {state.tiles[n] for n in members(unseen & IN_REGION[REGION[place]])}
            found = [_goes_on(_dealt(state, kind, place), place) for kind in kinds]
            assert {said for said, _ in found} == {any(did for _, did in found)}, (state, place)
            asked = True
    assert asked

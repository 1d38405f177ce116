"""What holds in every game of Sapiens, over random ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import NoChance, SeededChance, seed_hash, seed_of_number
from engine.journal import Entry, begin, extend, replay
from engine.protocol import IllegalAction
from engine.sapiens import GAME, flow, scoring
from engine.sapiens.actions import (
    Abandon,
    Action,
    Bonus,
    Camp,
    Claim,
    Feast,
    Fight,
    Hunt,
    Lay,
    Out,
    Picking,
    PutBear,
    Recall,
    Remove,
    RemoveBear,
    Retrieve,
    Take,
    Token,
    Water,
)
from engine.sapiens.components import (
    ENTRANCE,
    NEIGHBOURS,
    PLACES,
    SCENES,
    SQUARES,
    TILES,
    members,
)
from engine.sapiens.default import default
from engine.sapiens.events import EVENT_KINDS
from engine.sapiens.legality import Choices
from engine.sapiens.setup import Options, setup
from engine.sapiens.state import OVER, State
from engine.sapiens.view import view
from tests.engine.sapiens.positions import check_told, check_whole
from tests.support.cases import cases, part

pytestmark = pytest.mark.slow

GAMES = 2000
REDRAWN = 1409
"""A deal in which somebody redraws, so that the last tiles of the stack were seen (S§2.6)."""
OPTIONS = Options()
NO_CHANCE = NoChance()


def deal(number: int) -> State:
    return setup(2 + number % 3, OPTIONS, SeededChance(seed_of_number(number))).state


def walk(number: int) -> Iterator[tuple[State, list[Action], Action]]:
    """A random game: each position with its choices and the one that is played."""
    dice = random.Random(number)
    state = deal(number)
    while state.turn.phase != OVER:
        choices = list(Choices(state))
        action = dice.choice(choices)
        yield state, choices, action
        state = flow.apply(state, state.turn.seat, action, NO_CHANCE).state
    yield state, [], Out()


@cache
def sample() -> tuple[State, ...]:
    """Positions of all phases, out of random games of all numbers of players."""
    found: dict[tuple[str, int], list[State]] = {}
    for number in (*range(90), REDRAWN):
        dice = random.Random(number)
        for state, _, _ in walk(number):
            kept = found.setdefault((state.turn.phase, len(state.players)), [])
            if len(kept) < 12 or dice.random() < 0.02:
                kept.append(state)
    return tuple(state for kept in found.values() for state in kept)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.rarely) for n in range(1, 4))]
)
def test_no_dead_end_and_every_game_ends(part: int) -> None:
    ends: Counter[str] = Counter()
    told: set[str] = set()
    for number in range(part, GAMES, 4):
        dice = random.Random(number)
        state = deal(number)
        while decisions := flow.decisions(state):
            choices = list(decisions[0].choices)
            assert choices, (number, state.turn)
            assert len(set(choices)) == len(choices)
            step = flow.apply(state, decisions[0].seat, dice.choice(choices), NO_CHANCE)
            told.update(event.kind for event in step.events)
            state = step.state
        assert scoring.outcome(state) is not None
        ends[state.termination] += 1
    assert set(ends) == {"normal", "all_out"}
    # Those of the set-up, and one that takes eight claimed tokens, are hardly ever met by chance.
    assert told >= EVENT_KINDS.keys() - {"begun", "redrawn", "token_recalled"}


@pytest.mark.parametrize("number", [*range(24), REDRAWN])
def test_components_are_conserved_and_events_well_formed(number: int) -> None:
    before = None
    for state, _, action in walk(number):
        check_whole(state)
        if before is not None:
            check_told(flow.apply(before[0], before[0].turn.seat, before[1], NO_CHANCE).events)
        before = (state, action) if state.turn.phase != OVER else None
        assert state.known <= len(state.stack)


@pytest.mark.parametrize("number", range(6))
def test_turns_are_numbered_and_reveal_only_at_their_end(number: int) -> None:
    ids: list[str] = []
    for state, _, action in walk(number):
        if state.turn.phase == OVER:
            break
        (decision,) = flow.decisions(state)
        if decision.id not in ids[-1:]:
            ids.append(decision.id)
        step = flow.apply(state, decision.seat, action, NO_CHANCE)
        if step.reveals:
            assert isinstance(action, Take | Remove)
            assert step.state.turn.number > state.turn.number or step.state.turn.phase == OVER
    assert len(set(ids)) == len(ids)


def conceivable(state: State, dice: random.Random) -> list[Action]:
    """Actions of every kind, with whatever lies in the position and some that does not."""
    tiles = [TILES[tile] for player in state.players for tile in player.pool]
    tiles += [TILES[tile] for tile in state.common] + dice.sample(TILES, 2)
    mine = [TILES[tile] for tile in state.mover.pool] + dice.sample(tiles, 1)
    caves = [PLACES[site.place] for site in state.mover.valley.caves]
    places = [*PLACES[:SQUARES], *caves, "WL", "D1N"]
    pairs = [(PLACES[q], PLACES[r]) for q in range(SQUARES) for r in members(NEIGHBOURS[q])]
    for cave in caves:
        entrance = PLACES[ENTRANCE[PLACES.index(cave)]]
        pairs += [(cave, entrance), (entrance, cave), (cave, cave)]
    orders = [(), (0, 1), (1, 0), (1, 2)]
    some: list[Bonus] = [Picking(), Camp()]
    some += [Hunt(convert=n) for n in range(-1, 5)]
    some += [Claim(place=place) for place in (*caves, "WL", "WR", "A1")]
    some += [Recall(scene=scene) for scene in SCENES]
    some += [Fight(tile=tile) for tile in tiles]
    some += [Fight(tile=dice.choice(tiles), moved=tile) for tile in tiles]
    some += [Water(give=give, get=get) for give in mine for get in tiles]
    some += [PutBear(board=seat, square=place) for seat in range(-1, 5) for place in places]
    some += [RemoveBear(square=place) for place in places]
    found: list[Action] = [Out()]
    for tile in mine:
        for first, second in pairs:
            order = dice.choice(orders) if dice.random() < 0.1 else ()
            found.append(Lay(tile=tile, first=first, second=second, order=order))
            found.append(Abandon(tile=tile, first=first, second=second, order=order))
            some.append(Feast(tile=tile, first=first, second=second, order=order))
    found += some
    found += [Token(effect=effect) for effect in some]
    found += [Retrieve(tile=tile) for tile in tiles]
    common = [TILES[tile] for tile in state.common]
    found += [
        Take(tiles=tuple(dice.sample(common, dice.randrange(len(common) + 1)))) for _ in range(30)
    ]
    found += [Remove(tile=tile) for tile in tiles]
    return found


def test_what_is_offered_is_accepted() -> None:
    for state in sample():
        for action in Choices(state):
            assert action in Choices(state)
            flow.apply(state, state.turn.seat, action, NO_CHANCE)


def test_what_is_not_offered_is_refused() -> None:
    dice = random.Random(1)
    accepted = refused = 0
    positions = part(60)
    for state in dice.sample(sample(), positions):
        offered = set(Choices(state))
        for action in conceivable(state, dice):
            if action in offered:
                accepted += 1
                continue
            refused += 1
            assert action not in Choices(state), action
            with pytest.raises(IllegalAction):
                flow.apply(state, state.turn.seat, action, NO_CHANCE)
    assert accepted > 5 * positions
    assert refused > 150 * positions


def test_nothing_else_is_a_choice() -> None:
    for state in sample()[:20]:
        for thing in (None, "lay", 7, object()):
            assert thing not in Choices(state)


def test_states_and_actions_go_through_json() -> None:
    for state in sample():
        blob = msgspec.json.encode(state)
        read = msgspec.json.decode(blob, type=State)
        assert read == state
        assert msgspec.json.encode(read) == blob
        assert list(Choices(read)) == list(Choices(state))
        for action in Choices(state):
            again = msgspec.json.decode(msgspec.json.encode(action), type=GAME.action_type)
            assert again == action


def test_a_stored_state_is_small() -> None:
    sizes = [
        len(msgspec.json.encode(state)) for number in range(2, 30, 3) for state, *_ in walk(number)
    ]
    assert max(sizes) < 4096


def test_a_view_goes_through_json_and_hides_stack_and_aside() -> None:
    for state in sample():
        shown = msgspec.json.decode(msgspec.json.encode(view(state)))
        named = set(_strings(shown))
        for tile in (*state.stack, *state.aside):
            assert TILES[tile] not in named
        assert shown["stack"] == len(state.stack)
        assert shown["aside"] == len(state.aside)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


@settings(max_examples=cases(60))
@given(index=st.integers(0, 10_000), seed=st.integers(0, 10_000))
def test_nothing_depends_on_what_is_unseen(index: int, seed: int) -> None:
    state = sample()[index % len(sample())]
    chance = SeededChance(seed_of_number(seed))
    for seat in range(len(state.players)):
        guessed = GAME.guess(state, seat, chance)
        check_whole(guessed)
        assert GAME.view(guessed, seat) == GAME.view(state, seat) == GAME.view(state, None)
        assert list(Choices(guessed)) == list(Choices(state))
        if state.turn.phase != OVER:
            assert default(guessed) == default(state)


def test_a_guess_keeps_the_tiles_seen_under_the_stack() -> None:
    chance = SeededChance(seed_of_number(1))
    seen = 0
    for state, _, _ in walk(REDRAWN):
        bottom = len(state.stack) - state.known
        guess = GAME.guess(state, 0, chance)
        assert guess.stack[bottom:] == state.stack[bottom:]
        seen += state.known
    assert seen


def test_a_guess_draws_the_unseen_anew() -> None:
    state = deal(1)
    chance = SeededChance(seed_of_number(2))
    guesses = {GAME.guess(state, 0, chance).stack for _ in range(20)}
    assert len(guesses) == 20
    aside = {GAME.guess(state, 0, chance).aside for _ in range(20)}
    assert len(aside) == 20


@settings(max_examples=cases(40))
@given(index=st.integers(0, 10_000), choice=st.integers(0, 10_000))
def test_applying_is_pure(index: int, choice: int) -> None:
    state = sample()[index % len(sample())]
    choices = list(Choices(state))
    if not choices:
        return
    blob = msgspec.json.encode(state)
    action = choices[choice % len(choices)]
    first = flow.apply(state, state.turn.seat, action, NO_CHANCE)
    again = flow.apply(msgspec.json.decode(blob, type=State), state.turn.seat, action, NO_CHANCE)
    assert first == again
    assert msgspec.json.encode(state) == blob


@pytest.mark.parametrize("number", range(3))
def test_the_fold_of_the_journal_is_the_game(number: int) -> None:
    dice = random.Random(number)
    seed = seed_of_number(number)
    head, position = begin(GAME, 2 + number, GAME.options_type(), seed, seed_hash(seed))
    entries: list[Entry] = []
    states = [position.state]
    while decisions := GAME.decisions(position.state):
        (decision,) = decisions
        actions: list[Action] = []
        state = position.state
        while GAME.decisions(state) and state.turn.number == position.state.turn.number:
            actions.append(dice.choice(list(Choices(state))))
            state = GAME.apply(state, decision.seat, actions[-1], NO_CHANCE).state
        entry, position, played = extend(
            GAME, position, decision.seat, decision.id, actions, "player", seed
        )
        assert played.unplayed == ()
        entries.append(entry)
        states.append(position.state)
    stored = msgspec.json.decode(msgspec.json.encode(entries), type=list[Entry])
    assert [found.state for found in replay(GAME, head, stored)] == states
    assert entries


def test_two_seeds_make_two_games() -> None:
    assert deal(3) != deal(6)
    assert replace(deal(3)) == deal(3)

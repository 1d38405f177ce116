"""S§2 and S§3: the set-up and the starting turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import msgspec
import pytest

from engine.chance import SeededChance, seed_of_number
from engine.sapiens.actions import Lay, Take
from engine.sapiens.components import SCENES, SET_ASIDE, TILE_INDEX, TILES
from engine.sapiens.halves_file import SHIPPED_HALVES
from engine.sapiens.legality import Choices
from engine.sapiens.placing import STARTING, can_place
from engine.sapiens.setup import Options, OptionsError, setup
from engine.sapiens.state import REFILL, REMOVE, START, State
from tests.engine.sapiens.positions import (
    HALVES,
    board,
    check_told,
    check_whole,
    data,
    kinds,
    play,
    position,
    refusal,
)

T = TypeVar("T")


def deal(seats: int, number: int, options: Options | None = None) -> State:
    return setup(seats, options or Options(), SeededChance(seed_of_number(number))).state


@pytest.mark.parametrize(("seats", "aside", "stack"), [(2, 12, 38), (3, 18, 28), (4, 6, 36)])
def test_s2_1_tiles_set_aside_pools_and_stack(seats: int, aside: int, stack: int) -> None:
    state = deal(seats, 1)
    assert (len(state.aside), len(state.stack), len(state.common)) == (aside, stack, 5)
    assert [len(player.pool) for player in state.players] == [4] * seats
    check_whole(state)


@pytest.mark.parametrize("seats", SET_ASIDE)
def test_s2_3_no_piece_is_dealt_twice(seats: int) -> None:
    faces = set()
    for number in range(40):
        state = deal(seats, number)
        dealt = [half for p in state.players for half in (p.valley.left, p.valley.right)]
        faces.update(dealt)
        assert len({HALVES[half].piece for half in dealt}) == 2 * seats
        assert [HALVES[half].side for half in dealt] == ["left", "right"] * seats
    assert faces == set(HALVES)


def test_s2_3_tokens_lie_on_all_caves_and_waterfalls() -> None:
    arrangements = set()
    for number in range(20):
        for player in deal(3, number).players:
            assert sorted(player.mountain) == list(range(8))
            assert len(player.valley.caves) == 6
            arrangements.add(player.mountain)
    assert len(arrangements) > 50


def test_s2_5_the_first_player_is_drawn_and_all_start_from_nothing() -> None:
    firsts = Counter(deal(4, number).first for number in range(60))
    assert set(firsts) == {0, 1, 2, 3}
    state = deal(4, 5)
    assert state.turn.seat == state.first
    assert state.turn.phase == START
    assert all((player.fp, player.sp) == (0, 0) for player in state.players)
    assert all(len(player.fights) == 0 for player in state.players)
    assert (state.steaks, state.bears) == (18, 18)


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_s2_5_a_table_may_say_who_begins(first: int) -> None:
    state = deal(4, 5, Options(first=first))
    assert (state.first, state.turn.seat) == (first, first)


@pytest.mark.parametrize("first", [-1, 2])
def test_s2_5_who_begins_sits_at_the_table(first: int) -> None:
    with pytest.raises(OptionsError) as refused:
        deal(2, 1, Options(first=first))
    assert refused.value.code == "first"


def test_s2_the_draws_are_named_in_order() -> None:
    chance = SeededChance(seed_of_number(1))
    setup(2, Options(), chance)
    assert [(draw.what, draw.n) for draw in chance.draws] == [
        ("tiles", 63),
        ("left halves", 4),
        ("right halves", 4),
        ("face of seat 0's left half", 2),
        ("face of seat 0's right half", 2),
        ("face of seat 1's left half", 2),
        ("face of seat 1's right half", 2),
        ("mountain tokens of seat 0", 8),
        ("mountain tokens of seat 1", 8),
        ("first player", 2),
    ]


class Scripted:
    """Draws as told: the tiles and the mountain tokens of seat 0, the stack turned over at the
    first redraw, everything else in the order it comes.
    """

    def __init__(self, tiles: Sequence[str], tokens: Sequence[str]) -> None:
        self.tiles = tiles
        self.tokens = tokens
        self.redraws = 0

    def below(self, what: str, n: int) -> int:
        return 0

    def shuffled(self, what: str, items: Sequence[T]) -> tuple[T, ...]:
        if what == "tiles":
            return tuple(items[TILE_INDEX[tile]] for tile in self.tiles)
        if what == "mountain tokens of seat 0":
            return tuple(items[SCENES.index(scene)] for scene in self.tokens)
        if what.startswith("redraw"):
            self.redraws += 1
            return tuple(items[::-1]) if self.redraws == 1 else tuple(items)
        return tuple(items)


# On L1a and R1a feast lies on C1N, whose entrance is a plain; picking and hunt lie on the falls.
TOKENS = ("feast", "ritual", "fight", "water", "camp", "fire", "picking", "hunt")
NO_START = ("picking-hunt.1", "picking-hunt.2", "picking-hunt.3", "feast-picking.1")


def scripted(first_draw: Sequence[str], last: Sequence[str]) -> Scripted:
    """Seat 0 of two draws this pool, and the stack ends with these tiles."""
    rest = [tile for tile in TILES if tile not in {*first_draw, *last}]
    return Scripted([*rest[:17], *first_draw, *rest[17:], *last], TOKENS)


def test_s2_6_who_cannot_start_redraws_all_four_and_all_are_told() -> None:
    good = ("camp-fire.1", "water-camp.1", "water-camp.2", "water-fire.1")
    step = setup(2, Options(), scripted(NO_START, good))
    check_whole(step.state)
    check_told(step.events)
    assert kinds(step.events) == ["begun", "redrawn"]
    assert step.events[1].audience is None
    assert data(step.events, "redrawn") == {"old": list(NO_START), "new": list(good[::-1])}
    assert step.state.players[0].pool == tuple(TILE_INDEX[tile] for tile in good[::-1])
    # The old ones lie under the stack, where everybody saw them go.
    assert step.state.stack[-4:] == tuple(TILE_INDEX[tile] for tile in NO_START)
    assert step.state.known == 4
    assert len(step.state.stack) == 38


def test_s2_6_a_redraw_is_repeated_until_a_tile_can_start() -> None:
    # Camp lies on H2E, whose entrance is a plain too.
    second = ("feast-picking.2", "feast-picking.3", "picking-camp.1", "picking-camp.2")
    chance = scripted(NO_START, second)
    step = setup(2, Options(), chance)
    check_whole(step.state)
    assert chance.redraws == 2
    first_told, second_told = step.events[1:]
    assert first_told.data["new"] == second_told.data["old"] == list(second[::-1])
    assert step.state.stack[-4:] == tuple(TILE_INDEX[tile] for tile in second[::-1])
    assert step.state.known == 4
    assert can_place(step.state.players[0], STARTING, picking_on_plains=False)


def test_s2_6_everybody_can_start() -> None:
    # 1409 is a seed that makes a player redraw.
    for number in (*range(100), 1409):
        step = setup(4, Options(), SeededChance(seed_of_number(number)))
        check_whole(step.state)
        check_told(step.events)
        assert ("redrawn" in kinds(step.events)) == (number == 1409)
        for player in step.state.players:
            assert can_place(player, STARTING, picking_on_plains=False)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_s2_two_to_four_players(seats: int) -> None:
    with pytest.raises(OptionsError) as raised:
        deal(seats, 1)
    assert raised.value.code == "players"
    assert isinstance(raised.value, ValueError)


def test_options_restrict_the_faces_dealt() -> None:
    faces = tuple(half.id for half in SHIPPED_HALVES if half.id.endswith("a"))
    for number in range(10):
        state = deal(4, number, Options(faces=faces))
        assert {p.valley.left for p in state.players} == {"L1a", "L2a", "L3a", "L4a"}
        assert {p.valley.right for p in state.players} == {"R1a", "R2a", "R3a", "R4a"}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (Options(faces=("L1a", "L9z")), "unknown_face"),
        (Options(faces=("L1a", "L1b", "R1a", "R2a")), "too_few_pieces"),
        (Options(halves=SHIPPED_HALVES[1:4]), "too_few_pieces"),
        (Options(halves=(*SHIPPED_HALVES, SHIPPED_HALVES[0])), "id_twice"),
    ],
)
def test_options_out_of_range_are_refused(options: Options, code: str) -> None:
    with pytest.raises(OptionsError) as raised:
        deal(2, 1, options)
    assert raised.value.code == code


def test_options_hold_the_half_boards_through_json() -> None:
    options = Options(faces=("L1a", "L2a", "R1a", "R2a"))
    assert msgspec.json.decode(msgspec.json.encode(options), type=Options) == options
    assert deal(2, 3, options) == deal(2, 3, msgspec.convert(msgspec.to_builtins(options), Options))


# S§3


def start(**mine: object) -> State:
    return position(board(**mine), board(), phase=START, round=1)  # type: ignore[arg-type]


def test_s3_1_the_token_takes_its_own_scene_only() -> None:
    state = start(
        pool=["hunt-fire.1", "water-camp.1"],
        tokens={"C1N": "fire", "H2E": "hunt"},
    )
    assert set(Choices(state)) == {
        Lay(tile="hunt-fire.1", first="C1", second="C1N"),
        Lay(tile="hunt-fire.1", first="H2E", second="H2"),
    }
    refused = Lay(tile="hunt-fire.1", first="C1N", second="C1")
    context = refusal(state, refused, "not_the_tokens_scene", "S§5.5")
    assert context == {"cave": "C1N", "scene": "hunt", "token": "fire"}


def test_s3_1_no_picking_on_a_plain_entrance() -> None:
    # C1 is a plain, A2 a forest.
    state = start(pool=["picking-fire.1"], tokens={"C1N": "fire"})
    context = refusal(
        state, Lay(tile="picking-fire.1", first="C1", second="C1N"), "picking_on_plain", "S§5.4"
    )
    assert context == {"square": "C1"}
    state = start(pool=["picking-fire.1"], tokens={"A2W": "fire"})
    play(state, Lay(tile="picking-fire.1", first="A2", second="A2W"))


def test_s3_1_picking_may_lie_on_the_cave_itself() -> None:
    state = start(pool=["picking-fire.1"], tokens={"C1N": "picking"})
    play(state, Lay(tile="picking-fire.1", first="C1N", second="C1"))


def test_s3_2_high_value_token_no_food_no_bonus_no_token() -> None:
    state = start(pool=["camp-hunt.1"], tokens={"C1N": "hunt"})
    state, told = play(state, Lay(tile="camp-hunt.1", first="C1", second="C1N"))
    assert (state.mover.fp, state.mover.sp) == (0, 8)
    assert data(told, "cave_scored") == {"cave": "C1N", "value": "high", "sp": 8}
    assert data(told, "laid")["how"] == "start"
    assert state.turn.phase == REFILL
    assert all(isinstance(choice, Take) for choice in Choices(state))


def test_s3_3_a_tile_is_removed_in_starting_turns_too() -> None:
    state = start(pool=["camp-hunt.1"], tokens={"C1N": "hunt"})
    state, _ = play(state, Lay(tile="camp-hunt.1", first="C1", second="C1N"))
    state, _ = play(state, next(choice for choice in Choices(state)))
    assert state.turn.phase == REMOVE
    assert state.turn.seat == 0

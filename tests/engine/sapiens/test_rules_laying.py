"""S§4 to S§7: a turn, laying a tile, resolving it, caves. The board is drawn in `positions`."""

from __future__ import annotations

import pytest

from engine.sapiens.actions import (
    Action,
    Camp,
    Claim,
    Fight,
    Hunt,
    Lay,
    Recall,
    Retrieve,
    Take,
    Token,
    Water,
)
from engine.sapiens.components import CAMP, HUNT, TILE_INDEX, names
from engine.sapiens.legality import Choices
from engine.sapiens.state import BONUS, LAY, NONE, REFILL, State
from tests.engine.sapiens.positions import board, data, kinds, play, position, refusal

COMMON = ("feast-picking.1", "feast-ritual.1", "feast-fight.1", "feast-water.1", "feast-hunt.1")
TRIBE = ("camp-hunt.1 C4 C3",)


def layings(state: State) -> set[tuple[str, str]]:
    """Where the first- and second-named scene can go."""
    return {(choice.first, choice.second) for choice in Choices(state) if isinstance(choice, Lay)}


def alone(tile: str, *tiles: str, **mine: object) -> State:
    """Three players, the mover with one tile in the pool."""
    return position(board(tiles or TRIBE, pool=[tile], **mine), board(), board(), common=COMMON)  # type: ignore[arg-type]


# S§4


def test_s4_1_one_tile_is_laid_and_no_second() -> None:
    state = position(board(TRIBE, pool=["hunt-fire.1", "hunt-fire.2"]), board(), board())
    state, _ = play(state, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    refusal(state, Lay(tile="hunt-fire.2", first="C2", second="B2"), "already_laid", "S§4.1")


def test_s4_3_one_token_a_turn_before_laying() -> None:
    state = alone("hunt-fire.1", claimed=["camp", "hunt"])
    state, told = play(state, Token(effect=Camp()))
    assert kinds(told) == ["token_played", "camped"]
    assert state.turn.phase == LAY
    refusal(state, Token(effect=Hunt()), "token_already_played", "S§4.3")
    state, _ = play(state, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    refusal(state, Token(effect=Hunt()), "token_already_played", "S§4.3")


def test_s4_3_a_token_after_laying_ends_the_resolution() -> None:
    state = alone("hunt-fire.1", claimed=["camp"])
    state, _ = play(state, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    assert state.turn.phase == BONUS
    state, told = play(state, Token(effect=Camp()))
    assert kinds(told) == ["declined", "token_played", "camped"]
    assert data(told, "declined") == {"scenes": ["hunt"]}
    refusal(state, Hunt(), "bonus_not_earned", "S§6.3")
    assert state.mover.sp == 3


def test_s4_3_a_token_claimed_this_turn_may_be_played_at_once() -> None:
    # The hunt token lies on E1N, whose entrance E1 touches camp on D1.
    state = alone("camp-hunt.2", "camp-fire.1 D1 D2", tokens={"E1N": "hunt"})
    state, _ = play(state, Lay(tile="camp-hunt.2", first="E1", second="E1N"))
    assert state.turn.bonuses == 1 << CAMP
    before = state.mover.claimed
    state, told = play(state, Token(effect=Hunt()))
    assert before == 0
    assert kinds(told) == [
        "declined",
        "cave_scored",
        "token_claimed",
        "token_played",
        "hunted",
    ]
    assert state.mover.used == 1 << HUNT
    assert state.mover.claimed == 0


def test_s4_3_no_token_after_the_refill() -> None:
    state = position(board(TRIBE, pool=["hunt-fire.1"], claimed=["camp"]), board(), common=COMMON)
    state, _ = play(state, Lay(tile="hunt-fire.1", first="D3", second="D2"))
    state, _ = play(state, Take(tiles=COMMON[:4]))
    refusal(state, Token(effect=Camp()), "token_too_late", "S§4.3")


def test_s4_4_fight_tokens_come_home_at_any_moment_of_the_own_turn() -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"], fights=[COMMON[0], COMMON[0], COMMON[1]]),
        board(),
        common=COMMON,
    )
    assert state.mover.fight_tokens == 0
    moments = [state]
    for action in (Lay(tile="hunt-fire.1", first="C2", second="D2"), Hunt()):
        state, _ = play(state, action)
        moments.append(state)
    state, _ = play(state, Take(tiles=COMMON[1:5]))
    moments.append(state)
    assert [moment.turn.phase for moment in moments] == ["lay", "bonus", "refill", "remove"]
    for moment in moments:
        retrieved = [choice for choice in Choices(moment) if isinstance(choice, Retrieve)]
        assert retrieved == [Retrieve(tile=COMMON[0]), Retrieve(tile=COMMON[1])]
        after, told = play(moment, retrieved[0])
        assert kinds(told) == ["fight_retrieved"]
        assert after.turn == moment.turn
        assert after.mover.fights == tuple(sorted(TILE_INDEX[tile] for tile in COMMON[:2]))


# S§5


def test_s5_1_free_squares_side_by_side() -> None:
    # Hunt must touch C3 or nothing; fire may touch nothing but its own tile.
    state = alone("hunt-fire.1", bears=["D3"])
    assert layings(state) == {
        ("C2", "B2"), ("C2", "D2"), ("C2", "C1"), ("B3", "A3"), ("B3", "B2"),
    }  # fmt: skip


def test_s5_2_one_scene_touching_is_enough_and_both_may() -> None:
    state = alone("camp-hunt.2")
    found = layings(state)
    assert ("D4", "D3") in found  # camp beside camp, hunt beside hunt
    assert ("C5", "B5") in found  # camp below camp, hunt beside nothing
    assert ("D3", "D4") not in found
    assert ("G4", "H4") not in found


def test_s5_2_an_abandoned_tribe_may_not_be_touched_by_either_scene() -> None:
    state = alone("hunt-fire.1", abandoned=[["hunt-fire.2 D1 E1"]])
    # C2-D2: fire on D2 would touch the abandoned hunt on D1. C1 touches it as well.
    assert ("C2", "D2") not in layings(state)
    assert ("C2", "C1") not in layings(state)
    context = refusal(
        state, Lay(tile="hunt-fire.1", first="C2", second="D2"), "touches_abandoned", "S§5.2"
    )
    assert context == {"square": "D2", "other": "D1", "tile": "hunt-fire.2"}


def test_s5_2_not_even_with_an_identical_scene() -> None:
    state = alone("hunt-fire.1", abandoned=[["camp-hunt.2 E1 D1"]])
    refusal(state, Lay(tile="hunt-fire.1", first="C1", second="C2"), "touches_abandoned", "S§5.2")


def test_s5_2_the_halves_of_a_tile_do_not_connect_to_each_other() -> None:
    state = alone("hunt-fire.1")
    state, told = play(state, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    assert [gain["scene"] for gain in data(told, "laid")["connected"]] == ["hunt"]


def test_s5_3_every_neighbour_must_show_the_same_scene() -> None:
    # D3 lies between hunt on C3 and fire on D2: no scene fits.
    state = alone("hunt-fire.1", *TRIBE, "ritual-fire.1 D1 D2")
    assert not any("D3" in places for places in layings(state))


def test_s5_4_picking_on_a_forest_or_a_cave_but_no_plain() -> None:
    state = alone("picking-hunt.1")
    for first, _ in layings(state):
        assert first not in names(state.mover.valley.plains)
    assert ("D2", "D3") in layings(state)
    # A cave is no plain: E1N above E1.
    state = alone("picking-camp.1", "camp-fire.1 D1 D2", tokens={})
    play(state, Lay(tile="picking-camp.1", first="E1N", second="E1"))


def test_s5_5_a_bare_cave_takes_any_scene() -> None:
    for tile in ("camp-hunt.2", "camp-fire.2", "feast-camp.1"):
        state = alone(tile, "camp-fire.1 D1 D2", tokens={})
        places = ("E1N", "E1") if tile.startswith("feast") else ("E1", "E1N")
        play(state, Lay(tile=tile, first=places[0], second=places[1]))


def test_s5_a_cave_is_reached_by_its_entrance_only() -> None:
    # Nothing touches E1.
    state = alone("camp-hunt.2", tokens={})
    refusal(state, Lay(tile="camp-hunt.2", first="E1", second="E1N"), "touches_nothing", "S§5.2")


# S§6


def test_s6_1_fight_tokens_are_settled_before_the_food() -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"]), board(fights=["hunt-fire.1"]), board(), common=COMMON
    )
    state, told = play(state, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    assert kinds(told) == ["fight_unpaid", "laid"]
    assert [player.fp for player in state.players] == [3, 0, 0]


def test_s6_1_the_order_is_asked_only_where_it_matters() -> None:
    def orders(fp: int, *fights: list[str]) -> set[tuple[int, ...]]:
        others = [board(fights=marked) for marked in fights]
        state = position(board(TRIBE, pool=["hunt-fire.1"], fp=fp), *others, common=COMMON)
        return {choice.order for choice in Choices(state) if isinstance(choice, Lay)}

    tile = "hunt-fire.1"
    assert orders(1, [tile], [tile]) == {(1, 2), (2, 1)}
    assert orders(2, [tile], [tile]) == {()}
    assert orders(0, [tile], [tile]) == {()}
    assert orders(1, [tile, tile], []) == {()}
    assert orders(2, [tile, tile], [tile]) == {(1, 1, 2), (1, 2, 1), (2, 1, 1)}
    assert orders(1, [tile], [tile], [tile]) == {
        (1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1),
    }  # fmt: skip


def test_s6_2_each_connected_scene_earns_its_square_once() -> None:
    # Hunt on D3 (1 FP) touches hunt on C3 and D2; camp on D4 (2 FP) touches camp on C4.
    state = alone("camp-hunt.2", *TRIBE, "hunt-fire.1 D2 E2")
    state, told = play(state, Lay(tile="camp-hunt.2", first="D4", second="D3"))
    assert data(told, "laid")["connected"] == [
        {"scene": "camp", "square": "D4", "fp": 2},
        {"scene": "hunt", "square": "D3", "fp": 1},
    ]
    assert data(told, "laid")["fp"] == state.mover.fp == 3


def test_s6_2_a_cave_scene_never_earns() -> None:
    # Camp on the cave E1N has no neighbour, though E1 has; hunt on E1 touches hunt on D1.
    state = alone("camp-hunt.2", "hunt-fire.1 D1 D2", tokens={})
    state, told = play(state, Lay(tile="camp-hunt.2", first="E1N", second="E1"))
    assert data(told, "laid")["connected"] == [{"scene": "hunt", "square": "E1", "fp": 3}]
    assert state.turn.bonuses == 1 << HUNT


@pytest.mark.parametrize("first", [Camp(), Hunt(convert=1)])
def test_s6_3_bonuses_in_the_order_of_the_player(first: Action) -> None:
    state = alone("camp-hunt.2")
    state, _ = play(state, Lay(tile="camp-hunt.2", first="D4", second="D3"))
    second = Hunt(convert=1) if first == Camp() else Camp()
    state, _ = play(state, first)
    assert state.turn.phase == BONUS
    state, _ = play(state, second)
    assert state.turn.phase == REFILL
    assert (state.mover.fp, state.mover.sp) == (2 + 1 + 1, 3)


def test_s6_3_each_bonus_may_be_declined_but_not_the_food() -> None:
    state = alone("camp-hunt.2")
    state, _ = play(state, Lay(tile="camp-hunt.2", first="D4", second="D3"))
    state, told = play(state, Camp(), Take(tiles=COMMON[:4]))
    assert data(told, "declined") == {"scenes": ["hunt"]}
    assert state.players[0].fp == 3
    assert state.players[0].steaks == 0


def test_s6_3_a_bonus_is_used_once() -> None:
    state = alone("camp-hunt.2")
    state, _ = play(state, Lay(tile="camp-hunt.2", first="D4", second="D3"), Camp())
    context = refusal(state, Camp(), "bonus_not_earned", "S§6.3")
    assert context == {"scene": "camp", "earned": ["hunt"]}


def test_s6_3_ritual_cannot_take_the_token_of_the_tiles_own_cave() -> None:
    state = alone("ritual-hunt.1", "ritual-camp.1 D1 D2", tokens={"E1N": "hunt"}, used=["camp"])
    state, _ = play(state, Lay(tile="ritual-hunt.1", first="E1", second="E1N"))
    refusal(state, Claim(place="E1N"), "token_is_the_tiles", "S§6.3")
    # It is as good as claimed, so no token lies there and a used one may come back.
    state, told = play(state, Recall(scene="camp"))
    assert kinds(told) == ["token_recalled", "cave_scored", "token_claimed"]
    assert state.mover.claimed == 1 << CAMP | 1 << HUNT


# S§7


def test_s7_the_cave_is_scored_after_the_bonuses() -> None:
    state = alone("camp-hunt.2", "camp-fire.1 D1 D2", tokens={"E1N": "hunt"})
    state, told = play(state, Lay(tile="camp-hunt.2", first="E1", second="E1N"))
    assert kinds(told) == ["laid"]
    assert state.mover.sp == 0
    assert state.turn.cave == 3
    state, told = play(state, Camp())
    assert kinds(told) == ["camped", "cave_scored", "token_claimed"]
    assert state.mover.sp == 3 + 6
    assert state.turn.cave == NONE


def test_s7_1_high_with_its_token() -> None:
    state = alone("camp-hunt.2", "camp-fire.1 D1 D2", tokens={"E1N": "hunt"})
    state, told = play(
        state, Lay(tile="camp-hunt.2", first="E1", second="E1N"), Take(tiles=COMMON[:4])
    )
    assert data(told, "cave_scored") == {"cave": "E1N", "value": "high", "sp": 6}
    assert data(told, "token_claimed") == {"scene": "hunt", "place": "E1N", "by": "cave"}


def test_s7_2_low_without_a_token() -> None:
    state = alone("camp-hunt.2", "camp-fire.1 D1 D2", tokens={})
    state, told = play(
        state, Lay(tile="camp-hunt.2", first="E1", second="E1N"), Take(tiles=COMMON[:4])
    )
    assert data(told, "cave_scored") == {"cave": "E1N", "value": "low", "sp": 5}
    assert "token_claimed" not in kinds(told)


def test_s7_3_a_covered_entrance_closes_the_cave() -> None:
    state = alone("camp-hunt.2", "camp-fire.1 D1 D2", tokens={}, bears=["E1"])
    context = refusal(
        state, Lay(tile="camp-hunt.2", first="E1", second="E1N"), "cave_closed", "S§7.3"
    )
    assert context == {"cave": "E1N", "entrance": "E1", "by": "bear"}
    state = alone("camp-hunt.2", "camp-fire.1 E1 D1", tokens={})
    context = refusal(
        state, Lay(tile="camp-hunt.2", first="E1", second="E1N"), "cave_closed", "S§7.3"
    )
    assert context["by"] == "tile"


def test_events_tell_what_happened_to_others() -> None:
    marked = ["water-hunt.1"]
    state = position(
        board(TRIBE, pool=["hunt-fire.1", "camp-fire.2"], claimed=["fight", "water"]),
        board(["camp-fire.1 A1 A2"], pool=marked),
        common=COMMON,
    )
    after, told = play(state, Token(effect=Fight(tile=marked[0])))
    assert data(told, "fight_placed") == {"tile": marked[0], "pool": 1, "moved": None}
    assert after.mover.fights == (TILE_INDEX[marked[0]],)
    _, told = play(state, Token(effect=Water(give="camp-fire.2", get=marked[0])))
    assert data(told, "swapped") == {"gave": "camp-fire.2", "got": marked[0], "pool": 1}

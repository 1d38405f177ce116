"""S§8 and S§9: the bonuses of scenes and the mountain tokens. The board is drawn in `positions`."""

from __future__ import annotations

from typing import Any

import pytest

from engine.sapiens.actions import (
    Camp,
    Claim,
    Feast,
    Fight,
    Hunt,
    Lay,
    Picking,
    PutBear,
    Recall,
    Remove,
    RemoveBear,
    Take,
    Token,
    Water,
)
from engine.sapiens.components import SCENE_INDEX, SCENES, TILE_INDEX, TILES
from engine.sapiens.legality import Choices
from engine.sapiens.state import BONUS, LAY, REFILL, State
from tests.engine.sapiens.positions import Sketch, board, data, kinds, play, position, refusal

COMMON = ("feast-picking.1", "feast-ritual.1", "feast-fight.1", "feast-water.1", "feast-hunt.1")
TRIBE = ("camp-hunt.1 C4 C3",)


def bonus(scene: str, *others: Sketch, tiles: tuple[str, ...] = TRIBE, **mine: Any) -> State:
    """The mover has this bonus to use."""
    return position(
        board(tiles, **mine),
        *(others or (board(),)),
        common=COMMON,
        phase=BONUS,
        bonuses=1 << SCENE_INDEX[scene],
    )


def token(scene: str, *others: Sketch, tiles: tuple[str, ...] = TRIBE, **mine: Any) -> State:
    """The mover has laid and may play the token of this scene."""
    return position(
        board(tiles, claimed=[scene], **mine),
        *(others or (board(),)),
        common=COMMON,
        phase=REFILL,
    )


def uses(state: State, *types: type) -> list[Any]:
    return [choice for choice in Choices(state) if isinstance(choice, types)]


# S§8.1 feast, S§9.3


def test_s8_1_the_feasts_tile_obeys_all_of_s5() -> None:
    state = bonus("feast", pool=["hunt-fire.1"])
    assert uses(state, Feast)
    for lay in uses(state, Feast):
        assert lay.first in {"C2", "B3", "D3"}
    for first, second, code, rule in (
        ("C3", "C2", "under_tile", "S§5.1"),
        ("D4", "D3", "scene_mismatch", "S§5.3"),
        ("G1", "G2", "touches_nothing", "S§5.2"),
    ):
        refusal(state, Feast(tile="hunt-fire.1", first=first, second=second), code, rule)


def test_s8_1_the_feasts_tile_earns_neither_food_nor_bonus() -> None:
    state = bonus("feast", pool=["hunt-fire.1"])
    state, told = play(state, Feast(tile="hunt-fire.1", first="C2", second="D2"))
    assert state.mover.fp == 0
    assert state.turn.phase == REFILL
    assert data(told, "laid")["connected"] == []
    assert data(told, "laid")["how"] == "feast"


def test_s8_1_it_may_touch_the_tile_just_laid() -> None:
    # Only the tile just laid, with feast on D3, lets the extra tile lie on E3.
    state = position(
        board(["feast-hunt.2 C3 C4"], pool=["feast-ritual.2", "feast-fire.1"]),
        board(),
        common=COMMON,
    )
    extra = Feast(tile="feast-fire.1", first="E3", second="F3")
    state, _ = play(state, Lay(tile="feast-ritual.2", first="D3", second="D2"))
    play(state, extra)


def test_s8_1_its_fight_tokens_are_settled() -> None:
    state = bonus("feast", board(fights=["hunt-fire.1"]), pool=["hunt-fire.1"], fp=2)
    state, told = play(state, Feast(tile="hunt-fire.1", first="C2", second="D2"))
    assert kinds(told) == ["fight_paid", "laid"]
    assert [player.fp for player in state.players] == [1, 1]


def test_s8_1_without_a_legal_tile_the_bonus_is_lost() -> None:
    state = bonus("feast", pool=["ritual-water.1"])
    assert not uses(state, Feast)
    assert uses(state, Take)
    state, told = play(state, Take(tiles=COMMON[:3]))
    assert "abandoned" not in kinds(told)
    assert data(told, "declined") == {"scenes": ["feast"]}


def test_s9_3_a_feast_token_before_the_mandatory_tile() -> None:
    state = position(
        board(TRIBE, claimed=["feast"], pool=["hunt-fire.1", "hunt-fire.2"]),
        board(),
        common=COMMON,
    )
    state, told = play(state, Token(effect=Feast(tile="hunt-fire.1", first="C2", second="D2")))
    assert kinds(told) == ["token_played", "laid"]
    assert state.turn.phase == LAY
    assert state.mover.fp == 0
    state, _ = play(state, Lay(tile="hunt-fire.2", first="B3", second="A3"))
    assert state.mover.fp == 1
    assert len(state.mover.laid) == 3


def test_s9_3_a_feast_token_scores_a_cave() -> None:
    state = token(
        "feast", tiles=("camp-fire.1 D1 D2",), pool=["camp-hunt.2"], tokens={"E1N": "hunt"}
    )
    state, told = play(state, Token(effect=Feast(tile="camp-hunt.2", first="E1", second="E1N")))
    assert kinds(told) == ["token_played", "laid", "cave_scored", "token_claimed"]
    assert (state.mover.fp, state.mover.sp) == (0, 6)
    assert state.mover.claimed == 1 << SCENE_INDEX["hunt"]
    assert state.mover.used == 1 << SCENE_INDEX["feast"]


# S§8.2 picking, S§9.4


def test_s8_2_picking_is_one_food_point() -> None:
    state, told = play(bonus("picking"), Picking())
    assert state.mover.fp == 1
    assert data(told, "picked") == {"fp": 1}


def test_s9_4_the_token_opens_plains_and_earns_nothing() -> None:
    state, told = play(token("picking"), Token(effect=Picking()))
    assert kinds(told) == ["token_played", "plains_opened"]
    assert state.mover.fp == 0
    assert state.turn.picking_on_plains


def test_s9_4_plains_are_open_for_a_feast_too() -> None:
    # The picking token is played before laying; the feast bonus then lays picking on D3, a plain.
    state = position(
        board(
            ["feast-hunt.2 C2 C3"],
            claimed=["picking"],
            pool=["feast-fire.1", "picking-hunt.1"],
        ),
        board(),
        common=COMMON,
    )
    state, _ = play(
        state,
        Token(effect=Picking()),
        Lay(tile="feast-fire.1", first="C1", second="B1"),
    )
    play(state, Feast(tile="picking-hunt.1", first="E3", second="D3"))


# S§8.3 ritual


def test_s8_3_any_token_on_an_own_cave_or_waterfall() -> None:
    state = bonus("ritual", tokens={"C1N": "fire", "WR": "hunt"})
    assert uses(state, Claim, Recall) == [Claim(place="C1N"), Claim(place="WR")]
    state, told = play(state, Claim(place="WR"))
    assert data(told, "token_claimed") == {"scene": "hunt", "place": "WR", "by": "ritual"}
    assert state.mover.claimed == 1 << SCENE_INDEX["hunt"]
    assert state.mover.sp == 0


def test_s8_3_a_used_token_only_when_none_lies_there() -> None:
    state = bonus("ritual", tokens={}, used=["camp", "hunt"])
    assert uses(state, Claim, Recall) == [Recall(scene="camp"), Recall(scene="hunt")]
    state, told = play(state, Recall(scene="hunt"))
    assert data(told, "token_recalled") == {"scene": "hunt"}
    assert state.mover.used == 1 << SCENE_INDEX["camp"]


def test_s8_3_tokens_lost_by_abandoning_do_not_come_back() -> None:
    state = bonus("ritual", tokens={}, used=["camp"])
    assert state.mover.lost >> SCENE_INDEX["hunt"] & 1
    refusal(state, Recall(scene="hunt"), "token_not_used", "S§8.3")


def test_s8_3_a_ritual_token_cannot_take_itself_back() -> None:
    state = token("ritual", tokens={}, used=["camp"])
    refusal(state, Token(effect=Recall(scene="ritual")), "token_not_used", "S§8.3")
    state, _ = play(state, Token(effect=Recall(scene="camp")))
    assert state.mover.used == 1 << SCENE_INDEX["ritual"]
    assert state.mover.claimed == 1 << SCENE_INDEX["camp"]


def test_s8_3_with_nothing_to_take_the_token_cannot_be_played() -> None:
    state = token("ritual", tokens={})
    assert not uses(state, Token)


# S§8.4 fight


def test_s8_4_on_any_tile_of_any_pool() -> None:
    state = bonus("fight", board(pool=["hunt-fire.1"]), board(out=True), pool=["hunt-fire.2"])
    marked = {use.tile for use in uses(state, Fight)}
    expected = {tile for player in state.players for tile in player.pool} | set(state.common)
    assert marked == {TILES[tile] for tile in expected}
    assert {"hunt-fire.1", "hunt-fire.2", *COMMON} <= marked
    assert len(marked) == 1 + 1 + 4 + 5


def test_s8_4_with_all_three_out_one_is_moved() -> None:
    state = bonus("fight", fights=[COMMON[0], COMMON[0], COMMON[1]])
    assert all(use.moved for use in uses(state, Fight))
    state, told = play(state, Fight(tile=COMMON[1], moved=COMMON[0]))
    assert data(told, "fight_placed") == {"tile": COMMON[1], "pool": None, "moved": COMMON[0]}
    assert [TILES[tile] for tile in state.mover.fights] == [COMMON[0], COMMON[1], COMMON[1]]


def test_s8_4_a_token_may_be_moved_to_where_it_lies() -> None:
    # Each may be taken back at any time (S§4.4) and be placed anew.
    state = bonus("fight", fights=COMMON[:3])
    same = Fight(tile=COMMON[0], moved=COMMON[0])
    assert same in set(uses(state, Fight))
    before = state.mover.fights
    state, told = play(state, same)
    assert data(told, "fight_placed") == {"tile": COMMON[0], "pool": None, "moved": COMMON[0]}
    assert state.mover.fights == before


def test_s8_4_each_token_of_a_tile_costs_its_layer_a_food_point() -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"], fp=5),
        board(fights=["hunt-fire.1", "hunt-fire.1"]),
        board(fights=["hunt-fire.1"]),
        common=COMMON,
    )
    state, told = play(state, Lay(tile="hunt-fire.1", first="B3", second="A3"))
    assert [player.fp for player in state.players] == [5 - 3 + 1, 2, 1]
    assert [event.data["owner"] for event in told if event.kind == "fight_paid"] == [1, 1, 2]


def test_s8_4_the_owner_laying_it_has_no_effect() -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"], fp=5, fights=["hunt-fire.1"]),
        board(fights=["hunt-fire.1"]),
        common=COMMON,
    )
    state, told = play(state, Lay(tile="hunt-fire.1", first="B3", second="A3"))
    assert kinds(told) == ["fight_paid", "fight_own", "laid"]
    assert [player.fp for player in state.players] == [5 - 1 + 1, 1]
    assert [player.fights for player in state.players] == [(), ()]


def test_s8_4_tokens_stay_on_a_tile_that_is_swapped_or_drafted() -> None:
    state = bonus("water", pool=["hunt-fire.1"], fights=["hunt-fire.1"])
    state, _ = play(state, Water(give="hunt-fire.1", get=COMMON[0]))
    assert state.mover.fights == (TILE_INDEX["hunt-fire.1"],)
    state = position(
        board(TRIBE, fights=[COMMON[0]], pool=TILES[-3:]), board(), common=COMMON, phase=REFILL
    )
    state, _ = play(state, Take(tiles=COMMON[:1]))
    assert state.mover.fights == (TILE_INDEX[COMMON[0]],)


def test_s8_4_a_removed_tile_returns_them() -> None:
    state = position(
        board(TRIBE, fights=[COMMON[4], COMMON[3]], pool=TILES[-3:]),
        board(fights=[COMMON[4]]),
        common=COMMON,
        phase=REFILL,
    )
    state, told = play(state, Take(tiles=COMMON[:1]), Remove(tile=COMMON[4]))
    assert data(told, "removed") == {"tile": COMMON[4], "fights": [0, 1]}
    assert [player.fights for player in state.players] == [(TILE_INDEX[COMMON[3]],), ()]


# S§8.5 water


def test_s8_5_a_personal_tile_for_one_of_another_pool() -> None:
    state = bonus(
        "water",
        board(pool=["hunt-fire.1", "water-camp.1"]),
        board(pool=["water-hunt.1"], out=True),
        pool=["hunt-fire.2", "camp-fire.1"],
    )
    assert len(uses(state, Water)) == 2 * (2 + 1 + 5)
    after, told = play(state, Water(give="camp-fire.1", get="hunt-fire.1"))
    assert data(told, "swapped") == {"gave": "camp-fire.1", "got": "hunt-fire.1", "pool": 1}
    assert [TILES[tile] for tile in after.mover.pool] == ["hunt-fire.2", "hunt-fire.1"]
    assert [TILES[tile] for tile in after.players[1].pool] == ["camp-fire.1", "water-camp.1"]
    after, told = play(state, Water(give="camp-fire.1", get=COMMON[2]))
    assert data(told, "swapped")["pool"] is None
    assert [TILES[tile] for tile in after.common][2] == "camp-fire.1"


def test_s8_5_an_empty_pool_has_nothing_to_swap() -> None:
    assert not uses(bonus("water", pool=[]), Water)


# S§8.6 camp


def test_s8_6_camp_is_three_shelter_points() -> None:
    state, told = play(bonus("camp", sp=2), Camp())
    assert state.mover.sp == 5
    assert data(told, "camped") == {"sp": 3}


# S§8.7 hunt, S§9.2


@pytest.mark.parametrize(
    ("convert", "fp"), [(0, 0), (1, 1), (2, 3), (3, 5), (4, 7), (5, 10), (6, 10), (7, 10)]
)
def test_s8_7_what_steaks_are_worth(convert: int, fp: int) -> None:
    state, told = play(bonus("hunt", steaks=6), Hunt(convert=convert))
    assert state.mover.fp == fp
    assert state.mover.steaks == 7 - convert
    assert state.steaks == 18 - state.mover.steaks
    assert data(told, "hunted") == {
        "taken": 1,
        "converted": convert,
        "fp": fp,
        "left": 7 - convert,
    }


def test_s8_7_any_number_may_be_converted() -> None:
    assert uses(bonus("hunt", steaks=2), Hunt) == [Hunt(convert=n) for n in range(4)]


def test_s8_7_an_empty_supply_gives_no_steak() -> None:
    state = bonus("hunt", board(steaks=16), steaks=2)
    assert state.steaks == 0
    assert uses(state, Hunt) == [Hunt(convert=n) for n in range(3)]
    state, told = play(state, Hunt(convert=2))
    assert data(told, "hunted")["taken"] == 0
    assert (state.mover.fp, state.steaks) == (3, 2)


def test_s9_2_the_token_takes_a_steak_and_converts_nothing() -> None:
    state = token("hunt", steaks=4)
    assert uses(state, Token) == [Token(effect=Hunt())]
    state, told = play(state, Token(effect=Hunt()))
    assert data(told, "hunted") == {"taken": 1, "converted": 0, "fp": 0, "left": 5}


# S§8.8 fire


BEAR_BOARD = board(["feast-camp.1 D2 D1"], abandoned=[["camp-hunt.2 B4 B3"]], bears=["E2"])


def test_s8_8_free_squares_touching_a_tile_abandoned_ones_too() -> None:
    state = bonus("fire", BEAR_BOARD, bears=["A1"])
    assert {use.square for use in uses(state, PutBear)} == {
        "C1", "E1", "C2", "D3", "B2", "A3", "C3", "A4", "C4", "B5",
    }  # fmt: skip
    assert uses(state, RemoveBear) == [RemoveBear(square="A1")]


def test_s8_8_one_shelter_point_for_each_tile_once() -> None:
    # C3 lies below hunt on C2 and left of feast on D3.
    state = bonus("fire", board(["feast-camp.1 D3 D2", "camp-hunt.2 C1 C2"]))
    after, told = play(state, PutBear(board=1, square="C3"))
    assert data(told, "bear_put") == {
        "board": 1,
        "square": "C3",
        "tiles": ["camp-hunt.2", "feast-camp.1"],
        "sp": 2,
    }
    assert (after.mover.sp, after.bears) == (2, 17)
    after, _ = play(bonus("fire", BEAR_BOARD), PutBear(board=1, square="E1"))
    assert after.mover.sp == 1


def test_s8_8_removing_earns_nothing_and_frees_the_square() -> None:
    state = bonus("fire", bears=["D3"], pool=["hunt-fire.1"])
    state, told = play(state, RemoveBear(square="D3"))
    assert data(told, "bear_removed") == {"square": "D3"}
    assert (state.mover.sp, state.bears, state.mover.bears) == (0, 18, 0)


def test_s8_8_an_empty_supply_means_removal_only() -> None:
    squares = [f"{column}{row}" for row in (3, 4, 5) for column in "ABCDEF"]
    state = bonus("fire", board(["camp-fire.1 A1 A2"], bears=squares[1:]), bears=["A1"])
    assert state.bears == 0
    assert uses(state, PutBear, RemoveBear) == [RemoveBear(square="A1")]


def test_s8_8_a_player_who_is_out_can_still_be_hit() -> None:
    state = bonus("fire", board(["camp-fire.1 A1 A2"], out=True))
    after, _ = play(state, PutBear(board=1, square="B1"))
    assert after.players[1].bears.bit_count() == 1


# S§9


def test_s9_1_a_played_token_is_used() -> None:
    state, told = play(token("camp", sp=1), Token(effect=Camp()))
    assert data(told, "token_played") == {"scene": "camp"}
    assert (state.mover.sp, state.mover.claimed) == (4, 0)
    assert state.mover.used == 1 << SCENE_INDEX["camp"]
    assert state.turn.token_played


@pytest.mark.parametrize("scene", [s for s in SCENES if s not in {"hunt", "picking"}])
def test_s9_5_other_tokens_do_what_their_scenes_do(scene: str) -> None:
    other = board(["camp-fire.1 A1 A2"])
    mine: dict[str, Any] = {"pool": ["hunt-fire.1"]}
    of_tile = set(uses(bonus(scene, other, **mine), *_TYPES))
    of_token = {use.effect for use in uses(token(scene, other, **mine), Token)}
    if scene == "ritual":  # the places of the tokens differ: one is claimed
        assert {type(use) for use in of_token} == {Claim}
    else:
        assert of_token == of_tile
    assert of_token


_TYPES = (Feast, Picking, Claim, Recall, Fight, Water, Camp, Hunt, PutBear, RemoveBear)

"""Every rule that can be broken is refused under its own code, with what its sentence needs.

The board is drawn in `positions`. The mover is seat 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.chance import NoChance
from engine.protocol import IllegalAction
from engine.sapiens import flow
from engine.sapiens.actions import (
    Abandon,
    Action,
    Camp,
    Claim,
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
from engine.sapiens.components import TILES
from engine.sapiens.errors import ERROR_CODES, illegal
from engine.sapiens.state import BONUS, OVER, REFILL, REMOVE, START, STUCK, State
from tests.engine.sapiens.positions import Sketch, board, position, refusal

COMMON = ("feast-picking.1", "feast-ritual.1", "feast-fight.1", "feast-water.1", "feast-hunt.1")
TRIBE = ("camp-hunt.1 C4 C3",)
"""Camp on C4, hunt on C3: in the middle of the left half."""


def here(mine: Sketch, *others: Sketch, **more: Any) -> State:
    """A position of two players or more, seat 0 to move."""
    return position(mine, *(others or (board(),)), common=COMMON, **more)


def laying(tile: str, **mine: Any) -> State:
    """Before laying, with one tile in the pool and a tribe that shows hunt on C3."""
    return here(board(mine.pop("tiles", TRIBE), pool=[tile], **mine), board(), board())


def bonus(scene: int, *others: Sketch, **mine: Any) -> State:
    """With one bonus to be used."""
    return here(board(TRIBE, **mine), *others, phase=BONUS, bonuses=1 << scene)


FEAST, PICKING, RITUAL, FIGHT, WATER, CAMP, HUNT, FIRE = range(8)
LAY = Lay(tile="hunt-fire.1", first="C2", second="D2")
STUCK_BOARD = ("picking-water.1 B5 C5", "picking-water.2 A5 A4")


class Case(NamedTuple):
    code: str
    rule: str
    state: Callable[[], State]
    action: Action
    context: dict[str, Any]


CASES = (
    Case(
        "unknown_tile",
        "S§1.1",
        lambda: laying("hunt-fire.1"),
        Lay(tile="fire-hunt.1", first="C2", second="D2"),
        {"tile": "fire-hunt.1"},
    ),
    Case("unknown_scene", "S§1.1", lambda: bonus(RITUAL), Recall(scene="bear"), {"scene": "bear"}),
    Case(
        "unknown_place",
        "S§1.3",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="I2", second="D2"),
        {"place": "I2"},
    ),
    Case(
        "unknown_player",
        "S§2",
        lambda: bonus(FIRE),
        PutBear(board=2, square="A1"),
        {"seat": 2},
    ),
    Case("game_over", "S§12.1", lambda: here(board(), phase=OVER), LAY, {}),
    Case("lay_first", "S§4.1", lambda: laying("hunt-fire.1"), Take(tiles=()), {}),
    Case("lay_first", "S§4.1", lambda: laying("hunt-fire.1"), Camp(), {}),
    Case("already_laid", "S§4.1", lambda: here(board(TRIBE), phase=REFILL), LAY, {}),
    Case(
        "already_laid",
        "S§4.1",
        lambda: bonus(CAMP),
        Abandon(tile="hunt-fire.1", first="H5S", second="H5"),
        {},
    ),
    Case("stuck", "S§11.4", lambda: here(board(claimed=["camp"]), phase=STUCK), LAY, {}),
    Case("stuck", "S§11.4", lambda: here(board(claimed=["camp"]), phase=STUCK), Camp(), {}),
    Case("not_stuck", "S§11.4", lambda: laying("hunt-fire.1"), Out(), {}),
    Case("remove_first", "S§13.1", lambda: here(board(TRIBE), phase=REMOVE), Take(tiles=()), {}),
    Case("remove_first", "S§13.1", lambda: here(board(TRIBE), phase=REMOVE), LAY, {}),
    Case(
        "refill_first",
        "S§10.1",
        lambda: here(board(TRIBE), phase=REFILL),
        Remove(tile=COMMON[0]),
        {},
    ),
    Case(
        "removal_for_two_only",
        "S§13.1",
        lambda: here(board(TRIBE), board(), board(), phase=REFILL),
        Remove(tile=COMMON[0]),
        {"players": 3},
    ),
    Case(
        "start_on_cave",
        "S§3.1",
        lambda: here(board(pool=["hunt-fire.1"]), phase=START, round=1),
        LAY,
        {"first": "C2", "second": "D2"},
    ),
    Case(
        "start_no_token",
        "S§3.2",
        lambda: here(board(TRIBE, claimed=["camp"]), phase=REFILL, round=1),
        Token(effect=Camp()),
        {},
    ),
    Case(
        "not_in_own_pool",
        "S§5",
        lambda: laying("camp-fire.1"),
        LAY,
        {"tile": "hunt-fire.1", "pool": ["camp-fire.1"], "common": False},
    ),
    Case(
        "not_side_by_side",
        "S§5.1",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="C2", second="D1"),
        {"first": "C2", "second": "D1"},
    ),
    Case(
        "not_side_by_side",
        "S§5.1",
        lambda: laying("hunt-fire.1", tiles=["camp-hunt.1 H4 H3"]),
        Lay(tile="hunt-fire.1", first="H2", second="A3"),  # the next square of the list
        {"first": "H2", "second": "A3"},
    ),
    Case(
        "not_the_entrance",
        "S§5.1",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="D1", second="C1N"),
        {"cave": "C1N", "entrance": "C1", "given": "D1"},
    ),
    Case(
        "not_the_entrance",
        "S§5.1",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="C1N", second="E1N"),
        {"cave": "C1N", "entrance": "C1", "given": "E1N"},
    ),
    Case(
        "no_such_cave",
        "S§1.4",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="D1", second="D1N"),
        {"place": "D1N", "caves": ["C1N", "A2W", "C5S", "E1N", "H2E", "H5S"]},
    ),
    Case(
        "on_waterfall",
        "S§1.5",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="A1", second="WL"),
        {"place": "WL"},
    ),
    Case(
        "under_tile",
        "S§5.1",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="C3", second="D3"),
        {"square": "C3", "tile": "camp-hunt.1"},
    ),
    Case(
        "under_bear",
        "S§5.1",
        lambda: laying("hunt-fire.1", bears=["D2"]),
        LAY,
        {"square": "D2"},
    ),
    Case(
        "cave_closed",
        "S§7.3",
        lambda: laying("hunt-fire.1", bears=["H5"]),
        Lay(tile="hunt-fire.1", first="H5", second="H5S"),
        {"cave": "H5S", "entrance": "H5", "by": "bear"},
    ),
    Case(
        "cave_closed",
        "S§7.3",
        lambda: laying("hunt-fire.1", tiles=["camp-hunt.1 H5S H5"]),
        Lay(tile="hunt-fire.1", first="H5", second="H5S"),
        {"cave": "H5S", "entrance": "H5", "by": "tile"},
    ),
    Case(
        "touches_abandoned",
        "S§5.2",
        lambda: laying("hunt-fire.1", abandoned=[["camp-hunt.2 E1 E2"]]),
        LAY,  # D2 would touch the other tribe's hunt on E2
        {"square": "D2", "other": "E2", "tile": "camp-hunt.2"},
    ),
    Case(
        "touches_nothing",
        "S§5.2",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="G1", second="H1"),
        {"first": "G1", "second": "H1"},
    ),
    Case(
        "scene_mismatch",
        "S§5.3",
        lambda: laying("hunt-fire.1"),
        Lay(tile="hunt-fire.1", first="D2", second="C2"),
        {
            "square": "C2",
            "scene": "fire",
            "other": "C3",
            "other_scene": "hunt",
            "tile": "camp-hunt.1",
        },
    ),
    Case(
        "picking_on_plain",
        "S§5.4",
        lambda: laying("picking-hunt.1"),
        Lay(tile="picking-hunt.1", first="E3", second="D3"),  # not connected there
        {"square": "E3"},
    ),
    Case(
        "not_the_tokens_scene",
        "S§5.5",
        lambda: laying("hunt-fire.1", tiles=["camp-hunt.1 C1 C2"], tokens={"E1N": "ritual"}),
        Lay(tile="hunt-fire.1", first="E1", second="E1N"),
        {"cave": "E1N", "scene": "fire", "token": "ritual"},
    ),
    Case(
        "order_needed",
        "S§6.1",
        lambda: here(
            board(TRIBE, pool=["hunt-fire.1"], fp=1),
            board(fights=["hunt-fire.1"]),
            board(fights=["hunt-fire.1"]),
        ),
        LAY,
        {"tile": "hunt-fire.1", "owners": [1, 2]},
    ),
    Case(
        "order_wrong",
        "S§6.1",
        lambda: here(
            board(TRIBE, pool=["hunt-fire.1"], fp=1),
            board(fights=["hunt-fire.1"]),
            board(fights=["hunt-fire.1"]),
        ),
        Lay(tile="hunt-fire.1", first="C2", second="D2", order=(1, 1)),
        {"tile": "hunt-fire.1", "owners": [1, 2], "order": [1, 1]},
    ),
    Case(
        "order_without_effect",
        "S§6.1",
        lambda: here(
            board(TRIBE, pool=["hunt-fire.1"], fp=2),
            board(fights=["hunt-fire.1"]),
            board(fights=["hunt-fire.1"]),
        ),
        Lay(tile="hunt-fire.1", first="C2", second="D2", order=(1, 2)),
        {"tile": "hunt-fire.1"},
    ),
    Case(
        "can_still_lay",
        "S§11.1",
        lambda: laying("hunt-fire.1"),
        Abandon(tile="hunt-fire.1", first="H5S", second="H5"),
        {"tile": "hunt-fire.1", "first": "C2", "second": "D2"},
    ),
    Case(
        "abandon_on_cave",
        "S§11.2",
        lambda: here(board(STUCK_BOARD, pool=["hunt-fire.1"])),
        Abandon(tile="hunt-fire.1", first="C2", second="D2"),
        {"first": "C2", "second": "D2"},
    ),
    Case(
        "abandon_touches",
        "S§11.2",
        lambda: here(board(["picking-water.1 H4 G4"], pool=["hunt-fire.1"])),
        Abandon(tile="hunt-fire.1", first="H5S", second="H5"),
        {"square": "H5", "other": "H4", "tile": "picking-water.1"},
    ),
    Case(
        "bonus_not_earned",
        "S§6.3",
        lambda: bonus(HUNT),
        Camp(),
        {"scene": "camp", "earned": ["hunt"]},
    ),
    Case(
        "no_token_there",
        "S§8.3",
        lambda: bonus(RITUAL, tokens={"WL": "fire"}),
        Claim(place="WR"),
        {"place": "WR", "lying": ["WL"]},
    ),
    Case(
        "token_is_the_tiles",
        "S§6.3",
        lambda: here(
            board(["camp-hunt.1 H5 H5S"], tokens={"H5S": "hunt", "WR": "fire"}),
            phase=BONUS,
            bonuses=1 << RITUAL,
            cave=5,
        ),
        Claim(place="H5S"),
        {"place": "H5S"},
    ),
    Case(
        "tokens_still_lie",
        "S§8.3",
        lambda: bonus(RITUAL, tokens={"WL": "fire"}, used=["camp"]),
        Recall(scene="camp"),
        {"lying": ["WL"]},
    ),
    Case(
        "token_not_used",
        "S§8.3",
        lambda: bonus(RITUAL, tokens={}, used=["camp"]),
        Recall(scene="hunt"),
        {"scene": "hunt", "used": ["camp"]},
    ),
    Case(
        "in_no_pool",
        "S§8.4",
        lambda: bonus(FIGHT),
        Fight(tile="camp-hunt.1"),
        {"tile": "camp-hunt.1"},
    ),
    Case(
        "fight_tokens_all_out",
        "S§8.4",
        lambda: bonus(FIGHT, fights=COMMON[:3]),
        Fight(tile=COMMON[3]),
        {"tiles": sorted(COMMON[:3], key=TILES.index)},
    ),
    Case(
        "fight_token_at_home",
        "S§8.4",
        lambda: bonus(FIGHT, fights=COMMON[:2]),
        Fight(tile=COMMON[3], moved=COMMON[0]),
        {"home": 1},
    ),
    Case(
        "no_fight_token_on",
        "S§4.4",
        lambda: laying("hunt-fire.1", fights=COMMON[:1]),
        Retrieve(tile=COMMON[1]),
        {"tile": COMMON[1], "tiles": [COMMON[0]]},
    ),
    Case(
        "swap_with_own",
        "S§8.5",
        lambda: bonus(WATER, pool=["hunt-fire.1", "hunt-fire.2"]),
        Water(give="hunt-fire.1", get="hunt-fire.2"),
        {"tile": "hunt-fire.2"},
    ),
    Case(
        "too_few_steaks",
        "S§8.7",
        lambda: bonus(HUNT, steaks=1),
        Hunt(convert=3),
        {"convert": 3, "steaks": 2},
    ),
    Case(
        "too_few_steaks",
        "S§8.7",
        lambda: bonus(HUNT),
        Hunt(convert=-1),
        {"convert": -1, "steaks": 1},
    ),
    Case(
        "token_converts_nothing",
        "S§9.2",
        lambda: laying("hunt-fire.1", claimed=["hunt"], steaks=4),
        Token(effect=Hunt(convert=1)),
        {"convert": 1},
    ),
    Case("bear_on_own_board", "S§8.8", lambda: bonus(FIRE), PutBear(board=0, square="C2"), {}),
    Case(
        "no_bear_left",
        "S§8.8",
        lambda: here(
            board(TRIBE),
            board(
                ["camp-fire.1 A1 A2"],
                bears=[f"{column}{row}" for row in (3, 4, 5) for column in "ABCDEF"],
            ),
            phase=BONUS,
            bonuses=1 << FIRE,
        ),
        PutBear(board=1, square="B1"),
        {},
    ),
    Case(
        "bear_off_squares",
        "S§8.8",
        lambda: bonus(FIRE),
        PutBear(board=1, square="C1N"),
        {"place": "C1N"},
    ),
    Case(
        "bear_on_tile",
        "S§8.8",
        lambda: bonus(FIRE, board(["camp-fire.1 A1 A2"])),
        PutBear(board=1, square="A2"),
        {"board": 1, "square": "A2", "tile": "camp-fire.1"},
    ),
    Case(
        "bear_on_bear",
        "S§8.8",
        lambda: bonus(FIRE, board(["camp-fire.1 A1 A2"], bears=["B1"])),
        PutBear(board=1, square="B1"),
        {"board": 1, "square": "B1"},
    ),
    Case(
        "bear_touches_nothing",
        "S§8.8",
        lambda: bonus(FIRE, board(["camp-fire.1 A1 A2"])),
        PutBear(board=1, square="B3"),
        {"board": 1, "square": "B3"},
    ),
    Case(
        "no_bear_there",
        "S§8.8",
        lambda: bonus(FIRE, bears=["E5"]),
        RemoveBear(square="E4"),
        {"square": "E4", "bears": ["E5"]},
    ),
    Case(
        "token_already_played",
        "S§4.3",
        lambda: here(board(TRIBE, claimed=["camp"]), phase=REFILL, token_played=True),
        Token(effect=Camp()),
        {},
    ),
    Case(
        "token_too_late",
        "S§4.3",
        lambda: here(board(TRIBE, claimed=["camp"]), phase=REMOVE),
        Token(effect=Camp()),
        {},
    ),
    Case(
        "token_not_claimed",
        "S§9.1",
        lambda: laying("hunt-fire.1", claimed=["camp"]),
        Token(effect=Picking()),
        {"scene": "picking", "claimed": ["camp"]},
    ),
    Case(
        "not_in_common_pool",
        "S§10.1",
        lambda: here(board(TRIBE, pool=TILES[-3:]), phase=REFILL),
        Take(tiles=("hunt-fire.1",)),
        {"tile": "hunt-fire.1", "common": list(COMMON)},
    ),
    Case(
        "not_in_common_pool",
        "S§10.1",
        lambda: here(board(TRIBE), phase=REMOVE),
        Remove(tile="hunt-fire.1"),
        {"tile": "hunt-fire.1", "common": list(COMMON)},
    ),
    Case(
        "taken_twice",
        "S§10.1",
        lambda: here(board(TRIBE, pool=TILES[-2:]), phase=REFILL),
        Take(tiles=(COMMON[0], COMMON[0])),
        {"tile": COMMON[0]},
    ),
    Case(
        "take_number",
        "S§10.1",
        lambda: here(board(TRIBE, pool=TILES[-2:]), phase=REFILL),
        Take(tiles=COMMON[:1]),
        {"given": 1, "needed": 2},
    ),
    Case(
        "take_order",
        "S§10.1",
        lambda: here(board(TRIBE, pool=TILES[-2:]), phase=REFILL),
        Take(tiles=(COMMON[2], COMMON[0])),
        {"tiles": [COMMON[0], COMMON[2]]},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule[2:]}-{case.code}")
def test_refusal(case: Case) -> None:
    assert refusal(case.state(), case.action, case.code, case.rule) == case.context
    assert msgspec.json.decode(msgspec.json.encode(case.context)) == case.context


def test_s2_5_only_the_player_to_move_may_act() -> None:
    state = laying("hunt-fire.1")
    with pytest.raises(IllegalAction) as raised:
        flow.apply(state, 1, LAY, NoChance())
    assert (raised.value.code, raised.value.rule) == ("not_your_turn", "S§2.5")
    assert raised.value.context == {"to_move": 0}


def test_every_code_is_provoked_above() -> None:
    provoked = {(case.code, case.rule, frozenset(case.context)) for case in CASES}
    provoked.add(("not_your_turn", "S§2.5", frozenset({"to_move"})))
    assert provoked == {(code, rule, frozenset(keys)) for code, rule, keys in ERROR_CODES}


def test_an_error_has_a_listed_code_and_context() -> None:
    with pytest.raises(KeyError):
        illegal("no_such_code")
    with pytest.raises(KeyError):
        illegal("under_bear", squares="A1")

"""S§10 to S§14: refill, abandoning, the end, two players, the default turn."""

from __future__ import annotations

from typing import Any

import pytest

from engine.sapiens import flow, scoring
from engine.sapiens.actions import (
    Abandon,
    Camp,
    Feast,
    Fight,
    Hunt,
    Lay,
    Out,
    Picking,
    Remove,
    Retrieve,
    Take,
    Token,
    Water,
)
from engine.sapiens.components import SCENE_INDEX, TILE_INDEX, TILES
from engine.sapiens.default import default
from engine.sapiens.legality import Choices
from engine.sapiens.state import BONUS, LAY, OVER, REFILL, REMOVE, STUCK, State
from tests.engine.sapiens.positions import Sketch, board, data, kinds, play, position, refusal

COMMON = ("feast-picking.1", "feast-ritual.1", "feast-fight.1", "feast-water.1", "feast-hunt.1")
TRIBE, SECOND, THIRD = ("camp-hunt.1 C4 C3",), ("camp-hunt.2 C4 C3",), ("water-hunt.1 C4 C3",)
TILES_OF_THREE = ("ritual-fight.1", "ritual-fight.2", "ritual-water.1")
CORNER = ("feast-camp.1 A5 B5",)
"""Feast and camp in the lower left: no tile of other scenes goes on from there."""
DEAD_END = ("hunt-fire.1",)
WALL = [f"{column}{row}" for row in (1, 5) for column in "ACEH"] + ["A2", "H2"]
"""Squares that close every cave of L1a and R1a when bears sit on them."""


def names(tiles: tuple[int, ...]) -> list[str]:
    return [TILES[tile] for tile in tiles]


# S§10


def refill(missing: int, *, common: tuple[str, ...] = COMMON, **more: Any) -> State:
    """Three players, the mover with this many tiles missing."""
    pool = TILES[-4:][: 4 - missing]
    return position(board(TRIBE, pool=pool), board(), board(), common=common, phase=REFILL, **more)


def test_s10_1_as_many_tiles_as_are_missing() -> None:
    state = refill(2)
    takes = [choice for choice in Choices(state) if isinstance(choice, Take)]
    assert len(takes) == len(set(takes)) == 10
    assert all(len(take.tiles) == 2 for take in takes)
    state, told = play(state, Take(tiles=(COMMON[1], COMMON[3])))
    assert names(state.players[0].pool) == [*TILES[-4:-2], COMMON[1], COMMON[3]]
    assert data(told, "took") == {"tiles": [COMMON[1], COMMON[3]]}


def test_s10_1_a_small_common_pool_is_taken_whole() -> None:
    state = refill(3, common=COMMON[:2])
    assert [choice for choice in Choices(state) if isinstance(choice, Take)] == [
        Take(tiles=COMMON[:2])
    ]


def test_s10_1_it_is_not_optional() -> None:
    refusal(refill(1), Take(tiles=()), "take_number", "S§10.1")
    play(refill(1, common=(), stack=0), Take(tiles=()))


def test_s10_3_the_common_pool_is_filled_from_the_stack() -> None:
    state = refill(2)
    top = names(state.stack[:2])
    step = flow.apply(state, 0, Take(tiles=COMMON[:2]), None)  # type: ignore[arg-type]
    assert names(step.state.common) == [*COMMON[2:], *top]
    assert data(step.events, "revealed") == {"tiles": top, "stack": len(step.state.stack)}
    assert step.reveals


def test_s10_3_an_empty_stack_reveals_nothing() -> None:
    step = flow.apply(refill(2, stack=0), 0, Take(tiles=COMMON[:2]), None)  # type: ignore[arg-type]
    assert not step.reveals
    assert "revealed" not in kinds(step.events)
    assert names(step.state.common) == list(COMMON[2:])


def test_s10_3_the_last_of_the_stack() -> None:
    state, told = play(refill(2, stack=1), Take(tiles=COMMON[:2]))
    assert len(state.common) == 4
    assert data(told, "revealed")["stack"] == 0


def test_the_turn_passes_clockwise() -> None:
    state, _ = play(refill(1), Take(tiles=COMMON[:1]))
    assert (state.turn.seat, state.turn.number, state.turn.phase) == (1, 21, LAY)
    state = refill(1, mover=0, first=1, round=3)
    state, _ = play(state, Take(tiles=COMMON[:1]))
    assert (state.turn.seat, state.round) == (1, 4)


# S§11


def stuck(*others: Sketch, **mine: Any) -> State:
    """The mover is in a corner with a tile that cannot be laid."""
    mine.setdefault("pool", DEAD_END)
    return position(board(CORNER, **mine), *(others or (board(), board())), common=COMMON)


def test_s11_1_only_when_no_tile_can_be_laid() -> None:
    state = stuck(pool=["hunt-fire.1", "feast-fire.1"])
    assert not any(isinstance(choice, Abandon) for choice in Choices(state))
    context = refusal(
        state, Abandon(tile="hunt-fire.1", first="H5S", second="H5"), "can_still_lay", "S§11.1"
    )
    assert context == {"tile": "feast-fire.1", "first": "A4", "second": "A3"}


def test_s11_1_a_token_may_change_it_but_need_not() -> None:
    state = stuck(claimed=["water"])
    assert {type(choice) for choice in Choices(state)} == {Abandon, Token}
    state, _ = play(state, Token(effect=Water(give="hunt-fire.1", get="feast-water.1")))
    assert {type(choice) for choice in Choices(state)} == {Lay}


def test_s11_1_a_token_can_also_bring_it_about() -> None:
    # The only tile that fits goes as the feast's, so that the mandatory one opens a new tribe.
    state = position(
        board(CORNER, claimed=["feast"], pool=["ritual-water.1", "camp-fire.1"]),
        board(),
        board(),
        common=COMMON,
    )
    refusal(
        state, Abandon(tile="ritual-water.1", first="H5S", second="H5"), "can_still_lay", "S§11.1"
    )
    state, _ = play(state, Token(effect=Feast(tile="camp-fire.1", first="B4", second="C4")))
    assert state.turn.phase == LAY
    assert {type(choice) for choice in Choices(state)} == {Abandon}


def test_s11_2_any_tile_any_scene_on_a_free_cave() -> None:
    state = stuck(pool=["hunt-fire.1", "ritual-fight.1"])
    found = {(c.tile, c.first, c.second) for c in Choices(state) if isinstance(c, Abandon)}
    for cave, entrance in (("C1N", "C1"), ("A2W", "A2"), ("E1N", "E1"), ("H5S", "H5")):
        for tile in ("hunt-fire.1", "ritual-fight.1"):
            assert (tile, cave, entrance) in found
            assert (tile, entrance, cave) in found
    assert not any("C5S" in where for where in found)  # C5 touches camp on B5
    context = refusal(
        state, Abandon(tile="hunt-fire.1", first="C5S", second="C5"), "abandon_touches", "S§11.2"
    )
    assert context == {"square": "C5", "other": "B5", "tile": "feast-camp.1"}


def test_s11_2_no_contact_with_a_tribe_abandoned_before() -> None:
    state = stuck(abandoned=[["camp-hunt.1 H4 H3"]])
    refusal(
        state, Abandon(tile="hunt-fire.1", first="H5S", second="H5"), "abandon_touches", "S§11.2"
    )


def test_s11_2_picking_may_not_lie_on_a_plain_entrance() -> None:
    state = stuck(pool=["picking-fire.1"])
    refusal(
        state,
        Abandon(tile="picking-fire.1", first="C1", second="C1N"),
        "picking_on_plain",
        "S§5.4",
    )
    play(state, Abandon(tile="picking-fire.1", first="C1N", second="C1"))


def test_s11_2_low_value_no_food_no_bonus_the_token_is_lost() -> None:
    state = stuck(fp=3, tokens={"C1N": "camp"})
    state, told = play(state, Abandon(tile="hunt-fire.1", first="C1N", second="C1"))
    assert kinds(told) == ["abandoned", "laid", "cave_scored"]
    assert data(told, "cave_scored") == {"cave": "C1N", "value": "low", "sp": 6}
    assert (state.mover.fp, state.mover.sp) == (3, 6)
    assert state.mover.lost >> SCENE_INDEX["camp"] & 1
    assert state.mover.claimed == 0
    assert state.turn.phase == REFILL


def test_s11_2_fight_tokens_are_settled_as_for_any_laying() -> None:
    state = stuck(board(fights=["hunt-fire.1"]), board(fights=["hunt-fire.1"]), fp=1)
    options = {c.order for c in Choices(state) if isinstance(c, Abandon)}
    assert options == {(1, 2), (2, 1)}
    state, told = play(state, Abandon(tile="hunt-fire.1", first="C1N", second="C1", order=(2, 1)))
    assert kinds(told)[:3] == ["fight_paid", "fight_unpaid", "abandoned"]
    assert [player.fp for player in state.players] == [0, 0, 1]


def test_s11_3_the_old_tribe_is_abandoned_for_good() -> None:
    state, _ = play(stuck(), Abandon(tile="hunt-fire.1", first="C1N", second="C1"))
    mover = state.mover
    assert mover.tribe == 1
    assert mover.apart == sum(1 << square for square in range(40) if square in {24, 33, 25, 34, 32})
    assert mover.near[SCENE_INDEX["fire"]]
    assert mover.near[SCENE_INDEX["feast"]] == 0


def test_s11_a_token_may_be_played_on_a_turn_with_an_abandonment() -> None:
    state = stuck(claimed=["camp"])
    state, _ = play(
        state,
        Abandon(tile="hunt-fire.1", first="C1N", second="C1"),
        Token(effect=Camp()),
        Take(tiles=COMMON[:4]),
    )
    assert state.players[0].sp == 6 + 3


def walled(**mine: Any) -> Sketch:
    """A player who can neither lay nor abandon."""
    return board(CORNER, pool=DEAD_END, bears=[s for s in WALL if s != "A5"], **mine)


def passing(*sketches: Sketch, **more: Any) -> State:
    """The moment before the last seat's refill, so that seat 0 is next."""
    return position(*sketches, common=COMMON, phase=REFILL, mover=len(sketches) - 1, **more)


def test_s11_4_without_a_token_a_player_is_out_unasked() -> None:
    state = passing(walled(fp=4, sp=9), board(SECOND), board(THIRD, pool=TILES_OF_THREE))
    state, told = play(state, Take(tiles=COMMON[:1]))
    assert [event.seat for event in told if event.kind == "out"] == [0]
    assert (state.turn.seat, state.turn.number, state.round) == (1, 21, 4)
    out = state.players[0]
    assert (out.out, out.fp, out.sp, len(out.pool)) == (True, 4, 9, 1)


def test_s11_4_with_a_token_to_play_a_player_is_asked() -> None:
    state = passing(walled(claimed=["camp"]), board(SECOND), board(THIRD, pool=TILES_OF_THREE))
    state, told = play(state, Take(tiles=COMMON[:1]))
    assert "out" not in kinds(told)
    assert (state.turn.seat, state.turn.phase) == (0, STUCK)
    (decision,) = flow.decisions(state)
    assert (decision.kind, decision.rule) == ("stuck", "S§11.4")
    assert set(decision.choices) == {Out(), Token(effect=Camp())}
    left, told = play(state, Out())
    assert kinds(told) == ["out"]
    assert left.turn.seat == 1
    assert len(left.players[0].pool) == 1  # no refill
    # The token opens no way: the points are kept, and the player is out.
    left, told = play(state, Token(effect=Camp()))
    assert kinds(told) == ["token_played", "camped", "out"]
    assert left.players[0].sp == 3
    assert left.turn.seat == 1


def test_s11_4_a_token_that_cannot_be_used_is_not_asked_for() -> None:
    # The feast token needs a tile that can be laid.
    state = passing(walled(claimed=["feast"]), board(SECOND), board(THIRD, pool=TILES_OF_THREE))
    _, told = play(state, Take(tiles=COMMON[:1]))
    assert "out" in kinds(told)


def test_s11_4_a_token_may_reopen_the_way() -> None:
    state = passing(walled(claimed=["water"]), board(SECOND), board(THIRD, pool=TILES_OF_THREE))
    state, _ = play(state, Take(tiles=COMMON[:1]))
    assert state.turn.phase == STUCK
    state, _ = play(state, Token(effect=Water(give="hunt-fire.1", get=COMMON[1])))
    assert state.turn.phase == LAY
    assert {type(choice) for choice in Choices(state)} == {Lay}


def test_s11_4_out_players_are_skipped_for_good() -> None:
    state = passing(board(TRIBE), board(SECOND, out=True), board(THIRD, pool=TILES_OF_THREE))
    state, _ = play(state, Take(tiles=COMMON[:1]))
    assert state.turn.seat == 0
    while state.turn.seat == 0:
        state, _ = play(state, default(state))
    assert state.turn.seat == 2


def test_s11_4_an_out_players_fight_tokens_go_on_working() -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"], fp=2),
        board(out=True, fights=["hunt-fire.1"]),
        common=COMMON,
    )
    state, _ = play(state, Lay(tile="hunt-fire.1", first="B3", second="A3"))
    assert [player.fp for player in state.players] == [2, 1]


# S§12


def last(mover: int, *, seats: int = 3, **more: Any) -> State:
    """The refill that takes the last common tile."""
    tribes = (TRIBE, SECOND, THIRD)[:seats]
    sketches = [board(tribe) for tribe in tribes]
    sketches[mover] = board(tribes[mover], pool=TILES_OF_THREE)
    return position(*sketches, common=COMMON[:1], stack=0, phase=REFILL, mover=mover, **more)


def test_s12_1_the_last_tile_triggers_the_end_of_the_round() -> None:
    state, told = play(last(0), Take(tiles=COMMON[:1]))
    assert data(told, "end_triggered") == {"round": 3, "last": 2}
    assert state.ending
    assert state.turn.seat == 1
    for seat in (1, 2):
        while state.turn.seat == seat and state.turn.phase != OVER:
            state, told = play(state, default(state))
    assert state.turn.phase == OVER
    assert kinds(told)[-1] == "over"
    assert "end_triggered" not in kinds(told)
    assert flow.decisions(state) == ()
    assert scoring.outcome(state) is not None


def test_s12_1_the_player_before_the_first_is_the_last() -> None:
    state, told = play(last(1, first=2), Take(tiles=COMMON[:1]))
    assert state.turn.phase == OVER
    assert data(told, "end_triggered")["last"] == 1
    assert state.termination == "normal"


def test_s12_1_the_last_player_may_be_out() -> None:
    sketches = [board(TRIBE, pool=TILES_OF_THREE), board(SECOND), board(THIRD, out=True)]
    state = position(*sketches, common=COMMON[:1], stack=0, phase=REFILL)
    _, told = play(state, Take(tiles=COMMON[:1]))
    assert data(told, "end_triggered")["last"] == 1


def test_s12_1_with_everybody_out_the_game_ends_at_once() -> None:
    state = position(
        walled(fp=3, sp=4),
        board(TRIBE, fp=9, sp=2, out=True),
        common=COMMON,
        phase=STUCK,
    )
    state, told = play(state, Out())
    outcome = scoring.outcome(state)
    assert outcome is not None
    assert (outcome.termination, outcome.scores, outcome.winners) == ("all_out", (3, 2), (0,))
    assert data(told, "over") == {
        "scores": [3, 2],
        "fp": [3, 9],
        "sp": [4, 2],
        "winners": [0],
        "termination": "all_out",
    }
    assert not list(Choices(state))
    refusal(state, Out(), "game_over", "S§12.1")


def test_s12_1_out_in_the_last_round_is_a_normal_end() -> None:
    state = position(walled(), board(TRIBE, out=True), common=(), stack=0, phase=STUCK, ending=True)
    state, _ = play(state, Out())
    assert state.termination == "normal"


def test_s12_2_a_tie_is_shared_and_leftovers_count_nothing() -> None:
    state = position(
        board(TRIBE, fp=7, sp=9, steaks=5, claimed=["camp"]),
        board(SECOND, fp=12, sp=7),
        board(THIRD, fp=6, sp=30),
        phase=OVER,
    )
    outcome = scoring.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((7, 7, 6), (0, 1))


def test_s12_there_is_no_outcome_before_the_end() -> None:
    assert scoring.outcome(last(0)) is None


# S§13


def test_s13_1_a_common_tile_is_removed_then_the_pool_is_filled() -> None:
    state = position(board(TRIBE, pool=TILES_OF_THREE), board(SECOND), common=COMMON, phase=REFILL)
    top = names(state.stack[:2])
    step = flow.apply(state, 0, Take(tiles=COMMON[:1]), None)  # type: ignore[arg-type]
    assert not step.reveals
    state = step.state
    assert (state.turn.seat, state.turn.phase) == (0, REMOVE)
    assert set(Choices(state)) == {Remove(tile=tile) for tile in COMMON[1:]}
    step = flow.apply(state, 0, Remove(tile=COMMON[2]), None)  # type: ignore[arg-type]
    assert step.reveals
    assert names(step.state.common) == [COMMON[1], *COMMON[3:], *top]
    gone = {TILE_INDEX[COMMON[2]]}
    everywhere = {*step.state.common, *step.state.stack, *step.state.aside}
    assert not gone & everywhere


def test_s13_1_an_empty_common_pool_skips_the_removal() -> None:
    state, told = play(last(0, seats=2), Take(tiles=COMMON[:1]))
    assert (state.turn.seat, state.turn.phase) == (1, LAY)
    assert "end_triggered" in kinds(told)


def test_s13_1_the_removal_may_trigger_the_end() -> None:
    state = position(
        board(TRIBE, pool=TILES_OF_THREE), board(SECOND), common=COMMON[:2], stack=0, phase=REFILL
    )
    state, told = play(state, Take(tiles=COMMON[:1]))
    assert "end_triggered" not in kinds(told)
    state, told = play(state, Remove(tile=COMMON[1]))
    assert kinds(told) == ["removed", "end_triggered"]


# S§14


def test_s14_the_best_placement_by_immediate_points() -> None:
    # C2 is worth 3 FP, every other square beside hunt on C3 less; camp is worth 3 SP more.
    state = position(board(TRIBE, pool=["hunt-fire.1"]), board(), board(), common=COMMON)
    action = default(state)
    assert isinstance(action, Lay)
    assert action.first == "C2"
    state = position(
        board(TRIBE, pool=["hunt-fire.1", "camp-fire.1"]), board(), board(), common=COMMON
    )
    action = default(state)
    assert isinstance(action, Lay)
    assert (action.tile, action.first) == ("camp-fire.1", "B4") or action.first in {"D4", "C5"}


def test_s14_a_cave_counts() -> None:
    state = position(
        board(["camp-fire.1 D1 D2"], pool=["camp-hunt.2"], tokens={"E1N": "hunt"}),
        board(),
        board(),
        common=COMMON,
    )
    assert default(state) == Lay(tile="camp-hunt.2", first="E1", second="E1N")


def test_s14_fight_tokens_count_against_a_tile() -> None:
    # Both tiles bring 3 FP on C2; two tokens lie on the first.
    state = position(
        board(TRIBE, pool=["hunt-fire.1", "hunt-fire.2"], fp=2),
        board(fights=["hunt-fire.1", "hunt-fire.1"]),
        common=COMMON,
    )
    action = default(state)
    assert isinstance(action, Lay)
    assert action.tile == "hunt-fire.2"


def test_s14_bonuses_without_a_target_are_taken_and_others_declined() -> None:
    def bonus(scene: str, **mine: Any) -> State:
        return position(
            board(TRIBE, **mine),
            board(),
            board(),
            common=COMMON,
            phase=BONUS,
            bonuses=1 << SCENE_INDEX[scene],
        )

    assert default(bonus("camp")) == Camp()
    assert default(bonus("picking")) == Picking()
    assert default(bonus("hunt", steaks=2)) == Hunt(convert=3)
    assert default(bonus("hunt", steaks=6)) == Hunt(convert=5)
    for scene in ("feast", "ritual", "fight", "water", "fire"):
        assert default(bonus(scene, pool=["hunt-fire.1"])) == Take(tiles=COMMON[:3])


def test_s14_no_token_is_played_and_no_fight_token_moved() -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"], claimed=["camp"], fights=[COMMON[0]]),
        board(SECOND),
        common=COMMON,
    )
    turn = []
    while state.turn.seat == 0:
        turn.append(default(state))
        state, _ = play(state, turn[-1])
    assert [type(action) for action in turn] == [Lay, Hunt, Take, Remove]
    assert turn[-1] == Remove(tile=COMMON[4])
    assert not any(isinstance(action, Token | Retrieve | Fight) for action in turn)


def test_s14_the_dearest_cave_of_a_new_tribe() -> None:
    action = default(stuck(pool=["hunt-fire.1"]))
    assert isinstance(action, Abandon)
    assert (action.first, action.second) == ("C1N", "C1")  # 8|6


def test_s14_stuck_means_out() -> None:
    state = position(walled(claimed=["camp"]), board(TRIBE), phase=STUCK)
    assert default(state) == Out()


@pytest.mark.parametrize("fp", [1, 2])
def test_s14_the_order_of_fight_tokens_is_given_where_it_matters(fp: int) -> None:
    state = position(
        board(TRIBE, pool=["hunt-fire.1"], fp=fp),
        board(fights=["hunt-fire.1"]),
        board(fights=["hunt-fire.1"]),
        common=COMMON,
    )
    action = default(state)
    assert isinstance(action, Lay)
    assert action.order == ((1, 2) if fp == 1 else ())

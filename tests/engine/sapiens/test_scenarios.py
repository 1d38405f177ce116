"""The scenarios that must hold, as the rules list them."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance, seed_of_number
from engine.sapiens import flow, scoring
from engine.sapiens.actions import (
    Abandon,
    Claim,
    Feast,
    Hunt,
    Lay,
    Picking,
    PutBear,
    Remove,
    RemoveBear,
    Take,
    Token,
)
from engine.sapiens.components import SET_ASIDE, TILES
from engine.sapiens.default import default
from engine.sapiens.legality import Choices
from engine.sapiens.setup import Options, setup
from engine.sapiens.state import BONUS, OVER, REFILL, START, State
from tests.engine.sapiens.positions import board, data, kinds, play, position, refusal


def test_scenario_1_s12_the_lower_domain_counts() -> None:
    last_turn = position(
        board(fp=38, sp=28),
        board(fp=30, sp=31),
        common=[],
        stack=0,
        mover=1,
        phase=REFILL,
        ending=True,
    )
    over, told = play(last_turn, Take(tiles=()))
    outcome = scoring.outcome(over)
    assert outcome is not None
    assert outcome.scores == (28, 30)
    assert outcome.winners == (1,)
    assert outcome.termination == "normal"
    assert data(told, "over")["winners"] == [1]


def test_scenario_2_s3_starting_on_the_hunt_token() -> None:
    start = position(
        board(pool=["hunt-fire.1"], tokens={"H5S": "hunt"}),
        board(),
        phase=START,
        round=1,
    )
    state, told = play(start, Lay(tile="hunt-fire.1", first="H5S", second="H5"))
    mover = state.players[0]
    assert (mover.fp, mover.sp) == (0, 7)
    assert kinds(told) == ["laid", "cave_scored", "token_claimed"]
    assert data(told, "token_claimed")["scene"] == "hunt"
    assert mover.claimed.bit_count() == 1
    assert state.turn.phase == REFILL
    assert state.turn.bonuses == 0


def test_scenario_3_s6_2_only_the_connected_scene_earns() -> None:
    # C2 is a forest of 3 FP; D2 touches only the new tile.
    here = position(
        board(["feast-camp.1 B2 A2"], pool=["feast-ritual.1", "fight-fire.1"]), board(), board()
    )
    state, told = play(here, Lay(tile="feast-ritual.1", first="C2", second="D2"))
    assert state.players[0].fp == 3
    assert data(told, "laid")["connected"] == [{"scene": "feast", "square": "C2", "fp": 3}]
    assert state.turn.phase == BONUS
    refusal(state, Claim(place="C1N"), "bonus_not_earned", "S§6.3")
    assert any(isinstance(choice, Feast) for choice in Choices(state)) is False
    free = position(
        board(["feast-camp.1 B2 A2"], pool=["feast-ritual.1", "camp-fire.1"]), board(), board()
    )
    state, _ = play(free, Lay(tile="feast-ritual.1", first="C2", second="D2"))
    state, told = play(state, Feast(tile="camp-fire.1", first="A3", second="A4"))
    assert state.players[0].fp == 3


@pytest.mark.parametrize(("tokens", "sp"), [({"H5S": "hunt"}, 7), ({}, 5)])
def test_scenario_4_s7_a_cave_after_its_entrance(tokens: dict[str, str], sp: int) -> None:
    # H5 holds 2 FP and is the entrance of the cave 7|5.
    here = position(
        board(["ritual-camp.1 H4 G4"], pool=["ritual-hunt.1"], tokens={"C1N": "fire", **tokens}),
        board(),
        board(),
    )
    state, told = play(here, Lay(tile="ritual-hunt.1", first="H5", second="H5S"))
    assert state.players[0].fp == 2
    assert kinds(told) == ["laid"]
    if tokens:
        refusal(state, Claim(place="H5S"), "token_is_the_tiles", "S§6.3")
    state, told = play(state, Claim(place="C1N"))
    claimed = ["token_claimed", "cave_scored"] + (["token_claimed"] if tokens else [])
    assert kinds(told) == claimed
    assert state.players[0].sp == sp
    assert state.players[0].claimed.bit_count() == (2 if tokens else 1)
    assert state.players[0].fp == 2


def test_scenario_5_s11_a_stuck_player_opens_a_cave() -> None:
    stuck = position(
        board(["feast-camp.1 A5 B5"], pool=["hunt-fire.1"], tokens={"H5S": "ritual"}),
        board(),
        board(),
    )
    assert not any(isinstance(choice, Lay) for choice in Choices(stuck))
    state, told = play(stuck, Abandon(tile="hunt-fire.1", first="H5S", second="H5"))
    mover = state.players[0]
    assert (mover.fp, mover.sp) == (0, 5)
    assert data(told, "abandoned") == {"cave": "H5S", "discarded": "ritual", "tribe": 0}
    assert mover.claimed == 0
    assert "ritual" in [name for name in ("ritual",) if mover.lost >> 2 & 1]
    assert state.turn.phase == REFILL


def test_scenario_6_s5_3_one_identical_neighbour_is_not_enough() -> None:
    # D3 would touch feast on D2 and hunt on C3.
    here = position(
        board(["feast-camp.1 D2 D1", "camp-hunt.1 C4 C3"], pool=["feast-fire.1"]),
        board(),
        board(),
    )
    context = refusal(
        here, Lay(tile="feast-fire.1", first="D3", second="E3"), "scene_mismatch", "S§5.3"
    )
    assert (context["square"], context["other"]) == ("D3", "C3")
    assert (context["scene"], context["other_scene"]) == ("feast", "hunt")


def test_scenario_7_s8_7_six_steaks_five_converted() -> None:
    here = position(board(["camp-hunt.1 C4 C3"], pool=["hunt-fire.1"], steaks=5), board(), board())
    state, _ = play(here, Lay(tile="hunt-fire.1", first="C2", second="D2"))
    fp = state.players[0].fp
    state, told = play(state, Hunt(convert=5))
    assert state.players[0].fp == fp + 10
    assert state.players[0].steaks == 1
    assert data(told, "hunted") == {"taken": 1, "converted": 5, "fp": 10, "left": 1}


def test_scenario_8_s8_8_a_bear_touches_three_tiles_until_fire_drives_it_off() -> None:
    # D3 of the second player touches tiles on D2, C3 and E3.
    here = position(
        board(["camp-fire.1 C4 C3"], pool=["hunt-fire.1"]),
        board(
            [
                "feast-camp.1 D2 D1",
                "feast-hunt.1 C3 C4",
                "feast-ritual.1 E3 F3",
                "camp-fire.2 H4 H5",
            ],
            pool=["feast-fire.1", "feast-hunt.2"],
            claimed=["feast"],
        ),
        board(),
    )
    state, _ = play(here, Lay(tile="hunt-fire.1", first="D2", second="C2"))
    state, told = play(state, PutBear(board=1, square="D3"))
    assert state.players[0].sp == 3
    assert data(told, "bear_put")["tiles"] == ["feast-camp.1", "feast-hunt.1", "feast-ritual.1"]
    state, _ = play(state, default(state))
    extra = Token(effect=Feast(tile="feast-hunt.2", first="D3", second="D4"))
    assert refusal(state, extra, "under_bear", "S§5.1") == {"square": "D3"}
    state, told = play(
        state, Lay(tile="feast-fire.1", first="F5", second="G5"), RemoveBear(square="D3")
    )
    assert data(told, "bear_removed") == {"square": "D3"}
    play(state, extra)


def test_scenario_9_s8_4_one_food_point_for_two_fight_tokens() -> None:
    here = position(
        board(["camp-hunt.1 C4 C3"], pool=["hunt-fire.1"], fp=1),
        board(fights=["hunt-fire.1"]),
        board(fights=["hunt-fire.1"]),
    )
    state, told = play(here, Lay(tile="hunt-fire.1", first="C2", second="D2", order=(2, 1)))
    assert kinds(told)[:3] == ["fight_paid", "fight_unpaid", "laid"]
    assert [player.fp for player in state.players] == [3, 0, 1]
    assert [player.fights for player in state.players] == [(), (), ()]


def test_scenario_10_s9_4_the_picking_token_opens_the_plains_for_a_turn() -> None:
    # B2 and B3 are plains.
    here = position(
        board(
            ["picking-camp.1 A3 A4"],
            pool=["picking-fire.1", "picking-water.1"],
            claimed=["picking"],
        ),
        board(["camp-hunt.1 C4 C3"], pool=["hunt-fire.1"]),
        common=["feast-ritual.1", "feast-fight.1", "ritual-water.1"],
    )
    lay = Lay(tile="picking-fire.1", first="B3", second="C3")
    refusal(here, lay, "picking_on_plain", "S§5.4")
    state, told = play(here, Token(effect=Picking()), lay)
    assert "plains_opened" in kinds(told)
    assert state.players[0].fp == 1  # the plain's, not the token's
    state, _ = play(
        state, Picking(), Take(tiles=("feast-ritual.1", "feast-fight.1", "ritual-water.1"))
    )
    while state.turn.seat == 1:
        state, _ = play(state, default(state))
    again = Lay(tile="picking-water.1", first="B2", second="B1")
    refusal(state, again, "picking_on_plain", "S§5.4")


def test_scenario_11_s8_1_a_feast_into_a_cave() -> None:
    # From C1, a square of 1 FP, the extra tile touches feast on B1 and earns nothing for it.
    here = position(
        board(
            ["feast-camp.1 B1 A1"],
            pool=["feast-fire.1", "feast-hunt.1"],
            tokens={"C1N": "hunt"},
        ),
        board(),
        board(),
    )
    state, _ = play(here, Lay(tile="feast-fire.1", first="B2", second="B3"))
    fp = state.players[0].fp
    state, told = play(state, Feast(tile="feast-hunt.1", first="C1", second="C1N"))
    assert (state.players[0].fp, state.players[0].sp) == (fp, 8)
    assert kinds(told) == ["laid", "cave_scored", "token_claimed"]
    assert data(told, "laid")["fp"] == 0
    assert state.turn.phase == REFILL


def test_scenario_12_s13_a_common_tile_leaves_after_each_refill() -> None:
    state = setup(2, Options(), SeededChance(seed_of_number(4))).state
    removals = 0
    turns = [0, 0]
    while state.turn.phase != OVER:
        seat, number = state.turn.seat, state.turn.number
        # No feasts: the default turn uses none.
        action = default(state)
        common = state.common
        state, told = play(state, action)
        if isinstance(action, Remove):
            removals += 1
            assert data(told, "removed")["tile"] in [TILES[tile] for tile in common]
        if (state.turn.seat, state.turn.number) != (seat, number) or state.turn.phase == OVER:
            turns[seat] += 1
    assert not any(player.out for player in state.players)
    assert turns == [11, 11]
    assert removals == 21  # the last refill empties the common pool


@pytest.mark.parametrize("seats", SET_ASIDE)
def test_s3_3_eleven_turns_each_at_every_number_of_players(seats: int) -> None:
    complete = 0
    for number in range(6):
        state: State = setup(seats, Options(), SeededChance(seed_of_number(number))).state
        turns = [0] * seats
        while state.turn.phase != OVER:
            before = state.turn
            state = flow.apply(state, before.seat, default(state), SeededChance(b"")).state
            if state.turn.number != before.number or state.turn.phase == OVER:
                turns[before.seat] += 1
        if not any(player.out for player in state.players):
            complete += 1
            assert turns == [11] * seats
    assert complete

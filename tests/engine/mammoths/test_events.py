"""Each event card (M§5.6), with and without fire."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.mammoths import combat, seasons
from engine.mammoths.actions import Found, Move, Spirits
from engine.mammoths.dawn import dawn
from engine.mammoths.herds import move_herds
from engine.mammoths.state import Options, State
from engine.mammoths.table import Table
from tests.engine.mammoths.positions import (
    A,
    B,
    Rolls,
    camps,
    herds,
    of_kind,
    pawns,
    play,
    position,
    refusal,
    run,
)

FIRE = Options(board=1, fire_rules=True)
FAR = {(71, B): (1, 1)}
"""The other tribe, out of the way: the game goes on."""


def _at_dawn(card: str, state: State, **faces: Any) -> Table:
    """The table after a dawn with this event, without arrivals."""
    piles = ((card,), ()) if card.startswith("S") else ((), (card,))
    season = "summer" if card.startswith("S") else "winter"
    bag = ("",) * 6
    return run(replace(state, piles=piles, season=season, bag=bag), dawn, Rolls(**faces))


def test_s01_a_species_is_sick_also_those_drawn() -> None:
    at = position({(31, A): (1, 1)} | FAR, herds={(46, "bear"): 2, (35, "wolf"): 1})
    at = replace(at, piles=(("S01",), ()), bag=("", "", "d", "", "", ""))
    table = run(at, dawn, Rolls(event=[3]))
    assert herds(table) == {(35, "wolf"): 1}
    assert table.bag[2] == "ABd"


def test_s02_lengthens_a_season_once() -> None:
    at = position({(31, A): (1, 1)} | FAR)
    assert _at_dawn("S02", at).state.held
    assert not _at_dawn("S02", replace(at, lengthened=True)).state.held


def test_s03_more_harvest_and_no_fire_kept() -> None:
    at = position(
        {(33, A): (1, 1)} | FAR, camps={33: A}, fields={33: 1}, fire={A: 33}, options=FIRE
    )
    table = _at_dawn("S03", replace(at, number=3))
    assert table.tribes[A].fire == 0
    assert seasons.income(table, A).harvest == 5
    kept = replace(at.tribes[A], hand=("T13",), orders=(Spirits(),))
    assert _at_dawn("S03", replace(at, tribes=(kept, at.tribes[B]))).tribes[A].fire == 33


def test_s04_lava_hurts_and_stays_open() -> None:
    at = position(
        {(33, A): (2, 2), (22, A): (1, 0)} | FAR,
        camps={33: A},
        fields={33: 2},
        herds={(23, "bear"): 1},
    )
    table = _at_dawn("S04", at)
    assert pawns(table) == {(33, A): (1, 2), (71, B): (1, 1)}
    assert (camps(table), table.fields, herds(table)) == ({33: A}, {}, {})
    assert sorted(table.closed) == [22, 64]
    assert sorted(table.state.embers) == [23, 33, 55, 63]


def test_s05_a_burning_region_is_empty_and_closed() -> None:
    at = position({(31, A): (2, 2), (11, A): (1, 0)} | FAR, herds={(32, "wolf"): 2})
    table = _at_dawn("S05", at, event=[1])
    assert pawns(table) == {(11, A): (1, 0), (71, B): (1, 1)}
    assert herds(table) == {}
    assert table.closed == {31: "burn", 32: "burn"}


def test_s06_the_great_river_floods() -> None:
    at = position(
        {(34, A): (2, 2), (13, A): (1, 0)} | FAR, camps={34: A}, fire={A: 34}, options=FIRE
    )
    table = _at_dawn("S06", at)
    assert pawns(table) == {(34, A): (1, 2), (13, A): (1, 0), (71, B): (1, 1)}
    assert camps(table) == {}
    assert table.closed == {12: "flood", 23: "flood", 33: "flood", 34: "flood"}
    assert table.tribes[A].fire == 0
    assert seasons.income(table, A)[:2] == (2, 0)
    moved = replace(table.freeze(), phase="move")
    assert seasons.fishes(Table(moved, Rolls()), 34, A)


def test_s06_the_marker_of_a_flooded_camp_does_not_move() -> None:
    at = position(
        {(34, A): (2, 2), (31, A): (1, 1)} | FAR,
        camps={34: A, 31: A},
        fire={A: 34},
        options=FIRE,
    )
    assert _at_dawn("S06", at).tribes[A].fire == 0


def test_s07_the_small_river_floods_on_all_branches() -> None:
    at = position({(53, A): (2, 0)} | FAR)
    assert sorted(_at_dawn("S07", at).closed) == [45, 46, 53, 55, 63]


def test_s08_drought_on_fields_and_fish() -> None:
    at = position(
        {(63, A): (1, 1), (31, A): (1, 0)} | FAR,
        fields={11: 2},
        camps={31: A},
        fire={A: 31},
        options=FIRE,
    )
    table = _at_dawn("S08", at, event=[1, 1])
    assert table.fields == {11: 1}
    assert table.tribes[A].food == 9
    assert seasons.fishes(table, 63, A)  # by the lake
    assert not seasons.fishes(table, 62, A)
    assert seasons.fishes(table, 12, A)


def test_s09_more_herds_come_and_shun_fire() -> None:
    at = position({(31, A): (2, 2)} | FAR, camps={31: A}, fire={A: 31}, options=FIRE)
    at = replace(at, piles=(("S09",), ()), bag=("f", "", "", "", "", ""))
    table = run(at, dawn)
    assert table.bag[0] == "f"
    full = replace(position({(31, A): (2, 2)} | FAR), piles=(("S09",), ()))
    drawn = of_kind(run(full, dawn).events, "counters_drawn")[0]
    assert len(drawn.data["counters"]) == 5


def test_s10_locusts_eat_fields_and_stores() -> None:
    at = position({(11, A): (1, 1)} | FAR, camps={11: A}, fields={11: 2})
    table = _at_dawn("S10", at, event=[1])
    assert (table.fields, table.tribes[A].food) == ({}, 9)
    holder = replace(at, options=FIRE, tribes=(replace(at.tribes[A], fire=11), at.tribes[B]))
    table = _at_dawn("S10", holder, event=[1])
    assert (table.fields, table.tribes[A].food) == ({11: 1}, 9)


def test_s11_and_n11_forage() -> None:
    at = position({(32, A): (1, 1)} | FAR)
    assert seasons.forage(_at_dawn("S11", at), 32) == 2
    assert seasons.forage(_at_dawn("N11", at), 32) == 1
    assert seasons.forage(_at_dawn("N06", at), 32) == 0


@pytest.mark.parametrize("card", ["S12", "N07"])
def test_s12_n07_animals_stay_and_no_die_is_rolled(card: str) -> None:
    table = _at_dawn(card, position({(31, A): (1, 1)} | FAR, herds={(46, "bear"): 1}))
    move_herds(table)
    assert herds(table) == {(46, "bear"): 1}
    assert not of_kind(table.events, "direction_die")


def test_s13_the_ground_shakes_caves_fall() -> None:
    at = position({(22, A): (2, 2), (33, A): (1, 1)} | FAR, camps={22: A}, options=FIRE)
    table = _at_dawn("S13", at, event=[1])
    assert pawns(table) == {(22, A): (1, 2), (33, A): (0, 1), (71, B): (1, 1)}
    assert camps(table) == {}
    assert sorted(table.state.embers) == [23, 33]


@pytest.mark.parametrize(("card", "paid"), [("S14", 4), ("N05", 2), ("S12", 3)])
def test_s14_n05_what_a_bear_pays(card: str, paid: int) -> None:
    at = position({(35, A): (3, 0), (31, A): (1, 1)} | FAR, herds={(35, "bear"): 1})
    table = _at_dawn(card, at)
    before = table.tribes[A].food
    table.chance = Rolls(die=[6, 1])
    combat.combats(table)
    assert table.tribes[A].food == before + paid


def test_n01_frozen_rivers_carry_and_give_no_fish() -> None:
    at = position({(53, A): (1, 1), (62, A): (0, 1)} | FAR)
    table = _at_dawn("N01", at)
    assert not seasons.fishes(table, 62, A)
    assert seasons.fishes(table, 53, A)
    crossing = play(
        replace(table.freeze(), phase="move"),
        A,
        Move(w=1, f=0, path=(53, 63)),
    )
    assert (63, A) in pawns(crossing)


def test_n02_nobody_fishes_but_holders() -> None:
    at = position({(53, A): (1, 1)} | FAR, camps={53: A}, fire={A: 53}, options=FIRE)
    table = _at_dawn("N02", at)
    assert seasons.fishes(table, 53, A)
    assert not seasons.fishes(table, 53, B)


def test_n03_a_pack_comes_and_shuns_fire() -> None:
    at = position({(71, A): (1, 1), (72, B): (1, 1)})
    assert herds(_at_dawn("N03", at, event=[1])) == {(32, "wolf"): 3}
    assert _at_dawn("N03", at, event=[1]).aside == 5
    holder = position({(32, A): (1, 1), (71, B): (1, 1)}, camps={32: A}, fire={A: 32}, options=FIRE)
    assert herds(_at_dawn("N03", holder, event=[1])) == {(31, "wolf"): 3}


def test_n04_snow_slides_take_one_of_each_and_freeze() -> None:
    at = position({(13, A): (2, 1)} | FAR, herds={(24, "bear"): 2, (24, "wolf"): 1})
    table = _at_dawn("N04", at, event=[2])
    assert pawns(table)[13, A] == (1, 1)
    assert herds(table) == {(24, "bear"): 1}
    assert table.frozen == {13, 24}
    move_herds(table)
    assert herds(table) == {(24, "bear"): 1}
    stuck = replace(table.freeze(), phase="move")
    assert refusal(stuck, A, Move(w=1, f=0, path=(13, 14))).code == "start_frozen"
    assert camps(play(stuck, A, Found(hex=13))) == {13: A}


def test_n08_bitter_nights_cost_outside_camps() -> None:
    at = position({(31, A): (2, 1), (35, A): (2, 0)} | FAR, camps={31: A})
    assert seasons.cost(_at_dawn("N08", at), A) == 7


def test_n09_hungry_fangs_run_and_bite() -> None:
    at = position({(25, A): (1, 1)} | FAR, herds={(31, "wolf"): 2, (25, "wolf"): 1})
    table = _at_dawn("N09", at)
    assert combat.herd_bonus(table, 25, "wolf", A) == 2
    table.chance = Rolls(direction=[3])
    move_herds(table)
    assert (31, "wolf") not in herds(table)


@pytest.mark.parametrize(("fire", "left"), [(0, 9), (31, 10)])
def test_n10_stores_spoil(fire: int, left: int) -> None:
    at = position({(31, A): (1, 1)} | FAR, camps={31: A}, food={A: 11}, options=FIRE)
    at = replace(at, tribes=(replace(at.tribes[A], fire=fire), at.tribes[B]))
    assert _at_dawn("N10", at).tribes[A].food == left


@pytest.mark.parametrize(
    ("pawns_there", "fire", "lost"),
    [((7, 2), 0, 2), ((5, 2), 0, 1), ((2, 2), 0, 0), ((7, 2), 31, 1)],
)
def test_n13_coughs_take_from_large_tribes(
    pawns_there: tuple[int, int], fire: int, lost: int
) -> None:
    at = position({(31, A): pawns_there} | FAR, camps={31: A}, options=FIRE)
    at = replace(at, tribes=(replace(at.tribes[A], fire=fire), at.tribes[B]))
    assert _at_dawn("N13", at).total(A) == sum(pawns_there) - lost


def test_an_empty_deck_is_made_of_its_discards() -> None:
    at = position({(31, A): (1, 1)} | FAR)
    at = replace(at, piles=((), ()), spent=(("S11", "S12"), ()), bag=("",) * 6)
    table = run(at, dawn)
    assert table.state.piles[0] == ("S12",)
    assert table.state.spent[0] == ("S11",)

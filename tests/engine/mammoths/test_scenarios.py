"""The scenarios of the rules (M§22), in their order; each test is named by its section."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import SeededChance, seed_of_number
from engine.kit.plans import alternatives
from engine.kit.plans.alternatives import Alternative, Alternatives, Chosen, If, NoneRuns, Otherwise
from engine.mammoths import combat, flow, plans, ranking, seasons, setup
from engine.mammoths.actions import (
    Answer,
    Beaters,
    CampChoice,
    Card,
    CombatCard,
    Condition,
    Done,
    Draft,
    Found,
    Herds,
    Loss,
    Move,
    Place,
    PlanMove,
    Retreat,
    Spirits,
)
from engine.mammoths.battles import battles
from engine.mammoths.dawn import dawn
from engine.mammoths.events import CHAPTERS, EVENT_KINDS, PRIVATE
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.herds import move_herds
from engine.mammoths.state import Options
from engine.mammoths.table import Table
from engine.play import planned
from tests.engine.mammoths.positions import (
    A,
    B,
    C,
    D,
    E,
    Rolls,
    camps,
    done,
    herds,
    of_kind,
    pawns,
    play,
    position,
    refusal,
    run,
)

HOUSE = Options(board=1, combat_values="house")


def _plan(*alternatives: Alternative[Any, Any], otherwise: Otherwise = Otherwise.ASK) -> PlanMove:
    return PlanMove(plan=Alternatives(alternatives=alternatives, otherwise=otherwise))


def _when(*conditions: Condition, lines: tuple[Any, ...] = ()) -> Alternative[Any, Any]:
    return Alternative(conditions=tuple(If(condition=c) for c in conditions), lines=lines)


def _move(w: int, f: int, *path: int) -> Move:
    return Move(w=w, f=f, path=path)


# 1 to 5: set-up and turns


def test_01_m3_2_first_camps_keep_apart_but_for_rivers() -> None:
    table = Table(position({(33, A): (5, 2)}, camps={33: A}, seats=3), Rolls())
    assert setup.may_settle(table, 34, B)
    assert not setup.may_settle(table, 32, C)


def test_02_m3_4_the_hand_limit_is_of_the_table() -> None:
    at = position({(33, A): (2, 2), (52, B): (2, 2), (56, C): (2, 2)}, seats=5, number=3)
    table = run(replace(at, deck=("T01",) * 30), seasons.rest_of_turn)
    assert [len(tribe.hand) for tribe in table.tribes] == [1, 1, 1, 0, 0]
    assert seasons.hand_limit(5) == 4


def test_03_m4_2_the_first_turn_has_no_event_and_six_arrivals() -> None:
    state = MAMMOTHS.setup(4, Options(board=1), SeededChance(seed_of_number(1))).state
    for seat in range(3):
        state = flow.apply(state, seat, Place(hexes=()), Rolls()).state
    step = flow.apply(state, 3, Place(hexes=()), Rolls())
    told = list(step.events)
    assert not of_kind(told, "event_drawn")
    assert len(of_kind(told, "counters_drawn")[0].data["counters"]) == 6
    assert step.state.turn == 1
    assert (step.state.season, step.state.number) == ("summer", 2)


def test_04_m4_3_late_autumn_postpones_harvest_births_and_draw() -> None:
    at = position({(33, A): (3, 2), (56, B): (2, 2)}, camps={33: A, 56: B}, fields={33: 2})
    at = replace(at, number=3, piles=(("S02", "S11"), ()), bag=("",) * 6)
    table = run(at, dawn)
    seasons.rest_of_turn(table)
    assert not {"birth_rolled", "tricks_counted", "field_lost"} & {e.kind for e in table.events}
    assert (table.state.season, table.state.number, table.fields) == ("summer", 3, {33: 2})
    told = len(table.events)
    dawn(table)
    seasons.rest_of_turn(table)
    later = {event.kind for event in table.events[told:]}
    assert {"birth_rolled", "tricks_counted", "field_lost"} <= later
    assert (table.state.season, table.state.number) == ("winter", 1)


def test_05_m4_5_a_counter_for_a_burning_hex_goes_back() -> None:
    at = position({(33, A): (3, 2), (56, B): (2, 2)}, piles=(("S05",), ()))
    at = replace(at, bag=("f", "", "", "", "", ""))
    table = run(at, dawn, Rolls(event=[1]))  # forest 1: 31 (f) and 32 burn
    assert table.closed == {31: "burn", 32: "burn"}
    assert table.bag[0] == "f"
    assert not table.herds
    assert of_kind(table.events, "counter_returned")[0].data["cause"] == "burn"


# 6 to 8: events and arrivals


def test_06_m5_3_an_eruption_kills_on_the_volcano() -> None:
    at = position({(22, A): (3, 2), (56, B): (2, 2), (56, A): (0, 0)} | {(35, A): (1, 1)})
    at = replace(at, groups=tuple(g for g in at.groups if g.w + g.f), piles=(("S04",), ()))
    at = replace(at, camps=position({(22, A): (1, 1)}, camps={22: A}).camps, bag=("",) * 6)
    table = run(at, dawn)
    assert pawns(table) == {(35, A): (1, 1), (56, B): (2, 2)}
    assert camps(table) == {}
    assert table.closed[22] == "volcano"


def test_07_m5_5_the_last_woman_of_a_camp_is_lost() -> None:
    at = position({(42, A): (0, 1), (35, A): (1, 0), (56, B): (2, 2)}, camps={42: A})
    at = replace(at, piles=(("S13",), ()), bag=("",) * 6)
    table = run(at, dawn, Rolls(event=[3]))
    assert pawns(table) == {(35, A): (1, 0), (56, B): (2, 2)}
    assert camps(table) == {}


def test_08_m6_1_who_waits_to_re_enter_counts_for_arrivals() -> None:
    at = position({(33, A): (2, 2), (52, B): (2, 2), (56, C): (2, 2)}, seats=4, turn=2)
    at = replace(at, tribes=(*at.tribes[:3], replace(at.tribes[3], status="due", due=3)))
    drawn = of_kind(run(at, dawn).events, "counters_drawn")[0]
    assert len(drawn.data["counters"]) == 4


# 9 to 16: herds


def test_09_m6_4_counters_that_arrive_together_trample_once() -> None:
    at = position({(33, A): (2, 2), (52, B): (2, 2)}, fields={11: 2}, turn=1)
    at = replace(at, bag=("", "", "", "ee", "", ""))
    table = run(at, dawn)
    assert herds(table) == {(11, "bison"): 2}
    assert table.fields == {11: 1}


@pytest.mark.parametrize(
    ("section", "given", "die", "then"),
    [
        ("10 M§7.5", {(32, "bear"): 1, (33, "bear"): 1, (36, "bear"): 1}, 4, {(34, "bear"): 3}),
        ("11 M§7.5", {(33, "bear"): 1, (36, "bear"): 1}, 4, {(35, "bear"): 2}),
        ("12 M§7.3", {(33, "wolf"): 1}, 4, {(31, "wolf"): 1}),
        ("13 M§7.3", {(11, "bison"): 1}, 6, {(11, "bison"): 1}),
        ("M§7.5", {(46, "bear"): 1, (56, "bear"): 1}, 6, {(35, "bear"): 2}),
    ],
)
def test_10_to_13_m7_3_m7_5_herds_move_and_meet(
    section: str, given: dict[tuple[int, str], int], die: int, then: dict[tuple[int, str], int]
) -> None:
    at = position({(72, A): (1, 1), (71, B): (1, 1)}, herds=given)
    assert herds(run(at, move_herds, Rolls(direction=[die]))) == then


def test_11_m7_5_on_a_tie_the_lower_hex_moves_first() -> None:
    at = position({(72, A): (1, 1), (71, B): (1, 1)}, herds={(33, "bear"): 1, (36, "bear"): 1})
    told = of_kind(run(at, move_herds, Rolls(direction=[4])).events, "herd_moved")
    assert [event.data["path"][0] for event in told] == [33, 36]


def test_14_m7_7_bison_stop_before_the_lake_and_trample() -> None:
    at = position({(72, A): (1, 1), (71, B): (1, 1)}, herds={(35, "bison"): 1}, fields={45: 2})
    table = run(at, move_herds, Rolls(direction=[2]))
    assert herds(table) == {(45, "bison"): 1}
    assert table.fields == {45: 1}


def test_15_m7_4_a_wolf_stops_where_pawns_are() -> None:
    at = position({(42, A): (0, 1), (71, B): (1, 1)}, herds={(43, "wolf"): 1})
    assert herds(run(at, move_herds, Rolls(direction=[1]))) == {(42, "wolf"): 1}


def test_16_m7_4_who_has_yet_to_move_stops_nobody() -> None:
    """The tigers have ended on 32; a wolf is of another species and passes."""
    at = position({(72, A): (1, 1), (71, B): (1, 1)}, herds={(32, "tiger"): 2, (33, "wolf"): 1})
    at = replace(at, tribes=tuple(replace(t, hand=("T11",)) for t in at.tribes))
    held = replace(at, frozen=(32,))
    assert herds(run(held, move_herds, Rolls(direction=[1]))) == {
        (31, "wolf"): 1,
        (32, "tiger"): 2,
    }


# 17 to 22: order, moves, camps


def test_17_m8_1_more_food_goes_first() -> None:
    at = position({(33, A): (2, 2), (56, B): (2, 2)}, camps={33: A, 56: B}, food={A: 8, B: 9})
    table = run(at, flow._set_order)
    assert table.state.order == (B, A)


def test_18_m8_4_one_stays_with_the_wolf_before_two_go_on() -> None:
    at = position({(35, A): (3, 0), (71, B): (1, 1)}, herds={(45, "wolf"): 1}, hands={A: ["T01"]})
    moved = play(at, A, _move(1, 0, 35, 45), _move(2, 0, 35, 45, 46))
    assert pawns(moved) == {(45, A): (1, 0), (46, A): (2, 0), (71, B): (1, 1)}
    assert refusal(at, A, _move(2, 0, 35, 45, 46)).code == "must_stay"
    assert refusal(at, A, _move(3, 0, 35, 45, 46)).context == {"hex": 45, "needed": 1, "left": 0}


def test_19_m8_4_two_wolves_pin_two_pawns_but_not_three() -> None:
    two = position({(35, A): (2, 0), (71, B): (1, 1)}, herds={(35, "wolf"): 2})
    assert refusal(two, A, _move(1, 0, 35, 36)).code == "must_stay"
    three = position({(35, A): (3, 0), (71, B): (1, 1)}, herds={(35, "wolf"): 2})
    assert pawns(play(three, A, _move(1, 0, 35, 36)))[36, A] == (1, 0)


def test_20_m8_3_rivers_and_mountains() -> None:
    at = position({(53, A): (2, 1), (71, B): (1, 1)})
    assert refusal(at, A, _move(1, 0, 53, 63)).code == "across_river"
    assert refusal(at, A, _move(1, 0, 53, 62, 61)).code == "mountain_stops"
    assert pawns(play(at, A, _move(1, 0, 53, 62)))[62, A] == (1, 0)


def test_21_m9_1_a_pair_that_has_not_moved_founds() -> None:
    at = position({(35, A): (1, 1), (45, A): (1, 1), (46, B): (1, 1)}, camps={46: B})
    assert camps(play(at, A, Found(hex=45))) == {45: A, 46: B}
    moved = position({(35, A): (1, 0), (45, A): (0, 1), (46, B): (1, 1)})
    assert refusal(moved, A, _move(0, 1, 45, 35), Found(hex=35)).code == "no_pair"


def test_22_m8_6_a_camp_is_looked_at_when_the_move_is_done() -> None:
    at = position({(35, A): (0, 1), (36, A): (0, 1), (56, B): (1, 1)}, camps={35: A})
    assert camps(play(at, A, _move(0, 1, 35, 36), _move(0, 1, 36, 35), Done())) == {35: A}
    assert camps(play(at, A, _move(0, 1, 35, 36), Done())) == {}


# 23 to 33: combat


def test_23_m10_5_women_alone_are_captured_without_dice() -> None:
    at = position({(42, A): (0, 3), (35, A): (1, 0), (42, B): (1, 0)}, camps={42: A})
    table = run(at, combat.combats)
    assert not of_kind(table.events, "round_rolled")
    assert pawns(table) == {(35, A): (1, 0), (42, B): (1, 3)}
    assert camps(table) == {42: B}


def test_24_m10_4_everyone_below_the_top_loses_and_equals_roll_again() -> None:
    at = position({(35, A): (3, 0), (35, B): (3, 0), (35, C): (3, 0)}, seats=3)
    table = run(at, combat.combats, Rolls(die=[5, 5, 5, 6, 6, 3]))
    rounds = of_kind(table.events, "round_rolled")
    assert [side["total"] for side in rounds[0].data["sides"]] == [8, 8, 8]
    assert rounds[0].data["losers"] == ()
    assert [side["total"] for side in rounds[1].data["sides"]] == [9, 9, 6]
    assert rounds[1].data["losers"] == (C,)


def test_25_m10_6_women_fight_women_with_the_camp() -> None:
    at = position({(35, A): (0, 1), (35, B): (0, 1), (56, A): (1, 0)}, camps={35: B})
    first = of_kind(run(at, combat.combats).events, "round_rolled")[0]
    assert [side["bonus"] for side in first.data["sides"]] == [0, 1]


def test_26_m10_8_the_last_village_woman_falls_and_the_village_is_conquered() -> None:
    at = position({(35, A): (0, 1), (35, B): (0, 1), (56, B): (1, 1)}, camps={35: B, 56: B})
    table = run(at, combat.combats, Rolls(die=[6, 1]))
    assert camps(table) == {35: A, 56: B}
    assert of_kind(table.events, "camp_conquered")[0].data["loot"] == 2  # of 10


def test_27_m10_9_loot_is_a_quarter_or_half_for_the_last_camp() -> None:
    at = position({(35, A): (3, 1), (35, B): (0, 1), (56, B): (1, 1)}, camps={35: B, 56: B})
    at = replace(at, tribes=(at.tribes[0], replace(at.tribes[1], food=11)))
    assert of_kind(run(at, combat.combats).events, "camp_conquered")[0].data["loot"] == 2
    last = replace(at, camps=at.camps[:1])
    assert of_kind(run(last, combat.combats).events, "camp_conquered")[0].data["loot"] == 5


def test_28_m10_10_without_a_marker_in_hand_the_camp_is_burnt() -> None:
    own = {31: A, 41: A, 51: A, 61: A, 71: A}
    groups = {(at, A): (0, 1) for at in own} | {(35, A): (2, 1), (35, B): (0, 2), (56, B): (1, 1)}
    at = position(groups, camps=own | {35: B}, orders={A: [CampChoice(at=0, burn=False)]})
    table = run(at, combat.combats)
    conquest = of_kind(table.events, "camp_conquered")[0].data
    assert conquest["burnt"]
    assert conquest["loot"] == 5
    assert camps(table) == own
    assert pawns(table)[35, A] == (2, 1)


def test_29_m10_7_women_join_as_far_as_there_are_pawns() -> None:
    at = position({(31, A): (0, 5), (35, A): (1, 0), (35, B): (0, 3), (56, B): (1, 1)})
    table = run(at, combat.combats)
    taken = of_kind(table.events, "women_captured")[0].data
    assert (taken["joined"], taken["died"]) == (1, 2)
    assert pawns(table)[35, A] == (1, 1)


def test_30_m10_14_food_comes_from_herds_that_are_beaten() -> None:
    at = position({(35, A): (1, 0), (56, A): (1, 1), (71, B): (1, 1)}, herds={(35, "bison"): 3})
    lost = run(at, combat.combats, Rolls(die=[6, 1, 6, 1, 1, 6]))
    assert lost.tribes[A].food == 10
    assert herds(lost) == {(35, "bison"): 1}
    won = run(at, combat.combats, Rolls(die=[6, 1, 6, 1, 6, 1]))
    assert won.tribes[A].food == 22


def test_31_m10_15_a_camp_goes_with_its_last_woman_at_once() -> None:
    at = position(
        {(35, A): (1, 1), (56, A): (1, 1), (71, B): (1, 1)},
        camps={35: A},
        herds={(35, "wolf"): 1},
        orders={A: [Loss(at=35, letters="f")]},
    )
    table = run(at, combat.combats, Rolls(die=[1, 6, 6, 1]))
    rounds = [e.data["sides"][0]["bonus"] for e in of_kind(table.events, "round_rolled")]
    assert rounds == [2, 1]
    assert camps(table) == {}


def test_32_m10_12_a_camp_just_taken_helps_against_the_bear() -> None:
    at = position(
        {(42, A): (2, 1), (42, B): (0, 1), (56, B): (1, 1)}, camps={42: B}, herds={(42, "bear"): 1}
    )
    first = of_kind(run(at, combat.combats).events, "round_rolled")[0]
    assert first.data["sides"][0]["bonus"] == 4


def test_33_m10_11_loot_counts_at_once() -> None:
    at = position(
        {(35, A): (2, 1), (35, B): (0, 1), (46, A): (2, 1), (46, B): (0, 1), (71, B): (1, 0)},
        camps={35: B, 46: B},
        food={B: 16},
    )
    loot = [e.data["loot"] for e in of_kind(run(at, combat.combats).events, "camp_conquered")]
    assert loot == [4, 6]


# 34 to 38: survival, births, sowing


def test_34_m11_1_forest_on_water_feeds_twice_in_summer() -> None:
    summer = Table(position({(34, A): (1, 0), (71, B): (1, 1)}), Rolls())
    assert sum(seasons.income(summer, A)[:3]) == 2
    winter = Table(position({(34, A): (1, 0), (71, B): (1, 1)}, season="winter"), Rolls())
    assert sum(seasons.income(winter, A)[:3]) == 1


def test_35_m9_3_who_occupies_a_field_harvests() -> None:
    at = position({(33, A): (1, 0), (71, B): (1, 1)}, fields={33: 2}, number=3)
    table = run(at, seasons.rest_of_turn)
    assert of_kind(table.events, "settled")[0].data["harvest"] == 8
    assert not table.fields


def test_36_m16_5_in_winter_without_fire_six_are_fed_with_nine() -> None:
    options = Options(board=1, fire_rules=True)
    at = position({(31, A): (7, 0), (71, B): (1, 1)}, food={A: 9}, options=options, season="winter")
    table = run(at, seasons.rest_of_turn)
    assert pawns(table)[31, A] == (6, 0)
    assert table.tribes[A].food == 0


def test_37_m12_2_twins_without_a_pawn_in_hand() -> None:
    at = position({(31, A): (1, 1), (72, A): (0, 5), (71, B): (1, 1)}, camps={31: A}, number=3)
    table = run(at, seasons.rest_of_turn, Rolls(birth=[6], twin=[2, 5]))
    assert pawns(table)[31, A] == (2, 1)
    assert of_kind(table.events, "birth_cancelled")[0].data["sex"] == "f"


def test_38_m13_2_by_default_two_villages_are_sown_with_four_food() -> None:
    villages = {11: A, 14: A, 25: A}
    groups = {(at, A): (0, 1) for at in villages} | {(71, B): (1, 1)}
    at = position(groups, camps=villages, food={A: 7}, season="winter", number=3)
    table = run(at, seasons.rest_of_turn, Rolls(birth=[3] * 9))
    assert table.fields == {11: 2, 14: 2}
    assert table.tribes[A].food == 2


# 39 to 42: tricks


def test_39_m14_5_the_later_beaters_win() -> None:
    north, south = Beaters(species=("wolf",), direction=0), Beaters(species=("wolf",), direction=3)
    at = position(
        {(72, A): (1, 1), (71, B): (1, 1)},
        herds={(24, "wolf"): 1},
        hands={A: ["T11"], B: ["T11"]},
        orders={A: [north], B: [south]},
    )
    assert herds(run(at, move_herds, Rolls(direction=[1]))) == {(25, "wolf"): 1}


def test_40_m14_5_good_spirits_keep_a_burning_camp() -> None:
    at = position(
        {(31, A): (2, 2), (71, B): (1, 1)},
        camps={31: A},
        hands={A: ["T13"]},
        orders={A: [Spirits()]},
        piles=(("S05",), ()),
    )
    table = run(replace(at, bag=("",) * 6), dawn, Rolls(event=[1]))
    assert pawns(table)[31, A] == (2, 2)
    assert camps(table) == {31: A}
    assert table.closed == {32: "burn"}
    assert table.tribes[A].hand == ()


def test_41_m14_5_two_tribes_cannot_scatter_to_one_hex() -> None:
    leave = [Retreat(at=35, to=(36,))]
    at = position(
        {(35, A): (1, 0), (35, B): (1, 0), (35, C): (1, 0)},
        seats=3,
        hands={A: ["T20"], B: ["T20"]},
        orders={A: leave, B: leave},
    )
    table = run(at, combat.combats)
    assert pawns(table)[36, A] == (1, 0)
    assert table.tribes[A].hand == ()
    assert table.tribes[B].hand == ("T20",)


def test_42_m14_5_no_forced_march_in_a_blizzard() -> None:
    at = position({(35, A): (3, 0), (71, B): (1, 1)}, hands={A: ["T06"]}, event="N06")
    assert refusal(at, A, Card(title="T06", hexes=(35,))).code == "blizzard"
    assert at.tribes[A].hand == ("T06",)


# 43 to 46: out, back, and the end


def test_43_m15_2_a_tribe_out_in_the_first_year_comes_back_once() -> None:
    at = position({(33, A): (2, 2), (52, B): (1, 0), (56, C): (2, 2)}, seats=3, turn=5)
    at = replace(at, first_year=True, deck=("T01", "T02", "T03"), bag=("",) * 6)
    table = Table(at, Rolls())
    table.kill(52, B, "w", "combat")
    table.loss_check("combat")
    assert table.tribes[B].status == "due"
    out = of_kind(table.events, "tribe_out")[0]
    assert (out.notify, out.data["due"]) == ((B,), 6)
    table.check_end()
    table.set(turn=6)
    dawn(table)
    (group,) = [key for key in table.freeze().groups if key.seat == B]
    assert (group.w, group.f) == (3, 1)
    assert group.hex in table.board.border
    assert (table.tribes[B].food, table.tribes[B].hand) == (8, ("T01", "T02", "T03"))
    for sex in ("w", "w", "w", "f"):
        table.kill(group.hex, B, "w" if sex == "w" else "f", "combat")
    table.loss_check("combat")
    assert table.tribes[B].status == "out"


def test_44_m15_4_four_camps_at_two_ends_win() -> None:
    four = {31: A, 41: A, 51: A, 61: A}
    groups = {(at, A): (0, 1) for at in four} | {(71, B): (1, 1)}
    at = position(groups, camps=four, food={A: 20})
    table = run(at, seasons.rest_of_turn)
    assert of_kind(table.events, "tribe_announced")[0].seat == A
    assert table.tribes[A].announced
    moved = replace(
        table.freeze(),
        camps=position(groups, camps={25: A, 41: A, 51: A, 61: A}).camps,
        groups=position({(at, A): (0, 1) for at in (25, 41, 51, 61)} | {(71, B): (1, 1)}).groups,
    )
    state = run(moved, seasons.rest_of_turn).freeze()
    assert (state.winners, state.termination) == ((A,), "camps")


def test_45_m15_5_of_several_the_one_with_more_camps_wins() -> None:
    mine, theirs = (11, 12, 13, 14, 21), (61, 62, 71, 72)
    owners = dict.fromkeys(mine, A) | dict.fromkeys(theirs, B)
    at = position(dict.fromkeys(owners.items(), (0, 1)), camps=owners, food={A: 20, B: 20})
    at = replace(at, tribes=tuple(replace(tribe, announced=True) for tribe in at.tribes))
    assert run(at, seasons.rest_of_turn).state.winners == (A,)


def test_46_m15_6_when_the_last_two_starve_all_lose() -> None:
    at = position({(11, A): (1, 0), (71, B): (1, 0)}, food={A: 0, B: 0}, season="winter")
    state = run(at, seasons.rest_of_turn).freeze()
    assert state.termination == "all_lost"
    assert ranking.outcome(state) is not None
    assert state.winners == ()


# 47 to 52: orders, variants


def test_47_m19_3_nobody_is_waited_for_at_dawn() -> None:
    at = position({(35, A): (1, 1), (71, B): (1, 1)}, hands={A: ["T13"], B: ["T11"]})
    after = done(at, A, B)
    assert after.turn == 11
    assert [d.kind for d in flow.decisions(after) if d.blocks] == ["move"]


def test_48_m19_6_without_an_answer_standing_orders_fight() -> None:
    at = position(
        {(35, A): (3, 0), (35, B): (2, 0)}, hands={A: ["T08"], B: ["T01"]}, phase="combat"
    )
    at = replace(at, asked=(A, B))
    for seat in (A, B):
        assert MAMMOTHS.default(at, seat) == Answer()
    after = play(play(at, A, Answer()), B, Answer())
    assert after.tribes[A].hand[:1] == ("T08",) or after.phase == "over"


def test_49_m24_6_an_unmet_condition_asks() -> None:
    at = position({(35, A): (2, 1), (71, B): (1, 1)}, herds={(45, "wolf"): 1})
    free = Condition(what="free", hexes=(45,))
    plan = _plan(_when(free, lines=(_move(1, 0, 35, 45),)))
    filed = play(at, A, plan)
    assert MAMMOTHS.planned(filed, A, expired=False) is None  # type: ignore[attr-defined]
    said = plans.consult(filed, A, plan)
    assert isinstance(said, NoneRuns)
    (why,) = said.passed_over
    assert (why.alternative, getattr(why, "condition", None)) == (0, 0)


def test_50_m17_1_only_farm_food_keeps() -> None:
    options = Options(board=1, food_spoils=True)
    at = position({(34, A): (1, 1), (71, B): (1, 1)}, options=options)
    at = replace(at, tribes=tuple(replace(tribe, food=5, farm=8) for tribe in at.tribes))
    table = run(at, seasons.rest_of_turn)
    assert table.tribes[A].all_food == 8


def test_51_m17_2_house_values_are_doubled() -> None:
    at = position({(25, A): (2, 1), (71, B): (1, 1)}, herds={(25, "mammoth"): 1}, options=HOUSE)
    assert [(fight.unit, fight.own.bonus) for fight in battles(Table(at, Rolls()), A)] == [(2, 5)]
    table = run(at, combat.combats, Rolls(die=[4, 4, 1, 6, 1, 6]))
    sides = of_kind(table.events, "round_rolled")[0].data["sides"]
    assert [side["bonus"] for side in sides] == [5, 6]
    assert [side["total"] for side in sides] == [13, 14]


def test_52_m17_3_births_need_a_man() -> None:
    options = Options(board=1, births_need_man=True)
    at = position({(31, A): (1, 4), (42, A): (0, 2)}, camps={31: A, 42: A}, options=options)
    table = Table(at, Rolls())
    assert seasons.births_in(table, 31, A) == 4
    assert seasons.births_in(table, 42, A) == 0


# 53 to 55: moves with opponents


def test_53_m8_5_those_who_stay_go_first() -> None:
    at = position({(35, A): (2, 1), (45, A): (2, 1), (71, B): (1, 1)}, herds={(45, "wolf"): 2})
    lines = [_move(1, 1, 35, 45), _move(2, 0, 45, 46), _move(1, 0, 35, 45)]
    for number in range(4):
        play(at, A, *lines[:number], Done())
    assert refusal(at, A, _move(2, 0, 45, 46)).code == "must_stay"


def test_54_m8_5_pawns_that_pin_each_others_place_do_not_swap() -> None:
    groups = {(45, A): (1, 0), (46, A): (0, 1), (71, B): (1, 1)}
    beasts = {(45, "wolf"): 1, (46, "bear"): 1}
    at = position(groups, herds=beasts)
    assert refusal(at, A, _move(1, 0, 45, 46)).code == "must_stay"
    assert refusal(at, A, _move(0, 1, 46, 45)).code == "must_stay"
    third = position({**groups, (35, A): (1, 0)}, herds=beasts)
    lines = [_move(1, 0, 35, 45), _move(1, 0, 45, 46), _move(0, 1, 46, 45)]
    assert pawns(play(third, A, *lines))[45, A] == (1, 1)


def test_55_m8_3_no_hex_twice() -> None:
    at = position({(45, A): (1, 0), (71, B): (1, 1)})
    assert refusal(at, A, _move(1, 0, 45, 46, 45)).code == "visited_twice"


# 56 to 60: plans and waits


def test_56_m24_5_without_conditions_the_hexes_must_be_the_same() -> None:
    at = position({(35, A): (2, 1), (46, B): (1, 1)}, order=(B, A), hands={B: ["T01"]})
    filed = play(at, A, _plan(_when(lines=(_move(1, 0, 35, 45),))))
    entered = play(filed, B, _move(1, 0, 46, 45), Done())
    assert planned(MAMMOTHS, entered, A) == ()
    elsewhere = play(filed, B, _move(1, 0, 46, 36), Done())
    (step,) = planned(MAMMOTHS, elsewhere, A)
    assert step.actions == (_move(1, 0, 35, 45), Done())


def test_57_m24_6_the_first_alternative_that_can_be_done_runs() -> None:
    at = position({(35, A): (2, 1), (71, B): (1, 1)})
    never = _when(Condition(what="closed", hexes=(45,)), lines=(_move(1, 0, 35, 45),))
    always = Condition(what="always")
    illegal = _when(always, lines=(_move(9, 0, 35, 45),))
    good = _when(always, lines=(_move(1, 0, 35, 36),))
    filed = play(at, A, _plan(never, illegal, good))
    said = plans.consult(filed, A, _plan(never, illegal, good))
    assert isinstance(said, Chosen)
    assert said.alternative == 2
    asks = plans.consult(filed, A, _plan(never, illegal))
    assert isinstance(asks, NoneRuns)
    assert [type(why).__name__ for why in asks.passed_over] == ["UnmetCondition", "IllegalLine"]
    plan = _plan(never, illegal, good).plan
    told = alternatives.explain(plan, plans.Board(filed, A, 0, moves=True)).alternatives
    assert [each.unmet_now is None for each in told] == [False, True, True]
    assert [each.illegal_now is None for each in told] == [True, False, True]
    stays = play(at, A, _plan(never, otherwise=Otherwise.STAY))
    (step,) = planned(MAMMOTHS, stays, A)
    assert step.actions == (Done(),)


def test_58_m24_4_came_left_and_still() -> None:
    at = position({(46, B): (1, 1), (71, C): (1, 1), (31, A): (1, 1), (11, D): (1, 1)}, seats=4)
    at = replace(at, order=(B, C, A, D), tribes=tuple(replace(t, hand=("T01",)) for t in at.tribes))
    now = done(play(at, B, _move(1, 0, 46, 45), Done()), C)
    board = plans.Board(now, A, 0, True)
    assert board.holds(Condition(what="came", tribe=B, hexes=(45,)))
    assert board.holds(Condition(what="left", tribe=B, hexes=(46,)))
    assert board.holds(Condition(what="still", tribe=C))
    assert not board.holds(Condition(what="still", tribe=B))
    assert not board.holds(Condition(what="still", tribe=D))


def test_59_m19_6_when_time_is_up_legal_lines_run() -> None:
    at = position({(35, A): (2, 1), (71, B): (1, 1)})
    always = Condition(what="always")
    lines = (_move(9, 0, 35, 45), _move(1, 0, 35, 36))
    filed = play(at, A, _plan(_when(always, lines=lines)))
    assert planned(MAMMOTHS, filed, A) == ()
    (step,) = planned(MAMMOTHS, filed, A, expired=True)
    assert step.actions == (_move(1, 0, 35, 36), Done())
    drafted = play(filed, A, Draft(lines=(_move(2, 0, 35, 46),)))
    (step,) = planned(MAMMOTHS, drafted, A, expired=True)
    assert step.actions == (_move(2, 0, 35, 46), Done())
    assert planned(MAMMOTHS, at, A, expired=True) == ()
    assert MAMMOTHS.default(at, A) == Done()


@pytest.mark.parametrize(
    ("hand", "camp", "asked"),
    [((), {}, False), (("T01",), {}, True), (("T20",), {}, True), ((), {35: B}, True)],
)
def test_60_m19_8_who_is_asked_shows_in_public_facts(
    hand: tuple[str, ...], camp: dict[int, int], asked: bool
) -> None:
    at = position({(35, A): (2, 0), (35, B): (2, int(bool(camp)))}, camps=camp, hands={A: hand})
    after = Table(at, Rolls())
    assert flow._has_choice(after, A) == asked


# 61 to 65: standing, telling, showing


def test_61_m15_8_ranks_and_points() -> None:
    four = {31: A, 41: A, 51: A, 61: A}
    groups = {(h, A): (0, 1) for h in four} | {(11, B): (1, 1), (71, C): (1, 1)}
    at = position(groups, camps=four, seats=5, food={A: 20, B: 5, C: 5}, phase="over")
    at = replace(at, winners=(A,), termination="camps")
    tribes = (*at.tribes[:3], replace(at.tribes[D], fell=2), replace(at.tribes[E], fell=1))
    rows = ranking.standing(replace(at, tribes=tribes))
    assert [(row.seat, row.rank, row.points) for row in rows] == [
        (A, 1, "1"),
        (B, 2, "0"),
        (C, 2, "0"),
        (D, 4, "0"),
        (E, 5, "0"),
    ]


def test_62_m15_6_all_lose_together() -> None:
    at = position({(11, A): (1, 0), (71, B): (1, 0)}, food={A: 0, B: 0}, season="winter")
    rows = ranking.standing(run(at, seasons.rest_of_turn).freeze())
    assert [(row.rank, row.result, row.points) for row in rows] == [(2, "lost", "0")] * 2


def test_63_m23_15_the_first_legal_hex_of_a_retreat_counts() -> None:
    at = position(
        {(45, A): (1, 0), (45, B): (1, 0), (35, B): (1, 0)},
        hands={A: ["T20"]},
        orders={A: [Retreat(at=45, to=(35, 46))]},
    )
    assert pawns(run(at, combat.combats))[46, A] == (1, 0)


def test_64_m25_1_every_event_stands_in_known_chapters() -> None:
    assert len(set(CHAPTERS)) == 8
    for kind, (chapters, _) in EVENT_KINDS.items():
        assert set(chapters) <= set(CHAPTERS) or (kind in PRIVATE and chapters == ("",))


def test_65_m26_1_six_colours_with_initials_of_their_own() -> None:
    from engine.mammoths.notation.words import TRIBES

    for lang, marks in (("en", 3), ("fr", 2)):
        names = [TRIBES.write(seat, lang) for seat in range(6)]
        assert len({name[:marks] for name in names}) == 6


def test_the_data_file_names_its_substitutes() -> None:
    import pkgutil

    text = (pkgutil.get_data("engine.mammoths", "valley.toml") or b"").decode()
    assert "substitutes" in text.partition("species = ")[0]
    assert sum(map(len, tomllib.loads(text)["tricks"].values())) == 20


def test_herds_are_fought_in_the_order_that_was_given() -> None:
    at = position(
        {(35, A): (6, 0), (71, B): (1, 1)},
        herds={(35, "wolf"): 1, (35, "bear"): 2},
        orders={A: [Herds(at=35, species=("bear",))]},
    )
    told = of_kind(run(at, combat.combats).events, "fight_began")
    assert [event.data["against"] for event in told] == ["bear", "wolf"]
    card = CombatCard(title="T10", trigger="start")
    assert flow.apply(at, A, card, Rolls()).state.tribes[A].orders[-1] == card

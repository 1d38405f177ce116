"""Each trick card (M§14.5), and how orders play them (M§14.2 to M§14.4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.mammoths import combat, seasons
from engine.mammoths.actions import (
    Bait,
    Beaters,
    Card,
    CombatCard,
    Done,
    Feast,
    Found,
    Loss,
    Move,
    Retreat,
    Stores,
    TakeFire,
)
from engine.mammoths.herds import move_herds
from engine.mammoths.state import Options
from engine.mammoths.table import Table
from tests.engine.mammoths.positions import (
    A,
    B,
    C,
    Rolls,
    camps,
    herds,
    kinds,
    of_kind,
    pawns,
    play,
    position,
    refusal,
    run,
)

FIRE = Options(board=1, fire_rules=True)
FAR = {(71, B): (1, 1)}


def _move(w: int, f: int, *path: int) -> Move:
    return Move(w=w, f=f, path=path)


def _bonuses(table: Table) -> list[list[int]]:
    told = of_kind(table.events, "round_rolled")
    return [[side["bonus"] for side in event.data["sides"]] for event in told]


def test_t01_a_palisade_helps_in_every_fight_there() -> None:
    at = position(
        {(35, A): (1, 1), (35, B): (1, 0)} | FAR, camps={35: A}, hands={A: ["T01", "T01"]}
    )
    built = play(at, A, Card(title="T01", hexes=(35,)))
    assert _bonuses(run(built, combat.combats, Rolls(die=[6, 1])))[0] == [3, 1]
    assert refusal(built, A, Card(title="T01", hexes=(35,))).code == "used_here"
    other = position({(35, A): (1, 1)} | FAR, camps={35: A, 71: B, 72: B}, palisades=(71, 72))
    other = replace(other, tribes=at.tribes)
    assert refusal(other, A, Card(title="T01", hexes=(35,))).code == "no_marker"


def test_t01_fire_burns_it_in_a_fight_of_tribes() -> None:
    at = position(
        {(35, A): (1, 1), (35, B): (1, 0), (71, B): (1, 1)},
        camps={35: A, 71: B},
        palisades=(35,),
        fire={B: 71},
        options=FIRE,
    )
    assert _bonuses(run(at, combat.combats, Rolls(die=[6, 1])))[0] == [2, 1]


def test_t02_t03_neutral_pawns_join_above_the_limit() -> None:
    at = position({(31, A): (10, 6)} | FAR, camps={31: A}, hands={A: ["T02", "T03"]})
    joined = play(at, A, Card(title="T02", hexes=(31,)), Card(title="T03", hexes=(31,)))
    assert pawns(joined)[31, A] == (11, 7)
    assert joined.neutral == ((A, 31), (A, 31))
    assert joined.discards == ()
    table = Table(play(joined, A, _move(11, 0, 31, 41)), Rolls())
    assert table.neutral == [(A, 41), (A, 31)]
    assert table.in_hand(A, "w") == table.in_hand(A, "f") == 0
    for _ in range(10):
        table.kill(41, A, "w", "combat")
    assert table.neutral[0] == (A, 41)
    table.kill(41, A, "w", "combat")
    assert table.neutral[0] is None


def test_t03_is_captured_like_any_woman_without_a_pawn() -> None:
    at = position(
        {(35, A): (1, 0), (31, A): (0, 6), (35, B): (0, 2)} | FAR, neutral=(None, (B, 35))
    )
    table = run(at, combat.combats)
    assert pawns(table)[35, A] == (1, 1)
    assert table.neutral[1] == (A, 35)


def test_t03_brings_fire() -> None:
    at = position({(31, A): (1, 1)} | FAR, camps={31: A}, hands={A: ["T03"]}, options=FIRE)
    assert play(at, A, Card(title="T03", hexes=(31,))).tribes[A].fire == 31


def test_t02_comes_to_a_volcano_by_fire_rules_with_or_without_fire() -> None:
    near_volcano = Card(title="T02", hexes=(32,))
    at = position({(31, A): (1, 1)} | FAR, camps={31: A}, hands={A: ["T02"]})
    assert refusal(at, A, near_volcano).code == "not_own_camp"
    at = position({(31, A): (1, 1)} | FAR, camps={31: A}, hands={A: ["T02"]}, options=FIRE)
    assert pawns(play(at, A, near_volcano))[32, A] == (1, 0)


def test_t04_women_count_and_may_be_lost() -> None:
    cry = CombatCard(title="T04", trigger="start")
    at = position(
        {(35, A): (1, 2), (35, B): (2, 0)} | FAR,
        hands={A: ["T04"]},
        orders={A: [cry, Loss(at=0, letters="ff")]},
    )
    table = run(at, combat.combats, Rolls(die=[1, 6, 1, 6, 1, 6]))
    assert _bonuses(table)[:3] == [[3, 2], [2, 2], [1, 2]]
    assert pawns(table)[35, B] == (2, 0)


def test_t04_women_alone_fight_instead_of_being_captured() -> None:
    cry = CombatCard(title="T04", trigger="behind")
    at = position({(35, A): (0, 1), (35, B): (2, 0)} | FAR, hands={A: ["T04"]}, orders={A: [cry]})
    table = run(at, combat.combats, Rolls(die=[6, 1, 6, 1]))
    assert pawns(table)[35, A] == (0, 1)


@pytest.mark.parametrize("species", ["", "wolf"])
def test_t04_without_a_woman_stays_in_hand(species: str) -> None:
    """RULING B26, against a tribe and against a herd; with a woman it is played."""
    cry = CombatCard(title="T04", trigger="start")
    rival: dict[tuple[int, int], tuple[int, int]] = {} if species else {(35, B): (1, 0)}
    beasts = {(35, species): 1} if species else {}
    for women in (0, 1):
        at = position(
            {(35, A): (2, women)} | rival | FAR,
            herds=beasts,
            hands={A: ["T04"]},
            orders={A: [cry]},
        )
        table = run(at, combat.combats, Rolls(die=[6, 1]))
        assert pawns(table)[35, A] == (2, women)
        assert table.tribes[A].hand == (() if women else ("T04",))


def test_t05_a_raft_carries_four_across() -> None:
    at = position({(53, A): (4, 2)} | FAR, hands={A: ["T05", "T05"]})
    floating = play(at, A, Card(title="T05", hexes=(53,)))
    assert pawns(play(floating, A, _move(3, 1, 53, 63)))[63, A] == (3, 1)
    assert refusal(floating, A, _move(4, 1, 53, 63)).code == "across_river"
    assert refusal(floating, A, _move(1, 0, 53, 54)).code == "ends_on_lake"
    assert pawns(play(floating, A, _move(1, 0, 53, 54, 64)))[64, A] == (1, 0)
    assert refusal(floating, A, Card(title="T05", hexes=(53,))).code == "used_here"
    assert refusal(floating, A, _move(3, 0, 53, 63), _move(1, 1, 53, 63)).code == "across_river"


def test_t06_five_march_three_hexes_and_seven_with_fire() -> None:
    at = position({(31, A): (6, 1), (11, A): (1, 1)} | FAR, camps={11: A}, hands={A: ["T06"]})
    far = (31, 32, 43, 53)
    march = Card(title="T06", hexes=(31,))
    assert pawns(play(at, A, march, _move(5, 0, *far)))[53, A] == (5, 0)
    assert refusal(at, A, march, _move(6, 0, *far)).code == "path_too_long"
    assert refusal(at, A, _move(1, 0, *far)).code == "path_too_long"
    holder = replace(at, options=FIRE, tribes=(replace(at.tribes[A], fire=11), at.tribes[B]))
    assert pawns(play(holder, A, march, _move(6, 1, *far)))[53, A] == (6, 1)


def test_t07_mountains_do_not_stop_but_deep_snow_bars_them() -> None:
    at = position({(31, A): (2, 0)} | FAR, hands={A: ["T07"]})
    paths = Card(title="T07", hexes=(31,))
    assert pawns(play(at, A, paths, _move(1, 0, 31, 42, 52)))[52, A] == (1, 0)
    snow = replace(at, event="N07")
    assert refusal(snow, A, paths, _move(1, 0, 31, 42, 52)).code == "mountains_barred"


def test_t08_two_rounds_with_a_loser() -> None:
    ambush = CombatCard(title="T08", trigger="start")
    at = position(
        {(35, A): (4, 0), (35, B): (4, 0)} | FAR, hands={A: ["T08"]}, orders={A: [ambush]}
    )
    table = run(at, combat.combats, Rolls(die=[1, 3, 6, 1, 6, 1, 6, 1, 6, 1]))
    assert _bonuses(table) == [[6, 4], [6, 4], [6, 3], [4, 2], [4, 1]]


def test_t09_a_pit_kills_and_is_paid_if_the_herd_is_beaten() -> None:
    pit = CombatCard(title="T09", trigger="start", against="bear")
    at = position(
        {(35, A): (2, 0)} | FAR, herds={(35, "bear"): 1}, hands={A: ["T09"]}, orders={A: [pit]}
    )
    table = run(at, combat.combats)
    assert not of_kind(table.events, "round_rolled")
    assert (herds(table), table.tribes[A].food) == ({}, 13)


def test_t10_flint_and_embers() -> None:
    flint = CombatCard(title="T10", trigger="start")
    groups = {(35, A): (2, 1)} | FAR
    at = position(
        groups,
        camps={35: A},
        herds={(35, "bear"): 1},
        hands={A: ["T10"]},
        orders={A: [flint]},
        fire={A: 35},
        options=FIRE,
    )
    assert _bonuses(run(at, combat.combats))[0] == [6, 1]  # 2, village 1, fire 1, flint 2
    assert _bonuses(run(replace(at, options=Options(board=1)), combat.combats))[0][0] >= 4


def test_t11_conditions_and_two_species_with_fire() -> None:
    order = Beaters(species=("wolf", "bear"), direction=3, herd="wolf", near=24, distance=1)
    at = position(
        {(71, A): (1, 1), (72, B): (1, 1)},
        herds={(24, "wolf"): 1, (36, "bear"): 1},
        hands={A: ["T11"]},
        orders={A: [order]},
        camps={71: A},
        options=FIRE,
    )
    table = run(at, move_herds, Rolls(direction=[1]))
    assert herds(table) == {(25, "wolf"): 1, (34, "bear"): 1}
    holder = replace(at, tribes=(replace(at.tribes[A], fire=71), at.tribes[B]))
    assert (36, "bear") not in herds(run(holder, move_herds, Rolls(direction=[1])))
    away = position({(71, A): (1, 1), (72, B): (1, 1)}, herds={(51, "wolf"): 1})
    away = replace(away, tribes=at.tribes)
    assert run(away, move_herds, Rolls(direction=[1])).tribes[A].hand == ("T11",)


def test_t12_holds_the_largest_herd_of_the_first_species_near() -> None:
    bait = Bait(at=35, distance=2, species=("rhino", "wolf"))
    at = position(
        {(25, A): (1, 1)} | FAR,
        herds={(36, "wolf"): 1, (34, "wolf"): 2},
        hands={A: ["T12"]},
        orders={A: [bait]},
    )
    table = run(at, move_herds, Rolls(direction=[2]))
    assert herds(table)[34, "wolf"] == 2
    assert (36, "wolf") not in herds(table)


def test_t12_each_order_holds_a_herd_while_there_is_a_card() -> None:
    """RULING B25: what comes of nothing leaves the card to the next order."""
    west, north, nowhere = (Bait(at=hex_, distance=0, species=("wolf",)) for hex_ in (34, 36, 21))
    at = position(
        {(25, A): (1, 1)} | FAR,
        herds={(36, "wolf"): 1, (34, "wolf"): 2},
        hands={A: ["T12", "T12"]},
        orders={A: [nowhere, west, north]},
    )
    both = run(at, move_herds, Rolls(direction=[2]))
    assert {(34, "wolf"), (36, "wolf")} <= set(herds(both))
    assert both.tribes[A].hand == ()
    poor = replace(at, tribes=(replace(at.tribes[A], hand=("T12",)), at.tribes[B]))
    one = run(poor, move_herds, Rolls(direction=[2]))
    assert (34, "wolf") in herds(one)
    assert (36, "wolf") not in herds(one)


def test_t14_t15_are_played_when_somebody_would_starve() -> None:
    at = position({(53, A): (4, 1)} | FAR, food={A: 0}, hands={A: ["T14", "T15"]}, season="winter")
    table = run(at, seasons.rest_of_turn)
    assert table.total(A) == 5  # 1 fish, 1 by T15, 1 for the fifth by T14
    assert table.tribes[A].hand == ()
    rich = replace(at, tribes=(replace(at.tribes[A], food=9), at.tribes[B]))
    assert run(rich, seasons.rest_of_turn).tribes[A].hand == ("T14", "T15")
    never = [Stores(title=title, trigger="never") for title in ("T14", "T15")]
    stubborn = replace(at, tribes=(replace(at.tribes[A], orders=tuple(never)), at.tribes[B]))
    assert run(stubborn, seasons.rest_of_turn).total(A) == 1


def test_t16_takes_food_or_fire() -> None:
    groups = {(35, A): (1, 1), (36, B): (1, 1), (71, C): (1, 1)}
    at = position(
        groups,
        seats=3,
        camps={35: A, 36: B},
        fire={B: 36},
        food={B: 2},
        hands={A: ["T16", "T16"]},
        options=FIRE,
    )
    robbed = play(at, A, Card(title="T16", tribe=B))
    assert [tribe.food for tribe in robbed.tribes] == [12, 0, 10]
    assert refusal(robbed, A, Card(title="T16", tribe=B)).code == "used_here"
    assert refusal(at, A, Card(title="T16", tribe=C)).code == "wrong_target"
    lit = play(at, A, Card(title="T16", tribe=B, fire=True))
    assert [tribe.fire for tribe in lit.tribes] == [35, 36, 0]
    assert lit.tribes[A].food == 10


@pytest.mark.parametrize(("there", "born"), [((1, 1), (1, 2)), ((9, 6), (10, 6))])
def test_t17_one_birth_more_of_a_chosen_sex(there: tuple[int, int], born: tuple[int, int]) -> None:
    at = position(
        {(31, A): there} | FAR,
        camps={31: A},
        hands={A: ["T17"]},
        orders={A: [Feast(at=31, sex="f")]},
        number=3,
        food={A: 30},
    )
    table = run(at, seasons.rest_of_turn, Rolls(birth=[1, 1]))
    told = of_kind(table.events, "child_born")[0]
    assert told.data["how"] == "T17"
    assert told.data["sex"] == ("f" if there == (1, 1) else "w")
    assert born[0] <= pawns(table)[31, A][0]


def test_t17_each_order_brings_a_birth_while_there_is_a_card() -> None:
    """RULING B25: feasts at two camps are two cards; with one, that of the first camp to bear."""
    at = position(
        {(31, A): (1, 2), (53, A): (1, 1)} | FAR,
        camps={31: A, 53: A},
        hands={A: ["T17", "T17"]},
        orders={A: [Feast(at=31, sex="f"), Feast(at=53, sex="w")]},
        number=3,
        food={A: 30},
    )
    table = run(at, seasons.rest_of_turn, Rolls(birth=[3, 3, 3]))

    def feasts(table: Table) -> list[tuple[int, str]]:
        told = of_kind(table.events, "child_born")
        return [(e.data["hexes"][0], e.data["sex"]) for e in told if e.data["how"] == "T17"]

    assert feasts(table) == [(53, "w"), (31, "f")]
    poor = replace(at, tribes=(replace(at.tribes[A], hand=("T17",)), at.tribes[B]))
    assert feasts(run(poor, seasons.rest_of_turn, Rolls(birth=[3, 3, 3]))) == [(53, "w")]


def test_t18_sows_free_in_summer() -> None:
    villages = {11: A, 14: A, 25: A}
    at = position({(h, A): (0, 1) for h in villages} | FAR, camps=villages, hands={A: ["T18"]})
    sown = play(at, A, Card(title="T18", hexes=(11, 25)))
    assert [field.hex for field in sown.fields] == [11, 25]
    assert sown.tribes[A].food == 10
    winter = replace(at, season="winter", number=3)
    assert refusal(winter, A, Card(title="T18", hexes=(11,))).code == "wrong_season"
    holder = replace(winter, options=FIRE, tribes=(replace(at.tribes[A], fire=11), at.tribes[B]))
    late = play(holder, A, Card(title="T18", hexes=(11,)))
    assert late.sown == (A,)


def test_t19_founds_though_moved() -> None:
    at = position({(31, A): (2, 1)} | FAR, hands={A: ["T19"]})
    lines: list[Any] = [_move(1, 1, 31, 32)]
    assert refusal(at, A, *lines, Found(hex=32)).code == "no_pair"
    assert camps(play(at, A, *lines, Card(title="T19", hexes=(32,)), Done())) == {32: A}


def test_t20_leaves_before_the_fight_and_abandons_the_camp() -> None:
    flee = Retreat(at=35, to=(44, 46, 36), w=1, f=1)
    at = position(
        {(35, A): (2, 1), (31, A): (1, 0), (35, B): (5, 0)} | FAR,
        camps={35: A},
        hands={A: ["T20"]},
        orders={A: [flee]},
    )
    table = run(at, combat.combats, Rolls(die=[1, 6]))
    assert pawns(table)[46, A] == (1, 1)
    assert "camp_conquered" not in kinds(table.events)
    assert camps(table) == {}
    frozen = run(replace(at, frozen=(35,)), combat.combats)
    assert frozen.tribes[A].hand == ("T20",)


def test_t20_two_hexes_with_fire() -> None:
    at = position(
        {(35, A): (1, 0), (31, A): (1, 1), (35, B): (5, 0)} | FAR,
        camps={31: A},
        hands={A: ["T20"]},
        orders={A: [Retreat(at=35, to=(47,))]},
    )
    assert run(at, combat.combats).tribes[A].hand == ("T20",)
    holder = replace(at, options=FIRE, tribes=(replace(at.tribes[A], fire=31), at.tribes[B]))
    assert pawns(run(holder, combat.combats))[47, A] == (1, 0)


def test_m14_4_fighters_at_most_and_never() -> None:
    late = CombatCard(title="T10", trigger="fighters", most=1)
    no = CombatCard(title="T10", at=35, trigger="never")
    at = position(
        {(35, A): (2, 0), (31, A): (1, 0), (35, B): (2, 0)} | FAR,
        hands={A: ["T10"]},
        orders={A: [late]},
    )
    table = run(at, combat.combats, Rolls(die=[1, 6, 6, 1]))
    assert _bonuses(table)[:2] == [[2, 2], [2, 2]]
    assert table.tribes[A].hand == ()
    refused = replace(at, tribes=(replace(at.tribes[A], orders=(late, no)), at.tribes[B]))
    assert run(refused, combat.combats).tribes[A].hand == ("T10",)


def test_m17_4_a_card_may_be_thrown_away_with_another() -> None:
    options = Options(board=1, extra_discard=True)
    at = position(
        {(31, A): (1, 1)} | FAR, camps={31: A}, hands={A: ["T01", "T09"]}, options=options
    )
    thrown = play(at, A, Card(title="T01", hexes=(31,), drop="T09"))
    assert thrown.tribes[A].hand == ()
    assert thrown.discards == ("T01", "T09")
    plain = replace(at, options=Options(board=1))
    assert refusal(plain, A, Card(title="T01", hexes=(31,), drop="T09")).code == "no_extra_discard"


def test_m16_fire_is_taken_on_a_volcano_by_who_stays() -> None:
    at = position({(22, A): (2, 0), (31, A): (1, 1)} | FAR, camps={31: A}, options=FIRE)
    lit = play(at, A, TakeFire(hex=22))
    assert lit.tribes[A].fire == 31
    assert refusal(lit, A, _move(2, 0, 22, 32)).code == "too_few_pawns"
    moved = play(at, A, _move(2, 0, 22, 32))
    assert refusal(moved, A, TakeFire(hex=32)).code == "no_fire_there"
    burning = replace(moved, closed=position({}, closed={42: "burn"}).closed)
    assert play(burning, A, TakeFire(hex=32)).tribes[A].fire == 31
    homeless = replace(at, camps=())
    assert refusal(homeless, A, TakeFire(hex=22)).code == "no_camp_for_fire"


def test_m16_4_conquest_spreads_fire() -> None:
    at = position(
        {(35, A): (3, 1), (35, B): (0, 1), (71, B): (1, 1)},
        camps={35: B, 71: B},
        fire={B: 35},
        options=FIRE,
    )
    table = run(at, combat.combats)
    assert (table.tribes[A].fire, table.tribes[B].fire) == (35, 71)


def test_m16_6_winning_by_camps_needs_fire_at_the_second_check() -> None:
    four = {31: A, 41: A, 51: A, 61: A}
    at = position({(h, A): (0, 1) for h in four} | FAR, camps=four, food={A: 20}, options=FIRE)
    at = replace(at, tribes=(replace(at.tribes[A], announced=True), at.tribes[B]))
    assert run(at, seasons.rest_of_turn).state.phase == "move"
    lit = replace(at, tribes=(replace(at.tribes[A], fire=31), at.tribes[B]))
    assert run(lit, seasons.rest_of_turn).state.winners == (A,)

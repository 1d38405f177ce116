"""Inventions (F§10), cave cards (F§12) and objectives (F§11) that no scenario is about."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.scoring import majorities, objective_value
from engine.fire_and_stone.state import Phase, State
from tests.engine.fire_and_stone.positions import (
    begun,
    cave,
    forest,
    offered,
    play,
    put,
    refused,
    step,
    tile,
    told,
)


def _with(*inventions: str, **fields: Any) -> State:
    return put(begun(), inventions=inventions, **fields)


# Inventions


def test_smoke_rack_f10() -> None:
    state = replace(begun(), row=("smoke_rack", "boats", "gourd"), pile=())
    state = tile(put(state, columns=("aa", "")), "namib", "apple")
    state = play(state, do.Go(place="namib"), do.Take(column="light"))
    player = play(state, do.Invent(card="smoke_rack")).players[0]
    assert (player.bags, player.food) == (1, 1)
    state = tile(_with("smoke_rack", held=(1, 1), bags=6), "namib", "fire")
    state = play(state, do.Go(place="namib"), do.Piece(piece="fowl"), do.Piece(piece="fowl"))
    assert play(state, do.Done()).players[0].food == 4


def test_transport_sled_f10() -> None:
    assert "congo" in {a.place for a in offered(_with("transport_sled")) if isinstance(a, do.Go)}
    assert refused(begun(), do.Go(place="congo")).code == "too_far"


def test_digging_stick_and_gourd_f10() -> None:
    state = tile(_with("digging_stick", "gourd", bags=4, columns=("Sa", "nn")), "namib", "root")
    state = play(state, do.Go(place="namib"))
    assert play(state, do.Take(column="light")).players[0].food == 3, "two discarded, one taken"
    state = tile(_with("gourd", bags=4, columns=("aa", "")), "namib", "apple")
    state = play(replace(state, row=("gourd",)), do.Go(place="namib"), do.Take(column="light"))
    assert state.players[0].food == 0, "after the card"
    assert play(state, do.Decline()).players[0].food == 3


def test_the_net_follows_the_gourd_after_the_card_f10_6() -> None:
    state = tile(_with("gourd", "fishing_net", bags=4, columns=("aa", "")), "angola", "apple")
    state = play(state, do.Go(place="angola"), do.Take(column="light"), do.Decline())
    assert state.players[0].food == 4


def test_the_net_gives_once_in_an_action_f10_6() -> None:
    state = _with("gourd", "fishing_net", "digging_stick", bags=9, columns=("a", "nn"))
    state = play(tile(state, "angola", "root"), do.Go(place="angola"))
    assert play(state, do.Take(column="light")).players[0].food == 3


def test_foraging_lore_f10() -> None:
    state = tile(tile(_with("foraging_lore"), "namib", ""), "angola", "root")
    state = play(state, do.Go(place="namib"))
    assert offered(state)[:2] == [do.Food(), do.Forage(place="angola", column="light")]
    after = play(state, do.Forage(place="angola", column="dark"))
    assert after.players[0].columns == ("", "r")
    assert after.is_empty(INDEX["angola"])
    assert refused(state, do.Forage(place="gaul", column="dark")).code == "not_a_neighbour"
    assert refused(state, do.Forage(place="cape", column="dark")).code == "nothing_to_take"


def test_fur_boots_f10() -> None:
    state = tile(_with("fur_boots", explorers=("namib",)), "namib", "")
    assert play(state, do.Go(place="namib"), do.Food()).players[0].food == 1
    assert refused(put(state, inventions=()), do.Go(place="namib")).code == "stays"


def test_bone_needle_f10_9() -> None:
    state = tile(_with("bone_needle"), "namib", "hut", up=False)
    after = step(state, do.Go(place="namib"))
    assert after.state.players[0].food == 2
    kinds = [event.kind for event in after.events]
    assert kinds.index("hut_built") < kinds.index("food") < kinds.index("hut_tile")


def test_an_empty_territory_gives_food_only_where_there_is_room_f6_5() -> None:
    state = tile(put(begun(), food=2), "namib", "")
    assert play(state, do.Go(place="namib")).turn.seat == 1
    assert play(put(state, food=1), do.Go(place="namib"), do.Food()).players[0].food == 2


def test_a_vp_card_is_the_top_one_f9_11() -> None:
    state = tile(_with("boats", columns=("aa", "")), "namib", "apple")
    state = replace(play(state, do.Go(place="namib"), do.Take(column="light")), vp_taken=3)
    assert play(state, do.Score(covers="boats")).players[0].covered == (3,)
    assert refused(state, do.Score(covers="gourd")).code == "nothing_to_cover"
    state = replace(state, vp_taken=14)
    assert refused(state, do.Score(covers="boats")).code == "no_vp_card"
    state = replace(state, row=("boats", "boats", "gourd"))
    assert refused(state, do.Invent(card="boats")).code == "has_invention"
    assert refused(state, do.Invent(card="mud_bricks")).code == "not_in_row"


def test_bags_end_with_their_tokens_f2_7() -> None:
    state = replace(tile(begun(), "namib", "cache", up=False), bag_tokens=0)
    player = play(state, do.Go(place="namib")).players[0]
    assert (player.bags, player.food) == (0, 1)


# Caves


def _at(card: str, **fields: Any) -> State:
    """In the revealed cave, asked for the action if there is one."""
    return play(_before(card, **fields), do.Go(place="tibet"))


def _before(card: str, **fields: Any) -> State:
    return cave(put(begun(), explorers=("indus",), **fields), card)


def _found(card: str, seats: int = 2, **fields: Any) -> State:
    """The cave has just been revealed."""
    state = cave(put(begun(seats), explorers=("indus",), **fields), card)
    state = tile(replace(state, cave_up=False), "tibet", "cave", up=False)
    return play(state, do.Go(place="tibet"))


@pytest.mark.parametrize("card", box.CAVE_IDS)
def test_every_cave_is_revealed_and_visited_without_a_dead_end(card: str) -> None:
    for state in (_found(card), _at(card, food=2, inventions=("boats",), columns=("a", ""))):
        seen = 0
        while state.turn.seat == 0:
            state = play(state, offered(state)[0])
            seen += 1
            assert seen < 20


def test_hidden_spring() -> None:
    player = _found("hidden_spring").players[0]
    assert (player.bags, player.food) == (1, 2)
    assert play(_at("hidden_spring", bags=2), do.Use()).players[0].food == 3


def test_flint_vein() -> None:
    state = replace(_before("flint_vein", food=2), row=("boats", "gourd", "gourd"))
    after = step(play(state, do.Go(place="tibet")), do.Invent(card="boats"))
    assert (after.state.players[0].food, after.state.players[0].inventions) == (0, ("boats",))
    assert after.reveals
    assert _at("flint_vein", food=1).turn.seat == 1


def test_hearth_hall_is_a_fire() -> None:
    assert _found("hearth_hall").players[0].vp == 1
    state = _at("hearth_hall", held=(0,))
    assert play(state, do.Piece(piece="hare"), do.Done()).players[0].food == 2
    back = tile(put(state, explorers=("indus",)), "deccan", "hut", up=False)
    back = replace(back, turn=replace(back.turn, phase=Phase.MOVE, moved=0))
    assert do.Return(fire="tibet") in offered(play(back, do.Go(place="deccan")))
    assert objective_value(put(state, huts=("gobi",)), 0, "hearths") == 2


def test_old_store_gives_bags_while_there_are_tokens() -> None:
    state = cave(put(begun(3), explorers=("indus",)), "old_store")
    state = tile(replace(state, cave_up=False, bag_tokens=2), "tibet", "cave", up=False)
    state = play(state, do.Go(place="tibet"))
    assert [player.bags for player in state.players] == [1, 1, 0]
    assert state.players[0].food == 2


@pytest.mark.parametrize(
    ("card", "place", "kind", "food"),
    [
        ("generous_land", "namib", "", 2),
        ("lean_winter", "deccan", "", 1),
        ("lean_winter", "namib", "apple", 1),
        ("lean_winter", "deccan", "apple", 2),
        ("wild_orchard", "deccan", "apple", 3),
        ("wild_orchard", "namib", "apple", 2),
    ],
)
def test_food_of_the_land(card: str, place: str, kind: str, food: int) -> None:
    start = "cape" if place == "namib" else "indus"
    state = tile(cave(put(begun(), explorers=(start,), bags=4), card), place, kind)
    assert play(state, do.Go(place=place), do.Food()).players[0].food == food


def test_lean_winter_leaves_foraging() -> None:
    state = tile(cave(_with("foraging_lore"), "lean_winter"), "namib", "")
    state = play(tile(state, "angola", "root"), do.Go(place="namib"))
    assert do.Food() not in offered(state)
    assert do.Forage(place="angola", column="light") in offered(state)
    assert refused(state, do.Food()).code == "no_food_here"


def test_great_herd_adds_up_with_a_smoke_rack() -> None:
    state = tile(cave(_with("smoke_rack", held=(0,), bags=9), "great_herd"), "namib", "fire")
    state = play(state, do.Go(place="namib"), do.Piece(piece="hare"), do.Done())
    assert state.players[0].food == 5


def test_lookout_looks_at_two_and_feeds() -> None:
    state = play(_before("lookout"), do.Go(place="tibet"), do.Use())
    assert state.turn.phase == Phase.LOOK
    state = play(state, do.Name(place="namib"), do.Name(place="gobi"))
    assert offered(state) == [do.Look()]
    assert refused(state, do.Name(place="lena")).code == "enough_named"
    assert refused(state, do.Name(place="alaska")).code == "not_lookable"
    after = step(state, do.Look())
    assert (after.reveals, after.state.players[0].food) == (True, 1)
    assert after.state.players[0].looked == 1 << INDEX["namib"] | 1 << INDEX["gobi"]
    nothing = step(play(_before("lookout"), do.Go(place="tibet"), do.Use()), do.Look())
    assert (nothing.reveals, nothing.state.players[0].food) == (False, 1)
    bare = play(replace(_before("lookout"), down=0), do.Go(place="tibet"), do.Use())
    assert (bare.turn.seat, bare.players[0].food) == (1, 1)


def test_shaman_stone_takes_the_top_ordinary_tile() -> None:
    state = play(_before("shaman_stone", columns=("Sa", "M")), do.Go(place="tibet"))
    assert refused(state, do.Discard(column="dark")).code == "nothing_to_discard"
    state = play(state, do.Discard(column="light"))
    assert (state.players[0].columns, state.players[0].vp) == (("S", "M"), 2)


def test_burial_mound_builds_and_counts() -> None:
    state = play(_before("burial_mound"), do.Go(place="tibet"), do.Build())
    assert (state.turn.phase, state.players[0].food) == (Phase.RETURN, 0)
    assert majorities(state) == (5, 0)
    other = put(_before("burial_mound", food=1), 1, huts=("tibet", "tibet"))
    assert play(other, do.Go(place="tibet")).turn.seat == 1


def test_rival_clans_double_region_two() -> None:
    state = put(_before("rival_clans"), huts=("gobi", "namib"))
    assert majorities(state) == (3, 0)


def test_ice_bridges_carry_everybody() -> None:
    state = _found("ice_bridges", inventions=("boats",))
    assert [player.vp for player in state.players] == [2, 0]
    state = put(replace(state, turn=replace(state.turn, phase=Phase.MOVE)), 1, explorers=("horn",))
    assert do.Go(place="arabia") in offered(state)


def test_long_pilgrimage_once() -> None:
    state = play(_before("long_pilgrimage"), do.Go(place="tibet"), do.Use())
    player = state.players[0]
    assert (player.explorers, player.vp, player.marker) == ((0,), 3, False)


def test_the_council_shows_what_was_not_dealt() -> None:
    state = play(_before("council_of_elders", food=1), do.Go(place="tibet"))
    after = step(state, do.Use())
    state = after.state
    assert (state.turn.phase, state.players[0].food) == (Phase.COUNCIL, 0)
    assert [e.audience for e in after.events if e.kind == "saw_objectives"] == [(0,)]
    mine, theirs = state.players[0].objective, state.undealt[1]
    swapped = step(state, do.Swap(objective=theirs))
    kept = step(state, do.Hold())
    assert swapped.state.players[0].objective == theirs
    assert mine in swapped.state.undealt
    for who in (1, None):
        assert GAME.view(swapped.state, who) == GAME.view(kept.state, who)
        told_to = [[e for e in each.events if e.is_for(who)] for each in (swapped, kept)]
        assert told_to[0] == told_to[1]
    assert refused(state, do.Swap(objective=mine)).code == "not_undealt"


def test_tracking_pack_takes_as_many_as_there_are() -> None:
    state = forest(tile(_before("tracking_pack"), "deccan", "forest"), "deccan", 4)
    state = play(state, do.Go(place="deccan"), do.Hunt())
    assert offered(state) == [do.Keep(pieces=("ibex",))]


def test_a_cave_without_an_action_gives_nothing_f7_15() -> None:
    after = _at("great_herd")
    assert (after.turn.seat, after.players[0].food) == (1, 0)


# Objectives


@pytest.mark.parametrize(
    ("objective", "huts", "points"),
    [
        ("woods", ("namib", "gaul"), 2),
        ("hearths", ("namib", "gaul", "gaul"), 4),
        ("shores", ("angola", "namib", "horn"), 4),
        ("kin", ("namib", "gaul"), 0),
        ("wayfarers", ("namib", "gaul", "gobi", "lena", "maya"), 8),
        ("wayfarers", ("namib", "gaul", "gobi"), 2),
    ],
)
def test_objectives_f11(objective: str, huts: tuple[str, ...], points: int) -> None:
    state = tile(tile(begun(), "kalahari", "forest"), "rhine", "forest", up=False)
    assert objective_value(put(state, huts=huts), 0, objective) == points


def test_objectives_are_told_at_the_end_f14_4() -> None:
    state = put(replace(tile(begun(), "namib", ""), turns_left=0), huts=("gaul",))
    after = step(play(state, do.Go(place="namib")), do.Food())
    (over,) = told(after.events, "over")
    outcome = GAME.outcome(after.state)
    assert outcome is not None
    assert list(outcome.scores) == over["scores"]
    assert over["parts"][0]["objective"] == state.players[0].objective
    assert GAME.view(after.state, None).players[1].objective == state.players[1].objective
    assert GAME.view(state, None).players[1].objective is None

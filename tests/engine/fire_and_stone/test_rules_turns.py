"""Moves, huts, cards and defaults (F§5-F§9, F§16, F§17) that no scenario is about."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import components as box
from engine.fire_and_stone.map import INDEX, NAMES
from engine.fire_and_stone.state import Phase, State
from engine.protocol import Ambiguous
from tests.engine.fire_and_stone.positions import (
    begun,
    cave,
    forest,
    offered,
    play,
    put,
    step,
    tile,
    told,
)
from tests.engine.fire_and_stone.test_properties import MOST_LISTED, _walk


def _default(state: State) -> object:
    return GAME.default(state, state.turn.seat)


def test_15_a_text_has_to_say_which_column_is_emptied_f9_5() -> None:
    state = tile(put(begun(), columns=("a", "n")), "namib", "root")
    with pytest.raises(Ambiguous) as asked:
        GAME.notation.parse(state, 0, "go namib, take root", "en")
    assert asked.value.readings == ("take light", "take dark")


def test_50_no_list_of_choices_is_longer_than_sixty_f16_6() -> None:
    for number, card in enumerate(box.CAVE_IDS[::6]):
        for state in _walk(3 + number, card):
            assert state.turn.phase == Phase.OVER or len(offered(state)) <= MOST_LISTED
    # The longest: all that makes an explorer quick, from the best connected territory.
    quick = ("transport_sled", "boats", "fur_boots")
    state = replace(cave(put(begun(), inventions=quick), "hidden_passage"), track=9)
    lists = [len(offered(put(state, explorers=(name,)))) for name in NAMES]
    assert 40 < max(lists) <= MOST_LISTED


def test_passing_through_reveals_nothing_f5_2() -> None:
    state = tile(tile(begun(), "kalahari", "apple", up=False), "zambezi", "nut")
    after = step(state, do.Go(place="zambezi"))
    assert not after.reveals
    assert after.state.down == state.down
    assert told(after.events, "moved") == [
        {"explorer": 1, "from": "cape", "place": "zambezi", "stayed": False}
    ]
    assert do.Go(place="cape") not in offered(state)


def test_explorers_share_a_territory_f5_5() -> None:
    state = put(tile(put(begun(), 1, explorers=("namib",)), "namib", "apple"), columns=("", ""))
    assert play(state, do.Go(place="namib")).players[0].explorers == (INDEX["namib"],)


def test_the_discoverer_uses_the_tile_at_once_f6_4() -> None:
    state = tile(put(begun(), held=(0,)), "namib", "fire", up=False)
    state = play(state, do.Go(place="namib"))
    assert (state.players[0].vp, state.turn.phase) == (1, Phase.ACTION)
    state = play(state, do.Piece(piece="hare"), do.Done())
    assert (state.players[0].food, state.tiles[INDEX["namib"]]) == (2, box.FIRE)


def test_a_tile_that_is_taken_leaves_empty_land_f7_8() -> None:
    state = play(tile(begun(), "namib", "nut"), do.Go(place="namib"), do.Take(column="dark"))
    assert state.is_empty(INDEX["namib"])
    left = play(tile(begun(), "namib", "nut"), do.Go(place="namib"), do.Food())
    assert left.tiles[INDEX["namib"]] == "n"


def test_a_hut_goes_where_others_live_and_as_often_as_one_likes_f7_11() -> None:
    state = put(tile(put(begun(), food=2), "namib", ""), 1, huts=("namib",))
    state = play(state, do.Go(place="namib"), do.Build())
    assert state.players[0].food == 1
    assert do.Return(fire="cape") in offered(state), "also where the explorer came from"
    again = put(replace(state, turn=begun().turn), explorers=("cape",), food=2)
    assert play(again, do.Go(place="namib"), do.Build()).players[0].food == 0


@pytest.mark.parametrize(
    ("track", "kinds"),
    [
        (0, set()),
        (2, {"region_opened"}),
        (4, {"second_explorers"}),
        (8, {"region_opened"}),
        (10, {"end_triggered"}),
        (11, set()),
    ],
)
def test_thresholds_of_the_hut_track_f8_1(track: int, kinds: set[str]) -> None:
    state = tile(replace(begun(), track=track), "namib", "hut", up=False)
    found = {event.kind for event in step(state, do.Go(place="namib")).events}
    assert found & {"region_opened", "second_explorers", "end_triggered"} == kinds


def _card(state: State) -> State:
    """Asked for the card of a column of apples."""
    state = tile(put(state, columns=("aa", "")), "namib", "apple")
    return play(state, do.Go(place="namib"), do.Take(column="light"))


def test_an_empty_pile_refills_nothing_and_a_card_leaves_no_gap_f9_9() -> None:
    row = ("boats", "gourd", "clay_pots")
    after = step(_card(replace(begun(), row=row, pile=())), do.Invent(card="gourd"))
    assert (after.state.row, after.reveals) == (("boats", "clay_pots"), False)
    after = step(_card(replace(begun(), row=row, pile=("bone_needle",))), do.Invent(card="boats"))
    assert (after.state.row, after.reveals) == (("gourd", "clay_pots", "bone_needle"), True)


def test_covered_inventions_still_block_their_like_f9_10() -> None:
    state = put(begun(), inventions=("boats",), covered=(4,))
    state = _card(replace(state, row=("boats", "gourd", "gourd")))
    assert offered(state) == [do.Invent(card="gourd"), do.Decline()]


def test_a_tunnel_without_a_target_ends_the_move_f12_10() -> None:
    state = replace(cave(put(begun(), explorers=("indus",)), "collapsed_tunnel"), cave_up=False)
    state = tile(replace(state, down=0), "tibet", "cave", up=False)
    after = play(state, do.Go(place="tibet"))
    assert (after.cave, after.turn.seat, after.players[0].food) == ("", 1, 0)
    assert after.players[0].explorers == (INDEX["tibet"],)


def test_an_earthquake_may_be_left_alone_f12_8() -> None:
    state = replace(cave(put(begun(), explorers=("indus",)), "earthquake"), cave_up=False)
    state = play(tile(state, "tibet", "cave", up=False), do.Go(place="tibet"))
    after = step(state, do.Look())
    assert (after.reveals, after.state.turn.seat, after.events) != (True, 0, ())
    assert not told(after.events, "looked")


# The default turn (F§17)


def test_the_default_stays_or_takes_what_is_known_f17_2() -> None:
    assert _default(put(begun(), inventions=("fur_boots",))) == do.Go(place="cape")
    # Two steps away something lies face up; every neighbour is face down.
    known = tile(begun(), "zambezi", "apple")
    assert _default(known) == do.Go(place="zambezi")
    boats = put(replace(begun(), down=0, track=3), explorers=("horn",), inventions=("boats",))
    by_land = _default(boats)
    assert isinstance(by_land, do.Go)
    assert by_land.place != "arabia"
    assert _default(put(begun(), explorers=("cape", "alps"))) == do.Lead(explorer=1)


def test_the_default_gathers_food_and_does_nothing_else_f17_3() -> None:
    tree = play(tile(begun(), "namib", "apple"), do.Go(place="namib"))
    assert _default(tree) == do.Food()
    wood = play(tile(begun(), "namib", "forest"), do.Go(place="namib"))
    assert _default(wood) == do.Pass()
    hunting = play(wood, do.Hunt())
    assert _default(hunting) == do.Keep(pieces=(box.GAME[0].id,))
    fire = play(tile(put(begun(), held=(0, 3)), "namib", "fire"), do.Go(place="namib"))
    assert _default(fire) == do.Pass()
    assert _default(play(fire, do.Piece(piece="deer"))) == do.Done()
    village = tile(put(put(begun(), food=2), 1, huts=("namib",)), "namib", "")
    assert _default(play(village, do.Go(place="namib"))) == do.Pass()


def test_the_default_returns_to_the_nearest_fire_of_the_region_f17_5() -> None:
    state = put(replace(begun(), track=2), inventions=("trail_markers",))
    state = tile(tile(state, "namib", "hut", up=False), "sahara", "fire")
    assert _default(play(state, do.Go(place="namib"))) == do.Return(fire="cape")
    second = play(tile(replace(begun(), track=4), "namib", "hut", up=False), do.Go(place="namib"))
    assert _default(second) == do.Second(fire="cape")


def test_the_default_takes_the_first_legal_card_and_keeps_f17_6() -> None:
    state = put(begun(), inventions=("boats",))
    state = replace(state, row=("boats", "woven_basket", "gourd"), pile=())
    state = _card(state)
    assert _default(state) == do.Invent(card="woven_basket")
    assert _default(play(state, do.Invent(card="woven_basket"))) == do.Hold()
    assert _default(_card(put(replace(begun(), row=("boats",) * 3), inventions=("boats",)))) == (
        do.Decline()
    )


def test_the_default_ends_a_look_and_changes_nothing_f17_7() -> None:
    state = replace(cave(put(begun(), explorers=("indus",)), "earthquake"), cave_up=False)
    state = tile(tile(state, "tibet", "cave", up=False), "gobi", "nut", up=False)
    state = play(state, do.Go(place="tibet"))
    assert _default(state) == do.Look()
    state = play(state, do.Name(place="gobi"))
    assert _default(state) == do.Look()
    assert _default(play(state, do.Look())) == do.Arrange(tiles=("nut",))
    council = cave(put(begun(), explorers=("indus",), food=1), "council_of_elders")
    assert _default(play(council, do.Go(place="tibet"), do.Use())) == do.Hold()
    tunnel = replace(cave(put(begun(), explorers=("indus",)), "collapsed_tunnel"), cave_up=False)
    tunnel = play(tile(tunnel, "tibet", "cave", up=False), do.Go(place="tibet"))
    first = next(place for place in offered(tunnel) if isinstance(place, do.Go))
    assert _default(tunnel) == first


def test_the_default_ranking_is_the_row_f17_8() -> None:
    state = begun(3, starting_inventions=True)
    assert GAME.default(state, 1) == do.Rank(cards=state.starting)


def test_a_hunt_that_all_have_left_is_known_to_its_last_hunter_f15() -> None:
    state = forest(tile(begun(), "namib", "forest"), "namib", 0, 2, 6)
    state = play(state, do.Go(place="namib"), do.Hunt())
    own = GAME.view(state, 0).own
    assert own is not None
    assert own.seen == tuple(box.GAME[n].id for n in (0, 2, 6))
    after = play(state, do.Keep(pieces=("hare",)))
    later = GAME.view(after, 0).own
    assert later is not None
    assert later.seen == (), "it is sent once, with the hunt"
    assert GAME.view(after, 1).forests == GAME.view(after, 0).forests


def test_the_last_tile_of_a_forest_is_kept_unasked_ruling_62() -> None:
    wood = tile(begun(plays_forced=True), "namib", "forest")
    hunted = step(play(forest(wood, "namib", 3), do.Go(place="namib")), do.Hunt())
    assert hunted.reveals
    assert [e.kind for e in hunted.events[:4]] == ["hunted", "shown", "took_game", "kept"]
    assert (hunted.state.players[0].held, hunted.state.turn.seat) == ((3,), 1)
    assert not any(e.audience is None for e in hunted.events if e.kind in ("shown", "kept"))


@pytest.mark.parametrize(("pieces", "forced"), [((0, 0), True), ((0, 3), True), ((3,), False)])
def test_a_keep_that_others_cannot_foresee_is_asked_ruling_62(
    pieces: tuple[int, ...], forced: bool
) -> None:
    wood = tile(begun(plays_forced=forced), "namib", "forest")
    asked = play(forest(wood, "namib", *pieces), do.Go(place="namib"), do.Hunt())
    assert (asked.turn.phase, asked.players[0].held) == (Phase.KEEP, ())


@pytest.mark.parametrize("forced", [True, False])
def test_from_a_hut_tile_one_returns_to_the_only_fire_unasked_ruling_62(forced: bool) -> None:
    state = replace(begun(plays_forced=forced), track=9)
    north = tile(put(state, explorers=("plains",)), "laurentia", "hut", up=False)
    after = play(north, do.Go(place="laurentia"))
    assert after.turn.seat == (1 if forced else 0)
    there = "mississippi" if forced else "laurentia"
    assert after.players[0].explorers == (INDEX[there],)
    two = play(tile(north, "maya", "fire"), do.Go(place="laurentia"))
    assert two.turn.phase == Phase.RETURN

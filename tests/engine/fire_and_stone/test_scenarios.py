"""The scenarios of the rules (F§20), each named by its number and section; plans in test_plans."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.scoring import majorities, objective_value
from engine.fire_and_stone.state import Phase, State
from engine.leaving import Leaving, outcome
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
    turn,
)


def _goes(state: State) -> set[str]:
    return {action.place for action in offered(state) if isinstance(action, do.Go)}


def _returns(state: State) -> set[str]:
    return {action.fire for action in offered(state) if isinstance(action, do.Return)}


def test_01_moves_from_cape_f5_1() -> None:
    assert _goes(begun()) == {"namib", "kalahari", "limpopo", "angola", "zambezi", "swahili"}


def test_02_boats_obey_closed_regions_f5_3() -> None:
    state = put(begun(), explorers=("horn",), inventions=("boats",))
    assert "arabia" not in _goes(state)
    assert refused(state, do.Go(place="arabia")).code == "closed_region"
    assert "arabia" in _goes(replace(state, track=3))


def test_03_covered_boats_are_lost_f9_12() -> None:
    state = put(begun(), explorers=("angola",), inventions=("boats",), covered=(4,))
    # By land Guinea is two steps away, through Congo; the sea route would bring more.
    assert "guinea" in _goes(state)
    assert "atlas" not in _goes(state)
    assert "atlas" in _goes(put(state, covered=(0,)))


def test_04_a_threshold_acts_within_the_turn_f4_3() -> None:
    state = put(begun(), explorers=("indus", "chukotka"))
    state = tile(replace(state, track=8), "deccan", "hut", up=False)
    assert "alaska" not in _goes(play(state, do.Lead(explorer=2)))
    state = play(state, do.Lead(explorer=1), do.Go(place="deccan"))
    state = play(state, do.Return(fire="yellow_river"))
    assert (state.turn.phase, state.turn.explorer) == (Phase.MOVE, 1)
    assert "alaska" in _goes(state)


def test_05_trail_markers_lead_into_a_region_just_opened_f4_4() -> None:
    state = put(begun(), inventions=("trail_markers",))
    state = tile(replace(state, track=2), "namib", "hut", up=False)
    state = play(state, do.Go(place="namib"))
    assert state.track == 3
    assert _returns(state) >= {"cape", "alps", "mesopotamia", "yellow_river"}


def test_06_one_explorer_is_finished_before_the_other_f4_2() -> None:
    state = put(begun(), explorers=("cape", "alps"))
    state = tile(state, "rhine", "apple", up=False)
    state = play(state, do.Lead(explorer=2), do.Go(place="rhine"))
    assert state.turn.phase == Phase.ACTION
    assert refused(state, do.Lead(explorer=1)).code == "not_now"


def test_07_a_cache_gives_a_bag_then_food_f7_14() -> None:
    state = tile(put(begun(), food=2), "namib", "cache", up=False)
    after = play(state, do.Go(place="namib"))
    assert (after.players[0].capacity, after.players[0].food) == (3, 3)
    assert after.tiles[INDEX["namib"]] == "."
    assert after.turn.seat == 1, "no further food, nothing more to do"


def test_08_an_exhausted_forest_gives_nothing_f7_4() -> None:
    state = forest(tile(begun(), "namib", "forest"), "namib")
    after = play(state, do.Go(place="namib"))
    assert (after.turn.seat, after.players[0].food) == (1, 0)
    assert after.tiles[INDEX["namib"]] == "F"


def test_09_a_hunter_must_keep_a_tile_f7_3() -> None:
    state = play(tile(begun(), "namib", "forest"), do.Go(place="namib"), do.Hunt())
    assert state.turn.phase == Phase.KEEP
    assert refused(state, do.Pass()).code == "must_keep"
    assert refused(state, do.Keep(pieces=())).code == "must_keep"
    kept = play(state, do.Keep(pieces=("deer",)))
    assert kept.players[0].held == (3,)
    assert [f.tiles for f in kept.forests] == [(0, 2)]


def test_10_cooking_gives_bags_before_food_f7_5() -> None:
    state = tile(put(begun(), held=(4,)), "namib", "fire")
    state = play(state, do.Go(place="namib"), do.Piece(piece="ibex"), do.Done())
    assert (state.players[0].capacity, state.players[0].food) == (3, 3)
    assert state.players[0].held == ()


def test_11_a_face_down_fire_takes_nobody_f7_6() -> None:
    state = put(replace(begun(), track=3), explorers=("indus",))
    state = tile(tile(state, "deccan", "hut", up=False), "gobi", "fire", up=False)
    state = tile(state, "altai", "fire")
    state = play(state, do.Go(place="deccan"))
    assert "gobi" not in _returns(state)
    assert _returns(state) == {"mesopotamia", "yellow_river", "altai"}
    assert refused(state, do.Return(fire="gobi")).code == "not_a_fire"
    assert refused(state, do.Return(fire="cape")).code == "other_region"


def test_12_a_hut_costs_food_for_each_hut_there_f7_12() -> None:
    state = put(tile(begun(), "namib", ""), 1, huts=("namib", "namib"))
    poor = turn(put(state, food=1, explorers=("namib",)), phase=Phase.ACTION, explorer=0)
    assert refused(poor, do.Build()).context == {"cost": 2, "food": 1}
    assert play(put(state, food=1), do.Go(place="namib")).turn.seat == 1, "nothing can be done"
    built = play(put(state, food=2), do.Go(place="namib"), do.Build())
    assert (built.players[0].food, built.turn.phase) == (0, Phase.RETURN)
    assert built.players[0].huts == (INDEX["namib"],)


def test_13_discounts_add_up_and_stop_at_nothing_f10_5() -> None:
    state = cave(put(begun(), inventions=("mud_bricks",), explorers=("indus",)), "clay_pit")
    state = put(tile(state, "deccan", ""), 1, huts=("deccan", "deccan"))
    built = step(play(state, do.Go(place="deccan")), do.Build())
    assert told(built.events, "hut_built")[0]["cost"] == 0


def test_14_without_huts_a_hut_tile_still_counts_f7_10() -> None:
    state = put(tile(begun(), "namib", "hut", up=False), huts=("gaul",) * 20)
    after = play(state, do.Go(place="namib"))
    assert (after.track, after.is_empty(INDEX["namib"]), after.turn.phase) == (
        1,
        True,
        Phase.RETURN,
    )


def test_15_a_third_kind_needs_a_column_to_be_emptied_f9_5() -> None:
    state = tile(put(begun(), columns=("a", "n")), "namib", "root")
    state = play(state, do.Go(place="namib"))
    assert {a.column for a in offered(state) if isinstance(a, do.Take)} == {"light", "dark"}
    emptied = step(state, do.Take(column="dark"))
    assert emptied.state.players[0].columns == ("a", "r")
    assert told(emptied.events, "column_emptied") == [{"column": "dark", "tiles": ["nut"]}]


def test_16_a_free_column_takes_a_new_kind_f9_2() -> None:
    state = tile(put(begun(), columns=("a", "M")), "namib", "nut")
    state = play(state, do.Go(place="namib"))
    assert refused(state, do.Take(column="light")).code == "wrong_column"
    assert play(state, do.Take(column="dark")).players[0].columns == ("a", "Mn")


def _completed(state: State, column: tuple[str, str] = ("Sa", "")) -> State:
    state = tile(put(state, columns=column), "namib", "apple")
    return play(state, do.Go(place="namib"), do.Take(column="light"))


def test_17_the_third_space_gives_a_card_and_is_discarded_f9_7() -> None:
    state = replace(begun(), row=("boats", "mud_bricks", "woven_basket"))
    state = _completed(state)
    assert (state.turn.phase, state.players[0].columns[0]) == (Phase.CARD, "Saa")
    taken = play(state, do.Invent(card="boats"))
    assert taken.players[0].inventions == ("boats",)
    assert taken.players[0].columns == ("", "")
    assert len(taken.row) == 3


def test_18_with_the_option_the_second_space_gives_a_card_too_f9_7() -> None:
    state = replace(begun(card_spaces=(2, 3)), row=("boats", "mud_bricks", "woven_basket"))
    state = _completed(state, ("S", ""))
    assert state.turn.phase == Phase.CARD
    assert play(state, do.Invent(card="boats")).players[0].columns == ("Sa", "")
    assert _completed(begun(), ("S", "")).turn.seat == 1


def test_19_without_a_legal_card_the_column_is_still_discarded_f9_8() -> None:
    own = ("boats", "mud_bricks", "gourd")
    state = put(replace(begun(), row=own), inventions=own, covered=(4, 4, 4))
    state = _completed(state)
    assert (state.turn.seat, state.players[0].columns) == (1, ("", ""))


def test_20_covered_pots_spill_f10() -> None:
    state = put(begun(), inventions=("clay_pots",), food=4)
    state = _completed(state)
    assert play(state, do.Score(covers="clay_pots")).players[0].food == 2


def test_21_pots_hold_their_own_food_f10_1() -> None:
    state = replace(put(begun(), food=2), row=("clay_pots", "boats", "gourd"))
    assert play(_completed(state), do.Invent(card="clay_pots")).players[0].food == 4


def test_22_the_net_gives_food_by_actions_on_a_shore_f10_6() -> None:
    state = put(begun(), inventions=("fishing_net",), bags=3)
    apple = play(tile(state, "angola", "apple"), do.Go(place="angola"), do.Food())
    assert apple.players[0].food == 3
    cache = play(tile(state, "angola", "cache", up=False), do.Go(place="angola"))
    assert cache.players[0].food == 1


def test_23_a_basket_taken_with_the_column_keeps_a_tile_f10_7() -> None:
    state = replace(begun(), row=("woven_basket", "boats", "gourd"), pile=())
    state = play(_completed(state), do.Invent(card="woven_basket"))
    assert offered(state) == [do.Hold(), do.Drop()]
    assert play(state, do.Hold()).players[0].columns == ("a", "")
    assert play(state, do.Drop()).players[0].columns == ("", "")


def test_24_a_spear_counts_each_tile_f10_8() -> None:
    state = cave(
        put(begun(), inventions=("throwing_spear",), explorers=("indus",)), "tracking_pack"
    )
    state = play(tile(state, "deccan", "forest"), do.Go(place="deccan"), do.Hunt())
    assert len(offered(state)) == 6
    kept = play(state, do.Keep(pieces=("hare", "boar")))
    assert (kept.players[0].food, kept.players[0].held) == (2, (0, 2))


def _at_cave(card: str, **fields: Any) -> State:
    return cave(put(begun(), explorers=("indus",), **fields), card)


def test_25_eden_needs_room_for_all_its_food_f12_7() -> None:
    state = put(_at_cave("garden_of_eden", food=1), 1, huts=("tibet", "tibet"))
    assert play(state, do.Go(place="tibet")).turn.seat == 1
    assert refused(_arrived(state), do.Build()).code == "no_space"
    built = play(put(state, food=0), do.Go(place="tibet"), do.Build())
    assert (built.players[0].food, built.turn.phase) == (2, Phase.RETURN)
    assert _returns(built) == {"mesopotamia", "yellow_river"}


def _arrived(state: State, place: str = "tibet") -> State:
    return turn(put(state, explorers=(place,)), phase=Phase.ACTION, explorer=0)


def test_26_eden_takes_the_first_hut_for_nothing_f12_7() -> None:
    built = play(_at_cave("garden_of_eden", food=2), do.Go(place="tibet"), do.Build())
    assert (built.players[0].food, built.players[0].huts) == (2, (INDEX["tibet"],))


def test_27_painted_walls_once_for_each_player_f12_4() -> None:
    state = play(_at_cave("painted_walls"), do.Go(place="tibet"), do.Use())
    assert (state.players[0].vp, state.players[0].marker) == (2, False)
    again = turn(put(state, explorers=("indus",)), seat=0, phase=Phase.MOVE, explorer=0, moved=0)
    assert refused(_arrived(again), do.Use()).code == "marker_used"
    assert play(again, do.Go(place="tibet")).turn.seat == 1
    other = put(state, 1, explorers=("indus",))
    assert play(other, do.Go(place="tibet"), do.Use()).players[1].vp == 2


def test_28_tribute_goes_to_the_holder_as_far_as_it_fits_f12() -> None:
    state = cave(put(begun(3), explorers=("indus",), food=3, bags=1), "tribute")
    state = put(
        put(tile(state, "deccan", ""), 1, huts=("deccan",) * 2, food=1), 2, huts=("deccan",)
    )
    built = step(play(state, do.Go(place="deccan")), do.Build())
    assert (built.state.players[0].food, built.state.players[1].food) == (0, 2)
    assert told(built.events, "food") == [{"by": "tribute", "gained": 1, "lost": 2}]


def test_29_the_passage_leads_to_printed_fires_in_open_regions_f12() -> None:
    state = put(_at_cave("hidden_passage"), explorers=("tibet",))
    assert "cape" in _goes(state)
    assert "mississippi" not in _goes(state)
    assert "tibet" in _goes(put(state, explorers=("cape",)))


def test_30_a_barter_needs_another_card_f12_9() -> None:
    state = _at_cave("barter_stone", inventions=("boats", "mud_bricks"))
    state = replace(state, row=("boats", "mud_bricks", "boats"))
    assert play(state, do.Go(place="tibet")).turn.seat == 1
    swap = do.Barter(given="boats", taken="boats")
    assert refused(_arrived(state), swap).code == "no_barter"
    state = replace(state, row=("clay_pots", "boats", "boats"), pile=())
    after = step(play(state, do.Go(place="tibet")), do.Barter(given="boats", taken="clay_pots"))
    assert after.state.players[0].inventions == ("mud_bricks", "clay_pots")
    assert after.state.row == ("boats", "boats", "boats"), "the card returned refills the row"
    assert not after.reveals


def test_31_a_tunnel_leads_to_a_tile_face_down_f12_10() -> None:
    state = replace(_at_cave("collapsed_tunnel"), cave_up=False)
    state = tile(tile(state, "tibet", "cave", up=False), "volga", "hut", up=False)
    state = play(state, do.Go(place="tibet"))
    assert (state.turn.phase, state.cave, state.tiles[INDEX["tibet"]]) == (Phase.TUNNEL, "", ".")
    assert not {"alaska", "plains"} & _goes(state)
    state = play(state, do.Go(place="volga"))
    assert state.players[0].huts == (INDEX["volga"],)
    assert _returns(state) == {"cape", "alps"}


def test_32_others_place_their_second_explorer_first_thing_f8_5() -> None:
    state = tile(replace(begun(), track=4), "namib", "hut", up=False)
    state = tile(state, "rhine", "fire", up=False)
    state = play(state, do.Go(place="namib"))
    assert state.turn.phase == Phase.SECOND
    state = play(state, do.Second(fire="alps"), do.Return(fire="cape"))
    assert state.turn.explorer == 1
    state = play(state, do.Go(place="rhine"))
    assert (state.turn.seat, state.turn.phase) == (1, Phase.SECOND)
    assert offered(state) == [do.Second(fire="cape"), do.Second(fire="alps")]
    assert play(state, do.Second(fire="alps")).turn.phase == Phase.MOVE


def test_33_turns_after_the_trigger_f13_2() -> None:
    state = tile(replace(begun(3), track=10), "namib", "hut", up=False)
    state = play(state, do.Go(place="namib"), do.Return(fire="cape"))
    state = put(state, 2, huts=("gaul",) * 19)
    seats: list[tuple[int, int]] = []
    while not GAME.outcome(state):
        if not seats or seats[-1][0] != state.turn.number:
            seats.append((state.turn.number, state.turn.seat))
        state = play(state, GAME.default(state, state.turn.seat))
    assert [seat for _, seat in seats] == [1, 2, 0, 1, 2]


def test_33_a_last_hut_triggers_the_end_and_later_triggers_do_not_f13_1() -> None:
    state = put(tile(begun(), "namib", "hut", up=False), huts=("gaul",) * 19)
    state = play(state, do.Go(place="namib"), do.Return(fire="cape"))
    assert (state.turns_left, state.ended_by) == (2, 0)
    state = tile(replace(state, track=10), "kalahari", "hut", up=False)
    state = play(state, do.Go(place="kalahari"), do.Return(fire="cape"))
    assert (state.turns_left, state.ended_by) == (1, 0)


def test_34_a_tie_has_no_majority_f14_2() -> None:
    state = begun(3)
    for seat, number in enumerate((2, 2, 1)):
        state = put(state, seat, huts=("namib",) * number, objective="kin")
    assert majorities(state) == (0, 0, 0)
    assert GAME.scores(state) == (2, 2, 1)
    assert majorities(put(state, 1, huts=("namib",))) == (1, 0, 0)


def test_35_an_objective_gives_ten_points_at_most_f11_2() -> None:
    state = put(begun(), huts=("namib", "kalahari", "angola", "zambezi"), objective="kin")
    assert objective_value(state, 0, "kin") == 10
    assert objective_value(put(state, huts=("namib", "kalahari")), 0, "kin") == 6


def test_37_the_default_walks_to_the_first_neighbour_f17_2() -> None:
    state = begun()
    assert GAME.default(state, 0) == do.Go(place="namib")
    assert step(state, do.Go(place="namib")).reveals


def test_38_who_ties_for_most_points_shares_the_win_f14_4() -> None:
    state = replace(put(put(begun(), huts=(), vp=7, objective="kin"), 1, vp=7, objective="woods"))
    state = replace(state, turns_left=0)
    state = play(tile(state, "namib", ""), do.Go(place="namib"), do.Pass())
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((0, 1), (7, 7))


def test_objectives_count_where_a_match_ends_because_players_left_f14_1() -> None:
    """Ruling 72: the game ends there, and what is secret no longer is."""
    state = put(begun(), huts=("angola",), vp=3, objective="shores")
    state = put(state, 1, huts=("namib",), vp=4, objective="kin")
    dropped = [Leaving(seat=1, why="dropped", after=0)]
    ended = outcome(GAME, state, dropped, over=True)
    assert ended is not None
    # A hut, its majority, and for Angola the shore.
    assert (ended.scores, ended.winners) == ((3 + 1 + 1 + 2, 4 + 1 + 1), (0,))
    assert GAME.view(state, None).players[0].objective is None


def test_39_rankings_are_resolved_in_choosing_order_f3_13() -> None:
    state = replace(
        begun(3, starting_inventions=True), starting=("gourd", "fur_boots", "throwing_spear")
    )
    lists = {
        1: ("gourd", "throwing_spear", "fur_boots"),
        2: ("gourd", "fur_boots", "throwing_spear"),
        0: ("gourd", "throwing_spear", "fur_boots"),
    }
    for seat, cards in lists.items():
        made = GAME.apply(state, seat, do.Rank(cards=cards), None)  # type: ignore[arg-type]
        public = [event.kind for event in made.events if event.is_for(None)]
        assert "ranked" not in public
        state = made.state
    assert [player.inventions[0] for player in state.players] == [
        "fur_boots",
        "throwing_spear",
        "gourd",
    ]
    assert state.players[1].food == 1
    assert (state.turn.number, state.turn.seat) == (1, 0)


def test_40_earthquake_names_one_after_the_other_f12_8() -> None:
    state = replace(_at_cave("earthquake"), cave_up=False)
    state = tile(state, "tibet", "cave", up=False)
    state = tile(tile(state, "gobi", "nut", up=False), "lena", "hut", up=False)
    state = play(state, do.Go(place="tibet"), do.Name(place="gobi"), do.Name(place="lena"))
    assert refused(state, do.Name(place="gobi")).code == "named_already"
    assert not play(state, do.Name(place="amur")).players[0].looked
    looked = step(state, do.Look())
    assert looked.reveals
    assert told(looked.events, "saw") == [{"tiles": {"gobi": "nut", "lena": "hut"}}]
    assert [e.audience for e in looked.events if e.kind == "saw"] == [(0,)]
    state = looked.state
    assert refused(state, do.Name(place="amur")).code == "not_now"
    assert len(offered(state)) == 2
    state = play(state, do.Arrange(tiles=("hut", "nut")))
    assert state.tiles[INDEX["gobi"]] + state.tiles[INDEX["lena"]] == "hn"
    own = GAME.view(state, 0).own
    assert own is not None
    assert own.looked == {"gobi": "hut", "lena": "nut"}


def test_41_pieces_are_named_in_any_order_f7_5() -> None:
    state = tile(put(begun(), held=(3, 3, 6), bags=2), "namib", "fire")
    state = play(state, do.Go(place="namib"))
    assert offered(state) == [do.Piece(piece="deer"), do.Piece(piece="bear"), do.Pass()]
    one = play(state, do.Piece(piece="deer"), do.Piece(piece="bear"), do.Done())
    other = play(state, do.Piece(piece="bear"), do.Piece(piece="deer"), do.Done())
    assert one == other
    for text in ("cook bear deer", "cook deer bear"):
        actions = GAME.notation.parse(state, 0, text, "en")
        assert play(state, *actions) == one


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_42_defaults_alone_reveal_one_tile_and_trigger_nothing_f17_9(seats: int) -> None:
    state = begun(seats)
    down = state.down.bit_count()
    longest = begun_at = 0
    number, commands = 1, 0
    for _ in range(400):
        state = play(state, GAME.default(state, state.turn.seat))
        commands += 1
        if state.turn.number != number:
            longest, begun_at = max(longest, commands), 0
            number, commands = state.turn.number, begun_at
    assert down - state.down.bit_count() == 1
    assert (state.turns_left, longest <= 12) == (-1, True)


def test_ember_carrier_cooks_at_the_fire_reached_f10_10() -> None:
    state = put(begun(), inventions=("ember_carrier",), held=(0,))
    state = tile(state, "namib", "hut", up=False)
    state = play(state, do.Go(place="namib"), do.Return(fire="alps"))
    assert state.turn.phase == Phase.EMBER
    assert play(state, do.Piece(piece="hare"), do.Done()).players[0].food == 2
    assert play(state, do.Pass()).turn.seat == 1

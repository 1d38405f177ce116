"""Set-up, the marker of seasons, draws of tricks, re-entry, who is asked (M§3, M§4, M§15)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.chance import SeededChance, seed_of_number
from engine.mammoths import flow, seasons
from engine.mammoths.actions import Beaters, Done, Move, Place, Reenter
from engine.mammoths.dawn import dawn
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.herds import move_herds
from engine.mammoths.state import Options, State
from engine.protocol import Asks
from tests.engine.mammoths.positions import (
    A,
    B,
    C,
    Rolls,
    camps,
    herds,
    of_kind,
    pawns,
    play,
    position,
    run,
)


def _started(seats: int, options: Options, *wishes: Place) -> State:
    state = MAMMOTHS.setup(seats, options, SeededChance(seed_of_number(4))).state
    for seat in range(seats):
        wish = wishes[seat] if seat < len(wishes) else Place(hexes=())
        state = flow.apply(state, seat, wish, Rolls(counter=[0] * 6)).state
    return state


def test_m3_5_wish_lists_are_applied_in_order() -> None:
    start = MAMMOTHS.setup(2, Options(board=1), SeededChance(seed_of_number(4))).state
    first, second = start.order
    sealed = play(start, second, Place(hexes=(33, 34), sow=False))
    mine = next(d for d in flow.decisions(sealed) if d.seat == second and d.kind == "setup")
    assert (mine.id, mine.asks) == (f"0.setup.{second}", Asks.MAY)
    changed = play(sealed, second, Place(hexes=(33, 34)))
    state = play(changed, first, Place(hexes=(33,)))
    assert camps(state) == {33: first, 34: second}
    assert [field.hex for field in state.fields if field.hex == 33] in ([33], [])
    assert {len(tribe.hand) for tribe in state.tribes} == {5}
    assert sorted(sum(pawns(state)[at, seat]) for at, seat in pawns(state)) == [7, 7]
    food = {seat: state.tribes[seat].food for seat in (first, second)}
    assert food == {first: 11, second: 12}


def test_m3_5_by_default_forest_on_water_and_a_field_on_plain() -> None:
    state = _started(6, Options(board=1, beginner_food=True))
    terrains = sorted(state.map.places[camp.hex].terrain for camp in state.camps)
    assert terrains.count("forest") >= 4
    assert {len(tribe.hand) for tribe in state.tribes} == {4}
    assert all(tribe.food in (14, 15) for tribe in state.tribes)


def test_m3_2_a_wish_beside_another_camp_is_passed_over() -> None:
    start = MAMMOTHS.setup(2, Options(board=1), SeededChance(seed_of_number(4))).state
    first, second = start.order
    state = play(play(start, first, Place(hexes=(31,))), second, Place(hexes=(32, 21, 45)))
    assert camps(state) == {31: first, 45: second}


def test_m4_1_the_marker_turns_and_ends_what_lasts() -> None:
    at = position({(31, A): (1, 1), (71, B): (1, 1)}, number=3, lasting=("S08",), lengthened=True)
    at = replace(at, first_year=True)
    winter = run(at, seasons.rest_of_turn).state
    assert (winter.season, winter.number, winter.turn) == ("winter", 1, 11)
    assert (winter.lasting, winter.lengthened, winter.first_year) == ((), False, True)
    last = run(replace(at, season="winter", held=True), seasons.rest_of_turn).state
    assert (last.season, last.number, last.first_year) == ("winter", 3, True)
    spring = run(replace(at, season="winter"), seasons.rest_of_turn).state
    assert (spring.season, spring.number, spring.first_year) == ("summer", 1, False)


def test_m4_4_a_short_pile_takes_the_discards_in_first() -> None:
    at = position({(31, A): (1, 1), (71, B): (1, 1)}, number=3)
    at = replace(at, deck=("T01",), discards=("T02", "T03"))
    table = run(at, seasons.rest_of_turn)
    assert [tribe.hand for tribe in table.tribes] == [("T01",), ("T02",)]
    assert (table.state.deck, table.state.discards) == (("T03",), ())
    short = run(replace(at, discards=()), seasons.rest_of_turn)
    assert [tribe.hand for tribe in short.tribes] == [("T01",), ()]


def test_m8_1_the_others_follow_clockwise() -> None:
    at = position({(31, A): (1, 1), (71, B): (3, 1), (36, C): (1, 1)}, seats=3, seating=(C, B, A))
    assert run(at, flow._set_order).state.order == (B, A, C)
    tied = position({(31, A): (1, 1), (71, B): (1, 1)})
    table = run(tied, flow._set_order, Rolls(first=[1]))
    assert table.state.order == (B, A)
    assert of_kind(table.events, "order_set")[0].data["by_lot"] == (A, B)


def test_m15_3_re_entry_by_wish_by_default_and_later() -> None:
    there = {(33, A): (2, 2), (56, C): (2, 2)}
    due = {B: {"status": "due", "due": 10}}
    at = position(there, seats=3, tribes=due, bag=("",) * 6, herds={(71, "wolf"): 1})
    assert (11, B) in pawns(run(at, dawn)) or (14, B) in pawns(run(at, dawn))
    wished = replace(at.tribes[B], orders=(Reenter(hexes=(71, 72)),))
    asked = replace(at, tribes=(at.tribes[A], wished, at.tribes[C]))
    assert pawns(run(asked, dawn))[72, B] == (3, 1)
    crowd = {(h, ("wolf", "bear")[n % 2]): 1 for n, h in enumerate(at.map.border)}
    full = position(there, seats=3, tribes=due, herds=crowd)
    waiting = run(replace(full, bag=("",) * 6, piles=(("S11",), ())), dawn)
    assert of_kind(waiting.events, "reentry_waits")[0].notify == (B,)
    assert waiting.tribes[B].status == "due"


def test_m15_3_cards_of_who_comes_back_count_from_the_move_on() -> None:
    north = Beaters(species=("wolf",), direction=0)
    at = position({(72, A): (1, 1), (71, B): (1, 1)}, herds={(35, "wolf"): 1}, turn=10)
    tribe = replace(at.tribes[A], hand=("T11",), orders=(north,))
    back = replace(at, tribes=(replace(tribe, back=10), at.tribes[B]))
    assert herds(run(back, move_herds, Rolls(direction=[4]))) == {(36, "wolf"): 1}
    stayed = replace(at, tribes=(tribe, at.tribes[B]))
    assert herds(run(stayed, move_herds, Rolls(direction=[4]))) == {(34, "wolf"): 1}


def test_m15_6_who_is_due_keeps_the_game_going() -> None:
    at = position({(31, A): (1, 1)}, tribes={B: {"status": "due", "due": 11}})
    table = run(at, lambda table: table.check_end())
    assert table.state.phase == "move"
    alone = run(position({(31, A): (1, 1)}), lambda table: table.check_end())
    assert (alone.state.winners, alone.state.termination) == ((A,), "last_tribe")


def test_m19_8_who_has_no_line_and_no_card_is_passed_over() -> None:
    shut = dict.fromkeys((21, 22, 12), "burn")
    at = position({(35, A): (1, 1), (11, B): (1, 0)}, closed=shut, hands={A: ["T01"]})
    after = flow.apply(at, A, Done(), Rolls())
    done = of_kind(after.events, "move_done")
    assert [(event.seat, event.data["skipped"]) for event in done] == [(A, False), (B, True)]
    holding = replace(at, tribes=(at.tribes[A], replace(at.tribes[B], hand=("T09",))))
    asked = play(holding, A, Done())
    assert (asked.to_move, asked.turn) == (B, 10)


def test_m8_2_what_is_done_is_told_before_what_follows() -> None:
    at = position({(35, A): (2, 1), (71, B): (1, 1)}, hands={B: ["T01"]})
    step = flow.apply(play(at, A, Move(w=1, f=0, path=(35, 36))), A, Done(), Rolls())
    assert step.reveals
    assert step.state_before_reveal is not None
    told = [event.kind for event in step.events]
    assert told[: step.events_before_reveal] == ["move_done"]
    assert told[step.events_before_reveal :] == ["move_began"]

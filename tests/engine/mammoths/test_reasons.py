"""Why suggestions of the valley are worth it (engine/mammoths/reasons.py)."""

from __future__ import annotations

import msgspec

from engine.mammoths import actions as do
from engine.mammoths.components import board
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.presentation.valley import standing
from engine.mammoths.reasons import Fight, Home, Move, Reason, reasons
from engine.mammoths.state import Own, State
from tests.engine.mammoths.matches import played
from tests.engine.mammoths.positions import A, B, position

DONE = do.Done()


def reason(state: State, *actions: do.Action) -> Reason | None:
    (found,) = reasons(state, A, [actions])
    return found


def led(w: int, f: int, *path: int) -> do.Action:
    return do.Move(w=w, f=f, path=path)


AT = position(
    {(46, A): (4, 2), (24, B): (3, 1), (13, B): (1, 0)},
    camps={46: A, 24: B},
    herds={(24, "bison"): 1},
)


def test_m10_an_attack_names_the_tribe_its_camp_and_the_herd() -> None:
    found = reason(AT, led(4, 1, 46, 35, 24), DONE)
    assert isinstance(found, Move)
    assert found.attacks == ((24, B, 3, 1, True),)
    assert found.hunts == ((24, "bison", 1),)
    assert (found.sites, found.given_up) == ((), ())


def test_m9_1_a_pair_on_a_free_hex_may_found_next_turn() -> None:
    found = reason(AT, led(1, 1, 46, 47), DONE)
    assert isinstance(found, Move)
    assert (found.sites, found.attacks, found.camps) == ((47,), (), 0)
    assert reason(AT, led(2, 0, 46, 47), DONE) is None


def test_m9_1_a_camp_that_is_founded_is_counted() -> None:
    pair = position({(46, A): (1, 1), (35, A): (1, 1), (13, B): (1, 1)}, camps={46: A})
    assert reason(pair, do.Found(hex=35), DONE) == Move(camps=2)


def test_m11_1_m8_6_food_is_that_of_this_turn_and_a_camp_without_a_woman_is_given_up() -> None:
    """In summer a forest is one food more; nobody is left by the river who gives it up."""
    assert reason(AT, led(1, 0, 46, 36), DONE) == Move(food=1)
    assert reason(AT, led(4, 2, 46, 47), DONE) == Move(sites=(47,), given_up=(46,), food=-1)


def test_m4_4_a_first_camp_is_told_by_its_ground() -> None:
    state = position({(46, A): (1, 1)})
    places = board(1).places
    for at in state.map.land:
        found = reason(state, do.Place(hexes=(at, 13)))
        assert isinstance(found, Home)
        place = places[at]
        assert (found.terrain, found.others) == (place.terrain, (13,))
        assert found.water == (place.lakeside or bool(place.rivers))
        assert found.forests <= len(place.neighbours) >= found.fish


def test_m19_4_sealed_orders_name_their_cards_or_how_many_stand() -> None:
    sealed = do.Answer(orders=(do.CombatCard(title="T09", trigger="start"),))
    assert reason(AT, sealed) == Fight(cards=("T09",), standing=0)
    ordered = position({(46, A): (1, 1)}, orders={A: [do.Feast(at=46, sex="f")]})
    assert reason(ordered, do.Answer()) == Fight(cards=(), standing=1)


def test_nothing_is_said_of_who_moves_nobody() -> None:
    assert reasons(AT, A, [(DONE,), (do.Place(hexes=()),)]) == [None, None]


def test_m18_2_reasons_are_of_what_lies_open() -> None:
    """Cards, orders and plans of others change no reason, and no reason names what is unseen."""
    match = played(3, ["greedy"], 11)
    told = 0
    for state in (each.state for each in match.positions[:120]):
        for decision in (d for d in MAMMOTHS.decisions(state) if d.blocks):
            seat = decision.seat
            offered = MAMMOTHS.suggestions(state, seat, 3)
            found = reasons(state, seat, offered)
            guessed = reasons(hidden(state, seat), seat, offered)
            assert found == guessed
            told += sum(why is not None for why in found)
            for why in found:
                if isinstance(why, Move):
                    seen = standing(msgspec.to_builtins(MAMMOTHS.view(state, seat)))
                    assert all(at in seen for at, *_ in why.attacks + why.hunts)
    assert told > 20


def hidden(state: State, seat: int) -> State:
    """The position with the hands, orders and plans of all others gone."""
    tribes = tuple(
        tribe if number == seat
        else msgspec.structs.replace(tribe, **msgspec.structs.asdict(Own()))
        for number, tribe in enumerate(state.tribes)
    )  # fmt: skip
    return msgspec.structs.replace(state, tribes=tribes)

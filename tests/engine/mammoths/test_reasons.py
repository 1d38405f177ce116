"""Why suggestions of the valley are worth it (engine/mammoths/reasons.py)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import msgspec

from engine.mammoths import actions as do
from engine.mammoths.battles import Battle, Side
from engine.mammoths.choices import of_orders
from engine.mammoths.components import board
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.presentation import MammothsPresentation
from engine.mammoths.presentation.valley import standing
from engine.mammoths.reasons import Fight, Home, Move, Reason, home, ideas, reasons
from engine.mammoths.state import Own, State
from engine.mammoths.view import view
from tests.engine.mammoths.matches import played
from tests.engine.mammoths.positions import A, B, C, position

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
    assert found.site == home(board(1), 47, (46,)), "what is good about it"
    alone = reason(AT, led(2, 0, 46, 47), DONE)
    assert isinstance(alone, Move)
    assert (alone.sites, alone.occupied, alone.cost) == ((), (47,), 6)
    waiting = position({(46, A): (2, 2), (35, A): (1, 0), (13, B): (1, 1)}, camps={46: A})
    joined = reason(waiting, led(0, 1, 46, 35), DONE)
    assert isinstance(joined, Move)
    assert (joined.sites, joined.occupied) == ((35,), ())


def test_m11_1_food_beside_a_camp_to_come_is_of_hexes_that_nobody_holds() -> None:
    """M§11.1: a hex feeds one tribe, once; who holds it has that food already, or another has."""
    near = [at for at in board(1).places[46].neighbours if at in board(1).land]
    camp, rival, *rest = [at for at in near if not board(1).river_between(46, at)]
    state = position({(camp, A): (2, 2), (rival, B): (1, 1), (13, B): (1, 1)}, camps={camp: A})
    found = reason(state, led(1, 1, camp, 46), DONE)
    assert isinstance(found, Move)
    assert found.site == home(board(1), 46, (camp, rival))
    assert found.site.ways == len(rest)
    assert found.site.near == sum(home(board(1), at).food for at in rest)
    seen = msgspec.to_builtins(view(state, A))
    assert MammothsPresentation().home(seen, 46) == found.site, "a plan's too"


def test_m9_1_a_camp_that_is_founded_is_counted() -> None:
    pair = position({(46, A): (1, 1), (35, A): (1, 1), (13, B): (1, 1)}, camps={46: A})
    found = reason(pair, do.Found(hex=35), DONE)
    assert isinstance(found, Move)
    assert (found.founded, found.camps) == ((35,), 2)
    quick = msgspec.structs.replace(
        AT, tribes=(msgspec.structs.replace(AT.tribes[0], hand=("T19",)), AT.tribes[1])
    )
    found = reason(quick, led(1, 1, 46, 47), do.Card(title="T19", hexes=(47,)), DONE)
    assert isinstance(found, Move)
    assert (found.founded, found.camps, found.sites, found.occupied) == ((47,), 2, (), ())


def test_m15_4_a_move_tells_the_race_where_a_tribe_may_win_by_camps() -> None:
    """The tribe itself first; nothing while nobody has four."""
    camps = {46: B, 13: B, 24: B, 35: A}
    there = dict.fromkeys({**camps, 57: B}.items(), (1, 1))
    near = reason(position(there, camps={**camps, 57: B}), DONE)
    assert isinstance(near, Move)
    assert [(each[:3], each[4]) for each in near.race] == [((A, 1, 2), 1), ((B, 4, 8), 4)]
    food = [tribe.all_food for tribe in position(there).tribes[:2]]
    assert [each[3] for each in near.race] == food
    far = reason(position(there, camps=camps), DONE)
    assert isinstance(far, Move)
    assert far.race == ()


def test_m10_10_the_race_says_what_the_fights_can_change() -> None:
    """A camp is taken where a woman can stay, else burnt down; one given up counts no more."""
    camps = {13: B, 24: B, 57: B, 64: B, 46: A, 22: A}
    there = {**dict.fromkeys([(at, B) for at in (13, 24, 57, 64)], (0, 1)), (46, A): (3, 1),
             (22, A): (0, 1)}  # fmt: skip
    state = position(there, camps=camps)
    for women, won in ((0, 2), (1, 2)):
        found = reason(state, led(2, women, 46, 35, 24), DONE)
        assert isinstance(found, Move)
        held = [(*each[:3], each[4]) for each in found.race]
        assert held == [(A, 2 - women, 5, won), (B, 4, 4, 3)], women


def test_m9_1_a_move_says_where_it_leaves_a_camp_unfounded() -> None:
    pair = position({(46, A): (1, 1), (35, A): (1, 1), (13, B): (1, 1)}, camps={46: A})
    for actions, bare in (((DONE,), (35,)), ((do.Found(hex=35), DONE), ())):
        found = reason(pair, *actions)
        assert isinstance(found, Move)
        assert found.left_bare == bare


def test_m11_1_m8_6_food_is_that_of_this_turn_and_a_camp_without_a_woman_is_given_up() -> None:
    """In summer a forest is one food more; nobody is left by the river who gives it up."""
    one, all_of_them = reason(AT, led(1, 0, 46, 36), DONE), reason(AT, led(4, 2, 46, 47), DONE)
    assert isinstance(one, Move)
    assert isinstance(all_of_them, Move)
    assert one == Move(occupied=(36,), has=one.has, cost=6, give=2, forests=1, more=1)
    assert all_of_them == Move(
        sites=(47,), site=all_of_them.site, given_up=(46,), has=one.has, cost=6, more=-1
    )


def test_m4_4_a_first_camp_is_told_by_its_ground() -> None:
    state = position({(46, A): (1, 1)})
    places = board(1).places
    for at in state.map.land:
        found = reason(state, do.Place(hexes=(at, 13)))
        assert isinstance(found, Home)
        place = places[at]
        assert (found.terrain, found.others) == (place.terrain, (13,))
        assert found.water == (place.lakeside or bool(place.rivers))
        assert found.food == found.water + (place.terrain == "forest")
        near = set(place.neighbours) & set(state.map.land)
        assert found.ways == len([n for n in near if not state.map.river_between(at, n)])


def test_m4_4_first_camps_stand_in_the_order_of_what_feeds_them() -> None:
    """Nobody gets over a river for it, and of two the one that no lava reaches comes first."""
    advice = MAMMOTHS.suggestions(position({}, phase="setup"), A, 6)
    homes = [why for why in reasons(position({}), A, advice) if isinstance(why, Home)]
    ranks = [(-each.food, -each.near, each.lava) for each in homes]
    assert ranks == sorted(ranks)
    assert [(each.food, each.near) for each in homes[:3]] == [(2, 3), (2, 3), (2, 2)]
    first = [each.hexes[0] for actions in advice for each in actions if isinstance(each, do.Place)]
    assert first[:2] == [34, 23]
    assert [each.lava for each in homes[:2]] == [False, True]


def test_m19_4_sealed_orders_name_their_cards_or_how_many_stand() -> None:
    sealed = do.Answer(orders=(do.CombatCard(title="T09", trigger="start"),))
    assert reason(AT, sealed) == Fight(cards=("T09",), standing=0)
    ordered = position({(46, A): (1, 1)}, orders={A: [do.Feast(at=46, sex="f")]})
    assert reason(ordered, do.Answer()) == Fight(cards=(), standing=1, alone=True)
    fall = do.Answer(orders=(do.Loss(at=46, letters="f"),))
    assert reason(AT, fall) == Fight(cards=(), standing=0, losses=True, alone=True)


def test_m11_who_moves_nobody_is_told_what_they_eat() -> None:
    stay, nowhere = reasons(AT, A, [(DONE,), (do.Place(hexes=()),)])
    assert isinstance(stay, Move)
    assert stay == Move(has=stay.has, cost=6, give=1)
    assert nowhere is None


def test_m10_a_fight_that_stands_already_is_foreseen_with_its_dice() -> None:
    """Whoever leaves a woman alone with a beast is told before."""
    met = position({(24, A): (2, 1), (46, B): (1, 1)}, camps={46: B}, herds={(24, "rhino"): 1})
    stay, leave = (
        why.fights
        for why in reasons(met, A, [(DONE,), (led(2, 0, 24, 35), DONE)])
        if isinstance(why, Move)
    )
    own = Side(seat=A, w=2, f=1, bonus=2)
    assert stay == (
        Battle(hex=24, own=own, rivals=(), herds=(("rhino", 1, 1),), camp=None, food=5, chance=92),
    )
    assert [(each.own.w, each.own.f, each.own.bonus) for each in leave] == [(0, 1, 0)]


def test_m10_4_a_rival_is_told_with_the_bonus_of_its_camp() -> None:
    found = reason(AT, led(4, 1, 46, 35, 24), DONE)
    assert isinstance(found, Move)
    (fight,) = found.fights
    assert (fight.own.bonus, fight.camp) == (4, B)
    assert fight.rivals == (Side(seat=B, w=3, f=1, bonus=5, camp=2),)


def test_m10_fights_that_stand_anyway_are_told_apart_from_those_of_a_choice() -> None:
    """Above all choices stands what stands now; a choice tells what it changes."""
    met = position(
        {(24, A): (2, 1), (13, A): (2, 0), (13, B): (1, 0), (46, B): (1, 1)},
        camps={24: A, 46: B}, herds={(24, "rhino"): 1},
    )  # fmt: skip
    assert [each.hex for each in fights(met, A)] == [13, 24]
    more, fewer = reasons(met, A, [(led(1, 0, 13, 24), DONE), (led(1, 0, 13, 14), DONE)])
    assert isinstance(more, Move)
    assert isinstance(fewer, Move)
    assert (more.joined, more.stand) == ((24,), ())
    assert (fewer.joined, fewer.stand) == ((), (24,))


def test_suggestions_differ_in_what_they_do_and_none_is_worse_than_nothing() -> None:
    """Not one hex with one warrior, two, and three."""
    match = played(3, ["greedy"], 11)
    for state in (each.state for each in match.positions[:120] if each.state.phase == "move"):
        seat = state.order[state.mover]
        offered = list(MAMMOTHS.suggestions(state, seat, 4))
        met = [ideas(state, seat, actions) for actions in offered]
        assert not any(one <= other for other, one in combinations(met, 2))
        assert (DONE,) in offered or len(offered) == 4


def test_a_choice_that_leaves_a_fight_as_it_is_is_offered_beside_one_that_weakens_it() -> None:
    strong = ideas(HUNTING, A, (led(1, 0, 13, 14), led(1, 1, 24, 35), DONE))
    assert ("hold", 13) not in strong
    held = ideas(HUNTING, A, (led(1, 1, 24, 35), DONE))
    assert ("hold", 13) in held
    assert not held <= strong, "the same without the weaker hunt is a choice of its own"


def test_a_choice_that_does_the_same_and_strengthens_a_fight_besides_takes_its_place() -> None:
    """They would differ by one line: the better one is offered alone."""
    at = position({(13, A): (2, 0), (14, A): (2, 0), (24, A): (2, 2), (71, B): (2, 1)},
                  camps={24: A}, herds={(13, "bison"): 1})  # fmt: skip
    more = ideas(at, A, (led(1, 1, 24, 35), led(1, 0, 14, 13), DONE))
    assert ideas(at, A, (led(1, 1, 24, 35), DONE)) <= more


def test_m9_1_a_suggestion_founds_the_camps_that_it_leaves_pawns_for() -> None:
    """Whoever founds none in a move that could gives a camp away for nothing."""
    there = {**RACE, (12, B): (0, 1), (13, A): (2, 0), (46, A): (1, 1)}
    at = position(there, camps={35: A, **dict.fromkeys((12, 71, 63, 41), B)}, hands={A: ["T05"]})
    turns = [turn for turn in MAMMOTHS.suggestions(at, A, 4) if turn != (DONE,)]
    assert len(turns) > 1
    for turn in turns:
        why = reason(at, *turn)
        assert isinstance(why, Move)
        assert not why.left_bare, turn


HUNTING = position({(13, A): (3, 0), (24, A): (2, 2), (71, B): (2, 1)}, camps={24: A},
                   herds={(13, "bison"): 1})  # fmt: skip
RACE = {(35, A): (2, 2), (34, B): (3, 1), (71, B): (2, 1), (63, B): (1, 1), (41, B): (1, 1)}


def test_m15_4_an_attack_on_who_may_win_by_camps_is_offered_though_it_is_no_good_move() -> None:
    """Whoever is told that another wins sees what can be done against it."""

    def offered(*camps: int) -> list[bool]:
        at = position(RACE, camps={35: A, **dict.fromkeys(camps, B)})
        turns = MAMMOTHS.suggestions(at, A, 4)
        assert len(turns) <= 4
        return [any(isinstance(x, do.Move) and x.path[-1] == 34 for x in turn) for turn in turns]

    assert not any(offered(34, 71, 63))
    assert offered(34, 71, 63, 41)[-1], "as the last one"


def test_m15_4_such_an_attack_stands_before_moving_nobody() -> None:
    at = position({**RACE, (35, A): (2, 1)}, camps={35: A, **dict.fromkeys((34, 71, 63, 41), B)})
    attack, nothing = MAMMOTHS.suggestions(at, A, 4)
    assert any(isinstance(each, do.Move) and each.path[-1] == 34 for each in attack)
    assert nothing == (do.Done(),)


def test_m15_4_a_trick_that_leads_to_such_a_camp_is_played() -> None:
    there, camps = {**RACE, (12, B): (0, 1), (13, A): (2, 0)}, dict.fromkeys((12, 71, 63, 41), B)
    at = position(there, camps={35: A, **camps}, hands={A: ["T05"]})
    raft = do.Card(title="T05", hexes=(13,))
    assert any(raft in turn for turn in MAMMOTHS.suggestions(at, A, 4))


ASKED = position(
    {(24, A): (2, 1), (24, B): (1, 0), (35, A): (2, 2), (13, B): (1, 1), (13, C): (1, 0)},
    camps={24: A}, herds={(35, "tiger"): 1}, seats=3, hands={A: ["T09", "T11", "T08"]},
    phase="combat", asked=(A, B, C),
)  # fmt: skip


def test_m19_4_the_reader_sees_their_own_fights_with_what_they_add_to_the_die() -> None:
    own = fights(ASKED, A)
    assert [(each.hex, each.own.bonus, each.camp, each.food) for each in own] == [
        (24, 4, A, 0), (35, 2, None, 2),
    ]  # fmt: skip
    assert [each.hex for each in fights(ASKED, C)] == [13]
    assert fights(AT, A) == ()
    assert view(ASKED, None).own is None


def test_m14_4_the_tricks_that_work_in_a_fight_are_offered_and_women_to_fall_first() -> None:
    women = do.Loss(at=35, letters="ff")
    assert offered(ASKED, A, 5) == [(), (women,)], "what is nearly won takes no card"
    assert offered(ASKED, A, 1) == offered(ASKED, A, 5)[:1]
    assert offered(ASKED, B, 4) == [()]
    even = {(24, A): (5, 0), (24, B): (5, 0)}
    state = position(even, phase="combat", asked=(A, B), hands={A: ["T08", "T10"]})
    ambush, points = (do.CombatCard(title=t, trigger="behind", at=24) for t in ("T08", "T10"))
    assert set(offered(state, A, 4)) == {(ambush, points), (ambush,), (points,), ()}
    assert len(offered(state, A, 3)) == 3


def test_m10_the_chances_of_orders_are_told_where_these_change_any() -> None:
    """What all of them leave as it stands is told over them, once."""

    def sealed(theirs: int) -> list[Fight]:
        there = {(24, A): (5, 0), (24, B): (theirs, 0)}
        state = position(there, phase="combat", asked=(A, B), hands={A: ["T08"]})
        found = reasons(state, A, offers(state, A, 4))
        return [why for why in found if isinstance(why, Fight)]

    assert [bool(why.fights) for why in sealed(5)] == [True, True]
    assert [(bool(why.fights), why.alone) for why in sealed(1)] == [(False, True)]


def test_m10_5_women_alone_are_offered_the_war_cry_first() -> None:
    """A cry that waits until they are behind is never heard: they are captured before."""
    alone = position(
        {(24, A): (0, 1), (24, B): (1, 0), (13, A): (1, 1)}, camps={24: A}, phase="combat",
        asked=(A, B), hands={A: ["T04"]},
    )  # fmt: skip
    cry = do.CombatCard(title="T04", trigger="start", at=24)
    assert offered(alone, A, 3) == [(cry,), ()]
    told = [
        [each.chance for each in why.fights]
        for why in reasons(alone, A, offers(alone, A, 3))
        if isinstance(why, Fight)
    ]
    assert told == [[81], [0]]
    assert [each.own.fights for each in fights(alone, A)] == [False]


def fights(state: State, seat: int) -> Sequence[Battle]:
    own = view(state, seat).own
    return own.fights if own else ()


def offers(state: State, seat: int, most: int) -> list[Any]:
    return list(MAMMOTHS.suggestions(state, seat, most))


def offered(state: State, seat: int, most: int) -> list[object]:
    return [each.orders for actions in offers(state, seat, most) for each in actions]


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
                    seen = standing(msgspec.to_builtins(view(state, seat)))
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


def test_m19_4_orders_offered_are_of_fights_there_are_and_pawns_that_stand_there() -> None:
    """Who has not settled is offered what counts wherever that will be."""
    there = {(12, A): (1, 0), (12, B): (0, 1), (23, A): (0, 1), (24, A): (2, 1), (71, B): (1, 1)}
    offered = [*of_orders(position(there), A)]
    assert do.Loss(at=24, letters="fww") in offered
    assert not any(isinstance(each, do.Fights) for each in offered), "one fight has no order"
    second = position({**there, (24, B): (1, 0)})
    assert do.Fights(hexes=(24, 12)) in [*of_orders(second, A)]
    alone = [*of_orders(position({(12, A): (1, 0), (23, A): (0, 1), (71, B): (1, 1)}), A)]
    assert not any(isinstance(each, do.Loss) for each in alone), "no hex where both kinds stand"
    before = position({}, phase="setup")
    assert [type(each) for each in of_orders(before, A)] == [
        do.CampChoice, do.EventLoss, do.Sow, do.Reenter, do.Forget,
    ]  # fmt: skip


def test_m14_1_standing_orders_propose_the_tricks_in_hand_alone() -> None:
    there = {(46, A): (2, 1), (13, B): (1, 1)}
    for hand in ([], ["T13", "T08"], ["T20", "T14", "T01"]):
        state = position(there, camps={46: A}, hands={A: hand})
        proposed = {do.title_of(order) for order in of_orders(state, A)} - {""}
        assert proposed == {*hand} - {"T01"}, "T01 is played in a move"


def test_m14_1_who_has_no_pawns_is_proposed_where_to_come_back_alone() -> None:
    state = position({(46, B): (2, 1)}, camps={46: B}, hands={A: ["T08", "T14"]})
    assert [type(order) for order in of_orders(state, A)] == [do.Reenter, do.Forget]

"""What may be filed and what is refused (M§19.4, M§24.2, M§24.8, M§24.10)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import engine.mammoths
from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.mammoths import combat, flow, losses, seasons
from engine.mammoths.actions import (
    Action,
    Answer,
    Bait,
    Beaters,
    Births,
    CampChoice,
    Card,
    CombatCard,
    Condition,
    Done,
    Draft,
    EventLoss,
    Feast,
    FightOrder,
    Fights,
    Forget,
    Found,
    Herds,
    Loss,
    Move,
    Place,
    PlanFight,
    PlanMove,
    Reenter,
    Retreat,
    Sow,
    Starve,
    Stores,
    TakeFire,
    Unfed,
    Withdraw,
)
from engine.mammoths.choices import is_worth_filing, of_file, of_prepare
from engine.mammoths.errors import ERROR_CODES
from engine.mammoths.game import MAMMOTHS
from engine.mammoths.setup import setup
from engine.mammoths.state import Options
from engine.mammoths.table import Table
from engine.protocol import Filed, HasOrders
from tests.engine.mammoths.positions import (
    A,
    B,
    C,
    Rolls,
    of_kind,
    pawns,
    play,
    position,
    refusal,
    run,
)

AT = position({(35, A): (2, 1), (31, A): (1, 1), (71, B): (1, 1)}, hands={A: ["T01"], B: ["T05"]})


def _moves(*lines: Any, **facts: Any) -> PlanMove:
    plan: Any = Alternatives(alternatives=(Alternative(lines=lines),))
    return PlanMove(plan=plan, **facts)


def _if(**facts: Any) -> PlanMove:
    when = If(condition=Condition(**facts))
    plan: Any = Alternatives(alternatives=(Alternative(conditions=(when,)),))
    return PlanMove(plan=plan)


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (B, Done(), "not_your_turn"),
        (B, Place(hexes=()), "not_now"),
        (A, Answer(), "not_asked"),
        (A, Loss(at=99, letters="w"), "no_such_hex"),
        (A, Loss(at=35, letters="x"), "bad_letters"),
        (A, EventLoss(sex="w"), ""),
        (A, Fights(hexes=()), "nothing_named"),
        (A, Fights(hexes=(35, 35)), "named_twice"),
        (A, Herds(at=35, species=("wolf", "wolf")), "nothing_named"),
        (A, CombatCard(title="T01", trigger="start"), "no_such_title"),
        (A, CombatCard(title="T09", trigger="behind"), "bad_trigger"),
        (A, CombatCard(title="T08", trigger="fighters"), "bad_trigger"),
        (A, CombatCard(title="T08", trigger="start", against="mice"), "bad_against"),
        (A, CombatCard(title="T08", trigger="start", drop="T01"), "no_extra_discard"),
        (A, Retreat(at=35, to=(35,)), "named_twice"),
        (A, Beaters(species=("wolf",), direction=7), "bad_direction"),
        (A, Beaters(species=("wolf",), direction=1, near=35), "bad_hex_there"),
        (A, Bait(at=35, distance=3, species=("wolf",)), "bad_number"),
        (A, Stores(title="T01", trigger="always"), "no_such_title"),
        (A, Starve(pawns=()), "nothing_named"),
        (A, Unfed(pawns=((99, "w"),)), "no_such_hex"),
        (A, Forget(word="loss"), "nothing_to_forget"),
        (A, Forget(word="weather"), "nothing_to_forget"),
        (A, Withdraw(plan="move"), "nothing_to_withdraw"),
        (A, Draft(lines=()), "nothing_named"),
        (B, Draft(lines=(Move(w=1, f=0, path=(71, 72)),)), "not_your_turn"),
        (A, _moves(Move(w=1, f=0, path=(35, 99))), "no_such_hex"),
        (A, _moves(Move(w=0, f=0, path=(35, 36))), "nobody_moves"),
        (A, _moves(Card(title="T05", hexes=(35,))), "not_in_hand"),
        (A, _moves(Card(title="T08", hexes=(35,))), "wrong_window"),
        (A, _moves(Card(title="T01")), "wrong_target"),
        (A, _moves(shown=1), "board_not_shown"),
        (A, _if(what="free"), "bad_condition"),
        (A, _if(what="still", tribe=5), "no_such_tribe"),
        (A, _if(what="food", number=100), "bad_number"),
        (A, Card(title="T05", hexes=(35,)), "not_in_hand"),
        (A, Card(title="T08", hexes=(35,)), "wrong_window"),
        (A, Card(title="T01", hexes=(35,)), "not_own_camp"),
        (A, TakeFire(hex=35), "no_fire_rules"),
    ],
)
def test_a_refusal_says_why(seat: int, action: Action, code: str) -> None:
    if not code:
        assert refusal(AT, seat, action, action).code == "same_order"
        return
    error = refusal(AT, seat, action)
    assert (error.code, error.rule) == next((c, r) for c, r, _ in ERROR_CODES if c == code)
    assert not any(action in d.choices for d in flow.decisions(AT) if d.seat == seat)


def test_m24_2_three_alternatives_and_a_fitting_end() -> None:
    four: Any = Alternatives(alternatives=(Alternative(),) * 4)
    assert refusal(AT, A, PlanMove(plan=four)).code == "too_many_alternatives"
    none: Any = Alternatives(alternatives=())
    assert refusal(AT, A, PlanMove(plan=none)).code == "no_alternative"
    stay: Any = Alternatives(alternatives=(Alternative(),), otherwise=Otherwise.STAY)
    assert refusal(AT, A, PlanFight(plan=stay)).code == "bad_otherwise"
    play(AT, A, PlanMove(plan=stay))


def test_m24_8_lines_that_are_illegal_now_are_taken() -> None:
    plan = _moves(Move(w=9, f=0, path=(35, 36)))
    assert play(AT, A, plan).tribes[A].plan_move == plan
    assert refusal(AT, A, plan, plan).code == "same_order"


def test_m24_12_examples_of_plans_differ_and_give_up_no_camp() -> None:
    """All of it together first; then a camp founded, two who may found one where they go, warriors
    to a hex that is free and feeds better; nobody leaves the place that the first founds a camp
    on."""
    state = position(
        {(46, A): (4, 2), (24, B): (1, 1), (13, A): (0, 1), (35, A): (2, 1), (64, A): (1, 0)},
        camps={46: A, 13: A},
        order=(B, A),
    )
    every, *plans = [
        (way.conditions[0].condition.what, way.lines)
        for each in of_file(state, A)
        if isinstance(each, PlanMove)
        for way in each.plan.alternatives
        if way.lines
    ]
    assert [what for what, _ in plans] == ["same", "same", "free"]
    camp, pair, warriors = (line for _, (line,) in plans)
    assert every == ("same", (camp, pair, warriors))
    play(state, A, _moves(*every[1]))
    assert isinstance(pair, Move)
    assert isinstance(warriors, Move)
    assert (pair.w, pair.f, camp, warriors.f) == (1, 1, Found(hex=35), 0)
    assert pair.path[-1] != warriors.path[-1]
    assert 35 not in {pair.path[0], warriors.path[0]}
    places = state.map.places
    assert places[warriors.path[-1]].terrain == "forest" != places[warriors.path[0]].terrain


def test_m24_12_who_is_invited_to_plan_has_a_line_to_plan() -> None:
    """Even if it feeds nobody better: a warrior by the water, with a plain beside."""
    for there in ({(56, A): (1, 0)}, {(35, A): (2, 1)}, {(46, A): (1, 0), (35, B): (1, 0)}):
        alone = position({**there, (13, B): (1, 1)}, camps={13: B}, order=(B, A))
        assert is_worth_filing(alone, A) == any(
            line
            for each in of_file(alone, A)
            if isinstance(each, PlanMove)
            for line in each.plan.alternatives[0].lines
        )


def test_m24_12_who_is_to_move_is_shown_what_to_fall_back_on_alone() -> None:
    """M§19.6: a plan of theirs would be played at once."""
    groups = {(46, A): (4, 2), (24, B): (1, 1), (35, A): (1, 1)}
    now, later = (
        {type(each) for each in of_file(position(groups, camps={46: A}, order=order), A)}
        for order in ((A, B), (B, A))
    )
    assert now == {Draft, Withdraw}
    assert later == {PlanMove, Withdraw}


def test_m24_12_a_trick_and_who_falls_are_planned_together() -> None:
    """The first alternative that can be done runs: what goes with it stands in it. Warriors
    first is what happens anyway."""
    state = position({(46, A): (4, 2), (24, B): (1, 1)}, hands={A: ("T09",)})
    both, *_ = of_prepare(state, A)
    assert isinstance(both, PlanFight)
    (one,) = both.plan.alternatives
    assert one.lines == (CombatCard(title="T09", trigger="start"), Loss(at=46, letters="fww"))


def test_m24_12_no_plan_says_who_falls_first_where_there_is_no_choice() -> None:
    state = position({(46, A): (4, 0), (35, A): (1, 1), (24, B): (1, 1)})
    losses = [
        line
        for each in of_prepare(state, A)
        if isinstance(each, PlanFight)
        for line in each.plan.alternatives[0].lines
    ]
    assert losses == [Loss(at=35, letters="fw")]
    apart = position({(46, A): (4, 0), (35, A): (0, 1), (24, B): (1, 1)})
    (only,) = (each for each in of_prepare(apart, A) if isinstance(each, PlanFight))
    assert only.plan.alternatives[0].lines == (CampChoice(at=0, burn=True),)


def test_m24_12_an_example_leads_nobody_to_where_the_tribe_stands() -> None:
    """Two camps side by side: from one to the other and back is no plan."""
    state = position(
        {(46, A): (3, 2), (35, A): (3, 2), (24, B): (1, 1)}, camps={46: A, 35: A}, order=(B, A)
    )
    ends = {
        line.path[-1]
        for each in of_file(state, A)
        if isinstance(each, PlanMove)
        for line in each.plan.alternatives[0].lines
        if isinstance(line, Move)
    }
    assert ends
    assert not ends & {46, 35}


def test_m24_10_plans_are_replaced_and_withdrawn() -> None:
    first, second = _moves(), _moves(Move(w=1, f=0, path=(35, 36)))
    replaced = play(AT, B, first, second)
    assert replaced.tribes[B].plan_move == second
    assert play(replaced, B, Withdraw(plan="move")).tribes[B].plan_move is None
    moved = play(play(AT, A, Done()), B, Done())
    assert moved.tribes[B].plan_move is None


def test_m24_3_a_repeated_order_replaces_the_earlier_one() -> None:
    kept = (
        play(
            AT,
            A,
            Loss(at=35, letters="w"),
            Loss(at=0, letters="f"),
            Loss(at=35, letters="ff"),
            CombatCard(title="T08", at=35, trigger="start"),
            CombatCard(title="T10", at=35, trigger="start"),
            CombatCard(title="T08", at=35, trigger="never"),
        )
        .tribes[A]
        .orders
    )
    assert kept == (
        Loss(at=35, letters="ff"),
        Loss(at=0, letters="f"),
        CombatCard(title="T08", at=35, trigger="never"),
        CombatCard(title="T10", at=35, trigger="start"),
    )


def test_forgetting_by_word_title_and_all() -> None:
    cards = (CombatCard(title="T08", trigger="start"), CombatCard(title="T10", trigger="start"))
    at = play(AT, A, *cards, EventLoss(sex="f"))
    assert play(at, A, Forget(word="card", title="T08")).tribes[A].orders == (
        cards[1],
        EventLoss(sex="f"),
    )
    assert play(at, A, Forget(word="card")).tribes[A].orders == (EventLoss(sex="f"),)
    assert play(at, A, Forget(word="all")).tribes[A].orders == ()


def test_m24_7_an_answer_stands_for_the_orders_of_its_words() -> None:
    standing = (
        Loss(at=35, letters="w"),
        CombatCard(title="T08", trigger="start"),
        CombatCard(title="T10", trigger="start"),
    )
    answer = Answer(orders=(Loss(at=0, letters="f"), CombatCard(title="T08", trigger="never")))
    at = replace(AT, tribes=(replace(AT.tribes[A], orders=standing, answer=answer), AT.tribes[B]))
    assert Table(at, Rolls()).orders_of(A) == (*answer.orders, standing[2])


def test_m5_5_event_losses_by_order_and_default() -> None:
    at = position({(35, A): (2, 3), (31, A): (2, 2), (32, A): (0, 1), (71, B): (1, 1)})
    table = Table(at, Rolls())
    assert [losses.event_loss(table, h, A) for h in (35, 31, 32)] == ["f", "w", "f"]
    ordered = Table(play(at, A, EventLoss(sex="f")), Rolls())
    assert losses.event_loss(ordered, 31, A) == "f"


def test_m11_4_starvation_by_plan_and_default() -> None:
    at = position(
        {(31, A): (2, 2), (35, A): (1, 1), (36, A): (2, 0), (71, B): (1, 1)}, camps={31: A}
    )
    table = Table(at, Rolls())
    losses.starve(table, A, 8, "starved")
    order = [(e.data["hexes"][0], e.data["sex"]) for e in of_kind(table.events, "pawn_lost")]
    assert order == [
        (35, "w"),
        (36, "w"),
        (36, "w"),
        (35, "f"),
        (31, "f"),
        (31, "w"),
        (31, "w"),
        (31, "f"),
    ]
    order_of_death = Starve(pawns=((31, "f"), (36, "w"), (31, "w")))
    planned = Table(play(at, A, order_of_death), Rolls())
    losses.starve(planned, A, 3, "starved")
    assert pawns(planned)[31, A] == (1, 1)
    assert pawns(planned)[36, A] == (1, 0)


def test_m11_3_some_may_be_left_unfed() -> None:
    at = play(AT, A, Unfed(pawns=((35, "w"),)))
    assert pawns(run(at, seasons.rest_of_turn))[35, A] == (1, 1)


def test_m10_17_locations_and_herds_in_order() -> None:
    groups = {(35, A): (3, 0), (35, B): (1, 0), (31, A): (3, 0), (32, A): (1, 0)}
    at = position(groups, herds={(31, "wolf"): 1, (32, "wolf"): 2})
    assert combat.in_order(Table(at, Rolls()), A) == [35, 31, 32]
    ordered = play(at, A, Fights(hexes=(32, 35)))
    assert combat.in_order(Table(ordered, Rolls()), A) == [32, 35, 31]


def test_births_sowing_and_re_entry_follow_their_orders() -> None:
    at = position(
        {(11, A): (1, 1), (14, A): (1, 2), (71, B): (1, 1)},
        camps={11: A, 14: A},
        season="winter",
        number=3,
    )
    told = run(play(at, A, Births(hexes=(14,)), Sow(hexes=(14,))), seasons.rest_of_turn)
    births = [e.data["hexes"][0] for e in of_kind(told.events, "birth_rolled")]
    assert births == [14, 14, 11]
    assert list(told.fields) == [14]
    nothing = run(play(at, A, Sow(hexes=())), seasons.rest_of_turn)
    assert nothing.fields == {}


def test_camp_choice_burns_where_it_says() -> None:
    at = position({(35, A): (2, 1), (35, B): (0, 1), (71, B): (1, 1)}, camps={35: B})
    here = play(at, A, CampChoice(at=0, burn=False), CampChoice(at=35, burn=True))
    assert run(here, combat.combats).camps == {}


def test_m15_2_an_eliminated_tribe_keeps_its_re_entry_list_alone() -> None:
    at = position({(33, A): (2, 2), (52, B): (1, 0), (56, C): (2, 2)}, seats=3, first_year=True)
    filed = play(at, B, Reenter(hexes=(71,)), EventLoss(sex="f"), Feast(at=52, sex="f"))
    table = Table(filed, Rolls())
    table.kill(52, B, "w", "combat")
    table.loss_check("combat")
    assert table.tribes[B].orders == (Reenter(hexes=(71,)),)


def test_options_out_of_range_are_refused() -> None:
    for options in (Options(board=5), Options(cave_bonus=4), Options(village_bonus=-1)):
        with pytest.raises(ValueError, match=r"[0-9]"):
            setup(3, options, Rolls())


def test_what_is_on_file_is_shown_to_its_player() -> None:
    assert isinstance(MAMMOTHS, HasOrders)
    orders = (EventLoss(sex="f"), CombatCard(title="T08", trigger="start"))
    draft = Draft(lines=(Move(w=1, f=0, path=(35, 36)),))
    at = play(AT, A, *orders, _moves(), draft)
    assert MAMMOTHS.filed(at, A) == (
        Filed(decision=f"10.file.{A}", actions=(_moves(), draft)),
        Filed(decision=f"0.orders.{A}", actions=orders),
    )
    assert MAMMOTHS.filed(at, B) == ()
    assert MAMMOTHS.filed(play(at, A, Withdraw(plan="move")), A)[0].actions == orders


def test_every_code_of_an_error_is_raised_somewhere() -> None:
    """No code stands in the list for nothing."""
    source = "".join(path.read_text() for path in Path(engine.mammoths.__path__[0]).rglob("*.py"))
    assert all(source.count(f'"{code}"') > 1 for code, _, _ in ERROR_CODES)


def test_m10_3_only_losses_that_can_happen_and_tricks_in_hand_are_offered() -> None:
    """Against a tribe warriors alone fall; against beasts there is a choice where both are."""
    groups = {(35, A): (2, 1), (35, B): (1, 0), (23, A): (0, 1), (23, B): (2, 0), (71, B): (1, 1)}
    beasts = {(35, "wolf"): 1}

    def offered(groups: Any = groups, answer: Answer | None = None, **more: Any) -> list[Action]:
        at = replace(position(groups, phase="combat", **more), asked=(A, B))
        at = replace(at, tribes=(replace(at.tribes[A], answer=answer), *at.tribes[1:]))
        own = next(d for d in MAMMOTHS.decisions(at) if d.kind == "combat" and d.seat == A)
        return list(own.choices)

    ambush = CombatCard(title="T08", at=23, trigger="start")
    order = Fights(hexes=(23, 35))

    def answers(*orders: FightOrder) -> list[Action]:
        return [Answer(), *(Answer(orders=(each,)) for each in orders)]

    assert offered() == answers(order)
    losses = Loss(at=35, letters="ww"), Loss(at=35, letters="f")
    assert offered(herds=beasts) == answers(*losses, order)
    with_cards = offered(hands={A: ["T08", "T05"]})
    assert with_cards == answers(ambush, replace(ambush, at=35), order)
    burn = CampChoice(at=0, burn=True)
    assert offered(camps={35: B}) == answers(order, burn)
    alone = {(35, A): (1, 0), (35, B): (1, 0), (71, B): (1, 1)}
    assert offered(alone) == answers(), "no camp can be conquered there"
    assert offered(alone, Answer()) == answers(burn)[1:], "who has answered can change it"


def test_m24_12_a_warrior_is_planned_to_help_a_camp_that_beasts_have_come_to() -> None:
    state = position(
        {(46, A): (1, 1), (35, A): (2, 1), (24, B): (1, 1)},
        camps={46: A, 35: A}, herds={(46, "bear"): 1}, order=(B, A),
    )  # fmt: skip
    plans = [each for each in of_file(state, A) if isinstance(each, PlanMove)]
    (one,) = plans[0].plan.alternatives
    assert one.lines == (Move(w=1, f=0, path=(35, 46)),)
    assert one.conditions[0].condition == Condition(what="opponents", hexes=(46,), number=1)

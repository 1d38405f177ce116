"""The bots: they win against chance, file ahead, and seal."""

from __future__ import annotations

import pytest

from engine.bots import ask
from engine.chance import SeededChance, seed_of_number
from engine.mammoths.actions import (
    Answer,
    CombatCard,
    Done,
    Feast,
    Found,
    Move,
    PlanFight,
    PlanMove,
)
from engine.mammoths.game import MAMMOTHS
from engine.play import planned, submit
from tests.engine.mammoths.matches import played
from tests.engine.mammoths.positions import A, B, camps, done, play, position


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_who_thinks_beats_chance(name: str) -> None:
    """In two of three matches at least: chance may be lucky."""
    won = 0
    for number in range(3):
        bots = (name, "random") if number % 2 else ("random", name)
        won += played(2, bots, number).end.winners == (bots.index(name),)
    assert won >= 2


def test_a_bot_files_a_move_that_runs_if_nothing_comes_between() -> None:
    at = position(
        {(35, A): (3, 1), (71, B): (2, 2), (52, B): (1, 1)},
        camps={35: A, 71: B},
        hands={A: ["T04"], B: ["T08"]},
    )
    chance = SeededChance(seed_of_number(1))
    for name in ("greedy", "planner"):
        filing = next(d for d in MAMMOTHS.decisions(at) if d.id == f"10.file.{B}")
        (plan,) = ask(MAMMOTHS, name, at, filing, chance)
        assert isinstance(plan, PlanMove)
        moved = done(play(at, B, plan), A)
        (step,) = planned(MAMMOTHS, moved, B)
        assert step.actions == (*plan.plan.alternatives[0].lines, Done())
        asked = next(d for d in MAMMOTHS.decisions(done(at, A)) if d.kind == "move")
        # The planner has its orders with it.
        card = (CombatCard(title="T08", trigger="behind"),) if name == "planner" else ()
        assert ask(MAMMOTHS, name, done(at, A), asked, chance) == (*card, *step.actions)


def test_planner_captures_a_camp_that_no_warrior_defends() -> None:
    at = position({(35, A): (3, 1), (45, B): (0, 1), (71, B): (4, 2)}, camps={35: A, 45: B, 71: B})
    asked = next(d for d in MAMMOTHS.decisions(at) if d.kind == "move")
    actions = ask(MAMMOTHS, "planner", at, asked, SeededChance(seed_of_number(1)))
    assert any(isinstance(each, Move) and each.path[-1] == 45 and each.w for each in actions)


def test_planner_files_its_cards_with_its_move() -> None:
    at = position(
        {(35, A): (3, 2), (71, B): (2, 2)}, camps={35: A}, hands={A: ["T10", "T17"]}, number=3
    )
    asked = next(d for d in MAMMOTHS.decisions(at) if d.kind == "move")
    actions = ask(MAMMOTHS, "planner", at, asked, SeededChance(seed_of_number(1)))
    assert actions[:2] == (CombatCard(title="T10", trigger="behind"), Feast(at=35, sex="f"))
    submit(MAMMOTHS, at, A, asked.id, actions, SeededChance(seed_of_number(1)))


def test_a_bot_prepares_and_seals_its_combat_cards() -> None:
    at = position({(35, A): (3, 1), (71, B): (2, 2)}, hands={A: ["T08", "T09"], B: ["T05"]})
    chance = SeededChance(seed_of_number(1))
    preparing = next(d for d in MAMMOTHS.decisions(at) if d.id == f"10.prepare.{A}")
    (plan,) = ask(MAMMOTHS, "greedy", at, preparing, chance)
    assert isinstance(plan, PlanFight)
    met = position(
        {(35, A): (3, 1), (35, B): (2, 2)}, hands={A: ["T08"]}, phase="combat", asked=(A, B)
    )
    fight = next(d for d in MAMMOTHS.decisions(met) if d.id == f"10.combat.{A}")
    orders = (CombatCard(title="T08", trigger="behind"),)
    assert ask(MAMMOTHS, "greedy", met, fight, chance) == (Answer(orders=orders),)


def test_advice_founds_a_camp_where_a_pair_stands() -> None:
    at = position({(35, A): (2, 2), (34, A): (2, 1), (71, B): (2, 2)}, camps={34: A})
    asked = next(d for d in MAMMOTHS.decisions(at) if d.kind == "move")
    advice = MAMMOTHS.suggestions(at, A, 3)
    assert Found(hex=35) in advice[0]
    reached = submit(MAMMOTHS, at, A, asked.id, advice[0], SeededChance(seed_of_number(1))).state
    assert camps(reached)[35] == A

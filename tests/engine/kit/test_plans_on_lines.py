"""A plan for rules of the protocol: conditions from the view, actions tried on a guess."""

from __future__ import annotations

from typing import Self

import msgspec
from msgspec.structs import replace

from engine.chance import SeededChance, seed_of_number
from engine.kit.bots.lines import Line, begin
from engine.kit.plans.alternatives import (
    Alternative,
    Alternatives,
    Chosen,
    If,
    IllegalLine,
    NoneRuns,
    UnmetCondition,
    consult,
)
from engine.protocol import Decision
from tests.engine.kit import camps
from tests.engine.kit.camps import Action, Bury, Camp, Pick, Rest, State, View

SEED = seed_of_number(1)


class Points(msgspec.Struct, frozen=True):
    """So many points at least, of a seat."""

    seat: int
    at_least: int


class Here(msgspec.Struct, frozen=True):
    """The position as a seat knows it."""

    view: View
    line: Line[State, Action]

    def holds(self, condition: Points) -> bool:
        return self.view.points[condition.seat] >= condition.at_least

    def play(self, action: Action) -> Self:
        return replace(self, line=self.line.play(action))


def here(state: State, decision: Decision[Action]) -> Here:
    chance = SeededChance(SEED)
    guess = camps.guess(state, decision.seat, chance)
    return Here(camps.view(state, decision.seat), begin(camps, guess, decision, chance))


def turn() -> tuple[State, Decision[Action]]:
    state = State()
    return state, camps.turn_of(state)


def plan(*each: tuple[Points | None, tuple[Action, ...]]) -> Alternatives[Points, Action]:
    return Alternatives(
        alternatives=tuple(
            Alternative(
                conditions=() if points is None else (If[Points](condition=points),), lines=lines
            )
            for points, lines in each
        )
    )


def test_what_a_plan_chooses_can_be_handed_in() -> None:
    state, decision = turn()
    filed = plan(
        (Points(1, 9), (Camp("hill"), Rest())),
        (None, (Camp("hill"), Bury(1))),
        (Points(1, 2), (Camp("ford"), Rest())),
    )
    answer = consult(filed, here(state, decision))
    assert isinstance(answer, Chosen)
    assert (answer.alternative, answer.lines) == (2, (Camp("ford"), Rest()))
    unmet, illegal = answer.passed_over
    assert unmet == UnmetCondition(alternative=0, condition=0)
    assert isinstance(illegal, IllegalLine)
    assert (illegal.line, illegal.refusal.code, illegal.refusal.rule) == (1, "out_of_order", "C§1")
    done = begin(camps, state, decision).follow(answer.lines)
    assert done.made
    assert done.state.points[decision.seat] == 4


def test_what_comes_after_a_reveal_is_not_known_beforehand() -> None:
    """No line may count on a card that is not drawn yet."""
    state, decision = turn()
    drawn = state.deck[0]
    there = here(state, decision)
    assert isinstance(consult(plan((None, (Camp("hill"), Pick()))), there), Chosen)
    answer = consult(plan((None, (Camp("hill"), Pick(), Bury(drawn)))), there)
    assert isinstance(answer, NoneRuns)
    (illegal,) = answer.passed_over
    assert isinstance(illegal, IllegalLine)
    assert (illegal.line, illegal.refusal.code) == (2, "turn_over")


def test_the_answer_is_the_same_whatever_is_hidden() -> None:
    """Also where somebody waits at the hill, which ends the turn of who camps there."""
    state, decision = turn()
    own = state.hands[decision.seat][0]
    filed = plan(
        (Points(0, 4), (Camp("hill"), Rest())),
        (None, (Camp("hill"), Bury(own))),
        (Points(1, 3), (Camp("hill"), Rest())),
    )
    answers = set()
    for number in range(12):
        other = camps.guess(state, decision.seat, SeededChance(seed_of_number(number)))
        answer = consult(filed, here(other, decision))
        assert isinstance(answer, Chosen)
        assert answer.alternative == 2
        answers.add(msgspec.json.encode(answer))
    assert len(answers) == 1

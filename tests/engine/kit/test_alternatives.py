"""Alternatives, by the scenarios of a game that has them and by properties over drawn plans."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.kit.plans.alternatives import (
    Alternative,
    Alternatives,
    Chosen,
    If,
    IllegalLine,
    NoneRuns,
    Otherwise,
    UnmetCondition,
    consult,
    explain,
)
from engine.kit.plans.situation import Refusal
from engine.protocol import IllegalAction
from tests.engine.kit.fords import (
    CARDS,
    PLACES,
    TRIBES,
    Action,
    Always,
    Board,
    Card,
    Condition,
    Done,
    Free,
    Here,
    Opponents,
    Plan,
    Same,
    Walk,
    apply,
    view,
)

START = Board(pawns=((3, 0, 0, 0, 0, 0), (0, 0, 2, 0, 0, 0), (0, 0, 0, 0, 2, 0)))
STEP = Walk(1, 0, 1)
ENTERED = apply(START, 1, Walk(1, 2, 1))
"""The second tribe has come where the first wanted to go."""


def either(*alternatives: Alternative[Condition, Action], otherwise: str = "ask") -> Plan:
    return Alternatives(alternatives=alternatives, otherwise=Otherwise(otherwise))


def do(
    *lines: Action, only: Condition | None = None, never: Condition | None = None
) -> Alternative[Condition, Action]:
    """An alternative on one condition, or on one that is not to hold."""
    conditions = [If[Condition](condition=only)] if only is not None else []
    conditions += [If[Condition](condition=never, negated=True)] if never is not None else []
    return Alternative(conditions=tuple(conditions), lines=(*lines, Done()))


def here(board: Board, shown: Board = START) -> Here:
    return Here(board=board, tribe=0, shown=shown)


# Scenarios 49, 56, 57 and 59 of the rules of Mammoths (M§22), told again.


def test_the_condition_that_failed_is_told() -> None:
    """49: the plan needs a free place, and there is a wolf."""
    filed = either(do(STEP, only=Free(1)))
    wolf = replace(START, wolves=(0, 1, 0, 0, 0, 0))
    assert consult(filed, here(wolf)) == NoneRuns(
        otherwise=Otherwise.ASK, passed_over=(UnmetCondition(alternative=0, condition=0),)
    )


def test_a_plan_runs_if_the_board_is_as_it_was_shown() -> None:
    """56: somebody enters meanwhile; had they gone elsewhere it would run."""
    filed = either(do(STEP, only=Same((0, 1))))
    assert isinstance(consult(filed, here(ENTERED)), NoneRuns)
    elsewhere = apply(START, 1, Walk(1, 2, 3))
    assert consult(filed, here(elsewhere)) == Chosen(alternative=0, lines=(STEP, Done()))


def test_the_first_alternative_that_is_met_and_legal_runs() -> None:
    """57: unmet; illegal; good: the third runs. Without it there are two reasons to ask."""
    unmet = do(STEP, only=Free(1))
    illegal = do(STEP, Card("raft", 0), only=Always())
    good = do(STEP, never=Free(1))
    passed_over = (
        UnmetCondition(alternative=0, condition=0),
        IllegalLine(
            alternative=1,
            line=1,
            refusal=Refusal(code="not_in_hand", rule="B§3", context={"title": "raft"}),
        ),
    )
    assert consult(either(unmet, illegal, good), here(ENTERED)) == Chosen(
        alternative=2, lines=(STEP, Done()), passed_over=passed_over
    )
    for otherwise in Otherwise:
        asked = consult(either(unmet, illegal, otherwise=otherwise), here(ENTERED))
        assert asked == NoneRuns(otherwise=otherwise, passed_over=passed_over)


def test_when_time_is_up_what_is_legal_runs() -> None:
    """59: an illegal line is left out, the legal one runs; of no other alternative."""
    filed = either(do(Card("raft", 0), STEP), do(Walk(2, 0, 1)))
    late = consult(filed, here(START), lenient=True)
    assert isinstance(late, Chosen)
    assert (late.alternative, late.lines) == (0, (STEP, Done()))
    assert [(each.line, each.refusal.code) for each in late.left_out] == [(0, "not_in_hand")]
    strict = consult(filed, here(START))
    assert isinstance(strict, Chosen)
    assert (strict.alternative, strict.left_out) == (1, ())
    unmet = either(do(STEP, only=Free(2)), otherwise="stay")
    assert consult(unmet, here(START), lenient=True) == NoneRuns(
        otherwise=Otherwise.STAY, passed_over=(UnmetCondition(alternative=0, condition=0),)
    )


def test_each_line_is_tried_after_those_before_it() -> None:
    """A card is played where pawns have just come; pawns that have walked walk no more."""
    rich = replace(START, hands=(("raft",), (), ()))
    for walked, runs in ((2, True), (1, False)):
        answer = consult(either(do(Walk(walked, 0, 1), Card("raft", 1))), here(rich))
        assert isinstance(answer, Chosen) == runs
    again = consult(either(do(STEP, Walk(1, 1, 2))), here(rich))
    assert isinstance(again, NoneRuns)


def test_an_alternative_without_lines_does_nothing() -> None:
    nothing: Plan = either(Alternative())
    assert consult(nothing, here(START)) == Chosen(alternative=0, lines=())
    assert consult(either(), here(START)) == NoneRuns(otherwise=Otherwise.ASK, passed_over=())


def test_a_plan_is_explained_with_how_it_stands_now() -> None:
    filed = either(
        do(STEP, only=Free(1)),
        do(Card("raft", 0)),
        do(Walk(9, 0, 1), only=Free(2)),
        otherwise="stay",
    )
    told = explain(filed, here(START))
    assert told.otherwise is Otherwise.STAY
    assert [each.alternative for each in told.alternatives] == [0, 1, 2]
    assert [each.always for each in told.alternatives] == [False, True, False]
    assert [each.lines for each in told.alternatives] == [a.lines for a in filed.alternatives]
    first, second, third = told.alternatives
    assert (first.unmet_now, first.illegal_now) == (None, None)
    assert second.illegal_now is not None
    assert (second.illegal_now.line, second.illegal_now.refusal.code) == (0, "not_in_hand")
    assert third.unmet_now == UnmetCondition(alternative=2, condition=0)
    assert third.illegal_now is not None


# Properties.

Case = tuple[Plan, Here]


def drawn_condition(whim: Random) -> If[Condition]:
    place = whim.choice(PLACES)
    possible: list[Condition] = [
        Always(),
        Free(place),
        Opponents(place, whim.randint(0, 3)),
        Same(tuple(whim.sample(PLACES, whim.randint(0, 2)))),
    ]
    return If(condition=whim.choice(possible), negated=whim.random() < 0.3)


def drawn_line(whim: Random) -> Action:
    place = whim.choice(PLACES)
    if whim.random() < 0.2:
        return Card(whim.choice(CARDS), place)
    step = whim.choice([1, 1, -1, -1, 2])
    return Walk(whim.randint(1, 2), place, (place + step) % len(PLACES))


def drawn_board(whim: Random) -> Board:
    own = tuple(whim.choice([0, 2, 4, 6]) for _ in PLACES)
    others = (tuple(whim.choice([0, 0, 0, 1]) for _ in PLACES) for _ in TRIBES[1:])
    return Board(
        pawns=(own, *others),
        wolves=tuple(whim.choice([0, 0, 1]) for _ in PLACES),
        hands=tuple(tuple(whim.choices(CARDS, k=whim.randint(0, 2))) for _ in TRIBES),
    )


@st.composite
def consulted(draw: st.DrawFn) -> Case:
    """Plans as uneven as any, which many small choices of their own would hardly make."""
    whim = draw(st.randoms(use_true_random=True))
    shown = drawn_board(whim)
    board = drawn_board(whim) if whim.random() < 0.5 else shown
    filed = [
        Alternative(
            conditions=tuple(drawn_condition(whim) for _ in range(whim.randint(0, 2))),
            lines=(*(drawn_line(whim) for _ in range(whim.randint(0, 3))), Done()),
        )
        for _ in range(whim.choice([0, 1, 2, 3, 3, 3]))
    ]
    otherwise = whim.choice(list(Otherwise))
    return either(*filed, otherwise=otherwise), here(board, shown)


def runs(alternative: Alternative[Condition, Action], there: Here) -> bool:
    """True if it may run, by the rules of the game alone."""
    if any(there.holds(each.condition) == each.negated for each in alternative.conditions):
        return False
    board = there.board
    try:
        for line in alternative.lines:
            board = apply(board, there.tribe, line)
    except IllegalAction:
        return False
    return True


@given(consulted())
def test_at_most_one_alternative_runs_and_it_is_the_first_that_may(case: Case) -> None:
    filed, there = case
    may = [n for n, each in enumerate(filed.alternatives) if runs(each, there)]
    answer = consult(filed, there)
    if may:
        assert isinstance(answer, Chosen)
        assert answer.alternative == may[0]
        assert answer.lines == filed.alternatives[may[0]].lines
        assert answer.left_out == ()
    else:
        assert isinstance(answer, NoneRuns)
        assert answer.otherwise is filed.otherwise


@given(consulted(), st.booleans())
def test_only_what_is_legal_is_done(case: Case, lenient: bool) -> None:
    filed, there = case
    answer = consult(filed, there, lenient=lenient)
    if isinstance(answer, Chosen):
        board = there.board
        for line in answer.lines:
            board = apply(board, there.tribe, line)
        own = filed.alternatives[answer.alternative]
        assert len(answer.lines) + len(answer.left_out) == len(own.lines)
        left = {each.line for each in answer.left_out}
        assert answer.lines == tuple(line for n, line in enumerate(own.lines) if n not in left)


@given(consulted(), st.booleans())
def test_every_alternative_passed_over_has_its_reason(case: Case, lenient: bool) -> None:
    filed, there = case
    answer = consult(filed, there, lenient=lenient)
    passed = answer.alternative if isinstance(answer, Chosen) else len(filed.alternatives)
    assert [each.alternative for each in answer.passed_over] == list(range(passed))
    for reason in answer.passed_over:
        own = filed.alternatives[reason.alternative]
        if isinstance(reason, UnmetCondition):
            unmet = own.conditions[reason.condition]
            assert there.holds(unmet.condition) == unmet.negated
        else:
            assert not lenient
            assert not runs(replace(own, lines=own.lines[: reason.line + 1]), there)
            assert runs(replace(own, lines=own.lines[: reason.line]), there)


@given(consulted(), st.booleans())
def test_an_unmet_condition_stops_an_alternative(case: Case, lenient: bool) -> None:
    filed, there = case
    never = If[Condition](condition=Always(), negated=True)
    unmet = replace(
        filed,
        alternatives=tuple(
            replace(each, conditions=(*each.conditions, never)) for each in filed.alternatives
        ),
    )
    assert isinstance(consult(unmet, there, lenient=lenient), NoneRuns)


@given(consulted(), st.randoms(use_true_random=True), st.booleans())
def test_the_answer_is_the_same_for_the_same_view(case: Case, whim: Random, lenient: bool) -> None:
    """Whatever is in the hands of others."""
    filed, there = case
    drawn = [tuple(whim.choices(CARDS, k=len(hand))) for hand in there.board.hands[1:]]
    board = replace(there.board, hands=(there.board.hands[0], *drawn))
    assert view(board, 0) == view(there.board, 0)
    other = replace(there, board=board)
    assert consult(filed, other, lenient=lenient) == consult(filed, there, lenient=lenient)


@given(consulted(), st.booleans())
def test_plans_and_answers_go_through_json(case: Case, lenient: bool) -> None:
    filed, there = case
    assert msgspec.json.decode(msgspec.json.encode(filed), type=Plan) == filed
    answer = consult(filed, there, lenient=lenient)
    read = msgspec.json.decode(msgspec.json.encode(answer), type=Chosen[Action] | NoneRuns)
    assert read == answer


@given(consulted())
def test_an_explanation_says_what_consulting_finds(case: Case) -> None:
    filed, there = case
    answer = consult(filed, there)
    told = explain(filed, there).alternatives
    may = [each.unmet_now is None and each.illegal_now is None for each in told]
    assert any(may) == isinstance(answer, Chosen)
    for reason in answer.passed_over:
        own = told[reason.alternative]
        assert reason in (own.unmet_now, own.illegal_now)

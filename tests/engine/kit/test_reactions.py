"""Reactions, by the scenarios of a game that has them and by properties over drawn plans."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.kit.plans.reactions import (
    Acted,
    Branch,
    Clause,
    Place,
    Reactions,
    Reason,
    RefusedWish,
    Role,
    Stopped,
    UnmetGuard,
    Waiting,
    When,
    consult,
    explain,
)
from engine.protocol import IllegalAction
from tests.engine.kit.trail import (
    EVENTS,
    PIECES,
    ROADS,
    WISHES,
    Action,
    Cook,
    Entry,
    Go,
    Here,
    Home,
    Hunt,
    Keep,
    Leave,
    Pass,
    Plan,
    Take,
    Test,
    Trail,
    Turn,
    apply,
    covers,
    submit,
    time_is_up,
    view,
)

Line = When[str, Test, str]
TO_NAMIB = Go(0, "namib")


def lists(text: str) -> tuple[tuple[str, ...], ...]:
    """Lists of wishes as players write them: "hunt then mammoth > most food"."""
    return tuple(tuple(one.strip() for one in each.split(">")) for each in text.split("then"))


def when(event: str, wishes: str, *otherwise: Branch[Test, str], guard: Test | None = None) -> Line:
    return When(event=event, branches=(branch(wishes, guard), *otherwise))


def branch(wishes: str, guard: Test | None = None) -> Branch[Test, str]:
    return Branch(guard=() if guard is None else (guard,), lists=lists(wishes))


def plan(*lines: Line) -> Plan:
    return Reactions(lines=lines)


def at(line: int, branch: int = 0, list_: int = 0, wish: int = 0) -> Place:
    return Place(line=line, branch=branch, list=list_, wish=wish)


def by_plan(turn: Turn) -> list[tuple[Action, ...]]:
    return [entry.actions for entry in turn.entries if entry.cause == "plan"]


# Scenarios 43 to 48 of the rules of Fire & Stone (F§20), told again.


def test_a_kind_is_gathered_only_if_it_is_that_kind() -> None:
    """43: the tile is a nut; the first line is passed over, the second takes it without a wait."""
    filed = plan(when("mushroom", "take"), when("gathering", "nut > 2 food"))
    turn = submit(Trail(down={"namib": "nut"}), filed, TO_NAMIB)
    assert turn.entries == (Entry("player", (TO_NAMIB,)), Entry("plan", (Take(),)))
    assert (turn.trail.asked, turn.trail.gathered) == ("over", ("nut",))
    assert turn.stopped is None


def test_what_comes_after_then_answers_the_next_decision() -> None:
    """44: there is no mammoth, so the boar is kept; two steps by plan, and the turn is over."""
    filed = plan(when("forest", "hunt then mammoth > most food"))
    trail = Trail(down={"namib": "forest"}, pieces=("hare", "deer", "boar"))
    turn = submit(trail, filed, TO_NAMIB)
    assert by_plan(turn) == [(Hunt(),), (Keep("boar"),)]
    assert turn.trail.asked == "over"
    assert turn.waiting is None


def test_a_plan_goes_on_with_the_other_explorer() -> None:
    """45: home to the alps, and then the other explorer to italy."""
    filed = plan(when("hut", "home alps then go italy"))
    turn = submit(Trail(down={"namib": "hut"}, explorers=("cape", "gobi")), filed, TO_NAMIB)
    assert turn.trail.explorers == ("alps", "italy")
    assert by_plan(turn) == [(Home("alps"),), (Go(1, "italy"),)]


def test_a_plan_stops_where_nothing_it_wishes_is_legal() -> None:
    """46: no bear is held; nothing is cooked, and a new plan may answer."""
    trail = Trail(down={"namib": "fire"}, held=("hare",))
    turn = submit(trail, plan(when("fire", "cook bear")), TO_NAMIB)
    assert turn.entries == (Entry("player", (TO_NAMIB,)),)
    assert turn.trail.held == ("hare",)
    assert turn.stopped is not None
    assert (turn.stopped.reason, turn.stopped.place) == (Reason.NOT_LEGAL, at(0))
    (refused,) = turn.stopped.passed_over
    assert isinstance(refused, RefusedWish)
    assert (refused.refusal.code, refused.refusal.context) == ("not_held", {"piece": "bear"})
    again = submit(turn.trail, plan(when("fire", "pass")))
    assert by_plan(again) == [(Pass(),)]


@pytest.mark.parametrize(("food", "done"), [(2, []), (0, [(Leave(),)])])
def test_guards_are_judged_when_the_line_is_consulted(
    food: int, done: list[tuple[Action, ...]]
) -> None:
    """47: with food at most 1 it is left for 2 food, else taken if it is a mushroom: an apple."""
    filed = plan(when("gathering", "2 food", branch("mushroom"), guard=Test("food", at_most=1)))
    turn = submit(Trail(down={"namib": "apple"}, food=food), filed, TO_NAMIB)
    assert by_plan(turn) == done
    if not done:
        assert turn.stopped is not None
        assert (turn.stopped.reason, turn.stopped.place) == (Reason.NOT_LEGAL, at(0, 1))
        unmet, refused = turn.stopped.passed_over
        assert unmet == UnmetGuard(line=0, branch=0, test=0)
        assert isinstance(refused, RefusedWish)
        assert refused.refusal.code == "other_kind"


def test_a_plan_speaks_before_the_default() -> None:
    """48: time is up. The default walks; the plan takes the root, and says nothing to a forest."""
    filed = plan(when("gathering", "take", branch("ask")))
    root = time_is_up(Trail(down={"namib": "root", "gobi": "hut"}), filed)
    assert [entry.cause for entry in root.entries] == ["default", "plan"]
    assert root.trail.gathered == ("root",)
    forest = time_is_up(Trail(down={"namib": "forest", "gobi": "hut"}), filed)
    assert [entry.cause for entry in forest.entries] == ["default", "default"]


# The rules of consulting, one by one.


def asked(**changes: object) -> Here:
    """At a mushroom in namib, or what is changed of that."""
    trail = Trail(up={"namib": "mushroom"}, explorers=("namib",), walked=(0,), asked="action")
    return Here(replace(trail, **changes))


def test_lines_are_read_from_top_to_bottom() -> None:
    filed = plan(when("fire", "pass"), when("anything", "ask"), when("mushroom", "take"))
    stopped = consult(filed, None, asked())
    assert stopped == Stopped(reason=Reason.ASKS, place=at(1), waiting=None)


def test_without_a_line_it_stops() -> None:
    filed = plan(when("fire", "pass"), when("mushroom", "take", guard=Test("held", at_least=1)))
    assert consult(filed, None, asked()) == Stopped(
        reason=Reason.NO_LINE,
        place=None,
        waiting=None,
        passed_over=(UnmetGuard(line=1, branch=0, test=0),),
    )


def test_a_line_without_a_guard_that_holds_is_passed_over() -> None:
    filed = plan(when("mushroom", "ask", guard=Test("held", at_least=1)), when("mushroom", "take"))
    answer = consult(filed, None, asked())
    assert isinstance(answer, Acted)
    assert answer.place == at(1)
    assert answer.passed_over == (UnmetGuard(line=0, branch=0, test=0),)


def test_the_next_branch_is_tried_if_nothing_is_legal_in_one() -> None:
    filed = plan(when("mushroom", "nut > apple", branch("2 food")), when("mushroom", "take"))
    answer = consult(filed, None, asked())
    assert isinstance(answer, Acted)
    assert (answer.place, answer.actions) == (at(0, 1), (Leave(),))
    refused = [each.place for each in answer.passed_over if isinstance(each, RefusedWish)]
    assert refused == [at(0), at(0, wish=1)]
    stopped = consult(plan(when("mushroom", "nut"), when("mushroom", "take")), None, asked())
    assert isinstance(stopped, Stopped)


def test_a_wish_of_several_actions_is_done_whole_or_not_at_all() -> None:
    at_fire = asked(up={"namib": "fire"}, held=("bear", "deer"))
    filed = plan(when("fire", "cook bear hare > cook all"))
    answer = consult(filed, None, at_fire)
    assert isinstance(answer, Acted)
    assert answer.actions == (Cook("bear"), Cook("deer"), Pass())


def test_what_waits_is_tried_before_all_lines() -> None:
    """Only if all that is wished for next is for this decision; until then it waits."""
    filed = plan(
        when("hut", "home cape then go italy > go gobi then take"),
        when("other", "default"),
        when("mushroom", "pass"),
        when("fire", "pass then take"),
    )
    waits = Waiting(line=0, branch=0, list=1)
    other = asked(explorers=("cape", "cape"), asked="go")
    answer = consult(filed, waits, other)
    assert isinstance(answer, Acted)
    assert (answer.place, answer.actions) == (at(0, 0, 1, 1), (Go(1, "gobi"),))
    assert answer.waiting == Waiting(line=0, branch=0, list=2)
    last = consult(filed, answer.waiting, asked())
    assert isinstance(last, Acted)
    assert (last.actions, last.waiting) == ((Take(),), None)
    passed = consult(filed, waits, asked())
    assert isinstance(passed, Acted)
    assert (passed.place, passed.waiting) == (at(2), waits)
    replaced = consult(filed, waits, asked(up={"namib": "fire"}))
    assert isinstance(replaced, Acted)
    assert replaced.waiting == Waiting(line=3, branch=0, list=1)


def test_what_waits_in_vain_stops_the_plan_and_waits_on() -> None:
    filed = plan(when("hut", "home cape then go italy"), when("other", "go namib"))
    waits = Waiting(line=0, branch=0, list=1)
    stopped = consult(filed, waits, asked(explorers=("cape", "cape"), asked="go"))
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, stopped.place) == (Reason.NOT_LEGAL, at(0, 0, 1))
    assert stopped.waiting == waits


def test_an_empty_wish_is_a_fault_of_the_game() -> None:
    class Idle(Here, frozen=True):
        def actions(self, wish: str) -> tuple[Action, ...]:
            return ()

    with pytest.raises(ValueError, match="no action"):
        consult(plan(when("mushroom", "take")), None, Idle(asked().trail))


@pytest.mark.parametrize(
    "text",
    [
        '{"lines":[{"event":"fire","branches":[]}]}',
        '{"lines":[{"event":"fire","branches":[{"lists":[]}]}]}',
        '{"lines":[{"event":"fire","branches":[{"lists":[["pass"],[]]}]}]}',
    ],
)
def test_a_plan_without_a_wish_where_there_must_be_one_is_not_read(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Plan)


# Explained.


def test_a_plan_is_explained_as_sentences() -> None:
    filed = plan(
        when("gathering", "2 food", branch("mushroom > nut"), guard=Test("food", at_most=1)),
        when("forest", "hunt then mammoth > most food"),
    )
    told = explain(filed, None, ["apple", "forest", "fire", "hut"], covers)
    gathering, forest = told.sentences
    assert [(case.otherwise, case.guard) for case in gathering.cases] == [
        (False, (Test("food", at_most=1),)),
        (True, ()),
    ]
    assert forest.cases[0].clauses == (
        Clause(role=Role.FIRST, wish="hunt"),
        Clause(role=Role.THEN, wish="mammoth"),
        Clause(role=Role.FAILING_THAT, wish="most food"),
    )
    assert (forest.line, forest.event, forest.reached) == (1, "forest", True)
    assert (told.conditional, told.uncovered, told.waiting) == ((), ("fire", "hut"), ())


def test_what_is_covered_on_a_condition_alone_is_told_apart() -> None:
    held = Test("held", at_least=1)
    filed = plan(when("fire", "cook all", guard=held), when("gathering", "take"))
    told = explain(filed, None, ["fire", "nut", "hut"], covers)
    assert (told.conditional, told.uncovered) == (("fire",), ("hut",))


def test_a_line_that_is_never_reached_is_told() -> None:
    filed = plan(
        when("mushroom", "take", guard=Test("food")),
        when("gathering", "take"),
        when("mushroom", "2 food"),
        when("fire", "pass"),
        when("anything", "ask"),
        when("hut", "home cape"),
    )
    told = explain(filed, None, EVENTS, covers)
    assert [each.reached for each in told.sentences] == [True, True, False, True, True, False]
    assert told.uncovered == ()


def test_what_waits_is_explained() -> None:
    filed = plan(when("hut", "home cape then go italy > go gobi then take"))
    told = explain(filed, Waiting(line=0, branch=0, list=1), [], covers)
    assert told.waiting == (
        Clause(role=Role.FIRST, wish="go italy"),
        Clause(role=Role.FAILING_THAT, wish="go gobi"),
        Clause(role=Role.THEN, wish="take"),
    )


SPOKEN: Mapping[str, Mapping[str, str]] = {
    "en": {
        "when": "When %s: ",
        "forest": "a forest is there",
        "hut": "a hut is revealed",
        "hunt": "hunt",
        "mammoth": "keep a mammoth",
        "bear": "keep a bear",
        "most food": "keep the most food",
        "failing bear": "a bear",
        "failing most food": "the most food",
        "home alps": "return to the alps",
        "go italy": "the other explorer goes to italy",
        "then": "; then ",
        "failing_that": ", failing that ",
        "end": ". In all other cases you are asked (not covered: %s).",
        "fire": "fire",
        "nut": "nuts",
    },
    "fr": {
        "when": "Quand %s : ",
        "forest": "il y a une forêt",
        "hut": "une hutte est révélée",
        "hunt": "chasser",
        "mammoth": "garder un mammouth",
        "bear": "garder un ours",
        "failing bear": "un ours",
        "failing most food": "le plus de nourriture",
        "home alps": "rentrer aux alpes",
        "go italy": "l'autre explorateur va en italie",
        "then": " ; puis ",
        "failing_that": ", à défaut ",
        "end": ". Dans tous les autres cas, on vous demande (rien n'est prévu pour : %s).",
        "fire": "feu",
        "nut": "noix",
    },
}


def spoken(filed: Plan, lang: str) -> str:
    """The plan in words, as templates may put it: nothing but the tree and a table of words."""
    words = SPOKEN[lang]
    told = explain(filed, None, ["fire", "forest", "nut", "hut"], covers)
    said = []
    for sentence in told.sentences:
        text = words["when"] % words[sentence.event]
        for clause in sentence.cases[0].clauses:
            failing = clause.role is Role.FAILING_THAT
            text += words.get(clause.role, "")
            text += words[f"failing {clause.wish}" if failing else clause.wish]
        said.append(text)
    return ". ".join(said) + words["end"] % ", ".join(words[each] for each in told.uncovered)


def test_an_explanation_has_what_a_sentence_needs_in_both_languages() -> None:
    """F§19.8: the first wish of a list is a whole clause, those failing it name only the thing."""
    filed = plan(
        when("forest", "hunt then mammoth > bear > most food"),
        when("hut", "home alps then go italy"),
    )
    assert spoken(filed, "en") == (
        "When a forest is there: hunt; then keep a mammoth, failing that a bear, failing that the "
        "most food. When a hut is revealed: return to the alps; then the other explorer goes to "
        "italy. In all other cases you are asked (not covered: fire, nuts)."
    )
    assert spoken(filed, "fr") == (
        "Quand il y a une forêt : chasser ; puis garder un mammouth, à défaut un ours, à défaut le "
        "plus de nourriture. Quand une hutte est révélée : rentrer aux alpes ; puis l'autre "
        "explorateur va en italie. Dans tous les autres cas, on vous demande (rien n'est prévu "
        "pour : feu, noix)."
    )


# Properties.

Case = tuple[Plan, Waiting | None, Trail]
KINDS = ("apple", "nut", "mushroom", "root", "forest", "fire", "hut")


def drawn_lists(whim: Random, number: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(whim.choices(WISHES, k=whim.randint(1, 4))) for _ in range(number))


def drawn_branch(whim: Random) -> Branch[Test, str]:
    amounts = whim.sample(["food", "space", "held"], whim.choice([0, 0, 1, 1, 2]))
    guard = tuple(Test(amount, whim.randint(0, 1), whim.randint(1, 3)) for amount in amounts)
    return Branch(guard=guard, lists=drawn_lists(whim, whim.randint(1, 3)))


def drawn_plan(whim: Random) -> Plan:
    return plan(
        *(
            When(
                event=whim.choice(EVENTS),
                branches=tuple(drawn_branch(whim) for _ in range(whim.randint(1, 3))),
            )
            for _ in range(whim.randint(0, 12))
        )
    )


def drawn_trail(whim: Random) -> Trail:
    """A position in which a tile has been turned over, or pieces are shown."""
    pieces = list(PIECES)
    trail = Trail(
        down={place: whim.choice(KINDS) for place in ROADS if place != "cape"},
        pieces=tuple(whim.choices(pieces, k=whim.randint(0, 3))),
        explorers=whim.choice([("cape",), ("cape", "gobi")]),
        food=whim.randint(0, 2),
        held=tuple(whim.choices(pieces, k=whim.randint(0, 2))),
    )
    trail, _ = apply(trail, Go(0, whim.choice(["namib", "gobi"])))
    if trail.here == "forest" and trail.pieces and whim.random() < 0.5:
        trail, _ = apply(trail, Hunt())
    return trail


@st.composite
def consulted(draw: st.DrawFn) -> Case:
    """Plans as uneven as any, which many small choices of their own would hardly make."""
    whim = draw(st.randoms(use_true_random=True))
    filed = drawn_plan(whim)
    waits = [
        Waiting(line=n, branch=b, list=at)
        for n, line in enumerate(filed.lines)
        for b, each in enumerate(line.branches)
        for at in range(1, len(each.lists))
    ]
    return filed, whim.choice([None, *waits[:3]]), drawn_trail(whim)


def legal(trail: Trail, wish: str) -> bool:
    """True if the wish can be done whole, by the rules of the game alone."""
    try:
        for action in Here(trail).actions(wish):
            trail, _ = apply(trail, action)
    except IllegalAction:
        return False
    return True


@given(consulted())
def test_only_what_is_legal_is_done(case: Case) -> None:
    filed, waiting, trail = case
    answer = consult(filed, waiting, Here(trail))
    if isinstance(answer, Acted):
        assert answer.actions
        for action in answer.actions:
            trail, _ = apply(trail, action)


@given(consulted())
def test_the_first_legal_wish_is_done(case: Case) -> None:
    """By the rules as they are written, gone through once more in the plainest way."""
    filed, waiting, trail = case
    here = Here(trail)
    answer = consult(filed, waiting, here)
    reached = answer.place
    acted = isinstance(answer, Acted)

    def wish_lists() -> list[tuple[int, int, int]]:
        if waiting is not None:
            next_ = filed.lines[waiting.line].branches[waiting.branch].lists[waiting.list]
            if all(here.belongs(wish) for wish in next_):
                return [(waiting.line, waiting.branch, waiting.list)]
        for n, line in enumerate(filed.lines):
            held = [
                (n, b, 0)
                for b, each in enumerate(line.branches)
                if here.fits(line.event) and all(map(here.holds, each.guard))
            ]
            if held:
                return held
        return []

    expected, found, asks = None, False, False
    for line, branch_, list_ in wish_lists():
        for n, wish in enumerate(filed.lines[line].branches[branch_].lists[list_]):
            if not found:
                expected = at(line, branch_, list_, n)
                asks = wish == "ask"
                found = asks or legal(trail, wish)
    assert reached == expected
    assert acted == (found and not asks)


@given(consulted())
def test_without_a_guard_that_holds_nothing_is_done(
    case: Case,
) -> None:
    filed, _, trail = case
    never = Test("food", at_least=9)
    guarded = Reactions(
        lines=tuple(
            replace(
                line,
                branches=tuple(replace(b, guard=(*b.guard, never)) for b in line.branches),
            )
            for line in filed.lines
        )
    )
    answer = consult(guarded, None, Here(trail))
    assert isinstance(answer, Stopped)
    assert (answer.reason, answer.place) == (Reason.NO_LINE, None)


@given(consulted(), st.randoms(use_true_random=True))
def test_the_answer_is_the_same_for_the_same_view(case: Case, whim: Random) -> None:
    """Whatever lies face down, and is in forests nobody looks into."""
    filed, waiting, trail = case
    other = replace(trail, down={place: whim.choice(KINDS) for place in trail.down})
    if trail.asked != "keep":
        pieces = tuple(whim.choices(list(PIECES), k=len(trail.pieces)))
        other = replace(other, pieces=pieces)
    assert view(other) == view(trail)
    assert consult(filed, waiting, Here(other)) == consult(filed, waiting, Here(trail))


@given(consulted())
def test_what_waits_is_of_the_plan(case: Case) -> None:
    """A stop leaves it as it was; after a step there are lists left where it says."""
    filed, waiting, trail = case
    answer = consult(filed, waiting, Here(trail))
    if isinstance(answer, Stopped):
        assert answer.waiting == waiting
    elif answer.waiting is not None:
        there = filed.lines[answer.waiting.line].branches[answer.waiting.branch]
        assert 0 < answer.waiting.list < len(there.lists)


@given(consulted())
def test_plans_and_answers_go_through_json(case: Case) -> None:
    filed, waiting, trail = case
    assert msgspec.json.decode(msgspec.json.encode(filed), type=Plan) == filed
    answer = consult(filed, waiting, Here(trail))
    read = msgspec.json.decode(msgspec.json.encode(answer), type=Acted[Action] | Stopped)
    assert read == answer


@given(consulted())
def test_an_explanation_has_every_wish_and_every_event(case: Case) -> None:
    filed, _, _ = case
    told = explain(filed, None, EVENTS, covers)
    for line, sentence in zip(filed.lines, told.sentences, strict=True):
        for each, told_case in zip(line.branches, sentence.cases, strict=True):
            clauses = told_case.clauses
            assert told_case.guard == each.guard
            assert [clause.wish for clause in clauses] == [w for ws in each.lists for w in ws]
            first = [clause.role is not Role.FAILING_THAT for clause in clauses]
            assert sum(first) == len(each.lists)
    for event in EVENTS:
        lines_for = [line for line in filed.lines if covers(line.event, event)]
        always = any(not b.guard for line in lines_for for b in line.branches)
        assert (event in told.uncovered) == (not lines_for)
        assert (event in told.conditional) == (bool(lines_for) and not always)

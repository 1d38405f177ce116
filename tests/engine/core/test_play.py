"""Submissions: taken whole, cut at a reveal, refused with the place of what is wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.chance import NoChance, SeededChance
from engine.journal import Position, fold, follow_plans
from engine.play import (
    Incomplete,
    NotYourDecision,
    Preview,
    advance,
    complete,
    decision_for,
    decision_of,
    planned,
    submit,
    texts,
)
from engine.protocol import Asks, Game, IllegalAction, PlanStep, seats_to_wait_for
from tests.engine.toy import GAME as TOY
from tests.engine.toy import ToyGame
from tests.engine.toy.actions import (
    Action,
    Bury,
    BuryLow,
    Camp,
    File,
    Line,
    Pick,
    Play,
    Rest,
    Watch,
    When,
)
from tests.engine.toy.state import State

GAME: Game[State, Any] = TOY
HILL, FORD = Camp(place="hill"), Camp(place="ford")
ABOUT_TO_ACT = State(
    rounds=1,
    deck=(9, 10, 11, 12),
    hands=((1, 2), (3, 4)),
    heaps=((), ()),
    discard=(),
    points=(2, 0),
    watches=("none", "none"),
    plans=((), ()),
    plays=(0, 0),
    first=0,
)
WATCHED = msgspec.structs.replace(ABOUT_TO_ACT, watches=("none", "hill"))
SEED = b"seed"
DUEL = msgspec.structs.replace(ABOUT_TO_ACT, turns=2, phase="duel")


def _submit(state: State, seat: int, decision: str, *actions: Action) -> State:
    return submit(GAME, state, seat, decision, actions, SeededChance(b"")).state


def test_a_whole_turn_is_one_submission() -> None:
    played = submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", [HILL, Rest()], NoChance())
    assert played.state.points == (3, 0)
    assert played.actions == (HILL, Rest())
    assert [e.kind for e in played.events] == ["camped", "rested"]
    assert (played.unplayed, played.revealed, played.remaining) == ((), False, None)
    assert not played.sealed


@pytest.mark.parametrize("decision", ["1.turn.1", "1.duel.0", "", "0.watch.1"])
def test_a_decision_that_is_not_open_or_not_ours(decision: str) -> None:
    with pytest.raises(NotYourDecision) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, decision, [HILL, Rest()], NoChance())
    assert (refused.value.seat, refused.value.decision) == (0, decision)
    with pytest.raises(NotYourDecision):
        decision_of(GAME, ABOUT_TO_ACT, 1, "1.turn.0")
    assert decision_of(GAME, ABOUT_TO_ACT, 0, "1.turn.0").kind == "camp"


def test_half_a_turn_is_incomplete() -> None:
    for actions, kind in (([], "camp"), ([HILL], "dig")):
        with pytest.raises(Incomplete) as refused:
            submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", actions, NoChance())
        assert refused.value.remaining.kind == kind


def test_half_a_turn_can_be_looked_at() -> None:
    played = advance(GAME, ABOUT_TO_ACT, 0, "1.turn.0", [HILL], NoChance())
    assert played.remaining is not None
    assert list(played.remaining.choices) == [Rest(), Pick()]


@pytest.mark.parametrize(
    ("actions", "index", "code"),
    [
        ([Rest()], 0, "out_of_order"),
        ([HILL, FORD], 1, "out_of_order"),
        ([HILL, Bury(card=1)], 1, "out_of_order"),
        ([HILL, Rest(), Rest()], 2, "turn_over"),
        ([Play(card=1)], 0, "not_your_turn"),
    ],
)
def test_an_illegal_action_is_named_by_its_place(
    actions: list[Action], index: int, code: str
) -> None:
    before = msgspec.json.encode(ABOUT_TO_ACT)
    with pytest.raises(IllegalAction) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", actions, NoChance())
    assert (refused.value.index, refused.value.code) == (index, code)
    assert msgspec.json.encode(ABOUT_TO_ACT) == before


def test_a_move_is_no_order() -> None:
    with pytest.raises(IllegalAction) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, "0.watch.0", [Watch(place="ford"), HILL], NoChance())
    assert (refused.value.index, refused.value.code) == (1, "other_decision")


ORDER = Watch(place="ford")
PLAN = File(lines=(Line(when="always", do=Pick()),))


@pytest.mark.parametrize(
    "actions",
    [[ORDER, PLAN, HILL, Rest()], [HILL, ORDER, Rest(), PLAN], [HILL, Rest(), ORDER, PLAN]],
)
def test_orders_travel_with_a_move_before_or_after_it(actions: list[Action]) -> None:
    played = submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", actions, NoChance())
    assert played.actions == (ORDER, PLAN, HILL, Rest())
    assert (played.orders, played.unplayed, played.sealed) == (2, (), False)
    assert played.turn == "1"
    assert played.state.watches == ("ford", "none")
    assert played.state.points == (3, 0)


def test_a_reveal_loses_no_order() -> None:
    actions = [HILL, Pick(), Bury(card=1), ORDER, Rest()]
    played = submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", actions, NoChance())
    assert played.revealed
    assert played.actions == (ORDER, HILL, Pick())
    assert played.unplayed == (Bury(card=1), Rest())
    assert played.state.watches == ("ford", "none")


def test_what_is_wrong_is_named_by_its_place_among_moves_and_orders() -> None:
    with pytest.raises(IllegalAction) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", [HILL, ORDER, FORD], NoChance())
    assert (refused.value.index, refused.value.code) == (2, "out_of_order")
    with pytest.raises(IllegalAction) as refused:
        submit(GAME, WATCHED, 1, "0.watch.1", [ORDER, Watch(place="ford")], NoChance())
    assert (refused.value.index, refused.value.code) == (1, "same_order")


def test_an_order_alone_makes_no_move() -> None:
    with pytest.raises(Incomplete) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", [ORDER], NoChance())
    assert refused.value.remaining.kind == "camp"
    with pytest.raises(Incomplete) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, "0.watch.0", [PLAN], NoChance())
    assert refused.value.remaining.kind == "watch"
    with pytest.raises(Incomplete):
        submit(GAME, ABOUT_TO_ACT, 0, "0.watch.0", [], NoChance())


def test_orders_alone_are_a_submission_for_the_first_of_them() -> None:
    def meant(*actions: Action) -> str:
        return decision_for(GAME, ABOUT_TO_ACT, 0, "1.turn.0", actions)

    assert meant(PLAN, ORDER) == "1.file.0"
    assert meant(ORDER, PLAN) == "0.watch.0"
    assert meant(ORDER, HILL, Rest()) == meant(HILL) == meant() == "1.turn.0"
    assert meant(Watch(place="none")) == "1.turn.0", "nothing to take back: no order"
    assert decision_for(GAME, ABOUT_TO_ACT, 1, "0.watch.1", [HILL]) == "0.watch.1"
    with pytest.raises(NotYourDecision):
        decision_for(GAME, ABOUT_TO_ACT, 1, "1.turn.0", [HILL])


def test_what_is_secret_is_no_part_of_what_is_not() -> None:
    """The duel follows the last turn of the round, within what players call a turn."""
    last = msgspec.structs.replace(ABOUT_TO_ACT, turns=1)
    with pytest.raises(IllegalAction) as refused:
        submit(GAME, last, 1, "1.turn.1", [HILL, Rest(), Play(card=3)], NoChance())
    assert (refused.value.index, refused.value.code) == (2, "turn_over")


def test_a_reveal_cuts_the_submission() -> None:
    actions = [HILL, Pick(), Bury(card=1)]
    played = submit(GAME, ABOUT_TO_ACT, 0, "1.turn.0", actions, NoChance())
    assert played.revealed
    assert played.actions == (HILL, Pick())
    assert played.unplayed == (Bury(card=1),)
    assert played.state.hands[0] == (1, 2, 9)
    assert played.remaining is None
    again = submit(GAME, played.state, 0, "1.bury.0", played.unplayed, NoChance())
    assert again.state.heaps[0] == (1,)
    assert again.sealed


def test_a_standing_order_is_given_out_of_turn_and_consulted_at_its_trigger() -> None:
    ordered = submit(GAME, ABOUT_TO_ACT, 1, "0.watch.1", [Watch(place="hill")], NoChance())
    assert (ordered.orders, ordered.turn, ordered.sealed) == (1, "", False)
    assert all(event.audience == (1,) for event in ordered.events)
    assert seats_to_wait_for(GAME.decisions(ordered.state)) == (0,)
    elsewhere = submit(GAME, ordered.state, 0, "1.turn.0", [FORD, Rest()], NoChance())
    assert elsewhere.state.points == (3, 0)
    caught = submit(GAME, ordered.state, 0, "1.turn.0", [HILL, Rest()], NoChance())
    assert caught.revealed
    assert caught.unplayed == (Rest(),)
    assert caught.state.points == (1, 1)
    assert caught.state.watches == ("none", "none")
    with pytest.raises(NotYourDecision):
        submit(GAME, caught.state, 0, "1.turn.0", [Rest()], NoChance())
    assert _submit(caught.state, 0, "1.dig.0", Rest()).points == (2, 1)


def test_an_order_is_replaced_under_the_same_id() -> None:
    assert _submit(WATCHED, 1, "0.watch.1", Watch(place="ford")).watches == ("none", "ford")
    withdrawn = _submit(WATCHED, 1, "0.watch.1", Watch(place="none"))
    assert withdrawn == ABOUT_TO_ACT


def test_a_sealed_answer_can_be_changed_until_the_last_is_in() -> None:
    laid = submit(GAME, DUEL, 1, "1.duel.1", [Play(card=3)], NoChance())
    assert laid.remaining is None
    assert decision_of(GAME, laid.state, 1, "1.duel.1").asks is Asks.MAY
    assert seats_to_wait_for(GAME.decisions(laid.state)) == (0,)
    changed = submit(GAME, laid.state, 1, "1.duel.1", [Play(card=4)], NoChance())
    assert changed.state.hands[1] == (3,)
    assert _submit(changed.state, 0, "1.duel.0", Play(card=2)).discard == (2, 4)


def test_a_turn_goes_on_in_the_next_decision_of_it() -> None:
    """A game may ask for its turn step by step; all the same it can be handed in at once."""
    game = StepByStep()
    whole = submit(game, ABOUT_TO_ACT, 0, "1.turn.0", [HILL, Rest()], NoChance())
    assert (whole.actions, whole.remaining) == ((HILL, Rest()), None)
    begun = submit(game, ABOUT_TO_ACT, 0, "1.turn.0", [HILL], NoChance())
    assert decision_of(game, begun.state, 0, "1.dig.0").turn == "1"
    assert submit(game, begun.state, 0, "1.dig.0", [Rest()], NoChance()).state == whole.state
    with pytest.raises(IllegalAction) as refused:
        submit(game, ABOUT_TO_ACT, 0, "1.turn.0", [HILL, Rest(), HILL], NoChance())
    assert (refused.value.index, refused.value.code) == (2, "turn_over")


class StepByStep(ToyGame):
    """The game of tests with a decision for each step of a turn."""

    def decisions(self, state: State) -> tuple[Any, ...]:
        return tuple(
            msgspec.structs.replace(d, id=f"{state.round}.dig.{d.seat}") if d.kind == "dig" else d
            for d in super().decisions(state)
        )


def test_sealed_submissions_may_come_in_any_order() -> None:
    first = _submit(_submit(DUEL, 0, "1.duel.0", Play(card=2)), 1, "1.duel.1", Play(card=3))
    second = _submit(_submit(DUEL, 1, "1.duel.1", Play(card=3)), 0, "1.duel.0", Play(card=2))
    assert first == second
    assert first.discard == (2, 3)
    assert first.hands == ((1, 9), (4, 10))


def test_a_sealed_choice_is_told_to_nobody_until_all_are_in() -> None:
    one = submit(GAME, DUEL, 1, "1.duel.1", [Play(card=3)], NoChance())
    assert one.sealed
    assert [(e.kind, e.audience) for e in one.events] == [("laid", (1,))]
    other = submit(GAME, DUEL, 1, "1.duel.1", [Play(card=4)], NoChance())
    for who in (0, None):
        assert GAME.view(one.state, who) == GAME.view(other.state, who) == GAME.view(DUEL, who)


def test_a_preview_tells_nothing_of_the_reveal() -> None:
    preview = Preview(GAME, ABOUT_TO_ACT, 0)
    camped = preview.step(preview.start, FORD)
    assert ([e.kind for e in camped.events], camped.reveals) == (["camped"], False)
    picked = preview.step(camped.state, Pick())
    assert (picked.events, picked.reveals) == ((), True)
    assert preview.complete(camped.state, "1.turn.0") == (Rest(),)


def test_a_preview_does_not_find_out_who_watches() -> None:
    for place in (HILL, FORD):
        free, watched = Preview(GAME, ABOUT_TO_ACT, 0), Preview(GAME, WATCHED, 0)
        one, other = free.step(free.start, place), watched.step(watched.start, place)
        assert GAME.view(one.state, 0) == GAME.view(other.state, 0)
        assert (one.events, one.reveals) == (other.events, other.reveals)


def test_a_preview_is_of_what_is_known_to_the_seat_alone() -> None:
    sealed = Preview(GAME, DUEL, 1)
    (told,) = sealed.step(sealed.start, Play(card=3)).events
    assert told.is_for(1)


def test_a_preview_refuses_what_the_rules_refuse() -> None:
    preview = Preview(GAME, ABOUT_TO_ACT, 0)
    with pytest.raises(IllegalAction):
        preview.step(preview.step(preview.start, FORD).state, FORD)


def test_the_default_completes_a_decision_from_anywhere() -> None:
    assert complete(GAME, ABOUT_TO_ACT, 0, "1.turn.0", NoChance()) == (HILL, Rest())
    begun = advance(GAME, ABOUT_TO_ACT, 0, "1.turn.0", [FORD], NoChance()).state
    assert complete(GAME, begun, 0, "1.turn.0", NoChance()) == (Rest(),)
    assert complete(GAME, WATCHED, 0, "1.turn.0", NoChance()) == (HILL,)
    assert complete(GAME, DUEL, 1, "1.duel.1", NoChance()) == (Play(card=3),)


def test_the_default_of_a_standing_order_is_none() -> None:
    assert complete(GAME, ABOUT_TO_ACT, 0, "0.watch.0", NoChance()) == ()
    assert complete(GAME, ABOUT_TO_ACT, 0, "gone", NoChance()) == ()


def test_each_action_is_written_where_it_is_played() -> None:
    assert texts(GAME, ABOUT_TO_ACT, 0, [HILL, Pick()], "en") == ("camp hill", "draw")
    assert texts(GAME, ABOUT_TO_ACT, 0, [FORD, Rest()], "fr") == ("campe gué", "repos")
    with pytest.raises(IllegalAction):
        texts(GAME, ABOUT_TO_ACT, 0, [Rest(), HILL], "en")


class InSteps(ToyGame):
    """The game of tests where who watches the wood has to say where else, too."""

    def decisions(self, state: State) -> tuple[Any, ...]:
        return tuple(
            msgspec.structs.replace(d, asks=Asks.MUST)
            if d.kind == "watch" and state.watches[d.seat] == "wood"
            else d
            for d in super().decisions(state)
        )


def test_an_order_in_steps_is_whole_or_refused() -> None:
    game = InSteps()
    begun = Watch(place="wood")
    for decision, actions in (
        ("0.watch.0", [begun]),
        ("1.turn.0", [begun, HILL, Rest()]),
        ("1.turn.0", [HILL, Pick(), begun]),
    ):
        with pytest.raises(Incomplete) as refused:
            submit(game, ABOUT_TO_ACT, 0, decision, actions, NoChance())
        assert refused.value.remaining.id == "0.watch.0"
    half = advance(game, ABOUT_TO_ACT, 0, "1.turn.0", [begun, HILL, Rest()], NoChance())
    assert (half.actions, half.unplayed) == ((begun,), (HILL, Rest()))
    whole = submit(game, ABOUT_TO_ACT, 0, "1.turn.0", [begun, HILL, ORDER, Rest()], NoChance())
    assert whole.actions == (begun, ORDER, HILL, Rest())


def _line(do: Camp | Rest | Pick | BuryLow, when: When = "always") -> Line:
    return Line(when=when, do=do)


def _filed(*lines: Line, **changes: Any) -> State:
    return msgspec.structs.replace(ABOUT_TO_ACT, plans=(lines, ()), **changes)


def _position(state: State) -> Position[State]:
    return Position(n=0, state=state, events=(), next_draw=0)


def test_a_plan_speaks_until_something_is_revealed() -> None:
    state = _filed(_line(BuryLow()), _line(Pick()), _line(FORD, "alone"))
    assert planned(GAME, state, 0) == (
        PlanStep(line=2, actions=(FORD,)),
        PlanStep(line=1, actions=(Pick(),)),
    )
    assert planned(GAME, ABOUT_TO_ACT, 0) == ()
    assert planned(GAME, state, 1) == ()


def test_each_reveal_within_a_plan_is_an_entry_of_one_turn() -> None:
    state = _filed(_line(FORD), _line(Pick()), _line(BuryLow()))
    made = list(follow_plans(GAME, _position(state), SEED))
    assert [(entry.decision, entry.cause) for entry, *_ in made] == [
        ("1.turn.0", "plan"),
        ("1.bury.0", "plan"),
    ]
    assert [[step.line for step in played.steps] for *_, played in made] == [[0, 1], [2]]
    assert {played.turn for *_, played in made} == {"1"}
    entries = [entry for entry, *_ in made]
    assert [reached for reached, _ in fold(GAME, _position(state), entries)] == [
        reached for _, reached, _ in made
    ]


def test_a_plan_without_an_answer_stops_and_asks() -> None:
    state = _filed(_line(FORD), _line(Rest(), "wolf"))
    ((entry, reached, _),) = follow_plans(StepByStep(), _position(state), SEED)
    assert entry.actions == ({"do": "camp", "place": "ford"},)
    assert reached.state.plans[0]
    assert seats_to_wait_for(GAME.decisions(reached.state)) == (0,)


def test_a_plan_for_half_of_a_decision_says_nothing() -> None:
    """What one decision takes is made whole, or asked."""
    state = _filed(_line(FORD), _line(Rest(), "wolf"))
    assert planned(GAME, state, 0) == ()
    assert not list(follow_plans(GAME, _position(state), SEED))


def test_a_line_goes_on_where_another_has_spoken() -> None:
    """A plan notes what it has said; a player who did the same by hand is asked."""
    state = _filed(_line(FORD), _line(Pick(), "then"), _line(BuryLow(), "then"))
    made = list(follow_plans(GAME, _position(state), SEED))
    assert [step.line for *_, played in made for step in played.steps] == [0, 1, 2]
    entries = [entry for entry, *_ in made]
    folded = list(fold(GAME, _position(state), entries))
    assert [reached for reached, _ in folded] == [reached for _, reached, _ in made]
    assert [played.steps for _, played in folded] == [played.steps for *_, played in made]
    by_hand = submit(GAME, state, 0, "1.turn.0", [FORD, Pick()], NoChance()).state
    assert not list(follow_plans(GAME, _position(by_hand), SEED))


def test_some_lines_speak_only_when_the_time_is_up() -> None:
    position = _position(_filed(_line(HILL, "late"), _line(Rest(), "late")))
    assert not list(follow_plans(GAME, position, SEED))
    ((entry, *_),) = follow_plans(GAME, position, SEED, expired={0})
    assert entry.actions == ({"do": "camp", "place": "hill"}, {"do": "rest"})
    assert not list(follow_plans(GAME, position, SEED, expired={0}, left={0}))


def test_the_plan_of_the_next_player_follows_at_once() -> None:
    state = msgspec.structs.replace(ABOUT_TO_ACT, plans=((), (_line(FORD), _line(Rest()))))
    played = submit(GAME, state, 0, "1.turn.0", [HILL, Rest()], NoChance())
    ((entry, reached, _),) = follow_plans(GAME, _position(played.state), SEED)
    assert (entry.seat, entry.cause) == (1, "plan")
    assert reached.state.phase == "duel"
    assert not any(reached.state.plans), "it expires with the turn"


def test_who_starved_is_told_now_and_all_may_lose() -> None:
    """T§6, T§8."""
    hungry = msgspec.structs.replace(DUEL, rounds=9, round=8, points=(0, 0), plays=(2, 0))
    played = submit(GAME, hungry, 1, "8.duel.1", [Play(card=3)], SeededChance(SEED))
    assert played.notify == (0, 1)
    assert GAME.in_play(played.state) == ()
    outcome = GAME.outcome(played.state)
    assert outcome is not None
    assert (outcome.winners, outcome.scores, outcome.termination) == ((), (0, 0), "starved")
    one = submit(
        GAME,
        msgspec.structs.replace(hungry, points=(7, 0)),
        1,
        "8.duel.1",
        [Play(card=3)],
        SeededChance(SEED),
    )
    assert played.notify == (0, 1)
    assert GAME.in_play(one.state) == (0,)
    outcome = GAME.outcome(one.state)
    assert outcome is not None
    assert (outcome.winners, outcome.termination) == ((0,), "last")

"""Submissions: taken whole, cut at a reveal, refused with the place of what is wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.chance import NoChance, SeededChance
from engine.play import (
    Incomplete,
    NotYourDecision,
    Preview,
    advance,
    complete,
    decision_of,
    submit,
    texts,
)
from engine.protocol import Game, IllegalAction, seats_to_wait_for
from tests.engine.toy import GAME as TOY
from tests.engine.toy.actions import Action, Bury, Camp, Pick, Play, Rest, Watch
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
    orders=(0, 0),
    plays=(0, 0),
    first=0,
)
WATCHED = msgspec.structs.replace(ABOUT_TO_ACT, watches=("none", "hill"), orders=(0, 1))
DUEL = msgspec.structs.replace(ABOUT_TO_ACT, turns=2, phase="duel")


def _submit(state: State, seat: int, decision: str, *actions: Action) -> State:
    return submit(GAME, state, seat, decision, actions, SeededChance(b"")).state


def test_a_whole_turn_is_one_submission() -> None:
    played = submit(GAME, ABOUT_TO_ACT, 0, "t1.0", [HILL, Rest()], NoChance())
    assert played.state.points == (3, 0)
    assert played.actions == (HILL, Rest())
    assert [e.kind for e in played.events] == ["camped", "rested"]
    assert (played.unplayed, played.revealed, played.remaining) == ((), False, None)
    assert not played.sealed


@pytest.mark.parametrize("decision", ["t1.1", "d1.0", "", "w1.0"])
def test_a_decision_that_is_not_open_or_not_ours(decision: str) -> None:
    with pytest.raises(NotYourDecision) as refused:
        submit(GAME, ABOUT_TO_ACT, 0, decision, [HILL, Rest()], NoChance())
    assert (refused.value.seat, refused.value.decision) == (0, decision)
    with pytest.raises(NotYourDecision):
        decision_of(GAME, ABOUT_TO_ACT, 1, "t1.0")
    assert decision_of(GAME, ABOUT_TO_ACT, 0, "t1.0").kind == "camp"


def test_half_a_turn_is_incomplete() -> None:
    for actions, kind in (([], "camp"), ([HILL], "dig")):
        with pytest.raises(Incomplete) as refused:
            submit(GAME, ABOUT_TO_ACT, 0, "t1.0", actions, NoChance())
        assert refused.value.remaining.kind == kind


def test_half_a_turn_can_be_looked_at() -> None:
    played = advance(GAME, ABOUT_TO_ACT, 0, "t1.0", [HILL], NoChance())
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
        submit(GAME, ABOUT_TO_ACT, 0, "t1.0", actions, NoChance())
    assert (refused.value.index, refused.value.code) == (index, code)
    assert msgspec.json.encode(ABOUT_TO_ACT) == before


def test_an_action_of_another_open_decision_is_refused() -> None:
    for decision, actions, index in (
        ("w0.0", [HILL, Rest()], 0),
        ("t1.0", [HILL, Watch(place="ford")], 1),
    ):
        with pytest.raises(IllegalAction) as refused:
            submit(GAME, ABOUT_TO_ACT, 0, decision, actions, NoChance())
        assert (refused.value.index, refused.value.code) == (index, "other_decision")


def test_a_reveal_cuts_the_submission() -> None:
    actions = [HILL, Pick(), Bury(card=1)]
    played = submit(GAME, ABOUT_TO_ACT, 0, "t1.0", actions, NoChance())
    assert played.revealed
    assert played.actions == (HILL, Pick())
    assert played.unplayed == (Bury(card=1),)
    assert played.state.hands[0] == (1, 2, 9)
    assert played.remaining is None
    again = submit(GAME, played.state, 0, "t1.0.bury", played.unplayed, NoChance())
    assert again.state.heaps[0] == (1,)
    assert again.sealed


def test_a_standing_order_is_given_out_of_turn_and_consulted_at_its_trigger() -> None:
    ordered = submit(GAME, ABOUT_TO_ACT, 1, "w1.0", [Watch(place="hill")], NoChance())
    assert ordered.sealed
    assert all(event.audience == (1,) for event in ordered.events)
    assert seats_to_wait_for(GAME.decisions(ordered.state)) == (0,)
    elsewhere = submit(GAME, ordered.state, 0, "t1.0", [FORD, Rest()], NoChance())
    assert elsewhere.state.points == (3, 0)
    caught = submit(GAME, ordered.state, 0, "t1.0", [HILL, Rest()], NoChance())
    assert caught.revealed
    assert caught.unplayed == (Rest(),)
    assert caught.state.points == (1, 1)
    assert caught.state.watches == ("none", "none")
    with pytest.raises(NotYourDecision):
        submit(GAME, caught.state, 0, "t1.0", [Rest()], NoChance())
    assert _submit(caught.state, 0, "t1.0.dig", Rest()).points == (2, 1)


def test_an_order_once_given_is_replaced_by_another_decision() -> None:
    with pytest.raises(NotYourDecision):
        submit(GAME, WATCHED, 1, "w1.0", [Watch(place="ford")], NoChance())
    assert _submit(WATCHED, 1, "w1.1", Watch(place="ford")).watches == ("none", "ford")


def test_sealed_submissions_may_come_in_any_order() -> None:
    first = _submit(_submit(DUEL, 0, "d1.0", Play(card=2)), 1, "d1.1", Play(card=3))
    second = _submit(_submit(DUEL, 1, "d1.1", Play(card=3)), 0, "d1.0", Play(card=2))
    assert first == second
    assert first.discard == (2, 3)
    assert first.hands == ((1, 9), (4, 10))


def test_a_sealed_choice_is_told_to_nobody_until_all_are_in() -> None:
    one = submit(GAME, DUEL, 1, "d1.1", [Play(card=3)], NoChance())
    assert one.sealed
    assert [(e.kind, e.data) for e in one.events] == [("laid", {})]
    other = submit(GAME, DUEL, 1, "d1.1", [Play(card=4)], NoChance())
    for who in (0, None):
        assert GAME.view(one.state, who) == GAME.view(other.state, who)


def test_a_preview_tells_nothing_of_the_reveal() -> None:
    preview = Preview(GAME, ABOUT_TO_ACT, 0)
    camped = preview.step(preview.start, FORD)
    assert ([e.kind for e in camped.events], camped.reveals) == (["camped"], False)
    picked = preview.step(camped.state, Pick())
    assert (picked.events, picked.reveals) == ((), True)
    assert preview.complete(camped.state, "t1.0") == (Rest(),)


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
    assert complete(GAME, ABOUT_TO_ACT, 0, "t1.0", NoChance()) == (HILL, Rest())
    begun = advance(GAME, ABOUT_TO_ACT, 0, "t1.0", [FORD], NoChance()).state
    assert complete(GAME, begun, 0, "t1.0", NoChance()) == (Rest(),)
    assert complete(GAME, WATCHED, 0, "t1.0", NoChance()) == (HILL,)
    assert complete(GAME, DUEL, 1, "d1.1", NoChance()) == (Play(card=3),)


def test_the_default_of_a_standing_order_is_none() -> None:
    assert complete(GAME, ABOUT_TO_ACT, 0, "w0.0", NoChance()) == ()
    assert complete(GAME, ABOUT_TO_ACT, 0, "gone", NoChance()) == ()


def test_each_action_is_written_where_it_is_played() -> None:
    assert texts(GAME, ABOUT_TO_ACT, 0, [HILL, Pick()], "en") == ("camp hill", "draw")
    assert texts(GAME, ABOUT_TO_ACT, 0, [FORD, Rest()], "fr") == ("campe gué", "repos")
    with pytest.raises(IllegalAction):
        texts(GAME, ABOUT_TO_ACT, 0, [Rest(), HILL], "en")

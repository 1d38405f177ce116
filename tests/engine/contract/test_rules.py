"""What every game promises about decisions and actions (engine.protocol)."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.protocol import IllegalAction
from tests.engine.contract.walks import GAMES, Moment, at_every_table, frozen, met, sample, walk

pytestmark = at_every_table
SPARE = b"drawn and thrown away"


def test_somebody_may_act_exactly_while_there_is_no_outcome(key: str, seats: int) -> None:
    game = GAMES[key]
    for number in range(3):
        moments = walk(key, seats, number)
        for moment in moments[:-1]:
            assert game.outcome(moment.state) is None
            assert any(d.blocks for d in game.decisions(moment.state))
        outcome = game.outcome(moments[-1].state)
        assert outcome is not None
        assert game.decisions(moments[-1].state) == ()
        assert len(outcome.scores) == seats
        assert game.scores(moments[-1].state) == outcome.scores
        assert all(len(game.scores(moment.state)) == seats for moment in moments)
        assert set(outcome.winners) <= set(range(seats))


def test_a_decision_names_its_seat_and_rule_and_offers_something(key: str, seats: int) -> None:
    for moment in walk(key, seats, 1)[:-1]:
        decisions = GAMES[key].decisions(moment.state)
        assert len({d.id for d in decisions}) == len(decisions)
        for decision in decisions:
            assert decision.seat in range(seats)
            assert decision.kind
            assert "§" in decision.rule
            assert next(iter(decision.choices), None) is not None
            assert re.fullmatch(r"[A-Za-z0-9._:-]{1,32}", decision.id), "as links have them"
            assert decision.turn or not decision.blocks
            assert decision.sealed or decision.blocks


def test_a_decision_once_made_never_comes_back(key: str, seats: int) -> None:
    gone: set[str] = set()
    before: set[str] = set()
    for moment in walk(key, seats, 2):
        now = {d.id for d in GAMES[key].decisions(moment.state)}
        gone |= before - now
        assert not now & gone
        before = now


def test_what_others_do_changes_no_id(key: str, seats: int) -> None:
    """What is the same question in the same turn has the same id, whatever others did."""
    for number in range(3):
        for moment in walk(key, seats, number)[:-1]:
            assert moment.decision is not None
            assert moment.step is not None
            asked = [
                {(d.seat, d.turn, d.kind): d.id for d in GAMES[key].decisions(state)}
                for state in (moment.state, moment.step.state)
            ]
            for (seat, turn, kind), id_ in asked[0].items():
                if seat != moment.decision.seat:
                    assert asked[1].get((seat, turn, kind), id_) == id_


def test_what_reveals_leaves_no_more_of_its_decision(key: str, seats: int) -> None:
    for moment in walk(key, seats, 0)[:-1]:
        assert moment.step is not None
        assert moment.decision is not None
        if moment.step.reveals:
            after = GAMES[key].decisions(moment.step.state)
            assert moment.decision.id not in {d.id for d in after}


def test_iteration_and_membership_agree(key: str, seats: int) -> None:
    for moment in sample(key, seats, 0, 25):
        for decision in GAMES[key].decisions(moment.state):
            offered = list(decision.choices)
            keys = {frozen(action) for action in offered}
            assert len(keys) == len(offered)
            assert all(action in decision.choices for action in offered[:200])
            for action in met(key):
                listed = frozen(action) in keys
                assert (action in decision.choices) == listed or (decision.open and not listed)
            assert object() not in decision.choices


def test_what_is_offered_is_accepted(key: str, seats: int) -> None:
    for moment in sample(key, seats, 1, 25):
        before = frozen(moment.state)
        for decision in GAMES[key].decisions(moment.state):
            for action in list(decision.choices)[:200]:
                step = GAMES[key].apply(moment.state, decision.seat, action, SeededChance(SPARE))
                assert frozen(step.state) != before
        assert frozen(moment.state) == before


def test_what_is_not_offered_is_refused_without_a_trace(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in [*sample(key, seats, 1, 25), walk(key, seats, 1)[-1]]:
        before = frozen(moment.state)
        for seat in range(seats):
            choices = [d.choices for d in game.decisions(moment.state) if d.seat == seat]
            for action in met(key):
                if any(action in offered for offered in choices):
                    continue
                with pytest.raises(IllegalAction) as refused:
                    game.apply(moment.state, seat, action, SeededChance(SPARE))
                assert refused.value.code
                assert "§" in refused.value.rule
                frozen(refused.value.context)
        assert frozen(moment.state) == before


def test_applying_is_a_function(key: str, seats: int) -> None:
    for moment in sample(key, seats, 2, 40):
        before = frozen(moment.state)
        first, second = (_again(key, moment) for _ in range(2))
        assert frozen(first) == frozen(second) == frozen(moment.step)
        assert frozen(moment.state) == before


def _again(key: str, moment: Moment) -> Any:
    assert moment.decision is not None
    start = moment.draws[0].index if moment.draws else 0
    chance = SeededChance(seed_of_number(2), start)
    return GAMES[key].apply(moment.state, moment.decision.seat, moment.action, chance)


def test_only_a_step_that_reveals_draws(key: str, seats: int) -> None:
    for moment in walk(key, seats, 0)[:-1]:
        assert moment.step is not None
        assert moment.step.reveals or not moment.draws
        if not moment.draws:
            assert moment.decision is not None
            GAMES[key].apply(moment.state, moment.decision.seat, moment.action, NoChance())


def test_states_actions_and_events_go_through_json(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in walk(key, seats, 0)[:-1]:
        assert moment.step is not None
        state = msgspec.json.decode(frozen(moment.state), type=game.state_type)
        assert state == moment.state
        action = msgspec.json.decode(frozen(moment.action), type=game.action_type)
        assert action == moment.action
        assert type(action) is type(moment.action)
        for event in moment.step.events:
            assert event.kind
            assert event.audience is None or set(event.audience) <= set(range(seats))
            assert all(event.is_for(seat) and seat in range(seats) for seat in event.notify)
            _whole(msgspec.json.decode(frozen(event.data)))


def test_views_hold_no_fractions(key: str, seats: int) -> None:
    for moment in walk(key, seats, 1):
        for seat in (None, *range(seats)):
            _whole(msgspec.json.decode(frozen(GAMES[key].view(moment.state, seat))))


def _whole(value: Any) -> None:
    assert not isinstance(value, float)
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            _whole(inner)


def test_a_table_of_another_size_is_refused(key: str, seats: int) -> None:
    game = GAMES[key]
    for wrong in (min(game.seats) - 1, max(game.seats) + 1):
        with pytest.raises(ValueError, match=str(wrong)):
            game.setup(wrong, game.options_type(), SeededChance(SPARE))


def test_options_go_through_json(key: str, seats: int) -> None:
    options = GAMES[key].options_type()
    again = msgspec.json.decode(frozen(options), type=GAMES[key].options_type)
    assert again == options
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"no such option": 1}', type=GAMES[key].options_type)

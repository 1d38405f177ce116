"""What every game promises about orders: what a seat may decide or leave, and nobody waits for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.play import (
    Incomplete,
    Played,
    complete,
    decision_for,
    planned,
    submit,
    submit_planned,
    texts,
)
from engine.protocol import Decision, Game, HasOrders, HasPlans, IllegalAction
from tests.engine.contract.walks import GAMES, Moment, at_every_table, frozen, sample, walk

pytestmark = at_every_table
SPARE = b"drawn and thrown away"


def _orders(key: str, moment: Moment) -> Iterator[tuple[Decision[Any], tuple[Any, ...]]]:
    """What may be filed at this moment, each a whole submission."""
    game = GAMES[key]
    for decision in game.decisions(moment.state):
        if not decision.blocks:
            for action in islice(decision.choices, 4):
                yield decision, _whole(game, moment.state, decision, action)


def _whole(game: Game[Any, Any], state: Any, decision: Decision[Any], action: Any) -> Any:
    actions = [action]
    for _ in range(20):
        try:
            submit(game, state, decision.seat, decision.id, actions, NoChance())
        except Incomplete as begun:
            actions.append(next(iter(begun.remaining.choices)))
        else:
            return tuple(actions)
    raise AssertionError(f"{decision.kind}: no order within 20 steps")


def _filed(key: str, moment: Moment, decision: Decision[Any], actions: Any) -> Played[Any, Any]:
    return submit(GAMES[key], moment.state, decision.seat, decision.id, actions, NoChance())


def _others(key: str, state: Any, seat: int) -> list[bytes]:
    """All that anybody but this seat sees and is asked."""
    game = GAMES[key]
    seats = range(len(game.scores(state)))
    shown = [frozen(game.view(state, who)) for who in (None, *seats) if who != seat]
    asked = [
        (d.id, d.turn, d.seat, d.kind, d.rule, d.asks, d.open, d.sealed, list(d.choices))
        for d in game.decisions(state)
        if d.seat != seat
    ]
    return [*shown, frozen(asked), frozen((game.in_play(state), game.scores(state)))]


def test_an_order_is_secret_and_silent(key: str, seats: int) -> None:
    for moment in sample(key, seats, 0, 15):
        for decision, actions in _orders(key, moment):
            filed = _filed(key, moment, decision, actions)
            assert not filed.revealed
            assert filed.orders == len(actions)
            for event in filed.events:
                assert event.audience == (decision.seat,)
                assert not event.notify
            seen = _others(key, moment.state, decision.seat)
            assert _others(key, filed.state, decision.seat) == seen


def test_what_is_on_file_is_what_was_filed(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 0, 15):
        for decision, actions in _orders(key, moment):
            assert isinstance(game, HasOrders)
            before = {f.decision: f.actions for f in game.filed(moment.state, decision.seat)}
            state = _filed(key, moment, decision, actions).state
            own = {d.id for d in game.decisions(state) if d.seat == decision.seat}
            found = {f.decision: f.actions for f in game.filed(state, decision.seat)}
            assert set(found) <= own
            # What withdraws an order leaves none on file; orders that add up stand side by side.
            kept = found.pop(decision.id, actions)
            assert all(action in kept for action in actions)
            before.pop(decision.id, None)
            assert found == before


def test_what_is_on_file_can_be_written_down(key: str, seats: int) -> None:
    game = GAMES[key]
    if not isinstance(game, HasOrders):
        return
    for moment in sample(key, seats, 0, 15):
        for decision, actions in _orders(key, moment):
            state = _filed(key, moment, decision, actions).state
            for filed in game.filed(state, decision.seat):
                for action in filed.actions:
                    for lang in ("en", "fr"):
                        assert game.notation.format(state, decision.seat, action, lang)


def test_an_order_leaves_what_the_seat_itself_must_decide(key: str, seats: int) -> None:
    """As far as it does not say more than it said, it is asked the same under the same ids."""
    game = GAMES[key]
    for moment in sample(key, seats, 1, 15):
        for decision, actions in _orders(key, moment):
            filed = _filed(key, moment, decision, actions)
            for state in (moment.state, filed.state):
                must = [d for d in game.decisions(state) if d.seat == decision.seat and d.blocks]
                assert [d.id for d in must] == [
                    d.id
                    for d in game.decisions(moment.state)
                    if d.seat == decision.seat and d.blocks
                ]


def test_an_order_can_be_replaced_under_its_id(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 0, 15):
        for decision, actions in _orders(key, moment):
            filed = _filed(key, moment, decision, actions)
            again = next(d for d in game.decisions(filed.state) if d.id == decision.id)
            assert not again.blocks
            other = next(iter(again.choices), None)
            if other is not None:
                whole = _whole(game, filed.state, again, other)
                submit(game, filed.state, again.seat, again.id, whole, NoChance())


def test_only_what_must_be_decided_has_a_default(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 2, 20):
        for decision in game.decisions(moment.state):
            spare = SeededChance(SPARE)
            turn = complete(game, moment.state, decision.seat, decision.id, spare)
            assert bool(turn) == decision.blocks


def test_an_order_travels_with_a_move(key: str, seats: int) -> None:
    """Before or after it, and past a reveal: the same as if it had been filed just before."""
    game = GAMES[key]
    for moment in sample(key, seats, 3, 15):
        must = {d.seat: d for d in reversed(game.decisions(moment.state)) if d.blocks}
        for decision, actions in _orders(key, moment):
            asked = must.get(decision.seat)
            if asked is None:
                continue
            turn = game.suggestions(moment.state, asked.seat, 1)[0]
            filed = _filed(key, moment, decision, actions).state
            alone = submit(game, filed, asked.seat, asked.id, turn, SeededChance(SPARE))
            for whole in ((*actions, *turn), (*turn, *actions), (turn[0], *actions, *turn[1:])):
                played = submit(
                    game, moment.state, asked.seat, asked.id, whole, SeededChance(SPARE)
                )
                assert frozen(played.state) == frozen(alone.state)
                assert played.actions == (*actions, *alone.actions)
                assert (played.unplayed, played.turn) == (alone.unplayed, asked.turn)
                assert played.orders == len(actions)
                assert decision_for(game, moment.state, asked.seat, asked.id, whole) == asked.id
            texts(game, moment.state, asked.seat, played.actions, "en")
            assert decision_for(game, moment.state, asked.seat, asked.id, actions) == decision.id


def test_a_wrong_order_stops_the_whole_submission(key: str, seats: int) -> None:
    """Whatever the move it came with would reveal: nothing is played."""
    game = GAMES[key]
    for moment in sample(key, seats, 2, 15):
        must = {d.seat: d for d in reversed(game.decisions(moment.state)) if d.blocks}
        for decision, actions in _orders(key, moment):
            asked = must.get(decision.seat)
            if asked is None:
                continue
            turn = game.suggestions(moment.state, asked.seat, 1)[0]
            if submit(game, moment.state, asked.seat, asked.id, turn, SeededChance(SPARE)).revealed:
                continue  # a move after a reveal is not played, and said so
            with pytest.raises(IllegalAction) as refused:
                whole = (*actions, *turn, *turn)
                submit(game, moment.state, asked.seat, asked.id, whole, SeededChance(SPARE))
            assert refused.value.index >= len(actions)


def test_a_game_with_orders_publishes_them_at_the_end(key: str, seats: int) -> None:
    """Without those that were never used nobody could verify its record."""
    game = GAMES[key]
    filed = any(
        not d.blocks for moment in walk(key, seats, 0) for d in game.decisions(moment.state)
    )
    assert game.publishes_orders or not filed


def test_a_plan_speaks_for_its_seat_alone_by_what_it_knows(key: str, seats: int) -> None:
    game = GAMES[key]
    if not isinstance(game, HasPlans):
        assert planned(game, walk(key, seats, 0)[0].state, 0) == ()
        return
    spoken = 0
    for moment in [m for number in range(4) for m in sample(key, seats, number, 4)]:
        for decision, actions in [(None, ()), *_orders(key, moment)]:
            state = moment.state
            if decision is not None:
                state = _filed(key, moment, decision, actions).state
            for asked in (d for d in game.decisions(state) if d.blocks):
                spoken += sum(_says(game, state, asked, expired) for expired in (False, True))
    assert spoken


def _says(game: Any, state: Any, asked: Decision[Any], expired: bool) -> bool:
    """True if a plan answers; what it says is legal, and the same whatever the seat cannot know."""
    answer = game.planned(state, asked.seat, expired=expired)
    for number in range(4):
        guess = game.guess(state, asked.seat, SeededChance(seed_of_number(number)))
        assert game.planned(guess, asked.seat, expired=expired) == answer
    steps = planned(game, state, asked.seat, expired=expired)
    said = tuple(action for step in steps for action in step.actions)
    if said:
        noted = game.plan_used(state, asked.seat, steps[0])
        assert _others(game.key, noted, asked.seat) == _others(game.key, state, asked.seat)
        spare = SeededChance(SPARE)
        played = submit_planned(game, state, asked.seat, asked.id, steps, spare)
        assert (played.actions, played.unplayed, played.steps) == (said, (), steps)
    return bool(said)

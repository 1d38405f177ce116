"""What no game may tell: a seat sees the same whatever it cannot know."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import SeededChance, seed_of_number
from engine.play import Preview
from engine.protocol import IllegalAction
from tests.engine.contract.walks import GAMES, at_every_table, frozen, met, sample, walk

pytestmark = at_every_table


def _guesses(key: str, state: Any, seat: int) -> list[Any]:
    return [
        GAMES[key].guess(state, seat, SeededChance(seed_of_number(number))) for number in range(3)
    ]


def _asked(key: str, state: Any, seat: int) -> list[tuple[Any, ...]]:
    return [
        (d.id, d.kind, d.turn, d.rule, d.asks, d.open, d.sealed, [frozen(a) for a in d.choices])
        for d in GAMES[key].decisions(state)
        if d.seat == seat
    ]


def test_a_guess_looks_the_same_to_its_seat(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in [*sample(key, seats, 0, 30), walk(key, seats, 0)[-1]]:
        before = frozen(moment.state)
        for seat in range(seats):
            for guess in _guesses(key, moment.state, seat):
                for who in (seat, None):
                    assert game.view(guess, who) == game.view(moment.state, who)
        assert frozen(moment.state) == before


def test_a_guess_draws_anew_what_is_hidden(key: str, seats: int) -> None:
    """Guesses differ from each other in what comes to light, with the same draws, in a game that
    hides anything.
    """
    game, brought_to_light, found = GAMES[key], 0, 0
    for moment in walk(key, seats, 0)[:-1]:
        assert moment.step is not None
        assert moment.decision is not None
        if not moment.step.reveals:
            continue
        brought_to_light += not moment.draws
        seat, seen = moment.decision.seat, set()
        for guess in _guesses(key, moment.state, seat):
            step = game.apply(guess, seat, moment.action, SeededChance(seed_of_number(1)))
            seen.add(frozen(game.view(step.state, seat)))
        found += len(seen) > 1
    assert found or not brought_to_light


def test_what_a_seat_is_asked_depends_on_what_it_knows(key: str, seats: int) -> None:
    for moment in sample(key, seats, 1, 20):
        for seat in range(seats):
            asked = _asked(key, moment.state, seat)
            for guess in _guesses(key, moment.state, seat):
                assert _asked(key, guess, seat) == asked


def test_what_a_seat_may_file_and_is_refused_depends_on_what_it_knows(key: str, seats: int) -> None:
    """Also of what no list shows: the members of open choices, and what stands in errors."""
    for moment in sample(key, seats, 2, 8):
        for seat in range(seats):
            answers = _answers(key, moment.state, seat)
            for guess in _guesses(key, moment.state, seat):
                assert _answers(key, guess, seat) == answers


def _answers(key: str, state: Any, seat: int) -> list[Any]:
    """What comes of trying actions of all kinds: taken by which decision, or refused how."""
    game = GAMES[key]
    answers: list[Any] = []
    for action in met(key):
        own = [d for d in game.decisions(state) if d.seat == seat]
        takers = [d.id for d in own if action in d.choices]
        answers.append(takers)
        if not takers:
            with pytest.raises(IllegalAction) as refused:
                game.apply(state, seat, action, SeededChance(seed_of_number(1)))
            error = refused.value
            answers.append((error.code, error.rule, frozen(error.context)))
    return answers


def test_what_is_sealed_tells_others_nothing_until_all_is_in(key: str, seats: int) -> None:
    """Not even that it was decided, where several are asked together."""
    game = GAMES[key]
    for number in range(3):
        for moment in walk(key, seats, number)[:-1]:
            assert moment.decision is not None
            assert moment.step is not None
            turn = (moment.decision.turn, moment.decision.kind)
            together = {d.seat for d in game.decisions(moment.state) if (d.turn, d.kind) == turn}
            if not moment.decision.sealed or moment.step.reveals or len(together) == 1:
                continue
            for who in {None, *range(seats)} - {moment.decision.seat}:
                assert not [e for e in moment.step.events if e.is_for(who)]
                assert game.view(moment.step.state, who) == game.view(moment.state, who)
                assert [d.id for d in game.decisions(moment.step.state) if d.seat == who] == [
                    d.id for d in game.decisions(moment.state) if d.seat == who
                ]


def test_advice_depends_on_what_the_seat_knows(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 2, 20):
        for seat in {d.seat for d in game.decisions(moment.state) if d.blocks}:
            advice = game.default(moment.state, seat), game.suggestions(moment.state, seat, 4)
            for guess in _guesses(key, moment.state, seat):
                assert game.default(guess, seat) == advice[0]
                assert game.suggestions(guess, seat, 4) == advice[1]


def test_a_step_that_reveals_nothing_tells_nothing(key: str, seats: int) -> None:
    """The others' views of it are the same as if the unseen were otherwise."""
    game = GAMES[key]
    for moment in sample(key, seats, 0, 40):
        assert moment.step is not None
        assert moment.decision is not None
        seat = moment.decision.seat
        for guess in _guesses(key, moment.state, seat):
            spare = SeededChance(seed_of_number(1))
            other = game.apply(guess, seat, moment.action, spare)
            if moment.step.reveals or other.reveals:
                continue
            for who in (seat, None):
                told = [e for e in moment.step.events if e.is_for(who)]
                assert [e for e in other.events if e.is_for(who)] == told
                assert game.view(other.state, who) == game.view(moment.step.state, who)


def test_a_preview_is_the_same_whatever_is_hidden(key: str, seats: int) -> None:
    game = GAMES[key]
    for moment in sample(key, seats, 3, 20):
        seat = next(d.seat for d in game.decisions(moment.state) if d.blocks)
        for actions in game.suggestions(moment.state, seat, 2):
            seen = _previewed(key, moment.state, seat, actions)
            assert seen
            for guess in _guesses(key, moment.state, seat):
                assert _previewed(key, guess, seat, actions) == seen


def _previewed(key: str, state: Any, seat: int, actions: tuple[Any, ...]) -> list[Any]:
    """What a seat is shown of actions: the events of each with the view after it, the reveal."""
    game = GAMES[key]
    shown: list[Any] = []
    preview = Preview(game, state, seat)
    at = preview.start
    for action in actions:
        step = preview.step(at, action)
        if step.reveals:
            known = (
                None
                if step.state_before_reveal is None
                else game.view(step.state_before_reveal, seat)
            )
            return [*shown, step.events, known]
        at = step.state
        shown.append((step.events, game.view(at, seat)))
    return shown

"""The players that are programs: legal, blind to what is hidden, and of the strength they claim."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec
import pytest

from bench.bots import duel
from engine.bots import ask, chance_of
from engine.chance import SeededChance, seed_of_number
from engine.kit.bots.suggesting import FEW
from engine.play import submit
from engine.sapiens import GAME
from engine.sapiens.actions import Abandon, Lay, Out, RemoveBear, Token, Water
from engine.sapiens.bots import planner
from engine.sapiens.bots.greedy import finish
from engine.sapiens.legality import Choices
from engine.sapiens.state import STUCK, State
from tests.engine.contract.walks import spread
from tests.engine.sapiens.positions import board, position

AS_MANY = 5
"""Of each match every fifth turn is tried under other deals; every one by `make test-all`."""


def play_out(seats: int, number: int, bots: list[str]) -> list[State]:
    """The positions of a game of these bots in which a turn begins."""
    seed = seed_of_number(number)
    chance = SeededChance(seed)
    state = GAME.setup(seats, GAME.options_type(), chance).state
    found = []
    while decisions := GAME.decisions(state):
        found.append(state)
        seat = decisions[0].seat
        pondering = chance_of(seed, seat, len(found))
        turn = ask(GAME, bots[seat % len(bots)], state, decisions[0], pondering)
        state = submit(GAME, state, seat, decisions[0].id, turn, chance).state
    return found


@cache
def alone(bot: str, seats: int) -> list[State]:
    """A game of one bot in all seats."""
    return play_out(seats, 5, [bot])


@pytest.mark.rarely(4)
@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.rarely), 4])
@pytest.mark.parametrize("bot", sorted(GAME.bots))
def test_a_bot_plays_whole_legal_turns_to_the_end(bot: str, seats: int) -> None:
    assert len(alone(bot, seats)) >= 2 * seats


@pytest.mark.rarely("planner")
@pytest.mark.slow
@pytest.mark.parametrize("bot", sorted(GAME.bots))
def test_a_bot_is_the_same_for_the_same_chance(bot: str) -> None:
    assert alone(bot, 2) == play_out(2, 5, [bot])


@pytest.mark.slow
@pytest.mark.parametrize("every", [AS_MANY, pytest.param(1, marks=pytest.mark.rarely)])
@pytest.mark.parametrize("bot", ["greedy", "planner"])
def test_a_bot_does_not_see_the_stack(bot: str, every: int) -> None:
    """What it plays does not change when the tiles nobody has seen are dealt otherwise."""
    seed = bytes(32)
    for at, state in list(enumerate(play_out(2, 11, ["greedy"])))[::every]:
        (decision,) = GAME.decisions(state)
        turns = {
            GAME.bots[bot](
                GAME.guess(state, decision.seat, SeededChance(bytes([k]) * 32)),
                decision,
                chance_of(seed, decision.seat, at),
            )
            for k in range(3)
        }
        assert len(turns) == 1


def test_planner_keeps_to_its_budget_of_positions() -> None:
    """It may be exceeded by what is looked at in any case: each placement, and one line."""
    for state in play_out(4, 6, ["greedy"])[::3]:
        seat = state.turn.seat
        frugal, thorough = (planner.search_turn(state, budget) for budget in (500, 3000))
        assert frugal.visited < 900
        assert thorough.visited < 3400
        assert frugal.visited <= thorough.visited
        for found in (frugal, thorough):
            decision = GAME.decisions(state)[0].id
            submit(GAME, state, seat, decision, finish(found.line).actions, SeededChance(bytes(32)))


@pytest.mark.parametrize(("number", "seat"), [(3, 0), (18, 1)])
def test_planner_keeps_a_place_to_lay_or_a_cave_to_open(number: int, seat: int) -> None:
    # Points of now are not worth the turns of who is out (S§11.4).
    bots = ["greedy", "greedy"]
    bots[seat] = "planner"
    assert not any(state.players[seat].out for state in play_out(2, number, bots))


CORNER = ("feast-camp.1 A5 B5",)
WALL = ("A1", "C1", "E1", "H1", "C5", "E5", "H5", "A2", "H2")
"""Feast and camp in the lower left of L1a and R1a; squares whose bears close every other cave."""


@pytest.mark.parametrize(("claimed", "verb"), [("water", Water), ("fire", RemoveBear)])
def test_planner_gets_out_of_a_dead_end_by_a_token(claimed: str, verb: type) -> None:
    mover = board(CORNER, pool=["hunt-fire.1"], bears=WALL, claimed=[claimed])
    state = position(mover, board(), common=["feast-ritual.1"], phase=STUCK)
    assert {type(choice) for choice in Choices(state)} == {Token, Out}
    (decision,) = GAME.decisions(state)
    token, laid, *_ = planner.play(state, decision, SeededChance(bytes(32)))
    assert isinstance(token, Token)
    assert isinstance(token.effect, verb)
    assert isinstance(laid, Lay | Abandon)


@pytest.mark.slow
@pytest.mark.rarely
def test_planner_beats_greedy_and_greedy_beats_random() -> None:
    """bench/bots.py has the figures over 100 games; this is what a broken bot would not pass."""
    assert duel("sapiens", "planner", "greedy", 12, 2, 100).won > 6
    assert duel("sapiens", "planner", "greedy", 9, 3, 100).won > 3
    assert duel("sapiens", "greedy", "random", 12, 2, 100).won > 9


MOVES = {
    "greedy": "045bdc969470272b",
    "planner": "79bd2df3696dabec",
    "random": "d266773f4f288eb6",
    "suggestions": "11679871dfd0bed7",
}
"""The beginning of the SHA-256 of the moves in `drawn()`, as JSON. docs/bots.md measured the bots
that make these: who changes them on purpose measures again."""


@cache
def drawn() -> list[State]:
    """About 200 positions of random play, most of them in the middle of a turn."""
    walks = ((seats, number) for seats in (2, 3, 4) for number in range(4))
    return [m.state for seats, n in walks for m in spread("sapiens", seats, n, 17)]


@pytest.mark.rarely("planner")
@pytest.mark.slow
@pytest.mark.parametrize("bot", sorted(GAME.bots))
def test_a_bot_makes_the_moves_that_were_measured(bot: str) -> None:
    made = hashlib.sha256()
    for number, state in enumerate(drawn()):
        (decision,) = GAME.decisions(state)
        chance = chance_of(seed_of_number(number), decision.seat, number)
        made.update(msgspec.json.encode(GAME.bots[bot](state, decision, chance)))
    assert made.hexdigest()[:16] == MOVES[bot]


@pytest.mark.slow
def test_suggestions_are_what_they_were_when_bots_were_measured() -> None:
    made = hashlib.sha256()
    for state in drawn():
        made.update(msgspec.json.encode(GAME.suggestions(state, state.turn.seat, 4)))
    assert made.hexdigest()[:16] == MOVES["suggestions"]


@pytest.mark.parametrize("seats", [2, 4])
def test_suggestions_are_whole_turns_on_different_squares(seats: int) -> None:
    """Two are on the same, with another tile, where there is no other place."""
    for state in play_out(seats, 3, ["greedy"]):
        seat = GAME.decisions(state)[0].seat
        turns = GAME.suggestions(state, seat, 4)
        assert 1 <= len(turns) <= 4
        places = []
        for turn in turns:
            submit(GAME, state, seat, GAME.decisions(state)[0].id, turn, SeededChance(bytes(32)))
            laid = next((a for a in turn if isinstance(a, Lay | Abandon)), None)
            places.append(frozenset((laid.first, laid.second)) if laid else None)
        assert len(set(places)) == len(places) or len(places) == FEW


def test_near_twins_come_after_what_differs_more() -> None:
    """The same scenes on squares that overlap are offered only when nothing else is left."""
    for state in play_out(2, 3, ["greedy"]):
        placed = []
        for turn in GAME.suggestions(state, GAME.decisions(state)[0].seat, 12):
            laid = next((a for a in turn if isinstance(a, Lay | Abandon)), None)
            if laid is not None:
                placed.append((laid.tile.partition(".")[0], {laid.first, laid.second}))
        twins = [
            any(tile == other and squares & there for other, there in placed[:at])
            for at, (tile, squares) in enumerate(placed)
        ]
        assert twins == sorted(twins)


def test_the_first_suggestion_is_a_strong_turn() -> None:
    """Whoever takes it every time leaves the random bot far behind."""
    own, others = 0, 0
    for number in range(6):
        seed = seed_of_number(number)
        state = GAME.setup(2, GAME.options_type(), SeededChance(seed)).state
        while decisions := GAME.decisions(state):
            seat = decisions[0].seat
            turn = (
                GAME.suggestions(state, seat, 4)[0]
                if seat == 0
                else ask(
                    GAME, "random", state, decisions[0], chance_of(seed, seat, state.turn.number)
                )
            )
            state = submit(GAME, state, seat, decisions[0].id, turn, SeededChance(seed)).state
        outcome = GAME.outcome(state)
        assert outcome is not None
        own += outcome.scores[0]
        others += outcome.scores[1]
    assert own > 1.5 * others


def test_suggestions_in_the_middle_of_a_turn_finish_it() -> None:
    state = play_out(2, 3, ["greedy"])[8]
    seat = state.turn.seat
    (first, *rest) = GAME.suggestions(state, seat, 1)[0]
    middle = GAME.apply(state, seat, first, SeededChance(bytes(32))).state
    (turn,) = GAME.suggestions(middle, seat, 4)
    assert turn == tuple(rest)


def test_suggestions_do_not_depend_on_what_is_hidden() -> None:
    for state in play_out(2, 4, ["greedy"])[::4]:
        seat = state.turn.seat
        guessed = GAME.guess(state, seat, SeededChance(bytes(32)))
        assert GAME.suggestions(state, seat, 4) == GAME.suggestions(guessed, seat, 4)


def test_no_suggestion_is_asked_for() -> None:
    state = play_out(2, 3, ["greedy"])[4]
    assert GAME.suggestions(state, GAME.decisions(state)[0].seat, 0) == ()

"""Nim by its rules: N§1 to N§4, and the bot that wins wherever it can."""

from __future__ import annotations

import pytest

from engine.chance import NoChance, SeededChance
from engine.protocol import IllegalAction
from tests.engine.nim import GAME
from tests.engine.nim.rules import HEAPS, Options, State, Take, apply, outcome

SPARE = SeededChance(bytes(32))


def at(*heaps: int, seat: int = 0, last_loses: bool = False) -> State:
    return State(options=Options(last_loses=last_loses), heaps=heaps, seat=seat, taken=3)


def test_n1_lots_decide_who_begins() -> None:
    begun = {GAME.setup(2, Options(), SeededChance(bytes([n]) * 32)).state for n in range(9)}
    assert {state.seat for state in begun} == {0, 1}
    assert {state.heaps for state in begun} == {HEAPS}


def test_n2_stones_are_taken_from_one_heap() -> None:
    step = apply(at(3, 4, 5), 0, Take("B", 3))
    assert (step.state.heaps, step.state.seat) == ((3, 1, 5), 1)


@pytest.mark.parametrize(
    ("seat", "take", "code"),
    [
        (1, Take("A", 1), "not_your_turn"),
        (0, Take("D", 1), "no_such_heap"),
        (0, Take("AB", 1), "no_such_heap"),
        (0, Take("A", 0), "not_so_many"),
        (0, Take("A", 4), "not_so_many"),
    ],
)
def test_n2_what_cannot_be_taken(seat: int, take: Take, code: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        apply(at(3, 4, 5), seat, take)
    assert refused.value.code == code


@pytest.mark.parametrize(("last_loses", "winner"), [(False, 0), (True, 1)])
def test_n3_n4_the_last_stone_wins_or_loses(last_loses: bool, winner: int) -> None:
    step = apply(at(0, 1, 0, last_loses=last_loses), 0, Take("B", 1))
    ended = outcome(step.state)
    assert ended is not None
    assert ended.winners == (winner,)
    assert [event.kind for event in step.events] == ["took", "won"]


@pytest.mark.parametrize("last_loses", [False, True])
@pytest.mark.parametrize("other", ["random", "clever"])
def test_who_plays_well_wins_from_a_winning_position(last_loses: bool, other: str) -> None:
    """Heaps of 3, 4 and 5 are one for who begins."""
    state = at(3, 4, 5, last_loses=last_loses)
    while outcome(state) is None:
        (decision,) = GAME.decisions(state)
        bot = GAME.bots["clever" if state.seat == 0 else other]
        (take,) = bot(state, decision, SPARE)
        state = GAME.apply(state, state.seat, take, NoChance()).state
    ended = outcome(state)
    assert ended is not None
    assert ended.winners == (0,)


@pytest.mark.parametrize(
    ("text", "read"),
    [("take 2 A", Take("A", 2)), ("Prends 5", Take("C", 5)), ("t 1 b", Take("B", 1))],
)
def test_what_is_left_out_is_completed_where_one_way_is_legal(text: str, read: Take) -> None:
    assert GAME.notation.parse(at(3, 4, 5), 0, text, "en") == (read,)

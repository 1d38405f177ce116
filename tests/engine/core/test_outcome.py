"""How a game ended, for those who were in it."""

from __future__ import annotations

from engine.protocol import Outcome


def test_a_winner_is_ahead_of_everybody_whatever_the_points() -> None:
    ended = Outcome(winners=(2,), scores=(7, 9, 5, 7), termination="normal")
    assert [ended.ahead_of(seat) for seat in range(4)] == [2, 1, 0, 2]


def test_who_has_left_is_ahead_of_nobody() -> None:
    ended = Outcome(winners=(0,), scores=(7, 9, 5), termination="normal")
    assert ended.ahead_of(2, without=[1]) == 1

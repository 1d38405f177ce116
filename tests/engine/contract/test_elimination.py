"""What every game promises about who is still in play (engine.protocol.Game.in_play)."""

from __future__ import annotations

from tests.engine.contract.walks import GAMES, TABLES, at_every_table, walk

WALKS = 8


@at_every_table
def test_who_is_eliminated_is_asked_nothing_and_does_not_come_back(key: str, seats: int) -> None:
    game = GAMES[key]
    for number in range(WALKS):
        before = tuple(range(seats))
        for moment in walk(key, seats, number):
            here = game.in_play(moment.state)
            assert set(here) <= set(before)
            assert list(here) == sorted(set(here))
            assert {d.seat for d in game.decisions(moment.state)} <= set(here)
            before = here


@at_every_table
def test_who_is_eliminated_is_told_at_once(key: str, seats: int) -> None:
    game = GAMES[key]
    for number in range(WALKS):
        for moment in walk(key, seats, number)[:-1]:
            assert moment.step is not None
            lost = set(game.in_play(moment.state)) - set(game.in_play(moment.step.state))
            told = {seat for event in moment.step.events for seat in event.notify}
            assert lost <= told


@at_every_table
def test_only_who_is_in_play_wins(key: str, seats: int) -> None:
    game = GAMES[key]
    for number in range(WALKS):
        state = walk(key, seats, number)[-1].state
        outcome = game.outcome(state)
        assert outcome is not None
        assert set(outcome.winners) <= set(game.in_play(state))
        assert outcome.winners or not game.in_play(state)


def test_some_game_eliminates() -> None:
    assert any(
        len(GAMES[key].in_play(walk(key, seats, number)[-1].state)) < seats
        for key, seats in TABLES
        for number in range(WALKS)
    )

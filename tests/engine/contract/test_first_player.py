"""What a game promises whose table may say who begins (engine.protocol.HasFirstPlayer)."""

from __future__ import annotations

from engine.chance import SeededChance, seed_of_number
from engine.protocol import HasFirstPlayer
from tests.engine.contract.walks import GAMES, TABLES, at, walk

MAY_SAY = [(key, seats) for key, seats in TABLES if isinstance(GAMES[key], HasFirstPlayer)]


@at(MAY_SAY)
def test_who_is_named_begins_and_else_chance_decides(key: str, seats: int) -> None:
    game = GAMES[key]
    assert isinstance(game, HasFirstPlayer)
    options = game.options_type()
    assert game.begun_by(options) is None
    for seat in range(seats):
        named = game.with_first(options, seat)
        assert game.begun_by(named) == seat
        state = game.setup(seats, named, SeededChance(seed_of_number(3))).state
        assert game.first_player(state) == seat
        assert next(d.seat for d in game.decisions(state) if d.blocks) == seat
    assert game.with_first(game.with_first(options, 1), None) == options


@at(MAY_SAY)
def test_who_began_is_known_to_the_end(key: str, seats: int) -> None:
    game = GAMES[key]
    assert isinstance(game, HasFirstPlayer)
    assert len({game.first_player(moment.state) for moment in walk(key, seats, 1)}) == 1


def test_some_game_has_it() -> None:
    assert MAY_SAY

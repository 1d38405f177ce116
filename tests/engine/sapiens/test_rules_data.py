"""S§1.3: another set of half boards takes the place of the shipped one."""

from __future__ import annotations

import msgspec
import pytest

from engine.chance import SeededChance, seed_hash, seed_of_number
from engine.journal import begin, replay
from engine.protocol import DataError, Game, TakesData
from engine.sapiens import GAME
from engine.sapiens.actions import Action
from engine.sapiens.halves_file import SHIPPED_HALVES
from engine.sapiens.state import State
from tests.engine.sapiens.test_rules_components import SHIPPED_TEXT

MEADOWS = SHIPPED_TEXT.replace("f1", "p1").replace("f2", "p2").replace("f3", "p3")
"""The shipped boards without any forest."""


def test_the_game_is_one_of_the_protocol() -> None:
    game: Game[State, Action] = GAME  # for the type checker
    assert game.key == "sapiens"
    assert list(game.seats) == [2, 3, 4]


def test_the_game_takes_a_file() -> None:
    assert isinstance(GAME, TakesData)
    game = GAME.with_data(MEADOWS, "meadows.toml")
    assert game.key == GAME.key
    state = game.setup(3, game.options_type(), SeededChance(b"")).state
    assert all("f" not in row for player in state.players for row in player.valley.rows)
    state = GAME.setup(3, GAME.options_type(), SeededChance(b"")).state
    assert any("f" in row for player in state.players for row in player.valley.rows)


def test_a_match_keeps_its_own_boards() -> None:
    game = GAME.with_data(MEADOWS, "meadows.toml")
    seed = seed_of_number(1)
    setup, position = begin(game, 2, game.options_type(), seed, seed_hash(seed))
    stored = msgspec.json.decode(msgspec.json.encode(setup), type=type(setup))
    # Another set of boards in use later, or the shipped ones, does not matter to it.
    for later in (game, GAME):
        assert [reached.state for reached in replay(later, stored, [])] == [position.state]


def test_its_options_may_restrict_the_faces() -> None:
    game = GAME.with_data(MEADOWS, "meadows.toml")
    faces = [half.id for half in SHIPPED_HALVES if half.id.endswith("b")]
    options = msgspec.convert({"faces": faces}, game.options_type)
    state = game.setup(4, options, SeededChance(b"")).state
    assert {player.valley.left for player in state.players} == {"L1b", "L2b", "L3b", "L4b"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"faces": faces, "expert": True}, game.options_type)


def test_a_wrong_file_is_refused_with_its_line() -> None:
    with pytest.raises(DataError) as raised:
        GAME.with_data(MEADOWS.replace("p3", "p9", 1), "meadows.toml")
    assert str(raised.value).startswith("meadows.toml, line 5: bad_row")

"""What every game says of itself before a table is open."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import games
from service.render.templating import environment


@pytest.mark.parametrize("key", list(games()))
def test_a_game_tells_what_opening_a_table_needs(key: str, lang: str) -> None:
    pitch: Any = environment(lang).get_template(f"games/{key}/pitch.txt").module
    assert pitch.title()
    assert pitch.weight()
    assert pitch.pitch().endswith(".")
    assert int(pitch.turns()) > 0


@pytest.mark.parametrize("key", list(games()))
def test_a_game_says_how_strong_each_of_its_bots_is(key: str, lang: str) -> None:
    pitch: Any = environment(lang).get_template(f"games/{key}/pitch.txt").module
    bots = games()[key].bots
    assert bots
    assert len({pitch.bot(bot) for bot in bots} - {""}) == len(bots)

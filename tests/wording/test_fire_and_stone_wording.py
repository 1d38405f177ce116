"""Words of Fire & Stone for people."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.fire_and_stone import actions as do
from service.render.templating import environment


def words(name: str, lang: str) -> Any:
    return environment(lang).get_template(f"games/fire_and_stone/{name}.txt").module


@pytest.mark.parametrize(
    ("lang", "pieces", "said"),
    [
        ("en", ("ibex",), "Keep the ibex: 1 bag and 3 food when cooked"),
        ("fr", ("bear",), "Garder l’ours : 2 sacs et 1 de nourriture une fois préparé"),
        (
            "fr",
            ("hare", "boar"),
            "Garder le lièvre et le sanglier : 7 de nourriture une fois préparés",
        ),
    ],
)
def test_f7_2_a_tile_to_keep_says_what_it_gives(
    lang: str, pieces: tuple[str, ...], said: str
) -> None:
    action = msgspec.to_builtins(do.Keep(pieces=pieces))
    assert str(words("actions", lang).said(action)).replace("\N{NO-BREAK SPACE}", " ") == said


def test_the_game_of_a_forest_is_counted() -> None:
    met = ("fowl", "fowl", "ibex")
    assert str(words("game", "en").herd(met)) == "two wildfowl and an ibex"
    assert str(words("game", "fr").herd(met)) == "deux gibiers à plumes et un bouquetin"

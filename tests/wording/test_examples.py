"""The drawn examples of the rules page are played by the rules: what they show is what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.sapiens import GAME
from engine.sapiens.actions import (
    Action,
    Camp,
    Claim,
    Feast,
    Fight,
    Hunt,
    Lay,
    Picking,
    PutBear,
    Water,
)
from engine.sapiens.components import SCENES
from service.render.templating import LANGUAGES, environment
from tests.engine.sapiens.positions import board, play, position

MODULE: Any = environment("en").get_template("games/sapiens/examples.svg").module
EXAMPLES: dict[str, dict[str, Any]] = MODULE.EXAMPLES


def lying(*tiles: tuple[str, str, str]) -> list[str]:
    return [" ".join(tile) for tile in tiles]


def bonus(scene: str, one: dict[str, Any]) -> Action:
    """What is done with the bonus in the picture."""
    if scene == "feast":
        tile, first, second = one["more"]
        return Feast(tile=tile, first=first, second=second)
    made: dict[str, Callable[[], Action]] = {
        "picking": Picking,
        "ritual": lambda: Claim(place=MODULE.CAVE["place"]),
        "fight": lambda: Fight(tile=one["on"]),
        "water": lambda: Water(give=one["give"], get=one["got"]),
        "camp": Camp,
        "hunt": lambda: Hunt(convert=one["steaks"] + 1),
        "fire": lambda: PutBear(board=1, square=one["bear"]),
    }
    return made[scene]()


def test_every_scene_has_its_example() -> None:
    assert list(EXAMPLES) == list(SCENES)


@pytest.mark.parametrize("scene", SCENES)
def test_the_example_brings_what_it_says(scene: str) -> None:
    one = EXAMPLES[scene]
    tile, first, second = one["laid"]
    mine = [tile]
    mine += [one["more"][0]] if "more" in one else []
    mine += [one["give"]] if "give" in one else []
    spare = ["picking-ritual.1", "picking-ritual.2", "picking-ritual.3", "feast-picking.1"]
    there = one.get("there", ())
    state = position(
        board(
            lying(one["lies"]),
            pool=[*mine, *spare][:4],
            steaks=one.get("steaks", 0),
            tokens={MODULE.CAVE["place"]: one.get("token", "feast")},
        ),
        board(lying(*there)),
        common=[name for name in (one.get("on"), one.get("got"), "feast-camp.2") if name],
    )
    reached, _ = play(state, Lay(tile=tile, first=first, second=second), bonus(scene, one))
    assert reached.players[0].fp == one["fp"]
    assert reached.players[0].sp == one["sp"]


def test_the_strip_is_of_the_board_it_says() -> None:
    view: Any = GAME.view(position(board(), board()), None)
    shown = view.players[0].board
    for number, squares in MODULE.ROWS.items():
        assert shown.rows[number - 1].split()[:5] == squares
    (cave,) = [cave for cave in shown.caves if cave.name == MODULE.CAVE["place"]]
    assert (cave.high, cave.low) == (MODULE.CAVE["high"], MODULE.CAVE["low"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_example_is_drawn_and_told(lang: str) -> None:
    module: Any = environment(lang).get_template("games/sapiens/examples.svg").module
    drawn = {scene: str(module.example(scene)) for scene in SCENES}
    for scene, source in drawn.items():
        assert source.count("<figure") == source.count("<figcaption>") == 1
        assert f'href="#s-{scene}"' in source
        assert "+3" in source
    assert len(set(drawn.values())) == len(SCENES)

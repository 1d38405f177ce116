"""The lesson of Sapiens: what its words say of each position is so (templates, `learn.html`)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import games
from engine.kit.lessons import HasLesson, Illustration
from engine.sapiens.presentation.layout import AT


@pytest.fixture(scope="module")
def steps() -> dict[str, Illustration]:
    game = games()["sapiens"]
    assert isinstance(game, HasLesson)
    names = ["Ana", "Bruno"]
    return {step.name: step for step in (*game.lesson(names), game.labelled(names))}


def board(step: Illustration) -> dict[str, Any]:
    found: dict[str, Any] = step.view["players"][0]["board"]
    return found


def cave(step: Illustration, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(hole for hole in board(step)["caves"] if hole["name"] == name)
    return found


def ground(step: Illustration, square: str) -> str:
    column, row = AT[square]
    found: str = board(step)["rows"][row - 1].split()[column - 1]
    return found


def lies(step: Illustration) -> dict[str, str]:
    """The scenes of the pupil's tiles by place."""
    found: dict[str, str] = {}
    for tile in board(step)["tiles"]:
        first, second = tile["tile"].split(".")[0].split("-")
        found |= {tile["first"]: first, tile["second"]: second}
    return found


def told(step: Illustration, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e["data"] for e in step.events if e["kind"] == kind)
    return found


def test_the_valley_is_empty_and_has_what_is_pointed_at(steps: dict[str, Illustration]) -> None:
    step = steps["valley"]
    assert not lies(step)
    assert ground(step, "F2")[1] == "3"
    assert cave(step, "H3E")["token"] == "hunt"
    assert board(step)["waterfalls"]["WL"]


def test_the_first_tile_takes_the_token_and_no_food(steps: dict[str, Illustration]) -> None:
    step = steps["first_tile"]
    assert lies(step) == {"H3E": "hunt", "H3": "fire"}
    assert told(step, "laid")["fp"] == 0
    assert told(step, "token_claimed")["scene"] == "hunt"
    assert told(step, "cave_scored")["sp"] == cave(steps["valley"], "H3E")["high"]
    assert list(step.view["players"][0]["claimed"]) == ["hunt"]


def test_one_scene_is_connected_and_earns_its_square(steps: dict[str, Illustration]) -> None:
    step = steps["connected"]
    assert lies(step) == {"H3E": "hunt", "H3": "fire", "F3": "ritual", "G3": "fire"}
    (connected,) = told(step, "laid")["connected"]
    assert (connected["scene"], connected["square"]) == ("fire", "G3")
    assert int(ground(step, "G3")[1]) == told(step, "laid")["fp"]


def test_more_food_would_raise_the_score(steps: dict[str, Illustration]) -> None:
    own = steps["score"].view["players"][0]
    assert own["fp"] < own["sp"]


def test_a_ritual_takes_the_token_of_a_cave(steps: dict[str, Illustration]) -> None:
    step = steps["bonuses"]
    assert lies(step)["F2"] == lies(step)["F3"] == "ritual"
    (connected,) = told(step, "laid")["connected"]
    assert (connected["scene"], connected["square"]) == ("ritual", "F2")
    claimed = told(step, "token_claimed")
    assert (claimed["place"], claimed["by"]) == ("A5W", "ritual")
    assert cave(steps["valley"], "A5W")["token"]
    assert not cave(step, "A5W")["token"]


def test_a_token_is_in_hand_beside_four_tiles(steps: dict[str, Illustration]) -> None:
    own = steps["tokens"].view["players"][0]
    assert list(own["claimed"]) == ["camp"], "won by the ritual of the step before"
    assert own["steaks"] == 1, "the token of the first cave has been played"
    assert len(own["pool"]) == 4


def test_the_end_is_lost_with_more_food(steps: dict[str, Illustration]) -> None:
    step = steps["end"]
    over, (own, other) = told(step, "over"), step.view["players"]
    assert list(over["winners"]) == [1]
    assert own["fp"] > other["fp"]
    assert min(own["fp"], own["sp"]) < min(other["fp"], other["sp"])
    assert own["sp"] < own["fp"]
    assert step.view["common"] in ((), [])
    assert step.view["stack"] == 0


def test_the_labelled_board_has_a_bear_and_both_kinds_of_caves(
    steps: dict[str, Illustration],
) -> None:
    step = steps["labelled"]
    assert "G2" in board(step)["bears"]
    assert cave(step, "D1N")["token"]
    assert not cave(step, "A5W")["token"]
    assert "A5" not in lies(step)
    assert "A2" not in lies(step)
    assert {"E2", "F2"} <= set(lies(step))

"""The presentation of Fire & Stone: what it counts and draws is so."""

from __future__ import annotations

import json
from math import dist
from pathlib import Path

import msgspec
import pytest

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import maps
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.setup import Options
from engine.kit.presentation import Marks, Wanted
from engine.kit.scene import Arrow, Mark, MarkKind
from engine.play import submit

FOLDER = Path(__file__).parents[2] / "fixtures" / "games" / "fire_and_stone"
ENDS = sorted(FOLDER.glob("*.jsonl"))[::4]


@pytest.mark.parametrize("path", ENDS, ids=lambda path: path.stem)
def test_f14_points_of_a_view_are_the_scores(path: Path) -> None:
    head, *entries = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    options = msgspec.convert(head["options"], Options)
    chance = SeededChance(seed_of_number(head["seed"]))
    state = GAME.setup(head["seats"], options, chance).state
    for seat, decision, _, plain, _ in entries:
        actions = [msgspec.convert(each, Action) for each in plain]
        state = submit(GAME, state, seat, decision, actions, NoChance()).state
    view = msgspec.to_builtins(GAME.view(state, None))
    assert tuple(GAME.presentation.points(view)) == GAME.scores(state)


@pytest.mark.parametrize("region", [1, 2, 3])
def test_places_of_a_region_stand_apart_far_enough_for_a_thumb(region: int) -> None:
    part = maps.ATLAS.part(region, maps.WIDTH)
    places = [part.at(n) for n in part.shown]
    assert min(dist(a, b) for a in places for b in places if a != b) >= 44


def test_only_who_is_to_move_sees_where_to_go() -> None:
    state = GAME.setup(3, Options(first=1), SeededChance(seed_of_number(1))).state
    view = msgspec.to_builtins(GAME.view(state, None))

    def lit(seat: int) -> int:
        scene = GAME.presentation.scene(view, Wanted(shown=seat), Marks(), full=True)
        marks = (item for item in scene.items if isinstance(item, Mark))
        return sum(mark.kind is MarkKind.TOUCHABLE for mark in marks)

    assert [lit(seat) for seat in range(3)] == [0, 6, 0]


def test_a_step_is_an_arrow_from_where_it_began() -> None:
    state = GAME.setup(2, Options(first=0), SeededChance(seed_of_number(1))).state
    view = msgspec.to_builtins(GAME.view(state, None))
    data = {"explorer": 1, "from": "cape", "place": "congo", "stayed": False}
    moved = {"kind": "moved", "seat": 1, "data": data}
    last: dict[int, list[str]] = {}
    for seat, place in GAME.presentation.filled([moved]):
        last.setdefault(seat, []).append(place)
    scene = GAME.presentation.scene(view, Wanted(shown=0), Marks(last=last), full=False)
    (arrow,) = (item for item in scene.items if isinstance(item, Arrow))
    assert arrow.seat == 1
    assert arrow.points == (maps.ATLAS.part(1, 360).at(0), maps.ATLAS.part(1, 360).at(6))

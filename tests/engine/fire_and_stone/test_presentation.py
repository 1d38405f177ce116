"""The presentation of Fire & Stone: what it counts and draws is so."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from math import dist
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import NoChance, SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone import actions as do
from engine.fire_and_stone import maps, telling
from engine.fire_and_stone.actions import Action
from engine.fire_and_stone.map import INDEX, NAMES, TERRITORIES
from engine.fire_and_stone.reasons import Deed, Unseen
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import Phase, State
from engine.kit.presentation import Marks, Occasion, Wanted
from engine.kit.scene import Arrow, Edge, EdgeKind, Label, Mark, MarkKind, Place, Scene, Token
from engine.kit.shapes import Box, Point
from engine.kit.territories import ground, names, stacked
from engine.play import submit
from tests.engine.fire_and_stone.positions import begun, play, put, tile, turn

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


def test_f15_4_only_who_is_to_move_sees_where_to_go() -> None:
    state = GAME.setup(3, Options(first=1), SeededChance(seed_of_number(1))).state
    shown = GAME.presentation

    def lit(reader: int | None, wanted: Wanted, *, full: bool = False) -> int:
        view = msgspec.to_builtins(GAME.view(state, reader))
        scene = shown.scene(view, wanted, Marks(), full=full)
        marks = (item for item in scene.items if isinstance(item, Mark))
        return sum(mark.kind is MarkKind.TOUCHABLE for mark in marks)

    def letter(reader: int | None) -> int:
        view = msgspec.to_builtins(GAME.view(state, reader))
        return sum(lit(reader, one) for one in shown.pictures(view, reader, Occasion.TURN))

    assert {reader: letter(reader) for reader in (None, 0, 1, 2)} == {None: 0, 0: 0, 1: 6, 2: 0}
    assert lit(1, Wanted(reader=1, shown=0)) == 6, "whoever's region it is"
    assert lit(0, Wanted(reader=0, shown=1)) == 0
    assert lit(None, Wanted(shown=1)) == 0
    assert lit(1, Wanted(reader=1, shown=1), full=True) == 0, "on a page that is a link, or nothing"


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


def test_fires_to_choose_from_are_ringed_and_told_apart() -> None:
    """F§7.11: who returns with game sees on the map which fires there are, and what lies there."""
    chance = SeededChance(seed_of_number(5))
    state = GAME.setup(2, Options(first=0), chance).state
    while (asked := next(d for d in GAME.decisions(state) if d.blocks)).kind != "return":
        first = GAME.suggestions(state, asked.seat, 1)[0]
        state = submit(GAME, state, asked.seat, asked.id, first, chance).state
    view = msgspec.to_builtins(GAME.view(state, asked.seat))
    assert sorted(telling.reach(view)) == sorted(
        GAME.presentation.touches(each)[0] for each in asked.choices
    )
    offered = GAME.suggestions(state, asked.seat, 4)
    assert [why is not None for why in GAME.reasons(state, asked.seat, offered)] == [
        True for _ in offered
    ]


def test_f5_1_which_of_two_explorers_walks_first_is_said_at_once() -> None:
    """By one touch each, and nobody is told to touch a place meanwhile."""
    state = put(begun(), explorers=("namib", "congo"))
    (asked,) = (each for each in GAME.decisions(state) if each.blocks)
    show = GAME.presentation
    assert [show.touches(each) for each in asked.choices] == [("do:lead:1",), ("do:lead:2",)]
    assert show.prompt(asked.kind, list(asked.choices), []).code == "lead"
    alone = begun()
    (asked,) = (each for each in GAME.decisions(alone) if each.blocks)
    assert show.prompt(asked.kind, list(asked.choices), []).code == "move"


def test_f7_2_the_tiles_of_a_forest_are_offered_at_once_and_it_is_marked() -> None:
    wood = play(tile(begun(), "namib", "forest"), do.Go(place="namib"))
    state = play(wood, do.Hunt())
    view = msgspec.to_builtins(GAME.view(state, 0))
    asked = next(each for each in GAME.decisions(state) if each.kind == "keep")
    assert {GAME.presentation.touches(each) for each in asked.choices} == {()}
    wanted = Wanted(reader=0, shown=0)
    scene = GAME.presentation.scene(view, wanted, Marks(), full=True)
    marked = [item.kind for item in scene.items if isinstance(item, Mark)]
    assert marked.count(MarkKind.HIGHLIGHT) == 1
    assert MarkKind.TOUCHABLE not in marked


def test_no_slivers_of_what_lies_across_the_sea_are_drawn() -> None:
    part = maps.ATLAS.part(3, maps.WIDTH)
    places = {item.id.removesuffix(".edge") for layer in ground(part, 3) for item in layer.items
              if isinstance(item, Place)}  # fmt: skip
    shown = {TERRITORIES[n].id for n in part.shown}
    beside = {TERRITORIES[other].id for n in part.shown for other in TERRITORIES[n].by_land}
    assert places <= shown | beside
    corners = {corner for each in TERRITORIES if each.id in places
               for corner in map(part.moved, each.outline.points)}  # fmt: skip
    coasts = [item for layer in ground(part, 3) for item in layer.items
              if isinstance(item, Edge) and item.kind is EdgeKind.COAST]  # fmt: skip
    assert coasts
    assert {point for edge in coasts for point in edge.points} <= corners


def _written(label: Label, lang: int) -> Box:
    """What the name of a place covers on the map in a language."""
    assert label.width
    _, lines = (rooms := TERRITORIES[INDEX[label.text]].rooms)[lang]
    wide = label.width * rooms[lang][0] / max(letters for letters, _ in rooms) / 2
    high = label.size * lines / 2
    return Box(label.at.x - wide, label.at.y - high, label.at.x + wide, label.at.y + high)


def test_names_leave_room_for_the_huts_of_two() -> None:
    part, n = maps.ATLAS.part(2, maps.WIDTH), INDEX["kazakh"]
    x, y = part.at(n)
    (label,) = (item for item in names(part, frozenset([n])).items
                if isinstance(item, Label) and item.text == "kazakh")  # fmt: skip
    assert not _written(label, 0).meets(Box(x - 26, y + 3, x + 26, y + 17))


@pytest.mark.parametrize("region", [1, 2, 3])
@pytest.mark.parametrize("lang", [0, 1])
def test_each_name_on_the_map_is_nearest_to_its_own_place(region: int, lang: int) -> None:
    """In either language, and whether huts of two lie there or not; on windows, too."""
    whole = maps.ATLAS.part(region, maps.WIDTH)
    own = [n for n, each in enumerate(TERRITORIES) if each.region == region]
    named = [(whole, frozenset(shared)) for shared in ((), own, own[::2], own[1::2])]
    for n in own:
        about = [n, *TERRITORIES[n].by_land]
        named.append((maps.ATLAS.near(region, about, 46, maps.WIDTH), frozenset()))
    for part, shared in named:
        for label in names(part, shared).items:
            assert isinstance(label, Label)
            box = _written(label, lang)
            apart = {other: _apart(box, part.at(other)) for other in part.shown}
            nearest = min(apart, key=lambda other: apart[other])
            # In its window Levant has no room on either side for all of its name.
            if label.text != "levant" or part == whole:
                assert NAMES[nearest] == label.text, (part.frame, TERRITORIES[nearest].id)


def _apart(box: Box, spot: Point) -> float:
    return math.dist(spot, (min(max(spot.x, box.left), box.right),
                            min(max(spot.y, box.top), box.bottom)))  # fmt: skip


def test_reasons_tell_what_an_action_is_good_for() -> None:
    """F§9.5-6: of a tile taken what its column lacks, and what is emptied for it."""
    nuts = play(tile(begun(), "namib", "nut"), do.Go(place="namib"))
    nuts = put(nuts, columns=("sn", "aa"))
    deeds = (do.Take(column="light"),), (do.Take(column="dark"),), (do.Pass(),)
    assert GAME.reasons(nuts, 0, deeds) == [
        Deed(do="take", lacking=0),
        Deed(do="take", lacking=2, lost=2),
        Deed(do="pass"),
    ]


def test_reasons_tell_the_objective_of_places_nobody_has_seen() -> None:
    """F§11: beside a village of one's own a forest may bring points, wherever one lies."""
    state = put(tile(begun(), "kalahari", ""), objective="woods", huts=("kalahari",))
    for kind in ("forest", "cache"):
        hidden = tile(state, "namib", kind, up=False)
        (why,) = GAME.reasons(hidden, 0, [(do.Go(place="namib"),)])
        assert isinstance(why, Unseen)
        assert why.objective == (2, "forest")


def test_all_windows_on_a_region_have_the_ground_of_its_whole_picture() -> None:
    """It is drawn once for all of them."""
    whole = ground(maps.ATLAS.part(1, maps.WIDTH), 1)
    assert sum(len(layer.items) for layer in whole) > 40
    own = [n for n, each in enumerate(TERRITORIES) if each.region == 1]
    parts = [maps.ATLAS.near(1, [n], 46, maps.WIDTH) for n in own]
    assert len({part.top for part in parts}) > 2
    for n, part in zip(own, parts, strict=True):
        scene, again = (stacked([part], 1, lambda _: ()) for _ in range(2))
        assert scene.layers == whole
        assert list(map(id, scene.layers)) == list(map(id, again.layers)), "known as the same"
        assert scene.window is not None
        assert (scene.window.y, scene.window.height) == (part.top, round(part.bottom) - part.top)
        assert part.at(n).y == pytest.approx(maps.ATLAS.part(1, maps.WIDTH).at(n).y)
        assert scene.window.y <= part.at(n).y <= scene.window.y + scene.window.height


def test_two_explorers_have_their_numbers_on_the_map() -> None:
    def numbers(state: State) -> list[str]:
        tokens = [item for item in _drawn(state).items if isinstance(item, Token)]
        return [item.detail for item in tokens if item.look == "which"]

    assert numbers(put(begun(), explorers=("cape", "namib"))) == ["1", "2"]
    assert numbers(put(begun(), 1, explorers=("cape", "namib"))) == [], "words name the mover's"
    assert numbers(begun()) == []


def test_choices_have_their_numbers_where_they_lead() -> None:
    turns: list[list[Any]] = [
        [do.Go(place="congo"), do.Food()],
        [do.Lead(explorer=1), do.Go(place="namib")],
        [do.Food()],
        [do.Return(fire="cape")],
        [do.Second(fire="congo"), do.Go(place="namib"), do.Build(), do.Return(fire="cape")],
    ]
    lead = [GAME.presentation.leads_to(msgspec.to_builtins(turn)) for turn in turns]
    assert lead == ["congo", "namib", "", "cape", "congo namib"]
    numbers = [
        (item.detail, item.at)
        for item in _drawn(begun(), lead).items
        if isinstance(item, Token) and item.look == "choice"
    ]
    assert {number for number, _ in numbers} == {"1", "2", "4", "5"}
    assert len({at for _, at in numbers}) == len(numbers) == 5, "side by side where two lead"
    together = _drawn(begun(), ["congo namib"] * 4).items
    looks = [each for each in together if isinstance(each, Token) and each.look == "choice"]
    assert [each.detail for each in looks] == ["1–4", "1–4"]


def test_the_columns_are_above_the_map_where_they_are_decided_about() -> None:
    state = put(begun(), columns=("nnn", ""), inventions=("woven_basket",))
    for phase, above in ((Phase.ACTION, False), (Phase.CARD, True), (Phase.BASKET, True)):
        view = msgspec.to_builtins(GAME.view(turn(state, phase=phase), 0))
        wanted = Wanted(reader=0, shown=0)
        items = list(GAME.presentation.scene(view, wanted, Marks(), full=True).items)
        marks = [each for each in items if isinstance(each, Mark)]
        (column,) = (mark for mark in marks if mark.kind == MarkKind.HIGHLIGHT)
        highest = min(each.at.y for each in items if isinstance(each, Place) and each.at)
        assert (column.box.top < highest) == above


def _drawn(state: State, choices: Sequence[str] = ()) -> Scene:
    view = msgspec.to_builtins(GAME.view(state, 0))
    marks = Marks(choices=choices)
    return GAME.presentation.scene(view, Wanted(reader=0), marks, full=False)


def test_a_finished_match_shows_the_whole_map_and_beside_it_who_has_what() -> None:
    view = msgspec.to_builtins(GAME.view(put(begun(), explorers=("cape",)), 0))
    whole, wanted = {**view, "phase": "over", "to_move": None}, Wanted(reader=0)
    scene = GAME.presentation.scene(whole, wanted, Marks(), full=True)
    places = {each.id for each in scene.items if isinstance(each, Place)}
    assert places == {each.id for each in TERRITORIES}
    assert len(scene.parts) == 2
    playing = GAME.presentation.scene(view, wanted, Marks(), full=True)
    assert scene.height < playing.height


@pytest.mark.parametrize("region", [1, 2, 3])
def test_no_name_lies_on_a_name_of_another_region(region: int) -> None:
    """Whichever place beyond its border can be walked to."""
    part = maps.ATLAS.part(region, maps.WIDTH)
    beyond = [n for n in part.shown if TERRITORIES[n].region != region]
    for besides in ((), *((n,) for n in beyond), tuple(beyond)):
        boxes = []
        for label in names(part, besides=frozenset(besides)).items:
            assert isinstance(label, Label)
            high = label.size * TERRITORIES[INDEX[label.text]].room[1] / 2
            (x, y), wide = label.at, (label.width or 0) / 2
            boxes.append((label.text, Box(x - wide, y - high, x + wide, y + high)))
        for number, (one, a) in enumerate(boxes):
            for other, b in boxes[:number]:
                across = min(a.right, b.right) - max(a.left, b.left)
                down = min(a.bottom, b.bottom) - max(a.top, b.top)
                assert across <= 0 or down <= 0, (one, other)


def test_at_the_end_each_open_region_has_a_picture_with_names() -> None:
    """That of a page is the whole map, without names."""
    playing = msgspec.to_builtins(GAME.view(begun(), 0))
    assert not GAME.presentation.close_ups(playing)
    over = {**playing, "phase": Phase.OVER, "regions": 2}
    pictures = GAME.presentation.close_ups(over)
    assert len(pictures) == 2
    for region, name in enumerate(pictures, 1):
        scene = GAME.presentation.scene(over, Wanted(name=name), Marks(), full=True)
        called = {item.text for item in scene.items if isinstance(item, Label)}
        assert {each.id for each in TERRITORIES if each.region == region} <= called

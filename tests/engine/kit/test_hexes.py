"""Boards of hexes in a hexagon, and their maps."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from engine.kit.hexes import HexBoard, HexGrid, HexMap, HexPlace, read_regions, width_about
from engine.kit.presentation import Marks
from engine.kit.scene import Arrow, Backdrop, Edge, EdgeKind, Place
from engine.kit.shapes import box_of

GRID = HexGrid(3)
HEXES = [at for at in range(11, 78) if at == GRID.hex(*GRID.axial(at)) and at % 10]


def test_a_grid_of_three_steps_has_37_hexes() -> None:
    assert len(HEXES) == 37
    assert (GRID.axial(44), GRID.hex(0, 0), GRID.hex(4, 0)) == ((0, 0), 44, 0)


def test_hexes_lie_beside_each_other_both_ways() -> None:
    for at in HEXES:
        for direction, near in enumerate(GRID.sides(at)):
            if near:
                assert GRID.sides(near)[(direction + 3) % 6] == at
                assert GRID.distance(at, near) == 1
    assert GRID.distance(11, 74) == 6


def test_regions_are_read_with_letters() -> None:
    assert list(read_regions({"2": "22 21B"})) == [(22, "", 2), (21, "B", 2)]


def _board() -> HexBoard[HexPlace]:
    def place(at: int, letter: str = "") -> HexPlace:
        rivers = {44: frozenset({0}), 43: frozenset({3})}.get(at, frozenset())
        sides = GRID.sides(at)
        return HexPlace(
            hex=at, terrain="plain", region=1, letter=letter, sides=sides, rivers=rivers
        )

    return HexBoard(GRID, {at: place(at, "A" if at == 11 else "") for at in HEXES})


def test_a_board_knows_rivers_letters_and_regions() -> None:
    found = _board()
    assert found.rivers() == [(43, 44)]
    assert found.river_between(44, 43)
    assert not found.river_between(44, 45)
    assert (found.by_letter, found.border) == ({"A": 11}, (11,))
    assert found.regions["plain", 1] == tuple(HEXES)


def test_a_map_has_every_hex() -> None:
    whole = HexMap(GRID, HEXES, 360)
    assert len(whole.shapes) == 37
    ground, *places = whole.places(dict.fromkeys(HEXES, "plain"))
    assert isinstance(ground, Backdrop)
    assert all(isinstance(place, Place) for place in places)


@pytest.mark.parametrize("path", [(44,), (11,), (74, 73, 72), (44, 45, 46), (41, 51, 61)])
def test_a_window_shows_hexes_whole_and_nothing_beyond_the_picture(path: tuple[int, ...]) -> None:
    near = HexMap(GRID, HEXES, width_about(GRID, path, 80, 64))
    seen = near.window(path, 80, 64)
    assert (seen.width, seen.height) == (80, 64)
    assert 0 <= seen.x <= near.width - 80
    assert 0 <= seen.y <= near.height - 64
    shown = box_of(seen.corners).grown(0.5)  # a window begins at a whole unit
    for x, y in (corner for at in path for corner in near.shapes[at].corners):
        assert shown.left <= x <= shown.right
        assert shown.top <= y <= shown.bottom


def test_few_sizes_show_all_paths() -> None:
    """What is kept of a board is drawn once for each."""
    paths = [(a, b, c) for a in HEXES for b in GRID.sides(a) for c in GRID.sides(b) if b and c]
    assert len({width_about(GRID, path, 80, 64) for path in paths}) < 6


def test_borders_are_drawn_once_and_rivers_say_what_they_part() -> None:
    whole = HexMap(GRID, HEXES, 360)
    borders = [edge for edge in whole.borders() if edge.kind is EdgeKind.BORDER]
    assert len(borders) == sum(bool(near) for at in HEXES for near in GRID.sides(at)) // 2
    river: list[Edge] = list(whole.edges(EdgeKind.RIVER, [(43, 44), (44, 33)]))
    assert sorted(pair for edge in river for pair in edge.between) == [("43", "44"), ("44", "33")]


def arrows(*ways: str) -> list[Arrow]:
    """The arrows of these moves, each of a seat of its own."""
    moved = {seat: (way,) for seat, way in enumerate(ways)}
    shown = HexMap(GRID, HEXES, 360).moves(Marks(last=moved)).items
    return [each for each in shown if isinstance(each, Arrow)]


def test_arrows_over_one_side_of_two_hexes_lie_side_by_side() -> None:
    for ways in (("43>53", "43>53"), ("43>53", "53>43"), ("43>53", "53>43", "43>53")):
        middles = [arrow.points[1] for arrow in arrows(*ways)]
        apart = [math.dist(a, b) for a, b in combinations(middles, 2)]
        assert min(apart) > 5, ways


def test_an_arrow_passes_beside_what_stands_on_its_way() -> None:
    (straight,), (turning,) = arrows("52>53>54"), arrows("43>32>31")
    valley = HexMap(GRID, HEXES, 360)
    assert math.dist(straight.points[1], valley.at(53)) > valley.size / 2
    assert valley.size / 4 < math.dist(turning.points[1], valley.at(32)) < valley.size / 2
    outer, inner = (math.dist(valley.at(43), each) for each in (valley.at(32), turning.points[1]))
    assert inner < outer

"""Boards of hexes in a hexagon, and their maps."""

from __future__ import annotations

from engine.kit.hexes import HexBoard, HexGrid, HexMap, HexPlace, read_regions
from engine.kit.scene import Backdrop, Edge, EdgeKind, Place

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


def test_a_map_has_every_hex_and_near_one_its_neighbours() -> None:
    whole, near = HexMap(GRID, HEXES, 360), HexMap(GRID, HEXES, 80, (44,))
    assert len(whole.shapes) == 37
    assert set(near.shapes) == {44, *GRID.sides(44)}
    assert near.size > whole.size * 80 / 360
    ground, *places = whole.places(dict.fromkeys(HEXES, "plain"))
    assert isinstance(ground, Backdrop)
    assert all(isinstance(place, Place) for place in places)


def test_borders_are_drawn_once_and_rivers_say_what_they_part() -> None:
    whole = HexMap(GRID, HEXES, 360)
    borders = [edge for edge in whole.borders() if edge.kind is EdgeKind.BORDER]
    assert len(borders) == sum(bool(near) for at in HEXES for near in GRID.sides(at)) // 2
    river: list[Edge] = list(whole.edges(EdgeKind.RIVER, [(43, 44), (44, 33)]))
    assert sorted(pair for edge in river for pair in edge.between) == [("43", "44"), ("44", "33")]

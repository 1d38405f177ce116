"""S§1: the tiles, the places, the half boards and the files they are read from."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from engine.protocol import DataError
from engine.sapiens.components import (
    ENTRANCE,
    NEIGHBOURS,
    PLACE_INDEX,
    PLACES,
    SCENES,
    SQUARES,
    TILE_SCENES,
    TILES,
    beside,
    members,
    names,
)
from engine.sapiens.halves import Half, HalfCave, faults, valley
from engine.sapiens.halves_file import SHIPPED_HALVES, load_halves
from tests.engine.sapiens.positions import HALVES


def test_s1_1_every_pair_of_scenes_twice_with_picking_three_times() -> None:
    assert len(TILES) == len(set(TILES)) == 63
    pairs = Counter(TILE_SCENES)
    assert set(pairs) == set(combinations(range(8), 2))
    for (a, b), copies in pairs.items():
        assert copies == (3 if "picking" in (SCENES[a], SCENES[b]) else 2)
    assert TILES[TILE_SCENES.index((6, 7))] == "hunt-fire.1"


def test_s1_3_squares_run_from_a1_to_h5() -> None:
    assert PLACES[0] == "A1"
    assert PLACES[7] == "H1"
    assert PLACES[8] == "A2"
    assert PLACES[39] == "H5"
    assert names(NEIGHBOURS[PLACE_INDEX["A1"]]) == ("B1", "A2")
    assert names(NEIGHBOURS[PLACE_INDEX["D3"]]) == ("D2", "C3", "E3", "D4")
    assert names(NEIGHBOURS[PLACE_INDEX["H2"]]) == ("H1", "G2", "H3")  # and not A3


def test_s1_3_neighbours_are_mutual_and_make_67_edges() -> None:
    edges = {(q, r) for q in range(SQUARES) for r in members(NEIGHBOURS[q])}
    assert edges == {(r, q) for q, r in edges}
    assert len(edges) == 2 * 67
    for q, r in edges:
        assert abs(q % 8 - r % 8) + abs(q // 8 - r // 8) == 1


def test_s1_3_sets_of_squares_have_their_members() -> None:
    some = sum(1 << q for q in (0, 7, 8, 21, 39))
    assert members(some) == (0, 7, 8, 21, 39)
    assert set(members(beside(some))) == {r for q in members(some) for r in members(NEIGHBOURS[q])}


def test_s1_4_a_cave_is_named_after_its_entrance_and_side() -> None:
    corner = ["A1N", "A1W"]
    assert [PLACES[ENTRANCE[PLACE_INDEX[cave]]] for cave in corner] == ["A1", "A1"]
    assert ENTRANCE[PLACE_INDEX["C3"]] == -1
    assert ENTRANCE[PLACE_INDEX["WL"]] == -1
    rim = [name for name in PLACES[SQUARES:] if not name.startswith("W")]
    assert len(rim) == 26
    for name in rim:
        column, row, side = tuple(name)
        assert {"N": row == "1", "S": row == "5", "W": column == "A", "E": column == "H"}[side]


def test_s1_3_two_halves_make_a_valley() -> None:
    ground = valley(HALVES["L1a"], HALVES["R1a"])
    assert ground.rows[1] == "f2 p1 f3 f2 p1 f2 f2 p1"
    assert [PLACES[site.place] for site in ground.caves] == [
        "C1N", "A2W", "C5S", "E1N", "H2E", "H5S",
    ]  # fmt: skip
    assert [(site.high, site.low) for site in ground.caves[:2]] == [(8, 6), (6, 4)]
    assert PLACES[ground.caves[0].entrance] == "C1"
    assert ground.food(PLACE_INDEX["C2"]) == 3
    assert ground.food(PLACE_INDEX["H5"]) == 2
    assert names(ground.plains)[:5] == ("C1", "D1", "F1", "G1", "H1")


def test_s1_3_the_shipped_halves_are_four_pieces_a_side_with_two_faces() -> None:
    assert not list(faults(SHIPPED_HALVES))
    faces = Counter((half.side, half.piece) for half in SHIPPED_HALVES)
    assert Counter(side for side, _ in faces) == {"left": 4, "right": 4}
    assert set(faces.values()) == {2}
    assert HALVES["L1a"].piece == HALVES["L1b"].piece


def text_of(halves: list[Half]) -> str:
    """A file of these halves, 16 lines each: rows on lines 5 to 9, caves on lines 12 to 14."""
    lines = []
    for half in halves:
        lines += ["[[half]]", f'id = "{half.id}"', f'side = "{half.side}"', "rows = ["]
        lines += [f'  "{row}",' for row in half.rows]
        lines += ["]", "caves = ["]
        lines += [
            f'  {{ edge = "{cave.edge}", at = {cave.at}, shelter = {list(cave.shelter)} }},'
            for cave in half.caves
        ]
        lines += ["]", ""]
    return "\n".join(lines)


SHIPPED_TEXT = text_of(list(SHIPPED_HALVES))


def test_s1_a_file_of_halves_is_read() -> None:
    assert load_halves(SHIPPED_TEXT, "mine.toml") == SHIPPED_HALVES


def broken(old: str, new: str) -> str:
    """The shipped halves with one replacement in the second of them."""
    head, second, tail = (
        "\n".join(SHIPPED_TEXT.split("\n")[a:b]) for a, b in ((0, 16), (16, 32), (32, None))
    )
    assert second.count(old) == 1, second
    return "\n".join((head, second.replace(old, new), tail))


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ('id = "L1b"', 'id = "L1a"', 18, "id_twice"),
        ('id = "L1b"', 'id = "L1"', 18, "bad_id"),
        ('id = "L1b"', "id = 7", 18, "malformed"),
        ('id = "L1b"', 'id = "L2c"', 50, "too_many_faces"),
        ('id = "L1b"', 'name = "L1b"', 18, "malformed"),
        ('side = "left"', 'side = "right"', 19, "piece_on_two_sides"),
        ('side = "left"', 'side = "top"', 19, "malformed"),
        ('"p1 f3 p1 f2",', '"p1 f4 p1 f2",', 24, "bad_row"),
        ('"p1 f3 p1 f2",', '"p1 f3 p1",', 24, "bad_row"),
        ('"p1 f3 p1 f2",', "31,", 24, "malformed"),
        ('"p1 f3 p1 f2",', "", 20, "row_count"),
        ("at = 1", "at = 4", 28, "cave_off_edge"),
        ('edge = "N", at = 1', 'edge = "E", at = 1', 28, "edge_of_other_half"),
        ('edge = "N", at = 1', 'edge = "X", at = 1', 28, "malformed"),
        ("[7, 4]", "[4, 7]", 29, "shelter_order"),
        ("[7, 4]", "[7, 7]", 29, "shelter_order"),
        ("[7, 4]", "[7, 0]", 29, "shelter_order"),
        ("[7, 4]", "[7]", 29, "malformed"),
        ('"W", at = 2', '"N", at = 1', 29, "cave_twice"),
        ('  { edge = "W", at = 2, shelter = [7, 4] },', "", 27, "cave_count"),
        ("[[half]]", "[[halves]]", 17, "unknown_key"),
        ("rows = [", "rows = [[", 27, "not_toml"),
    ],
)
def test_s1_a_broken_file_of_halves_names_file_and_line(
    old: str, new: str, line: int, code: str
) -> None:
    with pytest.raises(DataError) as raised:
        load_halves(broken(old, new), "mine.toml")
    error = raised.value
    assert error.code == code
    assert str(error).startswith(f"mine.toml, line {error.line}: {code}")
    assert error.line == line


def test_s1_a_file_of_halves_may_use_the_other_ways_of_toml() -> None:
    tables = "\n".join(
        f"# face {half.id}, 'quoted' {{ [\n[[half]]\nid='{half.id}' # [x]\nside='{half.side}'\n"
        f"rows = {list(half.rows)}\n"
        + "\n".join(
            f"[[half.caves]]\nedge='{c.edge}'\nat={c.at}\nshelter={list(c.shelter)}"
            for c in half.caves
        )
        for half in SHIPPED_HALVES
    )
    assert load_halves(tables, "mine.toml") == SHIPPED_HALVES
    wrong = tables.replace("shelter=[6, 4]", "shelter=[4, 6]", 1)
    with pytest.raises(DataError) as raised:
        load_halves(wrong, "mine.toml")
    header = wrong.split("\n")[raised.value.line - 1]
    assert (raised.value.code, header) == ("shelter_order", "[[half.caves]]")
    assert wrong.split("\n")[raised.value.line + 2] == "shelter=[4, 6]"


@pytest.mark.parametrize(
    ("halves", "side"),
    [
        ([half for half in SHIPPED_HALVES if half.piece != "L3"], "left"),
        ([half for half in SHIPPED_HALVES if half.piece != "R4"], "right"),
        ([], "left"),
    ],
)
def test_s2_3_there_must_be_pieces_for_four_players(halves: list[Half], side: str) -> None:
    text = text_of(halves)
    with pytest.raises(DataError) as raised:
        load_halves(text, "few.toml")
    assert raised.value.code == "too_few_pieces"
    assert raised.value.context["side"] == side
    assert raised.value.line == text.count("\n") + 1


def test_s1_4_two_caves_may_share_a_corner_entrance() -> None:
    corner = Half(
        id="L1a",
        side="left",
        rows=HALVES["L1a"].rows,
        caves=(
            HalfCave(edge="N", at=0, shelter=(8, 6)),
            HalfCave(edge="W", at=0, shelter=(7, 5)),
            HalfCave(edge="S", at=3, shelter=(6, 4)),
        ),
    )
    assert not list(faults([corner, *(half for half in SHIPPED_HALVES if half.id != "L1a")]))
    assert [PLACES[site.place] for site in valley(corner, HALVES["R1a"]).caves[:2]] == [
        "A1N",
        "A1W",
    ]

"""Shapes and their geometry."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit.shapes import (
    SIDES,
    Box,
    Hex,
    Point,
    Polygon,
    Projection,
    Rect,
    Shape,
    box_of,
    centroid,
    chained,
    chord,
    contains,
    hex_at,
    hex_neighbours,
    side_between,
)

ORIGIN = Point(100, 100)
L_SHAPED = Polygon((Point(0, 0), Point(4, 0), Point(4, 2), Point(2, 2), Point(2, 4), Point(0, 4)))


def test_a_hex_has_flat_sides_above_and_below() -> None:
    corners = Hex(0, 0, 10).corners
    assert {round(math.dist((0, 0), corner), 9) for corner in corners} == {10}
    assert tuple(corners[0]) == (10.0, 0.0)
    assert corners[1].y == corners[2].y > 0 > corners[4].y == corners[5].y


@pytest.mark.parametrize(("number", "step"), list(enumerate(SIDES)))
def test_neighbours_lie_across_the_sides_of_their_number(
    number: int, step: tuple[int, int]
) -> None:
    assert hex_neighbours(2, -1)[number] == (2 + step[0], -1 + step[1])
    here, there = hex_at(0, 0, 10, ORIGIN), hex_at(*step, 10, ORIGIN)
    assert math.dist(here.middle, there.middle) == pytest.approx(10 * math.sqrt(3))
    one, other = side_between((0, 0), step, 10, ORIGIN)
    middle = ((one.x + other.x) / 2, (one.y + other.y) / 2)
    assert math.dist(middle, here.middle) == pytest.approx(math.dist(middle, there.middle))
    back = side_between(step, (0, 0), 10, ORIGIN)
    assert [pytest.approx(point) for point in back] == [other, one]


def test_hexes_apart_share_no_side() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        side_between((0, 0), (2, 0), 10, ORIGIN)


def test_sides_that_meet_are_one_line() -> None:
    a, b, c, d = (Point(x, 0) for x in range(4))
    apart = (Point(9, 9), Point(9, 8))
    assert chained([(b, c), (d, c), apart, (b, a)]) == [(a, b, c, d), apart]


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(1, 40))
def test_the_middle_of_a_hex_is_its_centroid_and_inside(x: float, y: float, size: float) -> None:
    shape = Hex(x, y, size)
    assert centroid(shape.corners) == pytest.approx((x, y), abs=1e-6)
    assert contains(shape, shape.middle)
    assert not contains(shape, Point(x + size * 1.01, y))


def test_the_middle_of_a_region_is_that_of_its_area() -> None:
    assert L_SHAPED.middle == pytest.approx((5 / 3, 5 / 3))
    assert contains(L_SHAPED, Point(1, 3))
    assert not contains(L_SHAPED, Point(3, 3))
    assert Polygon((Point(0, 0), Point(2, 0), Point(4, 0))).middle == (2, 0)


@pytest.mark.parametrize(
    ("shape", "point", "span"),
    [
        (L_SHAPED, Point(1, 3), (0, 2)),
        (L_SHAPED, Point(3, 1), (0, 4)),
        (L_SHAPED, Point(3, 3), None),
        (Rect(1, 1, 4, 2), Point(2, 2), (1, 5)),
        (Hex(0, 0, 10), Point(0, 0), (-10, 10)),
    ],
)
def test_a_chord_is_the_room_at_a_height(
    shape: Shape, point: Point, span: tuple[float, float] | None
) -> None:
    found = chord(shape, point)
    assert found == (span if span is None else pytest.approx(span))


def test_a_part_of_a_map_fills_the_picture() -> None:
    view = Projection(Box(100, 50, 300, 150), 400)
    assert (view.scale, view.height) == (2, 200)
    assert view.point(Point(100, 50)) == (0, 0)
    assert view.shape(Rect(150, 75, 10, 5)) == Rect(100, 50, 20, 10)
    assert view.shape(Hex(200, 100, 10)) == Hex(200, 100, 20)
    assert view.shape(Polygon((Point(300, 150),))) == Polygon((Point(400, 200),))
    assert view.shows(Rect(290, 140, 50, 50).corners)
    assert not view.shows(Rect(310, 0, 50, 50).corners)


def test_a_box_is_around_all() -> None:
    assert box_of(L_SHAPED.corners) == (0, 0, 4, 4)
    assert box_of(L_SHAPED.corners).grown(1) == (-1, -1, 5, 5)

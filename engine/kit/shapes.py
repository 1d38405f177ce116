"""Shapes of places and their geometry: rectangles, flat-top hexes, polygons; y goes down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

_ROOT: Final = math.sqrt(3)


class Point(NamedTuple):
    """A place in a picture or on a map, in its units."""

    x: float
    y: float


class Box(NamedTuple):
    """A part of a picture or map: its corners at the upper left and the lower right."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def grown(self, by: float) -> Box:
        """The box with so much more on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def meets(self, other: Box) -> bool:
        """True if the two have anything in common."""
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.top <= other.bottom
            and other.top <= self.bottom
        )


class Rect(msgspec.Struct, frozen=True, tag=True):
    """A rectangle, from its corner at the upper left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def corners(self) -> tuple[Point, ...]:
        right, bottom = self.x + self.width, self.y + self.height
        return (
            Point(self.x, self.y),
            Point(right, self.y),
            Point(right, bottom),
            Point(self.x, bottom),
        )

    @property
    def middle(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)


class Hex(msgspec.Struct, frozen=True, tag=True):
    """A flat-top hex about (x, y); `size` is from there to a corner."""

    x: float
    y: float
    size: float

    @property
    def corners(self) -> tuple[Point, ...]:
        """From the east clockwise: side n, from corner n to the next, looks to `SIDES[n]`."""
        half, high = self.size / 2, self.size * _ROOT / 2
        return (
            Point(self.x + self.size, self.y),
            Point(self.x + half, self.y + high),
            Point(self.x - half, self.y + high),
            Point(self.x - self.size, self.y),
            Point(self.x - half, self.y - high),
            Point(self.x + half, self.y - high),
        )

    @property
    def middle(self) -> Point:
        return Point(self.x, self.y)


class Polygon(msgspec.Struct, frozen=True, tag=True):
    """A region within straight sides that do not cross; three corners at least."""

    points: tuple[Point, ...]

    @property
    def corners(self) -> tuple[Point, ...]:
        return self.points

    @property
    def middle(self) -> Point:
        """The centroid; of a region without area the mean of its corners."""
        return centroid(self.points)


Shape = Rect | Hex | Polygon

SIDES: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Steps (dq, dr) across the sides of a flat-top hex: SE, S, SW, NW, N, NE."""


def around(middle: Point, turned: float, reach: float) -> Point:
    """A point so far from another, by degrees from the north."""
    angle = math.radians(turned)
    return Point(middle.x + reach * math.sin(angle), middle.y - reach * math.cos(angle))


def hex_at(q: int, r: int, size: float, origin: Point) -> Hex:
    """The flat-top hex at axial coordinates; that at 0, 0 lies about `origin`."""
    return Hex(origin.x + size * 1.5 * q, origin.y + size * _ROOT * (r + q / 2), size)


def hex_neighbours(q: int, r: int) -> tuple[tuple[int, int], ...]:
    """The six hexes beside one, in the order of `SIDES`."""
    return tuple((q + dq, r + dr) for dq, dr in SIDES)


def side_between(
    first: tuple[int, int], second: tuple[int, int], size: float, origin: Point
) -> tuple[Point, Point]:
    """The side that two hexes share. Raises ValueError if they do not lie side by side."""
    step = (second[0] - first[0], second[1] - first[1])
    number = SIDES.index(step)
    corners = hex_at(*first, size, origin).corners
    return corners[number], corners[(number + 1) % 6]


def chained(sides: Iterable[tuple[Point, Point]]) -> list[tuple[Point, ...]]:
    """Sides that meet as long lines, such as a river along the sides of hexes."""
    left = [list(side) for side in sides]
    lines: list[tuple[Point, ...]] = []
    while left:
        line = left.pop(0)
        grown = True
        while grown:
            grown = False
            for side in left:
                for start, end in (side, side[::-1]):
                    if _meet(line[-1], start):
                        line.append(end)
                    elif _meet(line[0], start):
                        line.insert(0, end)
                    else:
                        continue
                    grown = True
                    break
                if grown:
                    left.remove(side)
                    break
        lines.append(tuple(line))
    return lines


def _meet(one: Point, other: Point) -> bool:
    return math.dist(one, other) < 0.01


def box_of(points: Iterable[Point]) -> Box:
    """The least box around points. Raises ValueError for none."""
    found = list(points)
    xs, ys = [point.x for point in found], [point.y for point in found]
    return Box(min(xs), min(ys), max(xs), max(ys))


def centroid(points: Sequence[Point]) -> Point:
    """The middle of a polygon's area; the mean of its corners if it has none."""
    doubled = x = y = 0.0
    for (ax, ay), (bx, by) in _sides(points):
        cross = ax * by - bx * ay
        doubled += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    if abs(doubled) < 1e-9:
        return Point(
            sum(point.x for point in points) / len(points),
            sum(point.y for point in points) / len(points),
        )
    return Point(x / (3 * doubled), y / (3 * doubled))


def contains(shape: Shape, point: Point) -> bool:
    """True if a point lies within a shape; on its border it may or may not."""
    inside = False
    for (ax, ay), (bx, by) in _sides(shape.corners):
        if (ay > point.y) != (by > point.y):
            inside ^= point.x < ax + (point.y - ay) * (bx - ax) / (by - ay)
    return inside


def chord(shape: Shape, point: Point) -> tuple[float, float] | None:
    """From where to where a level line through a point lies within a shape; None if the point is
    outside.
    """
    crossed = sorted(
        ax + (point.y - ay) * (bx - ax) / (by - ay)
        for (ax, ay), (bx, by) in _sides(shape.corners)
        if (ay > point.y) != (by > point.y)
    )
    for left, right in zip(crossed[::2], crossed[1::2], strict=False):
        if left <= point.x <= right:
            return left, right
    return None


def clipped(points: Sequence[Point], box: Box) -> tuple[Point, ...]:
    """The corners of the part of a polygon that lies in a box; none if nothing does.

    By Sutherland and Hodgman: parts that hang together beyond the box do so along its side.
    """
    found = list(points)
    for axis, bound, sign in (
        (0, box.left, 1),
        (0, box.right, -1),
        (1, box.top, 1),
        (1, box.bottom, -1),
    ):
        kept: list[Point] = []
        for one, other in pairwise([*found, *found[:1]]):
            within, next_within = ((p[axis] - bound) * sign >= 0 for p in (one, other))
            if within:
                kept.append(one)
            if within != next_within:
                part = (bound - one[axis]) / (other[axis] - one[axis])
                kept.append(
                    Point(one.x + (other.x - one.x) * part, one.y + (other.y - one.y) * part)
                )
        found = kept
    return tuple(found)


def _sides(points: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return pairwise((*points, points[0]))


class Projection(msgspec.Struct, frozen=True):
    """A part of a map as it is shown: `box`, in units of the map, fills a picture so many units
    wide. What lies on the map is projected before tokens are put on it: they keep their size.
    """

    box: Box
    width: float

    @property
    def scale(self) -> float:
        """Units of the picture for one of the map."""
        return self.width / self.box.width

    @property
    def height(self) -> float:
        return self.box.height * self.scale

    def point(self, point: Point) -> Point:
        return Point((point.x - self.box.left) * self.scale, (point.y - self.box.top) * self.scale)

    def points(self, points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple(self.point(point) for point in points)

    def shape(self, shape: Shape) -> Shape:
        """The shape in the picture."""
        match shape:
            case Polygon():
                return Polygon(self.points(shape.points))
            case Hex():
                return Hex(*self.point(shape.middle), shape.size * self.scale)
            case Rect():
                corner = self.point(Point(shape.x, shape.y))
                return Rect(*corner, shape.width * self.scale, shape.height * self.scale)

    def shows(self, points: Iterable[Point]) -> bool:
        """True if anything of what these points surround is in the part that is shown."""
        return self.box.meets(box_of(points))

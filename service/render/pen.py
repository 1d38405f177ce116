"""Lines as a hand draws them, as paths of SVG: the same every time for the same points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final
from zlib import crc32

from engine.kit.shapes import Shape

WAVER: Final = 0.05
"""How far lines of a map go astray: grounds and the lines along them alike."""

_STEP: Final = 6.0
"""Units from bend to bend, at most twice as many."""

Points = Sequence[tuple[float, float]]


def path(points: Points, *, closed: bool = False) -> str:
    """Straight lines from point to point."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def rough(points: Points, amount: float = WAVER, *, closed: bool = False) -> str:
    """Lines from point to point that waver; the same from either end, so that neighbours share it.

    `amount` is how far they go astray, for each unit of length.
    """
    return path(_rough(points, amount, closed=closed), closed=closed)


def outlines(shapes: Iterable[Shape]) -> str:
    """The closed lines about shapes, as one path."""
    return "".join(rough(shape.corners, closed=True) for shape in shapes)


def smooth(points: Points) -> str:
    """One curve past the points, from the first to the last."""
    if len(points) < 3:
        return path(points)
    (x, y), *others = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for (ax, ay), (bx, by) in pairwise(others):
        parts.append(f"Q{ax:.1f} {ay:.1f} {(ax + bx) / 2:.1f} {(ay + by) / 2:.1f}")
    x, y = others[-1]
    return "".join(parts) + f"L{x:.1f} {y:.1f}"


def bowed(points: Points, amount: float = 0.12, steps: int = 16) -> list[tuple[float, float]]:
    """Points of a curve: past the middle ones, or to one side of the line between two."""
    if len(points) == 2:
        (ax, ay), (bx, by) = points
        middle = (
            (ax + bx) / 2 + (by - ay) * amount,
            (ay + by) / 2 - (bx - ax) * amount,
        )
        points = (points[0], middle, points[1])
    first, last = points[0], points[-1]
    between = points[len(points) // 2]
    # The curve goes through the middle point, so its control point lies beyond it.
    control = (
        2 * between[0] - (first[0] + last[0]) / 2,
        2 * between[1] - (first[1] + last[1]) / 2,
    )
    return [_bezier(first, control, last, step / steps) for step in range(steps + 1)]


def cut(points: Points, start: float, end: float) -> list[tuple[float, float]]:
    """A line without so much of it at its start and end; two points of it at least."""
    kept = [
        point
        for point in points
        if math.dist(point, points[0]) >= start and math.dist(point, points[-1]) >= end
    ]
    middle = len(points) // 2
    return kept if len(kept) > 1 else list(points[middle - 1 : middle + 1])


def brush(points: Points, thin: float, thick: float) -> str:
    """The outline of a stroke that grows from thin to thick."""
    left, right = [], []
    last = len(points) - 1
    for number, (x, y) in enumerate(points):
        dx, dy = _direction(points, number)
        half = (thin + (thick - thin) * number / last) / 2
        half *= 1 + 0.16 * (_noise(x, y) - 0.5)
        left.append((x - dy * half, y + dx * half))
        right.append((x + dy * half, y - dx * half))
    return path([*left, *reversed(right)], closed=True)


def head(points: Points, size: float) -> str:
    """The head of an arrow at the end of a line."""
    x, y = points[-1]
    dx, dy = _direction(points, len(points) - 1)
    corners = [
        (x + dx * size * 1.5, y + dy * size * 1.5),
        (x - dy * size - dx * size * 0.25, y + dx * size - dy * size * 0.25),
        (x + dx * size * 0.2, y + dy * size * 0.2),
        (x + dy * size - dx * size * 0.25, y - dx * size - dy * size * 0.25),
    ]
    return path(corners, closed=True)


def inset(points: Points, part: float) -> list[tuple[float, float]]:
    """Corners drawn towards their mean: 1 leaves them, 0 is the mean."""
    mx = sum(x for x, _ in points) / len(points)
    my = sum(y for _, y in points) / len(points)
    return [(mx + (x - mx) * part, my + (y - my) * part) for x, y in points]


def about(x: float, y: float, number: int) -> float:
    """A number from 0 to 1 that depends on a place alone."""
    return _noise(x + 17 * number, y - 31 * number)


def _rough(points: Points, amount: float, *, closed: bool) -> list[tuple[float, float]]:
    corners = [*points, points[0]] if closed else list(points)
    found: list[tuple[float, float]] = []
    for one, other in pairwise(corners):
        line = _astray(min(one, other), max(one, other), amount, _depth(one, other))
        found += (line if one <= other else line[::-1])[:-1]
    return found if closed else [*found, corners[-1]]


def _depth(one: tuple[float, float], other: tuple[float, float]) -> int:
    return max(0, min(5, math.ceil(math.log2(max(1.0, math.dist(one, other) / _STEP)))))


def _astray(
    one: tuple[float, float], other: tuple[float, float], amount: float, depth: int
) -> list[tuple[float, float]]:
    (ax, ay), (bx, by) = one, other
    if not depth:
        return [one, other]
    by_how_much = 2 * amount * (_noise(ax + bx, ay + by) - 0.5)
    middle = ((ax + bx) / 2 + (by - ay) * by_how_much, (ay + by) / 2 - (bx - ax) * by_how_much)
    before = _astray(one, middle, amount * 0.9, depth - 1)
    return before[:-1] + _astray(middle, other, amount * 0.9, depth - 1)


def _bezier(
    one: tuple[float, float], control: tuple[float, float], other: tuple[float, float], at: float
) -> tuple[float, float]:
    back = 1 - at
    return (
        back * back * one[0] + 2 * at * back * control[0] + at * at * other[0],
        back * back * one[1] + 2 * at * back * control[1] + at * at * other[1],
    )


def _direction(points: Points, number: int) -> tuple[float, float]:
    (ax, ay) = points[max(0, number - 1)]
    (bx, by) = points[min(len(points) - 1, number + 1)]
    length = math.hypot(bx - ax, by - ay) or 1.0
    return (bx - ax) / length, (by - ay) / length


def _noise(x: float, y: float) -> float:
    return crc32(f"{x:.1f} {y:.1f}".encode()) / 0xFFFFFFFF

"""Boards of hexes in a hexagon: which lie beside each other, and their pictures.

A hex has a number of two digits, column from the west and row from the top of the column; 0 is no
hex. Directions are 0 to 5: N, NE, SE, S, SW, NW.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Generic, TypeVar

import msgspec

from engine.kit.presentation import Marks
from engine.kit.scene import (
    Arrow,
    Backdrop,
    Edge,
    EdgeKind,
    Label,
    LabelKind,
    Layer,
    Mark,
    MarkKind,
    Place,
    Token,
    Veil,
)
from engine.kit.shapes import (
    Hex,
    Point,
    Rect,
    box_of,
    chained,
    hex_at,
    hex_neighbours,
    side_between,
)
from engine.protocol import Seat

_SIDE: Final = 22
"""Units beside the hexes, for the letters of the rim."""
MARGIN: Final = 26
"""Units above and below the hexes, for letters at the rim."""
_STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_FAINT: Final = 0.45
"""How much is seen of past moves while something is asked, and of advice beside what is chosen."""
_LANES: Final = (1, -1, 2, -2, 3)
"""Arrows over one side of two hexes, in this order: to the left, to the right, further out."""
_ROCK: Final = (("sunk", 18.0), ("mountain", 10.0), ("stone_deep", 3.0))


class HexGrid:
    """All hexes at most `reach` steps from the one in the middle."""

    def __init__(self, reach: int) -> None:
        self.reach = reach

    def axial(self, at: int) -> tuple[int, int]:
        """Column and row on skewed axes, from the middle."""
        q = at // 10 - self.reach - 1
        return q, at % 10 - 1 + max(-self.reach, -self.reach - q)

    def hex(self, q: int, r: int) -> int:
        if max(abs(q), abs(r), abs(q + r)) > self.reach:
            return 0
        top = max(-self.reach, -self.reach - q)
        return 10 * (q + self.reach + 1) + (r - top + 1)

    def sides(self, at: int) -> tuple[int, ...]:
        """The neighbours by direction, 0 off the board."""
        q, r = self.axial(at)
        return tuple(self.hex(q + dq, r + dr) for dq, dr in _STEPS)

    def distance(self, one: int, other: int) -> int:
        """Steps over anything."""
        (q, r), (s, t) = self.axial(one), self.axial(other)
        return max(abs(q - s), abs(r - t), abs(q + r - s - t))


class HexPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A hex of a board, in a region of its terrain, 0 for none; `letter` is at the rim. `sides` are
    its neighbours by direction, 0 off the board; `rivers` has the directions with a river.
    """

    hex: int
    terrain: str
    region: int
    letter: str
    sides: tuple[int, ...]
    rivers: frozenset[int]

    @property
    def neighbours(self) -> tuple[int, ...]:
        return tuple(side for side in self.sides if side)


P = TypeVar("P", bound=HexPlace)


def read_regions(written: Mapping[str, str]) -> Iterator[tuple[int, str, int]]:
    """The hexes of a terrain by its regions, "22 21B", each with its letter and its region."""
    for region, hexes in written.items():
        for each in hexes.split():
            yield int(each[:2]), each[2:], int(region)


class HexBoard(Generic[P]):
    """Hexes with what is printed on them."""

    def __init__(self, grid: HexGrid, places: Mapping[int, P]) -> None:
        self.places = places
        self.hexes = tuple(sorted(places))
        self.by_letter = {p.letter: h for h, p in places.items() if p.letter}
        self.border = tuple(sorted(self.by_letter.values()))
        self.regions: dict[tuple[str, int], tuple[int, ...]] = {}
        for at, place in places.items():
            if place.region:
                key = (place.terrain, place.region)
                self.regions[key] = (*self.regions.get(key, ()), at)
        self._distance = {
            (one, other): grid.distance(one, other) for one in self.hexes for other in self.hexes
        }

    def distance(self, one: int, other: int) -> int:
        """Steps over anything."""
        return self._distance[one, other]

    def direction(self, one: int, other: int) -> int:
        """The direction of a neighbour. Raises ValueError if it is none."""
        return self.places[one].sides.index(other)

    def river_between(self, one: int, other: int) -> bool:
        place = self.places[one]
        return bool(place.rivers) and self.direction(one, other) in place.rivers

    def rivers(self) -> list[tuple[int, int]]:
        """The sides with a river: the hexes on both banks, each side once."""
        return [
            (at, near)
            for at in self.hexes
            for near in self.places[at].neighbours
            if near > at and self.river_between(at, near)
        ]


def width_about(grid: HexGrid, hexes: Iterable[int], width: int, height: int) -> int:
    """The width of a map of which a part so large shows these hexes as large as they fit there, and
    one alone with what is beside it.
    """
    at_one = [hex_at(*grid.axial(at), 1, Point(0, 0)) for at in hexes]
    xs, ys = [at.x for at in at_one], [at.y for at in at_one]
    wide, high = max(xs) - min(xs) + 2, max(ys) - min(ys) + math.sqrt(3)
    size = min(width / 4, width / wide, height / high)
    return int(size * (1.5 * (2 * grid.reach + 1) + 0.5)) + 2 * _SIDE


class HexMap:
    """Hexes of a grid in a picture so many units wide."""

    def __init__(self, grid: HexGrid, hexes: Iterable[int], width: int) -> None:
        self.grid = grid
        self.width = width
        across = 2 * grid.reach + 1
        self.size = (width - 2 * _SIDE) / (1.5 * across + 0.5)
        self.height = round(self.size * math.sqrt(3) * across) + 2 * MARGIN
        self.origin = Point(width / 2, self.height / 2)
        self.shapes = {at: self.shape(at) for at in hexes}

    def window(self, hexes: Iterable[int], width: int, height: int) -> Rect:
        """The part of the picture about these hexes, on whole units."""
        box = box_of(corner for at in hexes for corner in self.shapes[at].corners)
        x, y = (box.left + box.right - width) / 2, (box.top + box.bottom - height) / 2
        return Rect(
            max(0, min(round(x), self.width - width)),
            max(0, min(round(y), self.height - height)),
            width,
            height,
        )

    def shape(self, at: int) -> Hex:
        """The shape of a hex."""
        return hex_at(*self.grid.axial(at), self.size, self.origin)

    def at(self, of: int, aside: float = 0) -> Point:
        """The middle of a hex, or a point so many parts of its size to the east."""
        shape = self.shapes[of]
        return Point(shape.x + aside * self.size, shape.y)

    def seen(self, hexes: Iterable[int]) -> tuple[Hex, ...]:
        """The shapes of these hexes."""
        return tuple(self.shapes[at] for at in hexes)

    def places(self, grounds: Mapping[int, str]) -> Iterator[Backdrop | Place]:
        """The hexes with their grounds, upon the rock that they lie on."""
        land = tuple(self.shapes.values())
        yield Backdrop(Rect(0, 0, self.width, self.height), "paper", land, _ROCK)
        for at, shape in self.shapes.items():
            yield Place(
                id=str(at),
                shape=shape,
                ground=grounds[at],
                texture=grounds[at],
                name=str(at),
                beside=tuple(str(near) for near in self.grid.sides(at) if near),
            )

    def borders(self) -> Iterator[Edge]:
        """The sides between hexes, and the rim of the board."""
        rim = []
        for at, shape in self.shapes.items():
            here = self.grid.axial(at)
            for number, other in enumerate(hex_neighbours(*here)):
                near = self.grid.hex(*other)
                if not near:
                    rim.append((shape.corners[number], shape.corners[(number + 1) % 6]))
                elif near > at:
                    side = side_between(here, other, self.size, self.origin)
                    yield Edge(kind=EdgeKind.BORDER, points=side)
        yield from (Edge(kind=EdgeKind.COAST, points=line) for line in chained(rim))

    def edges(self, kind: EdgeKind, pairs: Iterable[tuple[int, int]]) -> Iterator[Edge]:
        """The sides between pairs of hexes, such as a river: lines that go on where they meet."""
        sides = {
            side_between(self.grid.axial(one), self.grid.axial(other), self.size, self.origin): (
                str(one),
                str(other),
            )
            for one, other in pairs
        }
        for line in chained(sides):
            between = tuple(
                names
                for side, names in sides.items()
                if all(any(math.dist(end, point) < 0.01 for point in line) for end in side)
            )
            yield Edge(kind=kind, points=line, between=between)

    def letters(self, letters: Mapping[str, int]) -> Iterator[Label]:
        """Letters beyond hexes of the rim, seen from the middle of the picture."""
        for letter, at in sorted(letters.items()):
            shape = self.shapes[at]
            dx, dy = shape.x - self.origin.x, shape.y - self.origin.y
            reach = self.size * 1.18 / math.hypot(dx, dy)
            spot = Point(shape.x + dx * reach, shape.y + dy * reach)
            yield Label(kind=LabelKind.LETTER, at=spot, text=letter, size=self.size * 0.32)

    def plates(self, more: Mapping[int, str], least: float = 0) -> Iterator[Label]:
        """The numbers of hexes, at `least` so many units high, each with what else stands there."""
        for at, text in sorted(more.items()):
            shape = self.shapes[at]
            yield Label(
                kind=LabelKind.PLATE,
                at=Point(shape.x, shape.y - self.size * 0.72),
                text=str(at),
                more=text,
                width=self.size * 1.06,
                size=max(self.size * 0.34, least),
            )

    def veil(self, hexes: Iterable[int], colour: str, part: float) -> Iterator[Veil]:
        """A veil over these hexes, if there are any."""
        if shapes := self.seen(hexes):
            yield Veil(shapes, colour, part)

    def last(self, marks: Marks) -> Iterator[Mark]:
        """Marks of the hexes among what seats filled last, or would fill."""
        for place in sorted({*_places(marks.last), *_places(marks.advised)}):
            if place.isdecimal():
                yield Mark(MarkKind.LAST, self.shapes[int(place)])

    def moves(self, marks: Marks) -> Layer:
        """Moves: `35>45>46` among what a seat filled last; faint where something is asked."""
        items = tuple(self._arrows(marks.last, suggested=False))
        return Layer(items=items, opacity=_FAINT if marks.asked else 1.0)

    def advice(self, marks: Marks) -> Layer:
        """Moves that are suggested or planned, over all else."""
        return Layer(items=tuple(self._arrows(marks.advised, suggested=True)), over=True)

    def _arrows(
        self, filled: Mapping[Seat, Collection[str]], *, suggested: bool
    ) -> Iterator[Arrow]:
        """An arrow for each way: where several use one side of two hexes they lie side by side."""
        lanes: dict[tuple[int, int], set[int]] = {}
        for seat, places in sorted(filled.items()):
            for path in sorted(place for place in places if ">" in place):
                way = [int(at) for at in path.split(">")]
                points = self._way(way, _lane(way, lanes), suggested)
                yield Arrow(points, seat=seat, suggested=suggested)

    def _way(self, way: Sequence[int], lane: int, suggested: bool) -> tuple[Point, ...]:
        """From middle to middle, in this lane; it passes beside what stands in the middle of a hex
        that it crosses: to one side, or inside where it turns. What was done ends at the rim.
        """
        first, *via, last = (self.shape(at).middle for at in way)
        ahead = math.dist(first, last) or 1.0
        dx, dy = (last.x - first.x) / ahead, (last.y - first.y) / ahead
        middle = (
            via[len(via) // 2] if via else Point((first.x + last.x) / 2, (first.y + last.y) / 2)
        )
        turn = (middle.x - first.x) * dy - (middle.y - first.y) * dx
        aside = lane * (0.6 if via else 0.0 if suggested else 0.2)
        if abs(turn) > 1:
            aside = math.copysign(0.4 - 0.35 * _LANES.index(lane), -turn)
        middle = Point(middle.x + dy * aside * self.size, middle.y - dx * aside * self.size)
        # What stands in the middle is wider than high.
        short = 0.0 if suggested else 0.1 * abs(last.x - middle.x) / (self.size * 1.5)
        end = Point(last.x + (middle.x - last.x) * short, last.y + (middle.y - last.y) * short)
        return first, middle, end

    def numbers(self, marks: Marks) -> tuple[Layer, Layer]:
        """Wishes by their number on their hexes, `2.35` among what a seat filled last, and the
        numbers of choices; those of advice by themselves, faint.
        """
        wishes = [place for place in _places(marks.last) if "." in place]
        wishes += (f"{number}.{at}" for number, at in enumerate(marks.choices, 1) if at)
        advice = [place for place in _places(marks.advised) if "." in place]
        return self._numbered(wishes, 1.0), self._numbered(advice, _FAINT)

    def _numbered(self, wishes: Iterable[str], opacity: float) -> Layer:
        parted = (wish.split(".") for wish in sorted(wishes))
        items = (Token(look="choice", at=self.at(int(at)), size=0.85, detail=n) for n, at in parted)
        return Layer(items=tuple(items), opacity=opacity)


def _lane(way: Sequence[int], lanes: dict[tuple[int, int], set[int]]) -> int:
    """The first lane that no arrow has on any step of this way, 1 to its left, -1 to its right,
    then further out; it is taken then. `lanes` are those of steps to the higher number.
    """
    steps = [(one, other, 1 if one < other else -1) for one, other in pairwise(way)]
    for lane in _LANES:
        taken = [lanes.setdefault((min(a, b), max(a, b)), set()) for a, b, _ in steps]
        if not any(lane * sign in each for each, (*_, sign) in zip(taken, steps, strict=True)):
            break
    for each, (*_, sign) in zip(taken, steps, strict=True):
        each.add(lane * sign)
    return lane


def marked(marks: Marks) -> set[str]:
    """The meanings of the marks of hexes and moves in a picture: `new`, `arrow`, `advised`."""
    advised = set(_places(marks.advised))
    found = {"arrow" for place in _places(marks.last) if ">" in place}
    found |= {"advised" for place in advised if ">" in place}
    places = advised.union(_places(marks.last))
    return found | {"new" for place in places if not {">", "."}.intersection(place)}


def _places(filled: Mapping[Seat, Collection[str]]) -> Iterator[str]:
    for places in filled.values():
        yield from places

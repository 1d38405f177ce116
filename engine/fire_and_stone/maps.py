"""The map as scenes: a region large with what can be reached from it, the whole map small."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine.fire_and_stone.components import GATHERED
from engine.fire_and_stone.ground import GROUND
from engine.fire_and_stone.map import INDEX, LAND, NAMES, REGION, SEA, TERRITORIES, members
from engine.kit.presentation import Plain
from engine.kit.scene import (
    Arrow,
    Backdrop,
    Edge,
    EdgeKind,
    Form,
    Item,
    Label,
    LabelKind,
    Layer,
    Mark,
    MarkKind,
    Place,
    Token,
    Veil,
)
from engine.kit.shapes import Box, Point, Polygon, Projection, Rect, box_of, clipped
from engine.protocol import Seat

WIDTH: Final = 360
WHOLE: Final = Box(28, 128, 1206, 900)
AROUND: Final = {1: 52, 2: 44, 3: 44}
"""How far a region's picture reaches beyond the centres of its territories."""
SHALLOWS: Final = (("shallows", 8.0), ("foam", 2.0), ("plain", 0.0))
NUMERALS: Final = ("", "I", "II", "III")
_SPOT: Final = 17.0
"""From the middle of a tile to its rim."""
_NAME: Final = 10.5


class Part(NamedTuple):
    """A part of the map in a picture: `top` is where it begins, `shown` are its territories."""

    projection: Projection
    top: float
    shown: tuple[int, ...]
    region: int
    """The region that is played in, 0 for the whole map."""

    def at(self, territory: int) -> Point:
        x, y = self.projection.point(Point(*TERRITORIES[territory].at))
        return Point(x, y + self.top)

    def shape(self, territory: int) -> Polygon:
        corners = clipped(GROUND[territory].shape.points, self.projection.box)
        return Polygon(tuple(Point(x, y + self.top) for x, y in self.projection.points(corners)))

    @property
    def frame(self) -> Rect:
        return Rect(0, self.top, self.projection.width, self.projection.height)


@lru_cache
def part_of(region: int, top: float = 0, width: int = WIDTH) -> Part:
    """The picture of a region, or of the whole map."""
    if not region:
        return Part(Projection(WHOLE, width), top, tuple(range(len(NAMES))), 0)
    own = [Point(*each.at) for each in TERRITORIES if each.region == region]
    box = box_of(own).grown(AROUND[region])
    box = Box(max(box.left, WHOLE.left - 10), box.top, box.right, box.bottom + 8)
    inside = box.grown(-14)
    shown = [n for n, each in enumerate(TERRITORIES) if inside.meets(box_of([Point(*each.at)]))]
    return Part(Projection(box, width), top, tuple(shown), region)


@lru_cache
def ground(part: Part, open_: int) -> tuple[Layer, ...]:
    """What is the same as long as so many regions are open: land, coast, trails, names."""
    small = not part.region
    shapes = {n: part.shape(n) for n in range(len(NAMES))}
    shapes = {n: shape for n, shape in shapes.items() if len(shape.points) > 2}
    rims = (("shallows", 4.0), ("plain", 0.0)) if small else SHALLOWS
    land = [_place(n, shape, part) for n, shape in shapes.items()]
    closed = tuple(s for n, s in shapes.items() if REGION[n] > open_)
    other = tuple(s for n, s in shapes.items() if part.region and part.region != REGION[n] <= open_)
    lines: list[Item] = []
    if other:
        lines.append(Veil(other, "sunk", 0.42))
    if closed:
        lines.append(Veil(closed, "closed", 0.5))
    lines += _rim(part)
    lines += _ways(part)
    marks: list[Item] = [] if small else [*_shores(part), *_names(part)]
    if small:
        marks = [
            Label(kind=LabelKind.NAME, at=_numeral(part, region), text=numeral, size=17)
            for region, numeral in enumerate(NUMERALS)
            if region
        ]
    return (
        Layer(items=(Backdrop(part.frame, "sea", tuple(shapes.values()), rims), *land), kept=True),
        Layer(items=tuple(lines), kept=True),
        Layer(items=tuple(marks), kept=True),
    )


def _place(territory: int, shape: Polygon, part: Part) -> Place:
    name, kind = NAMES[territory], GROUND[territory].kind
    beside = LAND[territory] | SEA[territory]
    return Place(
        id=name if territory in part.shown else f"{name}.edge",
        shape=shape,
        ground=kind,
        texture=kind if part.region == REGION[territory] else "",
        at=part.at(territory),
        beside=tuple(NAMES[other] for other in members(beside)),
    )


def _rim(part: Part) -> Iterator[Item]:
    """The coast, and the borders of regions: sides that no neighbour shares."""
    sides: dict[frozenset[Point], list[int]] = {}
    for n, each in enumerate(GROUND):
        corners = each.shape.points
        for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
            sides.setdefault(frozenset((one, other)), []).append(n)
    coast, border = [], []
    for ends, owners in sides.items():
        first, last = sorted(ends)
        if not all(part.projection.box.meets(box_of([end])) for end in ends):
            continue
        if len(owners) == 1:
            coast.append((first, last))
        elif REGION[owners[0]] != REGION[owners[1]]:
            border.append((first, last))
    for kind, lines in ((EdgeKind.COAST, coast), (EdgeKind.BORDER, border)):
        for line in _chains(lines):
            points = tuple(Point(x, y + part.top) for x, y in part.projection.points(line))
            yield Edge(kind=kind, points=points)


def _chains(sides: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Sides joined to lines, by their ends."""
    ends: dict[Point, list[Point]] = {}
    for one, other in sides:
        ends.setdefault(one, []).append(other)
        ends.setdefault(other, []).append(one)
    lines = []
    for start in sorted(ends, key=lambda point: (len(ends[point]) == 2, point)):
        while ends[start]:
            line = [start]
            while ends[line[-1]]:
                here = line[-1]
                following = ends[here].pop()
                ends[following].remove(here)
                line.append(following)
            lines.append(line)
    return lines


def _ways(part: Part) -> Iterator[Item]:
    """Trails, gates between regions and routes over water, from rim to rim of the tiles."""
    cut = _SPOT * (0.95 if part.region else 0.35)
    for n in part.shown:
        for other in members(LAND[n] | SEA[n]):
            if other < n and other in part.shown:
                continue
            if part.region and part.region not in (REGION[n], REGION[other]):
                continue
            if not part.region and abs(TERRITORIES[n].at[0] - TERRITORIES[other].at[0]) > 400:
                continue
            between = ((NAMES[n], NAMES[other]),)
            if SEA[n] >> other & 1:
                kind = EdgeKind.ROUTE
            else:
                kind = EdgeKind.TRAIL if REGION[n] == REGION[other] else EdgeKind.GATE
                kind = kind if part.region else EdgeKind.BORDER
            points = _cut(part.at(n), part.at(other), cut)
            yield Edge(kind=kind, points=points, between=between, usable=bool(part.region))


def _cut(one: Point, other: Point, by: float) -> tuple[Point, Point]:
    """The line between two points without its ends."""
    dx, dy = other.x - one.x, other.y - one.y
    part = min(0.4, by / max(1.0, (dx * dx + dy * dy) ** 0.5))
    return (
        Point(one.x + dx * part, one.y + dy * part),
        Point(other.x - dx * part, other.y - dy * part),
    )


def _shores(part: Part) -> Iterator[Item]:
    for n in part.shown:
        if TERRITORIES[n].shore and REGION[n] == part.region:
            x, y = part.at(n)
            yield Token(look="shore", place=NAMES[n], at=Point(x + 14, y - 13), size=0.8)


def _numeral(part: Part, region: int) -> Point:
    """Where a region's number stands on the whole map: at sea."""
    x, y = part.projection.point(Point(*((72, 800), (640, 740), (880, 500))[region - 1]))
    return Point(x, y + part.top)


def _names(part: Part) -> Iterator[Item]:
    """Names beside their places, where they cover the least; the longest first."""
    own = [n for n in part.shown if REGION[n] == part.region]
    taken = [Box(x - 17, y - 17, x + 17, y + 17) for x, y in map(part.at, part.shown)]
    for one, other in [(n, o) for n in own for o in members(LAND[n])]:
        (ax, ay), (bx, by) = part.at(one), part.at(other)
        for step in (0.4, 0.5, 0.6):
            x, y = ax + (bx - ax) * step, ay + (by - ay) * step
            taken.append(Box(x - 1.5, y - 1.5, x + 1.5, y + 1.5))
    for n in sorted(own, key=lambda n: -_longest(n)):
        wide, high = _longest(n) * _NAME * 0.52, _NAME * _lines(n)
        room = Box(2, part.top + 2, part.projection.width - 2, part.top + part.projection.height)
        x, y = part.at(n)
        aside, above = 18 + wide / 2, 18 + high / 2
        places = (
            (x, y + above), (x, y - above), (x + aside, y + 2), (x - aside, y + 2),
            (x + aside - 4, y + above - 2), (x - aside + 4, y + above - 2),
            (x + aside - 4, y - above + 2), (x - aside + 4, y - above + 2),
        )  # fmt: skip
        boxes = [
            Box(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2) for cx, cy in places
        ]
        costs = [
            sum(_shared(box, each) for each in taken) + 14 * number + 4000 * (not _in(box, room))
            for number, box in enumerate(boxes)
        ]
        best = costs.index(min(costs))
        taken.append(boxes[best])
        at = Point(*places[best])
        yield Label(kind=LabelKind.NAME, at=at, text=NAMES[n], width=wide, size=_NAME, called=True)


def _longest(territory: int) -> int:
    """The letters of the longest line of a territory's name, in either language."""
    each = TERRITORIES[territory]
    return max(len(word) for word in broken(each.english) + broken(each.french))


def _lines(territory: int) -> int:
    each = TERRITORIES[territory]
    return max(len(broken(each.english)), len(broken(each.french)))


def broken(name: str) -> list[str]:
    """A name as it stands on the map: long ones of several words on two lines."""
    words = name.split()
    if len(name) < 10 or len(words) == 1:
        return [name]
    splits = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return list(min(splits, key=lambda lines: max(map(len, lines))))


def _shared(one: Box, other: Box) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(0.0, across) * max(0.0, down)


def _in(box: Box, room: Box) -> bool:
    return (
        room.left <= box.left
        and box.right <= room.right
        and room.top <= box.top
        and box.bottom <= room.bottom
    )


def things(view: Plain, part: Part, last: Mapping[Seat, Collection[str]]) -> Iterator[Layer]:
    """What lies on a part of the map now: marks, tiles, huts, explorers and their last steps."""
    huts = {village["place"]: village["huts"] for village in view["villages"]}
    game = {forest["place"]: forest["game"] for forest in view["forests"]}
    lit = {INDEX[place] for place in (view["own"] or {}).get("reach", ())}
    new = {place for places in last.values() for place in places if ">" not in place}
    marks: list[Item] = []
    tokens: list[Item] = []
    for n in part.shown:
        at, name = part.at(n), NAMES[n]
        spot = Rect(at.x, at.y, 0, 0)
        if part.region:
            if n in lit:
                marks.append(Mark(MarkKind.TOUCHABLE, spot, _SPOT + 4))
            look = _look(view, n, huts)
            size = 1.0 if REGION[n] == part.region else 0.75
            counts = (game[name],) if name in game else ()
            tokens.append(Token(look=look, place=name, at=at, counts=counts, size=size))
            if name in new:
                tokens.append(Mark(MarkKind.LAST, spot, _SPOT - 2))
        else:
            tokens.append(Token(look=_speck(view, n, huts), place=name, at=at, size=0.55))
        tokens += _huts(huts.get(name, ()), name, at, small=not part.region)
    yield Layer(items=tuple(marks))
    yield Layer(items=tuple(_arrows(part, last)))
    yield Layer(items=(*tokens, *_explorers(view, part)))


def _look(view: Plain, territory: int, huts: Mapping[str, object]) -> str:
    """The drawing of what lies in a territory."""
    tile: str = view["tiles"][territory]
    if NAMES[territory] in huts:
        return "tile_village"
    if TERRITORIES[territory].printed_fire:
        return "hearth"
    return f"tile_{tile}" if tile else "bare"


def _speck(view: Plain, territory: int, huts: Mapping[str, object]) -> str:
    """The same on the whole map, by kinds."""
    look = _look(view, territory, huts)
    if look in ("hearth", "tile_fire"):
        return "speck_fire"
    if look in ("tile_down", "tile_village"):
        return f"speck_{look[5:]}"
    return "speck_food" if look[5:] in GATHERED else "speck"


def _huts(huts: Collection[int], name: str, at: Point, *, small: bool) -> Iterator[Token]:
    """The huts of each seat as chips below a tile; on the whole map marks alone."""
    owned = [(seat, count) for seat, count in enumerate(huts) if count]
    for number, (seat, count) in enumerate(owned):
        if small:
            x = at.x + (number - (len(owned) - 1) / 2) * 10
            yield Token(look="hut", place=name, at=Point(x, at.y + 8), seat=seat, size=0.8,
                        form=Form.BADGE, usual=True)  # fmt: skip
            continue
        x = at.x + (number % 2 - (min(2, len(owned)) - 1) / 2) * 27
        y = at.y + 14 + number // 2 * 13
        yield Token(look="hut", place=name, at=Point(x, y), seat=seat, counts=(count,),
                    form=Form.CHIP, usual=True)  # fmt: skip


def _explorers(view: Plain, part: Part) -> Iterator[Item]:
    """The explorers, side by side where several stand; the one to move is pointed at."""
    standing: dict[str, list[tuple[Seat, int]]] = {}
    for seat, player in enumerate(view["players"]):
        for number, place in enumerate(player["explorers"], 1):
            standing.setdefault(place, []).append((seat, number))
    for place, there in standing.items():
        if INDEX[place] not in part.shown:
            continue
        at = part.at(INDEX[place])
        for number, (seat, explorer) in enumerate(there):
            if not part.region:
                x = at.x + (number - (len(there) - 1) / 2) * 11
                yield Token(look="explorer", place=place, at=Point(x, at.y - 7), seat=seat,
                            form=Form.BADGE, usual=True)  # fmt: skip
                continue
            x = at.x - 12 + number * 14
            acting = seat == view["to_move"] and view["explorer"] in (None, explorer)
            if acting:
                yield Token(look="pointer", place="", at=Point(x, at.y - 30), size=0.7)
            yield Token(look="explorer", place=place, at=Point(x, at.y - 6), seat=seat, size=0.78)


def _arrows(part: Part, last: Mapping[Seat, Collection[str]]) -> Iterator[Arrow]:
    """The steps that explorers made last: `from>to` among what a turn filled."""
    if not part.region:
        return
    for seat, places in last.items():
        for step in places:
            one, parted, other = step.partition(">")
            ends = [INDEX.get(name, -1) for name in (one, other)]
            if parted and one != other and all(end in part.shown for end in ends):
                yield Arrow(tuple(part.at(end) for end in ends), seat=seat)


def whole_frame(part: Part, large: Part) -> Iterable[Item]:
    """On the whole map the part that is shown large."""
    box = large.projection.box
    left, top = part.projection.point(
        Point(max(box.left, WHOLE.left + 3), max(box.top, WHOLE.top + 3))
    )
    right, bottom = part.projection.point(
        Point(min(box.right, WHOLE.right - 3), min(box.bottom, WHOLE.bottom - 3))
    )
    yield Mark(MarkKind.FRAME, Rect(left, top + part.top, right - left, bottom - top))

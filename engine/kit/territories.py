"""Maps of territories as scenes: a region large with what lies about it, the whole map small.

A game says where its territories are and what joins them; what lies on them it draws itself, at
`Part.at`. Regions are numbered from 1 and open one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise, starmap
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.kit.data import table
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
    Scene,
    Token,
    Veil,
)
from engine.kit.shapes import Box, Point, Polygon, Projection, Rect, box_of, clipped
from engine.protocol import Seat

RIM: Final = 17.0
"""From the middle of what lies on a territory to its rim."""
NAME: Final = 10.5
_BELOW: Final = 20
"""Units below a region that is not seen whole: its ground is drawn as where it is."""
_GAP: Final = 4
"""Between pictures one below the other."""

_STEP: Final = 60.0
_NAMED: Final = 55.0
"""Units from the middle of a territory to below its name, mostly."""
_CHIPS: Final = 29.0
"""To the rim of two chips side by side."""
_SHALLOWS: Final = (("shallows", 8.0), ("plain", 0.0))
_LETTER: Final = 0.52
"""The width of a letter for its size."""


class Territory(NamedTuple):
    """A place of a map, in units of the map, with its names in English and in French. `ground` is
    one of the kit's; what it `has` is the game's, but for "shore", which is marked by waves;
    `by_land` and `by_sea` are its neighbours, by number.
    """

    id: str
    names: tuple[str, str]
    at: Point
    region: int
    outline: Polygon
    ground: str
    has: str
    by_land: tuple[int, ...]
    by_sea: tuple[int, ...]

    @property
    def room(self) -> tuple[int, int]:
        """The longest line of its names on the map, in letters, and how many lines they have."""
        letters, lines = zip(*self.rooms, strict=True)
        return max(letters), max(lines)

    @property
    def rooms(self) -> tuple[tuple[int, int], ...]:
        """The same for each of its names."""
        return tuple(map(_room, self.names))


def read(package: str, name: str) -> tuple[Territory, ...]:
    """The territories of a CSV file, in its order: `id,english,french,region,x,y,has,land,sea,
    ground,outline`. Of two neighbours by `land` or `sea` one names the other; an outline is as in
    SVG, "x y x y ...".
    """
    rows = table(package, name)
    index = {row["id"]: number for number, row in enumerate(rows)}
    beside: dict[str, list[set[int]]] = {way: [set() for _ in rows] for way in ("land", "sea")}
    for number, row in enumerate(rows):
        for way, joined in beside.items():
            for other in row[way].split():
                joined[number].add(index[other])
                joined[index[other]].add(number)
    found = []
    for number, row in enumerate(rows):
        numbers = map(float, row["outline"].split())
        found.append(
            Territory(
                id=row["id"],
                names=(row["english"], row["french"]),
                at=Point(int(row["x"]), int(row["y"])),
                region=int(row["region"]),
                outline=Polygon(tuple(starmap(Point, zip(numbers, numbers, strict=True)))),
                ground=row["ground"],
                has=row["has"],
                by_land=tuple(sorted(beside["land"][number])),
                by_sea=tuple(sorted(beside["sea"][number])),
            )
        )
    return tuple(found)


class TerritoryMap:
    """A whole map. `box` is all that is shown of it; `around` says for each region how far its own
    picture reaches beyond the middles of its territories; `numerals` are where the numbers of the
    regions stand on the whole map.
    """

    def __init__(
        self,
        territories: Sequence[Territory],
        box: Box,
        around: Sequence[float],
        numerals: Sequence[Point],
    ) -> None:
        self.territories = tuple(territories)
        self.index = {each.id: number for number, each in enumerate(self.territories)}
        self.box = box
        self.around = tuple(around)
        self.numerals = tuple(numerals)

    def part(self, region: int, width: float, top: float = 0) -> Part:
        """The picture of a region, or of the whole map (0)."""
        if not region:
            return Part(self, Projection(self.box, width), top, 0)
        own = box_of(each.at for each in self.territories if each.region == region)
        box = own.grown(self.around[region - 1])
        left = max(box.left, self.box.left - 10)
        return Part(
            self, Projection(Box(left, box.top, box.right, box.bottom + 8), width), top, region
        )

    def near(self, region: int, territories: Iterable[int], by: float, width: float) -> Part:
        """A window of the picture of a region, about those of these territories that are in it, at
        least half as high as it is wide; what lies at its lower rim has room for its name.
        It lies where it does in that picture, whose ground it shows: that is drawn once for all
        windows.
        """
        projection = self.part(region, width).projection
        whole, scale = projection.box, projection.scale
        own = (self.territories[n] for n in territories)
        box = box_of(each.at for each in own if each.region == region).grown(by)
        more = max(0.0, whole.width / 2 - box.height) / 2
        # In steps, for the names in each are laid once.
        high = max(whole.top, _STEP * ((box.top - more) // _STEP))
        low = -_STEP * (-(box.bottom + more) // _STEP)
        ends = (each.at.y for each in self.territories if each.region == region)
        low += _STEP * any(low - _NAMED < y < low for y in ends)
        low = min(whole.bottom, low)
        top, bottom = round((high - whole.top) * scale), int((low - whole.top) * scale)
        high, low = whole.top + top / scale, whole.top + bottom / scale
        return Part(self, Projection(Box(whole.left, high, whole.right, low), width), top, region)

    def below(
        self, regions: Iterable[int], width: float, first: Part | None = None, top: int = 0
    ) -> tuple[list[Part], int]:
        """The pictures of regions (0 for the whole map) one below the other, below the `first` one,
        or from `top` on, and where the next would begin.
        """
        parts = [first] if first else []
        top = round(first.bottom) + _GAP if first else top
        for region in regions:
            parts.append(self.part(region, width, top))
            top = round(parts[-1].bottom) + _GAP
        return parts, top


class Part(NamedTuple):
    """A part of a map in a picture: `top` is where it begins; `region` is the one that is shown
    large, 0 for the whole map.
    """

    map: TerritoryMap
    projection: Projection
    top: float
    region: int

    @property
    def whole(self) -> Part:
        """The part whose ground is drawn: that of which this one is a window, or itself."""
        width = self.projection.width
        own = self.map.part(self.region, width, self.top)
        return own if own == self else self.map.part(self.region, width)

    @property
    def frame(self) -> Rect:
        return Rect(0, self.top, self.projection.width, self.projection.height)

    @property
    def bottom(self) -> float:
        return self.top + self.projection.height

    @property
    def shown(self) -> tuple[int, ...]:
        """The territories of which there is more than an edge."""
        return _shown(self)

    def moved(self, point: Point) -> Point:
        """A point of the map in the picture."""
        x, y = self.projection.point(point)
        return Point(x, y + self.top)

    def at(self, territory: int) -> Point:
        """The middle of a territory in the picture."""
        return self.moved(self.map.territories[territory].at)

    def shape(self, territory: int) -> Polygon:
        outline = self.map.territories[territory].outline.points
        return Polygon(tuple(map(self.moved, clipped(outline, self.projection.box))))

    def arrows(self, last: Mapping[Seat, Collection[str]]) -> Iterator[Arrow]:
        """The steps among what seats filled last: `from>to`, where both are shown large."""
        index = self.map.index if self.region else {}
        for seat, places in sorted(last.items()):
            for step in sorted(places):
                one, _, other = step.partition(">")
                ends = [index.get(name, -1) for name in (one, other)]
                if one != other and all(end in self.shown for end in ends):
                    yield Arrow(tuple(self.at(end) for end in ends), seat=seat)

    def owned(
        self, look: str, counts: Iterable[int], territory: int, *, counted: bool = False
    ) -> Iterator[Token]:
        """So many things of this look of each seat in a territory, as chips upon the lower end of
        what lies there; on the whole map marks alone, unless they are `counted`.
        """
        place, (x, y) = self.map.territories[territory].id, self.at(territory)
        owners = [(seat, count) for seat, count in enumerate(counts) if count]
        for number, (seat, count) in enumerate(owners):
            if not self.region and not counted:
                spot = Point(x + (number - (len(owners) - 1) / 2) * 10, y + 8)
                yield Token(look=look, place=place, at=spot, seat=seat, size=0.8, form=Form.BADGE,
                            usual=True)  # fmt: skip
                continue
            row, rows = number // 2, (len(owners) + 1) // 2
            aside = (number % 2 - (min(2, len(owners) - 2 * row) - 1) / 2) * 26
            spot = Point(x + aside, y + 11 - (rows - 1 - row) * 13)
            spot = spot if self.region else Point(x, y + 5 + number * 11)
            yield Token(look=look, place=place, at=spot, seat=seat, counts=(count,),
                        form=Form.CHIP, size=1.0 if self.region else 0.76, usual=True)  # fmt: skip

    def choices(self, choices: Sequence[str], territory: int) -> Iterator[Token]:
        """The numbers of the choices that lead to a territory, at its upper end, where it is shown
        large.
        """
        place, (x, y) = self.map.territories[territory].id, self.at(territory)
        leading = (place in chosen.split() and self.region > 0 for chosen in choices)
        numbers = [number for number, leads in enumerate(leading, 1) if leads]
        texts = [str(number) for number in numbers]
        if len(numbers) > 2 and numbers[-1] - numbers[0] < len(numbers):
            texts = [f"{numbers[0]}–{numbers[-1]}"]
        for aside, text in enumerate(reversed(texts)):
            spot = Point(x + 13 - 15 * aside, y - 15)
            yield Token(look="choice", at=spot, detail=text, size=0.58)

    def locks(self, gates: Mapping[int, str], regions: int) -> Iterator[Item]:
        """Of the whole map, locks on the regions that are closed while so many are open, each with
        the words for what opens it.
        """
        for region, words in gates.items():
            if region > regions and not self.region:
                x, y = self.moved(self.map.numerals[region - 1])
                yield Token(look="lock", at=Point(x - 21, y + 21), size=0.7)
                yield Label(kind=LabelKind.NAME, at=Point(x + 8, y + 22), text=words, width=50,
                            called=True)  # fmt: skip

    def framed(self, large: Part) -> Mark:
        """The frame about what another picture shows large."""
        whole, box = self.projection.box.grown(-3), large.projection.box
        left, top = self.moved(Point(max(box.left, whole.left), max(box.top, whole.top)))
        right, low = self.moved(Point(min(box.right, whole.right), min(box.bottom, whole.bottom)))
        return Mark(MarkKind.FRAME, Rect(left, top, right - left, low - top))


def totals(look: str, points: Iterable[int], called: Sequence[str], left: float) -> Layer:
    """Beside a map, players and their points, one below the other."""
    items: list[Item] = [Backdrop(Rect(left, 0, 140, 330), "raised")]
    for seat, total in enumerate(points):
        y, name = 40 + 44 * seat, [*called, *[""] * 6][seat]
        items.append(Token(look=look, at=Point(left + 22, y), seat=seat, form=Form.BADGE, size=2,
                           usual=True))  # fmt: skip
        items.append(Label(kind=LabelKind.TITLE, at=Point(left + 40, y), text=str(total), size=20))
        items.append(Label(kind=LabelKind.QUIET, at=Point(left + 68, y), text=name[:9], size=12))
    return Layer(items=tuple(items))


def stacked(
    parts: Sequence[Part], regions: int, things: Callable[[Part], Iterable[Layer]]
) -> Scene:
    """Parts of a map in one picture, while so many regions are open, with the `things` that lie on
    each. A territory is a place where it is first shown; the whole map has frames about the others.
    Of a region of which a part is shown the scene has a window on that part.
    """
    kept = _grounds(tuple(part.whole for part in parts), regions)
    above: list[Layer] = []
    for part in parts:
        above += things(part)
        if len(parts) > 1 and not part.region:
            above.append(Layer(items=tuple(part.framed(one) for one in parts if one.region)))
    frame = parts[-1].frame
    folds = tuple(round(part.top) for part in parts[1:])
    width, height = round(frame.width), round(parts[-1].bottom)
    scene = Scene(width=width, height=height, layers=(*kept, *above), folds=folds)
    if parts[0] != parts[0].whole:
        top = round(parts[0].top)
        below = round(parts[0].whole.bottom) + _BELOW
        scene = replace(scene, height=below, window=Rect(0, top, width, height - top))
    return scene


@lru_cache
def _grounds(parts: tuple[Part, ...], regions: int) -> tuple[Layer, ...]:
    """The ground of parts of a map: the same layers for the same parts."""
    seen: set[str] = set()
    layers = (layer for part in parts for layer in ground(part, regions))
    return tuple(replace(layer, items=tuple(_once(layer.items, seen))) for layer in layers)


def _once(items: Iterable[Item], seen: set[str]) -> Iterator[Item]:
    """The items; a place that was in an earlier part gets another id."""
    for item in items:
        if isinstance(item, Place):
            if item.id in seen:
                item = replace(item, id=f"{item.id}.{len(seen)}")
            seen.add(item.id)
        yield item


@lru_cache
def _shown(part: Part) -> tuple[int, ...]:
    inside = part.projection.box.grown(-14 if part.region else 0)
    return tuple(
        n for n, each in enumerate(part.map.territories) if inside.meets(box_of([each.at]))
    )


@lru_cache
def ground(part: Part, regions: int) -> tuple[Layer, ...]:
    """All that is the same while so many regions are open: land, coast, trails."""
    territories = part.map.territories
    # No slivers of what lies across the sea.
    near = {other for n in part.shown for other in (n, *territories[n].by_land)}
    shapes = {n: part.shape(n) for n in sorted(near)}
    shapes = {n: shape for n, shape in shapes.items() if len(shape.points) > 2}
    rims = _SHALLOWS if part.region else (("shallows", 4.0), ("plain", 0.0))
    closed = tuple(s for n, s in shapes.items() if territories[n].region > regions)
    other = tuple(
        s
        for n, s in shapes.items()
        if part.region and part.region != territories[n].region <= regions
    )
    veils = [Veil(s, colour, part_) for s, colour, part_ in
             ((other, "sunk", 0.42), (closed, "closed", 0.5)) if s]  # fmt: skip
    land = [_place(part, n, shape) for n, shape in shapes.items()]
    words: list[Item] = [
        Label(kind=LabelKind.NAME, at=part.moved(at), text="I" * number, size=17)
        for number, at in enumerate(part.map.numerals, 1)
        if part.region in (0, number)
    ]
    words += _shores(part) if part.region else ()
    return (
        Layer(items=(Backdrop(part.frame, "sea", tuple(shapes.values()), rims), *land), kept=True),
        Layer(items=(*veils, *_rims(part, shapes), *_ways(part)), kept=True),
        Layer(items=tuple(words), kept=True),
    )


def _place(part: Part, number: int, shape: Polygon) -> Place:
    each = part.map.territories[number]
    grown = part.region == each.region
    return Place(
        id=each.id if number in part.shown else f"{each.id}.edge",
        shape=shape,
        ground=each.ground,
        texture=each.ground if grown else "",
        at=part.at(number),
        beside=tuple(part.map.territories[other].id for other in (*each.by_land, *each.by_sea)),
    )


def _rims(part: Part, drawn: Collection[int]) -> Iterator[Item]:
    """The coast, and the borders of regions: sides that no neighbour shares, of what is `drawn`."""
    sides: dict[frozenset[Point], list[int]] = {}
    territories = part.map.territories
    for n, each in enumerate(territories):
        corners = each.outline.points
        for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
            sides.setdefault(frozenset((one, other)), []).append(n)
    lines: dict[EdgeKind, list[tuple[Point, Point]]] = {EdgeKind.COAST: [], EdgeKind.BORDER: []}
    for ends, owners in sides.items():
        first, last = sorted(ends)
        if not any(owner in drawn for owner in owners):
            continue
        if not all(part.projection.box.meets(box_of([end])) for end in ends):
            continue
        if len(owners) == 1:
            lines[EdgeKind.COAST].append((first, last))
        elif territories[owners[0]].region != territories[owners[1]].region:
            lines[EdgeKind.BORDER].append((first, last))
    for kind, found in lines.items():
        for line in _chains(found):
            yield Edge(kind=kind, points=tuple(map(part.moved, line)))


def _chains(sides: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
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
    """Trails, gates between regions and routes over water, from rim to rim. The whole map has
    routes alone, and none around the world.
    """
    large = bool(part.region)
    cut = RIM * (0.95 if large else 0.35)
    territories = part.map.territories
    for n in part.shown:
        each = territories[n]
        for other in (*each.by_land, *each.by_sea):
            regions = (each.region, territories[other].region)
            twice = other < n and other in part.shown
            far = abs(each.at.x - territories[other].at.x) > 0.34 * part.map.box.width
            if twice or (part.region not in regions if large else far or other in each.by_land):
                continue
            kind = EdgeKind.ROUTE
            if other in each.by_land:
                kind = EdgeKind.TRAIL if len(set(regions)) == 1 else EdgeKind.GATE
            yield Edge(
                kind=kind,
                points=_between(part.at(n), part.at(other), cut),
                between=((each.id, territories[other].id),),
                usable=large,
            )


def _between(one: Point, other: Point, cut: float) -> tuple[Point, Point]:
    """The line between two points without its ends."""
    dx, dy = other.x - one.x, other.y - one.y
    part = min(0.4, cut / max(1.0, (dx * dx + dy * dy) ** 0.5))
    return (
        Point(one.x + dx * part, one.y + dy * part),
        Point(other.x - dx * part, other.y - dy * part),
    )


def _own(part: Part) -> list[int]:
    return [n for n in part.shown if part.map.territories[n].region == part.region]


def _shores(part: Part) -> Iterator[Item]:
    for n in _own(part):
        if part.map.territories[n].has == "shore":
            x, y = part.at(n)
            yield Token(look="shore", place=part.map.territories[n].id, at=Point(x + 15, y - 13),
                        size=0.7)  # fmt: skip


def names(
    part: Part,
    wide: Iterable[int] = (),
    besides: Iterable[int] = (),
    crowds: Iterable[int] = (),
) -> Layer:
    """The names of a region's territories, and of those `besides` that are shown, beside each where
    they cover the least and can be taken for no other's. On those that are `wide` chips lie side by
    side, on `crowds` many stand in two rows.
    """
    shown = frozenset(part.shown)
    return _laid(
        part, shown.intersection(wide), shown.intersection(besides), shown.intersection(crowds)
    )


@lru_cache
def _laid(
    part: Part, wide: frozenset[int], besides: frozenset[int], crowds: frozenset[int]
) -> Layer:
    """The same, once for the same."""
    return Layer(items=tuple(_names(part, wide, besides, crowds)))


def _names(
    part: Part, chips: Collection[int], besides: Collection[int], crowds: Iterable[int]
) -> Iterator[Item]:
    territories, own, at = part.map.territories, _own(part), cache(part.at)
    own += [n for n in part.shown if n in besides and n not in own]
    taken = [Box(x - RIM - 3, y - RIM - 3, x + RIM + 3, y + RIM) for x, y in map(at, part.shown)]
    taken += [Box(x + 5, y - 22, x + 26, y - 5) for n in own for x, y in [at(n)]
              if territories[n].has == "shore"]  # fmt: skip
    # Where numbers of choices stand.
    taken += [Box(x + 4, y - 30, x + 23, y - 10) for x, y in map(at, own)]
    taken += [Box(x - _CHIPS, y + 3, x + _CHIPS, y + RIM + 2) for x, y in map(at, chips)]
    taken += [Box(x - _CHIPS, y - 40, x + _CHIPS, y) for x, y in map(at, crowds)]
    for n in own:
        for beside, thick in ((territories[n].by_land, 1.5), (territories[n].by_sea, 4.0)):
            for other in beside:
                (ax, ay), (bx, by) = at(n), at(other)
                for step in (0.4, 0.5, 0.6):
                    x, y = ax + (bx - ax) * step, ay + (by - ay) * step
                    taken.append(Box(x - thick, y - thick, x + thick, y + thick))
    room = Box(2, part.top + 2, part.projection.width - 2, part.bottom - 2)
    spots = [(n, at(n)) for n in part.shown]
    found: dict[int, Box] = {}
    # Whoever was named first makes way for the others the second time.
    for n in 3 * sorted(own, key=lambda n: -territories[n].room[0]):
        sizes = {
            (letters * NAME * _LETTER, NAME * lines) for letters, lines in territories[n].rooms
        }
        wide, high = map(max, zip(*sizes, strict=True))
        boxes = list(_beside(at(n), wide, high, 29 if n in chips else 20))
        # What is too far from all of the boxes costs nothing, and is not looked at for each.
        around = box_of([Point(x, y) for box in boxes for x, y in (box[:2], box[2:])])
        others = [spot for other, spot in spots if other != n and _apart(around, spot) < 45]
        near = [each for each in taken if around.meets(each)]
        said = [box for other, box in found.items() if other != n and around.meets(box.grown(3))]
        costs = [
            2 * _covered(box, near)
            + 20 * _covered(box.grown(3), said)  # nobody reads a name upon a name
            + 4 * number
            + 4000 * (not _in(box, room))
            + sum(_mistaken(each, at(n), others) for each in _written(box, sizes))
            for number, box in enumerate(boxes)
        ]
        found[n] = boxes[costs.index(min(costs))]
    for n, (left, top, right, bottom) in found.items():
        middle = Point((left + right) / 2, (top + bottom) / 2)
        yield Label(kind=LabelKind.NAME, at=middle, text=territories[n].id, width=right - left,
                    size=NAME, called=True)  # fmt: skip


def _beside(spot: Point, wide: float, high: float, aside: float) -> Iterator[Box]:
    """The places for a name about a spot, the best first."""
    x, y = spot
    out, low, high_up = aside + wide / 2, 18 + high / 2, -20 - high / 2
    sides = ((side * out, dy) for dy in (2, -5, 9, -11) for side in (1, -1))
    corners = [(side * (out - 7), dy) for dy in (low - 4, high_up + 4) for side in (1, -1)]
    slid = [part * wide for part in (0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45)]
    for a, b in (
        (0, low), *sides, *corners[:2], *((dx, low) for dx in slid[1:]),
        *((dx, high_up) for dx in slid), *corners[2:],
        *((side * (20 + wide / 2), 2 - high / 2) for side in (1, -1)),
    ):  # fmt: skip
        yield Box(x + a - wide / 2, y + b - high / 2, x + a + wide / 2, y + b + high / 2)


def _written(box: Box, sizes: Iterable[tuple[float, float]]) -> Iterator[Box]:
    """What a name of each of these sizes covers in the middle of a box."""
    for wide, high in sizes:
        aside, above = (box.width - wide) / 2, (box.height - high) / 2
        yield Box(box.left + aside, box.top + above, box.right - aside, box.bottom - above)


def _mistaken(box: Box, own: Point, others: Iterable[Point]) -> float:
    """What it costs that a name is nearer to another's spot than to its own, or nearly."""
    far = 3 + _apart(box, own)
    return sum(400 + 80 * (far - near) for other in others if (near := _apart(box, other)) < far)


@lru_cache(maxsize=1024)
def _room(name: str) -> tuple[int, int]:
    lines = name_lines(name)
    return max(map(len, lines)), len(lines)


def _covered(box: Box, others: Iterable[Box]) -> float:
    """How much of a box others cover."""
    left, top, right, bottom = box
    shared = [
        (min(right, east) - max(left, x)) * (min(bottom, south) - max(top, y))
        for x, y, east, south in others
        if x < right and left < east and y < bottom and top < south
    ]
    return sum(shared)


def _apart(box: Box, point: Point) -> float:
    """How far a point is from a box."""
    x = max(box.left - point.x, 0.0, point.x - box.right)
    y = max(box.top - point.y, 0.0, point.y - box.bottom)
    return float((x * x + y * y) ** 0.5)


def _in(box: Box, room: Box) -> bool:
    return (
        room.left <= box.left
        and box.right <= room.right
        and room.top <= box.top
        and box.bottom <= room.bottom
    )


def name_lines(name: str) -> list[str]:
    """A name as it stands on a map: long ones of several words on two lines, very long ones on
    three.
    """
    words = name.split()
    count = min(len(words), 1 if len(name) < 10 else 2)
    splits = (
        [" ".join(words[one:other]) for one, other in pairwise((0, *at, len(words)))]
        for at in combinations(range(1, len(words)), count - 1)
    )
    return min(splits, key=lambda lines: max(map(len, lines)))

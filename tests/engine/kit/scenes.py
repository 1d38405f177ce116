"""Two made-up boards, in any width: a valley of hexes for six, and a map of regions and seas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from zlib import crc32

from msgspec.structs import replace

from engine.kit.layout import settle
from engine.kit.scene import (
    Arrow,
    Backdrop,
    Card,
    Edge,
    EdgeKind,
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
from engine.kit.shapes import (
    Box,
    Hex,
    Point,
    Polygon,
    Projection,
    Rect,
    chained,
    hex_at,
    hex_neighbours,
    side_between,
)

At = tuple[int, int]

HEXES = [(q, r) for q in range(-3, 4) for r in range(max(-3, -3 - q), min(3, 3 - q) + 1)]
GROUNDS = ("plain", "forest", "mountain")
LAKE = {(0, 0), (1, 0)}
FULL: At = (-1, 0)
"""Six tribes, a camp, a field and six herds."""
BURNT = ((1, -2), (1, -3))
FROZEN = ((3, -1),)
RIVER = [((0, -1), (-1, 0)), ((-1, 0), (-1, -1)), ((-1, -1), (-2, 0)), ((-2, 0), (-2, -1))]
STREAM = [((1, 0), (1, 1)), ((1, 1), (2, 0))]
ROCK = (("sunk", 18.0), ("mountain", 10.0), ("stone_deep", 3.0))
SHALLOWS = (("shallows", 13.0), ("foam", 3.0))
SPECIES = ("wolf", "tiger", "bear", "bison", "rhino", "mammoth")


def hex_id(at: At) -> str:
    """Column from the west, row from the top of the column."""
    q, r = at
    return str(10 * (q + 4) + r - max(-3, -3 - q) + 1)


def ground_of(at: At) -> str:
    return "lake" if at in LAKE else GROUNDS[(crc32(f"{at}".encode()) >> 4) % 3]


def pawns(seat: int, warriors: int, women: int = 0) -> Token:
    counts = (warriors, women) if women else (warriors,)
    return Token(look="person", seat=seat, counts=counts, usual=True)


def herd(species: str, count: int = 1) -> Token:
    return Token(look=species, counts=(count,) if count > 1 else (), total="herds")


def standing() -> dict[At, list[Token]]:
    """Who stands where, from a lonely herd to the fullest hex there can be."""
    return {
        FULL: [
            *(pawns(seat, 3 + seat, 2) for seat in range(6)),
            Token(look="tent", seat=0),
            Token(look="ears", detail="2"),
            *(herd(species, 1 + number % 3) for number, species in enumerate(SPECIES)),
        ],
        (-3, 1): [herd("mammoth", 2)],
        (-3, 3): [Token(look="tent", seat=1), pawns(1, 4, 2)],
        (-2, -1): [pawns(0, 5, 1)],
        (-2, 2): [Token(look="cave", seat=5), pawns(5, 10, 6)],
        (-1, 2): [pawns(1, 3), pawns(2, 2)],
        (0, -3): [herd("tiger")],
        (0, -2): [pawns(3, 4), herd("wolf", 3)],
        (0, 2): [Token(look="tent", seat=2), Token(look="ears", detail="2")],
        (0, 3): [herd("bison", 4)],
        (1, -1): [pawns(0, 4), pawns(3, 3), pawns(4, 2, 1)],
        (1, 1): [pawns(4, 2, 3)],
        (2, -3): [herd("rhino"), herd("bear", 2)],
        (2, 0): [pawns(1, 1), pawns(2, 1), pawns(3, 1), pawns(5, 1)],
        (1, -2): [Token(look="flame")],
        (3, -3): [Token(look="tent", seat=3)],
        (3, -2): [pawns(3, 6, 2)],
    }


def valley(width: int = 360) -> Scene:
    """37 hexes with rivers, closed hexes, tribes of six seats, herds, and moves."""
    size = (width - 20) / 11
    margin = 26
    height = round(size * math.sqrt(3) * 7) + 2 * margin
    origin = Point(width / 2, height / 2)
    known = set(HEXES)
    shapes = {at: hex_at(*at, size, origin) for at in HEXES}

    def place(at: At) -> Place:
        ground = ground_of(at)
        return Place(
            id=hex_id(at),
            shape=shapes[at],
            ground=ground,
            texture=ground,
            name=hex_id(at),
            beside=tuple(hex_id(other) for other in hex_neighbours(*at) if other in known),
        )

    def river(kind: EdgeKind, sides: Sequence[tuple[At, At]]) -> list[Item]:
        (line,) = chained(side_between(*pair, size, origin) for pair in sides)
        between = tuple((hex_id(one), hex_id(other)) for one, other in sides)
        return [Edge(kind=kind, points=line, between=between)]

    grid = {
        frozenset((one, other)): side_between(one, other, size, origin)
        for one in HEXES
        for other in hex_neighbours(*one)
        if other in known
    }
    rim = [
        (shape.corners[number], shape.corners[(number + 1) % 6])
        for at, shape in shapes.items()
        for number, other in enumerate(hex_neighbours(*at))
        if other not in known
    ]
    plates = [
        Label(
            kind=LabelKind.PLATE,
            at=Point(shape.x, shape.y - size * 0.72),
            text=hex_id(at),
            more=f"{ground_of(at)[0].upper()}{1 + at[0] % 6}",
            width=size * 0.94,
            size=size * 0.31,
        )
        for at, shape in shapes.items()
    ]
    tokens = [
        token
        for at, there in standing().items()
        for token in settle(
            [_at(token, hex_id(at)) for token in there], shapes[at], top=size * 0.33
        )
    ]

    def moved(*path: At, aside: float = 0) -> tuple[Point, ...]:
        return tuple(Point(shapes[at].x + aside * size, shapes[at].y) for at in path)

    letters = [
        Label(kind=LabelKind.LETTER, at=_outside(shapes[at], origin), text=letter, size=10)
        for at, letter in {(0, -3): "C", (3, 0): "j", (-3, 0): "e", (0, 3): "F"}.items()
    ]
    return Scene(
        width=width,
        height=height,
        layers=(
            Layer(
                items=(
                    Backdrop(Rect(0, 0, width, height), "paper", tuple(shapes.values()), ROCK),
                    *(place(at) for at in HEXES),
                ),
                kept=True,
            ),
            Layer(
                items=(
                    *(Edge(kind=EdgeKind.BORDER, points=side) for side in grid.values()),
                    *(Edge(kind=EdgeKind.COAST, points=line) for line in chained(rim)),
                    *(edge for edge in river(EdgeKind.RIVER, RIVER)),
                    *(edge for edge in river(EdgeKind.STREAM, STREAM)),
                    *letters,
                ),
                kept=True,
            ),
            Layer(
                items=(
                    Veil(tuple(shapes[at] for at in BURNT), "burnt", 0.5),
                    Veil(tuple(shapes[at] for at in FROZEN), "frozen", 0.6),
                    Mark(MarkKind.HIGHLIGHT, shapes[1, -1]),
                    Mark(MarkKind.TOUCHABLE, shapes[-3, 2]),
                    Mark(MarkKind.TOUCHABLE, shapes[-2, 3]),
                    Mark(MarkKind.CHOSEN, shapes[-3, 3]),
                    Mark(MarkKind.LAST, shapes[0, 3]),
                )
            ),
            Layer(
                items=(
                    Arrow(moved((-3, 0), (-3, 1), aside=0.6)),
                    Arrow(moved((0, 1), (0, 2), (0, 3), aside=-0.62)),
                    Arrow(moved((2, -1), (1, -1)), seat=0),
                    Arrow(moved((1, 2), (1, 1)), seat=4),
                    Arrow(moved((3, -3), (3, -2)), seat=3),
                )
            ),
            Layer(items=tuple(plates)),
            Layer(items=tuple(tokens)),
        ),
    )


def _at(token: Token, place: str) -> Token:
    return replace(token, place=place)


def _outside(shape: Hex, origin: Point) -> Point:
    """A spot beyond a hex of the rim, seen from the middle."""
    dx, dy = shape.x - origin.x, shape.y - origin.y
    length = math.hypot(dx, dy)
    reach = shape.size * 1.2
    return Point(shape.x + dx / length * reach, shape.y + dy / length * reach)


COLUMNS, ROWS = 5, 5
SEA = {(0, 4), (3, 0), (4, 0), (4, 1), (2, 2)}
BIOMES = ("tundra", "forest", "plain", "sand", "jungle", "mountain")
NAMES = (
    "Scandia",
    "Baltic",
    "Gaul",
    "Great\nSteppe",
    "Iberia",
    "Alpine\nHearth",
    "Italy",
    "Balkans",
    "Atlas",
    "Nile",
    "Levant",
    "Guinea",
    "Chad",
    "Congo",
    "Horn",
    "Angola",
    "Zambezi",
    "Swahili\nHills",
    "Namib",
    "Cape",
)
LAND = [(x, y) for y in range(ROWS) for x in range(COLUMNS) if (x, y) not in SEA]
ROUTES = (("Gaul", "Italy"), ("Alpine\nHearth", "Congo"), ("Guinea", "Zambezi"))
MAP = Box(0, 0, 500, 560)


def corner(x: int, y: int) -> Point:
    """Where four regions meet; a little off, so that no border is straight."""
    dx = crc32(f"x{x}.{y}".encode()) % 41 - 20
    dy = crc32(f"y{x}.{y}".encode()) % 41 - 20
    return Point(25 + x * 90 + dx, 30 + y * 100 + dy)


def region(x: int, y: int) -> Polygon:
    return Polygon((corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)))


def regions(width: int = 360, box: Box = MAP, *, small: bool = False) -> Scene:
    """Twenty regions with tiles, explorers, huts, ways over the sea, and a row of cards below; or
    the part of the map in `box`; `small` as an overview, without names and moves.
    """
    view = Projection(box, width)
    names = dict(zip(LAND, NAMES, strict=True))
    shapes = {name: view.shape(region(*at)) for at, name in names.items()}
    middles = {name: shape.middle for name, shape in shapes.items()}
    cards = 0 if small or box != MAP else 84
    ground: list[Item] = []
    lines: list[Item] = []
    for (x, y), name in names.items():
        beside = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        ground.append(
            Place(
                id=name,
                shape=shapes[name],
                ground=BIOMES[(x + 2 * y) % 6] if y else BIOMES[x % 2],
                texture="" if small else BIOMES[(x + 2 * y) % 6] if y else BIOMES[x % 2],
                name=name.replace("\n", " "),
                beside=tuple(names[other] for other in beside if other in names),
            )
        )
        for other, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x, y + 1), (x + 1, y + 1)),
            ((x - 1, y), (x, y), (x, y + 1)),
        ):
            side = view.points((corner(*start), corner(*end)))
            if other not in names:
                lines.append(Edge(kind=EdgeKind.COAST, points=side))
            elif other > (x, y):
                lines.append(
                    Edge(kind=EdgeKind.BORDER, points=side, between=((name, names[other]),))
                )
    lines += [
        Edge(kind=EdgeKind.ROUTE, points=(middles[one], middles[other]), between=((one, other),))
        for one, other in ROUTES
    ]
    things, marks, labels = _on_regions(middles, small=small)
    layers = [
        Layer(
            items=(
                Backdrop(
                    Rect(0, 0, width, view.height + cards), "sea", tuple(shapes.values()), SHALLOWS
                ),
                *ground,
            ),
            kept=True,
        ),
        Layer(items=tuple(lines), kept=True),
        Layer(items=(Veil((shapes["Cape"], shapes["Namib"]), "closed", 0.55), *marks)),
    ]
    if not small:
        layers.append(
            Layer(
                items=(
                    Arrow((middles["Levant"], middles["Italy"]), seat=2),
                    Arrow((middles["Chad"], middles["Atlas"]), seat=3),
                )
            )
        )
    layers.append(Layer(items=tuple(things)))
    if not small:
        layers.append(Layer(items=tuple(labels)))
    if cards:
        layers.append(Layer(items=tuple(_cards(width, view.height))))
    return Scene(width=width, height=round(view.height) + cards, layers=tuple(layers))


def _on_regions(
    middles: dict[str, Point], *, small: bool
) -> tuple[list[Item], list[Item], list[Item]]:
    things: list[Item] = []
    labels: list[Item] = []
    tiles = ("apple", "flame", "fir", "down", "down", "tent")
    for number, (name, middle) in enumerate(middles.items()):
        look = tiles[number % 6]
        at = Point(middle.x, middle.y - (0 if small else 6))
        counts = (3,) if look == "fir" else ()
        if not small:
            things.append(Token(look=f"tile_{look}", place=name, at=at, counts=counts))
        lines = name.count("\n")
        labels.append(
            Label(
                kind=LabelKind.NAME,
                at=Point(middle.x, middle.y + 17 + 5.5 * lines),
                text=name,
                size=11,
            )
        )
    for name, seats in {"Italy": (2,), "Atlas": (3,), "Baltic": (0, 1), "Horn": (4, 5)}.items():
        room = Rect(middles[name].x - 40, middles[name].y - 38, 80, 30 if not small else 60)
        walking = [Token(look="person", place=name, seat=seat, size=0.8) for seat in seats]
        if small:
            walking = [Token(look="person", place=name, seat=seat) for seat in seats]
            room = Rect(middles[name].x - 40, middles[name].y - 8, 80, 16)
        things += settle(walking, room, margin=0)
    for name, huts in {"Alpine\nHearth": {0: 2, 1: 1, 3: 1}, "Congo": {4: 2}}.items():
        room = Rect(middles[name].x - 40, middles[name].y - 34, 80, 14)
        owned = [Token(look="tent", place=name, seat=s, counts=(n,)) for s, n in huts.items()]
        things += settle(owned, room, margin=0)
    marks: list[Item] = [
        Mark(MarkKind.TOUCHABLE, Rect(middles[name].x - 1, middles[name].y - 7, 2, 2), 20)
        for name in ("Gaul", "Balkans", "Nile")
    ]
    marks.append(Mark(MarkKind.LAST, Rect(middles["Levant"].x, middles["Levant"].y - 6, 0, 0), 17))
    marks.append(Mark(MarkKind.HERE, Rect(middles["Baltic"].x, middles["Baltic"].y - 6, 0, 0), 18))
    return things, [] if small else marks, labels


def _cards(width: int, top: float) -> list[Item]:
    cards = [
        Card(at=Point(0, 0), width=0, height=0, name="Clay Pots", look="tile_apple", counts=(2,)),
        Card(at=Point(0, 0), width=0, height=0, name="Boats", look="flame"),
        Card(at=Point(0, 0), width=0, height=0, name="Bone\nNeedle", look="tent", covered=True),
        Card(at=Point(0, 0), width=0, height=0, face_down=True),
    ]
    wide = min(84.0, (width - 10 * 5) / 4)
    return [
        Card(
            at=Point(10 + number * (wide + 10), top + 8),
            width=wide,
            height=66,
            name=card.name,
            look=card.look,
            counts=card.counts,
            covered=card.covered,
            face_down=card.face_down,
        )
        for number, card in enumerate(cards)
    ]

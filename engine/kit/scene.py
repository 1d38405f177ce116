"""A board as data: what is drawn and in which order, what may be touched, what is told of a place.

A game says what lies where and names the drawings ("looks"); templates draw (docs/kit-boards.md).
Sizes are units of the picture: CSS pixels at the width it is meant for. Colours are named roles,
which templates know by day and by night.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kit.shapes import Box, Point, Rect, Shape, box_of

Argument = str | int | bool | None
"""What a drawing is told; equal arguments give equal drawings."""


class SeatLook(msgspec.Struct, frozen=True):
    """The marks of a seat, always all three together: role of its colour, which is also its
    name, pattern, and the English initial (templates have that of their language).
    """

    colour: str
    pattern: str
    initial: str


SEATS: Final = (
    SeatLook("red", "stripes", "R"),
    SeatLook("yellow", "dots", "Y"),
    SeatLook("green", "plain", "G"),
    SeatLook("blue", "crosses", "B"),
    SeatLook("purple", "rings", "P"),
    SeatLook("charcoal", "chevrons", "C"),
)
"""The looks of up to six seats, in seat order."""


class Cell(msgspec.Struct, frozen=True, tag=True):
    """An opaque rectangle drawn by a look, in whole units. It says what its arguments tell and no
    more: it is drawn once and used anywhere. The drawing of one that is `tight` keeps within the
    rectangle by itself; of others what sticks out is cut off.

    `over` is what it lies on, from the ground up, as looks and arguments of other cells: a picture
    of pixels draws all of it, for its cells are opaque; on a page it is there already.
    """

    x: int
    y: int
    width: int
    height: int
    look: str
    arguments: tuple[Argument, ...] = ()
    tight: bool = False
    over: tuple[tuple[str, tuple[Argument, ...]], ...] = ()


class Bar(msgspec.Struct, frozen=True, tag=True):
    """A plain rectangle of one colour, in whole units, below all cells."""

    x: int
    y: int
    width: int
    height: int
    colour: str


class Backdrop(msgspec.Struct, frozen=True, tag=True):
    """All that is not land: a colour everywhere, and about the land rims of other colours, the
    outermost first, each with how far it reaches.
    """

    shape: Rect
    colour: str
    land: tuple[Shape, ...] = ()
    rims: tuple[tuple[str, float], ...] = ()

    @property
    def box(self) -> Box:
        return box_of(self.shape.corners)


class Place(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Somewhere on a board that is touched or walked to, and drawn where it has a `ground`.

    `texture` names what grows there. `anchor` is where things stand by default. `beside` are the
    places next to it, by id. One of several places that lead to the same (two tiles alike) names
    all of them in `alike`, itself too. `scored`: the points it brings are written there; `dotted`:
    where it brings none, a dot shows that it can be touched.
    """

    id: str
    shape: Shape
    ground: str = ""
    texture: str = ""
    name: str = ""
    at: Point | None = None
    beside: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    scored: bool = False
    dotted: bool = False

    @property
    def anchor(self) -> Point:
        return self.at or self.shape.middle

    @property
    def box(self) -> Box:
        return box_of(self.shape.corners)


class EdgeKind(StrEnum):
    """The kinds of lines on a map, told apart without colour."""

    BORDER = "border"
    COAST = "coast"
    RIVER = "river"
    STREAM = "stream"
    TRAIL = "trail"
    GATE = "gate"
    """A step into another region."""
    ROUTE = "route"
    """A way over water."""


class Edge(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """A line between places, or along them; `between` are those that it parts or joins, by twos."""

    kind: EdgeKind
    points: tuple[Point, ...]
    between: tuple[tuple[str, str], ...] = ()
    usable: bool = True

    @property
    def box(self) -> Box:
        return box_of(self.points)


class Form(StrEnum):
    """The room that a token takes: drawn in full, as a chip with its numbers, as a mark with their
    sum.
    """

    FIGURE = "figure"
    CHIP = "chip"
    BADGE = "badge"


class Token(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """A thing on a board: `look` is its drawing, `seat` whose it is, `counts` the numbers on it,
    `detail` what else its look is told.

    `place` is where it is told to be, `at` the middle of where it is drawn; `size` scales it.
    Tokens of one `total` can be summed up as one with that look where there is no room for each. Of
    one that is `usual` the mark of its seat says enough where it is not drawn in full.
    """

    look: str
    place: str = ""
    at: Point = Point(0, 0)
    seat: int | None = None
    counts: tuple[int, ...] = ()
    form: Form = Form.FIGURE
    size: float = 1.0
    total: str = ""
    detail: str = ""
    usual: bool = False

    @property
    def glyph(self) -> bool:
        """True if a chip or badge has a small drawing of what it is."""
        return self.seat is None or not self.usual


class Card(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """A card that lies beside a board. `covered`: another lies on it, and its effect is lost; a
    card face down has no name.
    """

    at: Point
    width: float
    height: float
    name: str = ""
    look: str = ""
    counts: tuple[int, ...] = ()
    covered: bool = False
    face_down: bool = False


class MarkKind(StrEnum):
    """The meanings of a mark around a place."""

    TOUCHABLE = "touchable"
    CHOSEN = "chosen"
    LAST = "last"
    """Changed since the reader last looked."""
    HIGHLIGHT = "highlight"
    HERE = "here"
    """The reader's own."""
    FRAME = "frame"
    """On an overview: the part that another picture shows."""


class Mark(msgspec.Struct, frozen=True, tag=True):
    """A mark around a shape, or around a spot of `radius` where that is not zero."""

    kind: MarkKind
    shape: Shape
    radius: float = 0.0

    @property
    def box(self) -> Box:
        if self.radius:
            x, y = self.shape.middle
            return Box(x, y, x, y).grown(self.radius)
        return box_of(self.shape.corners)


class Veil(msgspec.Struct, frozen=True, tag=True):
    """A colour laid over shapes that still lets them be seen: closed, burnt, frozen."""

    shapes: tuple[Shape, ...]
    colour: str
    opacity: float = 0.5

    @property
    def box(self) -> Box:
        return box_of(corner for shape in self.shapes for corner in shape.corners)


class Arrow(msgspec.Struct, frozen=True, tag=True):
    """A move: of people of a seat in its colour and pattern, of anything else dark and dashed. One
    that is `suggested`, or planned, is thin and dashed and reaches from middle to middle.
    """

    points: tuple[Point, ...]
    seat: int | None = None
    suggested: bool = False

    @property
    def box(self) -> Box:
        return box_of(self.points)


class LabelKind(StrEnum):
    """The ways in which words stand in a picture."""

    NAME = "name"
    """With a halo, on any ground."""
    PLATE = "plate"
    """On a pale plate, with a second text at its end."""
    LETTER = "letter"
    """In a ring."""
    TITLE = "title"
    QUIET = "quiet"


class Label(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Words or numbers in a picture, about the middle of `at`; lines are parted by line ends.

    If `called`, the text is an id, which the game's looks call by its name (`called(id)`, at most
    three lines, `width` wide at most).
    """

    kind: LabelKind
    at: Point
    text: str
    more: str = ""
    width: float = 0.0
    size: float = 11.0
    called: bool = False


Item = Bar | Cell | Backdrop | Place | Edge | Token | Card | Mark | Veil | Arrow | Label


def label(
    kind: LabelKind, at: Point, text: str, size: float, width: float = 0.0, *, called: bool = False
) -> Label:
    """A label of this size at a point."""
    return Label(kind=kind, at=at, text=text, size=size, width=width, called=called)


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """Things drawn one after the other. A layer that is `kept` is ground, the same for a whole
    match: it is drawn once, below all that are not, and pages dim it by night. One that is `over`
    comes last: pages draw it over what lights up to be touched, too.
    """

    items: tuple[Item, ...]
    kept: bool = False
    over: bool = False
    opacity: float = 1.0


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A picture: `layers` from the ground up. It begins at `top`, in units.

    At its `folds`, units from the top, a page may cut a picture to lay its parts side by side: no
    cell lies across one. Of a picture with a `window` only that is shown, in letters: what is kept
    of it is drawn once for all windows.
    """

    width: int
    height: int
    layers: tuple[Layer, ...]
    top: int = 0
    folds: tuple[int, ...] = ()
    window: Rect | None = None

    @property
    def items(self) -> Iterator[Item]:
        """Everything, in the order in which it is drawn."""
        for layer in self.layers:
            yield from layer.items

    @property
    def places(self) -> tuple[Place, ...]:
        """All places, in the order in which they are walked."""
        return tuple(item for item in self.items if isinstance(item, Place))

    @property
    def parts(self) -> tuple[Scene, ...]:
        """The pictures between the folds, from top to bottom; the whole where there is none."""
        edges = (self.top, *self.folds, self.top + self.height)
        return tuple(self._between(*pair) for pair in pairwise(edges)) if self.folds else (self,)

    def _between(self, top: int, bottom: int) -> Scene:
        layers = tuple(
            replace(layer, items=tuple(item for item in layer.items if _lies(item, top, bottom)))
            for layer in self.layers
        )
        return replace(self, top=top, height=bottom - top, folds=(), layers=layers)


def _lies(item: Item, top: int, bottom: int) -> bool:
    """True if a thing lies between two heights: a bar in part; of what is drawn about a point that
    point counts, of lines and marks their middle, of others the upper end.
    """
    match item:
        case Bar():
            return item.y < bottom and item.y + item.height > top
        case Cell():
            at: float = item.y
        case Token() | Card() | Label():
            at = item.at.y
        case Edge() | Arrow() | Mark():
            at = (item.box.top + item.box.bottom) / 2
        case _:
            at = item.box.top
    return top <= at < bottom


class Beside(msgspec.Struct, frozen=True):
    """A place next to another, by its name; `across` are the kinds of edges between them."""

    place: str
    across: tuple[EdgeKind, ...]

    @property
    def told(self) -> tuple[EdgeKind, ...]:
        """The edges that are more than the border any two places have."""
        return tuple(kind for kind in self.across if kind is not EdgeKind.BORDER)


class Stop(msgspec.Struct, frozen=True):
    """A place as it is told: what lies there, what is marked, what lies next to it."""

    place: Place
    tokens: tuple[Token, ...]
    veils: tuple[str, ...]
    beside: tuple[Beside, ...]

    @property
    def bare(self) -> bool:
        """True if there is nothing to tell but the ground."""
        return not self.tokens and not self.veils


def walk(scene: Scene) -> tuple[Stop, ...]:
    """The places of a scene one after the other, for who does not see it: what is drawn is told."""
    tokens: dict[str, list[Token]] = {}
    veils: dict[Shape, list[str]] = {}
    edges: dict[frozenset[str], list[EdgeKind]] = {}
    for item in scene.items:
        match item:
            case Token() if item.place:
                tokens.setdefault(item.place, []).append(item)
            case Veil():
                for shape in item.shapes:
                    veils.setdefault(shape, []).append(item.colour)
            case Edge():
                for both in item.between:
                    edges.setdefault(frozenset(both), []).append(item.kind)
    names = {place.id: place.name or place.id for place in scene.places}
    return tuple(
        Stop(
            place,
            tuple(tokens.get(place.id, ())),
            tuple(veils.get(place.shape, ())),
            tuple(
                Beside(names.get(other, other), tuple(edges.get(frozenset((place.id, other)), ())))
                for other in place.beside
            ),
        )
        for place in scene.places
    )

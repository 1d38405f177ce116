"""A picture taken apart: the nested svg elements and rects that its root consists of.

A picture that is to become a PNG is an svg element whose children are, besides `title` and `desc`,

- first of all a `rect` with the colour of the ground,
- an `svg` without size that holds the symbols, which cells refer to,
- `svg` elements: cells. A cell is opaque (it lies on the ground's colour, not on what is below)
  and says nothing but what is inside it, so that it can be drawn once and used anywhere,
- `rect` elements filled with one colour.

All places and sizes are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat

_NOT_INHERITED = frozenset(
    ("xmlns", "width", "height", "viewBox", "role", "id", "class", "aria-labelledby")
)


class Cell(NamedTuple):
    """What a cell looks like, wherever it lies. Two equal cells look the same in one picture."""

    width: int
    height: int
    view_box: str | None
    markup: bytes


class Placed(NamedTuple):
    """A cell, or the colour of a rect ("#RRGGBB"), with the left upper corner and the size."""

    x: int
    y: int
    width: int
    height: int
    what: Cell | str


class Picture(NamedTuple):
    """`style` are the root's attributes that cells inherit; `symbols` is the markup of the symbols."""

    width: int
    height: int
    ground: str
    style: Mapping[str, str]
    symbols: bytes
    placed: list[Placed]


class NotAPicture(ValueError):
    """The SVG is not made of cells; the message says what is in the way, and in which line."""


def take_apart(svg: bytes) -> Picture:
    """The parts of a picture in UTF-8. Raises NotAPicture."""
    parser = expat.ParserCreate()
    reader = _Reader(parser, svg)
    try:
        parser.Parse(svg, True)
    except expat.ExpatError as error:
        raise NotAPicture(f"not well-formed: {error}") from error
    return reader.picture()


class _Reader:
    """Notes where each child of the root begins and ends; what is inside is not looked at."""

    def __init__(self, parser: expat.XMLParserType, svg: bytes) -> None:
        self._parser = parser
        self._svg = svg
        self._depth = 0
        self._root: dict[str, str] = {}
        self._open: tuple[str, dict[str, str], int] = ("", {}, 0)
        self._symbols = b""
        self._ground = ""
        self._placed: list[Placed] = []
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def picture(self) -> Picture:
        if not self._ground:
            raise NotAPicture("without a rect of the ground's colour")
        return Picture(
            int(self._root["width"]),
            int(self._root["height"]),
            self._ground,
            {k: v for k, v in self._root.items() if k not in _NOT_INHERITED},
            self._symbols,
            self._placed,
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._depth == 0:
            self._root = attributes
        elif self._depth == 1:
            self._open = (name, attributes, self._parser.CurrentByteIndex)
        self._depth += 1

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._depth != 1 or name in ("title", "desc"):
            return
        _, attributes, start = self._open
        try:
            self._child(name, attributes, start)
        except (KeyError, ValueError) as error:
            line = self._parser.CurrentLineNumber
            raise NotAPicture(f"{name} in line {line}: {error}") from error

    def _child(self, name: str, attributes: dict[str, str], start: int) -> None:
        width, height = int(attributes["width"]), int(attributes["height"])
        what: Cell | str
        if name == "rect":
            what = attributes["fill"]
            self._ground = self._ground or what
        elif name == "svg":
            inside = self._svg.index(b">", start) + 1
            markup = self._svg[inside : self._parser.CurrentByteIndex]
            if width == 0:
                self._symbols = markup
                return
            what = Cell(width, height, attributes.get("viewBox"), markup)
        else:
            raise ValueError("neither a cell nor a rect")
        self._placed.append(
            Placed(int(attributes["x"]), int(attributes["y"]), width, height, what)
        )

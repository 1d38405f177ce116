"""Cells: what a picture is put together from, and the two ways of putting them into one.

A picture's template says where cells lie with `cell(x, y, width, height, macro, *arguments)`; the
macro gives what is inside, in units from the cell's own corner. A cell is opaque (it lies on the
colour of the ground, not on what is below), keeps within its size, and says nothing but what its
arguments tell, which can be hashed: so it is drawn once and used anywhere. Cells of one kind side
by side are put in with `cell.row(x, y, width, height, macro, arguments)`, one for each of these. In
a page a cell or a row is a nested svg element. In a picture for a letter cells are only noted, and
what is left of the template is the frame:

- the root, whose presentation attributes cells inherit, the same in all pictures of a game,
- first of all in it a `rect` with the colour of the ground,
- `rect` elements of one colour each, below the cells.

All places and sizes are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from markupsafe import Markup

KEPT_MARKUP: Final = 4096
"""Cells whose markup is kept for pages."""

_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_INHERITED: Final = ("fill", "font-family", "font-size", "font-weight")


class Cell(NamedTuple):
    """The looks of a cell, wherever it lies. Equal cells look the same."""

    width: int
    height: int
    macro: Callable[..., str]
    arguments: tuple[Hashable, ...]

    def markup(self) -> str:
        """The inside, as SVG."""
        return self.macro(*self.arguments)


class Rect(NamedTuple):
    """A plain rectangle of a colour ("#RRGGBB")."""

    x: int
    y: int
    width: int
    height: int
    colour: str


class Frame(NamedTuple):
    """A picture without its cells; `style` are the attributes of the root that cells inherit."""

    width: int
    height: int
    style: tuple[tuple[str, str], ...]
    ground: str
    rects: tuple[Rect, ...]


class NotAFrame(ValueError):
    """The SVG is no frame; the message says what is in the way."""


class Noted:
    """Notes where cells lie, in the order of the template, and leaves no trace in it."""

    def __init__(self) -> None:
        self.placed: list[tuple[int, int, Cell]] = []

    def __call__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        macro: Callable[..., str],
        *arguments: Hashable,
    ) -> str:
        self.placed.append((x, y, Cell(width, height, macro, arguments)))
        return ""

    def row(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        macro: Callable[..., str],
        arguments: Iterable[Hashable],
    ) -> str:
        """Note cells side by side, each of this size."""
        for number, argument in enumerate(arguments):
            self.placed.append((x + number * width, y, Cell(width, height, macro, (argument,))))
        return ""


class Nested:
    """Puts cells into a page. The picture's description tells what is in them."""

    def __call__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        macro: Callable[..., str],
        *arguments: Hashable,
    ) -> Markup:
        return _element(x, y, width, height, _markup(Cell(width, height, macro, arguments)))

    def row(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        macro: Callable[..., str],
        arguments: Iterable[Hashable],
    ) -> Markup:
        """Cells side by side, each of this size, as one element: pages are read by phones."""
        cells = [_markup(Cell(width, height, macro, (argument,))) for argument in arguments]
        inside = "".join(
            f'<g transform="translate({number * width:d} 0)">{cell}</g>'
            for number, cell in enumerate(cells)
        )
        return _element(x, y, len(cells) * width, height, inside)


nested = Nested()


def _element(x: int, y: int, width: int, height: int, inside: str) -> Markup:
    return Markup(  # noqa: S704 - four whole numbers, and what an escaping template gave
        f'<svg x="{x:d}" y="{y:d}" width="{width:d}" height="{height:d}" aria-hidden="true">'
        f"{inside}</svg>"
    )


def frame_of(svg: str) -> Frame:
    """The rest of a picture whose cells were noted. Raises NotAFrame."""
    try:
        root = ET.fromstring(svg)  # noqa: S314 - our own template's
        first, *others = (_rect(child) for child in root)
        return Frame(
            int(root.attrib["width"]),
            int(root.attrib["height"]),
            tuple((name, root.attrib[name]) for name in _INHERITED if name in root.attrib),
            first.colour,
            tuple(others),
        )
    except (ET.ParseError, KeyError, ValueError) as error:
        raise NotAFrame(f"{type(error).__name__}: {error}") from error


def _rect(element: ET.Element) -> Rect:
    if element.tag != f"{_NAMESPACE}rect":
        raise NotAFrame(f"{element.tag} is neither a cell nor a rect")
    x, y, width, height = (int(element.attrib[name]) for name in ("x", "y", "width", "height"))
    return Rect(x, y, width, height, element.attrib["fill"])


@lru_cache(maxsize=KEPT_MARKUP)
def _markup(cell: Cell) -> str:
    return str(cell.markup())

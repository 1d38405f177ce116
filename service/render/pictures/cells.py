"""Cells: what a picture of flat colours is put together from.

A cell is opaque (it lies on the colour of the ground, not on what is below), keeps within its size,
and says nothing but what its arguments tell, which can be hashed: so it is drawn once and used
anywhere. All places and sizes are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final, NamedTuple

from jinja2.environment import TemplateModule

from engine.kit import scene as kit

INK: Final = "#33241C"
STYLE: Final = (("font-family", "Cabin, sans-serif"), ("font-weight", "500"), ("fill", INK))
"""Attributes of the root of every picture, which what is drawn inherits."""


class Cell(NamedTuple):
    """The looks of a cell, wherever it lies. Equal cells look the same."""

    width: int
    height: int
    macro: Callable[..., str]
    arguments: tuple[Hashable, ...]
    over: tuple[tuple[Callable[..., str], tuple[Hashable, ...]], ...] = ()

    def markup(self) -> str:
        """The inside, as SVG, with what it lies on."""
        looks = (*self.over, (self.macro, self.arguments))
        return "".join(macro(*arguments) for macro, arguments in looks)


class Rect(NamedTuple):
    """A plain rectangle of a colour ("#RRGGBB")."""

    x: int
    y: int
    width: int
    height: int
    colour: str


class Frame(NamedTuple):
    """A picture without its cells: its size, and rectangles below them, the ground first."""

    width: int
    height: int
    ground: str
    rects: tuple[Rect, ...] = ()


Placed = tuple[int, int, Cell]


def bound(cell: kit.Cell, looks: TemplateModule) -> Cell:
    """A cell of a scene with the macros that draw it. Raises AttributeError for a look that is not
    there.
    """
    over = tuple((getattr(looks, look), arguments) for look, arguments in cell.over)
    return Cell(cell.width, cell.height, getattr(looks, cell.look), cell.arguments, over)


def framed(
    scene: kit.Scene, looks: TemplateModule, colours: Mapping[str, str]
) -> tuple[Frame, list[Placed]]:
    """The frame and the cells of a scene that has nothing else to be drawn. The first bar is the
    ground. Raises AttributeError for a look that is not there, KeyError for such a colour.
    """
    rects: list[Rect] = []
    placed: list[Placed] = []
    for item in scene.items:
        if type(item) is kit.Cell:
            placed.append((item.x, item.y, bound(item, looks)))
        elif type(item) is kit.Bar:
            rects.append(Rect(item.x, item.y, item.width, item.height, colours[item.colour]))
    return Frame(scene.width, scene.height, rects[0].colour, tuple(rects[1:])), placed

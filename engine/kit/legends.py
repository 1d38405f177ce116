"""Meanings of the marks of a picture: below it in rows of three, and for pages each by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.kit.scene import (
    Arrow,
    Backdrop,
    Edge,
    EdgeKind,
    Item,
    Label,
    LabelKind,
    Layer,
    Mark,
    MarkKind,
    Scene,
    label,
)
from engine.kit.shapes import Point, Rect, hex_at

_COLUMNS: Final = 3
_COLUMN: Final = 118
_SIZE: Final = 10.5


def of_hexes(at: Point) -> dict[str, Item]:
    """The marks that hexes and moves have in any game, about a point, by what they mean."""
    left, right = Point(at.x - 19, at.y + 4), Point(at.x + 20, at.y - 4)
    bank, other = Point(at.x - 11, at.y + 3), Point(at.x + 11, at.y - 3)
    return {
        "arrow": Arrow((left, right), seat=0),
        "advised": Arrow((left, right), seat=0, suggested=True),
        "fight": Mark(MarkKind.HIGHLIGHT, hex_at(0, 0, 10, at)),
        "new": Mark(MarkKind.LAST, hex_at(0, 0, 10, at)),
        "stream": Edge(kind=EdgeKind.RIVER, points=(bank, other)),
        "letter": label(LabelKind.LETTER, at, "a", 12),
    }


class Legend(NamedTuple):
    """The layout of a game's marks: `mark` draws one about a point, by what it means; its
    words, `aside` of it, are as wide as `room`. A page has each in a picture `sign` wide.
    """

    mark: Callable[[str, Point], Item]
    row: int
    aside: int
    room: int
    sign: int

    def height(self, meanings: Sequence[str]) -> int:
        return 8 + self.row * -(-len(meanings) // _COLUMNS)

    def below(self, top: float, meanings: Sequence[str]) -> Layer:
        """The marks with their words, below what a picture shows."""
        width = _COLUMNS * (_COLUMN + 2)
        items: list[Item] = [Backdrop(Rect(0, top, width, self.height(meanings)), "raised")]
        for number, meaning in enumerate(meanings):
            line, column = divmod(number, _COLUMNS)
            at = Point(self.aside + column * _COLUMN, top + 4 + self.row * (line + 0.5))
            words = Label(kind=LabelKind.QUIET, at=Point(at.x + self.aside, at.y), size=_SIZE,
                          text=f"legend.{meaning}", width=self.room, called=True)  # fmt: skip
            items += (self.mark(meaning, at), words)
        return Layer(items=tuple(items))

    def signs(self, meanings: Sequence[str]) -> dict[str, Scene]:
        """The marks by what they mean, each by itself."""
        middle = Point(self.sign / 2, 12)
        return {
            f"sign.{meaning}": Scene(
                width=self.sign, height=24, layers=(Layer(items=(self.mark(meaning, middle),)),)
            )
            for meaning in meanings
        }

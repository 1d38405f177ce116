"""Drawings beside the valley: the meanings of its marks, and fights with their dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from engine.kit import scene
from engine.kit.hexes import marked as marked_in
from engine.kit.legends import Legend, of_hexes
from engine.kit.presentation import Marks, Plain
from engine.kit.scene import Item, LabelKind, Layer, Scene, Token, label
from engine.kit.shapes import Point, Rect
from engine.mammoths.components import SPECIES, board
from engine.mammoths.presentation.telling import Rolls, dice
from engine.mammoths.presentation.valley import WIDTH, badge, standing
from engine.protocol import Seat

_ALWAYS: Final = ("stream", "lava", "number", "letter", "compass")
BRIEF: Final = (
    "pawns",
    "cave",
    "herd",
    "fight",
    "arrow",
    "advised",
    "new",
    "field",
    "fire",
    "mover",
    "announced",
    "number",
)
"""The marks that even those who know the others look up."""
LEGEND: Final = ("pawns", "village", *BRIEF[1:-1], *_ALWAYS)
_LOOKS: Final[dict[str, str]] = {"tribe": "pawns", "ears": "field", "blaze": "fire"}
_LOOKS.update(dict.fromkeys(SPECIES, "herd"))
"""What is explained as something else than by its look."""
_SIDE: Final = 38
"""The height of a side in a fight."""
_ROUNDS: Final = 5
"""Rounds of a fight that stand beside each other."""
_ROUND: Final = 58
_TITLE: Final = 22
_SHORT: Final = 2
"""Rounds that half the width has room for."""
MOST_FIGHTS: Final = 4


def seen(view: Plain, shown: Marks) -> set[str]:
    """The marks that are in a picture of the valley."""
    looks = {token.look for tokens in standing(view).values() for token in tokens}
    marked = marked_in(Marks() if view["phase"] == "setup" else shown)
    marked |= {"fight"} if view["phase"] == "combat" else set()
    marked |= {"announced" for tribe in view["tribes"] if tribe["announced"] and not view["rows"]}
    marked |= {"mover"} if view["to_move"] is not None else set()
    return {*_ALWAYS, *(_LOOKS.get(look, look) for look in looks), *marked}


def _mark(number: int, meaning: str, at: Point) -> Item:
    marks: dict[str, Item] = {
        "village": Token(look="village", at=at, seat=1, size=0.7),
        "cave": Token(look="cave", at=at, seat=1, size=0.7),
        "pawns": Token(
            look="tribe", at=at, seat=0, counts=(5, 2), form=scene.Form.CHIP, size=0.9, usual=True
        ),
        "herd": Token(look="bison", at=at, counts=(3,), size=0.6),
        "field": Token(look="ears", at=at, detail="2", size=0.55),
        "fire": Token(look="fire", at=at, size=0.6),
        **of_hexes(at),
        "lava": Token(look="lava", at=at, size=0.6),
        "announced": Token(look="announced", at=at, size=0.5),
        "number": scene.Label(
            kind=LabelKind.PLATE, at=at, text=_example(number), more="P3", width=34, size=11
        ),
        "mover": scene.Bar(round(at.x), round(at.y) - 9, 5, 18, "accent"),
        "compass": Token(look="compass", at=at, size=0.6, detail="2"),
    }
    return marks[meaning]


def _example(number: int) -> str:
    """A hex of plain in region 3 of a board; 35 where it has none."""
    places = board(number).places.values()
    found = (str(it.hex) for it in places if (it.terrain, it.region) == ("plain", 3))
    return next(found, "35")


def marks(number: int) -> Legend:
    """The marks of a board and their layout."""
    return Legend(partial(_mark, number), row=26, aside=20, room=80, sign=36)


class _Fight(Rolls):
    """A fight as it is drawn."""

    @property
    def rows(self) -> int:
        return max(1, -(-len(self.rounds) // _ROUNDS))

    @property
    def height(self) -> int:
        return _TITLE + self.rows * (_SIDE * len(self.sides) + 6)

    @property
    def width(self) -> int:
        """Half the picture if it is short: two of those stand side by side."""
        return WIDTH // 2 if len(self.rounds) <= _SHORT else WIDTH

    def _beasts(self) -> str:
        """The animals, and how many began; "herd" if they were of several species."""
        number = sum(fighters for seat, fighters in self.sides if seat is None)
        return f"herd:{number}:{self.against}" if self.against in SPECIES else "herd"

    def title(self, reader: Seat | None, names: Sequence[str]) -> str:
        """The hex and who won the last round: "fight.35.1", by name "fight.35.@Bo",
        "fight.35.herd:1:tiger", "fight.35.me" to the reader; "fight.35" if several did."""
        if len(self.left) != 1:
            return f"fight.{self.hex}"
        named: dict[Seat | None, str] = {n: f"@{name[:12]}" for n, name in enumerate(names) if name}
        named |= {reader: "me", None: self._beasts()}
        return f"fight.{self.hex}.{named.get(self.left[0], self.left[0])}"


def fights(
    events: Sequence[Plain], reader: Seat | None = None, names: Sequence[str] = ()
) -> Scene | None:
    """The first fights in which dice were rolled, a side to a line; None without any."""
    shown = [_Fight(*fight) for fight in dice(events)[:MOST_FIGHTS]]
    if not shown:
        return None
    items: list[Item] = []
    left = top = bottom = 4
    for fight in shown:
        if left + fight.width > WIDTH + 4:
            left, top = 4, bottom
        items += _drawn(fight, left, top, fight.title(reader, names))
        left, bottom = left + fight.width, max(bottom, top + fight.height)
    ground = scene.Backdrop(Rect(0, 0, WIDTH, bottom), "raised")
    return Scene(width=WIDTH, height=bottom, layers=(Layer(items=(ground, *items)),))


def _drawn(fight: _Fight, left: int, top: int, title: str) -> Iterator[Item]:
    head, room = Point(left + 6, top + _TITLE / 2), fight.width - 12
    yield label(LabelKind.TITLE, head, title, 12, room, called=True)
    top += _TITLE
    for line in range(fight.rows):
        above = top + line * (_SIDE * len(fight.sides) + 6)
        rounds = fight.rounds[line * _ROUNDS : (line + 1) * _ROUNDS]
        for number, (seat, fighters) in enumerate(fight.sides):
            y = above + _SIDE * (number + 0.5)
            if line == 0:
                at = Point(left + 20, y)
                beast = Token(look=fight.against, at=at, size=0.9)
                yield beast if seat is None else badge(seat, at, 1.8)
                yield label(LabelKind.QUIET, Point(left + 36, y), f"× {fighters}", 14, 28)
            for place, rolled in enumerate(rounds):
                yield from _die(rolled, seat, Point(left + 77 + _ROUND * place, y))


def _die(rolled: Plain, seat: Seat | None, at: Point) -> Iterator[Item]:
    """The die of a side, its bonus and total; who lost is marked."""
    side = next((each for each in rolled["sides"] if each["seat"] == seat), None)
    if side is None:
        return
    lost = seat in rolled["losers"]
    yield Token(look="die", at=at, size=0.82, detail=f"{side['die']}{'x' * lost}")
    whole = f"+{side['bonus']}={side['total']}"
    yield label(LabelKind.QUIET, Point(at.x + 15, at.y), whole, 11, 32)

"""The legend of a board: what its marks mean, numbered on the board itself (S§1.3-5, S§7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.kit.presentation import Plain
from engine.kit.scene import Argument
from engine.protocol import Seat
from engine.sapiens.components import SCENES
from engine.sapiens.presentation.layout import covered

COLUMNS: Final = 2
PANEL: Final = 44
"""The height of what is said of a mark."""
NAMES: Final = 4
"""Scenes beside each other where they are named."""
NAME: Final = 27
"""The height of a row of them."""

_CAVE: Final = (7, 5)
"""The values of a cave that stand for all where none is open."""


class Meaning(NamedTuple):
    """A mark that a legend explains: its `kind`, what it shows (a token's scene, a food, the values
    of a cave), and the place on the board that is pointed at ("" for none).
    """

    kind: str
    shown: tuple[Argument, ...]
    place: str = ""


def meanings(board: Plain, seat: Seat) -> tuple[Meaning, ...]:
    """The marks that are explained on this board of a seat, in the order in which they are read:
    before the first tile (S§3) those alone that it takes, after it what each scene brings (S§8).
    """
    if len(board["tiles"]) == 1:
        return tuple(Meaning("scene", (scene,)) for scene in SCENES)
    known = _on_board(board)
    if not covered(board):
        return (*known, Meaning("score", ()))
    return (
        *known,
        Meaning("bear", (), next(iter(board["bears"]), "")),
        Meaning("steak", ()),
        Meaning("fight", (seat,)),
        Meaning("last", ("fire",)),
        Meaning("score", ()),
    )


def named(board: Plain) -> tuple[str, ...]:
    """The scenes that are told by name, so that their pictures are known: all where meanings tell
    of none, before the first tile.
    """
    return () if board["tiles"] else tuple(SCENES)


def _on_board(board: Plain) -> Iterator[Meaning]:
    filled = covered(board)
    caves = [cave for cave in board["caves"] if cave["name"] not in filled]
    cave = next((cave for cave in caves if cave["token"]), caves[0] if caves else None)
    if cave is None:
        yield Meaning("cave", (*_CAVE, None))
    else:
        yield Meaning("cave", (cave["high"], cave["low"], cave["token"]), cave["name"])
    others = [each for each in caves if each is not cave and each["token"]]
    scene, place = _token(board["waterfalls"], others, cave)
    yield Meaning("token", (scene,), place)
    squares = {
        f"{column}{number}": square
        for number, row in enumerate(board["rows"], start=1)
        for column, square in zip("ABCDEFGH", row.split(), strict=True)
    }
    free = {name: s for name, s in squares.items() if name not in filled}
    free = {name: s for name, s in free.items() if name not in board["bears"]} or squares
    richest = max(free, key=lambda name: (int(free[name][1:]), name[0] in "CDEF", name))
    pointed = "" if richest in filled else richest
    yield Meaning("food", (free[richest],), pointed)


def _token(
    waterfalls: Mapping[str, str | None], others: list[Plain], cave: Plain | None
) -> tuple[str, str]:
    """A mountain token that lies on the board and its place, a cave's by choice."""
    for other in others:
        return other["token"], other["name"]
    for place, token in waterfalls.items():
        if token:
            return token, place
    return (cave["token"] if cave and cave["token"] else "hunt"), ""

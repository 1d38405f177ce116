"""Places in a frame of 10 by 7 whose middle is the valley (S§1.3-5), and what lies on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from engine.kit.presentation import Plain

COLUMNS: Final = "ABCDEFGH"
ROWS: Final = "12345"


def _places() -> dict[str, tuple[int, int]]:
    found = {"WL": (0, 0), "WR": (9, 0)}
    for column, letter in enumerate(COLUMNS, start=1):
        found |= {f"{letter}{row}": (column, int(row)) for row in ROWS}
        found |= {f"{letter}1N": (column, 0), f"{letter}5S": (column, 6)}
    for row in ROWS:
        found |= {f"A{row}W": (0, int(row)), f"H{row}E": (9, int(row))}
    return found


AT: Final = _places()
"""Column and row of every place."""


def _frame() -> tuple[tuple[str, ...], ...]:
    named = {at: place for place, at in AT.items()}
    return tuple(tuple(named.get((column, row), "") for column in range(10)) for row in range(7))


FRAME: Final = _frame()
"""The places row by row; "" for a corner without one."""

_TURN: Final = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}


class Covering(NamedTuple):
    """Half a tile on a place: its scene, the degrees from the east to the side where the other half
    lies, and the tile.
    """

    scene: str
    degrees: int
    tile: Plain


class Lying(NamedTuple):
    """Half a tile as it is drawn; `state` is "quiet", "last" (filled in the last turn) or
    "abandoned".
    """

    scene: str
    degrees: int
    state: str


def is_square(place: str) -> bool:
    """True for one of the 40 squares of the valley."""
    return len(place) == 2 and place[0] in COLUMNS


def scenes(tile: str) -> tuple[str, str]:
    """The two scenes of a tile, in the order of its name."""
    first, second = tile.split(".")[0].split("-")
    return first, second


def covered(board: Plain) -> dict[str, Covering]:
    """The halves of tiles that cover the places of a board."""
    found = {}
    for tile in board["tiles"]:
        (x, y), (to_x, to_y) = AT[tile["first"]], AT[tile["second"]]
        first, second = scenes(tile["tile"])
        found[tile["first"]] = Covering(first, _TURN[to_x - x, to_y - y], tile)
        found[tile["second"]] = Covering(second, _TURN[x - to_x, y - to_y], tile)
    return found


def lying(board: Plain, last: Collection[str]) -> dict[str, Lying]:
    """Halves of tiles on their places, as they are drawn; `last` are those filled last."""
    found = {}
    for place, (scene, degrees, tile) in covered(board).items():
        if tile["tribe"] != board["tribe"]:
            state = "abandoned"
        else:
            state = "last" if tile["first"] in last or tile["second"] in last else "quiet"
        found[place] = Lying(scene, degrees, state)
    return found


def laid(tiles: Iterable[tuple[str, str, str]], last: Collection[str]) -> dict[str, Lying]:
    """The same for tiles, each given with the places of its halves, that one tribe has laid."""
    named = [
        {"tile": tile, "first": first, "second": second, "tribe": 0}
        for tile, first, second in tiles
    ]
    return lying({"tiles": named, "tribe": 0}, last)


def cave(board: Plain, name: str) -> Plain:
    """The cave of this name. Raises StopIteration if there is none."""
    found: Plain = next(each for each in board["caves"] if each["name"] == name)
    return found


def newly_filled(board: Plain, before: Plain | None) -> list[str]:
    """The places that are filled on a board and were not on the one before; none without one."""
    if before is None:
        return []
    tiles = [tile for tile in board["tiles"] if tile not in before["tiles"]]
    bears = [place for place in board["bears"] if place not in before["bears"]]
    return [place for tile in tiles for place in (tile["first"], tile["second"])] + bears

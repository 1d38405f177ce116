"""A valley of Sapiens and what may be laid on it, for the independent referee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

SCENES = ["feast", "picking", "ritual", "fight", "water", "camp", "hunt", "fire"]
HALVES = ["first", "second"]
COLUMNS = "ABCDEFGH"
SQUARES = [f"{column}{row}" for row in range(1, 6) for column in COLUMNS]


def all_tiles() -> list[str]:
    """The 63 tiles in the order the record starts from."""
    return [
        f"{a}-{b}.{copy}"
        for k, a in enumerate(SCENES)
        for b in SCENES[k + 1 :]
        for copy in (1, 2, 3)
        if copy < 3 or "picking" in (a, b)
    ]


def scenes(tile: str) -> list[str]:
    return tile.split(".")[0].split("-")


def around(square: str) -> list[str]:
    """The squares side by side with this one."""
    column, row = COLUMNS.index(square[0]), int(square[1])
    steps = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return [f"{COLUMNS[c]}{r}" for c, r in steps if 0 <= c < 8 and 1 <= r <= 5]


@dataclass
class Board:
    left: str
    right: str
    rows: list[str]
    caves: list[dict[str, Any]]
    waterfalls: dict[str, str | None]
    tiles: list[dict[str, Any]] = field(default_factory=list)
    bears: list[str] = field(default_factory=list)
    tribe: int = 0

    def ground(self, square: str) -> tuple[str, int]:
        printed = self.rows[int(square[1]) - 1].split()[COLUMNS.index(square[0])]
        return printed[0], int(printed[1])

    def cave(self, name: str) -> dict[str, Any] | None:
        return next((cave for cave in self.caves if cave["name"] == name), None)

    def covers(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """For each covered square or cave the scene on it and the tile."""
        return {
            placed[half]: (scene, placed)
            for placed in self.tiles
            for half, scene in zip(HALVES, scenes(placed["tile"]), strict=True)
        }

    def problem(self, tile: str, first: str, second: str, how: str, plains: bool) -> str | None:
        """What forbids this placement, by section; `how` is start, turn, feast or abandon."""
        covers = self.covers()
        cave = self.cave(first) or self.cave(second)
        squares = [place for place in (first, second) if place in SQUARES]
        if cave is None:
            if how in ("start", "abandon"):
                return "S§3.1, S§11.2 not on a cave"
            if len(squares) != 2 or second not in around(first):
                return "S§5.1 not two squares side by side"
        elif squares != [cave["entrance"]]:
            return "S§5.1 not the cave and its entrance"
        if any(place in covers or place in self.bears for place in (first, second)):
            return "S§5.1 not free"
        touches_own = False
        for place, scene in zip((first, second), scenes(tile), strict=True):
            if cave is not None and place == cave["name"]:
                token = cave["token"]
                if how == "start" and token != scene:
                    return "S§3.1 not the token's scene"
                if how in ("turn", "feast") and token not in (None, scene):
                    return "S§5.5 not the token's scene"
                continue
            if scene == "picking" and self.ground(place)[0] == "p" and not plains:
                return "S§5.4 picking on a plain"
            for square in around(place):
                if square not in covers or square in (first, second):
                    continue
                other, placed = covers[square]
                if placed["tribe"] != self.tribe:
                    return "S§5.2 touches an abandoned tribe"
                if how == "abandon":
                    return "S§11.2 touches a tile"
                touches_own = True
                if other != scene:
                    return "S§5.3 another scene"
        if how in ("turn", "feast") and not touches_own:
            return "S§5.2 touches nothing"
        return None

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every pair of places a tile could be laid on, for its first and second scene."""
        for square in SQUARES:
            for other in around(square):
                yield square, other
        for cave in self.caves:
            yield cave["name"], cave["entrance"]
            yield cave["entrance"], cave["name"]

    def can(self, pool: list[str], how: str, plains: bool) -> bool:
        return any(
            self.problem(tile, first, second, how, plains) is None
            for tile in pool
            for first, second in self.pairs()
        )

    def connected(self, placed: dict[str, Any]) -> list[dict[str, Any]]:
        """The scenes of a tile just laid that touch their like in the active tribe (S§6.2)."""
        covers = self.covers()
        found = []
        for half, scene in zip(HALVES, scenes(placed["tile"]), strict=True):
            square = placed[half]
            if square in SQUARES and any(
                other in covers
                and covers[other][0] == scene
                and covers[other][1] is not placed
                and covers[other][1]["tribe"] == self.tribe
                for other in around(square)
            ):
                found.append({"scene": scene, "square": square, "fp": self.ground(square)[1]})
        return found

    def beside(self, square: str) -> list[str]:
        """The tiles a bear on this square touches, each once, by the order of their squares."""
        covers = self.covers()
        near = sorted((s for s in around(square) if s in covers), key=SQUARES.index)
        return list(dict.fromkeys(covers[s][1]["tile"] for s in near))

    def view(self) -> dict[str, Any]:
        return {
            "left": self.left,
            "right": self.right,
            "rows": self.rows,
            "caves": self.caves,
            "waterfalls": self.waterfalls,
            "tiles": self.tiles,
            "bears": sorted(self.bears, key=SQUARES.index),
            "tribe": self.tribe,
        }

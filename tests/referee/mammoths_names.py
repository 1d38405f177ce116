"""Names, map and cards of La Vallée des Mammouths, as docs/record.md writes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Plain = dict[str, Any]
SPECIES = ("wolf", "tiger", "bear", "bison", "rhino", "mammoth")
LETTERS = ("ABCDEFbfk", "ABCDEFcgj", "ABCDEFdhl", "abceghikl", "acdefgijl", "abdefhijk")
DYING = "ABCDEFabcdefghijkl*"
MOVE = (3, 3, 2, 2, 1, 1)
HOUSE = (3, 5, 6, 3, 4, 6)
"""M§17.2, doubled."""
CLIMBS = (True, True, True, False, False, False)
TRAMPLES = (False, False, False, True, True, True)
BEAR = 2
SUMMER = tuple(f"S{n:02}" for n in (1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14))
WINTER = tuple(f"N{n:02}" for n in (1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13))
COPIES = (2, 1, 1, 2, 3, 2, 2, 3, 2, 2, 3, 2, 2, 2, 2, 2, 2, 1, 2, 2)
TRICKS = tuple(f"T{n:02}" for n, copies in enumerate(COPIES, 1) for _ in range(copies))
ROWS = (0, 4, 5, 6, 7, 6, 5, 4)
HEXES = tuple(10 * c + r for c in range(1, 8) for r in range(1, ROWS[c] + 1))
BORDER = tuple(h for h in HEXES if h // 10 in (1, 7) or h % 10 in (1, ROWS[h // 10]))
TERRAINS = ("mountain", "forest", "plain")
HALVES: dict[str, tuple[str, ...]] = {
    "W1": (
        "22 21B|32 31f|11e",
        "24 13A|23 12d|25b 14c",
        "42 41C|35 34 36a|33 43",
        "Birchwater|44|22:23 33|great|33-34 34-23 23-24 23-13 12-13",
    ),
    "W2": (
        "32 31C|42 41f|33 43",
        "23 12B|24 13c|11d",
        "14A|22 21e|35 36a 25b",
        "Ashfold|44 34|32:33 42|great|33-23 22-23 22-12 11-12",
    ),
    "E1": (
        "62 61D|52 51g|71h 72i",
        "64 74E|63 73j|53",
        "47F|55 65k|46 45 56l",
        "Longmarsh|54|64:63 55|small|53-63 62-63 45-55 46-55",
    ),
    "E2": (
        "62 71D|52|51g 61h",
        "64 73E|65k 74j|63 72i",
        "55 56F|46 47l|54 53",
        "Tuskreach|45|55:46 65|small|54-55 54-64 54-63 53-63",
    ),
}
BOARDS = (("W1", "E1"), ("W1", "E2"), ("W2", "E1"), ("W2", "E2"))


def step(here: int, direction: int) -> int:
    """The neighbour in a direction, 0 to 5 for N NE SE S SW NW; 0 beyond the board."""
    c, r = divmod(here, 10)
    if direction in (0, 3):
        r += 1 if direction == 3 else -1
    elif direction in (1, 2):
        r += (direction == 2) - (c >= 4)
        c += 1
    else:
        r += (direction == 4) - (c <= 4)
        c -= 1
    return 10 * c + r if 1 <= c <= 7 and 1 <= r <= ROWS[c] else 0


def beside(here: int) -> Iterator[int]:
    return (there for d in range(6) if (there := step(here, d)))


def distances(start: int) -> dict[int, int]:
    """Steps to each hex, over anything."""
    found, edge = {start: 0}, [start]
    while edge:
        edge = [there for here in edge for there in beside(here) if _first(found, here, there)]
    return found


def _first(found: dict[int, int], here: int, there: int) -> bool:
    if there in found:
        return False
    found[there] = found[here] + 1
    return True


NEAR = {here: tuple(beside(here)) for here in HEXES}
FAR = {here: distances(here) for here in HEXES}


class Board:
    """One of the four boards, numbered from 1."""

    def __init__(self, number: int) -> None:
        self.terrain: dict[int, str] = {}
        self.regions: dict[tuple[str, int], tuple[int, ...]] = {}
        self.letters: dict[str, int] = {}
        self.lava: dict[int, tuple[int, ...]] = {}
        self.rivers: dict[str, set[frozenset[int]]] = {}
        names = []
        for side, half in enumerate(BOARDS[number - 1]):
            *regions, rest = HALVES[half]
            name, lake, volcano, river, edges = rest.split("|")
            names.append(name)
            for place, row in enumerate(regions):
                for terrain, listed in zip(TERRAINS, row.split("|"), strict=True):
                    self._region(terrain, 3 * side + place + 1, listed.split())
            self.terrain |= {int(h): "lake" for h in lake.split()}
            at, lava = volcano.split(":")
            self.lava[int(at)] = tuple(int(h) for h in lava.split())
            self.rivers[river] = {
                frozenset(int(h) for h in edge.split("-")) for edge in edges.split()
            }
        self.name = " / ".join(names)
        self.edges = self.rivers["great"] | self.rivers["small"]
        assert self.terrain.keys() == set(HEXES)

    def _region(self, terrain: str, number: int, listed: list[str]) -> None:
        hexes = tuple(int(h[:2]) for h in listed)
        self.regions[terrain, number] = hexes
        for text, here in zip(listed, hexes, strict=True):
            self.terrain[here] = terrain
            if text[2:]:
                self.letters[text[2:]] = here

    def touches(self, here: int, river: str) -> bool:
        return any(here in edge for edge in self.rivers[river])

    def lakeside(self, here: int) -> bool:
        return any(self.terrain[there] == "lake" for there in NEAR[here])

    def on_water(self, here: int) -> bool:
        return self.lakeside(here) or any(self.touches(here, river) for river in self.rivers)

    def kind(self, here: int) -> str:
        """Of a camp there."""
        return "cave" if self.terrain[here] == "mountain" else "village"

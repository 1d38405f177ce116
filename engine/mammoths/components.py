"""The printed matter (M§2): species, cards, and the four boards, from `valley.toml`.

Hexes are two digits, column from the west and row from the top of the column; 0 is no hex.
Directions are 0 to 5: N, NE, SE, S, SW, NW, the faces 1 to 6 of the compass rose.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final, Literal

import msgspec

from engine.kit.data import toml
from engine.kit.hexes import HexBoard, HexGrid, HexPlace, read_regions

Hex = int
Terrain = Literal["plain", "forest", "mountain", "lake"]
Species = Literal["wolf", "tiger", "bear", "bison", "rhino", "mammoth"]
Season = Literal["summer", "winter"]
Sex = Literal["w", "f"]
"""A warrior or a woman (f for the French and for female)."""

WARRIORS: Final = 10
WOMEN: Final = 6
CAMPS: Final = 5
START: Final = (5, 2)
"""The warriors and women with which a tribe settles (M§3.2)."""
PALISADES: Final = 2
SEASON_TURNS: Final = 3
CAMPS_TO_WIN: Final = 4
UNLETTERED: Final = 8
LONE_WOLF: Final = "*"
"""The mark of a wolf without a letter: it lies aside, not in the bag."""
LETTERS: Final = "ABCDEFabcdefghijkl"
COUNTER_ORDER: Final = LETTERS + LONE_WOLF
"""The order in which counters of a herd die (M§23.3)."""

_LAND: Final[tuple[Terrain, ...]] = ("mountain", "forest", "plain")
GRID: Final = HexGrid(3)


class Animal(msgspec.Struct, frozen=True, kw_only=True):
    """A species (M§2.3)."""

    name: Species
    move: int
    mountains: bool
    rivers: bool
    tramples: bool
    food: int
    letters: str


class Trick(msgspec.Struct, frozen=True, kw_only=True):
    """A trick card and the window it works in (M§14.1)."""

    title: str
    copies: int
    window: Literal["R", "D", "M", "C", "S", "B"]


class Place(HexPlace, frozen=True, kw_only=True):
    """A hex; `great` and `small` say which rivers it touches."""

    great: bool
    small: bool
    lakeside: bool
    volcano: bool

    @property
    def has_water(self) -> bool:
        return self.lakeside or bool(self.rivers)


class Board(HexBoard[Place]):
    """Two half boards side by side."""

    def __init__(self, halves: list[dict[str, Any]]) -> None:
        self.name = " / ".join(half["name"] for half in halves)
        self.lava: dict[Hex, tuple[Hex, ...]] = {
            half["volcano"]["at"]: tuple(half["volcano"]["lava"]) for half in halves
        }
        """The lava hexes of each volcano."""
        rivers: dict[tuple[Hex, Hex], str] = {}
        for half in halves:
            for one, other in half["river"]["edges"]:
                rivers[one, other] = rivers[other, one] = half["river"]["name"]
        lakes = {at for half in halves for at in half["lake"]}

        def place(at: Hex, terrain: Terrain, letter: str = "", region: int = 0) -> Place:
            sides = GRID.sides(at)
            touched = {side: rivers[at, side] for side in sides if (at, side) in rivers}
            return Place(
                hex=at,
                terrain=terrain,
                region=region,
                letter=letter,
                sides=sides,
                rivers=frozenset(map(sides.index, touched)),
                great="great" in touched.values(),
                small="small" in touched.values(),
                lakeside=not lakes.isdisjoint(sides),
                volcano=at in self.lava,
            )

        places = {at: place(at, "lake") for at in lakes}
        for half, terrain in product(halves, _LAND):
            for at, letter, region in read_regions(half[terrain]):
                places[at] = place(at, terrain, letter, region)
        super().__init__(GRID, places)
        self.land = tuple(h for h in self.hexes if places[h].terrain != "lake")

    def camp_on(self, at: Hex) -> str:
        """The kind of a camp there."""
        return "cave" if self.places[at].terrain == "mountain" else "village"


_DATA: Final = toml(__package__, "valley.toml")
ANIMALS: Final = tuple(msgspec.convert(each, Animal) for each in _DATA["species"])
SPECIES: Final[tuple[Species, ...]] = tuple(animal.name for animal in ANIMALS)
EVENTS: Final[dict[Season, tuple[str, ...]]] = {
    season: tuple(card for card, n in copies.items() for _ in range(n))
    for season, copies in _DATA["events"].items()
}
_WINDOWS: Final = {
    title: Trick(title=title, copies=copies, window=window)
    for window, cards in _DATA["tricks"].items()
    for title, copies in cards.items()
}
TRICKS: Final = dict(sorted(_WINDOWS.items()))
TITLES: Final = tuple(TRICKS)
DECK: Final = tuple(title for title, card in TRICKS.items() for _ in range(card.copies))
BOARDS: Final = (("W1", "E1"), ("W1", "E2"), ("W2", "E1"), ("W2", "E2"))


@cache
def board(number: int) -> Board:
    """One of the four boards, 1 to 4 (M§1.5)."""
    halves = {half["id"]: half for half in _DATA["halves"]}
    return Board([halves[side] for side in BOARDS[number - 1]])

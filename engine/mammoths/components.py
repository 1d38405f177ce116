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
from engine.kit.hexes import HexGrid

Hex = int
Terrain = Literal["plain", "forest", "mountain", "lake"]
Species = Literal["wolf", "tiger", "bear", "bison", "rhino", "mammoth"]
Season = Literal["summer", "winter"]
Sex = Literal["w", "f"]
"""A warrior or a woman (f for the French and for female)."""

WARRIORS: Final = 10
WOMEN: Final = 6
CAMPS: Final = 5
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


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A hex. `sides` are its neighbours by direction, 0 off the board; `rivers` the directions
    with a river edge, of which `great` and `small` say which rivers it touches."""

    hex: Hex
    terrain: Terrain
    region: int
    letter: str
    sides: tuple[Hex, ...]
    rivers: frozenset[int]
    great: bool
    small: bool
    lakeside: bool
    volcano: bool

    @property
    def neighbours(self) -> tuple[Hex, ...]:
        return tuple(side for side in self.sides if side)


class Board:
    """Two half boards side by side."""

    def __init__(self, name: str, places: dict[Hex, Place], lava: dict[Hex, tuple[Hex, ...]]):
        self.name = name
        self.places = places
        self.lava = lava
        """The lava hexes of each volcano."""
        self.hexes = tuple(sorted(places))
        self.land = tuple(h for h in self.hexes if places[h].terrain != "lake")
        self.by_letter = {p.letter: h for h, p in places.items() if p.letter}
        self.border = tuple(sorted(self.by_letter.values()))
        self.regions: dict[tuple[str, int], tuple[Hex, ...]] = {}
        for at, place in places.items():
            if place.region:
                key = (place.terrain, place.region)
                self.regions[key] = (*self.regions.get(key, ()), at)
        self._distance = {
            (one, other): GRID.distance(one, other) for one in self.hexes for other in self.hexes
        }

    def distance(self, one: Hex, other: Hex) -> int:
        """Hex steps over anything."""
        return self._distance[one, other]

    def direction(self, one: Hex, other: Hex) -> int:
        """The direction of a neighbour. Raises ValueError if it is none."""
        return self.places[one].sides.index(other)

    def river_between(self, one: Hex, other: Hex) -> bool:
        place = self.places[one]
        return bool(place.rivers) and self.direction(one, other) in place.rivers

    def rivers(self) -> list[tuple[Hex, Hex]]:
        """The sides with a river: the hexes on both banks, each side once."""
        return [
            (at, near)
            for at in self.hexes
            for near in self.places[at].neighbours
            if near > at and self.river_between(at, near)
        ]


def _board(halves: list[dict[str, Any]]) -> Board:
    rivers: dict[tuple[Hex, Hex], str] = {}
    for half in halves:
        for one, other in half["river"]["edges"]:
            rivers[one, other] = rivers[other, one] = half["river"]["name"]
    lava = {half["volcano"]["at"]: tuple(half["volcano"]["lava"]) for half in halves}
    lakes = {at for half in halves for at in half["lake"]}
    found = {at: _place(at, "lake", 0, "", lakes, rivers, lava) for at in lakes}
    for half, terrain in product(halves, _LAND):
        for region, hexes in half[terrain].items():
            for written in hexes.split():
                at, letter = int(written[:2]), written[2:]
                found[at] = _place(at, terrain, int(region), letter, lakes, rivers, lava)
    return Board(" / ".join(half["name"] for half in halves), found, lava)


def _place(
    at: Hex,
    terrain: Terrain,
    region: int,
    letter: str,
    lakes: set[Hex],
    rivers: dict[tuple[Hex, Hex], str],
    lava: dict[Hex, tuple[Hex, ...]],
) -> Place:
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
        volcano=at in lava,
    )


_DATA: Final = toml(__package__, "valley.toml")
ANIMALS: Final = tuple(msgspec.convert(each, Animal) for each in _DATA["species"])
SPECIES: Final[tuple[Species, ...]] = tuple(animal.name for animal in ANIMALS)
EVENTS: Final[dict[Season, tuple[str, ...]]] = {
    season: tuple(card for card, n in copies.items() for _ in range(n))
    for season, copies in _DATA["events"].items()
}
TRICKS: Final = {
    title: msgspec.convert({"title": title, **card}, Trick)
    for title, card in _DATA["tricks"].items()
}
TITLES: Final = tuple(TRICKS)
DECK: Final = tuple(title for title, card in TRICKS.items() for _ in range(card.copies))
BOARDS: Final = (("W1", "E1"), ("W1", "E2"), ("W2", "E1"), ("W2", "E2"))


@cache
def board(number: int) -> Board:
    """One of the four boards, 1 to 4 (M§1.5)."""
    halves = {half["id"]: half for half in _DATA["halves"]}
    return _board([halves[side] for side in BOARDS[number - 1]])

"""The contents of the box (S§1), numbered: scenes, tribe tiles, places, and how places lie to each
other.

Inside the engine a scene is a number 0..7 in the order of `SCENES`, a tile 0..62 in the order of
`TILES`, a place 0..67 in the order of `PLACES`. A set of squares is an int with bit `q` set for
square `q`; a set of scenes likewise. Names appear only in actions, views, events and errors.

Provenance: numbers of tiles, tokens, bears and steaks, the way scenes pair up and the steak scale
are published facts. The half boards are not (see `halves`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

SCENES: Final = ("feast", "picking", "ritual", "fight", "water", "camp", "hunt", "fire")
"""The eight scenes (S§1.1), in the order that names tiles."""
FEAST, PICKING, RITUAL, FIGHT, WATER, CAMP, HUNT, FIRE = range(8)
SCENE_INDEX: Final = {name: index for index, name in enumerate(SCENES)}
SCENE_OR_NONE: Final = (*SCENES, None)
"""The name of a scene, and None for -1, which stands for no scene."""
ALL_SCENES: Final = (1 << len(SCENES)) - 1
SCENE_SETS: Final = tuple(
    tuple(name for index, name in enumerate(SCENES) if scenes >> index & 1) for scenes in range(256)
)
"""The names in a set of scenes."""


def _tiles() -> tuple[tuple[str, tuple[int, int]], ...]:
    """Every pair of scenes twice, with `picking` three times (S§1.1)."""
    return tuple(
        (f"{SCENES[a]}-{SCENES[b]}.{copy}", (a, b))
        for a in range(8)
        for b in range(a + 1, 8)
        for copy in range(1, 4 if PICKING in (a, b) else 3)
    )


TILES: Final = tuple(name for name, _ in _tiles())
"""The 63 tribe tiles, e.g. "hunt-fire.1"."""
TILE_SCENES: Final = tuple(scenes for _, scenes in _tiles())
"""The two scenes of each tile, in the order of its name."""
TILE_INDEX: Final = {name: index for index, name in enumerate(TILES)}

STEAKS: Final = 18
BEARS: Final = 18
FIGHT_TOKENS: Final = 3
PERSONAL_POOL: Final = 4
COMMON_POOL: Final = 5
SET_ASIDE: Final = {2: 12, 3: 18, 4: 6}
"""Tiles set aside unseen, by number of players (S§2.1)."""

ROWS: Final = 5
COLUMNS: Final = 8
SQUARES: Final = ROWS * COLUMNS
ALL_SQUARES: Final = (1 << SQUARES) - 1


def _rim() -> tuple[tuple[str, int], ...]:
    """Where a cave can be: side by side with a square of the edge, which is its entrance
    (S§1.4).
    """
    corner_a, corner_h = 0, COLUMNS - 1
    columns, rows = range(COLUMNS), range(ROWS)
    return (
        *(("N", column) for column in columns),
        *(("S", (ROWS - 1) * COLUMNS + column) for column in columns),
        *(("W", row * COLUMNS + corner_a) for row in rows),
        *(("E", row * COLUMNS + corner_h) for row in rows),
    )


_SQUARE_NAMES: Final = tuple(
    f"{column}{row}" for row in range(1, ROWS + 1) for column in "ABCDEFGH"
)
PLACES: Final = (
    *_SQUARE_NAMES,
    *(_SQUARE_NAMES[entrance] + side for side, entrance in _rim()),
    "WL",
    "WR",
)
"""The names of all places: 40 squares "A1".."H5", 26 places on the rim such as "C1N", two
waterfalls.
"""
PLACE_INDEX: Final = {name: index for index, name in enumerate(PLACES)}
ENTRANCE: Final = (*([-1] * SQUARES), *(entrance for _, entrance in _rim()), -1, -1)
"""The square a place on the rim touches; -1 for squares and waterfalls."""
WATERFALLS: Final = (PLACE_INDEX["WL"], PLACE_INDEX["WR"])


def rim(side: str, entrance: int) -> int:
    """The place on the rim at this side ("N", "E", "S", "W") of an edge square."""
    return PLACE_INDEX[_SQUARE_NAMES[entrance] + side]


def is_square(place: int) -> bool:
    """True if the place is one of the 40 squares of the valley, not a cave or a waterfall."""
    return place < SQUARES


def _mask(column_free: str) -> int:
    """All squares but those of one column."""
    return sum(1 << q for q, name in enumerate(_SQUARE_NAMES) if name[0] != column_free)


NOT_A: Final = _mask("A")
NOT_H: Final = _mask("H")


def beside(squares: int) -> int:
    """The squares side by side with at least one of these (which may hold some of themselves)."""
    return (
        (squares & NOT_H) << 1 | (squares & NOT_A) >> 1 | squares << COLUMNS | squares >> COLUMNS
    ) & ALL_SQUARES


NEIGHBOURS: Final = tuple(beside(1 << q) for q in range(SQUARES))
"""For each square the set of squares side by side with it."""


@lru_cache(maxsize=1 << 14)
def members(squares: int) -> tuple[int, ...]:
    """The squares of a set, ascending."""
    return tuple([q for q in range(squares.bit_length()) if squares >> q & 1])


def names(squares: int) -> tuple[str, ...]:
    """The names of the squares of a set, in the order A1, B1 .. H5."""
    return tuple(PLACES[q] for q in members(squares))

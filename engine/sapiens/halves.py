"""The half boards (S§1.3-4): what a file of them says, and whether a match can be played on it.

Provenance: the rulebooks do not print the boards square by square. The half boards shipped here
(`half_boards.toml`) are an original substitute in the published format: four left and four right
halves with two faces, 20 squares and three caves each. An operator's file can replace them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from engine.sapiens.components import COLUMNS, ROWS, rim
from engine.sapiens.state import CaveSite, Valley

HALF_COLUMNS = COLUMNS // 2
HALF_CAVES = 3
FACES = 2
MOST_PLAYERS = 4

_ROW = re.compile(r"[fp][123]( [fp][123]){3}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,15}[a-z]")
_EDGES: Final = {"left": "NWS", "right": "NES"}


class HalfCave(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cave of a half: the edge ("N", "E", "S", "W") it lies on, how many squares from the half's
    left (N, S) or top (W, E) its entrance is, and the shelter values, high then low."""

    edge: Literal["N", "E", "S", "W"]
    at: int
    shelter: tuple[int, int]


class Half(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One face of a half board. `id` is the name of the piece and a letter for the face ("L1a");
    the rows are five strings of four squares, "f" forest or "p" plain with its food points: "f3 f2
    p1 p1".
    """

    id: str
    side: Literal["left", "right"]
    rows: tuple[str, ...]
    caves: tuple[HalfCave, ...]

    @property
    def piece(self) -> str:
        """The piece this is a face of (S§2.3)."""
        return self.id[:-1]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in a list of halves. `half` is the place in the list (None: the whole), `key` and
    `item` the place in the half.
    """

    code: str
    half: int | None = None
    key: str = ""
    item: int | None = None
    context: dict[str, Any] = {}


def faults(halves: Sequence[Half]) -> Iterator[Fault]:
    """Everything that makes these halves unfit for matches of up to four players."""
    sides: dict[str, str] = {}
    faces: defaultdict[str, int] = defaultdict(int)
    seen: set[str] = set()
    for index, half in enumerate(halves):
        if not _ID.fullmatch(half.id):
            yield Fault(code="bad_id", half=index, key="id", context={"id": half.id})
        elif half.id in seen:
            yield Fault(code="id_twice", half=index, key="id", context={"id": half.id})
        seen.add(half.id)
        if sides.setdefault(half.piece, half.side) != half.side:
            yield Fault(
                code="piece_on_two_sides", half=index, key="side", context={"piece": half.piece}
            )
        faces[half.piece] += 1
        if faces[half.piece] == FACES + 1:
            yield Fault(code="too_many_faces", half=index, key="id", context={"piece": half.piece})
        yield from _row_faults(index, half)
        yield from _cave_faults(index, half)
    for side in _EDGES:
        pieces = sum(found == side for found in sides.values())
        if pieces < MOST_PLAYERS:
            context = {"side": side, "pieces": pieces, "needed": MOST_PLAYERS}
            yield Fault(code="too_few_pieces", context=context)


def _row_faults(index: int, half: Half) -> Iterator[Fault]:
    if len(half.rows) != ROWS:
        yield Fault(
            code="row_count",
            half=index,
            key="rows",
            context={"rows": len(half.rows), "needed": ROWS},
        )
    for item, row in enumerate(half.rows):
        if not _ROW.fullmatch(row):
            yield Fault(code="bad_row", half=index, key="rows", item=item, context={"row": row})


def _cave_faults(index: int, half: Half) -> Iterator[Fault]:
    if len(half.caves) != HALF_CAVES:
        yield Fault(
            code="cave_count",
            half=index,
            key="caves",
            context={"caves": len(half.caves), "needed": HALF_CAVES},
        )
    places = set()
    for item, cave in enumerate(half.caves):
        high, low = cave.shelter
        problems = (
            ("edge_of_other_half", cave.edge not in _EDGES[half.side]),
            ("cave_off_edge", not 0 <= cave.at < (HALF_COLUMNS if cave.edge in "NS" else ROWS)),
            ("cave_twice", (cave.edge, cave.at) in places),
            ("shelter_order", not high > low >= 1),
        )
        places.add((cave.edge, cave.at))
        for code, wrong in problems:
            if wrong:
                context: dict[str, Any] = {
                    "edge": cave.edge,
                    "at": cave.at,
                    "high": high,
                    "low": low,
                }
                yield Fault(code=code, half=index, key="caves", item=item, context=context)


def valley(left: Half, right: Half) -> Valley:
    """The board of two halves: columns A-D from the left one, E-H from the right (S§1.3)."""
    rows = tuple(f"{a} {b}" for a, b in zip(left.rows, right.rows, strict=True))
    plains = sum(
        1 << row * COLUMNS + column
        for row in range(ROWS)
        for column in range(COLUMNS)
        if rows[row][3 * column] == "p"
    )
    caves = tuple(
        CaveSite(_place(cave, shift), *cave.shelter)
        for half, shift in ((left, 0), (right, HALF_COLUMNS))
        for cave in half.caves
    )
    return Valley(left=left.id, right=right.id, rows=rows, caves=caves, plains=plains)


def _place(cave: HalfCave, shift: int) -> int:
    if cave.edge in "NS":
        row, column = (0 if cave.edge == "N" else ROWS - 1), cave.at + shift
    else:
        row, column = cave.at, (0 if cave.edge == "W" else COLUMNS - 1)
    return rim(cave.edge, row * COLUMNS + column)

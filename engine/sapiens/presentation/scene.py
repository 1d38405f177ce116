"""The pictures of a position as scenes: what lies where, and what can be touched (S§1.3-5).

The looks are the macros of `templates/boards/sapiens/looks.svg`. A picture is upright, for it is
read on phones, where every unit of its width counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Final

from engine.kit.presentation import Marks, Occasion, Plain, Wanted
from engine.kit.scene import Argument, Bar, Cell, Item, Layer, Place, Scene
from engine.kit.shapes import Rect
from engine.protocol import Seat
from engine.sapiens.components import SCENES
from engine.sapiens.presentation.layout import (
    AT,
    COLUMNS,
    ROWS,
    is_square,
    lying,
    newly_filled,
    scenes,
)
from engine.sapiens.presentation.pools import alike
from engine.sapiens.presentation.telling import from_stack, shown_seat, turns_left

width: Final = 332
"""The room that a letter leaves on a phone of 360, where a wider picture would be made smaller."""

SQUARE: Final = 32
SMALL: Final = 13
"""A square of the big board and of a small one."""

_SIDES: Final = (
    ("N", 1, 0, 8, 1),
    ("S", 1, 6, 8, 1),
    ("W", 0, 1, 1, 5),
    ("E", 9, 1, 1, 5),
)
_CORNERS: Final = ((0, 270), (9, 180))
"""Sides of the rim: column and row in the frame, width, height; lower corners: column, turn."""

_DOORS: Final = {"N": (8, 0, 16, 3), "E": (29, 8, 3, 16), "S": (8, 29, 16, 3), "W": (0, 8, 3, 16)}
"""Where a cave is entered, on a square of the big board: the corner in the square, and the size."""

_POINT, _POINTS = 2, 60
"""Units for a point of the score track, and the points that there is room for."""


def pictures(view: Plain, reader: Seat | None, occasion: Occasion) -> tuple[Wanted, ...]:
    """The reader's own valley with the others small beside it; at the end everybody's, the
    reader's first, then clockwise.
    """
    count = len(view["players"])
    first = shown_seat(view, reader)
    turns = range(count if occasion is Occasion.END else 1)
    return tuple(Wanted(reader=reader, shown=(first + turn) % count) for turn in turns)


class _Picture:
    """A picture that is being put together."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.bars: list[Item] = [Bar(0, 0, width, height, "paper")]
        self.cells: list[Item] = []
        self.places: list[Item] = []

    def cell(self, x: int, y: int, width: int, height: int, look: str, *told: Argument) -> None:
        self.cells.append(Cell(x, y, width, height, look, told))

    def bar(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        self.bars.append(Bar(x, y, width, height, colour))

    def place(self, name: str, box: tuple[float, float, float, float], **more: object) -> None:
        self.places.append(Place(id=name, shape=Rect(*box), **more))  # type: ignore[arg-type]

    def scene(self) -> Scene:
        layers = [Layer(items=tuple(part)) for part in (self.bars, self.cells, self.places) if part]
        return Scene(width=self.width, height=self.height, layers=tuple(layers))


def scene(view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
    """A position, from top to bottom: scores, the valley of one player, their pool, the common
    pool, and the other players small. `full`: with all that others have in hand, for pages.
    """
    players, count, seat = view["players"], len(view["players"]), wanted.reader
    shown = shown_seat(view, seat, wanted.shown)
    own, names = players[shown], [marks.name(number) for number in range(count)]
    top = count * 20 + 20
    pool = top + 12 + 7 * SQUARE + 8
    common = pool + 74
    unknown = from_stack(view)
    others = common + (74 if view["common"] or unknown else 26)
    # What two hold besides tiles has room beside the one small board; in a letter to more, words
    # alone tell it.
    below = full and count > 2
    panel = 136 if below else 114
    picture = _Picture(width, others + count // 2 * panel + 2)
    _scores(picture, view, names, 2)
    _coordinates(picture, 0, top)
    _valley(picture, own["board"], 10, top + 12, SQUARE, marks.last.get(shown, ()))
    picture.cell(18, top + 12 + 6 * SQUARE + 6, 16, 16, "initialled", shown)
    for name, (column, row) in AT.items():
        x, y = 10 + column * SQUARE + 1.5, top + 12 + row * SQUARE + 1.5
        picture.place(name, (x, y, SQUARE - 3, SQUARE - 3), dotted=is_square(name))
    if shown == seat:
        picture.cell(2, pool + 3, 120, 16, "pool")
    else:
        picture.cell(2, pool + 3, 120, 16, "pool_of", shown, names[shown])
    _tokens(picture, own["claimed"], 124, pool, 134, touchable=True)
    picture.cell(264, pool + 3, 32, 16, "steaks", own["steaks"])
    picture.cell(300, pool + 3, 32, 16, "at_home", shown, own["fight_tokens"])
    _pool(picture, own["pool"], pool + 23)
    picture.cell(2, common + 3, 200, 16, "common")
    picture.cell(220, common + 3, 110, 16, "stack", view["stack"])
    left = turns_left(view)
    if left is not None:
        picture.cell(116, common + 3, 144, 16, "left", left)
    _pool(picture, view["common"], common + 23)
    for number in range(unknown):
        x = 2 + (len(view["common"]) + number) * 66
        picture.cell(x, common + 23, 64, 32, "hole")
    for step in range(1, count):
        them = (shown + step) % count
        x, y = 2 + (step - 1) % 2 * 168, others + (step - 1) // 2 * panel
        _neighbour(picture, x, y, 136, them, names[them])
        player = players[them]
        _valley(picture, player["board"], x, y + 18, SMALL, marks.last.get(them, ()))
        picture.place(f"board:{them}", (x, y + 18, 10 * SMALL, 7 * SMALL))
        for number, item in enumerate(player["pool"]):
            _small_tile(picture, item, x + 134, y + 18 + number * 23)
            box = (x + 134, y + 18 + number * 23, 26, 23)
            picture.place(f"tile:{item['tile']}", box, alike=alike(item, player["pool"]))
        if count == 2:
            _in_hand(picture, player, them, ((x + 174, y + 18), (x + 174, y + 41)))
            _tokens(picture, player["claimed"], x + 174, y + 64, 150)
        elif below:
            _in_hand(picture, player, them, ((x, y + 113), (x + 38, y + 113)))
            _tokens(picture, player["claimed"], x + 76, y + 110, 84)
    return picture.scene()


def card(view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
    """A position beside a link, about twice as wide as high: one valley, and everybody's points."""
    picture = _Picture(444, 232)
    _valley(picture, view["players"][shown]["board"], 4, 4, SQUARE, ())
    picture.cell(334, 14, 106, 16, "called")
    for seat, player in enumerate(view["players"]):
        y = 44 + seat * 46
        _neighbour(picture, 334, y, 106, seat, names[seat])
        score = min(player["fp"], player["sp"])
        picture.cell(334, y + 17, 106, 20, "points", score, player["out"])
    return picture.scene()


def film(view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
    """One picture of a match in motion: the scores and everybody's valley in the same size. Two
    valleys lie one below the other, more of them two to a row.
    """
    count = len(view["players"])
    across = 1 if count == 2 else 2
    top = count * 20 + 20
    panel = 20 + 12 + 7 * SQUARE + 6
    picture = _Picture(across * width, top + (count + across - 1) // across * panel)
    _scores(picture, view, names, 2)
    picture.cell(9, 0, 110, 16, "stack_aside", view["stack"])
    for seat, player in enumerate(view["players"]):
        x, y = seat % across * width, top + seat // across * panel
        last = newly_filled(player["board"], before["players"][seat]["board"] if before else None)
        _neighbour(picture, x + 10, y + 2, 136, seat, names[seat])
        _coordinates(picture, x, y + 20)
        _valley(picture, player["board"], x + 10, y + 32, SQUARE, last)
    return picture.scene()


def glance(view: Plain, seat: Seat, last: Collection[str]) -> Scene:
    """One valley small, for lists of matches."""
    picture = _Picture(10 * SMALL, 7 * SMALL)
    picture.bars.clear()
    _valley(picture, view["players"][seat]["board"], 0, 0, SMALL, last)
    return picture.scene()


def _scores(picture: _Picture, view: Plain, names: Sequence[str], y: int) -> None:
    """The score track: a row per player with food above shelter on one measure, then both in
    numbers and the lower of them, which counts (S§12.2).
    """
    for x, width, kind in ((252, 22, "fp"), (274, 22, "sp"), (296, 36, "score")):
        picture.cell(x, y, width, 12, "heading", kind)
    for tens in (20, 40):
        picture.cell(131 + tens * _POINT - 8, y, 16, 12, "measure", tens)
    for seat, player in enumerate(view["players"]):
        top, fp, sp = y + 12 + seat * 20, player["fp"], player["sp"]
        picture.cell(0, top, 130, 20, "row", seat, names[seat], view["to_move"] == seat)
        picture.cell(9, top + 2, 16, 16, "initialled", seat)
        picture.bar(131, top + 4, _POINTS * _POINT, 12, "sunk")
        if fp:
            picture.bar(131, top + 4, min(fp, _POINTS) * _POINT, 5, "food")
        if sp:
            long = min(sp, _POINTS) * _POINT
            picture.bar(131, top + 11, long, 5, "shelter")
            picture.bar(132, top + 12, long - 2, 3, "paper")
        picture.cell(252, top, 22, 20, "number", fp, fp <= sp)
        picture.cell(274, top, 22, 20, "number", sp, sp <= fp)
        picture.cell(307, top, 24, 20, "total", min(fp, sp), player["out"])
    for ten in range(1, 6):
        picture.bar(131 + ten * 10 * _POINT, y + 12, 1, 20 * len(view["players"]), "paper")


def _coordinates(picture: _Picture, x: int, y: int) -> None:
    for number, name in enumerate(COLUMNS, start=1):
        picture.cell(x + 10 + SQUARE * number, y, SQUARE, 12, "letter", name)
    for number, name in enumerate(ROWS, start=1):
        picture.cell(x, y + 12 + SQUARE * number, 10, SQUARE, "digit", name)


def _valley(
    picture: _Picture,
    board: Plain,
    x: int,
    y: int,
    size: int,
    last: Collection[str],
) -> None:
    """One valley with what lies on it, in squares of the big board, or of a small one."""
    small = size == SMALL
    suffix = "_small" if small else ""
    halves = lying(board, last)
    rows = [row.split() for row in board["rows"]]

    def put(name: str, look: str, *told: Argument) -> None:
        column, row = AT[name]
        picture.cell(x + column * size, y + row * size, size, size, f"{look}{suffix}", *told)

    def ground(name: str) -> str:
        column, row = AT[name]
        square: str = rows[row - 1][column - 1]
        return square

    # Rock below everything, for the joints of cells shine through where a page shows the picture
    # in another size.
    edge = size // 5
    picture.bar(x + edge, y + edge, 10 * size - 2 * edge, 7 * size - 2 * edge, "rock")
    for side, column, row, width, height in _SIDES:
        corner = (x + column * size, y + row * size)
        picture.cell(*corner, width * size, height * size, "rim", side, size)
    for column, degrees in _CORNERS:
        picture.cell(x + column * size, y + 6 * size, size, size, "corner", degrees, size)
    for place in ("WL", "WR"):
        at = x + AT[place][0] * size
        token = board["waterfalls"][place]
        picture.cell(at, y, size, size, "waterfall", place, token, size)
    for number, row in enumerate(rows, start=1):
        for column, square in enumerate(row, start=1):
            corner = (x + column * size, y + number * size)
            cell = Cell(*corner, size, size, f"square{suffix}", (square,), tight=True)
            picture.cells.append(cell)
    for place in board["bears"]:
        put(place, "open", ground(place), "last" if place in last else "quiet")
    for hole in board["caves"]:
        name, side = hole["name"], hole["name"][2]
        over = halves.pop(name, None)
        if over:
            put(name, "cave_taken", side, *over)
        elif small:
            low = None if hole["token"] else hole["low"]
            put(name, "cave", side, low, hole["token"])
        else:
            told = (hole["high"], hole["low"], hole["token"])
            put(name, "cave", side, *told)
        if not small and hole["entrance"] not in halves:
            column, row = AT[hole["entrance"]]
            dx, dy, width, height = _DOORS[side]
            corner = (x + column * size + dx, y + row * size + dy)
            picture.cell(*corner, width, height, "door", width, height)
    # What cannot be seen is left out: a cell is drawn for everything it is told.
    for place, over in halves.items():
        square = ground(place)
        hidden = small or over.state == "abandoned"
        put(place, "taken", square[0] if hidden else square, *over)


def _pool(picture: _Picture, pool: Sequence[Plain], y: int) -> None:
    for number, item in enumerate(pool):
        x = 2 + number * 66
        _tile(picture, item, x, y)
        picture.place(f"tile:{item['tile']}", (x, y, 64, 46), alike=alike(item, pool))


def _tile(picture: _Picture, item: Plain, x: int, y: int) -> None:
    """A tile of a pool as two cells; below it the codes of its scenes, and the fight tokens that
    lie on it between them.
    """
    owners = item["tokens"]
    for number, scene in enumerate(scenes(item["tile"])):
        picture.cell(x + number * SQUARE, y, SQUARE, SQUARE, "half", scene, number * 180, "quiet")
        if len(owners) < 2:
            at = x + 1 + number * 38 if owners else x + 4 + number * SQUARE
            picture.cell(at, y + SQUARE, 24, 14, "coded", scene)
    pitch = min(17, 48 // max(len(owners) - 1, 1))
    left = x + SQUARE - (16 + (len(owners) - 1) * pitch) // 2
    for number, seat in enumerate(owners):
        picture.cell(left + number * pitch, y + SQUARE + 1, 16, 16, "initialled", seat)


def _small_tile(picture: _Picture, item: Plain, x: int, y: int) -> None:
    """A tile of another player's pool with the fight tokens that lie on it, in 26 by 23."""
    for number, scene in enumerate(scenes(item["tile"])):
        at = x + number * SMALL
        picture.cell(at, y, SMALL, SMALL, "half_small", scene, number * 180, "quiet")
    pitch = min(11, 16 // max(len(item["tokens"]) - 1, 1))
    for number, seat in enumerate(item["tokens"]):
        picture.cell(x + number * pitch, y + SMALL, 10, 10, "initialled_small", seat)


def _tokens(
    picture: _Picture, claimed: Sequence[str], x: int, y: int, room: int, *, touchable: bool = False
) -> None:
    """Mountain tokens in hand, side by side in `room`; where they are many they overlap."""
    pitch = min(24, (room - 21) // max(len(claimed) - 1, 1))
    for number, scene in enumerate(claimed):
        picture.cell(x + number * pitch, y, 21, 21, "mountain_token", scene)
        if touchable:
            picture.place(f"token:{scene}", (x + number * pitch - 1, y - 1, 24, 24))


def _in_hand(
    picture: _Picture, player: Plain, seat: Seat, at: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    picture.cell(*at[0], 32, 16, "steaks", player["steaks"])
    picture.cell(*at[1], 32, 16, "at_home", seat, player["fight_tokens"])


def _neighbour(picture: _Picture, x: int, y: int, width: int, seat: Seat, name: str) -> None:
    """Whose valley it is, in `width` by 16."""
    picture.cell(x, y, 16, 16, "initialled", seat)
    picture.cell(x + 21, y, width - 21, 16, "named", seat, name)


_GROUNDS: Final = ("p1", "p2", "f2", "f3")
_CAVES: Final = ((5, 3), (6, 4), (6, 5), (7, 4), (7, 5), (8, 4), (8, 6), (9, 6))
_DEGREES: Final = (0, 90, 180, 270)
_OPEN_TO: Final = {"N": 90, "E": 180, "S": 270, "W": 0}
"""A tile in a cave points to the valley."""


def common() -> tuple[Cell, ...]:
    """The cells that pictures most often consist of. Only their looks matter."""
    return tuple(Cell(0, 0, *cell) for cell in _common())


def _common() -> Iterator[tuple[int, int, str, tuple[Argument, ...]]]:
    states = ("quiet", "last")
    for size, suffix, grounds in ((SQUARE, "", _GROUNDS), (SMALL, "_small", ("p", "f"))):
        for scene, degrees in product(SCENES, _DEGREES):
            for ground, state in product(grounds, states):
                yield size, size, f"taken{suffix}", (ground, scene, degrees, state)
            for ground in "pf":
                yield size, size, f"taken{suffix}", (ground, scene, degrees, "abandoned")
        for scene, degrees in product(SCENES, (0, 180)):
            yield size, size, f"half{suffix}", (scene, degrees, "quiet")
        for square in _GROUNDS:
            yield size, size, f"square{suffix}", (square,)
            for bear in states:
                yield size, size, f"open{suffix}", (square, bear)
        for (side, degrees), scene in product(_OPEN_TO.items(), SCENES):
            for state in (*states, "abandoned"):
                yield size, size, f"cave_taken{suffix}", (side, scene, degrees, state)
        for place, token in product(("WL", "WR"), (None, *SCENES)):
            yield size, size, "waterfall", (place, token, size)
        for side, _, _, width, height in _SIDES:
            yield size * width, size * height, "rim", (side, size)
        for _, degrees in _CORNERS:
            yield size, size, "corner", (degrees, size)
    for side, token, (high, low) in product(_OPEN_TO, (None, *SCENES), _CAVES):
        yield SQUARE, SQUARE, "cave", (side, high, low, token)
        yield SMALL, SMALL, "cave_small", (side, None if token else low, token)
    for scene in SCENES:
        yield 24, 14, "coded", (scene,)
        yield 21, 21, "mountain_token", (scene,)
    for name in COLUMNS:
        yield SQUARE, 12, "letter", (name,)
    for name in ROWS:
        yield 10, SQUARE, "digit", (name,)
    for _, _, width, height in _DOORS.values():
        yield width, height, "door", (width, height)
    for value in range(61):
        yield 22, 20, "number", (value, True)
        yield 22, 20, "number", (value, False)
        yield 24, 20, "total", (value, False)
    for count in range(48):
        yield 110, 16, "stack", (count,)
        yield 110, 16, "stack_aside", (count,)
    for turns in range(12):
        yield 144, 16, "left", (turns,)
    for width, kind in ((22, "fp"), (22, "sp"), (36, "score")):
        yield width, 12, "heading", (kind,)
    for points in (20, 40):
        yield 16, 12, "measure", (points,)
    for seat in range(4):
        yield 16, 16, "initialled", (seat,)
        yield 10, 10, "initialled_small", (seat,)
        for count in range(4):
            yield 32, 16, "at_home", (seat, count)
    for count in range(6):
        yield 32, 16, "steaks", (count,)
    yield 120, 16, "pool", ()
    yield 200, 16, "common", ()

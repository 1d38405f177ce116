"""The pictures of a position as scenes: what lies where, and what can be touched (S§1.3-5).

The looks are the macros of `templates/boards/sapiens/looks.svg`. A picture is upright, for it is
read on phones, where every unit of its width counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from typing import Final

from msgspec.structs import replace

from engine.kit.presentation import Marks, Occasion, Plain, Wanted
from engine.kit.scene import Argument, Bar, Cell, Item, Layer, Place, Scene
from engine.kit.shapes import Rect
from engine.protocol import Seat
from engine.sapiens.presentation.layout import (
    AT,
    COLUMNS,
    ROWS,
    is_square,
    lying,
    newly_filled,
    scenes,
)
from engine.sapiens.presentation.legend import COLUMNS as LEGEND_COLUMNS
from engine.sapiens.presentation.legend import NAME, NAMES, PANEL, Meaning, meanings, named
from engine.sapiens.presentation.pools import alike
from engine.sapiens.presentation.telling import from_stack, ranked, shown_seat, turns_left

width: Final = 332
"""The room that a letter leaves on a phone of 360, where a wider picture would be made smaller."""

SQUARE: Final = 33
SMALL: Final = 16
"""A square of the big board and of a small one."""

HALF: Final = 32
"""Half a tile of a pool."""

ROW: Final = 22
"""The height of a player's row in the list of scores."""

_HEAD: Final = 18
"""That of the headings above it."""

SIDES: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The steps to the squares beside one."""

_DRAWINGS: Final = 4
"""Drawings of each kind of ground."""

Look = tuple[str, tuple[Argument, ...]]
"""A look with its arguments."""

_PATCH: Final = (range(3, 6), range(3, 5))
"""Columns and rows that the picture of a choice may have."""

_POINTS: Final = 60
"""The points that there is room for on the score track."""


def pictures(view: Plain, reader: Seat | None, occasion: Occasion) -> tuple[Wanted, ...]:
    """The reader's own valley with everybody else's below it: one picture has all of them, for a
    letter has no room for several (`docs/decisions/0050`).
    """
    return (Wanted(reader=reader, shown=shown_seat(view, reader)),)


class _Picture:
    """A picture that is being put together."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.bars: list[Item] = [Bar(0, 0, width, height, "paper")]
        self.ground: list[Item] = []
        self.cells: list[Item] = []
        self.places: list[Item] = []

    def cell(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        look: str,
        *told: Argument,
        over: Look | None = None,
    ) -> None:
        self.cells.append(Cell(x, y, width, height, look, told, over=(over,) if over else ()))

    def bar(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        self.bars.append(Bar(x, y, width, height, colour))

    def place(self, name: str, box: tuple[float, float, float, float], **more: object) -> None:
        self.places.append(Place(id=name, shape=Rect(*box), **more))  # type: ignore[arg-type]

    def scene(self, folds: tuple[int, ...] = ()) -> Scene:
        parts = (((*self.bars, *self.ground), True), (self.cells, False), (self.places, False))
        layers = [Layer(items=tuple(items), kept=kept) for items, kept in parts if items]
        return Scene(width=self.width, height=self.height, layers=tuple(layers), folds=folds)


def scene(view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
    """A position, from top to bottom: scores, the valley of one player, their pool, the common
    pool, and the other players small. `full`: with all that others have in hand, for pages. One
    that is `alone` has the valley and the pool.
    """
    players, count, seat = view["players"], len(view["players"]), wanted.reader
    shown = shown_seat(view, seat, wanted.shown)
    own, names = players[shown], [marks.name(number) for number in range(count)]
    top = _HEAD + count * ROW + 8
    meant = meanings(own["board"], shown) if wanted.legend else ()
    called = named(own["board"])
    # A page has what they mean beside the board: `legend`.
    told = bool(meant) and not full
    pool = top + 7 * SQUARE + 8 + (_legend_height(meant, called) if told else 0)
    common = pool + 78
    unknown = from_stack(view)
    some_common = bool(view["common"]) or bool(view["stack"])
    others = common + (78 if view["common"] or unknown else 28 if some_common else 0)
    panel = 7 * SMALL + (73 if full and count > 2 else 51)
    picture = _Picture(width, others + count // 2 * panel + 2)
    _scores(picture, view, names, 2)
    _valley(picture, own["board"], 1, top, SQUARE, marks.last.get(shown, ()))
    _lettered(picture, meant, 1, top)
    if told:
        _explained(picture, meant, called, 1, top)
    for name, (column, row) in AT.items():
        x, y = 1 + column * SQUARE + 1.5, top + row * SQUARE + 1.5
        square = is_square(name)
        picture.place(name, (x, y, SQUARE - 3, SQUARE - 3), scored=True, dotted=square)
    picture.cell(2, pool + 3, 16, 16, "initialled", shown)
    if shown == seat:
        picture.cell(22, pool + 3, 100, 16, "pool")
    else:
        picture.cell(22, pool + 3, 100, 16, "pool_of", shown, names[shown])
    _in_hand(picture, own, shown, ((293, pool), (252, pool)))
    _pool(picture, own["pool"], pool + 25)
    # Tiles are touched far more often: who walks by keys comes to them first.
    _tokens(picture, own["claimed"], 124, pool - 1, 124, touchable=True)
    if some_common:
        picture.cell(2, common + 3, 130, 16, "common")
        picture.cell(220, common + 3, 110, 16, "stack", view["stack"])
    left = turns_left(view)
    if left is not None:
        picture.cell(116, common + 3, 144, 16, "left", left)
    _pool(picture, view["common"], common + 25)
    for number in range(unknown):
        x = 2 + (len(view["common"]) + number) * 66
        picture.cell(x, common + 25, 64, 32, "hole")
    for step in range(1, count):
        them = (shown + step) % count
        x, y = 2 + (step - 1) % 2 * 168, others + (step - 1) // 2 * panel
        _other(picture, view, them, x, y, (names[them], marks.last.get(them, ())), full=full)
    if wanted.alone:
        return picture.scene((top - 2, common - 3)).parts[1]
    return picture.scene((pool - 4, others - 2) if full else ())


def _other(
    picture: _Picture,
    view: Plain,
    them: Seat,
    x: int,
    y: int,
    marked: tuple[str, Collection[str]],
    *,
    full: bool,
) -> None:
    """The valley of another player small, with their pool below it, and what they have in hand:
    beside it for two; for more, below it on pages, and in words in a letter.
    """
    player, (name, last) = view["players"][them], marked
    _neighbour(picture, x, y, 136, them, name)
    _valley(picture, player["board"], x, y + 19, SMALL, last)
    picture.place(f"board:{them}", (x, y + 19, 10 * SMALL, 7 * SMALL))
    for number, item in enumerate(player["pool"]):
        corner = (x + 2 + number * 40, y + 22 + 7 * SMALL)
        _small_tile(picture, item, *corner)
        box = (corner[0] - 2, corner[1] - 1, 39, 18)
        picture.place(f"tile:{item['tile']}", box, alike=alike(item, player["pool"]))
    if len(view["players"]) == 2:
        _in_hand(picture, player, them, ((x + 174, y + 22), (x + 174, y + 50)))
        _tokens(picture, player["claimed"], x + 174, y + 78, 150)
    elif full:
        below = y + 50 + 7 * SMALL
        _in_hand(picture, player, them, ((x, below), (x + 40, below)))
        _tokens(picture, player["claimed"], x + 80, below - 2, 82)


def card(view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
    """A position beside a link, about twice as wide as high: one valley, and everybody's points;
    the valley alone without `names`.
    """
    picture = _Picture(444 if names else 10 * SQUARE + 4, 232)
    _valley(picture, view["players"][shown]["board"], 2, 1, SQUARE, ())
    if not names:
        return picture.scene()
    picture.cell(338, 14, 106, 16, "called")
    for seat, player in enumerate(view["players"]):
        y = 44 + seat * 46
        _neighbour(picture, 338, y, 106, seat, names[seat])
        score = min(player["fp"], player["sp"])
        picture.cell(338, y + 17, 106, 20, "points", score, player["out"])
    return picture.scene()


def film(view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
    """One picture of a match in motion: the scores and everybody's valley in the same size. Two
    valleys lie one below the other, more of them two to a row.
    """
    count = len(view["players"])
    across = 1 if count == 2 else 2
    top = _HEAD + count * ROW + 4
    panel = 24 + 7 * SQUARE + 6
    picture = _Picture(across * width, top + (count + across - 1) // across * panel)
    _scores(picture, view, names, 2)
    picture.cell(9, 0, 110, 16, "stack_aside", view["stack"])
    for seat, player in enumerate(view["players"]):
        x, y = seat % across * width, top + seat // across * panel
        last = newly_filled(player["board"], before["players"][seat]["board"] if before else None)
        _neighbour(picture, x + 4, y + 4, 136, seat, names[seat])
        _valley(picture, player["board"], x + 1, y + 24, SQUARE, last)
    return picture.scene()


def glance(view: Plain, seat: Seat, last: Collection[str]) -> Scene:
    """One valley small, for lists of matches."""
    picture = _Picture(10 * SMALL, 7 * SMALL)
    picture.bars.clear()
    _valley(picture, view["players"][seat]["board"], 0, 0, SMALL, last)
    return picture.scene()


def legend(view: Plain, shown: Seat) -> Scene:
    """The meanings of the marks of a valley, without it, for pages, which have it beside: in two
    parts that lie side by side where there is room.
    """
    board = view["players"][shown]["board"]
    meant, called = meanings(board, shown), named(board)
    below = len(meant) * PANEL + 6
    picture = _Picture(164, below + _names_height(called, NAMES // 2))
    picture.bar(0, 0, picture.width, picture.height, "legend")
    for index, mark in enumerate(meant):
        _meaning(picture, meant, mark, 2, 4 + index * PANEL)
    _named(picture, called, 2, below, NAMES // 2)
    return picture.scene((2 + len(meant) // 2 * PANEL,))


def patch(view: Plain, seat: Seat, last: Collection[str]) -> Scene | None:
    """The squares about the places that a choice fills, as they are then and as large as on the
    board, with those of the tribe's tiles that the food comes from: equal scenes beside them.
    """
    at = [AT[place] for place in last if place in AT]
    if not at:
        return None
    beside = _equal_beside(view["players"][seat]["board"], last)
    columns_of, rows_of = zip(*at, strict=True)
    equal_columns, equal_rows = zip(*beside, strict=True) if beside else ((), ())
    left, columns = _window(columns_of, equal_columns, 10, _PATCH[0])
    top, rows = _window(rows_of, equal_rows, 7, _PATCH[1])
    whole = _Picture(10 * SQUARE, 7 * SQUARE)
    _valley(whole, view["players"][seat]["board"], 0, 0, SQUARE, last)
    picture = _Picture(columns * SQUARE, rows * SQUARE)
    # The rim is one cell for all of the valley: a patch has it stone by stone.
    stones = (_stone(column, row) for column, row in product(range(10), range(7)))
    for items, kept in (
        ([stone for stone in stones if stone], picture.ground),
        (whole.ground[1:], picture.ground),
        (whole.cells, picture.cells),
    ):
        for item in items:
            assert isinstance(item, Cell)
            if item.look == "square":
                # What is laid stands out from bare ground; what grows there is half of the bytes.
                item = replace(item, look="field", arguments=item.arguments[:1])
            x, y = item.x - left * SQUARE, item.y - top * SQUARE
            if 0 <= x < picture.width and 0 <= y < picture.height:
                kept.append(replace(item, x=x, y=y))
    return picture.scene()


def _equal_beside(board: Plain, last: Collection[str]) -> list[tuple[int, int]]:
    """Where tiles of the tribe lie that have the same scene as what was laid `last` beside them."""
    halves = {AT[place]: half for place, half in lying(board, last).items()}
    pairs = (
        (halves.get((column + dx, row + dy)), halves[column, row], (column + dx, row + dy))
        for column, row in halves
        for dx, dy in SIDES.values()
    )
    return [
        at
        for old, new, at in pairs
        if old and (old.state, new.state) == ("quiet", "last") and old.scene == new.scene
    ]


def _window(laid: Sequence[int], beside: Sequence[int], end: int, wide: range) -> tuple[int, int]:
    """Where a window begins that has all that is `laid` in its middle, and what is `beside` that as
    far as it has room, within the board, and how wide it is: no wider than they need, for a letter
    has several.
    """
    both = (*laid, *beside)
    size = min(max(max(both) - min(both) + 1, wide.start), wide.stop - 1)

    def fits(begin: int) -> tuple[int, int, int]:
        within = range(begin, begin + size)
        askew = abs(2 * begin + size - 1 - min(laid) - max(laid))
        return sum(at in within for at in laid), sum(at in within for at in beside), -askew

    return max(range(end - size + 1), key=fits), size


def _stone(column: int, row: int) -> Cell | None:
    """The rock of the rim at a place of the frame; None within the valley."""
    corner = (column * SQUARE, row * SQUARE, SQUARE, SQUARE)
    sides = {0: "N", 6: "S"}.get(row) or {0: "W", 9: "E"}.get(column)
    if sides is None:
        return None
    if column in (0, 9) and row == 0:
        return Cell(*corner, "corner", ("WL" if column == 0 else "WR", SQUARE))
    return Cell(*corner, "stone", (sides, SQUARE))


def _legend_height(meant: Sequence[Meaning], called: Sequence[str]) -> int:
    return -(-len(meant) // LEGEND_COLUMNS) * PANEL + _names_height(called, NAMES) + 14


def _names_height(called: Sequence[str], across: int) -> int:
    return -(-len(called) // across) * NAME


def _lettered(picture: _Picture, meant: Sequence[Meaning], x: int, y: int) -> None:
    """Letters at the marks of a valley that lies here."""
    lying = {(item.x, item.y): item for item in picture.ground if isinstance(item, Cell)}
    lying |= {(item.x, item.y): item for item in picture.cells if isinstance(item, Cell)}
    for number, mark in enumerate((mark for mark in meant if mark.place), start=1):
        column, row = AT[mark.place]
        corner = (x + column * SQUARE, y + row * SQUARE)
        found = lying[corner]
        over = (*found.over, (found.look, found.arguments))
        cell = Cell(*corner, SQUARE, SQUARE, "called_out", (number,), over=over)
        picture.cells.append(cell)


def _explained(
    picture: _Picture, meant: Sequence[Meaning], called: Sequence[str], x: int, y: int
) -> None:
    """What the marks of a valley that lies here mean, below it, and what scenes are called."""
    below = y + 7 * SQUARE + 4
    picture.bar(x + 1, below, width - 4, _legend_height(meant, called) - 8, "legend")
    for index, mark in enumerate(meant):
        column, row = index % LEGEND_COLUMNS, index // LEGEND_COLUMNS
        _meaning(picture, meant, mark, x + 5 + column * 164, below + 4 + row * PANEL)
    rows = -(-len(meant) // LEGEND_COLUMNS)
    _named(picture, called, x + 5, below + 4 + rows * PANEL, NAMES)


def _named(picture: _Picture, called: Sequence[str], x: int, y: int, across: int) -> None:
    """What scenes are called, each beside its picture."""
    for index, scene in enumerate(called):
        column, row = index % across, index // across
        corner = (x + column * 81, y + row * NAME)
        picture.cell(*corner, 80, NAME - 2, "named_scene", scene, over=("panel", (80, NAME - 2)))


def _meaning(picture: _Picture, meant: Sequence[Meaning], mark: Meaning, x: int, y: int) -> None:
    """What one of the marks means, with its letter if it is pointed at."""
    pointed = [each for each in meant if each.place]
    called = pointed.index(mark) + 1 if mark.place else None
    told = (mark.kind, called, *mark.shown)
    picture.cell(x, y, 160, PANEL - 2, "meaning", *told, over=("panel", ()))


def _scores(picture: _Picture, view: Plain, names: Sequence[str], y: int) -> None:
    """The score track: a row per player with food above shelter on one measure, then both in
    numbers and the lower of them, which counts (S§12.2).
    """
    for x, width, kind in ((244, 24, "fp"), (269, 24, "sp"), (296, 36, "score")):
        picture.cell(x, y, width, 16, "heading", kind)
    for row, seat in enumerate(ranked(view)):
        player = view["players"][seat]
        top, fp, sp = y + _HEAD - 2 + row * ROW, player["fp"], player["sp"]
        picture.cell(0, top, 128, ROW, "row", seat, names[seat], view["to_move"] == seat)
        picture.cell(11, top + 3, 16, 16, "initialled", seat)
        for at, kind, value, lower in (
            (top + 4, "fp", fp, fp <= sp),
            (top + 12, "sp", sp, sp <= fp),
        ):
            picture.cell(130, at, 112, 7, "points_bar", kind, min(value, _POINTS), lower)
        picture.cell(243, top, 24, ROW, "number", fp, fp <= sp)
        picture.cell(268, top, 24, ROW, "number", sp, sp <= fp)
        picture.cell(306, top, 24, ROW, "total", min(fp, sp), player["out"])


def leaves(rows: Sequence[Sequence[str]], column: int, row: int) -> str:
    """The sides of a plain square, "NESW", from which a wood reaches in with its leaves."""
    if rows[row][column][0] == "f":
        return ""
    found = ""
    for side, (dx, dy) in SIDES.items():
        x, y = column + dx, row + dy
        if 0 <= x < len(COLUMNS) and 0 <= y < len(ROWS) and rows[y][x][0] == "f":
            found += side
    return found


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
    picture.ground.append(Cell(x, y, 10 * size, 7 * size, "rim", (size,)))
    squares = {}
    for number, row in enumerate(rows):
        for column, square in enumerate(row):
            drawing = (2 * column + number) % _DRAWINGS
            told = (square, drawing, leaves(rows, column, number))
            squares[f"{COLUMNS[column]}{number + 1}"] = (f"square{suffix}", told)
            corner = (x + (column + 1) * size, y + (number + 1) * size)
            ground = Cell(*corner, size, size, f"square{suffix}", told, tight=True)
            picture.ground.append(ground)

    def put(name: str, look: str, *told: Argument, over: Look) -> None:
        column, row = AT[name]
        corner = (x + column * size, y + row * size)
        picture.cell(*corner, size, size, f"{look}{suffix}", *told, over=over)

    for place in ("WL", "WR"):
        at = x + AT[place][0] * size
        token = board["waterfalls"][place]
        corner_rock = ("corner", (place, size))
        picture.cell(at, y, size, size, "waterfall", place, token, size, over=corner_rock)
    for place in board["bears"]:
        put(place, "bear", "last" if place in last else "quiet", over=squares[place])
    for hole in board["caves"]:
        name, side = hole["name"], hole["name"][2]
        stone = ("stone", (side, size))
        over = halves.pop(name, None)
        if over:
            put(name, "cave_taken", *over, over=stone)
        elif small:
            low = None if hole["token"] else hole["low"]
            put(name, "cave", side, low, hole["token"], over=stone)
        else:
            put(name, "cave", side, hole["high"], hole["low"], hole["token"], over=stone)
    # What cannot be seen is left out: a cell is drawn for everything it is told.
    for place, over in halves.items():
        column, row = AT[place]
        kind, food = rows[row - 1][column - 1][0], rows[row - 1][column - 1][1:]
        hidden = small or over.state == "abandoned"
        put(place, "taken", "" if hidden else food, *over, over=("floor", (kind, size)))


def _pool(picture: _Picture, pool: Sequence[Plain], y: int) -> None:
    for number, item in enumerate(pool):
        x = 2 + number * 66
        _tile(picture, item, x, y)
        picture.place(f"tile:{item['tile']}", (x, y, 64, 49), alike=alike(item, pool))


def _tile(picture: _Picture, item: Plain, x: int, y: int) -> None:
    """A tile of a pool as two cells; below it the codes of its scenes, and between them the fight
    tokens that lie on it, smaller if they are several.
    """
    owners = item["tokens"]
    for number, scene in enumerate(scenes(item["tile"])):
        picture.cell(x + number * HALF, y, HALF, HALF, "pooled", scene, number * 180, HALF)
        at = x - 1 + number * 42 if owners else x + 4 + number * HALF
        picture.cell(at, y + HALF, 24, 14, "coded", scene)
    # The codes end 12 units from the middle.
    size = 20 if len(owners) < 2 else 12
    pitch = min(size, 12 // max(len(owners) - 1, 1))
    left = x + HALF - (size + (len(owners) - 1) * pitch) // 2
    for number, seat in enumerate(owners):
        picture.cell(left + number * pitch, y + HALF - 2, size, size, "fight_token", seat, size)


def _small_tile(picture: _Picture, item: Plain, x: int, y: int) -> None:
    """A tile of another player's pool in 32 by 16, and below it the fight tokens that lie on it."""
    for number, scene in enumerate(scenes(item["tile"])):
        picture.cell(
            x + number * SMALL, y, SMALL, SMALL, "half_small", scene, number * 180, "quiet"
        )
    count = len(item["tokens"])
    pitch = min(12, 21 // max(count - 1, 1))
    left = x + SMALL - (11 + (count - 1) * pitch) // 2
    for number, seat in enumerate(item["tokens"]):
        picture.cell(left + number * pitch, y + 16, 11, 11, "initialled", seat, 0, 0, 11)


def _tokens(
    picture: _Picture, claimed: Sequence[str], x: int, y: int, room: int, *, touchable: bool = False
) -> None:
    """Mountain tokens in hand, side by side in `room`; where they are many they overlap."""
    pitch = min(26, (room - 24) // max(len(claimed) - 1, 1))
    for number, scene in enumerate(claimed):
        picture.cell(x + number * pitch, y, 24, 24, "mountain_token", scene)
        if touchable:
            picture.place(f"token:{scene}", (x + number * pitch, y, 24, 24))


def _in_hand(
    picture: _Picture, player: Plain, seat: Seat, at: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    """Fight tokens, and beside them steaks: a nought explains itself to nobody."""
    picture.cell(*at[0], 38, 22, "at_home", seat, player["fight_tokens"])
    if player["steaks"]:
        picture.cell(*at[1], 38, 22, "steaks", player["steaks"])


def _neighbour(picture: _Picture, x: int, y: int, width: int, seat: Seat, name: str) -> None:
    """Whose valley it is, in `width` by 16."""
    picture.cell(x, y, 16, 16, "initialled", seat)
    picture.cell(x + 21, y, width - 21, 16, "named", seat, name)

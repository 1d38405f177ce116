"""The map as it is drawn: what lies on it now, the hut track and the players' sheets beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.fire_and_stone.components import GATHERED, HUTS
from engine.fire_and_stone.map import INDEX, NAMES, TERRITORIES
from engine.fire_and_stone.state import Phase
from engine.fire_and_stone.telling import hunted_in, points, ranks, reach
from engine.kit.legends import Legend
from engine.kit.presentation import Marks, Plain
from engine.kit.scene import (
    Backdrop,
    Form,
    Item,
    Label,
    LabelKind,
    Layer,
    Mark,
    MarkKind,
    Token,
)
from engine.kit.shapes import Box, Point, Rect
from engine.kit.territories import RIM, Part, TerritoryMap, names
from engine.protocol import Seat

WIDTH: Final = 360
ATLAS: Final = TerritoryMap(
    TERRITORIES,
    box=Box(28, 128, 1206, 900),
    around=(52, 49, 44),
    numerals=(Point(60, 838), Point(640, 740), Point(920, 540)),
)
GATES: Final = {2: "gate.3", 3: "gate.9"}
"""The words for the hut that opens a region (F§8.1)."""
TRACK: Final = 12
SHEET: Final = 25
"""The height of a player's sheet."""
LEGEND: Final = (
    "go", "new", "down", "hut", "game", "shore", "bare", "fire", "sea", "link", "turn", "sun",
)  # fmt: skip
SIGNS: Final = (
    *LEGEND[1:], "gate", "slot", "points", "food", "camp", "light", "dark", "card", "held",
)  # fmt: skip
"""What pages explain, where one can go being a link there."""


def near(view: Plain, seat: Seat, region: int) -> Part:
    """The part of a region about a seat's explorers there, and where those to move can go."""
    own = {INDEX[place] for place in view["players"][seat]["explorers"]}
    about = own | {INDEX[place] for place in reach(view)}
    return ATLAS.near(region, about, 46, WIDTH)


def things(
    view: Plain,
    part: Part,
    marked: Marks,
    *,
    lit: bool = True,
    ringed: bool = True,
) -> Iterator[Layer]:
    """All that lies on a part of the map now: marks, tiles, huts, explorers, their last steps.
    `lit` is where who is to move can go, and the forest they hunt in; where they can go is `ringed`
    unless it is a link there.
    """
    huts = {village["place"]: village["huts"] for village in view["villages"]}
    game = {forest["place"]: forest["game"] for forest in view["forests"]}
    ways = {INDEX[place] for place in reach(view)} if lit else ()
    new = {place for places in marked.last.values() for place in places}
    marks: list[Item] = []
    tokens: list[Item] = []
    chips: list[Item] = []
    for n in part.shown:
        at, name = part.at(n), NAMES[n]
        spot, size = Rect(at.x, at.y, 0, 0), 1.0
        if part.region:
            if ringed and n in ways:
                marks.append(Mark(MarkKind.TOUCHABLE, spot, RIM + 4))
            if lit and name == hunted_in(view):
                marks.append(Mark(MarkKind.HIGHLIGHT, spot, RIM + 4))
            if name in new:  # About its tile, and below the number and the explorers on it.
                marks.append(Mark(MarkKind.LAST, spot, RIM + 1.5))
            counts = (game[name],) if name in game else ()
            size = 1.0 if TERRITORIES[n].region == part.region else 0.8
            tokens.append(
                Token(look=look(view, n, huts), place=name, at=at, counts=counts, size=size)
            )
        else:
            tokens.append(Token(look=_speck(view, n, huts), place=name, at=at, size=0.55))
        over = view["phase"] == Phase.OVER
        chips += part.owned("hut", huts.get(name, ()), n, counted=over)
        chips += part.choices(marked.choices, n)
    tokens += part.locks(GATES, view["regions"])
    yield Layer(items=(*marks, *part.arrows(marked.last)))
    yield Layer(items=tuple(tokens))
    if part.region:
        shared = (INDEX[name] for name, each in huts.items() if len(list(filter(None, each))) > 1)
        standing = Counter(INDEX[each] for of in view["players"] for each in of["explorers"])
        far = (n for n in {*ways, *standing} if TERRITORIES[n].region != part.region)
        yield names(part, shared, far, (n for n, count in standing.items() if count > 2))
    # No ring of a link hides who stands there, nor whose huts.
    yield Layer(items=(*_explorers(view, part, mine=lit), *chips), over=True)


def look(view: Plain, territory: int, huts: Mapping[str, object]) -> str:
    """The drawing of what lies in a territory."""
    tile: str = view["tiles"][territory]
    if NAMES[territory] in huts:
        return "tile_village"
    if TERRITORIES[territory].has == "fire":
        return "hearth"
    return f"tile_{tile}" if tile else "bare"


def _speck(view: Plain, territory: int, huts: Mapping[str, object]) -> str:
    """The same on the whole map, by kinds."""
    found = look(view, territory, huts)
    if found in ("hearth", "tile_fire"):
        return "speck_fire"
    if found in ("tile_down", "tile_village"):
        return f"speck_{found[5:]}"
    return "speck_food" if found[5:] in GATHERED else "speck"


def _explorers(view: Plain, part: Part, *, mine: bool) -> Iterator[Item]:
    """The explorers, beside each other where two stand, in two rows where more do; those to move
    are pointed at: in red if they are the reader's (`mine`).
    """
    standing: dict[str, list[tuple[Seat, int]]] = {}
    if view["phase"] == Phase.OVER and not part.region:
        return  # The huts count, and are many.
    for seat, player in enumerate(view["players"]):
        for number, place in enumerate(player["explorers"], 1):
            standing.setdefault(place, []).append((seat, number))
    for place, there in standing.items():
        if INDEX[place] not in part.shown:
            continue
        at = part.at(INDEX[place])
        for number, (seat, explorer) in enumerate(there):
            if not part.region:
                x = at.x + (number - (len(there) - 1) / 2) * 11
                yield Token(look="explorer", place=place, at=Point(x, at.y - 7), seat=seat,
                            form=Form.BADGE, usual=True)  # fmt: skip
                continue
            x = min(at.x - 13 + number % 2 * 27, WIDTH - 11)  # Whole at the edge, too.
            y = at.y - 7 + (number // 2 * 18 - 11 if len(there) > 2 else 0)
            acting = seat == view["to_move"] and explorer not in view["moved"]
            if acting and view["explorer"] in (None, explorer):
                yield Token(look="pointer" if mine else "waited", at=Point(x, y - 23), size=0.7)
            yield Token(look="explorer", place=place, at=Point(x, y), seat=seat, size=0.8)
            if seat == view["to_move"] and len(view["players"][seat]["explorers"]) > 1:
                # As the words call them, who have to say which one walks.
                yield Token(look="which", at=Point(x, y + 9), detail=str(explorer), size=0.48)


def beside_height(view: Plain) -> int:
    """The height of the hut track and the sheets."""
    return 42 + SHEET * len(view["players"])


def beside(view: Plain, top: float, called: Sequence[str], shown: Seat | None) -> Layer:
    """The hut track, and below it a sheet for each player."""
    items: list[Item] = [
        Backdrop(Rect(0, top, WIDTH, beside_height(view)), "raised"),
        *_track(view, top),
    ]
    total = points(view)
    for row, seat in enumerate(ranks(view)):
        y = top + 42 + SHEET * (row + 0.5) - 3
        if seat == shown:
            items.append(Mark(MarkKind.FRAME, Rect(3, y - 11, WIDTH - 6, 22)))
        name = [*called, *[""] * 6][seat]
        items += _sheet(view["players"][seat], seat, y, name, total[seat])
    return Layer(items=tuple(items))


def _track(view: Plain, top: float) -> Iterator[Item]:
    for slot in range(1, TRACK + 1):
        at = Point(slot * 28.6 - 6, top + 13)
        if slot <= view["track"]:
            yield Token(look="tile_hut", at=at, size=0.6)
        else:
            yield Token(look="slot", at=at, size=0.6)
            yield Label(kind=LabelKind.NAME, at=at, text=str(slot), size=9)
        if slot in (3, 5, 9, 11):
            yield Label(kind=LabelKind.NAME, at=Point(at.x, top + 26.5), text=f"slot.{slot}",
                        size=9.5, width=70, called=True)  # fmt: skip


def _sheet(player: Plain, seat: Seat, y: float, name: str, total: int) -> Iterator[Item]:
    """A player's row."""
    yield Token(look="hut", at=Point(15, y), seat=seat, form=Form.BADGE, size=1.3, usual=True)
    called = name if len(name) < 9 else f"{name[:7].rstrip()}…"
    yield Label(kind=LabelKind.QUIET, at=Point(27, y), text=called, size=11)
    x = 84
    for look_, text, room in (
        ("points", f"{total}", 34),
        ("food", f"{player['food']}/{player['capacity']}", 46),
        ("camp", f"{HUTS - player['huts_left']}", 32),
    ):
        yield Token(look=look_, at=Point(x, y), size=0.5)
        yield Label(kind=LabelKind.TITLE, at=Point(x + 10, y), text=text, size=11)
        x += room
    for column in ("light", "dark"):
        for number in range(3):
            at = Point(x + 6 + number * 17, y)
            yield Token(look=f"slot_{column}", at=at, size=0.55)
            if number < len(player[column]):
                yield Token(look=f"tile_{player[column][number]}", at=at, size=0.5)
        if len(player[column]) == 3:  # It is what is decided about.
            yield Mark(MarkKind.HIGHLIGHT, Rect(x - 5, y - 11, 56, 22))
        x += 56
    for look_, count in (("card", len(player["inventions"])), ("game", player["held"])):
        if count:
            yield Token(look=look_, at=Point(x + 4, y), size=0.5)
            yield Label(kind=LabelKind.TITLE, at=Point(x + 13, y), text=str(count), size=11)
        x += 26


def _mark(meaning: str, at: Point) -> Item:
    spot = Rect(at.x, at.y, 0, 0)
    marks: dict[str, Item] = {
        "go": Mark(MarkKind.TOUCHABLE, spot, 8),
        "new": Mark(MarkKind.LAST, spot, 8),
        "down": Token(look="tile_down", at=at, size=0.5),
        "hut": Token(look="hut", at=at, seat=0, counts=(2,), form=Form.CHIP, size=0.8, usual=True),
        "game": Token(look="nothing", at=Point(at.x - 7, at.y - 7), counts=(3,), size=0.8),
        "fire": Token(look="hearth", at=at, size=0.42),
        "turn": Token(look="pointer", at=Point(at.x, at.y - 4), size=0.6),
        "sun": Token(look="tile_sun", at=at, size=0.42),
        "gate": Token(look="lock", at=at, size=0.6),
        "light": Token(look="slot_light", at=at, size=0.55),
        "dark": Token(look="slot_dark", at=at, size=0.55),
        "held": Token(look="game", at=at, size=0.6),
    }
    return marks.get(meaning, Token(look=meaning, at=at, size=0.6))


MARKS: Final = Legend(_mark, row=20, aside=16, room=98, sign=28)

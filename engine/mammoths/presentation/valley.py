"""The valley as it is drawn: 37 hexes, what lies on them now, season and compass in the corners."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final

from engine.kit import scene
from engine.kit.hexes import HexMap
from engine.kit.layout import settle
from engine.kit.presentation import Marks, Plain
from engine.kit.scene import Item, LabelKind, Layer, Token, label
from engine.kit.shapes import Point, Rect, around
from engine.mammoths.components import GRID, START, Board, board
from engine.protocol import Seat

WIDTH: Final = 360
_INITIALS: Final = {"plain": "P", "forest": "F", "mountain": "M", "lake": ""}
_VEILS: Final = {"burn": ("burnt", 0.5), "flood": ("flood", 0.55), "volcano": ("burnt", 0.65)}
_FROZEN: Final = ("frozen", 0.6)
ROW: Final = 24
"""The height of a tribe's row below the map."""
_COLUMNS: Final = ("camps", "pawns", "food", "card")
HEAD: Final = 12
"""That of the names over the columns of these rows."""
_SHORT: Final = 6
"""The length of a name behind which there is room for more."""


class Valley(HexMap):
    """A board in a picture so many units wide."""

    def __init__(self, number: int, width: int = WIDTH) -> None:
        self.board: Board = board(number)
        super().__init__(GRID, self.board.hexes, width)

    @cached_property
    def ground(self) -> tuple[Layer, Layer]:
        """All that stays the same for a match."""
        hexes = {at: place.terrain for at, place in self.board.places.items()}
        letters = self.letters(self.board.by_letter)
        lines: tuple[Item, ...] = (*self.borders(), *self._rivers(), *letters, *self._fires())
        return (Layer(items=tuple(self.places(hexes)), kept=True), Layer(items=lines, kept=True))

    @cached_property
    def _plates(self) -> Layer:
        of = {
            at: _INITIALS[it.terrain] + str(it.region or "") for at, it in self.board.places.items()
        }
        return self._plates_of(of)

    def _plates_of(self, regions: Mapping[int, str], least: float = 0) -> Layer:
        return Layer(items=tuple(self.plates(regions, least)), over=True)

    def _rivers(self) -> Iterator[scene.Edge]:
        wide = {at for at, place in self.board.places.items() if place.great}.__contains__
        for kind, great in ((scene.EdgeKind.RIVER, True), (scene.EdgeKind.STREAM, False)):
            yield from self.edges(
                kind, (pair for pair in self.board.rivers() if all(map(wide, pair)) == great)
            )

    def _fires(self) -> Iterator[Token]:
        """Volcanoes, and the lava at the foot of each."""
        for at, lava in sorted(self.board.lava.items()):
            x, y = self.shape(at).middle
            yield Token(look="volcano", at=Point(x, y + self.size * 0.2), size=self.size / 36)
            for near in lava:
                to = self.shapes[near]
                spot = Point(to.x + (x - to.x) * 0.4, to.y + (y - to.y) * 0.4)
                yield Token(look="lava", at=spot, size=self.size / 44)

    def layers(self, view: Plain, shown: Marks, only: Collection[int] = ()) -> tuple[Layer, ...]:
        """The ground, the things upon it now, and marks of what changed last; `only` the things of
        some hexes, with large numbers.
        """
        least, there = 9 * bool(only), only or self.shapes
        own = [each["hex"] for each in view["own"]["fights"]] if view["own"] else []
        fights = self.seen(own or contested(view) if view["phase"] == "combat" else ())
        marks = (scene.Mark(scene.MarkKind.HIGHLIGHT, shape) for shape in fights)
        settled = [
            token
            for at, tokens in sorted(standing(view).items())
            if at in there
            for token in settle(tokens, self.shapes[at], top=max(self.size * 0.33, least))
        ]
        return (
            *self.ground,
            Layer(items=(*self._veils(view), *marks, *self.last(shown))),
            self.moves(shown),
            Layer(items=tuple(settled)),
            self._plates_of(dict.fromkeys(only, ""), least) if only else self._plates,
            self.advice(shown),
        )

    def _veils(self, view: Plain) -> Iterator[scene.Veil]:
        for cause, look in _VEILS.items():
            closed = (each["hex"] for each in view["closed"] if each["cause"] == cause)
            yield from self.veil(closed, *look)
        yield from self.veil(view["frozen"], *_FROZEN)


@lru_cache(maxsize=64)
def valley(number: int, width: int = WIDTH) -> Valley:
    """A board in this width; it is made once."""
    return Valley(number, width)


def status(view: Plain, seat: Seat) -> str:
    """The status of a tribe: `map`, `due`, `out`; `gone` for one that would have come back (M§15.9)
    if the match had gone on.
    """
    found = str(view["tribes"][seat]["status"])
    return "gone" if found == "due" and view["termination"] else found


def standing(view: Plain) -> dict[int, list[Token]]:
    """All that stands on each hex: tribes by seat, camp, fire, field, herds."""
    found: dict[int, list[Token]] = {}

    def put(at: int, look: str, **more: object) -> None:
        found.setdefault(at, []).append(Token(look=look, place=str(at), **more))  # type: ignore[arg-type]

    valley = board(view["board"])
    for camp in view["camps"]:
        look, detail = valley.camp_on(camp["hex"]), "palisade" if camp["palisade"] else ""
        put(camp["hex"], look, seat=camp["seat"], detail=detail)
    for group in view["groups"]:
        counts = (group["w"], group["f"])
        form, at = scene.Form.CHIP, group["hex"]
        put(at, "tribe", seat=group["seat"], counts=counts, form=form, usual=True)
    for look, neutral in zip(("hunter", "wanderer"), view["neutral"], strict=True):
        if neutral is not None:
            put(neutral[1], look)
    for tribe in view["tribes"]:
        if tribe["fire"]:
            put(tribe["fire"], "fire")
    for field in view["fields"]:
        put(field["hex"], "ears", detail=str(field["ears"]))
    for herd in view["herds"]:
        number = len(herd["counters"])
        put(herd["hex"], herd["species"], counts=(number,) if number > 1 else (), total="herds")
    for each in view["closed"]:
        if each["cause"] == "burn":
            put(each["hex"], "blaze")
    return found


def contested(view: Plain) -> list[int]:
    """The hexes where tribes meet each other or animals, ascending."""
    tribes = [group["hex"] for group in view["groups"]]
    herds = {herd["hex"] for herd in view["herds"]}
    return sorted({at for at in tribes if tribes.count(at) > 1 or at in herds})


def corners(view: Plain, width: int, height: int) -> Layer:
    """Season and turn, the compass with the direction rolled, the event."""
    rolled = view["die"]
    season, rose = f"season.{view['season']}", Point(width - 34, 36)
    items: list[Item] = [
        Token(look=view["season"], at=Point(24, 24), size=1.15),
        label(LabelKind.TITLE, Point(44, 20), season, 14, 90, called=True),
    ]
    for number in (1, 2, 3):
        look = "turn_now" if number == view["number"] else "turn"
        items.append(Token(look=look, at=Point(36 + 13 * number, 35), size=0.36))
    items.append(Token(look="compass", at=rose, size=1.7, detail=str(rolled)))
    for face in range(1, 7):
        kind = LabelKind.PLATE if face == rolled else LabelKind.NAME
        items.append(label(kind, around(rose, 60 * (face - 1), 20), str(face), 10, 12))
    if view["event"]:
        at, event = Point(width - 62, height - 12), f"event.{view['event']}"
        items.append(label(LabelKind.NAME, at, event, 10.5, 120, called=True))
    return Layer(items=tuple(items))


def badge(seat: Seat, at: Point, size: float) -> Token:
    """The mark of a tribe."""
    return Token(look="tribe", at=at, seat=seat, form=scene.Form.BADGE, size=size, usual=True)


def pawns(view: Plain, seat: Seat) -> int:
    """The pawns of a tribe; before it settles those it will settle with."""
    return sum(START) if view["phase"] == "setup" else int(view["tribes"][seat]["pawns"])


def rows(view: Plain) -> list[Seat]:
    """The tribes in the order of this turn; at the end as they stand, best first."""
    return [row["seat"] for row in view["rows"]] or view["order"]


def tribes_height(view: Plain) -> int:
    return HEAD + 8 + ROW * len(view["tribes"])


def tribes(
    view: Plain, at: Point, width: int, called: tuple[str, ...], reader: Seat | None = None
) -> Layer:
    """A row for each tribe (`rows`), from this corner on: camps, pawns, food, tricks, fire; a
    stroke before who is to move, and "you" behind the `reader`'s name."""
    left, top = at
    items: list[Item] = [scene.Backdrop(Rect(left, top, width, tribes_height(view)), "raised")]
    step = (width - 118) / 5
    for place, look in enumerate(_COLUMNS):
        spot = Point(left + 110 + step * place, top + 9)
        items.append(label(LabelKind.QUIET, spot, f"column.{look}", 10, step, called=True))
    for number, seat in enumerate(rows(view)):
        tribe, y = view["tribes"][seat], top + HEAD + 4 + ROW * (number + 0.5)
        if seat == view["to_move"]:
            items.append(scene.Bar(round(left), round(y - ROW / 2) + 2, 5, ROW - 4, "accent"))
        colour = f"colour.{seat}"
        name = (called[seat] if seat < len(called) else "") or colour
        items += (
            badge(seat, Point(left + 17, y), 1.3),
            _named(name, Point(left + 30, y), called=name == colour, own=seat == reader),
        )
        if tribe["status"] != "map":
            state = f"status.{status(view, seat)}"
            items.append(label(LabelKind.QUIET, Point(left + 112, y), state, 11, 200, called=True))
            continue
        stores = tribe["food"] + tribe["farm"], tribe["hand"]
        counts = zip(_COLUMNS, (tribe["camps"], pawns(view, seat), *stores), strict=True)
        for place, (look, count) in enumerate(counts):
            x = left + 118 + step * place
            items.append(Token(look=look, at=Point(x, y), size=0.58))
            items.append(label(LabelKind.TITLE, Point(x + 11, y), str(count), 12))
        if tribe["fire"]:
            items.append(Token(look="fire", at=Point(left + 118 + step * 4, y), size=0.58))
        if tribe["announced"] and not view["rows"]:
            items.append(Token(look="announced", at=Point(left + width - 14, y), size=0.55))
    return Layer(items=tuple(items))


def _named(name: str, at: Point, *, called: bool, own: bool) -> scene.Label:
    """The name of a tribe; that of the reader's with "you", or that alone where it is long."""
    if own:
        short = "" if called or len(name) > _SHORT else name
        return label(LabelKind.TITLE, at, f"own.{short}", 11, 80, called=True)
    return label(LabelKind.QUIET, at, name[:12], 11, 80, called=called)

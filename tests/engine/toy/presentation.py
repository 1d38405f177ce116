"""The map of Hill and Ford, the same for everybody, and below it the reader's own cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from engine.kit.layout import settle
from engine.kit.presentation import CommonBoard, Marks, Occasion, Plain, Prompt, Wanted
from engine.kit.scene import (
    Backdrop,
    Card,
    Edge,
    EdgeKind,
    Form,
    Item,
    Label,
    LabelKind,
    Layer,
    Mark,
    MarkKind,
    Place,
    Scene,
    Token,
)
from engine.kit.selection import Path
from engine.kit.shapes import Point, Rect
from engine.protocol import Seat
from tests.engine.toy.actions import PLACES, Camp, Carry, Watch

WIDTH = 336
SIDE = 160
GROUNDS = {"hill": "mountain", "ford": "lake", "wood": "forest", "cave": "plain"}
ROW = 18


def _shape(place: str) -> Rect:
    number = PLACES.index(place)
    return Rect(8 + number % 2 * SIDE, 8 + number // 2 * 100, SIDE, 100)


def order(view: Plain) -> list[Seat]:
    """The seats in the order of their turns in this round."""
    seats = len(view["hands"])
    around = [(view["first"] + k) % seats for k in range(seats)]
    return [seat for seat in around if seat not in view["out"]]


class ToyPresentation(CommonBoard):
    """The map, in cells that can be touched."""

    width = WIDTH

    def pictures(self, view: Plain, reader: Seat | None, occasion: Occasion) -> Sequence[Wanted]:
        return [Wanted(reader=reader if occasion is Occasion.TURN else None)]

    def scene(self, view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
        own = view["own"] if wanted.reader is not None else None
        hand = tuple(own["hand"]) if own else ()
        last = {place for places in marks.last.values() for place in places}
        return _drawn(view, list(marks.names), last, hand)

    def card(self, view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
        board, width = _map(view, ()), WIDTH + 84
        rows: list[Item] = []
        for seat in range(len(view["points"])):
            rows += _row(view, names, seat, 16 + ROW * seat, WIDTH + 8)
        paper = Backdrop(Rect(0, 0, width, board.height), "paper")
        ground = Layer(items=(paper,), kept=True)
        layers = (ground, *board.layers[1:], Layer(items=tuple(rows)))
        return Scene(width=width, height=board.height, layers=layers)

    def film(self, view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
        new = [] if before is None else [p for p in view["camps"] if p not in before["camps"]]
        return _drawn(view, names, new, ())

    def glance(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene:
        whole = _map(view, last)
        return msgspec.structs.replace(whole, width=WIDTH - 8)

    def touches(self, action: Any) -> Path:
        if isinstance(action, Camp | Watch | Carry) and action.place in PLACES:
            return (action.place,)
        return ()

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        return Prompt(code=kind if kind in ("camp", "watch", "carry") and not touched else "")

    def untouchable(
        self, kind: str, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str]
    ) -> list[str]:
        return list(PLACES)

    def meant(
        self, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str], thing: str
    ) -> list[str]:
        return [f"camp {thing}"] if thing in PLACES else []

    def subjects(self, context: Plain) -> list[str]:
        return [context["place"]] if context.get("place") in PLACES else []

    def concerned(self, event: Plain) -> Collection[Seat]:
        return (event["data"]["camper"],) if event["kind"] == "caught" else ()

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        return [(e["seat"], e["data"]["place"]) for e in events if e["kind"] == "camped"]


def _drawn(view: Plain, names: Sequence[str], last: Collection[str], hand: Sequence[int]) -> Scene:
    """The map with everybody's points below it, and cards where the reader has some."""
    board = _map(view, last)
    top = board.height
    rows: list[Item] = []
    for seat in range(len(view["points"])):
        rows += _row(view, names, seat, top + 10 + seat // 2 * ROW)
    below = top + 10 + (len(view["points"]) + 1) // 2 * ROW
    cards = [
        Card(at=Point(8 + n * 40, below), width=34, height=44, name=str(card), look="number")
        for n, card in enumerate(hand)
    ]
    height = below + (54 if hand else 4)
    ground = Layer(items=(Backdrop(Rect(0, 0, WIDTH, height), "paper"),), kept=True)
    layers = (ground, *board.layers[1:], Layer(items=(*rows, *cards)))
    return Scene(width=WIDTH, height=height, layers=layers)


def _row(
    view: Plain, names: Sequence[str], seat: Seat, y: float, x: float | None = None
) -> tuple[Token, Label]:
    """A player's mark, name and points."""
    x = 16 + seat % 2 * SIDE if x is None else x
    token = Token(look="person", seat=seat, usual=True, at=Point(x, y), form=Form.CHIP)
    name = names[seat] if seat < len(names) else ""
    text = f"{name} {view['points'][seat]}".strip()
    return token, Label(kind=LabelKind.QUIET, at=Point(x + 12, y), text=text, size=11)


def _map(view: Plain, last: Collection[str]) -> Scene:
    shapes: dict[str, Rect] = {place: _shape(place) for place in PLACES}
    land = Layer(
        items=tuple(
            Place(
                id=place,
                shape=shape,
                ground=GROUNDS[place],
                texture=GROUNDS[place],
                beside=tuple(other for other in PLACES if _touch(shape, shapes[other])),
                dotted=True,
            )
            for place, shape in shapes.items()
        ),
        kept=True,
    )
    borders = Layer(
        items=tuple(
            Edge(kind=EdgeKind.BORDER, points=tuple(shape.corners[:2])) for shape in shapes.values()
        ),
        kept=True,
    )
    things: list[Item] = [Mark(MarkKind.LAST, shapes[place]) for place in PLACES if place in last]
    there: dict[str, list[Token]] = {place: [] for place in PLACES}
    for place, tile in zip(PLACES, view["tiles"], strict=True):
        there[place].append(Token(look=tile or "down", place=place))
    for seat, camp in zip(order(view), view["camps"], strict=False):
        there[camp].append(Token(look="person", seat=seat, usual=True, place=camp))
    for name, tokens in there.items():
        things += settle(tokens, shapes[name])
    width, height = WIDTH, 216
    paper = Layer(items=(Backdrop(Rect(0, 0, width, height), "paper"),), kept=True)
    return Scene(
        width=width, height=height, layers=(paper, land, borders, Layer(items=tuple(things)))
    )


def _touch(one: Rect, other: Rect) -> bool:
    """True for places that share a side."""
    across, down = abs(one.x - other.x), abs(one.y - other.y)
    return (across == 0) != (down == 0)

"""Nim as pictures: three heaps side by side; a heap is touched, then how many stones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from engine.kit.presentation import CommonBoard, Marks, Plain, Prompt, Wanted
from engine.kit.scene import (
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
from engine.kit.selection import WORD, Path
from engine.kit.shapes import Point, Rect
from engine.protocol import Seat
from tests.engine.nim.rules import HEAPS, NAMES


class Heaps(CommonBoard):
    """The showing of Nim (engine.kit.presentation.Presentation)."""

    width: Final = 360

    def scene(self, view: Plain, wanted: Wanted, marks: Marks, *, full: bool) -> Scene:
        last = {place for places in marks.last.values() for place in places}
        return _drawn(view, self.width, 180, last)

    def card(self, view: Plain, shown: Seat, names: Sequence[str]) -> Scene:
        return _drawn(view, self.width, 190, ())

    def film(self, view: Plain, before: Plain | None, names: Sequence[str]) -> Scene:
        then = before or view
        changed = [
            name
            for name, stones, earlier in zip(NAMES, view["heaps"], then["heaps"], strict=True)
            if stones != earlier
        ]
        return _drawn(view, self.width, 180, changed)

    def glance(self, view: Plain, seat: Seat, last: Collection[str]) -> Scene:
        return _drawn(view, 180, 120, last)

    def touches(self, action: Any) -> Path:
        return (action.heap, f"{WORD}{action.count}")

    def prompt(self, kind: str, actions: Sequence[Any], touched: Sequence[str]) -> Prompt:
        return Prompt(code="count" if touched else "heap")

    def untouchable(
        self, kind: str, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str]
    ) -> list[str]:
        if touched:
            return []
        return [name for name, stones in zip(NAMES, view["heaps"], strict=True) if not stones]

    def meant(
        self, actions: Sequence[Any], view: Plain, seat: Seat, touched: Sequence[str], thing: str
    ) -> list[str]:
        return [f"take 1 {thing}"] if thing in tuple(NAMES) else []

    def subjects(self, context: Plain) -> list[str]:
        return [context["heap"]] if context.get("heap") in tuple(NAMES) else []

    def filled(self, events: Iterable[Plain]) -> Iterable[tuple[Seat, str]]:
        return [(e["seat"], e["data"]["heap"]) for e in events if e["kind"] == "took"]


def _drawn(view: Plain, width: int, height: int, last: Collection[str]) -> Scene:
    """The heaps: each a place with its stones in rows of two and its name below."""
    wide = width / len(HEAPS)
    kept: list[Item] = []
    there: list[Item] = []
    for n, (name, stones) in enumerate(zip(NAMES, view["heaps"], strict=True)):
        shape = Rect(n * wide + 4, 4, wide - 8, height - 8)
        x, floor = shape.middle.x, height - 50
        kept.append(Place(id=name, shape=shape, ground="sand", name=name))
        kept.append(Label(kind=LabelKind.LETTER, at=Point(x, height - 22), text=name, size=20))
        for stone in range(stones):
            at = Point(x + (-16, 16)[stone % 2], floor - 30 * (stone // 2))
            there.append(Token(look="stone", place=name, at=at))
        if name in last:
            there.append(Mark(MarkKind.LAST, shape))
    return Scene(
        width=width,
        height=height,
        layers=(Layer(items=tuple(kept), kept=True), Layer(items=tuple(there))),
    )


PRESENTATION = Heaps()

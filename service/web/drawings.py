"""Boards drawn into pages, and as tables beside the drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from engine.kit.lessons import Illustration
from engine.kit.presentation import BoardTable, HasBoardTables, Marks, Wanted
from service.core.verdicts import JsonObject
from service.matches.reading import HistoryEntry
from service.render.pictures import (
    Touchable,
    board_svg,
    filled,
    glance_svg,
    illustration_svg,
    legend_svg,
    symbols,
)
from service.render.templating import presentation_of


class Drawer:
    """Draws for one page: what all pictures of a game share is put into the page once."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._begun: set[str] = set()

    def picture(
        self,
        game: str,
        view: Mapping[str, Any],
        names: Sequence[str],
        seat: int | None,
        shown: int | None,
        stories: Sequence[Sequence[Mapping[str, Any]]] = (),
        spots: Mapping[str, Touchable] | None = None,
        folded: bool = False,
        lettered: bool = False,
        alone: bool = False,
        name: str = "",
        advised: Sequence[Sequence[Mapping[str, Any]]] = (),
    ) -> Markup:
        """A position as inline SVG for the eyes of `seat`, with the board of `shown` (None: whose
        turn it is) large. What was laid in the `stories`, plain events, is marked; what is in
        `spots` can be touched. One that is `folded` has parts that may lie side by side. With
        `lettered` its marks have the letters of its `legend`; `alone` it leaves out what another
        picture of the page has. By its `name` it is one of the `close_ups`. What would be laid in
        those `advised` is drawn as suggested.
        """
        marks = Marks(
            names=names,
            last=filled(game, len(names), stories),
            advised=filled(game, len(names), advised),
            asked=bool(spots),
        )
        drawing = board_svg(
            game,
            view,
            wanted=Wanted(name=name, reader=seat, shown=shown, legend=lettered, alone=alone),
            marks=marks,
            lang=self._lang,
            with_symbols=False,
            spots=spots,
            folded=folded,
        )
        return self.symbols(game) + drawing

    def glance(
        self,
        game: str,
        view: Mapping[str, Any],
        names: Sequence[str],
        seat: int,
        stories: Sequence[Sequence[Mapping[str, Any]]] = (),
    ) -> Markup:
        """The board of `seat` alone, small and without words; what was laid is marked as above."""
        last = filled(game, len(names), stories)[seat]
        drawing = glance_svg(game, view, seat=seat, lang=self._lang, last=last)
        return self.symbols(game) + drawing

    def legend(self, game: str, view: Mapping[str, Any], seat: int, *, lettered: bool) -> Markup:
        """The meanings of the marks on the board of `seat`, without the board; nothing of a game
        that has none, or names them by letters where it is not `lettered`. The picture that is says
        it aloud.
        """
        return legend_svg(game, view, shown=seat, lang=self._lang, lettered=lettered)

    def illustration(self, game: str, shown: Illustration, alt: str) -> Markup:
        """The part of a picture that explains something, with its numbers."""
        return self.symbols(game) + illustration_svg(game, shown, lang=self._lang, alt=alt)

    def symbols(self, game: str) -> Markup:
        """The symbols that pictures of this game refer to, the first time; then nothing."""
        if game in self._begun:
            return Markup("")
        self._begun.add(game)
        return symbols(game)


def board_tables(game: str, view: Mapping[str, Any], seat: int | None) -> Sequence[BoardTable]:
    """The boards of a view for who reads them square by square, that of `seat` first; none of a
    game that has no tables of its boards.
    """
    shown = presentation_of(game)
    if not isinstance(shown, HasBoardTables):
        return ()
    return sorted(shown.board_tables(view), key=lambda table: table.seat != seat)


def last_turns(told: Sequence[HistoryEntry], n: int) -> list[list[JsonObject]]:
    """The events of everybody's last turn as of entry n: of all that a seat did without another
    between, as stories tell it. What is chosen for its eyes alone has a number of its own.
    """
    last: dict[int, list[JsonObject]] = {}
    before = None
    for entry in told:
        if entry.n <= n and entry.seat is not None and entry.turn is not None:
            last[entry.seat] = [*(last[entry.seat] if entry.seat == before else ()), *entry.events]
            before = entry.seat
    return list(last.values())

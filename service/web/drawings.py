"""Boards drawn into pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from service.pictures import Marks, board_svg, symbols


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
        last: Mapping[int, Sequence[str]] | None = None,
    ) -> Markup:
        """A position as inline SVG for the eyes of `seat`, with the board of `shown` (None: whose
        turn it is) large. `last` are the places to be marked, by seat."""
        marks: Marks = {"names": names, "seat": shown, "last": last or {}}
        first = self.symbols(game)
        return first + board_svg(
            game, view, seat=seat, marks=marks, lang=self._lang, with_symbols=False
        )

    def symbols(self, game: str) -> Markup:
        """What pictures and icons of this game refer to, the first time; then nothing."""
        if game in self._begun:
            return Markup("")
        self._begun.add(game)
        return symbols(game)

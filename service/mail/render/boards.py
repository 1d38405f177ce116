"""Boards in letters: inline pictures, the same in words, the same in characters."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.presentation import Marks, Occasion, Wanted
from engine.protocol import Seat
from service.mail.render.draft import Picture
from service.mail.render.table import Table
from service.matches.reading import HistoryEntry
from service.render.pictures import board_alt, board_png, board_text, board_width, filled
from service.render.templating import presentation_of


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One board at the letter's entry. `width` is that of the picture in CSS pixels; `seat` is
    whose board it is, None for a board of all.
    """

    seat: Seat | None
    picture: Picture
    alt: str
    text: str
    width: int


def board(table: Table, story: Sequence[HistoryEntry] = ()) -> Board:
    """The board a turn is about; what the story laid is marked."""
    return _board(table, _wanted(table, Occasion.TURN)[0], story)


def boards(table: Table) -> tuple[Board, ...]:
    """All that is shown at the end of a match, each picture once."""
    return tuple(_board(table, wanted) for wanted in _wanted(table, Occasion.END))


def _wanted(table: Table, occasion: Occasion) -> Sequence[Wanted]:
    return presentation_of(table.match.game).pictures(table.match_view.view, table.seat, occasion)


def _board(table: Table, wanted: Wanted, story: Sequence[HistoryEntry] = ()) -> Board:
    game, view, lang = table.match.game, table.match_view.view, table.context.lang
    last = filled(game, len(table.names), [entry.events for entry in story])
    marks = Marks(last=last, names=table.names)
    png = b""
    if table.context.drawn:
        png = board_png(game, view, wanted=wanted, marks=marks, lang=lang)
    name = f"board{wanted.name}{'' if wanted.shown is None else wanted.shown}"
    return Board(
        seat=wanted.shown,
        picture=table.context.picture(name, png),
        alt=board_alt(game, view, wanted=wanted, marks=marks, lang=lang),
        text=board_text(game, view, wanted=wanted, marks=marks, lang=lang),
        width=board_width(game),
    )

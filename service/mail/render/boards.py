"""Boards in letters: an inline picture, the same in words, the same in characters."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.protocol import Seat
from service.mail.render.draft import Picture
from service.mail.render.letter_context import mail_environment
from service.mail.render.table import Table
from service.matches.reading import HistoryEntry
from service.render.pictures import Marks, board_alt, board_png, board_text, board_width


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One board at the letter's entry. `width` is that of the picture in CSS pixels."""

    seat: Seat
    picture: Picture
    alt: str
    text: str
    width: int


def board(table: Table, story: Sequence[HistoryEntry] = (), of: Seat | None = None) -> Board:
    """The board of seat `of` (by default the reader's) in front; what the story laid is marked."""
    shown = table.seat if of is None else of
    marks = Marks(last=_laid(table, story), seat=shown, names=table.names)
    game, view, seat, lang = table.match.game, table.match_view.view, table.seat, table.context.lang
    drawn = table.context.drawn
    png = board_png(game, view, seat=seat, marks=marks, lang=lang) if drawn else b""
    return Board(
        seat=shown,
        picture=table.context.picture(f"board{shown}", png),
        alt=board_alt(game, view, seat=seat, marks=marks, lang=lang),
        text=board_text(game, view, seat=seat, marks=marks, lang=lang),
        width=board_width(game),
    )


def boards(table: Table) -> tuple[Board, ...]:
    """Everybody's board, the reader's first, then clockwise."""
    count = len(table.names)
    return tuple(board(table, of=(table.seat + step) % count) for step in range(count))


def _laid(table: Table, story: Sequence[HistoryEntry]) -> dict[Seat, set[str]]:
    """The places filled in the story, by seat: the game's own macro knows them from its events."""
    found: dict[Seat, set[str]] = {at: set() for at in range(len(table.names))}
    env = mail_environment(table.context.lang)
    module = env.get_template(f"games/{table.match.game}/letter.txt").module
    for told in story:
        module.note_laid(told.events, found)  # type: ignore[attr-defined]
    return found

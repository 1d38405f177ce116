"""Boards in letters: inline pictures, the same in words, the same in characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.kit.presentation import LeadsSomewhere, Marks, Occasion, Wanted
from engine.protocol import Seat
from service.mail.render.choices import Choice
from service.mail.render.draft import Picture
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches.reading import HistoryEntry
from service.matches.samples import sample_of
from service.render.pictures import (
    board_alt,
    board_png,
    board_text,
    board_width,
    explains_marks,
    filled,
    specimen_png,
    story_png,
)
from service.render.stories import concerning
from service.render.templating import presentation_of


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One board at the letter's entry. `width` is that of the picture in CSS pixels; `seat` is
    whose board it is, None for a board of all. The first one's `text` says all of them.
    """

    seat: Seat | None
    picture: Picture
    alt: str
    text: str
    width: int


def boards(
    table: Table,
    story: Sequence[HistoryEntry] = (),
    occasion: Occasion = Occasion.TURN,
    *,
    legend: bool = False,
    offered: Sequence[Choice] = (),
) -> tuple[Board, ...]:
    """The boards of a letter, each picture once, as the game wants them; what the story laid is
    marked, and as the game does where the choices `offered` lead. With a `legend` the first one
    says what its marks mean, if the game has one.
    """
    shown = presentation_of(table.match.game)
    first, *others = shown.pictures(table.match_view.view, table.seat, occasion)
    if legend and explains_marks(table.match.game):
        first = msgspec.structs.replace(first, legend=True)
    return (
        _board(table, first, story, offered, said=True),
        *(_board(table, one, story, offered, said=False) for one in others),
    )


def pictures(shown: Iterable[Board]) -> tuple[Picture, ...]:
    """The pictures of boards."""
    return tuple(one.picture for one in shown)


def story_board(table: Table, story: Sequence[HistoryEntry]) -> Board | None:
    """The drawing of a story that is told in words; None where nothing is to be seen."""
    context = table.context
    told = concerning(story)
    drawn = story_png(
        table.match.game, told, lang=context.lang, reader=table.seat, names=table.names
    )
    if drawn is None:
        return None
    picture = context.picture("story", drawn.png if context.drawn else b"")
    return Board(seat=None, picture=picture, alt="", text="", width=drawn.width)


def sample_board(context: LetterContext, game: str) -> Board:
    """A board of another match, for somebody who does not know the game."""
    sample, lang = sample_of(game), context.lang
    view = msgspec.to_builtins(sample.game.view(sample.state, None))
    png = b""
    if context.drawn:
        png = specimen_png(game, view, shown=sample.seat, lang=lang)
    return Board(
        seat=None,
        picture=context.picture("card", png),
        # A stranger's board in words would be longer than the invitation.
        alt="",
        text="",
        width=board_width(game),
    )


def _board(
    table: Table,
    wanted: Wanted,
    story: Sequence[HistoryEntry],
    offered: Sequence[Choice],
    *,
    said: bool,
) -> Board:
    game, view, lang = table.match.game, table.match_view.view, table.context.lang
    last = filled(game, len(table.names), [entry.events for entry in story])
    shown, leads = presentation_of(game), list[str]()
    if isinstance(shown, LeadsSomewhere):
        leads = [shown.leads_to(choice.actions) for choice in offered]
    marks = Marks(last=last, names=table.names, choices=leads)
    png = b""
    if table.context.drawn:
        png = board_png(game, view, wanted=wanted, marks=marks, lang=lang)
    # A picture may be the same for all; its words are its reader's.
    words = msgspec.structs.replace(wanted, reader=table.seat)
    name = f"board{wanted.name}{'' if wanted.shown is None else wanted.shown}"
    return Board(
        seat=wanted.shown,
        picture=table.context.picture(name, png),
        alt=board_alt(game, view, wanted=words, marks=marks, lang=lang),
        text=board_text(game, view, wanted=words, marks=marks, lang=lang) if said else "",
        width=board_width(game),
    )

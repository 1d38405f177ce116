"""Lessons: what the first turn letters of somebody's first match of a game explain on their board.

A game that teaches has `games/<game>/lessons.txt` (docs/adding-a-game.md); each lesson comes once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from jinja2 import TemplateNotFound
from sqlalchemy import bindparam, select

from engine.games import games
from engine.kit.lessons import HasLesson
from service.core.models import Letter
from service.core.statuses import LetterKind
from service.core.verdicts import JsonObject
from service.mail.render.letter_context import LetterContext, mail_environment
from service.mail.render.table import Table
from service.matches import beginners
from service.outgoing import copies
from service.render.templating import lines


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson: a heading, and a few sentences about the reader's own board, of which those `ahead`
    stand before the choices in the middle of a turn; those that stand under it, for `reading` it,
    and those of them that are meant where it is in `words`. `learn` is the page to learn the game
    by, if it has one; it is the `first` one, and the `last` if the game has no more.
    """

    title: str
    points: list[str]
    ahead: list[str]
    reading: list[str]
    words: list[str]
    first: bool
    last: bool
    learn: str | None = None


def lesson(table: Table, turn: Sequence[JsonObject] = ()) -> Lesson | None:
    """The lesson of a turn letter, with examples from a `turn` that it offers (actions as plain
    data); None where its reader needs none, or the game has no more.
    """
    try:
        template = mail_environment(table.context.lang).get_template(
            f"games/{table.match.game}/lessons.txt"
        )
    except TemplateNotFound:
        return None
    words: Any = template.module
    number = _number(table)
    if number is None or number > words.LESSONS:
        return None
    view, seat = table.match_view.view, table.seat
    reading, ahead = getattr(words, "reading", _nothing), getattr(words, "ahead", _nothing)
    return Lesson(
        title=str(words.title(number)).strip(),
        points=lines(words.lesson(number, view, seat, turn)),
        ahead=lines(ahead(number, view, seat)),
        reading=lines(reading(number, view, seat)),
        words=lines(reading(number, view, seat, drawn=False)),
        first=number == 1,
        last=number == words.LESSONS,
        learn=learn_page(table.context, table.match.game),
    )


def _nothing(*_: Any, drawn: bool = True) -> str:
    return ""


def learn_page(context: LetterContext, game: str) -> str | None:
    """The address of the page to learn a game by; None for a game without one."""
    return context.links.learn(game) if isinstance(games().get(game), HasLesson) else None


def _number(table: Table) -> int | None:
    """Which of its reader's turn letters of this match it is, from 1; None for a later one than the
    games teach in, and if they have begun another match of the game before.
    """
    letter, session = table.context.letter, table.context.session
    read = session.info.setdefault(_READ, {})
    taught = read.get((letter.match_id, letter.player_id))
    # A letter written again is the same.
    original = copies.original_of(letter)
    if taught is None or (original not in taught and len(taught) < _MOST):
        taught = read[letter.match_id, letter.player_id] = _taught(table)
    return taught.index(original) + 1 if original in taught else None


def _taught(table: Table) -> list[str]:
    """The turn letters, as their `dedupe`, that may teach their reader something: the first of this
    match, if it is the first match of the game they have begun.
    """
    letter = table.context.letter
    asked = beginners.asked(table.match, letter.player_id)
    return list(table.context.session.scalars(_TAUGHT, asked))


_MOST = 5
"""Lessons of a game at most."""
_READ = "letters that teach"

_TAUGHT = (
    select(Letter.dedupe)
    .where(
        Letter.match_id == bindparam("match"),
        Letter.player_id == bindparam("player"),
        Letter.kind == LetterKind.TURN,
        copies.ORIGINAL,
        ~beginners.BEGUN_BEFORE,
    )
    .order_by(Letter.id)
    .limit(_MOST)
)

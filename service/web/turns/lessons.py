"""Lessons on pages: what a player's first turns explain on their own board, as letters do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from jinja2 import TemplateNotFound
from sqlalchemy.orm import Session

from service.matches import beginners
from service.render.templating import environment, lines
from service.web import language
from service.web.grants import Access


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A few sentences about the reader's own board. Those of a turn that has a lesson of its own
    are `open`, with the legend of the board; afterwards all of them can be read again.
    """

    points: list[str]
    open: bool


def lesson(
    database: Session, access: Access, view: Mapping[str, Any], turn: Sequence[Mapping[str, Any]]
) -> Lesson | None:
    """The lesson for who is about to play; None for who has played the game before, and for a game
    that teaches nothing. What is explained is found in the `turn` that is suggested.
    """
    name = f"games/{access.match.game}/lessons.txt"
    try:
        words: Any = environment(language.current()).get_template(name).module
    except TemplateNotFound:
        return None
    number = beginners.own_turn(database, access.match, access.seat, access.player.id)
    if number is None:
        return None
    new = number <= words.LESSONS
    points: list[str] = []
    for each in [number] if new else range(1, words.LESSONS + 1):
        points += lines(words.lesson(each, view, access.seat, turn, touched=True))
        if hasattr(words, "reading"):
            points += lines(words.reading(each, view, access.seat))
    # Lessons that tell the same of this moment tell it once.
    return Lesson(points=[*dict.fromkeys(points)], open=new)

"""The contents of the gallery: letters by their folders, with all that an inbox says of them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeVar

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.models import Letter
from service.core.settings import Settings
from service.dev.gallery.sample import SampleService, Table, live
from service.dev.mailbox.letter import Letter as Read
from service.dev.mailbox.letter import read
from service.dev.mailbox.store import Kept
from service.mail.render import render
from service.render.templating import TEMPLATES

MOST = 4
"""Letters of one kind that are shown, from the first to the last of the story."""

T = TypeVar("T")


def kinds() -> list[str]:
    """Every kind of letter that has templates."""
    return sorted(body.parent.name for body in (TEMPLATES / "mail").glob("*/body.html"))


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One sample letter: its number, and what it is called and said as an inbox shows it."""

    number: int
    letter: Read


class Gallery:
    """A game's samples in one process, made when they are first asked for; they go with it."""

    def __init__(self, settings: Settings, game: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gallery-")
        self.service = SampleService(settings, Path(self._folder.name))
        self._game = game
        self._lived: dict[str, dict[str, Table]] = {}
        self._lock = Lock()

    def tables(self, lang: str) -> dict[str, Table]:
        """The tables of the game whose players read this language."""
        with self._lock:
            if lang not in self._lived:
                self._lived[lang] = live(self.service, self._game, lang)
            return self._lived[lang]

    def letters(self, kind: str, lang: str) -> list[Shown]:
        """Letters of a kind, oldest first; none if the story comes to no such letter."""
        self.tables(lang)
        with self.service.database.read() as session:
            chosen = spread(_of_kind(session, kind, lang), MOST)
            return [
                Shown(number=row.id, letter=self._read(render(self.service, session, row), row.id))
                for row in chosen
            ]

    def first(self, kind: str, lang: str) -> int | None:
        """The number of the first letter of a kind: rendering it is left to who shows it."""
        self.tables(lang)
        with self.service.database.read() as session:
            return next((row.id for row in _of_kind(session, kind, lang)), None)

    def kinds(self, lang: str) -> list[str]:
        """The kinds of letters that the game's story comes to: few games invite to file."""
        return [kind for kind in kinds() if self.first(kind, lang) is not None]

    def letter(self, number: int) -> Read | None:
        """One of them."""
        with self.service.database.read() as session:
            row = session.get(Letter, number)
            if row is None:
                return None
            return self._read(render(self.service, session, row), number)

    def _read(self, raw: bytes, number: int) -> Read:
        return read(Kept(id=number, received_at=self.service.at, sender="", recipients=(), raw=raw))


def _of_kind(session: Session, kind: str, lang: str) -> list[Letter]:
    rows = session.scalars(select(Letter).where(Letter.kind == kind).order_by(Letter.id))
    return [row for row in rows if row.player.lang == lang]


def spread(found: Sequence[T], most: int) -> list[T]:
    """The first, the last, and as many between them at even distances."""
    if len(found) <= most:
        return list(found)
    return [found[round(at * (len(found) - 1) / (most - 1))] for at in range(most)]


@cache
def gallery(settings: Settings, game: str) -> Gallery:
    """The gallery of a game in this process."""
    return Gallery(settings, game)

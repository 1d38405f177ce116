"""Writing one letter: all of it against what Jinja spends on it, and how large its HTML part is.

The letters are the turn letters of a match of three, in English and French. A letter is written
from the database to the finished message; its board picture is in the cache, as for the second
reader of a position. The first letter of a match is measured in a process that has warmed up as the
mailer does, and has written to others before.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bench.table import Row
from bench.tables import Table, open_service
from engine.games import games
from service.core.context import Service
from service.core.models import Letter, Player
from service.core.schema import upgrade
from service.core.statuses import LetterKind
from service.mail.render import render
from service.matches import moves
from service.render.pictures import boards
from service.render.pictures.store import PictureStore
from service.render.templating import LANGUAGES, Template
from workers.runtime import warm_up

TURNS, BOT = 24, "greedy"
ROUNDS = 9
BUDGET_KB, PICTURES_KB = 20.0, 160.0
MATCHES, WRITTEN_BEFORE = 24, 4


def rows() -> list[Row]:
    """The rows of the letters."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "letters.db"
        upgrade(f"sqlite:///{path}")
        service = open_service(path)
        found = []
        for game in games():
            letters = _turn_letters(service, game)
            found += [_writing(service, game, letters), *_sizes(service, game, letters)]
            found.append(_first(service, game))
        service.database.dispose()
    return found


def _turn_letters(service: Service, game: str) -> list[int]:
    """The turn letters of a match, from the first to the middle of it; its players do as a bot
    does.
    """
    table = Table(service, 3, game, BOT)
    with service.database.write() as work:
        for number, player in enumerate(work.session.scalars(select(Player).order_by(Player.id))):
            player.lang = LANGUAGES[number % len(LANGUAGES)]
    for _ in range(TURNS):
        if (turn := table.next_turn()) is None:
            break
        moves.play(service, table.submit(turn))
    with service.database.read() as session:
        of_match = select(Letter.id).where(Letter.match_id == table.match_id)
        return list(session.scalars(of_match.where(Letter.kind == LetterKind.TURN)))


def _written(service: Service, letter_id: int) -> bytes:
    with service.database.read() as session:
        return render(service, session, session.get_one(Letter, letter_id))


class _Stopwatch:
    """The CPU seconds spent since it was set to zero."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        start = time.process_time()
        try:
            yield
        finally:
            self.seconds += time.process_time() - start


@contextmanager
def _jinja_timed() -> Iterator[_Stopwatch]:
    """Time every rendering of a template, by whomever it is asked for."""
    watch = _Stopwatch()
    plain = Template.render

    def timed(self: Template, *args: Any, **kwargs: Any) -> str:
        with watch.running():
            return plain(self, *args, **kwargs)

    Template.render = timed  # type: ignore[assignment, method-assign]
    try:
        yield watch
    finally:
        Template.render = plain  # type: ignore[method-assign]


def _writing(service: Service, game: str, letters: list[int]) -> Row:
    """From the row in the outbox to the bytes for the MTA."""
    whole, templates = [], []
    for letter_id in letters:
        _written(service, letter_id)
    with _jinja_timed() as jinja:
        for _ in range(ROUNDS):
            for letter_id in letters:
                jinja.seconds = 0.0
                watch = _Stopwatch()
                with watch.running():
                    _written(service, letter_id)
                whole.append(watch.seconds)
                templates.append(jinja.seconds)
    return Row(
        what=f"{game}: one turn letter, from the database to its bytes",
        ours=statistics.median(whole) * 1e3,
        anchor=statistics.median(templates) * 1e3,
        unit="ms",
        against="Jinja rendering all of its templates",
        most=2,
        stretch=1.4,
    )


def _sizes(service: Service, game: str, letters: list[int]) -> Iterator[Row]:
    """The largest HTML part and the most that the pictures of one letter take, against the budgets
    of the design (docs/performance.md).
    """
    written = [_written(service, letter_id) for letter_id in letters]
    most = [max(sizes) for sizes in zip(*map(_bytes, written), strict=True)]
    for size, budget, what, against in (
        (most[0], BUDGET_KB, "HTML part of the largest turn letter", "one phone client cuts there"),
        (most[1], PICTURES_KB, "all pictures of one turn letter, at most", "the budget"),
    ):
        yield Row(
            what=f"{game}: {what}",
            ours=size / 1024,
            anchor=budget,
            unit="KB",
            against=against,
            most=1,
            stretch=0.5,
        )


def _bytes(raw: bytes) -> tuple[int, int]:
    """The bytes of a letter's HTML part, and of all its pictures."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("html",))
    assert part is not None
    pictures = (
        each.get_content() for each in message.walk() if each.get_content_maintype() == "image"
    )
    return len(part.get_content().encode()), sum(map(len, pictures))


def _first(service: Service, game: str) -> Row:
    """The first letters of new matches, each of players never seen, and the same letters again:
    their pictures are drawn again, too, but of cells that are there by then.
    """
    warm_up()
    kept = boards._finished
    first: list[float] = []
    again: list[float] = []
    for number in range(MATCHES):
        table = Table(service, 3, game)
        with service.database.read() as session:
            asked = select(Letter.id).where(
                Letter.kind == LetterKind.TURN, Letter.match_id == table.match_id
            )
            # In some games all are asked at once.
            letter_id = session.scalars(asked.order_by(Letter.id).limit(1)).one()
        for seconds in (first, again):
            boards._finished = PictureStore(boards.KEPT_BYTES)
            watch = _Stopwatch()
            with watch.running():
                _written(service, letter_id)
            if number >= WRITTEN_BEFORE:
                seconds.append(watch.seconds)
    boards._finished = kept
    return Row(
        what=f"{game}: first letter of a match never drawn before",
        ours=statistics.median(first) * 1e3,
        anchor=statistics.median(again) * 1e3,
        unit="ms",
        against="the same letter, its picture drawn again",
        most=1.5,
        stretch=1.1,
    )

"""Drawing a board picture: against zlib at its fastest on the same pixels, and its size.

The positions are those of whole matches between bots, with what was laid last marked, for the
players in turn and in both languages. Cells are warm, as after the first turns of any match;
no finished picture is taken from the cache.
"""

from __future__ import annotations

import io
import itertools
import statistics
import time
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from PIL import Image

from bench.table import Row
from engine.chance import seed_of_number
from engine.games import games
from engine.protocol import Game
from engine.record import simulate
from service.render.pictures import Marks, films, plots
from service.render.pictures.boards import draw
from service.render.templating import LANGUAGES, environment

NAMES = ("Élise", "Maximilien", "Bo", "Zoé de la Tour")
SEATS = 3
MATCHES = 2
ROUNDS = 3
BUDGET_KB = 20.0
FILM_KB = 1024.0
FASTEST = 1
"""Level of zlib."""


class Asked(NamedTuple):
    """A picture that a letter asks for."""

    game: str
    view: dict[str, Any]
    seat: int
    marks: Marks
    lang: str

    def drawn(self) -> bytes:
        return draw(self.game, self.view, seat=self.seat, marks=self.marks, lang=self.lang)


def rows() -> list[Row]:
    """The rows of every game's pictures."""
    found = []
    for game in games().values():
        seats = min(max(SEATS, game.seats[0]), game.seats[-1])
        asked = [one for number in range(MATCHES) for one in _asked(game, seats, number)]
        crowded = list(_asked(game, game.seats[-1], MATCHES))
        found += [_drawing(game, asked), *_sizes(game, seats, asked, crowded), *_whole(game)]
    return found


def _asked(game: Game[Any, Any], seats: int, number: int) -> Iterator[Asked]:
    """The pictures of a match, one after each turn, for the player who is next.

    The bot is the one before the strongest: its positions are those of people, and soon made.
    """
    record = simulate(game, seats, seed_of_number(number), [list(game.bots)[-2:][0]])
    names = tuple(itertools.islice(itertools.cycle(NAMES), seats))
    laid: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    lang = LANGUAGES[number % len(LANGUAGES)]
    module: Any = environment(lang).get_template(f"games/{game.key}/letter.txt").module
    for entry in record.entries:
        assert entry.seat is not None
        laid[entry.seat] = set()
        module.note_laid(entry.events, laid)
        last = {seat: frozenset(places) for seat, places in laid.items()}
        reader = (entry.seat + 1) % seats
        yield Asked(game.key, entry.state, reader, Marks(last=last, seat=reader, names=names), lang)


def _drawing(game: Game[Any, Any], asked: list[Asked]) -> Row:
    """From a view to the bytes of its picture, and from the pixels to bytes that hold them."""
    pixels = [Image.open(io.BytesIO(one.drawn())).tobytes() for one in asked]
    ours, anchor = [], []
    for _ in range(ROUNDS):
        for one, flat in zip(asked, pixels, strict=True):
            start = time.process_time()
            one.drawn()
            middle = time.process_time()
            zlib.compress(flat, FASTEST)
            ours.append(middle - start)
            anchor.append(time.process_time() - middle)
    return Row(
        what=f"{game.key}: one board picture, from a view to a PNG, cells warm",
        ours=statistics.median(ours) * 1e3,
        anchor=statistics.median(anchor) * 1e3,
        unit="ms",
        against="zlib level 1 of its pixels, a byte each",
        most=8,
        stretch=4,
    )


def _sizes(
    game: Game[Any, Any], seats: int, asked: list[Asked], crowded: list[Asked]
) -> Iterator[Row]:
    median = statistics.median(len(one.drawn()) for one in asked)
    for what, size, most in (
        (f"its size, median of matches of {seats}", median, 1.0),
        (f"its size, largest of those of {seats}", max(len(one.drawn()) for one in asked), None),
        (
            f"its size, largest of a match of {game.seats[-1]}",
            max(len(one.drawn()) for one in crowded),
            1.0,
        ),
    ):
        yield Row(
            what=f"{game.key}: {what}",
            ours=size / 1024,
            anchor=BUDGET_KB,
            unit="KB",
            against="the budget of a letter's picture",
            most=most,
            stretch=None if most is None else 0.6,
        )


def _whole(game: Game[Any, Any]) -> Iterator[Row]:
    """What the end of a match of the fewest shows: the match in motion, and its curves."""
    seats = game.seats[0]
    record = simulate(game, seats, seed_of_number(MATCHES), [list(game.bots)[-2:][0]])
    views = [record.setup.state, *(entry.state for entry in record.entries)]
    names, lang = NAMES[:seats], LANGUAGES[0]
    film = films.draw(game.key, views, names=names, lang=lang)
    plot = plots.draw(game.key, views, seat=0, names=names, lang=lang)
    for what, size, budget, against in (
        (f"a whole match of {seats} in motion, its size", len(film), FILM_KB, "1 MB"),
        ("its curves, their size", len(plot), BUDGET_KB, "the budget of a letter's picture"),
    ):
        yield Row(
            what=f"{game.key}: {what}",
            ours=size / 1024,
            anchor=budget,
            unit="KB",
            against=against,
            most=1.0,
            stretch=0.6,
        )

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

import msgspec
from PIL import Image

from bench.table import Row
from engine.chance import seed_of_number
from engine.games import games
from engine.kit.layout import settle
from engine.kit.presentation import Marks, Wanted
from engine.kit.scene import Label, LabelKind, Layer, Place, Scene, Token
from engine.kit.shapes import Point, Polygon
from engine.protocol import Game
from engine.record import simulate
from service.render.pictures import filled, films, plots
from service.render.pictures.boards import draw
from service.render.pictures.drawing import SCALE
from service.render.pictures.maps import Drawer
from service.render.pictures.png import encode
from service.render.pictures.themes import Theme, palette_of
from service.render.templating import LANGUAGES, environment

NAMES = ("Élise", "Maximilien", "Bo", "Zoé de la Tour")
SEATS = 3
MATCHES = 2
ROUNDS = 3
BUDGET_KB = 160.0
FILM_KB = 1024.0
MAP_COLUMNS, MAP_ROWS, MAP_SIDE = 5, 8, 72
MAP_TOKENS = 60
MAP_TURNS = 24
MAP_KB = 160.0
MAP_LOOKS = """
{% import "boards/kit/things.svg" as thing %}
{% macro person(token, c) -%}
{{ thing.person(c, "url(#k-seat-%s)"|format(token.seat)) }}
{%- endmacro %}
"""
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
        return draw(
            self.game, self.view, wanted=Wanted(reader=self.seat), marks=self.marks, lang=self.lang
        )


def rows() -> list[Row]:
    """The rows of every game's pictures."""
    found = []
    for game in games().values():
        seats = min(max(SEATS, game.seats[0]), game.seats[-1])
        asked = [one for number in range(MATCHES) for one in _asked(game, seats, number)]
        crowded = list(_asked(game, game.seats[-1], MATCHES))
        found += [_drawing(game, asked), *_sizes(game, seats, asked, crowded), *_whole(game)]
    return [*found, *_map()]


def _asked(game: Game[Any, Any], seats: int, number: int) -> Iterator[Asked]:
    """The pictures of a match, one after each turn, for the player who is next.

    The bot is the one before the strongest: its positions are those of people, and soon made.
    """
    record = simulate(game, seats, seed_of_number(number), [list(game.bots)[-2:][0]])
    names = tuple(itertools.islice(itertools.cycle(NAMES), seats))
    laid: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    lang = LANGUAGES[number % len(LANGUAGES)]
    for entry in record.entries:
        assert entry.seat is not None
        laid[entry.seat] = set()
        for seat, places in filled(game.key, seats, [msgspec.to_builtins(entry.events)]).items():
            laid[seat] |= places
        last = {seat: frozenset(places) for seat, places in laid.items()}
        reader = (entry.seat + 1) % seats
        yield Asked(game.key, entry.state, reader, Marks(last=last, names=names), lang)


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
            against="all pictures of a letter",
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
        ("its curves, their size", len(plot), BUDGET_KB, "all pictures of a letter"),
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


def _map() -> Iterator[Row]:
    """A common map that no game has, the same for everybody."""
    drawer = Drawer(
        environment(LANGUAGES[0]).from_string(MAP_LOOKS).module, LANGUAGES[0], Theme.DAY
    )
    palette = palette_of(Theme.DAY)

    def drawn(number: int) -> tuple[bytes, bytes]:
        scene = _common_map(number)
        packed = palette.packed(drawer.image(scene))
        rows = Image.new("L", (packed.width + 1, packed.height))
        rows.paste(packed, (1, 0))
        size = (SCALE * scene.width, SCALE * scene.height)
        return encode(rows.tobytes(), *size, palette), packed.tobytes()

    start = time.process_time()
    drawn(0)
    first = time.process_time() - start
    ours, anchor, sizes = [], [], []
    for number in range(MAP_TURNS):
        start = time.process_time()
        png, flat = drawn(number)
        middle = time.process_time()
        zlib.compress(flat, FASTEST)
        ours.append(middle - start)
        anchor.append(time.process_time() - middle)
        sizes.append(len(png))
    what = f"a common map of {MAP_ROWS * MAP_COLUMNS} regions with {MAP_TOKENS} tokens"
    yield Row(
        what=f"{what}, from a scene to a PNG, map and tokens kept",
        ours=statistics.median(ours) * 1e3,
        anchor=statistics.median(anchor) * 1e3,
        unit="ms",
        against="zlib level 1 of its pixels, a byte each",
        most=10,
        stretch=6,
    )
    yield Row(
        what=f"{what}, the first of a process",
        ours=first * 1e3,
        anchor=statistics.median(ours) * 1e3,
        unit="ms",
        against="the same, map and tokens kept",
        most=None,
        stretch=None,
    )
    yield Row(
        what=f"{what}, its size",
        ours=statistics.median(sizes) / 1024,
        anchor=MAP_KB,
        unit="KB",
        against="all pictures of a letter",
        most=1.0,
        stretch=0.6,
    )


def _common_map(number: int) -> Scene:
    """The map after a turn: tokens go round from region to region."""
    count = MAP_ROWS * MAP_COLUMNS
    shapes = [_region(at % MAP_COLUMNS, at // MAP_COLUMNS) for at in range(count)]
    grounds = ("plain", "forest", "mountain", "sand", "jungle", "tundra")
    places = [
        Place(id=str(at), shape=shape, ground=grounds[at % 6], texture=grounds[at % 6])
        for at, shape in enumerate(shapes)
    ]
    names = [
        Label(kind=LabelKind.NAME, at=Point(x, y + 26), text=f"Region {at}")
        for at, (x, y) in enumerate(shape.middle for shape in shapes)
    ]
    there: dict[int, list[Token]] = {}
    for token in range(MAP_TOKENS):
        at = (token * 7 + number * (token % 3)) % count
        own = Token(look="person", place=str(at), seat=token % 6, counts=(1 + token % 4,))
        there.setdefault(at, []).append(own)
    tokens = [token for at, some in there.items() for token in settle(some, shapes[at])]
    return Scene(
        width=MAP_COLUMNS * MAP_SIDE,
        height=MAP_ROWS * MAP_SIDE,
        layers=(
            Layer(items=tuple(places), kept=True),
            Layer(items=tuple(names), kept=True),
            Layer(items=tuple(tokens)),
        ),
    )


def _region(x: int, y: int) -> Polygon:
    def corner(x: int, y: int) -> Point:
        return Point(x * MAP_SIDE + (x * 7 + y * 5) % 9, y * MAP_SIDE + (x * 3 + y * 11) % 9)

    return Polygon((corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)))

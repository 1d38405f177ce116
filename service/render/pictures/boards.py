"""The pictures of a position, for any game: what letters and pages ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypedDict

import msgspec
from jinja2 import Template
from markupsafe import Markup

from service.render.compiled import folder_beside
from service.render.pictures.cells import Noted, frame_of, nested
from service.render.pictures.drawing import SCALE, CellStore, compose
from service.render.pictures.fonts import drawable
from service.render.pictures.palette import palette_of
from service.render.pictures.png import encode
from service.render.pictures.store import PictureStore, key_of
from service.render.templating import (
    SOURCE_LANGUAGE,
    TEMPLATES,
    boards_folder,
    environment,
    presentation_of,
)

KEPT_BYTES: Final = 4 << 20
"""Finished pictures kept by a process."""

KEPT_TEXTS: Final = 512
"""Passages of texts kept by a process, each some hundred letters long."""

_BREAKS = re.compile(r"[ \n]+")

_finished = PictureStore(KEPT_BYTES)


class Marks(TypedDict, total=False):
    """The marks a picture shows beyond the position.

    `last` are the places each seat filled in its last turn, `targets` places to choose from,
    `seat` whose board is the big one (by default the reader's), `names` the players' by seat (by
    default their colours).
    """

    last: Mapping[int, Collection[str]]
    targets: Collection[str]
    seat: int | None
    names: Sequence[str]


class Touchable(msgspec.Struct, frozen=True, kw_only=True):
    """A link on the picture of a board. `ghost` is what waits there for another touch, `mark` the
    points that the place brings; what is `barred` cannot be used, and says why.
    """

    href: str
    label: str
    lit: bool
    chosen: bool = False
    ghost: str | None = None
    mark: str = ""
    barred: bool = False


def filled(
    game_key: str, seats: int, stories: Iterable[Iterable[Mapping[str, Any]]]
) -> dict[int, set[str]]:
    """The places that the events of these stories have filled, by seat: `Marks.last`."""
    found: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    for events in stories:
        for seat, place in presentation_of(game_key).filled(events):
            found[seat].add(place)
    return found


def board_png(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> bytes:
    """The picture for a letter, twice as wide as `board_width`.

    `view` is the game's view of a position as built-in types, `seat` the reader's (None: a
    spectator). Equal positions give equal bytes.
    """
    asked = key_of(game_key, view, seat, marks, lang)
    picture = _finished.get(asked)
    if picture is None:
        picture = draw(game_key, view, seat=seat, marks=marks, lang=lang)
        _finished.put(asked, picture)
    return picture


def board_svg(
    game_key: str,
    view: Mapping[str, Any],
    *,
    seat: int | None,
    marks: Marks,
    lang: str,
    with_symbols: bool = True,
    spots: Mapping[str, Touchable] | None = None,
) -> Markup:
    """The picture for a page, with its title and what it says.

    A page with several pictures gives `symbols` once and leaves them out here. `spots` are links
    on what can be touched, by the names of the game's presentation.
    """
    sheet = symbols(game_key) if with_symbols else Markup("")
    alt = board_alt(game_key, view, seat=seat, marks=marks, lang=lang)
    given = {"full": True, "symbols": sheet, "alt": alt, "spots": spots}
    return Markup(_render(game_key, view, seat, marks, lang, nested, given))  # noqa: S704 (escaped)


def board_alt(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> str:
    """The picture in words: a few sentences on one line."""
    template = template_of(game_key, "alt.txt", lang)
    return on_one_line(template.render(view=view, seat=seat, marks=marks))


def board_text(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> str:
    """The position in characters, at most 72 to a line, and as lists of places."""
    template = environment(lang).get_template(f"games/{game_key}/board.txt")
    return template.render(view=view, seat=seat, marks=marks, kept=_kept).strip("\n") + "\n"


@cache
def symbols(game_key: str) -> Markup:
    """The drawings of a game in an svg without size: `<svg><use href="#ID"/></svg>` shows one."""
    template = template_of(game_key, "symbols.svg", SOURCE_LANGUAGE)
    return Markup(template.render())  # noqa: S704 - an escaping template's


@cache
def board_width(game_key: str) -> int:
    """The width the picture is meant to be shown at, in CSS pixels."""
    module = template_of(game_key, "layout.svg", SOURCE_LANGUAGE).module
    return int(getattr(module, "WIDTH"))  # noqa: B009 - a name of the template's


def warm(game_key: str, lang: str) -> None:
    """Draw what pictures of a game most often consist of, which `board_png` else does when it is
    first asked for one: some tenths of a second.
    """
    store_of(game_key, lang)


def draw(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> bytes:
    """`board_png` of a position that was not drawn yet."""
    store = store_of(game_key, lang)
    cells = Noted()
    given = {"full": False, "symbols": "", "alt": ""}
    frame = frame_of(_render(game_key, view, seat, marks, lang, cells, given))
    rows = compose(frame, cells.placed, store)
    return encode(rows, frame.width * SCALE, frame.height * SCALE, store.palette)


@cache
def store_of(game_key: str, lang: str) -> CellStore:
    """The cells of a game, with those of `common.svg` drawn: once for all processes, if they can be
    kept beside the templates.
    """
    common = Noted()
    template = template_of(game_key, "common.svg", lang)
    frame = frame_of(template.render(cell=common))
    store = _undrawn(game_key)
    kept = folder_beside(TEMPLATES, "pictures")
    store.drawn(frame, (cell for _, _, cell in common.placed), kept)
    return store


def template_of(game_key: str, name: str, lang: str) -> Template:
    """One of the templates that a game's pictures and their words come from."""
    return environment(lang).get_template(f"boards/{game_key}/{name}")


def on_one_line(text: str) -> str:
    """Words without their line breaks. Spaces that hold a mark of punctuation to its word stay."""
    return _BREAKS.sub(" ", text).strip()


@cache
def _undrawn(game_key: str) -> CellStore:
    return CellStore(str(symbols(game_key)), palette_of(boards_folder(game_key)))


def _kept(macro: Callable[..., str], *arguments: Any) -> str:
    """What a macro gives for arguments of built-in types, written once as long as it is kept."""
    return _given(macro, msgspec.msgpack.encode(arguments))


@lru_cache(maxsize=KEPT_TEXTS)
def _given(macro: Callable[..., str], packed: bytes) -> str:
    return str(macro(*msgspec.msgpack.decode(packed)))


def _render(
    game_key: str,
    view: Mapping[str, Any],
    seat: int | None,
    marks: Marks,
    lang: str,
    cell: Callable[..., str],
    given: Mapping[str, Any],
) -> str:
    template = template_of(game_key, "board.svg", lang)
    names = [drawable(name, "") for name in marks.get("names", ())]
    return template.render(view=view, seat=seat, marks=marks, names=names, cell=cell, **given)

"""The pictures of a position, for any game: what letters and pages ask for."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypedDict

from markupsafe import Markup

from service.pictures.cells import take_apart
from service.pictures.drawing import CellStore, compose
from service.pictures.fonts import drawable
from service.pictures.palette import palette_of
from service.pictures.png import encode
from service.pictures.store import PictureStore
from service.templating import SOURCE_LANGUAGE, TEMPLATES, environment

KEPT_BYTES: Final = 4 << 20
"""Finished pictures kept by a process."""

_finished = PictureStore(KEPT_BYTES)


class Marks(TypedDict, total=False):
    """What a picture shows beyond the position.

    `last` are the places each seat filled in its last turn, `targets` places to choose from,
    `seat` whose board is the big one (by default the reader's), `names` the players' by seat (by
    default their colours).
    """

    last: Mapping[int, Collection[str]]
    targets: Collection[str]
    seat: int | None
    names: Sequence[str]


def board_png(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> bytes:
    """The picture for a letter, twice as wide as `board_width`.

    `view` is the game's view of a position as built-in types, `seat` the reader's (None: a
    spectator). Equal positions give equal bytes.
    """
    svg = _render(game_key, view, seat, marks, lang, full=False, sheet=symbols(game_key)).encode()
    digest = hashlib.sha256(svg).digest()
    picture = _finished.get(digest)
    if picture is None:
        palette = palette_of(TEMPLATES / "boards" / game_key)
        canvas = compose(take_apart(svg), palette, _cells(game_key))
        picture = encode(canvas, palette)
        _finished.put(digest, picture)
    return picture


def board_svg(
    game_key: str,
    view: Mapping[str, Any],
    *,
    seat: int | None,
    marks: Marks,
    lang: str,
    with_symbols: bool = True,
) -> Markup:
    """The picture for a page, with its title and what it says.

    A page with several pictures gives `symbols` once and leaves them out here.
    """
    sheet = symbols(game_key) if with_symbols else Markup("")
    alt = board_alt(game_key, view, seat=seat, marks=marks, lang=lang)
    return Markup(_render(game_key, view, seat, marks, lang, full=True, sheet=sheet, alt=alt))


def board_alt(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> str:
    """What the picture says, in a few sentences on one line."""
    template = environment(lang).get_template(f"boards/{game_key}/alt.txt")
    return " ".join(template.render(view=view, seat=seat, marks=marks).split())


def board_text(
    game_key: str, view: Mapping[str, Any], *, seat: int | None, marks: Marks, lang: str
) -> str:
    """The position in characters, at most 72 to a line, and as lists of places."""
    template = environment(lang).get_template(f"games/{game_key}/board.txt")
    return template.render(view=view, seat=seat, marks=marks).strip("\n") + "\n"


@cache
def symbols(game_key: str) -> Markup:
    """The game's drawings, an svg element without size: `<svg><use href="#ID"/></svg>` shows one."""
    return Markup(environment(SOURCE_LANGUAGE).get_template(f"boards/{game_key}/symbols.svg").render())


@cache
def board_width(game_key: str) -> int:
    """How wide the picture is meant to be shown, in CSS pixels."""
    module = environment(SOURCE_LANGUAGE).get_template(f"boards/{game_key}/layout.svg").module
    return int(getattr(module, "WIDTH"))  # noqa: B009 - a name of the template's


@cache
def _cells(game_key: str) -> CellStore:
    return CellStore(palette_of(TEMPLATES / "boards" / game_key))


def _render(
    game_key: str,
    view: Mapping[str, Any],
    seat: int | None,
    marks: Marks,
    lang: str,
    *,
    full: bool,
    sheet: Markup,
    alt: str = "",
) -> str:
    template = environment(lang).get_template(f"boards/{game_key}/board.svg")
    names = [drawable(name, "") for name in marks.get("names", ())]
    return template.render(
        view=view, seat=seat, marks=marks, names=names, full=full, symbols=sheet, alt=alt
    )

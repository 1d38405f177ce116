"""The pictures of a position, for any game: what letters and pages ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import Template, TemplateNotFound
from jinja2.environment import TemplateModule
from markupsafe import Markup
from PIL import Image

from engine.kit.presentation import Marks, Wanted
from engine.kit.scene import SEATS, Scene
from service.render.compiled import folder_beside
from service.render.pictures import themes
from service.render.pictures.cells import Frame, bound, framed
from service.render.pictures.drawing import SCALE, CellStore, compose
from service.render.pictures.fonts import drawable
from service.render.pictures.maps import Drawer, is_map, known_of
from service.render.pictures.palette import Palette
from service.render.pictures.png import encode
from service.render.pictures.scenes import Touchable, svg_of
from service.render.pictures.store import PictureStore, key_of
from service.render.pictures.themes import Theme
from service.render.templating import (
    SOURCE_LANGUAGE,
    TEMPLATES,
    environment,
    presentation_of,
)

KEPT_BYTES: Final = 4 << 20
"""Finished pictures kept by a process."""

KEPT_TEXTS: Final = 512
"""Passages of texts kept by a process, each some hundred letters long."""

SOFT_COLOURS: Final = 5
"""Colours of soft edges that a map has besides those of its surfaces."""

PAPER: Final = "paper"
"""The role of the colour that pictures lie on."""

_BREAKS = re.compile(r"[ \n]+")

_finished = PictureStore(KEPT_BYTES)


class Pixels(NamedTuple):
    """The rows of a picture, each with its first byte, as `png.encode` takes them."""

    rows: bytes
    width: int
    height: int
    palette: Palette


def filled(
    game_key: str, seats: int, stories: Iterable[Iterable[Mapping[str, Any]]]
) -> dict[int, set[str]]:
    """The places that the events of these stories have filled, by seat: `Marks.last`."""
    found: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    for seat, place in presentation_of(game_key).filled(chain.from_iterable(stories)):
        found[seat].add(place)
    return found


def board_png(
    game_key: str, view: Mapping[str, Any], *, wanted: Wanted, marks: Marks, lang: str
) -> bytes:
    """The picture for a letter, twice as wide as `board_width`.

    `view` is the game's view of a position as built-in types. Equal positions give equal bytes.
    What is the same for everybody (`wanted` for no reader) is known by its scene: it is drawn once,
    whoever's view it is taken from.
    """
    if wanted.reader is None:
        return kept_png(_scene(game_key, view, wanted, marks, full=False), game_key, lang)
    asked = key_of(game_key, view, wanted, marks, lang)
    picture = _finished.get(asked)
    if picture is None:
        picture = draw(game_key, view, wanted=wanted, marks=marks, lang=lang)
        _finished.put(asked, picture)
    return picture


def board_svg(
    game_key: str,
    view: Mapping[str, Any],
    *,
    wanted: Wanted,
    marks: Marks,
    lang: str,
    with_symbols: bool = True,
    spots: Mapping[str, Touchable] | None = None,
    folded: bool = False,
) -> Markup:
    """The picture for a page, with its title and what it says.

    A page with several pictures gives `symbols` once and leaves them out here. `spots` are links
    on what can be touched, by the names of the game's presentation. One that is `folded` is cut
    into the parts of its scene, one svg element each.
    """
    scene = _scene(game_key, view, wanted, marks, full=True)
    parts = scene.parts if folded else (scene,)
    alt = board_alt(game_key, view, wanted=wanted, marks=marks, lang=lang)
    drawn = (
        svg_of(
            part,
            looks_of(game_key, lang),
            colours_of(game_key),
            lang,
            alt="" if number > 1 or wanted.name else alt,
            symbols=symbols(game_key) if with_symbols and number == 1 else "",
            spots=spots,
            part=number if len(parts) > 1 else 0,
        )
        for number, part in enumerate(parts, start=1)
    )
    return Markup().join(drawn)


def board_alt(
    game_key: str, view: Mapping[str, Any], *, wanted: Wanted, marks: Marks, lang: str
) -> str:
    """The picture in words: a line for each player, and for each kind of what lies there."""
    template = template_of(game_key, "alt.txt", lang)
    said = template.render(view=view, wanted=wanted, seat=wanted.reader, marks=marks)
    return "\n".join(filter(None, map(on_one_line, said.splitlines())))


def board_text(
    game_key: str, view: Mapping[str, Any], *, wanted: Wanted, marks: Marks, lang: str
) -> str:
    """The position in characters, at most 72 to a line, and as lists of places."""
    template = environment(lang).get_template(f"games/{game_key}/board.txt")
    text = template.render(view=view, wanted=wanted, seat=wanted.reader, marks=marks, kept=_kept)
    return text.strip("\n") + "\n"


@cache
def symbols(game_key: str) -> Markup:
    """The drawings of a game in an svg without size: `<svg><use href="#ID"/></svg>` shows one.

    Those of all maps, for a game that has none of its own.
    """
    own = [f"boards/{game_key}/symbols.svg", "boards/kit/symbols.svg"]
    template = environment(SOURCE_LANGUAGE).select_template(own)
    drawn = template.render(seats=SEATS, c=themes.colours_of(Theme.PAGE))
    return Markup(drawn)  # noqa: S704 - an escaping template's


def board_width(game_key: str) -> int:
    """The width the picture is meant to be shown at, in CSS pixels."""
    return presentation_of(game_key).width


def warm(game_key: str, lang: str) -> None:
    """Draw what pictures of a game most often consist of, which `board_png` else does when it is
    first asked for one: some tenths of a second.
    """
    if presentation_of(game_key).common():
        store_of(game_key, lang)


def draw(
    game_key: str, view: Mapping[str, Any], *, wanted: Wanted, marks: Marks, lang: str
) -> bytes:
    """`board_png` of a position that was not drawn yet."""
    return png_of(_scene(game_key, view, wanted, marks, full=False), game_key, lang)


def png_of(scene: Scene, game_key: str, lang: str, shown: int | None = None) -> bytes:
    """The PNG of a scene of a game, twice as fine as it is shown: as wide as it is, or a map no
    wider than `shown` units.
    """
    return encode(*pixels_of(scene, game_key, lang, shown))


def kept_png(scene: Scene, game_key: str, lang: str, shown: int | None = None) -> bytes:
    """`png_of`, kept by what the scene is: it tells all that is drawn."""
    asked = key_of(game_key, known_of(scene), lang, shown)
    picture = _finished.get(asked)
    if picture is None:
        picture = png_of(scene, game_key, lang, shown)
        _finished.put(asked, picture)
    return picture


def pixels_of(scene: Scene, game_key: str, lang: str, shown: int | None = None) -> Pixels:
    """The pixels of a scene of a game, twice as fine as it is shown (`png_of`)."""
    width, height = scene.width * SCALE, scene.height * SCALE
    if is_map(scene):
        palette = themes.palette_of(Theme.DAY)
        image = drawer_of(game_key, lang).image(scene)
        if shown is not None and image.width > shown * SCALE:
            size = (shown * SCALE, round(image.height * shown * SCALE / image.width))
            image = image.resize(size, Image.Resampling.HAMMING)
        width, height = image.size
        rows = palette.rows(image, len(themes.surfaces(Theme.DAY)), SOFT_COLOURS)
        return Pixels(rows, width, height, palette)
    store = store_of(game_key, lang)
    frame, placed = framed(scene, looks_of(game_key, lang), colours_of(game_key))
    return Pixels(compose(frame, placed, store), width, height, store.palette)


@cache
def store_of(game_key: str, lang: str) -> CellStore:
    """The cells of a game, with the common ones drawn: once for all processes, if they can be kept
    beside the templates.
    """
    store, looks = _fitted(game_key), looks_of(game_key, lang)
    cells = (bound(cell, looks) for cell in presentation_of(game_key).common())
    store.drawn(_frame(game_key), cells, folder_beside(TEMPLATES, "pictures"))
    return store


@cache
def drawer_of(game_key: str, lang: str) -> Drawer:
    """The drawer of a game's maps, which keeps them beside the templates for other processes."""
    folder = folder_beside(TEMPLATES, "pictures")
    return Drawer(looks_of(game_key, lang), lang, Theme.DAY, folder)


@cache
def looks_of(game_key: str, lang: str) -> TemplateModule:
    """The macros that draw what a game's scenes name."""
    return template_of(game_key, "looks.svg", lang).module


@cache
def colours_of(game_key: str) -> Mapping[str, str]:
    """The colours of a game's pictures of cells, by role; those of maps for one without any."""
    try:
        module = template_of(game_key, "layout.svg", SOURCE_LANGUAGE).module
    except TemplateNotFound:
        return themes.colours_of(Theme.PAGE)
    found: Mapping[str, str] = getattr(module, "COLOURS")  # noqa: B009 - a name of the template's
    return found


def template_of(game_key: str, name: str, lang: str) -> Template:
    """One of the templates that a game's pictures and their words come from."""
    return environment(lang).get_template(f"boards/{game_key}/{name}")


def on_one_line(text: str) -> str:
    """Words without their line breaks. Spaces that hold a mark of punctuation to its word stay."""
    return _BREAKS.sub(" ", text).strip()


@cache
def _fitted(game_key: str) -> CellStore:
    """The cells of a game, with the common ones of the source language drawn: whatever is asked for
    first, its pictures have one palette.
    """
    looks = looks_of(game_key, SOURCE_LANGUAGE)
    cells = (bound(cell, looks) for cell in presentation_of(game_key).common())
    folder = folder_beside(TEMPLATES, "pictures")
    named = tuple(dict.fromkeys(colours_of(game_key).values()))
    return CellStore.fitted(str(symbols(game_key)), _frame(game_key), cells, named, folder)


def _frame(game_key: str) -> Frame:
    return Frame(1, 1, colours_of(game_key)[PAPER])


def _kept(macro: Callable[..., str], *arguments: Any) -> str:
    """What a macro gives for arguments of built-in types, written once as long as it is kept."""
    return _given(macro, msgspec.msgpack.encode(arguments))


@lru_cache(maxsize=KEPT_TEXTS)
def _given(macro: Callable[..., str], packed: bytes) -> str:
    return str(macro(*msgspec.msgpack.decode(packed)))


def _scene(
    game_key: str, view: Mapping[str, Any], wanted: Wanted, marks: Marks, *, full: bool
) -> Scene:
    names = [drawable(name, "") for name in marks.names]
    drawn = msgspec.structs.replace(marks, names=names)
    return presentation_of(game_key).scene(view, wanted, drawn, full=full)

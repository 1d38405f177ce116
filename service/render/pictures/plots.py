"""The course of a match: the points of every player over its turns, as a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from service.render.pictures.boards import on_one_line, store_of, symbols, template_of
from service.render.pictures.cells import STYLE
from service.render.pictures.drawing import rasterise
from service.render.pictures.fonts import drawable
from service.render.pictures.png import encode
from service.render.pictures.store import PictureStore, key_of
from service.render.pictures.themes import Theme, colours_of, palette_of
from service.render.templating import boards_folder, presentation_of

KEPT_BYTES: Final = 1 << 20
"""Plots kept by a process."""

_finished = PictureStore(KEPT_BYTES)


def has_plot(game_key: str) -> bool:
    """True if the course of a game's matches can be drawn: it has `plot.svg` and `plot.txt`."""
    return (boards_folder(game_key) / "plot.svg").is_file()


def plot_png(
    game_key: str,
    views: Sequence[Mapping[str, Any]],
    *,
    seat: int | None,
    names: Sequence[str],
    lang: str,
) -> bytes:
    """The plot for a letter, twice as wide as `board_width`: `templates/boards/<game>/plot.svg`.

    `views` are the public positions (`Game.view` for no seat, as built-in types) after the set-up
    and after each turn, `seat` the reader's (None: a spectator). Equal matches give equal bytes.
    """
    asked = key_of(game_key, views, seat, names, lang)
    plot = _finished.get(asked)
    if plot is None:
        plot = draw(game_key, views, seat=seat, names=names, lang=lang)
        _finished.put(asked, plot)
    return plot


def plot_svg(
    game_key: str,
    views: Sequence[Mapping[str, Any]],
    *,
    seat: int | None,
    names: Sequence[str],
    lang: str,
    across: int | None = None,
) -> Markup:
    """The plot for a page, with its title and what it says; where a game draws a field for each
    player, so many lie `across` (None: as in a letter). The page has the game's `symbols`.
    """
    alt = plot_alt(game_key, views, seat=seat, names=names, lang=lang)
    return Markup(_render(game_key, views, seat, names, lang, alt, Theme.PAGE, across))  # noqa: S704 (escaped)


def plot_alt(
    game_key: str,
    views: Sequence[Mapping[str, Any]],
    *,
    seat: int | None,
    names: Sequence[str],
    lang: str,
) -> str:
    """The plot in words, on one line."""
    template = template_of(game_key, "plot.txt", lang)
    return on_one_line(template.render(views=views, seat=seat, names=names))


def draw(
    game_key: str,
    views: Sequence[Mapping[str, Any]],
    *,
    seat: int | None,
    names: Sequence[str],
    lang: str,
) -> bytes:
    """`plot_png` of a match that was not drawn yet."""
    flat = presentation_of(game_key).common()
    palette = store_of(game_key, lang).palette if flat else palette_of(Theme.DAY)
    svg = _render(game_key, views, seat, names, lang, "", Theme.DAY)
    head, inside = svg.split(">", 1)
    image = rasterise(f"{head}><defs>{symbols(game_key)}</defs>{inside}", palette.colours[0])
    return encode(palette.rows(image), image.width, image.height, palette)


def _render(
    game_key: str,
    views: Sequence[Mapping[str, Any]],
    seat: int | None,
    names: Sequence[str],
    lang: str,
    alt: str,
    theme: Theme,
    across: int | None = None,
) -> str:
    template = template_of(game_key, "plot.svg", lang)
    called = [drawable(name, "") for name in names]
    given = {"alt": alt, "style": STYLE, "c": colours_of(theme), "across": across}
    return template.render(views=views, seat=seat, names=called, **given).strip()

"""A position at a glance: one player's board alone and small, for lists of matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from markupsafe import Markup

from engine.kit.presentation import HasSpecimen
from engine.protocol import Seat
from service.render.pictures import themes
from service.render.pictures.boards import colours_of, kept_png, looks_of, symbols
from service.render.pictures.cards import card_png
from service.render.pictures.drawing import SCALE
from service.render.pictures.scenes import svg_of
from service.render.pictures.themes import Theme
from service.render.templating import SOURCE_LANGUAGE, environment, presentation_of


def glance_svg(
    game_key: str,
    view: Mapping[str, Any],
    *,
    seat: Seat,
    lang: str,
    last: Collection[str] = (),
) -> Markup:
    """The board of `seat` for a page that has the game's `symbols`; `last` are places filled in its
    last turn. It says nothing to who does not see it; what is short for a word is in `lang`.
    """
    scene = presentation_of(game_key).glance(view, seat, last)
    return svg_of(scene, looks_of(game_key, lang), colours_of(game_key), lang)


def specimen_png(game_key: str, view: Mapping[str, Any], *, shown: Seat, lang: str) -> bytes:
    """A position for a letter to who does not know the game: what the game shows it by; else the
    board alone, as its glance where that is fine enough for the width of a letter; else as on the
    card, without who plays.
    """
    presentation = presentation_of(game_key)
    if isinstance(presentation, HasSpecimen):
        return kept_png(presentation.specimen(view, shown), game_key, lang)
    scene = presentation.glance(view, shown, ())
    if scene.width * SCALE < presentation.width:
        return card_png(game_key, view, shown=shown, names=(), lang=lang)
    return kept_png(scene, game_key, lang)


def glance_file(game_key: str, view: Mapping[str, Any], *, seat: Seat, lang: str) -> bytes:
    """`glance_svg` as a file of its own, with all that it refers to; by day or by night, as whoever
    looks at it wishes.
    """
    scene = presentation_of(game_key).glance(view, seat, ())
    template = environment(SOURCE_LANGUAGE).get_template("boards/kit/night.svg")
    night = Markup(template.render(c=themes.colours_of(Theme.NIGHT)))  # noqa: S704 - escaping
    needed = night + symbols(game_key)
    drawn = svg_of(scene, looks_of(game_key, lang), colours_of(game_key), lang, symbols=needed)
    return drawn.encode()

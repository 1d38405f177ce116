"""The pictures of a game's lesson, for pages."""

from __future__ import annotations

from markupsafe import Markup

from engine.kit.lessons import Illustration
from service.render.pictures.boards import colours_of, looks_of
from service.render.pictures.scenes import svg_of
from service.render.templating import environment


def illustration_svg(game_key: str, shown: Illustration, *, lang: str, alt: str) -> Markup:
    """The window of an illustration with its numbers, without the symbols it refers to; `alt` says
    what it shows.
    """
    drawing = svg_of(shown.scene, looks_of(game_key, lang), colours_of(game_key), lang)
    template = environment(lang).get_template("boards/kit/illustration.svg")

    return Markup(  # noqa: S704 - an escaping template's
        template.render(drawing=drawing, window=shown.window, labels=shown.labels, alt=alt).strip()
    )

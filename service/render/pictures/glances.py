"""A position at a glance: one player's board alone and small, for lists of matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from markupsafe import Markup

from engine.protocol import Seat
from service.render.pictures.boards import template_of
from service.render.pictures.cells import nested


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
    template = template_of(game_key, "glance.svg", lang)
    return Markup(  # noqa: S704 - an escaping template's
        template.render(view=view, seat=seat, last=last, cell=nested)
    )

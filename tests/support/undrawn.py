"""Boards told by what is drawn instead of drawn: a third of the time of a simulation goes into
pixels, and equal scenes give equal bytes either way.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from markupsafe import Markup

from engine.kit.scene import Scene
from service.render.pictures import boards, cards
from service.render.pictures.store import PictureStore, key_of
from service.web import drawings

_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def _told(scene: Scene, game_key: str, lang: str, shown: int | None = None) -> bytes:
    drawn = key_of(game_key, scene, lang, shown)
    return _PIXEL + drawn


def _of_a_page(*_: Any, **__: Any) -> Markup:
    return Markup("<svg/>")


@contextmanager
def not_drawn(*, pages: bool) -> Iterator[None]:
    """Letters have a pixel, and behind it what the picture would be of; pages have none, unless
    they are to be read (`pages`).
    """
    store = PictureStore(1_000_000)
    drawn: list[tuple[Any, str, Any]] = [
        (boards, "png_of", _told),
        (boards, "_finished", store),
        (cards, "png_of", _told),
        (cards, "_finished", store),
    ]
    if not pages:
        drawn.append((drawings, "board_svg", _of_a_page))
    kept = [getattr(module, name) for module, name, _ in drawn]
    for module, name, instead in drawn:
        setattr(module, name, instead)
    try:
        yield
    finally:
        for (module, name, _), before in zip(drawn, kept, strict=True):
            setattr(module, name, before)

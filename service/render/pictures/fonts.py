"""The typeface of pictures, which is ours: what the machine has installed plays no part.

The renderer leaves out, without a word, what the typeface has no glyph for. So names given by
players go through `drawable` first.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Final

from PIL import ImageFont

from service.render.templating import TEMPLATES

FAMILY: Final = "Cabin"
FILES: Final = tuple(
    str(TEMPLATES / "fonts" / name) for name in ("Cabin-Medium.otf", "Cabin-Bold.otf")
)
WIDEST: Final = 7.8
"""Room for a name in a picture, in sizes of bold type; a longer one is cut and ends in dots."""

_SIZE: Final = 100
"""At which the typeface is measured, in pixels."""


@lru_cache(maxsize=1024)
def drawable(name: str, instead: str, room: float = WIDEST) -> str:
    """A player's name as far as it can be drawn in the room for it; `instead` if nothing is left.

    A letter that the typeface lacks loses its accent, or is left out.
    """
    kept = "".join(_letter(letter) for letter in unicodedata.normalize("NFC", name))
    kept = " ".join(kept.split())
    if not any(letter.isalnum() for letter in kept):
        return instead
    if width_of(kept) <= room:
        return kept
    while width_of(f"{kept}…") > room:
        kept = kept[:-1].rstrip()
    return f"{kept}…"


@lru_cache(maxsize=4096)
def width_of(text: str) -> float:
    """The width of bold type, in its sizes."""
    return _font(FILES[1]).getlength(text) / _SIZE


def _letter(letter: str) -> str:
    if letter.isspace():
        return " "
    if not letter.isprintable():
        return ""
    if _has(letter):
        return letter
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if _has(base) else ""


@cache
def _font(path: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, _SIZE)


@cache
def _missing() -> bytes:
    """How the typeface draws what it has no glyph for."""
    return bytes(_font(FILES[0]).getmask("\U0010fffd"))


@lru_cache(maxsize=4096)
def _has(letter: str) -> bool:
    return letter == " " or bytes(_font(FILES[0]).getmask(letter)) != _missing()

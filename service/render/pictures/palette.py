"""The colours of a game's pictures: those its templates name, and no other.

Pictures are drawn without shades between colours, twice as fine as they are shown: sharp on a
doubled screen, smooth on a plain one, and half the bytes of a picture with soft edges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from PIL import Image

MOST = 256
"""Colours that a byte can tell apart."""

_COLOUR = re.compile(r"#[0-9A-F]{6}\b")


class Palette:
    """Colours by number. `depth` is the bits that a pixel takes: 4 up to 16 colours, else 8."""

    def __init__(self, colours: Sequence[str]) -> None:
        if not 0 < len(colours) <= MOST:
            raise ValueError(f"{len(colours)} colours; a picture has 1 to {MOST}")
        self.colours = tuple(colours)
        self.depth = 4 if len(colours) <= 16 else 8
        self.rgb = b"".join(bytes.fromhex(colour[1:]) for colour in colours)
        self._number = {colour: number for number, colour in enumerate(colours)}
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(self.rgb + self.rgb[:3] * (MOST - len(colours)))

    def bytes_for(self, pixels: int) -> int:
        """Bytes that so many pixels take. Raises ValueError if they do not fill them."""
        count, rest = divmod(pixels * self.depth, 8)
        if rest:
            raise ValueError(f"{pixels} pixels of {self.depth} bits are not whole bytes")
        return count

    def byte_of(self, colour: str) -> int:
        """A byte all of this colour. Raises KeyError for a colour that is none of them."""
        number = self._number[colour]
        return number << 4 | number if self.depth == 4 else number

    def packed(self, image: Image.Image) -> Image.Image:
        """The bytes (mode L) of an RGB image's pixels in the nearest of our colours, the left one
        of two pixels in the upper half.
        """
        indexed = image.quantize(palette=self._image, dither=Image.Dither.NONE)
        size = (self.bytes_for(image.width), image.height)
        return Image.frombytes("L", size, indexed.tobytes("raw", "P;4" if self.depth == 4 else "P"))


def colours_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The colours written as #RRGGBB in capitals, in the order they are met."""
    return tuple(dict.fromkeys(found for text in texts for found in _COLOUR.findall(text)))


@cache
def palette_of(folder: Path) -> Palette:
    """The colours that the SVG files and templates of a folder name. Raises ValueError."""
    return Palette(colours_in(path.read_text("utf-8") for path in sorted(folder.glob("*.svg"))))

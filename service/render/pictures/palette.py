"""The colours of a game's pictures: those of its flat surfaces, and of what soft edges have between
them. All pictures of a game share them, so that what was drawn once can be put into any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PIL import Image

MOST = 256
"""Colours that a byte can tell apart."""

FLAT = 144
"""Colours taken as they are, the most used first; the rest stand for what lies between."""

NEAR = 3
"""Colours that differ by no more in each part are one."""


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


def fitted(image: Image.Image, named: Iterable[str], most: int = MOST - 1) -> Palette:
    """The palette for an RGB image that shows all a game draws: what is named, the colours of its surfaces, and
    those that stand for the others best. One number is left for what a film does not change.
    """
    counted = image.getcolors(image.width * image.height) or []
    ordered = sorted(counted, key=lambda each: (-each[0], each[1]))
    flat: list[tuple[int, ...]] = [tuple(bytes.fromhex(colour[1:])) for colour in named]
    for _, colour in ordered[: 4 * FLAT]:
        if len(flat) < FLAT and all(_apart(colour, other) for other in flat):
            flat.append(colour)
    between = image.quantize(most - len(flat), Image.Quantize.MEDIANCUT)
    raw = between.getpalette() or []
    others = zip(raw[0::3], raw[1::3], raw[2::3], strict=True)
    colours = dict.fromkeys((*flat, *others))
    return Palette(["#" + bytes(colour).hex().upper() for colour in colours][:most])


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > NEAR

"""The colours of a game's pictures: those of its flat surfaces, and of what soft edges have between
them. All pictures of a game share them, so that what was drawn once can be put into any of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, partial

from PIL import Image

MOST = 256
"""Colours that a byte can tell apart."""

FLAT = 112
"""Colours taken as they are, the most used first; the rest stand for what lies between."""

NEAR = 8
"""Colours that differ by less in each part are one: the image library finds the nearest of a
palette for cubes of colours, and not for each.
"""


_FEW = 60
"""Pixels of a colour that nobody would miss."""

_RARE = 1_500
"""A colour of fewer pixels than one in so many is shown by another that is `_ALIKE`."""

_ALIKE = 24
"""How far apart two colours are that are taken for one another in a spot (Euclid's, of 255)."""


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
        size = (self.bytes_for(image.width), image.height)
        return Image.frombytes("L", size, self._numbered(image).tobytes("raw", self._raw))

    def rows(self, image: Image.Image, flat: int = 0, soft: int = 0) -> bytes:
        """The same as a PNG has them, each row behind a byte of its own; with `flat` in fewer
        colours: of our first `flat` ones those it has more than a few pixels of, but for rare ones
        that are nearly another; of the others the `soft` most used. The rest are shown by the
        nearest of them. What is between two surfaces has fewer steps then, and takes a tenth less
        room.
        """
        numbered = self._numbered(image)
        if flat:
            counts = counts_of(numbered)[: len(self.colours)]
            numbered = numbered.point(self._thinned(counts, flat, soft))
        # The byte that the library leaves behind each row is the one before the next.
        rows = numbered.tobytes("raw", self._raw, self.bytes_for(image.width) + 1)
        return b"".join((b"\0", memoryview(rows)[:-1]))

    @property
    def _raw(self) -> str:
        return "P;4" if self.depth == 4 else "P"

    def _numbered(self, image: Image.Image) -> Image.Image:
        return image.quantize(palette=self._image, dither=Image.Dither.NONE)

    def _thinned(self, counts: Sequence[int], flat: int, soft: int) -> list[int]:
        """The colour that each is shown by (`rows`), where there are so many pixels of each."""
        rare = sum(counts) // _RARE
        used = sorted(
            (number for number, count in enumerate(counts) if count > _FEW),
            key=lambda number: (-counts[number], number),
        )
        kept = set([number for number in used if number >= flat][:soft])
        for number in used:
            if number < flat and (counts[number] > rare or not self._alike(number, kept)):
                kept.add(number)
        lost = {n for n, c in enumerate(counts) if kept and c} - kept
        shown = [self._nearest(n, kept) if n in lost else n for n in range(len(counts))]
        return shown + [0] * (MOST - len(counts))

    def _nearest(self, number: int, kept: Collection[int]) -> int:
        return next(other for other in self._neighbours[number] if other in kept)

    def _alike(self, number: int, kept: Collection[int]) -> bool:
        return bool(kept) and self._apart(number, self._nearest(number, kept)) < _ALIKE

    def _apart(self, one: int, other: int) -> float:
        return math.dist(self.rgb[3 * one : 3 * one + 3], self.rgb[3 * other : 3 * other + 3])

    @cached_property
    def _neighbours(self) -> Sequence[Sequence[int]]:
        """The numbers of all colours, for each colour from the nearest to the farthest."""
        numbers = range(len(self.colours))
        return [sorted(numbers, key=partial(self._apart, number)) for number in numbers]


def counts_of(numbered: Image.Image) -> list[int]:
    """The number of pixels of each colour. Where many in a row are the same, each would wait for
    the one before it to be counted: four in a row are counted apart.
    """
    raw = numbered.tobytes()
    whole = len(raw) // 4
    fours = Image.frombuffer("CMYK", (whole, 1), raw[: 4 * whole]).histogram()
    found = [sum(fours[number::MOST]) for number in range(MOST)]
    for number in raw[4 * whole :]:
        found[number] += 1
    return found


def fitted(image: Image.Image, named: Iterable[str], most: int = MOST - 1) -> Palette:
    """The palette for an RGB image that shows all a game draws: what is named, the colours of its
    surfaces, and those that stand for the others best. One number is left for what a film does not
    change.
    """
    # Surfaces are wider than a pixel, and shades are many: a part of the pixels tells as much.
    part = image.resize((-(-image.width // 2), -(-image.height // 2)), Image.Resampling.NEAREST)
    counted = part.getcolors(part.width * part.height) or []
    ordered = sorted(counted, key=lambda each: (-each[0], each[1]))
    found = [_parts(colour) for colour in dict.fromkeys(named)]
    for _, colour in ordered[: 8 * FLAT]:
        if len(found) < FLAT and _apart(colour, found):  # type: ignore[arg-type]
            found.append(colour)  # type: ignore[arg-type]
    # More than there is room for, as some of them are near a surface.
    raw = part.quantize(MOST, Image.Quantize.MEDIANCUT).getpalette() or []
    for colour in zip(raw[0::3], raw[1::3], raw[2::3], strict=True):
        if len(found) < most and _apart(colour, found):
            found.append(colour)
    return Palette([f"#{bytes(colour).hex().upper()}" for colour in found])


_Parts = tuple[int, int, int]


def _parts(colour: str) -> _Parts:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _apart(one: _Parts, others: Iterable[_Parts]) -> bool:
    """True if a colour is none of these, or nearly."""
    return all(max(abs(a - b) for a, b in zip(one, other, strict=True)) >= NEAR for other in others)

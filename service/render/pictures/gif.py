"""Writing an animated GIF of colour numbers, frame after frame, so that two of them are in memory.

GIF and not APNG: what people share pictures with shows the first frame of an APNG alone. A frame
holds what has changed since the one before, and is see-through elsewhere (GIF89a, 23 and 24).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from service.render.pictures.palette import MOST, Palette

_KEEP: Final = 1
"""Disposal: what a frame has drawn stays for the next one."""

_END: Final = b";"


class Shot(NamedTuple):
    """The rows of a picture as `drawing.compose` made them, and how long it is seen."""

    rows: bytes
    milliseconds: int


def encode(shots: Iterable[Shot], width: int, height: int, palette: Palette) -> bytes:
    """The GIF that shows pictures of one size one after the other, again and again; in pixels.

    Raises ValueError if the colours leave no number for what is see-through, or for no picture.
    """
    clear = len(palette.colours)
    if clear >= MOST:
        raise ValueError(f"{clear} colours; a film has at most {MOST - 1}")
    parts: list[bytes] = []
    before: Image.Image | None = None
    for shot in shots:
        frame = pixels(shot.rows, width, height, palette)
        new, corner = (frame, (0, 0)) if before is None else _changed(before, frame, clear)
        if before is None:
            frame.putpalette(palette.rgb + bytes(3))
            parts += GifImagePlugin.getheader(frame, info={"loop": 0})[0]
        parts += GifImagePlugin.getdata(
            new, corner, duration=shot.milliseconds, disposal=_KEEP, transparency=clear
        )
        before = frame
    if before is None:
        raise ValueError("a film has at least one picture")
    return b"".join((*parts, _END))


def pixels(rows: bytes, width: int, height: int, palette: Palette) -> Image.Image:
    """The rows of a picture, each with its first byte, as colour numbers (mode P)."""
    stride = palette.bytes_for(width) + 1
    mode = "P;4" if palette.depth == 4 else "P"
    return Image.frombytes("P", (width, height), rows[1:] + bytes(1), "raw", mode, stride)


def _changed(
    before: Image.Image, after: Image.Image, clear: int
) -> tuple[Image.Image, tuple[int, int]]:
    """The part of a picture that another has not, see-through where they agree, and its corner."""
    same = Image.frombytes("L", after.size, after.tobytes())
    differing = ImageChops.difference(Image.frombytes("L", before.size, before.tobytes()), same)
    box = differing.getbbox() or (0, 0, 1, 1)
    part = Image.new("P", (box[2] - box[0], box[3] - box[1]), clear)
    part.paste(after.crop(box), (0, 0), differing.crop(box).point(_all_or_none))
    return part, box[:2]


def _all_or_none(value: int) -> int:
    return 255 if value else 0

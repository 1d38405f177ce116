"""Writing a PNG of colour numbers: the little of the format that flat pictures need.

Image libraries try out what suits photographs, or write a row at a time. A picture of few flat
colours is smallest as it is, in one go (RFC 2083; filter 0 on every row).
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

from PIL import Image

from service.pictures.palette import Palette

LEVEL: Final = 6
"""Of zlib. Above it a picture is at most some per cent smaller and takes several times as long."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_INDEXED: Final = 3


def encode(canvas: Image.Image, palette: Palette) -> bytes:
    """The PNG of what `drawing.compose` made."""
    rows = canvas.tobytes("raw", "L") if palette.depth == 8 else _packed(canvas)
    width = canvas.width - 8 // palette.depth
    header = struct.pack(">IIBBBBB", width, canvas.height, palette.depth, _INDEXED, 0, 0, 0)
    squeeze = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, 9)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette.rgb),
            _chunk(b"IDAT", squeeze.compress(rows) + squeeze.flush()),
            _chunk(b"IEND", b""),
        )
    )


def _packed(canvas: Image.Image) -> bytes:
    """Rows with two pixels to a byte, the left one in the upper half."""
    indexed = Image.frombytes("P", canvas.size, canvas.tobytes())
    return indexed.tobytes("raw", "P;4")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return b"".join(
        (struct.pack(">I", len(body)), kind, body, struct.pack(">I", zlib.crc32(kind + body)))
    )

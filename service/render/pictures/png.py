"""Writing a PNG of colour numbers: the little of the format that flat pictures need.

Image libraries try out what suits photographs, or write a row at a time. A picture of few flat
colours is smallest as it is, in one go (RFC 2083; filter 0 on every row).
"""

from __future__ import annotations

import struct
from typing import Final
from zlib import crc32

from zlib_ng import zlib_ng

from service.render.pictures.palette import Palette

LEVEL: Final = 6
"""Of zlib. Above it a picture is at most some per cent smaller and takes four times as long."""

CLOSEST: Final = 9
LARGE: Final = 19 << 10
"""Pixels of more bytes are packed as closely as zlib can: a letter has little room."""

SOFT: Final = 48 << 10
"""Pixels of still more have soft edges: they gain a twentieth for four times as long."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_INDEXED: Final = 3


def encode(rows: bytes, width: int, height: int, palette: Palette) -> bytes:
    """The PNG of rows that `drawing.compose` made; sizes in pixels."""
    header = struct.pack(">IIBBBBB", width, height, palette.depth, _INDEXED, 0, 0, 0)
    body = zlib_ng.compress(rows, LEVEL)
    if LARGE < len(body) <= SOFT:
        body = zlib_ng.compress(rows, CLOSEST)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette.rgb),
            _chunk(b"IDAT", body),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return b"".join(
        (struct.pack(">I", len(body)), kind, body, struct.pack(">I", crc32(kind + body)))
    )

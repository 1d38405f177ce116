"""Making the seed of a match so that nobody can choose it: of a secret whose hash is published
before anybody accepts, and of a part from everybody who does.

docs/record.md has the formula for other languages, and says what this proves and what not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from engine.protocol import Seat

SECRET_BYTES = 32
PART_BYTES = 32


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's part of the seed: 32 bytes in hexadecimal. `name` is what the table called them
    then.
    """

    seat: Seat
    name: str
    part: str


class Fairness(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parts a seed was made of. `commitment` is the hash of the secret, published first;
    `secret` in hexadecimal is None while the match runs; `parts` by ascending seat, bots add none.
    """

    commitment: str
    secret: str | None
    parts: tuple[Part, ...]


def commitment_of(secret: bytes) -> str:
    """The published hash of the secret: its SHA-256 in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes, parts: Iterable[Part]) -> bytes:
    """The seed of a match: SHA-256(secret || "paleopost seed" || for each part by ascending seat:
    the seat as 8 bytes big-endian || the 32 bytes of the part).
    """
    made = hashlib.sha256(secret + b"paleopost seed")
    for part in sorted(parts, key=lambda each: each.seat):
        made.update(part.seat.to_bytes(8, "big") + bytes.fromhex(part.part))
    return made.digest()

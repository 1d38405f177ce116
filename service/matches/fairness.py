"""The parts that players add to the chance of a match, and the seed that comes of them
(`engine.fairness`).

A part is 32 bytes. On a page the reader's browser draws it, or we do where it runs no script, and
whoever likes types another; in a mail it is the hash of its Message-ID, which is not ours to
choose.
"""

from __future__ import annotations

import hashlib
import re

import msgspec

from engine.chance import seed_hash
from engine.fairness import PART_BYTES, Fairness, Part, seed_of
from service.core import randomness
from service.core.errors import Refused
from service.core.locks import LockedMatch
from service.core.models import Match, SeatRow
from service.core.names import clean_name
from service.core.statuses import MatchStatus, SeatStatus

LONGEST_PART = 200
"""Characters of what was typed for one that are shown again."""

_parts = msgspec.json.Decoder(tuple[Part, ...])
_HEX = re.compile(rf"[0-9a-f]{{{2 * PART_BYTES}}}")


def part_typed(text: str) -> bytes:
    """The part in a form's field; drawn here if there is none. Raises Refused("bad_part")."""
    digits = "".join(text.split()).lower()
    if not digits:
        return randomness.token_bytes(PART_BYTES)
    if not _HEX.fullmatch(digits):
        raise Refused("bad_part")
    return bytes.fromhex(digits)


def part_of_mail(message_id: str | None, raw: bytes) -> bytes:
    """The part of who answers by mail: SHA-256 of its Message-ID without brackets, or of the whole
    mail if it has none.
    """
    return hashlib.sha256(message_id.encode(errors="replace") if message_id else raw).digest()


def parts_so_far(match: Match) -> tuple[Part, ...]:
    """The parts of those who come, by the seats they have now."""
    return tuple(
        Part(seat=row.seat, name=clean_name(row.name, "?"), part=row.part.hex())
        for row in match.seats
        if row.seat is not None and row.status == SeatStatus.ACCEPTED and row.part is not None
    )


def parts_shown(match: Match, reader: SeatRow | None) -> tuple[Part, ...]:
    """The same for the page of somebody with this row at the table. They name who comes, so who
    sits there or was asked to by name sees them, and nobody else who has a link.
    """
    seated = reader is not None and reader.status in (SeatStatus.INVITED, SeatStatus.ACCEPTED)
    return parts_so_far(match) if seated else ()


def make_seed(match: LockedMatch) -> None:
    """Settle what was added, and the seed that comes of it, when the seats are. A table that was
    opened before players added anything has its seed already, and keeps it.
    """
    if match.seed or match.secret is None:
        return
    parts = parts_so_far(match)
    match.parts = msgspec.json.encode(parts)
    match.seed = seed_of(match.secret, parts)
    match.seed_hash = seed_hash(match.seed)


def fairness_of(match: Match) -> Fairness | None:
    """The parts the seed of a match was made of, with the secret once it is over; None before it
    begins, and for one whose seed was not made of parts.
    """
    if match.parts is None or match.secret is None or match.commitment is None:
        return None
    secret = match.secret.hex() if match.status == MatchStatus.ENDED else None
    return Fairness(commitment=match.commitment, secret=secret, parts=_parts.decode(match.parts))

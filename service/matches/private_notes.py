"""Private notes of players: what one has noted about a match, shown in their own letters and on
their own page alone. It stays with the player: whoever takes the seat over begins with none.
"""

from __future__ import annotations

import hashlib

import structlog

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.locks import lock_seat
from service.core.models import Match, SeatRow
from service.matches.messages import clean

log = structlog.get_logger(__name__)

LONGEST = 2000


def version_of(row: SeatRow) -> str:
    """The mark of a note as it reads now, for the form that changes it."""
    return hashlib.sha256((row.note or "").encode()).hexdigest()[:16]


def replace(
    service: Service, work: Work, match: Match, seat: Seat, text: str, version: str
) -> None:
    """Keep this text as the whole note of who sits there; an empty one erases it. `version` is that
    of the note which was changed.

    Raises Refused: "long_note" (`most` characters, `length` of them), "note_changed" if it is
    another by now (`note`), "seat_left".
    """
    row = lock_seat(service, work, match, seat).seats[seat]
    new = _bounded(text)
    if version != version_of(row) and new != (row.note or ""):
        raise Refused("note_changed", note=row.note or "")
    _keep(row, new)


def add(service: Service, work: Work, match: Match, seat: Seat, text: str) -> str:
    """Put this below what is noted; the whole note. What stands at its end already is not put there
    twice. Raises Refused: "long_note" (with what is `kept`), "seat_left".
    """
    row = lock_seat(service, work, match, seat).seats[seat]
    kept, new = row.note or "", clean(text)
    if new and not f"\n{kept}".endswith(f"\n{new}"):
        _keep(row, _bounded(f"{kept}\n{new}", kept=len(kept)))
    return row.note or ""


def erase(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Erase the note. Raises Refused("seat_left")."""
    _keep(lock_seat(service, work, match, seat).seats[seat], "")


def _bounded(text: str, **context: int) -> str:
    text = clean(text)
    if len(text) > LONGEST:
        raise Refused("long_note", most=LONGEST, length=len(text), **context)
    return text


def _keep(row: SeatRow, text: str) -> None:
    row.note = text or None
    log.info("note_kept", match=row.match_id, seat=row.seat, length=len(text))

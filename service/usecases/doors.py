"""The keys of a seat: what its player's links and reply addresses open, issued and taken back."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.orm import Session

from service.context import Service
from service.keys import seat_scope
from service.models import Key, SeatRow

OF_A_SEAT = ("seat", "decision", "reply", "rematch")
"""The purposes of keys that belong to whoever sits there."""


def open_seat(service: Service, session: Session, row: SeatRow) -> None:
    """The link of the seat, and the address replies about the match go to."""
    assert row.seat is not None
    service.keys.issue(session, "seat", *seat_scope(row), match_id=row.match_id, seat=row.seat)
    _reply(service, session, row, "")


def open_decision(service: Service, session: Session, row: SeatRow, decision: str) -> None:
    """The link of a decision of this seat, and the address it can be answered to."""
    assert row.seat is not None
    service.keys.issue(
        session,
        "decision",
        *seat_scope(row, decision),
        match_id=row.match_id,
        seat=row.seat,
        decision=decision,
    )
    _reply(service, session, row, decision)


def _reply(service: Service, session: Session, row: SeatRow, decision: str) -> None:
    service.keys.issue(
        session,
        "reply",
        row.match_id,
        row.seat,
        decision,
        row.tenant,
        match_id=row.match_id,
        seat=row.seat,
        decision=decision or None,
    )


def close_seat(session: Session, row: SeatRow) -> None:
    """Take back every key of this seat: its player has given it up."""
    session.execute(
        delete(Key).where(
            Key.match_id == row.match_id, Key.seat == row.seat, Key.purpose.in_(OF_A_SEAT)
        )
    )

"""Owing letters: written in the transaction that makes them due, sent after it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import select

from service.context import Service
from service.db import Work
from service.models import Letter, Match, Player, SeatRow

# These go to a suppressed address too: its owner has just asked for them.
ASKED_FOR = frozenset({"signin"})


def owe(
    service: Service,
    work: Work,
    kind: str,
    player: Player,
    *,
    dedupe: str,
    match: Match | None = None,
    seat: int | None = None,
    entry: int | None = None,
    decision: str | None = None,
    details: dict[str, Any] | None = None,
    due_at: dt.datetime | None = None,
) -> None:
    """Put a letter into the outbox, unless it is there already or its reader wants none."""
    if work.session.scalar(select(Letter.id).where(Letter.dedupe == dedupe)) is not None:
        return
    now = service.now()
    silent = player.suppressed_at is not None and kind not in ASKED_FOR
    letter = Letter(
        dedupe=dedupe,
        kind=kind,
        player_id=player.id,
        match_id=match.id if match else None,
        seat=seat,
        entry=entry,
        decision=decision,
        details=details or {},
        status="suppressed" if silent else "due",
        created_at=now,
        due_at=None if silent else due_at or now,
    )
    work.session.add(letter)
    work.session.flush()
    if letter.due_at is not None and letter.due_at <= now:
        work.ring_after_commit("mail.deliver", letter.id)


def owe_seat(
    service: Service,
    work: Work,
    kind: str,
    match: Match,
    seat: SeatRow,
    *,
    entry: int | None = None,
    decision: str | None = None,
    details: dict[str, Any] | None = None,
) -> None:
    """Owe a letter to whoever sits there; nothing for a bot."""
    if seat.player is None:
        return
    owe(
        service,
        work,
        kind,
        seat.player,
        dedupe=f"{kind}.{match.code}.{seat.seat}.{decision or (0 if entry is None else entry)}",
        match=match,
        seat=seat.seat,
        entry=entry,
        decision=decision,
        details=details,
    )

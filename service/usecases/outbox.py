"""Owing letters: written in the transaction that makes them due, sent after it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from service.context import Service
from service.db import Work, insert_once
from service.models import Letter, Match, Player, SeatRow

# Letters to people who have not agreed to get any: "never again" is about these. Whoever sits at a
# table has agreed to its letters.
UNASKED = frozenset({"invitation"})


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
    now = service.now()
    silent = player.suppressed_at is not None and kind in UNASKED
    due = None if silent else due_at or now
    letter = insert_once(
        work.session,
        Letter,
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
        due_at=due,
    )
    if letter is not None and due is not None and due <= now:
        work.ring_after_commit("mail.deliver", letter)


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

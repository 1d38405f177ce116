"""Nudging: a word to whoever a table waits for, once a day at most."""

from __future__ import annotations

import datetime as dt

import structlog
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import NudgeDetails
from service.core.locks import lock_in_play
from service.core.models import DecisionRow, Match
from service.core.statuses import LetterKind
from service.outgoing.outbox import owe
from service.time import pace
from service.time.availability import schedule_of
from service.time.deadlines import open_rows

log = structlog.get_logger(__name__)

APART = dt.timedelta(hours=24)


def nudge(service: Service, work: Work, match: Match, by: int) -> None:
    """Remind everybody the table waits for, in the name of this seat.

    Their letter waits for the end of their quiet hours and days away. Raises Refused: "too_soon"
    (`again_at`), "paused", "nobody_to_nudge", "seat_left",
    "out_of_game".
    """
    match = lock_in_play(service, work, match, by)
    if match.paused_at is not None:
        raise Refused("paused")
    late = slow(work.session, match, by)
    if not late:
        raise Refused("nobody_to_nudge")
    now = service.now()
    ready = [row for row in late if row.nudged_at is None or row.nudged_at <= now - APART]
    if not ready:
        again = min(row.nudged_at for row in late if row.nudged_at is not None) + APART
        raise Refused("too_soon", again_at=again.isoformat())
    log.info("nudged", match=match.id, by=by, seats=[row.seat for row in ready])
    for row in ready:
        row.nudged_at = now
        player = match.seats[row.seat].player
        assert player is not None
        owe(
            service,
            work,
            LetterKind.NUDGE,
            player,
            dedupe=f"nudge.{match.code}.{row.seat}.{row.decision}.{now:%Y%m%d%H%M}",
            match=match,
            seat=row.seat,
            entry=row.opened_entry,
            decision=row.decision,
            details=NudgeDetails(by=by),
            due_at=pace.settled(now, schedule_of(work.session, match, player)),
        )


def slow(session: Session, match: Match, by: int) -> list[DecisionRow]:
    """The decisions the table waits for from people other than this seat, whom letters reach."""
    return [
        row
        for row in open_rows(session, match)
        if row.seat != by and row.held is None and match.seats[row.seat].played_by is None
    ]

"""Telling everybody at an open table of what has become of the whole installation."""

from __future__ import annotations

from sqlalchemy import select

from service.core.context import Service
from service.core.db import Work
from service.core.models import Match
from service.core.results import Result
from service.core.statuses import MatchStatus, SeatStatus
from service.matches import answering
from service.time.daytime import awake


def tell(service: Service, work: Work, result: Result, name: str) -> int:
    """Owe everybody at an open table a letter with this result, the board as it is now and what
    they are asked; how many. Told again under the same name it changes nothing.
    """
    session = work.session
    told = 0
    tables = session.scalars(
        select(Match.id)
        .where(Match.status.in_((MatchStatus.INVITING, MatchStatus.PLAYING)))
        .order_by(Match.id)
    ).all()
    for match_id in tables:
        match = session.get_one(Match, match_id)
        for row in match.invitees:
            if row.player is None or row.status != SeatStatus.ACCEPTED or row.left_at is not None:
                continue
            due = awake(row.player, service.now())
            answering.report(
                service, work, row, [result], f"{name}.{match.id}.{row.id}", due_at=due
            )
            told += 1
        session.flush()
        session.expunge_all()  # there may be very many
    return told

"""Bringing a database up to date: its tables, and what an earlier version did not do."""

from __future__ import annotations

from sqlalchemy import select

from service.core import locks, schema
from service.core.context import Service
from service.core.db import NoQueue
from service.core.models import Match
from service.core.settings import Settings
from service.core.statuses import MatchStatus
from service.time import deadlines


def upgrade(settings: Settings) -> tuple[str | None, str | None]:
    """Bring the database to the newest version; the versions before and after.

    Raises SchemaError as `schema.upgrade`.
    """
    before, after = schema.upgrade(settings.database_url)
    if before is not None and before != after:
        service = Service(settings, NoQueue())
        try:
            refresh_clocks(service)
        finally:
            service.database.dispose()
    return before, after


def refresh_clocks(service: Service) -> None:
    """Bring the clocks of all matches that are being played in line with what this version does
    about them, reminders above all. Again it changes nothing.

    Reply addresses and the keys of one-click links are issued when a letter leaves.
    """
    with service.database.read() as session:
        playing = session.scalars(
            select(Match.id).where(Match.status == MatchStatus.PLAYING).order_by(Match.id)
        ).all()
    for match_id in playing:
        with service.database.write() as work:
            deadlines.refresh(service, work, locks.lock_number(service, work, match_id))

"""Signs of life of what is to happen again and again, for whoever watches the service."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service import tallies
from service.context import Service
from service.db import insert_once
from service.models import Pulse

SWEEP, IMAP, LMTP = "sweep", "imap", "lmtp"

GAP = 120.0
"""Seconds between two sweeps from which on the service counts as having been away."""


def beat(service: Service, name: str, seconds: float) -> None:
    """Note that something was done just now, and how long it took."""
    with service.database.write() as work:
        if name == SWEEP:
            _count_gap(work.session, service.now())
        _note(work.session, name, service.now(), seconds)
        tallies.time(work.session, name, seconds)


def note(service: Service, name: str) -> None:
    """Note that a process is at its work."""
    with service.database.write() as work:
        _note(work.session, name, service.now(), 0.0)


def _note(session: Session, name: str, now: dt.datetime, seconds: float) -> None:
    known = update(Pulse).where(Pulse.name == name).values(at=now, seconds=seconds)
    if session.execute(known).rowcount == 0:  # type: ignore[attr-defined]
        insert_once(session, Pulse, name=name, at=now, seconds=seconds)


def _count_gap(session: Session, now: dt.datetime) -> None:
    before = last(session, SWEEP)
    away = (now - before).total_seconds() if before is not None else 0.0
    if away > GAP:
        tallies.count(session, "gaps")
        tallies.count(session, "gap_seconds", times=round(away))


def last(session: Session, name: str) -> dt.datetime | None:
    """When it was done last."""
    return session.scalar(select(Pulse.at).where(Pulse.name == name))

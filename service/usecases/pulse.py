"""Signs of life of what is to happen again and again, for whoever watches the service."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import update
from sqlalchemy.orm import Session

from service.db import insert_once
from service.models import Pulse

SWEEP = "sweep"
"""The heartbeat of the service: what it was away from shows in its gaps (`usecases.outages`)."""


def beat(session: Session, name: str, at: dt.datetime, seconds: float | None = None) -> None:
    """Note that something was done at this time and, if it is known, how long it took."""
    values = {"at": at} if seconds is None else {"at": at, "seconds": seconds}
    known = update(Pulse).where(Pulse.name == name).values(values)
    if session.execute(known).rowcount == 0:  # type: ignore[attr-defined]
        insert_once(session, Pulse, name=name, **({"seconds": 0.0} | values))


def last(session: Session, name: str) -> dt.datetime | None:
    """When it was done last."""
    found = session.get(Pulse, name)
    return found.at if found is not None else None

"""Signs of life of what is to happen again and again, for whoever watches the service."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import update
from sqlalchemy.orm import Session

from service import tallies
from service.context import Service
from service.db import insert_once
from service.models import Pulse

SWEEP = "sweep"


def beat(service: Service, name: str, seconds: float) -> None:
    """Note that something was done just now, and how long it took."""
    now = service.now()
    with service.database.write() as work:
        known = update(Pulse).where(Pulse.name == name).values(at=now, seconds=seconds)
        if work.session.execute(known).rowcount == 0:  # type: ignore[attr-defined]
            insert_once(work.session, Pulse, name=name, at=now, seconds=seconds)
        tallies.time(work.session, name, seconds)


def last(session: Session, name: str) -> dt.datetime | None:
    """When it was done last."""
    found = session.get(Pulse, name)
    return found.at if found is not None else None

"""Signs of life of what is to happen again and again, for whoever watches the service."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import insert_once
from service.core.models import Pulse

SWEEP, IMAP, LMTP = "sweep", "imap", "lmtp"
"""The sweep's is the heartbeat of the service: what it was away from shows in its gaps
(`service.time.outages`).
"""

SWEEP_BEGUN = "sweep.begun"
"""When the newest sweep began, of whichever beat."""


def beat(session: Session, name: str, at: dt.datetime, seconds: float | None = None) -> None:
    """Note that something was done at this time and, if it is known, how long it took."""
    values = {"at": at} if seconds is None else {"at": at, "seconds": seconds}
    known = update(Pulse).where(Pulse.name == name).values(values)
    if session.execute(known).rowcount == 0:  # type: ignore[attr-defined]
        insert_once(session, Pulse, name=name, **({"seconds": 0.0} | values))


def take_turn(session: Session, name: str, at: dt.datetime, apart: dt.timedelta) -> bool:
    """Note that something begins now, unless it did less than `apart` ago. Of several who ask at
    once one is told True. A moment that is still to come by more than that counts for nothing: a
    clock was set back. By less, it is another's who asked in the same moment.
    """
    if insert_once(session, Pulse, name=name, at=at, seconds=0.0) is not None:
        return True
    late = or_(Pulse.at <= at - apart, Pulse.at > at + apart)
    taken = update(Pulse).where(Pulse.name == name, late).values(at=at)
    return bool(session.execute(taken).rowcount)  # type: ignore[attr-defined]


def note(service: Service, name: str) -> None:
    """Note that a process is at its work."""
    with service.database.write() as work:
        beat(work.session, name, service.now())


def last(session: Session, name: str) -> dt.datetime | None:
    """The time it was done last."""
    return session.scalar(select(Pulse.at).where(Pulse.name == name))

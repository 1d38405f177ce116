"""The state of the service, for its operator: what waits and how long, what was given up.

Every question is answered from an index of what is open, and counts at most COUNTED rows of it:
asking costs the same however much there is. What has to be counted whole is in the census.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Select, func, literal, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from service.core import heartbeat
from service.core.models import DecisionRow, Letter, Player
from service.core.retriable import KINDS
from service.ops import census
from service.ops.census import Census

COUNTED: Final = 10_000
"""What is counted when somebody asks is counted up to here."""


class Queue(msgspec.Struct, frozen=True):
    """Things whose time has come: how many (COUNTED at most), and for how many seconds the first
    has waited.
    """

    waiting: int
    oldest: float


class Unsent(msgspec.Struct, frozen=True):
    """Letters that do not get away. `retried` were tried more than once (COUNTED at most);
    `oldest` is the age in seconds, since it was written, of the oldest of them, or of the first
    that should be on its way.
    """

    retried: int
    oldest: float


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `stopped` is how many addresses get no mail any more; `swept` is when the sweep
    was last there; `census` None before the first.
    """

    queues: dict[str, Queue]
    unsent: Unsent
    dead_letters: dict[str, int]
    stopped: int
    swept: dt.datetime | None
    census: Census | None


def look(session: Session, now: dt.datetime) -> State:
    """The state of everything at this time."""
    waiting = queues(session, now)
    return State(
        queues=waiting,
        unsent=unsent(session, now, waiting["letters"]),
        dead_letters=dead_letters(session),
        stopped=stopped(session),
        swept=heartbeat.last(session, heartbeat.SWEEP),
        census=census.newest(session),
    )


def queues(session: Session, now: dt.datetime) -> dict[str, Queue]:
    """The work that should be done by now and is not: turns, letters, mails that came in, clocks
    that ran out.
    """
    return {
        **{f"{kind.name}s": _queue(session, now, kind.row.due_at) for kind in KINDS},
        "clocks": _queue(session, now, DecisionRow.deadline, DecisionRow.closed_entry.is_(None)),
    }


def unsent(session: Session, now: dt.datetime, letters: Queue) -> Unsent:
    """Letters that were tried more than once, and how old the oldest is that should have left.

    A letter that waits for quiet hours or a digest does so by its reader's wish, and is not meant.
    """
    # Written out, as below: with parameters neither database would know that the index is enough.
    retried = text("attempts > 1 AND due_at IS NOT NULL")
    # In that order, or SQLite would look at every letter that waits for its hour.
    tried = select(Letter.created_at).where(retried).order_by(Letter.created_at)
    first = session.scalar(tried.limit(1))
    # As old as the first that is due: one that was never tried has been so since it could leave.
    age = (now - first).total_seconds() if first is not None else 0.0
    return Unsent(_counted(session, tried), max(age, letters.oldest))


def dead_letters(session: Session) -> dict[str, int]:
    """The number of dead letters, mails and turns that wait for the operator, by kind."""
    dead = text("status = 'dead_letter'")
    return {
        f"{kind.name}s": _counted(session, select(literal(1)).select_from(kind.row).where(dead))
        for kind in KINDS
    }


def stopped(session: Session) -> int:
    """The number of addresses that get no mail any more, for what came back or because somebody
    said so.
    """
    return _counted(session, select(literal(1)).where(Player.stopped_at.is_not(None)))


def _queue(
    session: Session,
    now: dt.datetime,
    since: InstrumentedAttribute[dt.datetime | None],
    *conditions: ColumnElement[bool],
) -> Queue:
    due = select(since).where(since <= now, *conditions).order_by(since)
    first = session.scalar(due.limit(1))
    if first is None:
        return Queue(0, 0.0)
    return Queue(_counted(session, due), (now - first).total_seconds())


def _counted(session: Session, rows: Select[Any]) -> int:
    found = select(func.count()).select_from(rows.limit(COUNTED).subquery())
    return session.scalar(found) or 0

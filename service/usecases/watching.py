"""How the service is doing, for its operator: what waits and how long, what was given up.

Every question is answered from an index of what is open, however much is done: asking often costs
little.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Label, case, func, literal, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from service.models import DecisionRow, InboundMail, Letter, Match, Submission
from service.usecases import pulse

AGES = (("1h", 1), ("6h", 6), ("1d", 24), ("3d", 72), ("7d", 168), ("30d", 720))
"""Classes of how long something has waited: names and upper bounds in hours. Beyond them: OLDER."""

OLDER = "more"
SHELVES = ("moves", "letters", "mails")


class Queue(msgspec.Struct, frozen=True):
    """Things whose time has come: how many, and for how many seconds the first has waited."""

    waiting: int
    oldest: float


class Wait(msgspec.Struct, frozen=True):
    """How many decisions are open: `held` why their clock stands, "" where it runs or none does."""

    age: str
    held: str
    decisions: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `tables` counts those that are open, by status ("paused" apart); `matches` those
    being played by the age of what they wait for; `swept` is when the sweep was last there.
    """

    queues: dict[str, Queue]
    shelves: dict[str, int]
    tables: dict[str, int]
    waits: list[Wait]
    matches: dict[str, int]
    swept: dt.datetime | None


def look(session: Session, now: dt.datetime) -> State:
    """The state of everything at this time."""
    return State(
        queues=queues(session, now),
        shelves=_shelves(session),
        tables=_tables(session),
        waits=_waits(session, now),
        matches=_matches(session, now),
        swept=pulse.last(session, pulse.SWEEP),
    )


def queues(session: Session, now: dt.datetime) -> dict[str, Queue]:
    """What should be done by now and is not: turns, letters, mails that came in, clocks that ran
    out.
    """
    return {
        "moves": _queue(session, now, Submission.pending_since),
        "letters": _queue(session, now, Letter.due_at),
        "mails": _queue(session, now, InboundMail.pending_since),
        "clocks": _queue(session, now, DecisionRow.deadline, DecisionRow.closed_entry.is_(None)),
    }


def _queue(
    session: Session,
    now: dt.datetime,
    since: InstrumentedAttribute[dt.datetime | None],
    *conditions: ColumnElement[bool],
) -> Queue:
    found = select(func.count(), func.min(since)).where(since <= now, *conditions)
    waiting, first = session.execute(found).one()
    return Queue(waiting, (now - first).total_seconds() if first is not None else 0.0)


def _shelves(session: Session) -> dict[str, int]:
    # Written out: with a parameter neither database would know that the small index is enough.
    tables = zip(SHELVES, (Submission, Letter, InboundMail), strict=True)
    return {
        name: session.scalar(
            select(func.count()).select_from(table).where(text("status = 'shelved'"))
        )
        or 0
        for name, table in tables
    }


def _tables(session: Session) -> dict[str, int]:
    kind = case((Match.paused_at.is_not(None), literal("paused")), else_=Match.status)
    found = session.execute(
        select(kind.label("kind"), func.count())
        .where(Match.status.in_(("inviting", "playing")))
        .group_by("kind")
    )
    return {"inviting": 0, "playing": 0, "paused": 0} | dict(found.all())


def _waits(session: Session, now: dt.datetime) -> list[Wait]:
    age = _age(DecisionRow.opened_at, now)
    why = case(
        (DecisionRow.expired_at.is_not(None), literal("expired")),
        else_=func.coalesce(DecisionRow.held, ""),
    )
    found = session.execute(
        select(age, why.label("why"), func.count())
        .where(DecisionRow.closed_entry.is_(None), DecisionRow.blocking)
        .group_by("age", "why")
    )
    return [Wait(*row) for row in found]


def _matches(session: Session, now: dt.datetime) -> dict[str, int]:
    first = (
        select(func.min(DecisionRow.opened_at).label("opened_at"))
        .where(DecisionRow.closed_entry.is_(None), DecisionRow.blocking)
        .group_by(DecisionRow.match_id)
        .subquery()
    )
    age = _age(first.c.opened_at, now)
    found = session.execute(select(age, func.count()).group_by("age"))
    return dict.fromkeys(ages(), 0) | dict(found.all())


def ages() -> Iterable[str]:
    """The names of the classes of age, the youngest first."""
    return (*(name for name, _ in AGES), OLDER)


def _age(since: Any, now: dt.datetime) -> Label[str]:
    classes = [(since > now - dt.timedelta(hours=hours), literal(name)) for name, hours in AGES]
    return case(*classes, else_=literal(OLDER)).label("age")

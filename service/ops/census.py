"""A count of what is open, by age and kind: too much to be counted whenever somebody asks.

The sweep takes one now and then; what is told of it, by pages and metrics, is the newest one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import Label, case, func, literal, select, update
from sqlalchemy.orm import Session

from service.core import system_clock
from service.core.context import Service
from service.core.db import insert_once
from service.core.models import CensusRow, DecisionRow, Match
from service.core.statuses import MatchStatus
from service.matches.waits import PlayedTurns, lately

AGES = (("1h", 1), ("6h", 6), ("1d", 24), ("3d", 72), ("7d", 168), ("30d", 720))
"""Classes of how long something has waited: names and upper bounds in hours. Beyond them: OLDER."""

OLDER = "more"

EVERY: Final = 60.0
"""Seconds between two counts at least."""

SHARE: Final = 0.01
"""The part of the time that may go into counting: a slow count is taken less often."""

LATELY: Final = dt.timedelta(days=30)
"""How long ago a match may have ended whose waits are told."""

_ONLY = 1


class Wait(msgspec.Struct, frozen=True):
    """The number of decisions that are open: `held` why their clock stands, "" where it runs or
    none does.
    """

    age: str
    held: str
    decisions: int


class Census(msgspec.Struct, frozen=True, kw_only=True):
    """All that was counted at that time. `tables` are those that are open, by status ("paused"
    apart); `matches` those being played by the age of what they wait for. `turns` are the waits of
    each game, in matches that run or have ended lately.
    """

    at: dt.datetime
    tables: dict[str, int]
    waits: list[Wait]
    matches: dict[str, int]
    turns: list[PlayedTurns] = []


_census = msgspec.json.Decoder(Census)


def take_if_due(service: Service) -> bool:
    """Take a census unless the newest is young enough."""
    with service.database.read() as session:
        newest = session.execute(select(CensusRow.at, CensusRow.seconds)).first()
    if newest is not None:
        age = (service.now() - newest.at).total_seconds()
        # A clock that was set back must not stop the counting.
        if 0 <= age < max(EVERY, newest.seconds / SHARE):
            return False
    take(service)
    return True


def take(service: Service) -> None:
    """Count, and keep the result in the place of the one before."""
    began, now = system_clock.monotonic(), service.now()
    with service.database.read() as session:
        counted = Census(
            at=now,
            tables=_tables(session),
            waits=_waits(session, now),
            matches=_matches(session, now),
            turns=lately(session, now - LATELY),
        )
    took = system_clock.monotonic() - began
    row = {"at": now, "seconds": took, "figures": msgspec.json.encode(counted)}
    with service.database.write() as work:
        known = update(CensusRow).where(CensusRow.id == _ONLY).values(row)
        if work.session.execute(known).rowcount == 0:  # type: ignore[attr-defined]
            insert_once(work.session, CensusRow, id=_ONLY, **row)


def newest(session: Session) -> Census | None:
    """The newest census; None if there has been none."""
    figures = session.scalar(select(CensusRow.figures))
    return None if figures is None else _census.decode(figures)


def ages() -> Iterable[str]:
    """The names of the classes of age, the youngest first."""
    return (*(name for name, _ in AGES), OLDER)


def _tables(session: Session) -> dict[str, int]:
    kind = case((Match.paused_at.is_not(None), literal("paused")), else_=Match.status)
    found = session.execute(
        select(kind.label("kind"), func.count())
        .where(Match.status.in_((MatchStatus.INVITING, MatchStatus.PLAYING)))
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
        .where(DecisionRow.closed_entry.is_(None), DecisionRow.blocks)
        .group_by("age", "why")
    )
    return [Wait(*row) for row in found]


def _matches(session: Session, now: dt.datetime) -> dict[str, int]:
    first = (
        select(func.min(DecisionRow.opened_at).label("opened_at"))
        .where(DecisionRow.closed_entry.is_(None), DecisionRow.blocks)
        .group_by(DecisionRow.match_id)
        .subquery()
    )
    age = _age(first.c.opened_at, now)
    found = session.execute(select(age, func.count()).group_by("age"))
    return dict.fromkeys(ages(), 0) | dict(found.all())


def _age(since: Any, now: dt.datetime) -> Label[str]:
    classes = [(since > now - dt.timedelta(hours=hours), literal(name)) for name, hours in AGES]
    return case(*classes, else_=literal(OLDER)).label("age")

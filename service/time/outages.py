"""Outages: times in which we were away, told by gaps in the heartbeat of the sweep.

The sweep alone beats, and journals a gap before it does anything else. Whoever is faster than it
after an outage sees the gap as well: until it is journaled it counts as an outage that goes on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import structlog
from sqlalchemy import and_, bindparam, func, or_, select, update
from sqlalchemy.orm import Session

from service.core import counters, heartbeat
from service.core.context import Service
from service.core.models import (
    Breaker,
    DecisionRow,
    InboundMail,
    Key,
    Letter,
    Match,
    Outage,
    Pause,
    Pulse,
    Submission,
)
from service.core.statuses import LetterStatus

log = structlog.get_logger(__name__)

SILENCE = dt.timedelta(minutes=10)
"""A heartbeat may be this late, or SWEEPS sweeps if that is longer: a restart is no outage."""
SWEEPS = 6

GAP = dt.timedelta(minutes=2)
"""From then on a gap in the heartbeat is counted for the operator, be it an outage or not."""

SKEW = dt.timedelta(minutes=1)
"""How far the clocks of several machines may differ before one of them is taken to be set back."""

Span = tuple[dt.datetime, dt.datetime]

_LAST_BEAT = select(Pulse.at).where(Pulse.name == heartbeat.SWEEP)
_STATE = select(
    _LAST_BEAT.scalar_subquery(), select(func.coalesce(func.max(Outage.id), 0)).scalar_subquery()
)
_SINCE = (
    select(Pulse.at, Outage.began_at, Outage.ended_at)
    .outerjoin(Outage, Outage.id > bindparam("after"))
    .where(Pulse.name == heartbeat.SWEEP)
)


def beat(service: Service, seconds: float | None = None) -> None:
    """Note that the service is here now. If it was away, journal the outage, once.

    `seconds`: how long the sweep took that ends with this beat. A clock that was set forward looks
    like an outage and is one; one that was set back is followed, and nothing due waits for it.
    """
    with service.database.write() as work:
        session = work.session
        last = session.scalar(_LAST_BEAT.with_for_update())
        now = at = service.now()
        if last is not None:
            if now - last > GAP:
                counters.count(session, "gaps")
                counters.count(session, "gap_seconds", times=round((now - last).total_seconds()))
            if now < last - SKEW:
                log.warning("clock_set_back", seconds=round((last - now).total_seconds()))
                _set_back(service, session, now, last)
            elif now > last + silence(service):
                log.warning("outage", began=last.isoformat(), ended=now.isoformat())
                session.add(Outage(began_at=last, ended_at=now, noted_at=now))
                _extend_keys(session, last, now)
            else:
                at = max(now, last)
        heartbeat.beat(session, heartbeat.SWEEP, at, seconds)
        if seconds is not None:
            counters.time(session, heartbeat.SWEEP, seconds)


def silence(service: Service) -> dt.timedelta:
    """After how long without a heartbeat the service was away."""
    return max(SILENCE, SWEEPS * dt.timedelta(seconds=service.settings.sweep_every))


def state(service: Service, session: Session) -> tuple[bool, int]:
    """The state of the sweep: whether it is away now, and the newest journaled outage (0: there was
    none).
    """
    last, newest = session.execute(_STATE).one()
    return _is_away(service, last), newest


def present(service: Service, session: Session) -> dt.datetime:
    """The moment by which what a person had a limited time for is judged: now, or the last
    heartbeat while the sweep is away.
    """
    last = session.scalar(_LAST_BEAT)
    return last if last is not None and _is_away(service, last) else service.now()


def since(service: Service, session: Session, after: int) -> tuple[Span, ...]:
    """The outages journaled after this one, and the one that goes on: in order, apart."""
    rows = session.execute(_SINCE, {"after": after}).all()
    if not rows:
        return ()
    last: dt.datetime = rows[0].at
    spans: list[Span] = [(row.began_at, row.ended_at) for row in rows if row.began_at is not None]
    if _is_away(service, last):
        spans.append((last, service.now()))
    return _apart(spans)


def moved(at: dt.datetime, begun: dt.datetime, spans: Iterable[Span]) -> dt.datetime:
    """The end of a length of time that began then and was to end at `at`, with these outages left
    out.
    """
    for away, back in spans:
        if begun < back and away < at:
            at += back - max(away, begun)
    return at


def _is_away(service: Service, last: dt.datetime | None) -> bool:
    return last is not None and service.now() > last + silence(service)


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    """In order, and those that overlap (the clock was set back between) as one."""
    found: list[Span] = []
    for away, back in sorted(spans):
        if found and away <= found[-1][1]:
            found[-1] = (found[-1][0], max(back, found[-1][1]))
        else:
            found.append((away, back))
    return tuple(found)


def _extend_keys(session: Session, began: dt.datetime, ended: dt.datetime) -> None:
    """Links that had not expired when we went away are good for as long as they would have been."""
    for key in session.scalars(select(Key).where(Key.expires_at > began, Key.used_at.is_(None))):
        assert key.expires_at is not None
        key.expires_at += ended - began


def _set_back(service: Service, session: Session, now: dt.datetime, last: dt.datetime) -> None:
    """Keep what was due by the clock as it was from waiting until it shows that time again.

    Whatever had come by then is due now. What waits for a length of time (another attempt, the end
    of a claim or of a hold) goes back with the clock; an hour somebody was told stays.
    """
    by = last - now
    waits = Submission.pending_since > now
    enqueued = and_(DecisionRow.closed_entry.is_(None), DecisionRow.enqueued_at > now)
    # Before the letters, as everybody does.
    changed = (
        select(Submission.match_id).where(waits).union(select(DecisionRow.match_id).where(enqueued))
    )
    service.database.lock_matches(session, select(Match.id).where(Match.id.in_(changed)))
    waiting = select(Letter).where(
        Letter.due_at > now,
        or_(
            Letter.due_at <= last,
            (Letter.attempts > 0) & Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING)),
        ),
    )
    for letter in session.scalars(waiting.order_by(Letter.id).with_for_update(of=Letter)):
        assert letter.due_at is not None
        letter.due_at = max(now, letter.due_at - by)
    session.execute(update(Breaker).where(Breaker.open_until > now).values(open_until=now))
    for turn in session.scalars(select(Submission).where(waits)).all():
        service.database.lock_match(session, turn.match_id)
        assert turn.pending_since is not None
        turn.pending_since -= by
        if turn.held_until is not None:
            turn.held_until -= by
    for mail in session.scalars(select(InboundMail).where(InboundMail.pending_since > now)):
        assert mail.pending_since is not None
        mail.pending_since -= by
    for row in session.scalars(select(DecisionRow).where(enqueued)).all():
        service.database.lock_match(session, row.match_id)
        assert row.enqueued_at is not None
        row.enqueued_at -= by
    over = select(Pause).where(Pause.until > now, Pause.until <= last)
    for pause in session.scalars(over):
        pause.until = now

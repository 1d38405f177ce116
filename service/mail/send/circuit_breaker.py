"""A circuit breaker for the mail server: who does not answer is left alone for a while.

After FAILURES failures in a row nobody tries for a time that doubles; then one letter goes as a
probe, and if the server answers it, all do. Shared by all processes; a lost row costs nothing but
the next failures.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work, insert_once
from service.core.models import Breaker, Letter
from service.core.statuses import LetterStatus
from service.mail.send.smtp import OF_THE_SERVER

log = structlog.get_logger(__name__)

SMTP = "smtp"
FAILURES = 3
SHORTEST = dt.timedelta(seconds=30)
LONGEST = dt.timedelta(minutes=15)
PROBE = dt.timedelta(minutes=2)
"""How long a probe may take until another is sent: its sender may have died."""


def is_open(session: Session, now: dt.datetime) -> bool:
    """True if nobody is to try now."""
    until = session.scalar(select(Breaker.open_until).where(Breaker.name == SMTP))
    return until is not None and until > now


def is_quiet(session: Session) -> bool:
    """True if the server has not failed since it last answered."""
    return not session.scalar(select(Breaker.failures).where(Breaker.name == SMTP))


def failures_before(session: Session, now: dt.datetime) -> int | None:
    """The number of failures of the server in a row before a letter that is to be sent now; None if
    it must wait. Of many who ask when the pause is over, one may go.
    """
    asked = select(Breaker.failures, Breaker.open_until).where(Breaker.name == SMTP)
    found = session.execute(asked).first()
    if found is None:
        return 0
    failures, until = found
    if until is None:
        return int(failures)
    if until > now:
        return None
    probe = (
        update(Breaker)
        .where(Breaker.name == SMTP, Breaker.open_until == until)
        .values(open_until=now + PROBE)
        .execution_options(synchronize_session=False)
    )
    is_probe = session.execute(probe).rowcount == 1  # type: ignore[attr-defined]
    return int(failures) if is_probe else None


def failed(service: Service) -> None:
    """The server has failed a letter as it would have failed any other."""
    with service.database.write() as work:
        values = {"name": SMTP, "failures": 1, "open_until": None}
        if insert_once(work.session, Breaker, **values) is not None:
            return
        row = work.session.get_one(Breaker, SMTP, with_for_update=True)
        row.failures += 1
        if row.failures < FAILURES:
            return
        pause = min(SHORTEST * 2 ** min(row.failures - FAILURES, 16), LONGEST)
        row.open_until = service.now() + pause
        failures = row.failures
    log.warning("sending_pauses", failures=failures, seconds=round(pause.total_seconds()))


def answered(service: Service, failures: int) -> None:
    """The server has answered after so many failures: whatever it said, it is there. What could not
    be handed to it while it was left alone is due again at once; but not what it may have.
    """
    now = service.now()
    waiting: Sequence[int] = ()
    with service.database.write() as work:
        if failures >= FAILURES:
            waiting = _make_due(work, now)
        work.session.execute(
            update(Breaker).where(Breaker.name == SMTP).values(failures=0, open_until=None)
        )
    log.info("sending_goes_on", letters=len(waiting))


def _make_due(work: Work, now: dt.datetime) -> Sequence[int]:
    # Letters before the breaker, as senders lock them. One that is locked is being sent.
    waiting = work.session.scalars(
        select(Letter.id)
        .where(
            Letter.status == LetterStatus.DUE,
            Letter.due_at > now,
            Letter.failure.in_([each.value for each in OF_THE_SERVER]),
            Letter.message.is_(None),
        )
        .order_by(Letter.id)
        .with_for_update(skip_locked=True)
    ).all()
    work.session.execute(update(Letter).where(Letter.id.in_(waiting)).values(due_at=now))
    for letter in waiting:
        work.enqueue_after_commit("mail.deliver", letter)
    return waiting

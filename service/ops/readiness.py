"""Readiness of the service: for load balancers, and for whoever is woken if it does not do its
work.

What is said names the part that fails, and what that means, and nothing else: anybody may ask.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from service.core import heartbeat, schema
from service.core.context import Service
from service.core.probe import WriteFault
from service.core.settings import Settings
from service.mail.send import circuit_breaker
from service.ops import watching


class Condition(StrEnum):
    """The condition of a part."""

    OK = "ok"
    UNREACHABLE = "unreachable"
    OUTDATED = "outdated"
    FULL = WriteFault.FULL
    READ_ONLY = WriteFault.READ_ONLY
    LOCKED = WriteFault.LOCKED
    FAILED = WriteFault.FAILED
    LATE = "late"
    SILENT = "silent"
    SOME = "some"
    PAUSED = "paused"


SAID: Final[Mapping[Condition, str]] = {
    Condition.OK: "in order",
    Condition.UNREACHABLE: "does not answer",
    Condition.OUTDATED: "is not at the version of this program: run `paleopost migrate`",
    Condition.FULL: "cannot be written: the disk is full, or nearly; make room",
    Condition.READ_ONLY: "cannot be written: it, its disk or our user may only read",
    Condition.LOCKED: "cannot be written: somebody else holds it and does not let go",
    Condition.FAILED: "cannot be written: the log says why",
    Condition.LATE: "something has waited for too long",
    Condition.SILENT: "not seen lately: does its process run?",
    Condition.SOME: "there are some; the service does its work all the same",
    Condition.PAUSED: "the mail server has failed again and again: it is tried now and then",
}
"""For the operator, in words."""

WELL: Final = frozenset({Condition.OK, Condition.SOME, Condition.PAUSED})
"""What does not keep the service from its work. It may still want somebody to look."""

LIMITS: Final = {"moves": 300, "letters": 900, "mails": 300, "clocks": 300}
"""Seconds that the first of each queue may have waited."""

UNSENT_WITHIN: Final = 3600
"""Seconds that a letter may be old, since it was written, that was tried more than once."""

SWEPT_WITHIN: Final = dt.timedelta(seconds=120)
LISTENED_WITHIN: Final = dt.timedelta(minutes=3)
# A look may take its time, and one that fails is tried again after five minutes.
LOOKED_WITHIN: Final = dt.timedelta(minutes=15)

ANSWER_WITHIN: Final = 5000
"""Milliseconds for each question to PostgreSQL: whoever asks is not kept waiting."""

OF_MAIL: Final = (
    "sending",
    "letters",
    "mails",
    "retried",
    "dead_letters",
    "suppressed",
    "lmtp",
    "imap",
)

Parts = dict[str, Condition]


def parts(service: Service, broker_answers: Callable[[], bool]) -> Parts:
    """Each part and how it is. "sending" is the way to the mail server; "retried", "dead_letters"
    and "suppressed" are letters (or addresses) that want somebody to look; "imap" and "lmtp" are
    there where the settings ask for them.
    """
    found: Parts = {
        "database": _database(service),
        "broker": Condition.OK if broker_answers() else Condition.UNREACHABLE,
    }
    if found["database"] != Condition.OK:
        return found
    fault = service.probe.fault()
    found["writing"] = Condition.OK if fault is None else Condition(fault)
    try:
        with service.database.read() as session:
            if service.database.is_shared:
                session.execute(text(f"SET LOCAL statement_timeout = {ANSWER_WITHIN}"))
            return found | _queues(session, service.now()) | _signs(service, session)
    except SQLAlchemyError:
        return found | {"database": Condition.UNREACHABLE}


def of_mail(service: Service) -> Parts:
    """The parts that letters and replies depend on. Raises SQLAlchemyError."""
    with service.database.read() as session:
        found = _queues(session, service.now()) | _signs(service, session)
    return {name: one for name, one in found.items() if name in OF_MAIL}


def is_well(found: Parts) -> bool:
    """True if the service does its work."""
    return all(condition in WELL for condition in found.values())


def reasons(found: Parts) -> dict[str, str]:
    """The sentences on each part that is not in order."""
    return {name: SAID[one] for name, one in found.items() if one != Condition.OK}


def _queues(session: Session, now: dt.datetime) -> Parts:
    queues = watching.queues(session, now)
    unsent = watching.unsent(session, now, queues["letters"])
    late = {name: queue.oldest > LIMITS[name] for name, queue in queues.items()}
    if unsent.retried:
        late["letters"] |= unsent.oldest > UNSENT_WITHIN
    some = {
        "retried": unsent.retried,
        "dead_letters": sum(watching.dead_letters(session).values()),
        "suppressed": watching.stopped(session),
    }
    paused = circuit_breaker.is_open(session, now)
    return {
        "sending": Condition.PAUSED if paused else Condition.OK,
        **{name: Condition.LATE if is_late else Condition.OK for name, is_late in late.items()},
        **{name: Condition.SOME if number else Condition.OK for name, number in some.items()},
    }


def _signs(service: Service, session: Session) -> Parts:
    """The signs of life of processes that are to do something again and again."""
    return {
        name: Condition.SILENT if _is_silent(service, session, name, within) else Condition.OK
        for name, within in _expected(service.settings).items()
    }


def _is_silent(service: Service, session: Session, name: str, within: dt.timedelta) -> bool:
    seen = heartbeat.last(session, name)
    return seen is None or seen < service.now() - within


def _expected(settings: Settings) -> dict[str, dt.timedelta]:
    found = {heartbeat.SWEEP: SWEPT_WITHIN}
    if settings.lmtp_listen is not None or settings.smtp_listen is not None:
        found[heartbeat.LMTP] = LISTENED_WITHIN
    if settings.imap_url is not None:
        found[heartbeat.IMAP] = max(LOOKED_WITHIN, dt.timedelta(seconds=3 * settings.imap_every))
    return found


def _database(service: Service) -> Condition:
    try:
        found, needed = schema.versions(service.database)
    except SQLAlchemyError:
        return Condition.UNREACHABLE
    return Condition.OK if found == needed else Condition.OUTDATED

"""Whether this service does its work: for load balancers, and for whoever is woken if it does not.

What is said names the part that fails and nothing else: anybody may ask.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from service import schema
from service.context import Service
from service.usecases import pulse, watching

OK: Final = "ok"
LIMITS: Final = {"moves": 300, "letters": 900, "mails": 300, "clocks": 300}
"""Seconds that the first of each queue may have waited."""

SWEPT_WITHIN: Final = dt.timedelta(seconds=120)


def parts(service: Service, broker_answers: Callable[[], bool]) -> dict[str, str]:
    """Each part and how it is: "ok", or a code: "unreachable", "outdated" (the database is not at
    the version of this program), "late" (something waits for too long), "silent" (the sweep has not
    been there).
    """
    found = {"database": _database(service), "broker": OK if broker_answers() else "unreachable"}
    if found["database"] != OK:
        return found
    now = service.now()
    try:
        with service.database.read() as session:
            queues = watching.queues(session, now)
            swept = pulse.last(session, pulse.SWEEP)
    except SQLAlchemyError:
        return found | {"database": "unreachable"}
    late = {name: queue.oldest > LIMITS[name] for name, queue in queues.items()}
    found |= {name: "late" if is_late else OK for name, is_late in late.items()}
    silent = swept is None or swept < now - SWEPT_WITHIN
    return found | {"sweep": "silent" if silent else OK}


def _database(service: Service) -> str:
    try:
        found, needed = schema.versions(service.database)
    except SQLAlchemyError:
        return "unreachable"
    return OK if found == needed else "outdated"

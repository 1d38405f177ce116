"""The sweep: everything that is stored and not done is found here, however its job was lost.

Sweeps are idempotent: two of them at once enqueue twice, and a task that finds its work done does
nothing. Several beats make no more sweeps than one: `sweep_once`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

import structlog
from sqlalchemy import Select, bindparam, select, update

from service.core import heartbeat, retriable, system_clock
from service.core.context import Service
from service.core.models import DecisionRow, Letter, Match, Pause
from service.core.retriable import Kind, R
from service.core.session import of_matches
from service.core.statuses import LetterStatus, MatchStatus
from service.mail.send import circuit_breaker
from service.ops import census, retention
from service.time import lost_time, outages

log = structlog.get_logger(__name__)

# Younger than this, the job that was enqueued at the commit is most likely still on its way.
PATIENCE = dt.timedelta(seconds=20)
# A bot may be thinking for this long.
BOT_PATIENCE = dt.timedelta(seconds=90)
BATCH = 500
# While more jobs than this wait in a queue, earlier ones are still on their way. Without an
# end, an hour without workers would pile up hundreds of jobs for each row, and workers that are
# late would hear of the same letter every few seconds.
BUSY = 50


SHARE = 0.8
"""Of the seconds between two sweeps, how much has to have passed since the last one began: a beat's
message may come a little early.
"""


_DUE = (
    select(Letter.id, Letter.status, Letter.player_id)
    .where(Letter.due_at <= bindparam("at"))
    .order_by(Letter.due_at, Letter.id)
    .limit(4 * BATCH)
)
"""Selects letters that are due: more than are handed over, as a digest is put together of
several.
"""


def sweep_once(service: Service) -> bool:
    """Sweep, unless another beat had it done just now; True if it was done here.

    Of several beats one leads, and the others take over at once when it is gone.
    """
    apart = dt.timedelta(seconds=SHARE * service.settings.sweep_every)
    with service.database.write() as work:
        if not heartbeat.take_turn(work.session, heartbeat.SWEEP_BEGUN, service.now(), apart):
            return False
    sweep(service)
    return True


def sweep(service: Service) -> dict[str, int]:
    """Enqueue waiting submissions, letters that are due, mails that came in, bots that were not
    heard of, clocks that have run out, pauses that are over and tables that have waited long
    enough for their empty seats, and throw away what is old; how many of each.

    First of all an outage is journaled, and its time given back to the matches.
    """
    began = system_clock.monotonic()
    outages.beat(service)
    found = {
        "moved": lost_time.give_back_everywhere(service),
        "moves": _overdue(service, retriable.MOVES),
        "letters": _letters(service),
        "inbound": _overdue(service, retriable.MAILS),
        "bots": _bots(service),
        "clocks": _clocks(service),
        "pauses": _pauses(service),
        "tables": _tables(service),
        "purged": retention.purge(service),
        "snapshots": retention.drop_snapshots(service),
        "pruned": retention.prune_matches(service),
    }
    census.take_if_due(service)
    outages.beat(service, system_clock.monotonic() - began)
    if any(found.values()):
        log.info("swept", **found)
    return found


def _enqueue(service: Service, task: str, calls: Iterable[Sequence[object]]) -> None:
    queue = service.database.queue
    if queue.waiting(task) <= BUSY:
        for args in calls:
            queue.enqueue(task, *args)


def _overdue(service: Service, kind: Kind[R]) -> int:
    with service.database.read() as session:
        found = retriable.overdue(session, kind, service.now() - PATIENCE, BATCH)
    _enqueue(service, kind.task, ((each,) for each in found))
    return len(found)


def _letters(service: Service) -> int:
    with service.database.read() as session:
        if circuit_breaker.is_open(session, service.now()):
            return 0  # they wait until the mail server is tried again
        due = session.execute(_DUE, {"at": service.now() - PATIENCE}).all()
    found, readers = [], set()
    for number, status, reader in due:
        if status == LetterStatus.GATHERED:
            if reader in readers:
                continue  # whoever is given one of them puts all together
            readers.add(reader)
        found.append((number,))
    _enqueue(service, retriable.LETTERS.task, found[:BATCH])
    return min(len(found), BATCH)


def _bots(service: Service) -> int:
    """Bots whose job got lost: enqueued again, and the time noted so that the next tick waits its
    turn.
    """
    now = service.now()
    # Only a bot's decision has a `enqueued_at`, and a match that is over has no open decision.
    asked = (
        select(DecisionRow.match_id, DecisionRow.decision)
        .where(DecisionRow.closed_entry.is_(None), DecisionRow.enqueued_at < now - BOT_PATIENCE)
        .limit(BATCH)
    )
    with service.database.read() as session:
        late = session.execute(asked).all()
    for match_id, decision in late:
        with service.database.write() as work:
            # Its player may have come back since: then it is no bot's any more.
            service.database.lock_match(work.session, match_id)
            enqueued = work.session.scalar(
                update(DecisionRow)
                .where(
                    DecisionRow.match_id == match_id,
                    DecisionRow.decision == decision,
                    DecisionRow.closed_entry.is_(None),
                    DecisionRow.enqueued_at < now - BOT_PATIENCE,
                )
                .values(enqueued_at=now)
                .returning(DecisionRow.decision)
                .execution_options(**of_matches(match_id))
            )
            if enqueued is not None:
                work.enqueue_after_commit("moves.bot", match_id, decision)
    return len(late)


def _due(service: Service, task: str, late: Select[*tuple[Any, ...]]) -> int:
    """Enqueue what is selected: the arguments of a task."""
    with service.database.read() as session:
        found = session.execute(late.limit(BATCH)).all()
    _enqueue(service, task, found)
    return len(found)


def _clocks(service: Service) -> int:
    late = select(DecisionRow.match_id, DecisionRow.decision).where(
        DecisionRow.closed_entry.is_(None), DecisionRow.deadline <= service.now()
    )
    return _due(service, "time.expire", late.order_by(DecisionRow.deadline))


def _pauses(service: Service) -> int:
    over = select(Pause.id).where(Pause.until <= service.now())
    return _due(service, "time.resume", over.order_by(Pause.until))


def _tables(service: Service) -> int:
    waiting = (Match.status == MatchStatus.INVITING, Match.fill_until <= service.now())
    return _due(service, "time.fill", select(Match.id).where(*waiting).order_by(Match.fill_until))

"""The tasks: each takes an id, calls one use case, and may be run any number of times."""

from __future__ import annotations

import structlog
from celery import Task, shared_task
from sqlalchemy import select

from service.core.context import Service
from service.core.models import InboundMail, Match, Pause, Submission
from service.mail.receive import inbound
from service.mail.send import delivery, failures
from service.mail.send.smtp import TIMEOUTS
from service.matches import bots, expiry, moves, tables
from service.ops import sweep
from service.time import pausing
from workers.runtime import runtime

# A letter waits for the mail server as long as SMTP has it wait; and is then still claimed.
SEND_LIMIT = int(TIMEOUTS.longest) + 60

_Row = InboundMail | Match | Pause | Submission

log = structlog.get_logger(__name__)


def _is_stored(service: Service, row: type[_Row], number: int) -> bool:
    """True if there is a row to do something about: the broker keeps its jobs when the database is
    set back, which may not know what they name. Asked before, as what comes meanwhile may get that
    number.
    """
    with service.database.read() as session:
        if session.scalar(select(row.id).where(row.id == number)) is not None:
            return True
    log.info("job_names_nothing", of=row.__tablename__, number=number)
    return False


def _was_died_over(task: Task[..., None]) -> bool:
    """True if a worker died over it, maybe because of it: enough of that makes it a dead letter."""
    return bool((task.request.delivery_info or {}).get("redelivered"))


@shared_task(name="moves.play", bind=True)
def play(self: Task[..., None], submission_id: int) -> None:
    """Check a stored submission and play it or refuse it."""
    service = runtime(self.app).service
    if _was_died_over(self):
        moves.count_attempt(service, submission_id)
    if _is_stored(service, Submission, submission_id):
        moves.play(service, submission_id)


@shared_task(name="moves.bot", bind=True)
def bot(self: Task[..., None], match_id: int, decision: str) -> None:
    """Let a bot make the decision it is asked for."""
    # If a worker died over it, its thoughts may be why: then the default turn is played.
    ponder = not _was_died_over(self)
    service = runtime(self.app).service
    if _is_stored(service, Match, match_id):
        bots.play_bot(service, match_id, decision, ponder=ponder)


@shared_task(name="mail.deliver", bind=True, soft_time_limit=SEND_LIMIT, time_limit=SEND_LIMIT + 30)
def deliver(self: Task[..., None], letter_id: int, claim: int | None = None) -> None:
    """Send one letter of the outbox, perhaps one that was claimed ahead."""
    tools = runtime(self.app)
    if _was_died_over(self):
        failures.count_death(tools.service, letter_id)
        claim = None  # the server may have what is kept
    delivery.deliver(tools.service, tools.transport, letter_id, claim)


@shared_task(name="inbound.handle", bind=True)
def handle(self: Task[..., None], inbound_id: int) -> None:
    """Look at a stored mail and do what it asks."""
    service = runtime(self.app).service
    if _was_died_over(self):
        inbound.count_attempt(service, inbound_id)
    if _is_stored(service, InboundMail, inbound_id):
        inbound.handle(service, inbound_id)


@shared_task(name="time.sweep", bind=True)
def sweep_(self: Task[..., None]) -> None:
    """Enqueue again what is stored and not done; once, however many beats there are."""
    sweep.sweep_once(runtime(self.app).service)


@shared_task(name="time.expire", bind=True)
def expire(self: Task[..., None], match_id: int, decision: str) -> None:
    """Do what the match wants when the time for a decision is up."""
    service = runtime(self.app).service
    if _is_stored(service, Match, match_id):
        expiry.expire(service, match_id, decision)


@shared_task(name="time.resume", bind=True)
def resume(self: Task[..., None], pause_id: int) -> None:
    """End a pause whose time has come."""
    service = runtime(self.app).service
    if _is_stored(service, Pause, pause_id):
        pausing.end_if_over(service, pause_id)


@shared_task(name="time.fill", bind=True)
def fill(self: Task[..., None], match_id: int) -> None:
    """Let a table wait no longer for its empty seats."""
    service = runtime(self.app).service
    if _is_stored(service, Match, match_id):
        tables.stop_waiting(service, match_id)

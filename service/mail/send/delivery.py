"""Sending what is owed: taken up, rendered from the journal, handed to the MTA, marked.

At least once, and always the same bytes under the same Message-ID (RFC 5322 §3.6.4): a reader's
client shows a repeated letter once. The bytes are kept until it is known what the server did with
them (`claims`).
"""

from __future__ import annotations

import datetime as dt
import hashlib

import structlog
from sqlalchemy import bindparam, update

from service.core import counters, system_clock
from service.core.context import Service
from service.core.models import Letter
from service.core.statuses import HoldReason, LetterStatus
from service.mail.send import circuit_breaker
from service.mail.send.asked import asked_first, matches_of
from service.mail.send.claims import CLAIMED, Claim, ClaimLost, claimed_ahead, holding, take_up
from service.mail.send.failures import failed, not_taken_up
from service.mail.send.smtp import (
    Refusal,
    SmtpFailure,
    Transport,
    failure_of,
)
from service.time import deadlines

log = structlog.get_logger(__name__)

NOTICED = dt.timedelta(minutes=1)
"""A handing over that takes less is not taken off anybody's clock: letters tell minutes."""


_SENT = (
    update(Letter)
    .where(*CLAIMED)
    .values(
        status=LetterStatus.SENT,
        due_at=None,
        failure=None,
        error=None,
        faults=0,
        message=None,
        fingerprint=bindparam("digest"),
        sent_at=bindparam("now"),
    )
    .execution_options(synchronize_session=False)
)


def deliver(
    service: Service, transport: Transport, letter_id: int, number: int | None = None
) -> bool:
    """Send one letter if it is due, wanted, and nobody else is at it. True if it is now with the
    MTA. `number` is of the claim that was made on it ahead, if this is the first to hear of it.

    What the server does not take is due again later, for as long as it takes. A permanent refusal
    of its recipient or text, or `retriable.LETTERS.limit` errors of ours in a row, make it a dead
    letter.
    """
    try:
        claim = claimed_ahead(service, letter_id, number) if number is not None else None
        claim = claim or take_up(service, letter_id)
    except Exception as error:
        not_taken_up(service, letter_id, f"{type(error).__name__}: {error}")
        raise
    if claim is None:
        return False
    began = system_clock.monotonic()
    try:
        transport.send(claim.sender, claim.to, claim.message, holding(service, claim))
    except ClaimLost:
        log.warning("letter_claimed_by_another", letter=letter_id, claim=claim.number)
        return False
    except Refusal as error:
        failed(service, claim, error.failure, str(error), final=True)
        return False
    except OSError as error:
        failed(service, claim, failure_of(error), str(error))
        return False
    except Exception as error:
        # It may have been handed over before, or not: what is kept is not dropped.
        failed(service, claim, SmtpFailure.OURS, f"{type(error).__name__}: {error}")
        raise
    took = system_clock.monotonic() - began
    _sent(service, claim, took)
    return True


def _sent(service: Service, claim: Claim, took: float) -> None:
    """The server has taken it: mark it, and let the clocks run that stood."""
    digest = hashlib.sha256(claim.message).digest()
    with service.database.write() as work:
        session, now = work.session, service.now()
        asked, letter = [], None
        if claim.late or now - claim.since >= NOTICED:
            letter = session.get(Letter, claim.letter)
            for match_id in matches_of(letter) if letter is not None else ():
                service.database.lock_match(session, match_id)
            asked = asked_first(service, work, letter) if letter is not None else []
        values = {"letter": claim.letter, "number": claim.number, "now": now, "digest": digest}
        if session.execute(_SENT, values).rowcount == 0:  # type: ignore[attr-defined]
            log.warning("letter_claimed_by_another", letter=claim.letter, claim=claim.number)
            return
        counters.count(session, "letters", claim.kind, "sent")
        counters.time(session, "smtp", took)
        if letter is not None:
            session.refresh(letter)
        for match, row in asked:
            if row.held == HoldReason.UNSENT or now - claim.since >= NOTICED:
                deadlines.spare(service, work, match, row, claim.since)
    if claim.failures:
        circuit_breaker.answered(service, claim.failures)
    log.info("letter_sent", letter=claim.letter, kind=claim.kind, seconds=round(took, 3))

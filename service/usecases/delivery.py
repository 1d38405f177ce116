"""Sending what is owed: claimed, rendered from the journal, handed to the MTA, marked.

At least once, and always the same bytes under the same Message-ID (RFC 5322 §3.6.4): a reader's
client shows a repeated letter once.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service.context import Service
from service.letters import render
from service.models import Letter, Match, SeatRow
from service.smtp import Refusal, Transport
from service.usecases.outbox import UNASKED

log = structlog.get_logger(__name__)

ATTEMPTS = 8
# A sender that has not come back by now has died, and the letter may be claimed again.
CLAIM_FOR = dt.timedelta(minutes=5)


def deliver(service: Service, transport: Transport, letter_id: int) -> bool:
    """Send one letter if it is due and nobody else is at it. True if it is now with the MTA.

    A temporary failure makes it due again later (the wait doubles from a minute); a permanent
    refusal, or ATTEMPTS failures, shelve it for the operator.
    """
    if not _claim(service, letter_id):
        return False
    try:
        with service.database.read() as session:
            letter = session.get_one(Letter, letter_id)
            if letter.attempts > ATTEMPTS:
                raise Refusal("every sender that tried has died over it")
            if letter.kind in UNASKED and not _is_wanted(session, letter):
                _settle(service, letter_id, "suppressed")
                return False
            message = render(service, session, letter)
            sender, to = service.settings.mail_from, letter.player.email
        transport.send(sender, to, message)
    except Refusal as error:
        _failed(service, letter_id, str(error), final=True)
        return False
    except OSError as error:
        _failed(service, letter_id, str(error), final=False)
        return False
    except Exception as error:
        _failed(service, letter_id, f"{type(error).__name__}: {error}", final=False)
        raise
    _settle(service, letter_id, "sent", sent_at=service.now())
    return True


def _is_wanted(session: Session, letter: Letter) -> bool:
    """Whether an invitation still asks something, and its reader has not asked to be left alone."""
    if letter.player.suppressed_at is not None:
        return False
    waiting = session.scalar(
        select(SeatRow.id)
        .join(Match)
        .where(
            SeatRow.match_id == letter.match_id,
            SeatRow.player_id == letter.player_id,
            SeatRow.status == "invited",
            Match.status == "inviting",
        )
    )
    return waiting is not None


def _settle(service: Service, letter_id: int, status: str, **more: Any) -> None:
    with service.database.write() as work:
        work.session.execute(
            update(Letter)
            .where(Letter.id == letter_id)
            .values(status=status, due_at=None, error=None, **more)
        )


def _claim(service: Service, letter_id: int) -> bool:
    now = service.now()
    with service.database.write() as work:
        claimed = work.session.execute(
            update(Letter)
            .where(Letter.id == letter_id, Letter.due_at <= now)
            .values(status="sending", due_at=now + CLAIM_FOR, attempts=Letter.attempts + 1)
        )
        return bool(claimed.rowcount == 1)  # type: ignore[attr-defined]


def _failed(service: Service, letter_id: int, reason: str, *, final: bool) -> None:
    with service.database.write() as work:
        letter = work.session.get_one(Letter, letter_id)
        letter.error = reason[:500]
        if final or letter.attempts >= ATTEMPTS:
            letter.status, letter.due_at = "shelved", None
            log.error("letter_shelved", letter=letter_id, reason=reason)
            return
        wait = dt.timedelta(minutes=2 ** (letter.attempts - 1))
        letter.status, letter.due_at = "due", service.now() + wait
        log.warning("letter_waits", letter=letter_id, reason=reason, minutes=wait.seconds // 60)

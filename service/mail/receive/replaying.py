"""Handling a stored mail again, when it came out wrong because of us.

What it did stays done: a turn that was played is not played twice, words and messages are told from
their repetition as those of any mail are, and its writer gets no second answer. If the mail brought
a turn, that stays its verdict.
"""

from __future__ import annotations

from sqlalchemy import select

from service.core import retriable
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import MailDetails
from service.core.models import InboundMail, Submission
from service.core.statuses import MailStatus, SubmissionStatus


class NotReplayable(Exception):
    """This mail cannot be handled again. `why`: "unknown", "handled" (it has been, and `again` was
    not said), "purged" (its text has been thrown away).
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def replay(service: Service, work: Work, mail_id: int, *, again: bool = False) -> None:
    """Put a stored mail back to where it was when it came. Raises NotReplayable."""
    mail = work.session.scalar(
        select(InboundMail).where(InboundMail.id == mail_id).with_for_update()
    )
    if mail is None:
        raise NotReplayable("unknown")
    if mail.purged_at is not None and mail.status == MailStatus.HANDLED:
        raise NotReplayable("purged")
    if mail.status == MailStatus.HANDLED and not again:
        raise NotReplayable("handled")
    turn = work.session.scalar(
        select(Submission).where(Submission.dedupe == f"reply.{mail.dedupe}")
    )
    if turn is not None:
        service.database.lock_match(work.session, turn.match_id)
    if turn is not None and turn.status == SubmissionStatus.REFUSED:
        # What was refused may be right now: it counts as another mail's.
        turn.dedupe = f"{turn.dedupe}.{turn.id}"
    first = mail.details.first or mail.verdict
    mail.details = MailDetails(first=first if mail.status == MailStatus.HANDLED else None)
    retriable.retry(work, retriable.MAILS, mail, service.now())

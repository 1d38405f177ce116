"""Items that are tried until they are done: turns that were handed in, letters that are owed, mails
that came in.

Each is a row that says when it is to be looked at next (`due_at`) and how often in a row that has
failed (`failures`). The queue only carries its id, and the sweep enqueues what is due. One that
fails too often is a dead letter: it is left alone until an operator has it tried again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

import msgspec
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from service.core.db import Work
from service.core.models import InboundMail, Letter, Match, Retriable, Submission
from service.core.statuses import LetterStatus, MailStatus, SubmissionStatus

R = TypeVar("R", bound=Retriable)


class Kind(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """One kind of them: what an operator calls one ("move-7"), its table, the task that looks at
    it, after how many failures in a row it is given up, and its statuses.
    """

    name: str
    row: type[R]
    task: str
    limit: int
    waiting: StrEnum
    dead: StrEnum


MOVES: Final = Kind(
    name="move",
    row=Submission,
    task="moves.play",
    limit=5,
    waiting=SubmissionStatus.RECEIVED,
    dead=SubmissionStatus.DEAD_LETTER,
)
LETTERS: Final = Kind(
    name="letter",
    row=Letter,
    task="mail.deliver",
    # Errors of ours, or deaths of senders: what a mail server refuses is tried for as long as it
    # takes, or is given up at once.
    limit=8,
    waiting=LetterStatus.DUE,
    dead=LetterStatus.DEAD_LETTER,
)
MAILS: Final = Kind(
    name="mail",
    row=InboundMail,
    task="inbound.handle",
    limit=5,
    waiting=MailStatus.RECEIVED,
    dead=MailStatus.DEAD_LETTER,
)

KINDS: Final[tuple[Kind[Any], ...]] = (MOVES, LETTERS, MAILS)


def overdue(session: Session, kind: Kind[R], at: dt.datetime, most: int) -> Sequence[int]:
    """The ids of what was due by then, at most so many, the oldest first."""
    row = kind.row
    query = select(row.id).where(row.due_at <= at).order_by(row.due_at).limit(most)
    return session.scalars(query).all()


def failed(kind: Kind[R], item: R) -> bool:
    """Count one more failure in a row. True if that is enough to give it up."""
    item.failures += 1
    return item.failures >= kind.limit


def give_up(kind: Kind[R], item: R) -> None:
    """Leave it alone until an operator has it tried again."""
    item.status, item.due_at = kind.dead, None


def retry(work: Work, kind: Kind[R], item: R, now: dt.datetime) -> None:
    """Have it tried as if for the first time."""
    item.status, item.due_at = kind.waiting, now
    item.attempts = item.failures = 0
    if isinstance(item, Submission | InboundMail):
        item.verdict = item.done_at = None
    work.enqueue_after_commit(kind.task, item.id)


def dead_letters(session: Session, kind: Kind[R]) -> list[tuple[R, str | None]]:
    """The items of this kind that were given up, with the code of its match, the oldest first."""
    row = kind.row
    query = (
        select(row, Match.code)
        .outerjoin(Match, Match.id == row.match_id)
        # Written out: a parameter would not tell the databases that the small index is enough.
        .where(text(f"{row.__tablename__}.status = '{kind.dead}'"))
        .order_by(row.id)
    )
    return [(item, code) for item, code in session.execute(query)]

"""Dead letters: turns, letters and mails that failed too often, for the operator to retry."""

from __future__ import annotations

import datetime as dt

import msgspec
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work
from service.core.models import InboundMail, Letter, Match, Submission
from service.core.statuses import LetterStatus, MailStatus, SubmissionStatus


class Shelved(msgspec.Struct, frozen=True, kw_only=True):
    """Something given up. `name` is what `unshelve` calls it, e.g. "move-7", "letter-12" or
    "mail-3"."""

    name: str
    match: str | None
    since: dt.datetime
    reason: str


class NotShelved(Exception):
    """There is no dead letter of that name."""


def shelved(session: Session) -> list[Shelved]:
    """All dead letters: moves, letters, mails that came in; each oldest first."""
    moves = session.execute(
        select(Submission, Match.code)
        .join(Match, Match.id == Submission.match_id)
        .where(text("submission.status = 'shelved'"))
        .order_by(Submission.id)
    )
    letters = session.execute(
        select(Letter, Match.code)
        .outerjoin(Match, Match.id == Letter.match_id)
        .where(text("letter.status = 'shelved'"))
        .order_by(Letter.id)
    )
    mails = session.execute(
        select(InboundMail, Match.code)
        .outerjoin(Match, Match.id == InboundMail.match_id)
        .where(text("inbound.status = 'shelved'"))
        .order_by(InboundMail.id)
    )
    return [
        *(
            Shelved(
                name=f"move-{move.id}",
                match=code,
                since=move.received_at,
                reason=f"failed {move.attempts} times: the worker's log says how",
            )
            for move, code in moves
        ),
        *(
            Shelved(
                name=f"letter-{letter.id}",
                match=code,
                since=letter.created_at,
                reason=letter.error or "",
            )
            for letter, code in letters
        ),
        *(
            Shelved(
                name=f"mail-{mail.id}",
                match=code,
                since=mail.received_at,
                reason=f"failed {mail.attempts} times: the worker's log says how",
            )
            for mail, code in mails
        ),
    ]


def unshelve(service: Service, work: Work, name: str) -> None:
    """Retry a dead move, letter or mail, as if for the first time. Raises NotShelved.

    A move whose decision has been made meanwhile is then answered so, like any late one.
    """
    kind, _, number = name.partition("-")
    key = int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else 0
    now = service.now()
    if kind == "move":
        move = work.session.get(Submission, key)
        if move is not None:
            service.database.lock_match(work.session, move.match_id)
        if move is not None and move.status == SubmissionStatus.SHELVED:
            move.status, move.verdict, move.done_at = SubmissionStatus.RECEIVED, None, None
            move.attempts, move.pending_since = 0, now
            work.enqueue_after_commit("moves.play", move.id)
            return
    elif kind == "letter":
        letter = work.session.get(Letter, key, with_for_update={"of": Letter})
        if letter is not None and letter.status == LetterStatus.SHELVED:
            letter.status, letter.due_at = LetterStatus.DUE, now
            letter.attempts = letter.faults = 0
            work.enqueue_after_commit("mail.deliver", letter.id)
            return
    elif kind == "mail":
        mail = work.session.get(InboundMail, key, with_for_update=True)
        if mail is not None and mail.status == MailStatus.SHELVED:
            mail.status, mail.verdict, mail.done_at = MailStatus.RECEIVED, None, None
            mail.attempts, mail.pending_since = 0, now
            work.enqueue_after_commit("inbound.handle", mail.id)
            return
    raise NotShelved(name)

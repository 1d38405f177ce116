"""Copies of letters under a Message-ID of their own: a mailbox drops a second one of the same name
unseen.
"""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import DigestDetails
from service.core.models import DecisionRow, Letter, Match, Player
from service.core.statuses import LetterKind, LetterStatus
from service.outgoing.outbox import AWAITED, owe

_COPY = ".again."


def copy(service: Service, work: Work, letter: Letter) -> None:
    """Owe a copy of this letter, with a Message-ID of its own."""
    plain = original_of(letter)
    number = 1
    while _exists(work.session, f"{plain}{_COPY}{number}"):
        number += 1
    match = work.session.get(Match, letter.match_id) if letter.match_id is not None else None
    # What became of the first is not the copy's.
    notes = replace(letter.notes, failed=False, again=number)
    owe(
        service,
        work,
        letter.kind,
        letter.player,
        dedupe=f"{plain}{_COPY}{number}",
        match=match,
        seat=letter.seat,
        entry=letter.entry,
        decision=letter.decision,
        details=letter.details,
        notes=notes,
    )


def is_copy(letter: Letter) -> bool:
    """True if this is a copy of another letter."""
    return _COPY in letter.dedupe


def original_of(letter: Letter) -> str:
    """The `dedupe` of the letter that this is a copy of, however often; its own if it is none."""
    return letter.dedupe.partition(_COPY)[0]


ORIGINAL = Letter.dedupe.not_like(f"%{_COPY}%")
"""Selects letters that are copies of no other."""


_WAITING = AWAITED.order_by(DecisionRow.match_id, DecisionRow.decision)


def of_what_came_back(service: Service, work: Work, player: Player) -> None:
    """Ask the player once more for every decision that waits for them, and that they were asked for
    by a letter, or a digest, that has come back.
    """
    session = work.session
    waiting = session.scalars(_WAITING, {"player": player.id}).all()
    for row in waiting:
        asked = session.scalars(
            select(Letter)
            .where(
                Letter.player_id == player.id,
                Letter.match_id == row.match_id,
                Letter.decision == row.decision,
                Letter.kind == LetterKind.TURN,
            )
            .order_by(Letter.id.desc())
            .limit(1)
        ).first()
        if asked is None or asked.status not in (LetterStatus.SENT, LetterStatus.DEAD_LETTER):
            continue  # it is on its way, or held back
        told_by = _digest_of(session, asked) or asked
        if told_by.notes.failed or told_by.status == LetterStatus.SUPPRESSED:
            copy(service, work, asked)


def _digest_of(session: Session, asked: Letter) -> Letter | None:
    """The newest digest with the board that this letter is about."""
    digests = session.scalars(
        select(Letter)
        .where(
            Letter.player_id == asked.player_id,
            Letter.kind == LetterKind.DIGEST,
            Letter.id > asked.id,
        )
        .order_by(Letter.id.desc())
    )
    about = (asked.match_id, asked.decision)
    return next((digest for digest in digests if about in _asked_by(digest)), None)


def _asked_by(digest: Letter) -> set[tuple[int, str]]:
    return {(board.match, board.decision) for board in digest.details_as(DigestDetails).boards}


def _exists(session: Session, dedupe: str) -> bool:
    return session.scalar(select(Letter.id).where(Letter.dedupe == dedupe)) is not None

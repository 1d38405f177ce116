"""Sending a letter once more: the same again, or a copy under a name of its own.

The same bytes under the same Message-ID are for a mailbox that never got them; one that did drops
them unseen. A copy under another Message-ID is shown to a reader who has lost the first.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service.context import Service
from service.db import Work
from service.models import Letter, Match
from service.statuses import LetterStatus
from service.usecases import clocks, delivery, retention
from service.usecases.copies import copy

RESENDABLE = ("turn", "start", "end")
"""Letters of a match worth a second copy: those somebody needs to play, or has a right to."""


class NotResendable(Exception):
    """This letter cannot be sent again. `why`: "waiting" (it has not been sent yet), "unwanted"
    (its reader gets no such letters), "over" (nobody needs it any more).
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def again(
    service: Service, work: Work, letter: Letter, *, anew: bool = False
) -> dt.datetime | None:
    """Send a letter once more, `anew` under another Message-ID; until when it waits, for quiet
    hours or a digest. Raises NotResendable.
    """
    now = service.now()
    if letter.status in (LetterStatus.DUE, LetterStatus.SENDING, LetterStatus.GATHERED):
        raise NotResendable("waiting")
    if retention.is_pruned(letter):
        raise NotResendable("over")
    fate = delivery.fate_of(work.session, letter, now)
    if fate.status in (LetterStatus.SUPPRESSED, LetterStatus.DROPPED):
        raise NotResendable("unwanted" if fate.status == LetterStatus.SUPPRESSED else "over")
    if anew:
        copy(service, work, letter)
    else:
        letter.status, letter.due_at = LetterStatus.DUE, now
        letter.attempts = letter.faults = 0
        work.ring_after_commit("mail.deliver", letter.id)
    return fate.until if fate.status != LetterStatus.SENDING else None


def of_seat(session: Session, match: Match, seat: Seat) -> list[Letter]:
    """The letters of a seat that may be worth a copy, of who sits there now, the newest first."""
    player = match.seats[seat].player_id
    return list(
        session.scalars(
            select(Letter)
            .where(
                Letter.match_id == match.id,
                Letter.seat == seat,
                Letter.player_id == player,
                Letter.kind.in_(RESENDABLE),
                Letter.status.in_(
                    (
                        LetterStatus.SENT,
                        LetterStatus.SHELVED,
                        LetterStatus.SENDING,
                        LetterStatus.DUE,
                    )
                ),
            )
            .order_by(Letter.id.desc())
        )
    )


def needed(session: Session, match: Match, seat: Seat) -> Letter | None:
    """The letter a seat needs most: that of what it is asked, else its last. None if it has none,
    or if all are still to be sent.
    """
    sent = [
        x
        for x in of_seat(session, match, seat)
        if x.status in (LetterStatus.SENT, LetterStatus.SHELVED)
    ]
    asked = {d.decision for d in clocks.open_rows(session, match) if d.seat == seat}
    return next((x for x in sent if x.decision in asked), sent[0] if sent else None)

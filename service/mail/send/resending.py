"""Sending a letter once more: the same again, or a copy under a name of its own.

The same bytes under the same Message-ID are for a mailbox that never got them; one that did drops
them unseen. A copy under another Message-ID is shown to a reader who has lost the first.
"""

from __future__ import annotations

import datetime as dt

from service.core import retriable
from service.core.context import Service
from service.core.db import Work
from service.core.models import Letter
from service.core.statuses import LetterStatus
from service.mail.send.delivery_decision import decide_delivery
from service.outgoing import outbox
from service.outgoing.copies import copy


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
    if outbox.is_pruned(letter):
        raise NotResendable("over")
    decided = decide_delivery(work.session, letter, now)
    if decided.status in (LetterStatus.SUPPRESSED, LetterStatus.DROPPED):
        raise NotResendable("unwanted" if decided.status == LetterStatus.SUPPRESSED else "over")
    if anew:
        copy(service, work, letter)
    else:
        retriable.retry(work, retriable.LETTERS, letter, now)
    return decided.until if decided.status != LetterStatus.SENDING else None

"""The policies of letters: the one table that delivery, headers and digests go by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from service.core.statuses import LetterKind

Consent = Literal["asked", "table", "stranger"]


class DeliveryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The policy of one kind of letter.

    `consent`: "asked" its reader has just asked for it, and it reaches even an address that mail
    was stopped to; "table" it goes to who sits at a table; "stranger" to somebody who has agreed to
    nothing yet ("never again" is about these).
    `waits`: it can wait for the end of the reader's quiet hours.
    `mutable`: its reader can have no more of its like, by one click (RFC 8058).
    `gathers`: it may come in the digest instead.
    `dated`: it says when a decision is due, so a calendar file goes with it.
    `lapses`: it is of no use once its decision is made, or is not offered any more.
    `last`: no other follows of its like, so it need not say how to have no more.
    `answers`: it answers a mail (RFC 3834: auto-replied), it was not sent by itself.
    """

    consent: Consent = "table"
    waits: bool = True
    mutable: bool = True
    gathers: bool = False
    dated: bool = False
    lapses: bool = False
    last: bool = False
    answers: bool = False


_AT_ONCE = DeliveryPolicy(consent="asked", waits=False, mutable=False)
_OF_A_TABLE = DeliveryPolicy(gathers=True)
_OF_A_TURN = DeliveryPolicy(gathers=True, dated=True, lapses=True)

POLICIES: Final[Mapping[LetterKind, DeliveryPolicy]] = {
    LetterKind.SIGNIN: _AT_ONCE,
    # To an address that is to be confirmed, asked for on a page
    LetterKind.ALIAS: _AT_ONCE,
    LetterKind.ERASURE: _AT_ONCE,
    LetterKind.ANSWER: DeliveryPolicy(waits=False, mutable=False, answers=True),
    LetterKind.INVITATION: DeliveryPolicy(consent="stranger"),
    # To an address that somebody has typed on the page of a join link, and who waits for it
    LetterKind.JOIN: DeliveryPolicy(consent="stranger", waits=False),
    # To the host of a table that has not begun
    LetterKind.DECLINED: DeliveryPolicy(),
    LetterKind.START: _OF_A_TABLE,
    LetterKind.TURN: _OF_A_TURN,
    # What its reader may file ahead: nobody waits, so no date goes with it
    LetterKind.ORDERS: DeliveryPolicy(gathers=True, lapses=True),
    LetterKind.REMINDER: _OF_A_TURN,
    LetterKind.NUDGE: _OF_A_TURN,
    LetterKind.NEWS: _OF_A_TABLE,
    LetterKind.NOTICE: _OF_A_TABLE,
    LetterKind.MESSAGE: _OF_A_TABLE,
    LetterKind.END: DeliveryPolicy(last=True),
    LetterKind.CANCELLED: DeliveryPolicy(last=True),
    LetterKind.DIGEST: DeliveryPolicy(),
}


def policy_of(kind: LetterKind) -> DeliveryPolicy:
    """The policy of this kind of letter."""
    return POLICIES[kind]


LASTING: Final = (LetterKind.INVITATION, LetterKind.START, LetterKind.END, LetterKind.CANCELLED)
"""The letters of a match that can be sent again for ever."""

"""The policies of letters: the one table that delivery, headers and digests go by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

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
    `last`: no other follows of its like, so it need not say how to have no more.
    `answers`: it answers a mail (RFC 3834: auto-replied), it was not sent by itself.
    """

    consent: Consent = "table"
    waits: bool = True
    mutable: bool = True
    gathers: bool = False
    dated: bool = False
    last: bool = False
    answers: bool = False


_AT_ONCE = DeliveryPolicy(consent="asked", waits=False, mutable=False)
_OF_A_TABLE = DeliveryPolicy(gathers=True)
_OF_A_TURN = DeliveryPolicy(gathers=True, dated=True)

POLICIES: Final[Mapping[str, DeliveryPolicy]] = {
    "signin": _AT_ONCE,
    # To an address that is to be confirmed, asked for on a page
    "alias": _AT_ONCE,
    "answer": DeliveryPolicy(waits=False, mutable=False, answers=True),
    "invitation": DeliveryPolicy(consent="stranger"),
    "start": _OF_A_TABLE,
    "turn": _OF_A_TURN,
    "reminder": _OF_A_TURN,
    "nudge": _OF_A_TURN,
    "news": _OF_A_TABLE,
    "message": _OF_A_TABLE,
    "end": DeliveryPolicy(last=True),
    "cancelled": DeliveryPolicy(last=True),
    "digest": DeliveryPolicy(),
}


def policy_of(kind: str) -> DeliveryPolicy:
    """The policy of this kind of letter; one that is not in the table behaves as most do."""
    return POLICIES.get(kind, DeliveryPolicy())


LASTING: Final = ("invitation", "start", "end", "cancelled")
"""The letters of a match that can be sent again for ever."""

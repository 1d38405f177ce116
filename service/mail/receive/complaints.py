"""Complaints: a reader has told their mail service that a letter is unwanted (ARF, RFC 5965)."""

from __future__ import annotations

from typing import Literal

import structlog

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import AliasDetails
from service.core.models import Letter
from service.core.statuses import LetterKind, MuteReason
from service.mail.commands import unsubscribing
from service.players import aliases

log = structlog.get_logger(__name__)

Ended = Literal["seat", "invitation", "digest", "address", "nothing"]


def heed(service: Service, work: Work, letter: Letter) -> Ended:
    """End what the one click of this letter would have ended (RFC 8058), and say what that was.

    Of a letter of a match that is the letters of this match; of an invitation all of them; of a
    digest the letters of the matches in it. A letter that asks whether an address is a player's
    went to whoever has the address, and asks no more. Of any other letter about no match nothing
    ends: a sign-in letter was asked for, at most a few an hour, and is the way back in; an answer
    was written for.
    """
    # Before the match's rows, as everybody does.
    locks.lock_numbers(service, work, letter.player_id, also=letter.match_id)
    ended = _ended(service, work, letter)
    log.warning("complaint", letter=letter.id, kind=letter.kind, ended=ended)
    return ended


def _ended(service: Service, work: Work, letter: Letter) -> Ended:
    try:
        if letter.kind == LetterKind.ALIAS:
            token = service.keys.token(aliases.PURPOSE, letter.details_as(AliasDetails).nonce)
            aliases.refuse(service, work, token)
            return "address"
        if letter.match_id is None and letter.kind != LetterKind.DIGEST:
            return "nothing"
        wish = unsubscribing.wish_about(work.session, letter)
        unsubscribing.end(service, work, wish, why=MuteReason.COMPLAINT)
    except Refused:
        return "nothing"
    return wish.what

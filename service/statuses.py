"""Statuses: where a table, a seat, a turn, a letter or a mail stands. Stored as their values."""

from __future__ import annotations

from enum import StrEnum


class MatchStatus(StrEnum):
    """Of a table: INVITING -> PLAYING -> ENDED, or INVITING -> CANCELLED."""

    INVITING = "inviting"
    PLAYING = "playing"
    ENDED = "ended"
    CANCELLED = "cancelled"


class SeatStatus(StrEnum):
    """Of a guest: INVITED -> ACCEPTED | DECLINED | WITHDRAWN (the host took the place back). Bots
    and the host are ACCEPTED from the start.
    """

    INVITED = "invited"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class SubmissionStatus(StrEnum):
    """Of a turn that was handed in: RECEIVED -> PLAYED | REFUSED | WITHDRAWN | SHELVED."""

    RECEIVED = "received"
    PLAYED = "played"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    SHELVED = "shelved"


class LetterStatus(StrEnum):
    """Of a letter: DUE -> SENDING -> SENT | SHELVED | SUPPRESSED | DROPPED (nobody needs it any
    more); DUE -> GATHERED (it waits for the digest) -> SENT.
    """

    DUE = "due"
    SENDING = "sending"
    SENT = "sent"
    SHELVED = "shelved"
    SUPPRESSED = "suppressed"
    DROPPED = "dropped"
    GATHERED = "gathered"


class MailStatus(StrEnum):
    """Of a mail that came in: RECEIVED -> HANDLED | SHELVED."""

    RECEIVED = "received"
    HANDLED = "handled"
    SHELVED = "shelved"


class PauseStatus(StrEnum):
    """Of a pause: ASKED -> RUNNING -> OVER, or ASKED -> REFUSED | WITHDRAWN (by who asked)."""

    ASKED = "asked"
    RUNNING = "running"
    OVER = "over"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class HoldReason(StrEnum):
    """Why a clock stands: the match is PAUSED, letters to the player come back (UNREACHABLE), the
    host has asked somebody to take the seat over (REPLACED), or the mail server has not taken the
    letter that asks (UNSENT).
    """

    PAUSED = "paused"
    UNREACHABLE = "unreachable"
    REPLACED = "replaced"
    UNSENT = "unsent"

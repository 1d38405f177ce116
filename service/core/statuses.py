"""Statuses: where a table, a seat, a turn, a letter or a mail stands, as they are stored; and who
hands in a turn, by which way.
"""

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
    """Of a turn that was handed in: RECEIVED -> PLAYED | REFUSED | WITHDRAWN | SHELVED. At a table
    that holds turns back for a while RECEIVED -> HELD, as it can be played and can be taken back;
    HELD -> RECEIVED where its player wants it played now, and else as one that is RECEIVED.
    """

    RECEIVED = "received"
    HELD = "held"
    PLAYED = "played"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    SHELVED = "shelved"


WAITING = (SubmissionStatus.RECEIVED, SubmissionStatus.HELD)
"""The statuses of turns that are neither played nor given up."""


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
    """The reason why a clock stands: the match is PAUSED, letters to the player come back
    (UNREACHABLE), the host has asked somebody to take the seat over (REPLACED), or the mail server
    has not taken the letter that asks (UNSENT).
    """

    PAUSED = "paused"
    UNREACHABLE = "unreachable"
    REPLACED = "replaced"
    UNSENT = "unsent"


class Actor(StrEnum):
    """The one who decides: a PLAYER, a BOT, or the CLOCK where a player's time was up."""

    PLAYER = "player"
    BOT = "bot"
    CLOCK = "clock"


class Channel(StrEnum):
    """By which way a player hands a turn in: by a page or a letter's link (WEB), by a reply (MAIL),
    or by a program (API).
    """

    WEB = "web"
    MAIL = "mail"
    API = "api"


CLOCK_SOURCE = "default"
"""How a turn of the clock is marked as its source, and as the cause of an entry."""

BOT_SOURCE = "bot:"
"""How the mark of a bot's turn begins; the bot's name follows."""

_CHANNELS = {"form": Channel.WEB, "link": Channel.WEB, "reply": Channel.MAIL}


def actor_of(source: str) -> Actor:
    """The actor who handed in a turn of this source (`Submission.source`), or made an entry of this
    cause.
    """
    if source == CLOCK_SOURCE:
        return Actor.CLOCK
    return Actor.BOT if source.startswith(BOT_SOURCE) else Actor.PLAYER


def channel_of(source: str) -> Channel | None:
    """By which way a turn of this source came; None for one that no player has handed in."""
    if actor_of(source) is not Actor.PLAYER:
        return None
    return _CHANNELS.get(source, Channel.API)

"""Statuses, kinds and reasons as they are stored: where a table, a seat, a turn, a letter or a mail
stands, and why; who hands in a turn, by which way.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class MatchStatus(StrEnum):
    """Of a table: INVITING -> PLAYING -> ENDED, or INVITING -> CANCELLED."""

    INVITING = "inviting"
    PLAYING = "playing"
    ENDED = "ended"
    CANCELLED = "cancelled"


class SeatStatus(StrEnum):
    """Of a guest: INVITED -> ACCEPTED | DECLINED | WITHDRAWN (the host took the place back). Who
    has asked for a seat by a join link is JOINING until they confirm it. Bots and the host are
    ACCEPTED from the start. EMPTY is the status of a seat that nobody has yet.
    """

    INVITED = "invited"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    JOINING = "joining"
    EMPTY = "empty"


UNANSWERED = (SeatStatus.INVITED, SeatStatus.JOINING)
"""The statuses of guests whose answer is still awaited."""


class SubmissionStatus(StrEnum):
    """Of a turn that was handed in: RECEIVED -> PLAYED | REFUSED | WITHDRAWN | DEAD_LETTER. At a
    table that holds turns back for a while RECEIVED -> HELD, as it can be played and can be taken
    back; HELD -> RECEIVED where its player wants it played now, and else as one that is RECEIVED.
    """

    RECEIVED = "received"
    HELD = "held"
    PLAYED = "played"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    DEAD_LETTER = "dead_letter"


WAITING = (SubmissionStatus.RECEIVED, SubmissionStatus.HELD)
"""The statuses of turns that are neither played nor given up."""


class LetterStatus(StrEnum):
    """Of a letter: DUE -> SENDING -> SENT | DEAD_LETTER | SUPPRESSED | DROPPED (nobody needs it any
    more); DUE -> GATHERED (it waits for the digest) -> SENT.
    """

    DUE = "due"
    SENDING = "sending"
    SENT = "sent"
    DEAD_LETTER = "dead_letter"
    SUPPRESSED = "suppressed"
    DROPPED = "dropped"
    GATHERED = "gathered"


class MailStatus(StrEnum):
    """Of a mail that came in: RECEIVED -> HANDLED | DEAD_LETTER."""

    RECEIVED = "received"
    HANDLED = "handled"
    DEAD_LETTER = "dead_letter"


class MailVerdict(StrEnum):
    """The outcome of a mail that came in (docs/mail.md explains each)."""

    PLAYED = "played"
    FILED = "filed"
    HELD = "held"
    MEND = "mend"
    QUESTION = "question"
    WORD = "word"
    NOTHING_SAID = "nothing-said"
    STALE = "stale"
    WAITING = "waiting"
    WITHDRAWN = "withdrawn"
    ORDER_IN_MESSAGE = "order-in-message"
    SEAT_BACK = "seat-back"
    OVER = "over"
    LEFT = "left"
    CANCELLED = "cancelled"
    NOT_BEGUN = "not-begun"
    SET_BACK = "set-back"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"
    STRANGER = "stranger"
    TOO_MANY = "too-many"
    AUTO_REPLY = "auto-reply"
    LIST = "list"
    OURS = "ours"
    MISDIRECTED = "misdirected"
    REPORT = "report"
    COMPLAINT = "complaint"
    UNTRUSTED_REPORT = "untrusted-report"
    DEAD_LETTER = "dead-letter"


class LetterKind(StrEnum):
    """The kind of a letter: each has a folder in templates/mail/."""

    SIGNIN = "signin"
    ALIAS = "alias"
    ERASURE = "erasure"
    ANSWER = "answer"
    INVITATION = "invitation"
    START = "start"
    TURN = "turn"
    ORDERS = "orders"
    REMINDER = "reminder"
    NUDGE = "nudge"
    NEWS = "news"
    NOTICE = "notice"
    MESSAGE = "message"
    END = "end"
    DIGEST = "digest"
    CANCELLED = "cancelled"
    JOIN = "join"
    DECLINED = "declined"


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


class TimeoutPolicy(StrEnum):
    """The rule for when a player's time is up: the table is told and goes on to WAIT, the DEFAULT
    turn is played, a BOT plays until the player is back, or the player is out (DROP).
    """

    WAIT = "wait"
    DEFAULT = "default"
    BOT = "bot"
    DROP = "drop"


class StopReason(StrEnum):
    """The reason why nothing is sent to a player: letters come back, an operator said so, or the
    row stands for somebody whose data were erased.
    """

    BOUNCES = "bounces"
    OPERATOR = "operator"
    ERASED = "erased"


class MuteReason(StrEnum):
    """The reason why no letters of a match are wanted, unless its player said so here: their mail
    service told us.
    """

    COMPLAINT = "complaint"


class LeaveReason(StrEnum):
    """The reason why a player has left for good: they RESIGNED, their time was up (DROPPED), or the
    host took them off the table (REMOVED).
    """

    RESIGNED = "resigned"
    DROPPED = "dropped"
    REMOVED = "removed"


class Actor(StrEnum):
    """The one who decides: a PLAYER, a PLAN that a player has filed, a BOT, or the CLOCK where a
    player's time was up.
    """

    PLAYER = "player"
    PLAN = "plan"
    BOT = "bot"
    CLOCK = "clock"


class Channel(StrEnum):
    """By which way a player hands a turn in: by a page or a letter's link (WEB), by a reply (MAIL),
    or by a program (API).
    """

    WEB = "web"
    MAIL = "mail"
    API = "api"


_CHANNELS = {"form": Channel.WEB, "link": Channel.WEB, "reply": Channel.MAIL}


class Cause(msgspec.Struct, frozen=True):
    """The cause of an entry of the journal: the actor, and the bot by its name; no actor for the
    set-up. Its text is what is stored, and what a record says (`engine.record`).
    """

    actor: Actor | None = None
    bot: str = ""

    def __str__(self) -> str:
        return f"{_CAUSES[self.actor]}{self.bot}"

    @classmethod
    def parse(cls, text: str) -> Cause:
        """The cause of this text. Raises ValueError if it is of none."""
        name, colon, bot = text.partition(":")
        for actor, word in _CAUSES.items():
            if name + colon == word and bool(colon) == bool(bot):
                return cls(actor, bot)
        raise ValueError(f"{text!r} is no cause of an entry")


_CAUSES = {
    None: "setup",
    Actor.PLAYER: "player",
    Actor.PLAN: "plan",
    Actor.CLOCK: "default",
    Actor.BOT: "bot:",
}

CLOCK_SOURCE = str(Cause(Actor.CLOCK))
"""How a turn of the clock is marked as its source (`Submission.source`)."""

BOT_SOURCE = _CAUSES[Actor.BOT]
"""How the mark of a bot's turn begins; the bot's name follows."""


def actor_of(source: str) -> Actor:
    """The actor who handed in a turn of this source (`Submission.source`)."""
    if source == CLOCK_SOURCE:
        return Actor.CLOCK
    return Actor.BOT if source.startswith(BOT_SOURCE) else Actor.PLAYER


def channel_of(source: str) -> Channel | None:
    """By which way a turn of this source came; None for one that no player has handed in."""
    if actor_of(source) is not Actor.PLAYER:
        return None
    return _CHANNELS.get(source, Channel.API)

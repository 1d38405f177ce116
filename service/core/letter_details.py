"""Details of letters: what one says that is in no other row, and what is noted with it on its way.

Each kind of letter has a struct, and news one for each event, told apart by `code`
(`templates/wording/news.txt` has a sentence for each). Both share one JSON object in the letter's
row (`Letter.details`, `Letter.notes`), which holds nothing that stands at its default; a field that
earlier versions did not write has one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from service.core.results import AnyResult
from service.core.statuses import LeaveReason, LetterKind, MailVerdict
from service.core.verdicts import JsonObject, any_of


class Details(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The details of a letter: what it says that is in no other row."""


class NoDetails(Details, frozen=True, kw_only=True):
    """Of a letter that says nothing else: a turn's, the last one."""


class Forgotten(Details, frozen=True, kw_only=True):
    """Of a letter of a match that was over long ago (`retention`): it is not known now."""


class SignInDetails(Details, frozen=True, kw_only=True):
    """The nonce that the link is made of, the language of the page where it was asked for, and the
    game against a bot that it is to start, if there is one.
    """

    nonce: str
    lang: str | None = None
    play: str | None = None


class AliasDetails(Details, frozen=True, kw_only=True):
    """The address that is to be confirmed, the nonce that the link is made of, and the language
    its owner reads, if they are a player.
    """

    address: str
    nonce: str
    lang: str | None = None


class ErasureDetails(Details, frozen=True, kw_only=True):
    """The nonce that the link is made of which erases the reader's data."""

    nonce: str


class InvitationDetails(Details, frozen=True, kw_only=True):
    """The address as the host has written it; None if they wrote none."""

    address: str | None = None


class JoinDetails(Details, frozen=True, kw_only=True):
    """The moment until which a seat is kept for who has asked for one by a join link."""

    until: dt.datetime


class DeclinedDetails(Details, frozen=True, kw_only=True):
    """The name of the guest who does not come."""

    guest: str


class StartDetails(Details, frozen=True, kw_only=True):
    """The name of who sat there before the reader took the seat over; None at the beginning of a
    match.
    """

    before: str | None = None


class CancelledDetails(Details, frozen=True, kw_only=True):
    """The reason why there is no match, or none for this reader; None: too few came. Who was
    replaced is told by whom (`guest`).
    """

    why: Literal["withdrawn", "removed", "replaced"] | None = None
    guest: str | None = None


class ReminderDetails(Details, frozen=True, kw_only=True):
    """The one of the player's reminders that it is (`Player.reminders`)."""

    which: str


class NudgeDetails(Details, frozen=True, kw_only=True):
    """The seat whose player nudges."""

    by: int


class MessageDetails(Details, frozen=True, kw_only=True):
    """The messages it brings, by their ids."""

    messages: tuple[int, ...]


class DigestBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A board that waits in a digest, seen as of an entry."""

    match: int
    seat: int
    decision: str
    entry: int


class DigestDetails(Details, frozen=True, kw_only=True):
    """The boards that wait, the most pressing first, and the gathered letters that are told in a
    line each, by their ids. Once it is `settled`, it only loses what is its reader's no more.
    """

    boards: tuple[DigestBoard, ...]
    letters: tuple[int, ...]
    settled: bool = False


class HeldTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn of the reader's that waits until then to be played, and its text."""

    until: dt.datetime
    text: str


class PauseAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A pause that the reader has not agreed to: the seat that asks for it, and its days."""

    by: int
    days: int


class AnswerDetails(Details, frozen=True, kw_only=True):
    """The results of a mail, and what of the match the reader has still to know; what their mail
    was called, so that the answer stands below it. `question` is the one it asks: its reply address
    takes an answer to that alone.
    """

    results: tuple[AnyResult, ...]
    ended: bool = False
    question: str | None = None
    held_turn: HeldTurn | None = None
    pause_asked: PauseAsked | None = None
    message_id: str | None = None
    references: tuple[str, ...] = ()
    subject: str = ""


class News(Details, frozen=True, kw_only=True, tag_field="code", tag=True):
    """Something has changed at a table that is no move. `about` is the seat it is about."""

    about: int | None = None

    @property
    def code(self) -> str:
        """The name its sentence is found by."""
        return str(self.__struct_config__.tag)


class TimeUp(News, frozen=True, kw_only=True, tag="time_up"):
    """The seat's time is up, and the table waits on. `about` is None where nobody else may know who
    has not decided yet.
    """


class DefaultPlayed(News, frozen=True, kw_only=True, tag="played_default"):
    """The default turn was played for the reader."""


class StandInPlays(News, frozen=True, kw_only=True, tag="stand_in"):
    """A bot plays for the seat until its player is back."""

    bot: str | None = None


class StandInEnded(News, frozen=True, kw_only=True, tag="back"):
    """The seat's player is back."""


class EverybodyAway(News, frozen=True, kw_only=True, tag="everybody_away"):
    """The match is paused because nobody plays, or because only `bots` would."""

    bots: bool = False


class PauseWanted(News, frozen=True, kw_only=True, tag="pause_asked"):
    """The seat asks for a pause."""

    days: int


class PauseRefused(News, frozen=True, kw_only=True, tag="pause_refused"):
    """The seat does not agree to the pause."""


class PauseWithdrawn(News, frozen=True, kw_only=True, tag="pause_withdrawn"):
    """The seat does not ask for a pause any more."""


class PauseBegun(News, frozen=True, kw_only=True, tag="paused"):
    """Everybody has agreed: no clock runs until then."""

    until: dt.datetime


class PauseOver(News, frozen=True, kw_only=True, tag="resumed"):
    """The match goes on: by this seat, or (None) because the time was over."""


class PlayerLeft(News, frozen=True, kw_only=True, tag="left"):
    """The seat's player has left for good, and a bot plays on."""

    why: LeaveReason
    bot: str | None = None


class SuccessorAsked(News, frozen=True, kw_only=True, tag="replacing"):
    """The host has asked `guest` to take the seat over."""

    guest: str


class SuccessorSits(News, frozen=True, kw_only=True, tag="replaced"):
    """`guest` plays on for the one `before`."""

    guest: str
    before: str


class SuccessorDeclined(News, frozen=True, kw_only=True, tag="not_replaced"):
    """`guest` does not take the seat over."""

    guest: str


class TimeExtended(News, frozen=True, kw_only=True, tag="extended"):
    """The host gives the seat more days; None: no clock runs all the same."""

    days: int
    deadline: dt.datetime | None = None


class Unreachable(News, frozen=True, kw_only=True, tag="unreachable"):
    """Letters to the seat's player come back."""


class Unsent(News, frozen=True, kw_only=True, tag="unsent"):
    """The mail server refuses the letter that asks the seat."""


class Reachable(News, frozen=True, kw_only=True, tag="reachable"):
    """Letters reach the seat's player again."""


if TYPE_CHECKING:
    AnyNews = News
else:
    AnyNews = any_of(News)

KINDS: Final[Mapping[LetterKind, Any]] = MappingProxyType(
    {
        LetterKind.SIGNIN: SignInDetails,
        LetterKind.ALIAS: AliasDetails,
        LetterKind.ERASURE: ErasureDetails,
        LetterKind.ANSWER: AnswerDetails,
        LetterKind.INVITATION: InvitationDetails,
        LetterKind.START: StartDetails,
        LetterKind.TURN: NoDetails,
        LetterKind.ORDERS: NoDetails,
        LetterKind.REMINDER: ReminderDetails,
        LetterKind.NUDGE: NudgeDetails,
        LetterKind.NEWS: AnyNews,
        LetterKind.NOTICE: NoDetails,
        LetterKind.MESSAGE: MessageDetails,
        LetterKind.END: NoDetails,
        LetterKind.DIGEST: DigestDetails,
        LetterKind.CANCELLED: CancelledDetails,
        LetterKind.JOIN: JoinDetails,
        LetterKind.DECLINED: DeclinedDetails,
    }
)
"""What the details of each kind of letter are."""

_ALWAYS_SAY_SOMETHING = frozenset(
    {
        *(LetterKind.ANSWER, LetterKind.MESSAGE, LetterKind.NEWS, LetterKind.NUDGE),
        *(LetterKind.REMINDER, LetterKind.JOIN, LetterKind.DECLINED),
    }
)


class CalendarDate(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as the calendar file of a letter has it (RFC 5545: `sequence`)."""

    match: int
    seat: int
    decision: str
    at: dt.datetime
    sequence: int
    cancelled: bool


class OutageTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An outage that a letter tells of, and the deadline its reader has after it."""

    began: dt.datetime = msgspec.field(name="from")
    ended: dt.datetime = msgspec.field(name="to")
    deadline: dt.datetime | None = None


class Notes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The notes on a letter of any kind: what its calendar file says, which outage it tells of,
    whether it came back (`failed`), and which copy of another it is (`again`). `edition`: how often
    it was written anew though the text before may have left.
    """

    calendar: tuple[CalendarDate, ...] = ()
    outage: OutageTold | None = None
    failed: bool = False
    again: int | None = None
    edition: int = 0


_NOTES: Final = frozenset(field.encode_name for field in msgspec.structs.fields(Notes))


def details_of(kind: LetterKind, stored: Mapping[str, Any]) -> Details:
    """The details of a letter of this kind. Raises msgspec.ValidationError for something else."""
    if kind in _ALWAYS_SAY_SOMETHING and stored.keys() <= _NOTES:
        return Forgotten()
    return cast(Details, msgspec.convert(stored, KINDS[kind]))


def notes_of(stored: Mapping[str, Any]) -> Notes:
    """The notes on a letter. Raises msgspec.ValidationError for something else."""
    return msgspec.convert(stored, Notes)


def as_stored(kind: LetterKind, details: Details | None, notes: Notes) -> JsonObject:
    """Both as they are stored; None for the details of a letter that need say nothing. Raises
    TypeError for details of another kind of letter.
    """
    if details is None:
        details = details_of(kind, {})
    if not isinstance(details, (KINDS[kind], Forgotten)):
        raise TypeError(f"a letter of kind {kind.value!r} has no {type(details).__name__}")
    return {**msgspec.to_builtins(details), **msgspec.to_builtins(notes)}


class MailDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The facts known of a mail that came in.

    `subject`, `message_id` and `references` name it for the answer. `results` are those so far,
    `words` the words they came of, `submission` the turn that has still to be looked at. `first` is
    the verdict of a mail that is handled again. Of a mail that is no person's: `why` that is, which
    `letter` it is about or what it claims to be about (`kind`, `about`), and what it `ended`.
    """

    subject: str = ""
    message_id: str | None = None
    references: tuple[str, ...] = ()
    results: tuple[AnyResult, ...] = ()
    words: tuple[str, ...] = ()
    submission: int | None = None
    first: MailVerdict | None = None
    why: str | None = None
    letter: int | None = None
    ended: str | None = None
    kind: str | None = None
    about: str | None = None

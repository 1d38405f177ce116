"""Results: what each thing in a player's mail came to, as the answer tells it.

Each is a struct whose `code` is its tag; `templates/wording/answers.txt` has a sentence for it.
They are stored as JSON with nothing in it that stands at its default; a field that earlier versions
did not write has one.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal

import msgspec

from service.core.statuses import MatchStatus, PauseStatus, SeatStatus
from service.core.verdicts import AnyVerdict, JsonObject, any_of


class Result(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="code", tag=True, omit_defaults=True
):
    """The result of one thing in a mail. `word` is the name of the word that asked for it."""

    word: str | None = None

    @property
    def code(self) -> str:
        """The name its sentence is found by."""
        return str(self.__struct_config__.tag)


# About a turn


class TurnPlayed(Result, frozen=True, kw_only=True, tag="played"):
    """The turn is entry `entry` of the match, but for what stood behind a reveal. Its players count
    it as number `turn`. `filed` are the orders that came with it, `said` is the line told with it.
    """

    entry: int | None = None
    turn: int | None = None
    unplayed: tuple[JsonObject, ...] = ()
    orders: tuple[str, ...] = ()
    filed: tuple[JsonObject, ...] = ()
    said: str = ""


class OrderFiled(Result, frozen=True, kw_only=True, tag="filed"):
    """Orders, or an answer that can be changed until the last one is in, are on file, or withdrawn
    (as `verdicts.Filed`), by this entry.
    """

    entry: int | None = None
    orders: tuple[str, ...] = ()
    actions: tuple[JsonObject, ...] = ()
    answer: bool = False
    replaced: bool = False
    withdrawn: bool = False


class TurnChecked(Result, frozen=True, kw_only=True, tag="checked"):
    """The turn could be played as it is written, and was not: its writer asked what it says. `text`
    are its moves, `filed` the orders with it, as they were read.
    """

    text: str = ""
    filed: tuple[JsonObject, ...] = ()


class TurnHeld(Result, frozen=True, kw_only=True, tag="held"):
    """The turn waits until then, so that it can be taken back; what is `said` with it, too."""

    until: dt.datetime
    text: str = ""
    replaced: bool = False
    said: str = ""


class TurnWithdrawn(Result, frozen=True, kw_only=True, tag="withdrawn"):
    """The turn was taken back before it was played."""


class Meant(msgspec.Struct, frozen=True, kw_only=True):
    """The number of the choice that a text which cannot be played is most like, if there is one;
    else an `example` of what could be played, or filed.
    """

    number: int | None = None
    example: str = ""


class TurnWrong(Result, frozen=True, kw_only=True, tag="mend"):
    """The text cannot be played, or, if it was meant as an `order`, filed."""

    text: str = ""
    verdict: AnyVerdict
    order: bool = False
    meant: Meant | None = None


class TurnStale(Result, frozen=True, kw_only=True, tag="stale"):
    """The decision that the answered letter asked for has been made, by this entry. The reader may
    file `orders` all the same. `text`, `wish` as in `NothingFound`.
    """

    text: str = ""
    entry: int | None = None
    orders: bool = False
    wish: str = ""


class TurnGivenUp(Result, frozen=True, kw_only=True, tag="given_up"):
    """The turn waits for the operator, for an error of ours."""


class NotAfterAll(Result, frozen=True, kw_only=True, tag="not_after_all"):
    """A turn that was held could not be played when its time came."""


class SeveralTurns(Result, frozen=True, kw_only=True, tag="several"):
    """The mail holds several turns that can be played."""

    texts: tuple[str, ...]


class NoSuchChoice(Result, frozen=True, kw_only=True, tag="no_such_choice"):
    """The number is none of those offered, which are `offered` many. `text` as in `NothingFound`:
    what stands beside the number.
    """

    number: int
    offered: int = 0
    text: str = ""


class WordMeant(Result, frozen=True, kw_only=True, tag="word_meant"):
    """A line that is nearly a word: `text` is how that would be written."""

    text: str


class NumberAsked(Result, frozen=True, kw_only=True, tag="number_asked"):
    """A number stands where it may mean something else; `texts` are the turns it may mean."""

    numbers: tuple[int, ...]
    texts: tuple[str, ...] = ()


class NothingFound(Result, frozen=True, kw_only=True, tag="nothing"):
    """Neither a turn nor a word. The mail is all `forwarded` or `quoted`, has a turn `marked` as
    our samples are, was maybe written `inside` an unmarked quote, or says `yes` where nothing was
    asked. `text` are its words if they may be meant for the others, `line` is all of a short mail,
    `wish` what they ask for that another word does; of who wants to pass `passing` is the turn that
    does, if there is one.
    """

    text: str = ""
    line: str = ""
    forwarded: bool = False
    quoted: bool = False
    marked: bool = False
    inside: bool = False
    yes: bool = False
    meant: Meant | None = None
    wish: str = ""
    passing: str = ""


class Unsure(Result, frozen=True, kw_only=True, tag="unsure"):
    """A line would do something if it were the writer's own, and may be a quote. The letter that
    asks may list `choices`, which is known when it is written.
    """

    text: str
    choices: bool = False


class OrderInMessage(Result, frozen=True, kw_only=True, tag="order_in_message"):
    """A turn stands in what would be told to the table, or noted: below the word of this name."""

    below: str = "message"


class NotYourTurn(Result, frozen=True, kw_only=True, tag="waiting"):
    """The reader is asked nothing now, but may file `orders`. `text` and `wish` are as in
    `NothingFound`.
    """

    text: str = ""
    orders: bool = False
    wish: str = ""


class GameOver(Result, frozen=True, kw_only=True, tag="over"):
    """The match has ended."""


class GameCancelled(Result, frozen=True, kw_only=True, tag="cancelled"):
    """The match does not take place."""


class NotBegun(Result, frozen=True, kw_only=True, tag="not_begun"):
    """The match has not begun; the reader is `invited` and has not answered."""

    invited: bool = False


class SeatLost(Result, frozen=True, kw_only=True, tag="left"):
    """The reader plays no longer (`why`: as `SeatRow.left_why`, or "replaced")."""

    why: str | None = None


# About the mail itself


class WordMisused(Result, frozen=True, kw_only=True, tag="usage"):
    """The text behind a command word cannot be read; `name` is the word's."""

    name: str
    text: str


class NoQuestion(Result, frozen=True, kw_only=True, tag="no_question"):
    """An answer, and nothing was asked."""

    text: str


class WordRefused(Result, frozen=True, kw_only=True, tag="refused"):
    """The use case of a command word was refused (`service.core.errors.Refused`)."""

    error: str
    context: JsonObject = {}


class UnknownAddress(Result, frozen=True, kw_only=True, tag="unknown_address"):
    """The mail came to an address of no match."""


class SeveralBoards(Result, frozen=True, kw_only=True, tag="several_boards"):
    """The mail answers a digest, which is about several matches."""


class ForeignSender(Result, frozen=True, kw_only=True, tag="foreign"):
    """Somebody else wrote to the reader's address, or in their name and it cannot be confirmed."""

    why: Literal["sender", "authentication"]
    sender: str | None = None


class EnoughMails(Result, frozen=True, kw_only=True, tag="enough"):
    """More than `most` mails came in an hour: no more are read."""

    most: int


# About the installation


class SetBack(Result, frozen=True, kw_only=True, tag="set_back"):
    """The database was restored; `reply`: the mail answered a letter of before."""

    copied_at: dt.datetime
    reply: bool = False


class SetBackLost(Result, frozen=True, kw_only=True, tag="set_back_lost"):
    """The database was restored, and knows nothing of what the mail is about."""

    copied_at: dt.datetime


class NewLinks(Result, frozen=True, kw_only=True, tag="new_links"):
    """The secret key is another, so earlier links open nothing."""


# What words have done


class PauseChanged(Result, frozen=True, kw_only=True, tag="pause"):
    """A pause was asked for, agreed to or not; `waits` are those who have still to agree."""

    status: PauseStatus
    days: int
    until: dt.datetime | None = None
    asked_by_me: bool = False
    waits: tuple[str, ...] = ()


class PauseEnded(Result, frozen=True, kw_only=True, tag="resumed"):
    """The match goes on."""


class Away(Result, frozen=True, kw_only=True, tag="away"):
    """Days away are noted; `left` of the year's are not used (None: there is no limit)."""

    first: dt.date
    last: dt.date
    left: int | None = None
    year: int


class NotAway(Result, frozen=True, kw_only=True, tag="not_away"):
    """Days away are ended."""


class Nudged(Result, frozen=True, kw_only=True, tag="nudged"):
    """Those the table waits for get a letter."""


class HereAlready(Result, frozen=True, kw_only=True, tag="here_already"):
    """The reader was not away."""


class CameBack(Result, frozen=True, kw_only=True, tag="back"):
    """The reader is back; `took`: their seat from a bot."""

    took: bool


class SeatBack(Result, frozen=True, kw_only=True, tag="seat_back"):
    """By writing at all the reader has taken their seat back from a bot."""


class TurnUndone(Result, frozen=True, kw_only=True, tag="undone"):
    """A turn is taken back: before it was played, or after. `body` is its text, `said` the line
    that went with it.
    """

    how: Literal["withdrawn", "taken back"]
    body: str = ""
    said: str = ""


class ResignAsked(Result, frozen=True, kw_only=True, tag="resign_sure"):
    """The reader is asked whether they give up; `question` names it, and is open until then."""

    question: str
    until: dt.datetime


class ResignKept(Result, frozen=True, kw_only=True, tag="resign_kept"):
    """The reader plays on."""


class Resigned(Result, frozen=True, kw_only=True, tag="resigned"):
    """The reader has given up."""


class MessageSaid(Result, frozen=True, kw_only=True, tag="said"):
    """A message goes to so many others at the table (None: it is not known how many). `by_reply`:
    it was said in answer to theirs, without the word "message".
    """

    text: str
    readers: int | None = None
    by_reply: bool = False


class NoteTold(Result, frozen=True, kw_only=True, tag="note"):
    """The reader's private note of this match as it reads now, and whether anything was `added`."""

    text: str = ""
    added: bool = False


class NoteErased(Result, frozen=True, kw_only=True, tag="note_erased"):
    """The private note is gone; `text` is what stood there."""

    text: str = ""


class LineUnsaid(Result, frozen=True, kw_only=True, tag="unsaid"):
    """A line to be told with a turn, and no turn was handed in that it could go with; nobody is
    told it.
    """

    text: str


class Rematched(Result, frozen=True, kw_only=True, tag="rematch"):
    """The same table is open again. `answer` is the status of the reader's place there, `added`
    what the mail has added to its chance.
    """

    match: int
    host: bool
    answer: SeatStatus | None = None
    added: str | None = None


class Muted(Result, frozen=True, kw_only=True, tag="muted"):
    """No more letters of this match come."""


class Unmuted(Result, frozen=True, kw_only=True, tag="unmuted"):
    """The letters of this match come again."""


class LanguageChosen(Result, frozen=True, kw_only=True, tag="lang"):
    """The language of letters."""

    lang: str


class RemindersChosen(Result, frozen=True, kw_only=True, tag="reminders"):
    """The times to be reminded at (`Player.reminders`)."""

    when: tuple[str, ...]


class QuietChosen(Result, frozen=True, kw_only=True, tag="quiet"):
    """Quiet hours, in minutes of the day; None for none."""

    first: int | None = None
    last: int | None = None


class ZoneChosen(Result, frozen=True, kw_only=True, tag="zone"):
    """The time zone."""

    zone: str


class DigestChosen(Result, frozen=True, kw_only=True, tag="digest"):
    """The minute of the day at which the digest comes; None for no digest."""

    at: int | None = None


class ThreadChosen(Result, frozen=True, kw_only=True, tag="thread"):
    """The unit of a conversation: "match" or "turn"."""

    by: str


class InvitationAnswered(Result, frozen=True, kw_only=True, tag="answered"):
    """An invitation is answered ("accept", "decline", "never"); `status` is then the match's,
    `waits` are those who have still to answer, and `added` is what the mail has added to its
    chance. `takes_over`: it was about another's seat.
    """

    reply: str
    status: MatchStatus
    takes_over: bool = False
    added: str | None = None
    waits: tuple[str, ...] = ()


# What is shown


class TableLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table of a "status": whether its reader is asked (`own`), whom it waits for, until when;
    when the reader's turn that is held is played; whether its letters are wanted; whether the
    reader is out of the game. Of those who
    decide in secret at the same time it is only told that `missing` of `of` have not yet.
    """

    match: int
    seat: int | None = None
    status: MatchStatus
    own: bool = False
    waits: tuple[str, ...] = ()
    missing: int = 0
    of: int = 0
    deadline: dt.datetime | None = None
    paused: bool = False
    held_turn: dt.datetime | None = None
    muted: bool = False
    out: bool = False


class TablesListed(Result, frozen=True, kw_only=True, tag="status"):
    """The reader's tables, but for `more` others."""

    tables: tuple[TableLine, ...]
    more: int = 0


class HelpShown(Result, frozen=True, kw_only=True, tag="help"):
    """A list of all that can be written."""


class RulesShown(Result, frozen=True, kw_only=True, tag="rules"):
    """The places that explain the game: asked for by their word, or by a `question` in prose, of
    which `text` is the beginning.
    """

    question: bool = False
    text: str = ""


class BoardShown(Result, frozen=True, kw_only=True, tag="board"):
    """The boards, seen from this seat."""

    seat: int | None = None


class HistoryShown(Result, frozen=True, kw_only=True, tag="history"):
    """The story, as it is told to this seat."""

    seat: int | None = None


class OrdersListed(Result, frozen=True, kw_only=True, tag="orders"):
    """The orders that this seat may file, and what it has on file; there are `some`."""

    seat: int | None = None
    some: bool = True


class TurnReleased(Result, frozen=True, kw_only=True, tag="released"):
    """A turn that was held is to be played now. It is told by what becomes of that."""

    submission: int


if TYPE_CHECKING:
    AnyResult = Result
else:
    AnyResult = any_of(Result)

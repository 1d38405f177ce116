"""Verdicts: what a player is told of a turn they handed in, or of one they only tried.

Each is a struct whose `code` is its tag; `templates/wording/errors.txt` and the games' wording have
a sentence for those that say why not. They are stored as JSON (`Submission.verdict`) with nothing
in it that stands at its default; a field that earlier versions did not write has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from engine.play import Incomplete as LeftOpen
from engine.protocol import Ambiguous as ReadsSeveralWays
from engine.protocol import IllegalAction
from engine.protocol import Unreadable as ReadsNoWay
from service.core.plain import tokens
from service.core.statuses import MatchStatus

S = TypeVar("S", bound=msgspec.Struct)

JsonObject = dict[str, Any]
"""An action, an event, a view or the options of a game, or the context of an error, as plain data:
only the game's own wording and pictures look into it.
"""


def any_of(base: type[msgspec.Struct]) -> Any:
    """The union of the structs of this kind that have a tag of their own, for reading one."""
    return reduce(or_, leaves(base))


def leaves(base: type[S]) -> Iterator[type[S]]:
    """The structs of this kind that no other is made of."""
    below = base.__subclasses__()
    if not below:
        yield base
    for each in below:
        yield from leaves(each)


class Verdict(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="code", tag=True, omit_defaults=True
):
    """The verdict on a turn."""

    @property
    def code(self) -> str:
        """The name its sentence is found by."""
        return str(self.__struct_config__.tag)


class Played(Verdict, frozen=True, kw_only=True, tag="played"):
    """It was played, but for the actions after the first thing that it revealed. `filed` are the
    orders that came with it, for the decisions `orders`; all of it, if it is a sealed `answer`,
    which can be changed until the last one is in. `turn` is the number of the turn.
    """

    turn: int | None = None
    unplayed: tuple[JsonObject, ...] = ()
    orders: tuple[str, ...] = ()
    filed: tuple[JsonObject, ...] = ()
    answer: bool = False


class Filed(Verdict, frozen=True, kw_only=True, tag="filed"):
    """It holds orders alone, which are on file for these decisions, by these actions: nobody waited
    for it or learns of it, and its player can replace it until it is used. What changes a sealed
    `answer` is one, too.

    `replaced`: something else was on file before; `withdrawn`: nothing is now.
    """

    orders: tuple[str, ...] = ()
    actions: tuple[JsonObject, ...] = ()
    answer: bool = False
    replaced: bool = False
    withdrawn: bool = False


class Held(Verdict, frozen=True, kw_only=True, tag="held"):
    """It can be played, and waits so that it can be taken back; maybe instead of an earlier one."""

    replaced: bool = False


class Withdrawn(Verdict, frozen=True, kw_only=True, tag="withdrawn"):
    """Its player took it back before it was played."""


class Replaced(Verdict, frozen=True, kw_only=True, tag="replaced"):
    """Its player handed in another instead while it waited."""


class TakenBack(Verdict, frozen=True, kw_only=True, tag="taken_back"):
    """It was taken back after it had been played, or called off with what it followed from."""


class Stale(Verdict, frozen=True, kw_only=True, tag="stale"):
    """The decision had been made already, by this entry (None: it is not asked any more)."""

    entry: int | None = None


class MatchOver(Verdict, frozen=True, kw_only=True, tag="match_over"):
    """The match is not being played; `status` is the match's."""

    status: MatchStatus


class NotYours(Verdict, frozen=True, kw_only=True, tag="not_yours"):
    """The decision is another seat's, or was none of the clock's any more."""


class SeatLeft(Verdict, frozen=True, kw_only=True, tag="seat_left"):
    """Its player has left the match for good."""


class GivenUp(Verdict, frozen=True, kw_only=True, tag="given_up"):
    """It failed again and again by an error of ours, and waits for the operator."""


class Misread(StrEnum):
    """Ways in which a part of a text can be no action."""

    BEGINS = "begins"
    """A turn begins with none of this."""
    FOLLOWS = "follows"
    """An action may follow, and not this one."""
    SURPLUS = "surplus"
    """It stands behind what is complete."""
    UNFIT = "unfit"
    """It can be read, and fits nothing that can be played now."""
    SHORT = "short"
    """Something is missing behind it."""
    UNKNOWN = "unknown"
    """It names nothing there is."""
    AMENDED = "amended"
    """It is a choice of the letter with a change: another turn."""
    UNCHANGED = "unchanged"
    """It may change a turn that was asked about, and nobody knows in what."""
    PARTLY = "partly"
    """It is what is left of a text whose other parts make a turn; "" if nothing is left."""


class Fault(Verdict, frozen=True, kw_only=True):
    """Something in the text that has to be mended. `possible` are texts that could stand there."""

    possible: tuple[str, ...] = ()


class Incomplete(Fault, frozen=True, kw_only=True, tag="incomplete"):
    """All of it is legal and leaves part of the decision open: its kind and rule."""

    kind: str
    rule: str


class Illegal(Fault, frozen=True, kw_only=True, tag="illegal"):
    """An action breaks a rule (`engine.protocol.IllegalAction`); `index` is that action's."""

    error: str
    rule: str
    context: JsonObject = {}
    index: int = 0


class Ambiguous(Fault, frozen=True, kw_only=True, tag="ambiguous"):
    """A part can be read in several ways. `short` if each of them is the part and more."""

    fragment: str
    readings: tuple[str, ...] = ()
    short: bool = False


class Unreadable(Fault, frozen=True, kw_only=True, tag="unreadable"):
    """A part cannot be read. `expected` is what could stand there, if the game can tell; `line` the
    whole line it stands in, where lines are orders; `why` is what is wrong with it, elsewhere, and
    `verb` that of the action it belongs to, in English.
    """

    fragment: str
    expected: tuple[str, ...] | None = None
    line: str = ""
    why: Misread | None = None
    verb: str = ""


if TYPE_CHECKING:
    AnyVerdict = Verdict
else:
    AnyVerdict = any_of(Verdict)

AnyFault = Incomplete | Illegal | Ambiguous | Unreadable


def fault_of(error: Exception) -> AnyFault:
    """The fault in a turn, from the engine's error. Raises an error that is another's."""
    match error:
        case LeftOpen():
            return Incomplete(kind=error.remaining.kind, rule=error.remaining.rule)
        case IllegalAction():
            return Illegal(
                error=error.code,
                rule=error.rule,
                context=msgspec.to_builtins(error.context),
                index=error.index,
            )
        case ReadsSeveralWays():
            said = tokens(error.fragment)
            begun = [tokens(reading) for reading in error.readings]
            short = all(each[: len(said)] == said and each != said for each in begun)
            return Ambiguous(
                fragment=error.fragment, readings=tuple(error.readings), short=bool(begun) and short
            )
        case ReadsNoWay():
            expected = error.context.get("expected")
            return Unreadable(
                fragment=error.fragment,
                expected=None if expected is None else tuple(msgspec.to_builtins(expected)),
                line=error.context["text"] if "line" in error.context else "",
                why=None if "line" in error.context else _misread(error),
                verb=error.context.get("verb", ""),
            )
    raise error


def _misread(error: ReadsNoWay) -> Misread | None:
    context = error.context
    if context.get("amended"):
        return Misread.AMENDED
    if context.get("unchanged"):
        return Misread.UNCHANGED
    if context.get("partly"):
        return Misread.PARTLY
    if context.get("unfit"):
        return Misread.UNFIT
    if context.get("kind") == "end":
        return Misread.SURPLUS
    if not context.get("expected"):
        return None
    if context.get("kind") == "verb":
        return Misread.FOLLOWS if context.get("index") else Misread.BEGINS
    return Misread.SHORT if error.fragment == context.get("text") else Misread.UNKNOWN

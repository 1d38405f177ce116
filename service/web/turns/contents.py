"""The things that the page of a turn shows, as its template `pages/turn.html` knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from engine.kit.presentation import Plain
from engine.protocol import Seat
from service.core import verdicts
from service.core.models import DecisionRow, Match, Submission
from service.matches import lines
from service.matches.orders import OpenOrder
from service.matches.plans import Line, Plan
from service.matches.reading import FiledOrder, HistoryEntry, MatchView
from service.time.display import Clock
from service.web.turns.lessons import Lesson
from service.web.turns.selection import BoardSelection


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A text that would be right, the `lines` of a plan that it stands for, and the page with the
    plan it leads to (None: too long for an address)."""

    text: str
    href: str | None
    lines: Sequence[Line]

    @property
    def events(self) -> list[Plain]:
        """The events that all of it would bring about."""
        return [event for line in self.lines for event in line.chosen.events]


class Blocked(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was touched and cannot be used, and the rule that says so (None: no single
    action would break one)."""

    spot: str
    verdict: verdicts.AnyFault | None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The faults of a text: data for its sentence, and what would be right."""

    verdict: verdicts.AnyFault
    offers: list[Offer]
    expected: list[str]


class Writing(msgspec.Struct, frozen=True, kw_only=True):
    """The field in which an open line is written: the line's place, what stands in the field, and
    what is wrong with it.
    """

    line: int
    text: str
    answer: Answer | None = None


class Along(msgspec.Struct, frozen=True, kw_only=True):
    """Orders that are handed in together with what the page is for: their text, what it says, or
    what is wrong with it.
    """

    text: str = ""
    orders: tuple[FiledOrder, ...] = ()
    answer: Answer | None = None


class SaidWith(msgspec.Struct, frozen=True, kw_only=True):
    """The line that is told with a turn: its text, whether there may be one, how long (`most`).
    `kept`: it goes along from page to page; an erased one, too, for that of a turn that waits not
    to come back.
    """

    text: str
    may: bool
    kept: bool
    most: int = lines.LONGEST


class Forgone(msgspec.Struct, frozen=True, kw_only=True):
    """Things that a turn leaves though they would cost nothing: names that the game has words
    for, and the page on which they can still be used (None: too long for an address).
    """

    names: Sequence[str]
    href: str | None


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An order to choose: the page on which it is chosen, its action, and what it would say."""

    href: str
    action: Plain
    says: FiledOrder


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `waiting` is a turn that was handed in and can be taken back, `waiting_text` what
    it says; `since` has happened since the seat's last turn, or, where it `goes_on`, in this one.

    Of the `plan`: `alone` says that nothing else can be done, `aim` what the whole of it comes to,
    else `because` why it is suggested;
    `touch` is the step that is chosen on the board next, `barred` what was touched in vain,
    `forgone` what it leaves; `undo` is the page with one step less (None: there is none),
    `readable` the one with what could be read of a text, `path` the bare page and `base` the one
    with what goes along; `posted` says that it is too long for an address, `notation` is its text,
    `writing` the field for an open line, `opened` a line that is to be changed, `dropped` steps
    that did not fit; `typed` and `answer` are a text that cannot be read and what is wrong with it,
    `line` and `along` what is handed in with it.

    Where an `order` is filed, `says` is what it would say, and `proposals` are those to choose from
    while nothing is chosen; `others` may be filed besides. `awaited` is what the table waits for
    meanwhile. `stopped` is why a plan had no answer, plain data of the game. `look`: see
    `preview.form`.
    """

    match: Match
    seat: Seat
    row: DecisionRow
    names: list[str]
    clock: Clock
    match_view: MatchView
    since: list[HistoryEntry]
    goes_on: bool
    lesson: Lesson | None
    waiting: Submission | None
    waiting_text: str
    plan: Plan
    touch: BoardSelection | None
    barred: Blocked | None
    forgone: Forgone | None
    undo: str | None
    readable: str
    path: str
    base: str
    may_decide: Callable[[str], bool]
    line: SaidWith
    along: Along
    order: OpenOrder | None
    alone: bool
    aim: str
    because: str
    says: FiledOrder | None
    proposals: Sequence[Proposal]
    others: list[OpenOrder]
    awaited: DecisionRow | None
    stopped: Any
    posted: bool
    notation: str
    writing: Writing | None
    opened: int | None
    dropped: Sequence[str]
    typed: str | None
    answer: Answer | None
    look: str
    nonce: str

    def named(self) -> Mapping[str, object]:
        """Each by its name in the template."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

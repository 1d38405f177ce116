"""The turn in a reply: found, read for a decision, and stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import msgspec

from service.core import locks, verdicts
from service.core.keys import Outdated
from service.core.models import DecisionRow, SeatRow, Submission
from service.core.plain import tokens, whole_number
from service.core.results import (
    GameCancelled,
    GameOver,
    Meant,
    NoSuchChoice,
    NotBegun,
    NothingFound,
    NotYourTurn,
    NumberAsked,
    Result,
    SeatLost,
    SetBack,
    SeveralTurns,
    TurnChecked,
    TurnStale,
    TurnWrong,
)
from service.core.statuses import UNANSWERED, MatchStatus
from service.mail.commands.asked import Asked, begins_as_a_turn
from service.mail.commands.command import Command, CommandContext
from service.mail.commands.copied import Printed
from service.mail.commands.found import Mend, Nothing, NotOffered, Several, Turn, Unsure, cut_off
from service.mail.commands.likeness import resembles
from service.mail.commands.numbers import choice_of
from service.mail.commands.orders import Finder
from service.mail.commands.reading import Script
from service.mail.commands.turn import CHECK
from service.mail.commands.wishes import wish_of
from service.mail.parse.message import Incoming
from service.mail.parse.text import LONGEST
from service.mail.render import forgone
from service.mail.render.choices import beside
from service.mail.render.offered import has_offered, offered
from service.matches import journal, lines, messages, moves, reading
from service.matches.orders import part

Reader = Callable[[str], Script]
"""Takes a text apart by what the players and the game of a match call things."""

_OF_WHAT_STANDS = frozenset({"undo", "play", "withdraw", "resign", "yes", "no"})
"""Words that only who knows the board may mean, or what is asked."""

LONGEST_QUOTED = 60
"""Characters of a line that a sentence quotes."""

_SHORT = 4
"""Words of a first line that is a turn with a slip ("lay hunt-fire Mordor"), and no prose."""

HOLD_MINUTES = 10
"""So long a turn waits at least that leaves unused what costs nothing: its writer is told, and a
bot would have answered it before they have read that.
"""

MOST_DOUBTFUL = 40
"""Paragraphs that may be a quote in which a turn is looked for, to ask about it."""


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply may decide: the decision it is about; a `move` as well, or orders alone;
    `only` of these decisions, None of all that are open.
    """

    row: DecisionRow
    move: bool
    only: frozenset[str] | None = None


class TurnOfReply:
    """The turn in a reply, and what there is to say if there is none."""

    def __init__(
        self,
        context: CommandContext,
        decision: str | None,
        names: Sequence[str],
        reads: Reader,
        arrived: dt.datetime,
        outdated: Outdated | None,
        asked_about: str | None = None,
    ) -> None:
        self._context = context
        self._decision = decision
        self._names = names
        self._reads = reads
        self._arrived = arrived
        self._outdated = outdated
        self._asked_about = asked_about
        self.line = ""
        """What is to be told with the turn."""
        self.only_checked = False
        """True if the turn is to be told to its writer as it was read, and not played."""

    def set_back(self, word: Command[Any] | None = None) -> Result | None:
        """Said instead of a turn, or of a word about one, to who answers an outdated letter; None
        for everybody else.
        """
        if self._outdated is None or (word is not None and word.name not in _OF_WHAT_STANDS):
            return None
        return SetBack(copied_at=self._outdated.copied_at, reply=True)

    def is_in(self, lines: Sequence[str]) -> bool:
        """True if these lines hold a legal turn."""
        asked = self._asked()
        if asked is None:
            return False
        below = self._reads("\n".join(lines)).paragraphs
        return isinstance(self._finder(asked, numbers=False).find(below), Turn)

    def lines_in(self, paragraphs: Sequence[Sequence[str]]) -> list[str]:
        """The lines in which a turn stands, or the number of one."""
        asked = self._asked()
        if asked is None or not paragraphs:
            return []
        finder = self._finder(asked)
        words = journal.game_of(self._context.table).notation.words
        for paragraph in paragraphs[:MOST_DOUBTFUL]:
            found = finder.find([paragraph])
            if isinstance(found, Turn | Several | Unsure):
                alike = [line for line in paragraph if resembles(words, line)]
                return alike or list(paragraph)
        return []

    def is_meant_in(self, paragraphs: Sequence[Sequence[str]]) -> bool:
        """True if these lines hold a turn, or one with a slip: what somebody may have kept secret.
        A word of the game alone is none.
        """
        words = journal.game_of(self._context.table).notation.words
        return bool(self.lines_in(paragraphs)) or any(
            resembles(words, line) and len(tokens(line)) > 1
            for lines in paragraphs
            for line in lines
        )

    def find(
        self, paragraphs: Sequence[Sequence[str]], incoming: Incoming, *, alone: bool
    ) -> Submission | Result | None:
        """Store the turn, or say what is to be mended. None if nothing needs to be said: prose
        beside words. `alone`: there were no words.
        """
        context = self._context
        match, row = context.table, context.row
        assert row is not None
        if match.status != MatchStatus.PLAYING or row.seat is None or row.left_at is not None:
            return self._too_late(row) if alone else None
        if (set_back := self.set_back()) is not None:
            return set_back if alone or self._looks_like_a_turn(paragraphs) else None
        asked = self._asked()
        if asked is None:
            told = alone or self._looks_like_a_turn(paragraphs)
            return self._not_asked(paragraphs, incoming, orders_too=False) if told else None
        finder = self._finder(asked)
        found = finder.find(paragraphs)
        if not asked.move and not finder.is_order(found):
            told = alone or self._looks_like_a_turn(paragraphs)
            return self._not_asked(paragraphs, incoming, orders_too=True) if told else None
        if isinstance(found, Turn) and incoming.length > LONGEST:
            found = cut_off(found, incoming.length)
        wish = wish_of(paragraphs, self._names)
        if wish and alone and isinstance(found, Nothing | Mend):
            return self._wished(finder, paragraphs, wish)
        match found:
            case Turn() if self.only_checked:
                return self._checked(found)
            case Turn():
                minutes = HOLD_MINUTES if self._leaves_something(found) else 0
                return self._store(
                    asked.row, finder.decision_of(found), found.text, incoming, minutes
                )
            case Mend():
                possible = finder.fuller(found.instead, forgone.taken_up)
                fault = msgspec.structs.replace(verdicts.fault_of(found.error), possible=possible)
                order = finder.speaks_of_orders(found.text)
                meant = self._meant(finder, paragraphs, fault, order=order)
                typed = finder.as_typed(found.text)
                return TurnWrong(text=typed[:500], verdict=fault, order=order, meant=meant)
            case Several():
                return SeveralTurns(texts=tuple(found.texts))
            case NotOffered():
                beside = [
                    line
                    for line in incoming.whole_text.split("\n")
                    if choice_of(line, self._names) is None
                ]
                return NoSuchChoice(
                    number=found.number,
                    offered=found.offered,
                    text=self._for_others(paragraphs, incoming, "\n".join(beside).strip()),
                )
            case Unsure():
                return NumberAsked(numbers=tuple(found.numbers), texts=tuple(found.texts))
            case Nothing():
                forwarded = incoming.forwarded and not incoming.own_text.strip()
                if not alone:
                    return None
                inside = incoming.unmarked and not incoming.forwarded
                meant = self._meant(finder, paragraphs)
                if meant is None and self._begins_a_turn(paragraphs):
                    meant = Meant(example=finder.example(paragraphs))
                return NothingFound(
                    text="" if meant else self._for_others(paragraphs, incoming),
                    line=_only_line(paragraphs),
                    forwarded=forwarded,
                    quoted=incoming.quoted and not incoming.own_text.strip(),
                    marked=incoming.marked,
                    inside=inside,
                    meant=meant,
                )

    def _wished(self, finder: Finder, paragraphs: Sequence[Sequence[str]], wish: str) -> Result:
        """The answer to a wish; to pass, with the turn that passes, or else one to send."""
        if wish != "pass":
            return NothingFound(wish=wish)
        passing = finder.passing()
        meant = None if passing else Meant(example=finder.example(paragraphs))
        return NothingFound(wish=wish, passing=passing, meant=meant)

    def _meant(
        self,
        finder: Finder,
        paragraphs: Sequence[Sequence[str]],
        fault: verdicts.AnyVerdict | None = None,
        *,
        order: bool = False,
    ) -> Meant | None:
        """The choice that a reply comes near to, or an example of what could be written, where the
        notation itself had no better guess.
        """
        if isinstance(fault, verdicts.Illegal) and not fault.possible:
            return Meant(example=finder.example(paragraphs, order=order))
        if fault is not None and (not isinstance(fault, verdicts.Unreadable) or fault.possible):
            return None
        found = finder.near(paragraphs)
        if found is None and fault is None:
            return None
        number = found.number if found is not None else None
        return Meant(
            number=number,
            example=finder.example(paragraphs, order=order) if number is None else "",
        )

    def _checked(self, found: Turn) -> Result:
        """The turn as it was read."""
        context, row = self._context, self._context.row
        assert row is not None
        assert row.seat is not None
        game = journal.game_of(context.table)
        state = journal.position(context.work.session, context.table).state
        # No decision of its own: the moves are told by themselves, all orders apart.
        read = part(game, state, row.seat, "", found.text, context.player.lang)
        filed = [action for order in read.orders for action in order.actions]
        return TurnChecked(text=read.own, filed=tuple(filed), word=CHECK)

    def _not_asked(
        self, paragraphs: Sequence[Sequence[str]], incoming: Incoming, *, orders_too: bool
    ) -> Result:
        """Nothing can be played: the letter's question is answered, or there was none."""
        decided, text = self._decided(), self._for_others(paragraphs, incoming)
        wish = wish_of(paragraphs, self._names)
        if decided is None:
            return NotYourTurn(text=text, orders=orders_too, wish=wish)
        return TurnStale(text=text, entry=decided.closed_entry, orders=orders_too, wish=wish)

    def _for_others(
        self, paragraphs: Sequence[Sequence[str]], incoming: Incoming, beside: str | None = None
    ) -> str:
        """The words of a reply that may be meant for the others, to be offered as a message: all,
        or what stands `beside` a number. "" for what may be a turn or a quote, for a wish that a
        word of ours answers, for what is no message by its length, and where nobody else would read
        it.
        """
        row = self._context.row
        text = incoming.whole_text.strip() if beside is None else beside
        read = any(
            other.player_id is not None and other.left_at is None and other is not row
            for other in self._context.table.occupied
        )
        quoted = incoming.forwarded or incoming.marked or incoming.doubtful.strip()
        if not read or quoted or wish_of(paragraphs, self._names):
            return ""
        if beside is None and (
            self._looks_like_a_turn(paragraphs) or self._begins_a_turn(paragraphs)
        ):
            return ""
        return text if len(text) <= messages.LONGEST else ""

    def _too_late(self, row: SeatRow) -> Result:
        match = self._context.table
        if row.left_at is not None:
            return SeatLost(why=row.left_why)
        if match.status == MatchStatus.ENDED:
            return GameOver()
        if match.status == MatchStatus.CANCELLED:
            return GameCancelled()
        return NotBegun(invited=row.status in UNANSWERED)

    def _decided(self) -> DecisionRow | None:
        """The decision whose letter was answered, if it is made."""
        if self._decision is None:
            return None
        key = (self._context.table.id, self._decision)
        row = self._context.work.session.get(DecisionRow, key)
        return row if row is not None and row.closed_entry is not None else None

    def _asked(self) -> _Asked | None:
        """What the reply decides, if it is still open: of the letter answered, else what is asked
        now, else any order. Orders have no letter of their own: they answer also a letter whose
        question is answered, if they could be filed by then (what is asked later is about a board
        that the letter does not show).
        """
        context = self._context
        row = context.row
        if row is None or row.seat is None or context.table.status != MatchStatus.PLAYING:
            return None
        mine = reading.open_decisions(context.work.session, context.table, row.seat)
        if self._decision is None:
            found = mine
        else:
            found = [each for each in mine if each.decision == self._decision]
        if found:
            move = any(each.blocks for each in mine)
            return _Asked(row=found[0], move=move)
        decided = self._decided()
        until = decided.closed_entry if decided is not None else None
        if until is None:
            return None
        known = [each for each in mine if not each.blocks and each.opened_entry <= until]
        if not known:
            return None
        return _Asked(row=known[0], move=False, only=frozenset(each.decision for each in known))

    def _looks_like_a_turn(self, paragraphs: Sequence[Sequence[str]]) -> bool:
        words = journal.game_of(self._context.table).notation.words
        return any(
            resembles(words, line) or choice_of(line, self._names) is not None
            for lines in paragraphs
            for line in lines
        )

    def _begins_a_turn(self, paragraphs: Sequence[Sequence[str]]) -> bool:
        """True if the first line is a verb of the game and a word or two more, whatever they are:
        "go Mordor". Prose that begins so ("Go ahead, I am in no hurry") is longer.
        """
        line = next((line for line in chain.from_iterable(paragraphs) if tokens(line)), "")
        if len(tokens(line)) > _SHORT:
            return False
        context = self._context
        assert context.row is not None
        assert context.row.seat is not None
        notation, seat = journal.game_of(context.table).notation, context.row.seat
        state = journal.position(context.work.session, context.table).state
        return begins_as_a_turn(notation, state, seat, line, context.player.lang)

    def _finder(self, asked: _Asked, *, numbers: bool = True) -> Finder:
        context, row = self._context, asked.row
        match, session = context.table, context.work.session
        chosen, about = None, self._asked_about
        if numbers and self._decision is not None:
            chosen = lambda: self._printed(row)  # noqa: E731
        number = whole_number(about or "")
        if number is not None:
            printed = chosen() if chosen is not None else []
            about = printed[number - 1].text if 1 <= number <= len(printed) else None
        state, lang = journal.position(session, match).state, context.player.lang
        told = Asked(journal.game_of(match), state, row.seat, row.decision, lang, asked.only)
        return Finder(told, chosen, self._names, about, reading.names(match, lang))

    def _printed(self, row: DecisionRow) -> list[Printed]:
        """The choices as the letter prints them; none if it had not left."""
        context, lang = self._context, self._context.player.lang
        session = context.work.session
        if not has_offered(session, row, context.player.id, self._arrived):
            return []
        return [
            Printed(
                text=choice.notation,
                words=tuple(choice.deeds),
                own=tuple(deed for deed in choice.deeds if deed not in choice.shared),
                beside=beside(choice, lang),
            )
            for choice in offered(context.service, session, context.table, row)
        ]

    def _leaves_something(self, turn: Turn) -> bool:
        """True of a turn, and none that we suggest, that leaves unused what costs nothing."""
        context, row = self._context, self._context.row
        assert row is not None
        assert row.seat is not None
        session, lang = context.work.session, context.player.lang
        return bool(forgone.of_text(session, context.table, row.seat, turn.text, lang).names)

    def _store(
        self, asked: DecisionRow, decision: str, text: str, incoming: Incoming, minutes: int
    ) -> Submission:
        context = self._context
        return moves.receive(
            context.service,
            context.work,
            match=locks.locked(context.service, context.work, context.table),
            seat=asked.seat,
            decision=decision,
            body=text,
            lang=context.player.lang,
            source="reply",
            dedupe=f"reply.{context.dedupe}",
            received_at=self._arrived,
            said=self._line_with(asked, decision),
            at_once=True,
            hold_minutes=minutes,
        )

    def _line_with(self, asked: DecisionRow, decision: str) -> str:
        """The line that goes with this turn: that of the mail, or of the turn it takes the place
        of; none where it would tell what is secret.
        """
        session, match = self._context.work.session, self._context.table
        state = journal.position(session, match).state
        if not lines.may_be_said(journal.game_of(match), state, asked.seat, decision):
            return ""
        if self.line:
            return self.line
        waiting = moves.waiting(session, match, decision)
        return (waiting.said or "") if waiting is not None else ""


def _only_line(paragraphs: Sequence[Sequence[str]]) -> str:
    """The line of a mail that has no other and is short enough to be quoted; "" for all else."""
    lines = [line for lines in paragraphs for line in lines if line.strip()]
    return lines[0] if len(lines) == 1 and len(lines[0]) <= LONGEST_QUOTED else ""

"""Orders as text, one a line, and what several lines make: plans of alternatives, answers, drafts.

    plan KIND                   answer         LINE ...        LINE ...
    if [not] CONDITION ...      ORDER ...      draft           undo
    LINE ...                    done                           restart
    or ...
    otherwise CLOSING

Several orders may stand in one line: the next begins where a word that begins one is written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from engine.kit.notation import syntax
from engine.kit.notation.lines import Line, WholeLines
from engine.kit.notation.nearness import field_distance, nearest
from engine.kit.notation.syntax import Parser, Reader, after, either, into, leading
from engine.kit.notation.text import LINE_ENDS, LONGEST, Folding, folded
from engine.kit.notation.words import Vocabulary
from engine.kit.plans.alternatives import Alternative, Alternatives, If, Otherwise
from engine.protocol import Decision, IllegalAction, Seat, Step, Unreadable

S = TypeVar("S")
A = TypeVar("A")
C = TypeVar("C")
M = TypeVar("M")

FOLDING: Final = Folding(blanks=",;", between=LINE_ENDS)
_BREAKS = re.compile(rf"{LINE_ENDS.pattern}|;")
_ALONE: Final = ("or", "answer", "draft", "undo", "restart")


class Mark(msgspec.Struct, frozen=True):
    """A line that is no action by itself: it begins, parts or closes what others say, or takes
    lines back. `value` is the kind of a plan, or what closes one. A game may have others.
    """

    what: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.what} {self.value}".rstrip()


def marks(
    plans: Vocabulary[str],
    closings: Vocabulary[str],
    condition: Parser[C],
    negation: Parser[Any],
) -> dict[str, Parser[Any]]:
    """The productions behind the words of plans, answers and drafts, by these words."""

    def stated(negated: bool) -> Parser[If[C]]:
        return into(lambda condition: If(condition=condition, negated=negated), condition)

    return {
        **{what: leading(lambda what=what: Mark(what)) for what in _ALONE},
        "plan": into(lambda kind: Mark("plan", kind), syntax.each(plans, "plan")),
        "if": either(stated(negated=False), after(negation, stated(negated=True))),
        "otherwise": into(lambda then: Mark("otherwise", then), syntax.each(closings, "closing")),
    }


class PlanKind(NamedTuple):
    """A kind of plan: the `lines` it is made of, what files it, and whether an alternative of it
    may say nothing.
    """

    lines: tuple[type, ...]
    file: Callable[[Alternatives[Any, Any]], Any]
    may_be_empty: bool = False


class Sorts(NamedTuple):
    """The actions of a game as its texts put them together, by type.

    `lines` are those of a move, which `done` closes as it does an answer; `played` is what comes
    behind the orders beside it. `orders` may stand in an `answer`: `gather` puts one more to them.
    `plans` are told by the word behind "plan". `amend` gives what a mark of the game's own makes of
    the action before it, None for nothing.
    """

    lines: tuple[type, ...]
    done: type
    played: tuple[type, ...]
    orders: tuple[type, ...]
    gather: Callable[[tuple[Any, ...], Any], tuple[Any, ...]]
    answer: Callable[[tuple[Any, ...]], Any]
    draft: Callable[[tuple[Any, ...]], Any]
    plans: Mapping[str, PlanKind]
    amend: Callable[[Any, Mark], Any]


class _Read(NamedTuple):
    """An action, and the line it stands in."""

    action: Any
    line: Line


class OrderNotation(Generic[S, A]):
    """The notation of a game whose actions are orders in lines (`engine.protocol.Notation`).

    - `words` and `keeps` are as in the protocol, `decisions` and `apply` those of the game, with a
      chance whose draws do not matter. `write` gives the text of an action.
    - `grammar` are the productions of one line: an action, a Mark, or an If; `kinds` are kinds of
      what can be missing, the most telling first. At most `most` lines are read.
    - `orders` are the words that begin an order; `belongs` says of one of the plain words of a line
      that it belongs to the order before it nevertheless.
    - `answers`: true if a seat is asked for an answer, which `done` behind orders then is.
    - `on_file` are a seat's orders, of which nothing need be said again.
    - `nothing_left` and `empty_alternative` make the errors of a text in which every line is taken
      back, and of a plan with an alternative that says nothing.
    """

    def __init__(
        self,
        *,
        words: frozenset[str],
        keeps: frozenset[str],
        write: Callable[[A, str], str],
        decisions: Callable[[S], Sequence[Decision[A]]],
        apply: Callable[[S, Seat, A], Step[S]],
        grammar: Parser[Any],
        kinds: Sequence[str],
        most: int,
        orders: Vocabulary[str],
        belongs: Callable[[Sequence[str], int], bool],
        sorts: Sorts,
        answers: Callable[[S, Seat], bool],
        on_file: Callable[[S, Seat], Collection[A]],
        nothing_left: Callable[[], IllegalAction],
        empty_alternative: Callable[[], IllegalAction],
    ) -> None:
        self.words = words
        self.keeps = keeps
        self._write = write
        self._decisions = decisions
        self._apply = apply
        self._grammar = grammar
        self._begins = {_plain(word) for lang in ("en", "fr") for word in orders.all_written(lang)}
        self._belongs = belongs
        self._sorts = sorts
        self._answers = answers
        self._on_file = on_file
        self._nothing_left = nothing_left
        self._empty_alternative = empty_alternative
        self._lines: WholeLines[Any] = WholeLines(
            grammar, self._write_said, folding=FOLDING, kinds=kinds, most=most
        )

    def format(self, state: S, seat: Seat, action: A, lang: str) -> str:
        return self._write(action, lang)

    def parse(self, state: S, seat: Seat, text: str, lang: str) -> tuple[A, ...]:
        """The actions of a submission. Errors have the `text` and number of their `line`; of
        IllegalAction `nearest` are texts of legal actions. Raises Unreadable, Ambiguous,
        IllegalAction.
        """
        lines = self.cut(text)
        if not lines:
            raise _stray(Line(1, text.strip()))
        said = zip(lines, self._lines.read(lines, lang), strict=True)
        assembly = _Assembly(
            self._sorts, self._empty_alternative, answers=self._answers(state, seat)
        )
        read = assembly.assembled(said)
        if not read:
            raise _wrong(self._nothing_left(), lines[0])
        # What is on file already changes nothing, and hinders nothing that comes with it.
        on_file = self._on_file(state, seat)
        read = [each for each in read if each.action not in on_file] or read
        self._check(state, seat, read, lang)
        return tuple(each.action for each in read)

    def meaning(self, state: S, seat: Seat, action: A) -> Hashable:
        return action

    def nearest(self, state: S, seat: Seat, action: A, limit: int = 3) -> tuple[A, ...]:
        own = [decision for decision in self._decisions(state) if decision.seat == seat]
        blocking = [decision for decision in own if decision.blocks] or own
        offered = [each for decision in blocking for each in decision.choices]
        return nearest(action, offered, lambda other: field_distance(action, other, {}), limit)

    def cut(self, text: str) -> list[Line]:
        """The lines of a text, each one order, numbered from 1, blank ones not counted; a line that
        goes on with the one above it is joined to that.
        """
        found: list[Line] = []
        for number, piece in enumerate(_BREAKS.split(text), 1):
            tokens = piece.replace(",", " ").split()
            if FOLDING.plain(piece).is_empty:
                continue
            plain = [_plain(token) for token in tokens]
            begins = [at for at, word in enumerate(plain) if word in self._begins]
            starts = [0, *(at for at in begins if at and not self._belongs(plain, at))]
            for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
                line = " ".join(tokens[start:end])
                if not start and found and 0 not in begins and not self._reads(line):
                    joined = f"{found[-1].text} {line}"
                    if self._reads(joined):
                        found[-1] = Line(found[-1].number, joined)
                        continue
                found.append(Line(number, line))
        return found

    def _reads(self, text: str) -> bool:
        return len(text) <= LONGEST and bool(Reader(FOLDING.plain(text)).readings(self._grammar))

    def _write_said(self, said: Any, lang: str) -> str:
        return str(said) if isinstance(said, Mark) else self._write(said, lang)

    def _check(self, state: S, seat: Seat, read: Sequence[_Read], lang: str) -> None:
        """Play the orders and then the moves, up to the first reveal; raise what is illegal."""
        played = self._sorts.played
        orders = [n for n, each in enumerate(read) if not isinstance(each.action, played)]
        moves = [n for n in range(len(read)) if n not in orders]
        for index in (*orders, *moves):
            action, line = read[index]
            try:
                step = self._apply(state, seat, action)
            except IllegalAction as error:
                near = self.nearest(state, seat, action)
                error.begun = tuple(read[n].action for n in (*orders, *moves) if n < index)
                _wrong(error, line, index, tuple(self._write(each, lang) for each in near))
                raise
            if step.reveals:
                break
            state = step.state


class _Assembly:
    """Lines put together: plans, answers, drafts, and single actions. `answers` is true where
    `done` behind orders makes an answer of them.
    """

    def __init__(self, sorts: Sorts, empty: Callable[[], IllegalAction], *, answers: bool) -> None:
        self._sorts = sorts
        self._empty = empty
        self._answers = answers
        self._read: list[_Read] = []
        self._head = Line(0, "")
        """The line that began the plan or answer."""
        self._kind: PlanKind | None = None
        self._plan: list[Alternative[Any, Any]] = []
        self._orders: tuple[Any, ...] | None = None

    def assembled(self, said: Iterable[tuple[Line, Any]]) -> list[_Read]:
        for line, each in said:
            if self._orders is not None:
                self._in_answer(line, each)
            elif self._kind is None or not self._in_plan(self._kind, line, each):
                self._alone(line, each)
        self._close_plan(Otherwise.ASK)
        self._close_answer()
        return self._read

    def _in_plan(self, kind: PlanKind, line: Line, said: Any) -> bool:
        """Take a line into the plan; False if the plan is over and the line is not its own."""
        conditions, lines = self._plan[-1].conditions, self._plan[-1].lines
        match said:
            case Mark(what="plan"):
                self._close_plan(Otherwise.ASK)
                return False
            case Mark(what="otherwise", value=value):
                self._close_plan(Otherwise(value))
            case Mark(what="or"):
                self._plan.append(Alternative())
            case If():
                self._plan[-1] = Alternative(conditions=(*conditions, said), lines=lines)
            case _ if isinstance(said, kind.lines):
                self._plan[-1] = Alternative(conditions=conditions, lines=(*lines, said))
            case _ if not isinstance(said, self._sorts.done):
                raise _stray(line)
        return True

    def _close_plan(self, otherwise: Otherwise) -> None:
        if self._kind is None:
            return
        if Alternative() in self._plan and not self._kind.may_be_empty:
            # Written so, something else was meant: a line was left out, or is not one of ours.
            raise _wrong(self._empty(), self._head)
        plan = Alternatives(alternatives=tuple(self._plan), otherwise=otherwise)
        self._read.append(_Read(self._kind.file(plan), self._head))
        self._kind = None

    def _in_answer(self, line: Line, said: Any) -> None:
        if isinstance(said, self._sorts.done):
            self._close_answer()
        elif isinstance(said, self._sorts.orders):
            self._orders = self._sorts.gather(self._orders or (), said)
        else:
            raise _stray(line)

    def _close_answer(self) -> None:
        if self._orders is not None:
            self._read.append(_Read(self._sorts.answer(self._orders), self._head))
            self._orders = None

    def _alone(self, line: Line, said: Any) -> None:
        sorts = self._sorts
        match said:
            case Mark(what="plan", value=value):
                self._kind, self._head, self._plan = sorts.plans[value], line, [Alternative()]
            case Mark(what="answer"):
                self._orders, self._head = (), line
            case Mark(what="undo"):
                if not self._taken_back(1):
                    raise _stray(line)
            case Mark(what="restart"):
                self._taken_back(len(self._read))
            case Mark(what="draft"):
                lines = self._taken_back(len(self._read))
                self._read.append(_Read(sorts.draft(tuple(lines)), line))
            case Mark() if self._read:
                before = self._read[-1]
                amended = sorts.amend(before.action, said)
                if amended is None:
                    raise _stray(line)
                self._read[-1] = before._replace(action=amended)
            case Mark() | If():
                raise _stray(line)
            case _ if isinstance(said, sorts.played) and self._is_over():
                raise _stray(line)
            case _ if isinstance(said, sorts.done) and self._answers:
                answer = self._gathered()
                self._read.append(_Read(answer, line))
            case _:
                self._read.append(_Read(said, line))

    def _is_over(self) -> bool:
        """True if the move is closed: what comes behind it would be another."""
        return any(isinstance(each.action, self._sorts.done) for each in self._read)

    def _taken_back(self, number: int) -> list[Any]:
        """The last lines of the move, which are none any more."""
        at = [n for n, each in enumerate(self._read) if isinstance(each.action, self._sorts.lines)]
        gone = at[len(at) - number :] if number < len(at) else at
        taken = [self._read[n].action for n in gone]
        self._read = [each for n, each in enumerate(self._read) if n not in gone]
        return taken

    def _gathered(self) -> Any:
        """The orders so far as the answer of who is asked for one."""
        orders: tuple[Any, ...] = ()
        for each in self._read:
            if isinstance(each.action, self._sorts.orders):
                orders = self._sorts.gather(orders, each.action)
        self._read = [e for e in self._read if not isinstance(e.action, self._sorts.orders)]
        return self._sorts.answer(orders)


def written(words: Vocabulary[M], *keys: M) -> frozenset[str]:
    """The words for these, in both languages, as the plain words of a line have them."""
    return frozenset(_plain(words.write(key, lang)) for key in keys for lang in ("en", "fr"))


def write_plan(
    plan: Alternatives[C, Any],
    lang: str,
    words: Vocabulary[str],
    condition: Callable[[If[C], str], str],
    line: Callable[[Any, str], str],
) -> list[str]:
    """The lines of a plan without its head and its closing word: alternatives parted by "or"."""
    said: list[str] = []
    for number, alternative in enumerate(plan.alternatives):
        said += [words.write("or", lang)] if number else []
        said += [condition(each, lang) for each in alternative.conditions]
        said += [line(each, lang) for each in alternative.lines]
    return [*said, words.write("otherwise", lang)]


def _plain(token: str) -> str:
    return folded(token).replace(" ", "")


def _wrong(
    error: IllegalAction, line: Line, index: int = 0, near: tuple[str, ...] = ()
) -> IllegalAction:
    """The error with the line it is in."""
    error.index = index
    error.context |= {"index": index, "text": line.text, "line": line.number, "nearest": near}
    return error


def _stray(line: Line) -> Unreadable:
    """A line that says nothing here."""
    return Unreadable(line.text, text=line.text, line=line.number, kind="order", expected=())

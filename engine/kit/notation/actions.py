"""A submission's text as actions: each read in the position after those before it.

What a word names is settled by what lies there, never by what would be legal; only what is left
out is completed by what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

import msgspec

from engine.kit.notation.meaning import Meaning
from engine.kit.notation.nearness import field_distance, nearest
from engine.kit.notation.syntax import Parser, Reader
from engine.kit.notation.text import LINE_ENDS, LONGEST, OF_ACTIONS, Folding, folded, too_long
from engine.protocol import (
    LANGUAGES,
    Ambiguous,
    Choices,
    Decision,
    IllegalAction,
    NotationError,
    Seat,
    Step,
    Unreadable,
)

S = TypeVar("S")
A = TypeVar("A")


class Order(Protocol):
    """One reading of an action's text. `verb` is the key of its production (`syntax.by_word`)."""

    @property
    def verb(self) -> str: ...


O = TypeVar("O", bound=Order)  # noqa: E741

NOBODY: Mapping[Seat, str] = MappingProxyType({})

MOST_LISTED = 12
"""As many readings or expected words as an answer lists."""

_MOST_PER_MEANING = 4
"""Of several meanings, as many completions of each as are listed."""


class Wanted(msgspec.Struct, frozen=True):
    """A thing missing in a text: its kind, the verb it is missing behind (empty before any), and
    words for it where the syntax alone knows them.
    """

    kind: str
    verb: str = ""
    examples: tuple[str, ...] = ()


class ReadingContext(msgspec.Struct, Generic[S, A], frozen=True):
    """The context of a text: the position it is read in, whose it is, what is offered there, and
    the language of the answer. `listed` is what is offered without that of decisions which only
    list examples.
    """

    state: S
    seat: Seat
    choices: Choices[A] | tuple[()]
    listed: Choices[A] | tuple[()]
    lang: str


class _Together(Generic[A]):
    """The choices of several open decisions of one seat."""

    def __init__(self, decisions: Sequence[Decision[A]]) -> None:
        self._decisions = decisions

    def __iter__(self) -> Iterator[A]:
        return chain.from_iterable(decision.choices for decision in self._decisions)

    def __contains__(self, action: object) -> bool:
        return any(action in decision.choices for decision in self._decisions)


class _Typed(msgspec.Struct, Generic[O], frozen=True):
    """The text of one action, and every way its syntax can be read."""

    text: str
    orders: list[O]


class ActionNotation(Generic[S, A, O]):
    """The notation of a game (`engine.protocol.Notation`), made of its words, productions and
    meanings. O is what its productions read: the text as data, in no position.

    - `words`, `keeps`, `format` and `meaning` are as in the protocol; without `meaning` no two
      actions are alike.
    - `grammar` are the productions of one action.
    - `meanings` gives everything a reading can mean in a position.
    - `decisions` and `apply` are those of the game, with a chance whose draws do not matter.
      What is left out of a text is never completed by an example of an open decision.
    - `kinds` are kinds of what can be missing, the most telling first: the first is that of an
      action's verb, the second of what is named behind it. Of a kind of several words ("other
      tile") the last one is told.
    - `expected` gives texts of what is missing; without it, verbs are those of what is offered, and
      other words those that the grammar knows.
    - `operand` is what can stand only behind a verb: a text that begins with it lacks one.
    - `of_time` are codes of rules that an action can break whatever it names: told even of a text
      that names too little to break another.
    - `form` and `distance` say which actions are compared to find the nearest, and how far apart
      they are; without them, those of one type, by the fields that differ.
    - `reads_past_reveals`: actions behind a reveal are read as far as they tell by themselves
      (`engine.play` gives them back as not played). Otherwise they are refused, like those behind
      the end of the turn.
    - `spoken` makes a text that is written in sentences, as letters print them, what `grammar`
      reads. It is asked about texts that cannot be read as they are.
    - `seat_words`, `by_names` and `guessed` are those of `engine.protocol.HasOtherNames`.
    """

    def __init__(
        self,
        *,
        words: frozenset[str],
        grammar: Parser[O],
        meanings: Callable[[S, Seat, O], Iterable[Meaning[A]]],
        format: Callable[[S, Seat, A, str], str],
        decisions: Callable[[S], Sequence[Decision[A]]],
        apply: Callable[[S, Seat, A], Step[S]],
        keeps: frozenset[str] = frozenset(),
        folding: Folding = OF_ACTIONS,
        kinds: Sequence[str] = ("verb", "name", "end"),
        expected: Callable[[ReadingContext[S, A], Wanted], Iterable[str]] | None = None,
        operand: Parser[object] | None = None,
        of_time: frozenset[str] = frozenset(),
        meaning: Callable[[S, Seat, A], Hashable] = lambda state, seat, action: action,
        form: Callable[[A], Hashable] = type,
        distance: Callable[[S, Seat, A, A], float] = lambda state, seat, one, other: field_distance(
            one, other, {}
        ),
        reads_past_reveals: bool = True,
        spoken: Callable[[str], str] | None = None,
        seat_words: Mapping[Seat, str] = NOBODY,
        by_names: Callable[[str], str] = str,
        guessed: Callable[[str], str] = str,
    ) -> None:
        self.words = words
        self.seat_words = seat_words
        self.by_names = by_names
        self.guessed = guessed
        self.keeps = keeps
        self.format = format
        self.meaning = meaning
        self._grammar = grammar
        self._meanings = meanings
        self._decisions = decisions
        self._apply = apply
        self._folding = folding
        self._in_lines = folding.between is LINE_ENDS
        self._kinds = kinds
        self._expected = expected or self._expected_by_words
        self._operand = operand
        self._of_time = of_time
        self._form = form
        self._distance = distance
        self._reads_past_reveals = reads_past_reveals
        self._spoken = spoken

    def parse(self, state: S, seat: Seat, text: str, lang: str) -> tuple[A, ...]:
        """The actions of a submission; at least one.

        All languages are read; `lang` is that of the texts in errors. An error's `context` has the
        `text` of the action at fault and its `index`; where actions are whole lines, also the
        number of the `line`, those without a word not counted. Unreadable has `kind`, one of
        `kinds`, and `expected`, texts of that kind, and is `unfit` if it can be read and nothing
        that is offered is like it; Ambiguous `total`, of which `readings` are the
        first; IllegalAction `nearest`, texts of legal choices, and is raised for an action that is
        too long to be read, too. Raises Unreadable, Ambiguous, IllegalAction.
        """
        try:
            return self._parse(state, seat, text, lang)
        except (NotationError, IllegalAction) as fault:
            spoken = self._spoken(text) if self._spoken is not None else text
            if spoken == text:
                raise
            try:
                return self._parse(state, seat, spoken, lang)
            except Unreadable as error:
                further = len(error.begun) > len(getattr(fault, "begun", ()))
                if error.fragment in text or error.context.get("unfit"):
                    raise
                if further:
                    error.fragment = self._typed(error.fragment, text)
                    raise
                # What was typed is told of, not what it was made.
            raise

    def _typed(self, fragment: str, text: str) -> str:
        """What was typed of a fragment that was made of more: its first word that is none of ours,
        or the first that was typed at all; the fragment if none was.
        """
        typed = [word for word in fragment.split() if word in text]
        unknown = (word for word in typed if folded(word) not in self.words)
        return next(unknown, next(iter(typed), fragment))

    def _parse(self, state: S, seat: Seat, text: str, lang: str) -> tuple[A, ...]:
        typed = self._cut(text)
        begun = self._own(state, seat)
        if not typed:
            here = self._context(state, seat, begun, lang)
            bare = text.strip()
            raise self._placed(self._unreadable(here, bare, bare, Wanted(self._kinds[0])), ())
        read: list[A] = []
        revealed = False
        for index, part in enumerate(typed):
            decisions = self._own(state, seat)
            if read and not revealed and not _goes_on(begun, decisions):
                # The decision is made: what follows is another's, or another turn's.
                raise self._placed(IllegalAction("turn_over", "", text=part.text, nearest=()), read)
            here = self._context(state, seat, decisions, lang)
            before = len(read)  # a text may say several steps
            try:
                if revealed:
                    read += self._by_itself(here, part)
                    continue
                steps = self._choose(here, part)
                read += steps
                if index + 1 < len(typed):
                    for action in steps[:-1]:
                        state = self._apply(state, seat, action).state
                    step = self._apply(state, seat, steps[-1])
                    revealed = step.reveals and self._reads_past_reveals
                    # What was revealed must not show in an error: nothing is played by then.
                    state = state if revealed else step.state
            except (NotationError, IllegalAction) as error:
                self._placed(error, read[:before])
                raise
        return tuple(read)

    def verbs(self, text: str) -> frozenset[str]:
        """The verbs of actions that a text may be, whatever is legal (`HasOtherNames`)."""
        spoken = self._spoken(text) if self._spoken is not None else text
        return frozenset(order.verb for each in (text, spoken) for order in self._orders(each))

    def nearest(self, state: S, seat: Seat, action: A, limit: int = 3) -> tuple[A, ...]:
        """Up to `limit` offered actions, the most similar first, those alike once.

        When nothing of the form is offered: the first of each other form.
        """
        return nearest(
            action,
            _choices(self._own(state, seat)),
            lambda other: self._distance(state, seat, action, other),
            limit,
            self._form,
            lambda other: self.meaning(state, seat, other),
        )

    def _expected_by_words(self, here: ReadingContext[S, A], wanted: Wanted) -> Iterable[str]:
        if wanted.kind == self._kinds[0]:
            return (self._write(here, action).partition(" ")[0] for action in here.choices)
        return wanted.examples

    # Positions

    def _own(self, state: S, seat: Seat) -> list[Decision[A]]:
        return [decision for decision in self._decisions(state) if decision.seat == seat]

    def _context(
        self, state: S, seat: Seat, decisions: Sequence[Decision[A]], lang: str
    ) -> ReadingContext[S, A]:
        listing = [decision for decision in decisions if not decision.open]
        choices = _choices(decisions)
        listed = choices if len(listing) == len(decisions) else _choices(listing)
        return ReadingContext(state, seat, choices, listed, lang)

    def _write(self, here: ReadingContext[S, A], action: A) -> str:
        return self.format(here.state, here.seat, action, here.lang)

    def _write_steps(self, here: ReadingContext[S, A], steps: tuple[A, ...]) -> str:
        """The texts of the steps, those after an illegal one left out."""
        state, written = here.state, [self._write(here, steps[0])]
        for before, action in pairwise(steps):
            try:
                state = self._apply(state, here.seat, before).state
            except IllegalAction:
                break
            written.append(self.format(state, here.seat, action, here.lang))
        return ", ".join(written)

    # Syntax

    def _cut(self, text: str) -> list[_Typed[O]]:
        """Texts between separators. One that is no action belongs to the action before it, if it
        fits, unless actions are whole lines: so things named in a list may be separated like
        actions.
        """
        found: list[_Typed[O]] = []
        for piece in self._folding.pieces(text):
            orders = self._orders(piece)
            if not orders and found and not self._in_lines:
                joined = f"{found[-1].text} {piece}"
                together = self._orders(joined)
                if together:
                    found[-1] = _Typed(joined, together)
                    continue
            found.append(_Typed(piece, orders))
        return found

    def _orders(self, text: str) -> list[O]:
        if len(text) > LONGEST:
            return []
        return Reader(self._folding.plain(text)).readings(self._grammar)

    # Meaning

    def _choose(self, here: ReadingContext[S, A], part: _Typed[O]) -> tuple[A, ...]:
        """The one action a text means, or the steps of one."""
        meant = [
            meaning
            for order in part.orders
            for meaning in self._meanings(here.state, here.seat, order)
        ]
        # What names only things that lie there goes before what does not, whatever is legal.
        meant = [meaning for meaning in meant if meaning.present] or meant
        if not meant:
            raise self._stuck(here, part.text)
        if len(meant) > 1:
            return self._agreed(here, part, meant)
        completions = self._distinct(here, meant[0])
        if len(completions) > 1:
            raise self._ambiguous(here, part.text, [(action,) for action in completions])
        first = completions[0] if completions else self._refused(here, part, meant[0])
        return self._followed(here, part, (first, *meant[0].then))

    def _followed(
        self, here: ReadingContext[S, A], part: _Typed[O], steps: tuple[A, ...]
    ) -> tuple[A, ...]:
        """The steps, if each is legal after those before it. Raises IllegalAction."""
        for before, action in pairwise(steps):
            state = self._apply(here.state, here.seat, before).state
            here = self._context(state, here.seat, self._own(state, here.seat), here.lang)
            if action not in here.choices:
                try:
                    self._apply(state, here.seat, action)
                except IllegalAction as error:
                    raise self._illegal(here, error, part.text, action) from error
        return steps

    def _by_itself(self, here: ReadingContext[S, A], part: _Typed[O]) -> tuple[A, ...]:
        """What a text says that stands behind a reveal: it is not checked, for it is not played."""
        for order in part.orders:
            for meaning in self._meanings(here.state, here.seat, order):
                if not meaning.missing:
                    return (meaning.action, *meaning.then)
        raise self._stuck(here, part.text)

    def _distinct(self, here: ReadingContext[S, A], meaning: Meaning[A]) -> list[A]:
        """The completions of a meaning, of those alike the first."""
        found: dict[Hashable, A] = {}
        for action in meaning.completions(here.choices, here.listed):
            found.setdefault(self.meaning(here.state, here.seat, action), action)
        return list(found.values())

    def _refused(self, here: ReadingContext[S, A], part: _Typed[O], meaning: Meaning[A]) -> A:
        """Raises the rule an action breaks; Unreadable if the text says too little to break one."""
        error = self._broken(here, meaning)
        if error is not None:
            raise self._illegal(here, error, part.text, meaning.action)
        wanted = Wanted(meaning.missing, part.orders[0].verb)
        unread = self._unreadable(here, part.text, part.text, wanted)
        unread.context["unfit"] = True
        raise unread

    def _broken(self, here: ReadingContext[S, A], meaning: Meaning[A]) -> IllegalAction | None:
        """The rule that all a text can mean breaks; None if it says too little to break one."""
        try:
            self._apply(here.state, here.seat, meaning.action)
        except IllegalAction as error:
            # What does not lie there breaks a rule, whatever else is missing.
            named = not meaning.missing or not meaning.present
            return error if named or error.code in self._of_time else None
        return None

    def _agreed(
        self, here: ReadingContext[S, A], part: _Typed[O], meant: list[Meaning[A]]
    ) -> tuple[A, ...]:
        """The action all of several meanings come to, or its steps."""
        readings: dict[tuple[A, ...], None] = {}
        for meaning in meant:
            for action in self._distinct(here, meaning)[:_MOST_PER_MEANING]:
                readings[action, *meaning.then] = None
        if not readings:
            raise self._all_refused(here, part, meant)
        readings.update(((m.action, *m.then), None) for m in meant if not m.missing)
        if len(readings) > 1 or any(meaning.missing for meaning in meant):
            raise self._ambiguous(here, part.text, list(readings))
        return self._followed(here, part, next(iter(readings)))

    def _all_refused(
        self, here: ReadingContext[S, A], part: _Typed[O], meant: list[Meaning[A]]
    ) -> NotationError | IllegalAction:
        """The error for several meanings none of which is legal: the rule if all break the same."""
        errors = [self._broken(here, meaning) for meaning in meant]
        first = errors[0]
        if first is not None and all(
            error is not None and (error.code, error.context) == (first.code, first.context)
            for error in errors
        ):
            return self._illegal(here, first, part.text, meant[0].action)
        if len({order.verb for order in part.orders}) > 1:
            return self._unreadable(here, part.text, part.text, Wanted(self._kinds[0]))
        whole = [(m.action, *m.then) for m in meant if not m.missing and m.present]
        if whole:
            return self._ambiguous(here, part.text, whole)
        wanted = Wanted(self._kinds[1], part.orders[0].verb)
        return self._unreadable(here, part.text, part.text, wanted)

    # Complaints: data for the wording

    def _stuck(self, here: ReadingContext[S, A], text: str) -> Unreadable | IllegalAction:
        """The error for a text that no reading fits; the fragment is the word it fails at."""
        if len(text) > LONGEST:
            return too_long(text)
        plain = self._folding.plain(text)
        reader = Reader(plain)
        reader.readings(self._grammar)
        if self._operand is not None and Reader(plain).begins_with(self._operand):
            return self._unreadable(here, text, text, Wanted(self._kinds[0]))
        first = text.split(maxsplit=1)[0] if text.split() else text
        if reader.verb and self._is_of_another_time(here, first, reader.verb):
            return self._unreadable(here, text, first, Wanted(self._kinds[0]))
        kind = next((kind for kind in self._kinds if kind in reader.wanted), self._kinds[0])
        wanted = Wanted(kind, reader.verb, tuple(reader.examples(kind, here.lang)))
        return self._unreadable(here, text, plain.typed_at(reader.stuck_at) or text, wanted)

    def _is_of_another_time(self, here: ReadingContext[S, A], first: str, verb: str) -> bool:
        """True if no action that is offered has the verb which a text begins with."""
        wanted = Wanted(self._kinds[0])
        offered = [
            word
            for lang in LANGUAGES
            for word in self._expected(msgspec.structs.replace(here, lang=lang), wanted)
        ]
        if not offered or any(folded(word).startswith(folded(first)) for word in offered):
            return False
        examples = {text.partition(" ")[0]: text for text in self._written(here)}
        verbs = {order.verb for text in examples.values() for order in self._orders(text)}
        return verb not in verbs

    def _written(self, here: ReadingContext[S, A]) -> Iterator[str]:
        return (self._write(here, action) for action in here.choices)

    def _unreadable(
        self, here: ReadingContext[S, A], text: str, fragment: str, wanted: Wanted
    ) -> Unreadable:
        expected = dict.fromkeys(self._expected(here, wanted))
        return Unreadable(
            fragment,
            text=text,
            kind=wanted.kind.rpartition(" ")[2],
            verb=wanted.verb,
            expected=tuple(expected)[:MOST_LISTED],
        )

    def _ambiguous(
        self, here: ReadingContext[S, A], text: str, readings: Sequence[tuple[A, ...]]
    ) -> Ambiguous:
        texts = dict.fromkeys(self._write_steps(here, steps) for steps in readings[:MOST_LISTED])
        return Ambiguous(text, tuple(texts), text=text, total=len(readings))

    def _placed(
        self, error: NotationError | IllegalAction, begun: Sequence[A]
    ) -> NotationError | IllegalAction:
        """The error with the actions before the one at fault, and so its place."""
        error.begun, index = tuple(begun), len(begun)
        if isinstance(error, IllegalAction):
            error.index = index
        error.context["index"] = index
        if self._in_lines:
            error.context["line"] = index + 1
        return error

    def _illegal(
        self, here: ReadingContext[S, A], error: IllegalAction, text: str, action: A
    ) -> IllegalAction:
        """The error with the text and the nearest legal choices added to its context."""
        legal = self.nearest(here.state, here.seat, action)
        error.context["text"] = text
        error.context["nearest"] = tuple(self._write(here, other) for other in legal)
        return error


def _choices(decisions: Sequence[Decision[A]]) -> Choices[A] | tuple[()]:
    if len(decisions) > 1:
        return _Together(decisions)
    return decisions[0].choices if decisions else ()


def _goes_on(begun: Sequence[Decision[A]], decisions: Sequence[Decision[A]]) -> bool:
    """True if one of the decisions is open that were when the submission began."""
    ids = {decision.id for decision in begun}
    return any(decision.id in ids for decision in decisions)

"""Combinators for productions: every way a text can be read, without looking at a position.

A parser takes a place in the text and gives every reading from there, each with the place behind
it, lazily and in a fixed order. What is ambiguous stays so here; meanings ask the position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar, overload

from engine.kit.notation.text import Plain
from engine.kit.notation.words import Names, Vocabulary

T = TypeVar("T")
U = TypeVar("U")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
M = TypeVar("M")

GAP = re.compile(r"[ -]*")
"""What may stand before a word: spaces and whatever joins words, or nothing."""
SPACES = re.compile(r" *")

MOST_REPEATED = 100
"""As often as something stands again and again in a text that is read: a bound on recursion."""
MOST_STEPS = 30_000
"""Words that are looked for in one text before reading is given up. Each of a few words that mean
several things doubles the readings: none of these texts is an order."""

Examples: TypeAlias = Callable[[str], Iterable[str]]
"""What could stand at a place, as written in a language."""


class _TooManyReadings(Exception):
    """The bound of MOST_STEPS is reached."""


class Reader:
    """One text being read. When no reading fits, `stuck_at`, `wanted` and `verb` say why.

    `stuck_at` is the farthest place that was reached, `wanted` are the kinds of what could have
    stood there, with examples; `verb` is the key of the production (`by_word`) that was being read
    there, empty before any.
    """

    def __init__(self, text: Plain) -> None:
        self.text = text
        self.chars = text.chars
        self.stuck_at = 0
        self.wanted: dict[str, list[Examples]] = {}
        self.verb = ""
        self._verb = ""
        self._steps = 0

    def readings(self, parser: Parser[T]) -> list[T]:
        """Every reading of the whole text, each once; none if they are too many to be looked at."""
        found: dict[T, None] = {}
        try:
            for value, at in parser(self, 0):
                if self.is_end(at):
                    found[value] = None
                else:
                    self.note(at, "end")
        except _TooManyReadings:
            return []
        return list(found)

    def begins_with(self, parser: Parser[Any]) -> bool:
        """True if the text begins with what this parser reads."""
        return any(True for _ in parser(self, 0))

    def start(self, at: int, gap: re.Pattern[str] = GAP) -> int:
        """The place behind a gap, where a parser looks for its word."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise _TooManyReadings
        return self.after(gap, at)

    def is_end(self, at: int) -> bool:
        """True if nothing is left from here."""
        return self.after(GAP, at) == len(self.chars)

    def after(self, gap: re.Pattern[str], at: int) -> int:
        """The place behind a gap."""
        match = gap.match(self.chars, at)
        return match.end() if match else at

    def enter(self, verb: str) -> None:
        """Note that the production of this verb is being read from now on."""
        self._verb = verb

    def note(self, at: int, kind: str, examples: Examples | None = None) -> None:
        """Note that something of this kind could stand here, but does not."""
        at = self.after(GAP, at)
        if at < self.stuck_at:
            return
        if at > self.stuck_at:
            self.stuck_at, self.wanted, self.verb = at, {}, self._verb
        wanted = self.wanted.setdefault(kind, [])
        if examples is not None:
            wanted.append(examples)

    def refuse(self, kind: str) -> None:
        """Say that the text as it stands lacks something of this kind at its beginning."""
        self.stuck_at, self.wanted = 0, {kind: []}

    def examples(self, kind: str, lang: str) -> list[str]:
        """The texts of this kind that could stand where reading got stuck."""
        listed = (text for each in self.wanted.get(kind, ()) for text in each(lang))
        return list(dict.fromkeys(listed))


Parser: TypeAlias = Callable[[Reader, int], Iterator[tuple[T, int]]]
"""Reads from a place of a text: gives every reading with the place behind it."""


# Terminals


def word(vocabulary: Vocabulary[M], kind: str, gap: re.Pattern[str] = GAP) -> Parser[frozenset[M]]:
    """A word, with all that it can mean."""

    def read(reader: Reader, at: int) -> Iterator[tuple[frozenset[M], int]]:
        found = False
        for meanings, end in vocabulary.read(reader.chars, reader.start(at, gap)):
            found = True
            yield meanings, end
        if not found:
            reader.note(at, kind, vocabulary.all_written)

    return read


def keyword(names: Names, kind: str = "word") -> Parser[None]:
    """One word, by language, that means nothing but itself."""
    words = word(Vocabulary({None: names}), kind)

    def read(reader: Reader, at: int) -> Iterator[tuple[None, int]]:
        for _, end in words(reader, at):
            yield None, end

    return read


def each(vocabulary: Vocabulary[M], kind: str, gap: re.Pattern[str] = GAP) -> Parser[M]:
    """A word, one reading for each thing that it can mean."""
    words = word(vocabulary, kind, gap)

    def read(reader: Reader, at: int) -> Iterator[tuple[M, int]]:
        for meanings, end in words(reader, at):
            for meaning in vocabulary.in_order(meanings):
                yield meaning, end

    return read


def pattern(
    regex: str,
    make: Callable[[re.Match[str]], T],
    kind: str = "",
    *,
    examples: Names = MappingProxyType({}),
    gap: re.Pattern[str] = GAP,
) -> Parser[T]:
    """A match of a regular expression. Without a kind nobody is told that it could stand there;
    `examples` are texts, by language.
    """
    compiled = re.compile(regex)
    listed = {lang: (text,) if isinstance(text, str) else text for lang, text in examples.items()}

    def read(reader: Reader, at: int) -> Iterator[tuple[T, int]]:
        match = compiled.match(reader.chars, reader.start(at, gap))
        if match:
            yield make(match), match.end()
        elif kind:
            reader.note(at, kind, lambda lang: listed.get(lang, ()))

    return read


def number(
    kind: str = "number", *, most_digits: int = 2, gap: re.Pattern[str] = GAP
) -> Parser[int]:
    """A number without sign."""
    regex = rf"([0-9]{{1,{most_digits}}})(?![0-9])"
    return pattern(regex, lambda match: int(match[1]), kind, gap=gap)


# Combinations


def either(*parsers: Parser[T]) -> Parser[T]:
    """Any of several, all readings of the first before those of the next."""

    def read(reader: Reader, at: int) -> Iterator[tuple[T, int]]:
        for parser in parsers:
            yield from parser(reader, at)

    return read


def maybe(parser: Parser[T], without: U) -> Parser[T | U]:
    """Something that may be left out; the reading without it comes first."""

    def read(reader: Reader, at: int) -> Iterator[tuple[T | U, int]]:
        yield without, at
        yield from parser(reader, at)

    return read


def many(parser: Parser[T], least: int = 0) -> Parser[tuple[T, ...]]:
    """Something again and again, the shorter readings first."""

    def more(reader: Reader, at: int, before: tuple[T, ...]) -> Iterator[tuple[tuple[T, ...], int]]:
        if len(before) >= least:
            yield before, at
        if len(before) == MOST_REPEATED:
            return
        for value, end in parser(reader, at):
            if end > at:
                yield from more(reader, end, (*before, value))

    return lambda reader, at: more(reader, at, ())


def parted(parser: Parser[T], by: Parser[Any]) -> Parser[tuple[T, ...]]:
    """One or more of something with a separator between them."""
    return into(lambda first, rest: (first, *rest), parser, many(after(by, parser)))


def after(first: Parser[Any], then: Parser[T]) -> Parser[T]:
    """Something behind a word that only leads to it."""

    def read(reader: Reader, at: int) -> Iterator[tuple[T, int]]:
        for _, end in first(reader, at):
            yield from then(reader, end)

    return read


def before(last: Parser[Any], parser: Parser[T]) -> Parser[T]:
    """Something in front of a word that only ends it."""

    def read(reader: Reader, at: int) -> Iterator[tuple[T, int]]:
        for value, end in parser(reader, at):
            for _, behind in last(reader, end):
                yield value, behind

    return read


@overload
def into(make: Callable[[A], T], a: Parser[A], /) -> Parser[T]: ...
@overload
def into(make: Callable[[A, B], T], a: Parser[A], b: Parser[B], /) -> Parser[T]: ...
@overload
def into(
    make: Callable[[A, B, C], T], a: Parser[A], b: Parser[B], c: Parser[C], /
) -> Parser[T]: ...
@overload
def into(
    make: Callable[[A, B, C, D], T], a: Parser[A], b: Parser[B], c: Parser[C], d: Parser[D], /
) -> Parser[T]: ...
@overload
def into(
    make: Callable[[A, B, C, D, E], T],
    a: Parser[A],
    b: Parser[B],
    c: Parser[C],
    d: Parser[D],
    e: Parser[E],
    /,
) -> Parser[T]: ...
def into(make: Callable[..., T], /, *parsers: Parser[Any]) -> Parser[T]:
    """One thing made of several, one behind the other."""
    last = len(parsers)

    def more(reader: Reader, at: int, parts: tuple[Any, ...]) -> Iterator[tuple[T, int]]:
        if len(parts) == last:
            yield make(*parts), at
            return
        for part, end in parsers[len(parts)](reader, at):
            yield from more(reader, end, (*parts, part))

    return lambda reader, at: more(reader, at, ())


def leading(make: Callable[..., T], *parsers: Parser[Any]) -> Parser[T]:
    """One thing made of several of which the last ones may be left out, the shorter ones first."""
    last = len(parsers)

    def more(reader: Reader, at: int, parts: tuple[Any, ...]) -> Iterator[tuple[T, int]]:
        yield make(*parts), at
        if len(parts) < last:
            for part, end in parsers[len(parts)](reader, at):
                yield from more(reader, end, (*parts, part))

    return lambda reader, at: more(reader, at, ())


def by_word(vocabulary: Vocabulary[M], kind: str, productions: Mapping[M, Parser[T]]) -> Parser[T]:
    """A word that says which production follows it; they are tried in the order of the mapping.
    Other words of the vocabulary cannot stand here.
    """

    def examples(lang: str) -> list[str]:
        return [vocabulary.write(meaning, lang) for meaning in productions]

    def read(reader: Reader, at: int) -> Iterator[tuple[T, int]]:
        found = False
        for meanings, end in vocabulary.read(reader.chars, reader.start(at)):
            for meaning, production in productions.items():
                if meaning in meanings:
                    found = True
                    reader.enter(str(meaning))
                    yield from production(reader, end)
        if not found:
            reader.note(at, kind, examples)

    return read


def unless(other: Parser[Any], parser: Parser[T], kind: str) -> Parser[T]:
    """Something, unless the whole text can be read as `other`: then what is lacking is a `kind`."""

    def read(reader: Reader, at: int) -> Iterator[tuple[T, int]]:
        if any(reader.is_end(end) for _, end in other(reader, at)):
            reader.refuse(kind)
        else:
            yield from parser(reader, at)

    return read

"""Whole lines: orders, conditions and plans, one in a line, read without looking at a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

from engine.kit.notation.actions import MOST_LISTED
from engine.kit.notation.syntax import Parser, Reader
from engine.kit.notation.text import LINE_ENDS, LONGEST, OF_LINES, Folding, too_long
from engine.kit.notation.words import Vocabulary
from engine.protocol import Ambiguous, IllegalAction, Unreadable

T = TypeVar("T")

_BREAKS = re.compile("\r\n|" + LINE_ENDS.pattern.removesuffix("+"))


class Line(msgspec.Struct, frozen=True):
    """A line, and its number in the text, from 1; that of the first line if it was wrapped."""

    number: int
    text: str


class WholeLines(Generic[T]):
    """A grammar of lines.

    `kinds` are kinds of what can be missing, the most telling first; those left out come last.
    `write` gives the text of what a line says, for lines that can be read in two ways.
    `begins` are the words of which one stands at the beginning of each of these lines among lines
    of another sort, `continues` those that begin a line which goes on with the one above it, and
    `awaits` those after which a line goes on below. At most `most` lines are read, of `longest`
    characters each.
    """

    def __init__(
        self,
        grammar: Parser[T],
        write: Callable[[T, str], str],
        *,
        folding: Folding = OF_LINES,
        kinds: Sequence[str] = (),
        begins: Vocabulary[str] | None = None,
        continues: Vocabulary[str] | None = None,
        awaits: Vocabulary[str] | None = None,
        most: int = 60,
        longest: int = LONGEST,
    ) -> None:
        self._grammar = grammar
        self._write = write
        self._folding = folding
        self._kinds = kinds
        self._begins = begins
        self._continues = continues
        self._awaits = awaits
        self._most = most
        self._longest = longest

    def cut(self, text: str) -> tuple[str, list[Line]]:
        """The text without these lines, and these lines, wrapped ones joined.

        Lines of the other sort are blank there, so that lines keep their numbers.
        """
        rest: list[str] = []
        found: list[Line] = []
        inside = False
        for number, line in enumerate(_BREAKS.split(text), 1):
            if self._begins is None or self._starts(line, self._begins):
                inside = True
                if not self._folding.plain(line).is_empty:
                    found.append(Line(number, line.strip()))
                rest.append("")
            elif inside and self._goes_on(found[-1].text, line):
                found[-1] = Line(found[-1].number, f"{found[-1].text} {line.strip()}")
                rest.append("")
            else:
                inside = False
                rest.append(line)
        return "\n".join(rest), found

    def read(self, lines: Iterable[Line], lang: str) -> list[T]:
        """The values of these lines.

        An error's `context` has the `line` (its number) and its `text`; Unreadable has `kind` and
        `expected`, texts of what could stand at the fragment, in the reader's language; Ambiguous
        has the readings. IllegalAction says that a line is too long, or that there are too many.
        Raises Unreadable, Ambiguous, IllegalAction.
        """
        found = []
        for at, line in enumerate(lines):
            if at == self._most:
                raise IllegalAction("many_lines", "", most=self._most, line=line.number)
            found.append(self._read(line, lang))
        return found

    def _read(self, line: Line, lang: str) -> T:
        if len(line.text) > self._longest:
            error = too_long(line.text, self._longest)
            error.context["line"] = line.number
            raise error
        plain = self._folding.plain(line.text)
        reader = Reader(plain)
        readings = reader.readings(self._grammar)
        if len(readings) > 1:
            texts = dict.fromkeys(self._write(each, lang) for each in readings[:MOST_LISTED])
            context = {"text": line.text, "line": line.number, "total": len(readings)}
            raise Ambiguous(line.text, tuple(texts), **context)
        if readings:
            return readings[0]
        ranked = (kind for kind in self._kinds if kind in reader.wanted)
        kind = next(ranked, "") or next(iter(reader.wanted), "end")
        fragment = plain.typed_at(reader.stuck_at)
        expected = [text for each in reader.wanted for text in reader.examples(each, lang)]
        raise self._unreadable(line, fragment, kind, dict.fromkeys(expected))

    def _unreadable(
        self, line: Line, fragment: str, kind: str, expected: Iterable[str]
    ) -> Unreadable:
        return Unreadable(
            fragment or line.text,
            text=line.text,
            line=line.number,
            kind=kind,
            expected=tuple(expected)[:MOST_LISTED],
        )

    def _goes_on(self, above: str, line: str) -> bool:
        """True if a line is the rest of the one above it, which a mailer has wrapped."""
        if self._continues is not None and self._starts(line, self._continues):
            return True
        chars = self._folding.plain(above).chars.rstrip()
        last = chars.rfind(" ") + 1 if chars[-1:].isalnum() else len(chars) - 1
        waits = self._awaits is not None and self._awaits.written_out(chars, max(0, last))
        return waits and not self._folding.plain(line).is_empty

    def _starts(self, line: str, words: Vocabulary[str]) -> bool:
        """True if one of these words, written out, stands at the beginning of the line."""
        chars = self._folding.plain(line).chars
        start = len(chars) - len(chars.lstrip(" -"))
        return words.written_out(chars, start)

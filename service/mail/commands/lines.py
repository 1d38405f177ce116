"""Lines of a reply: which are a turn, which say the number of a choice, and which are prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from engine.protocol import Notation
from service.core.plain import plain, tokens, typed
from service.mail.commands.courtesy import says_nothing, without_politeness
from service.mail.commands.likeness import known
from service.mail.commands.numbers import Choice, choice_of

_OR = frozenset({"or", "ou", "and", "et"})
_ELSE = _OR | {"bien", "sinon", "else", "rather", "plutot", "alternatively"}
_BEFORE_A_VERB = (
    "i i'll i'd je j' then puis et and ensuite alors donc so now will would like want to "
    "j'aimerais voudrais aimerais veux vais"
)
_LEADING = frozenset(_BEFORE_A_VERB.split())
_TOWARDS = frozenset(("a", "au", "aux", "en", "vers", "jusqu"))
"""Words that make a verb of the "vais" before them, which elsewhere only leads to one."""
_LONGEST_SLIP = 7
"""Words of a line beginning with a game's verb that is a turn with a slip, and no prose."""

_MARKER = re.compile(r"^\s*(?:(?:[-*•–—>]|\d{1,2}[.)])\s+)+")


def without_marker(line: str) -> str:
    """The line without what marks it as one of a list."""
    return _MARKER.sub("", line)


def is_kept(line: str, keeps: frozenset[str]) -> bool:
    """True if a line, or a part of one, begins with a word that the notation keeps."""
    return bool(keeps) and not keeps.isdisjoint(tokens(without_marker(line))[:1])


class Lines:
    """Tells the lines of a turn from others, by the words of a notation and by whether it `reads` a
    line; `names` are those of the table, which say nothing.
    """

    def __init__(
        self,
        notation: Notation[Any, Any],
        reads: Callable[[str], bool],
        names: Collection[str] = (),
    ) -> None:
        self._reads = reads
        self._names = names
        self._words = notation.words
        self._keeps = notation.keeps
        self._else = _ELSE - self._keeps
        self._leading = _LEADING - self._keeps
        self._typed: dict[str, str] = {}

    def as_typed(self, text: str) -> str:
        """The lines of a text that was found as they were written, with what led to them."""
        return "\n".join(self._typed.get(line, line) for line in text.split("\n"))

    def sorted(self, paragraphs: Sequence[Sequence[str]]) -> tuple[list[Choice], list[list[str]]]:
        """The lines that say the number of a choice, and those of turns by paragraph.

        A number is the answer if it is the first line: below prose it may be about anything.
        """
        choices: list[Choice] = []
        clear: list[Choice] = []
        blocks: list[list[str]] = []
        first, answered = True, False
        for paragraph in (part for whole in paragraphs for part in self._parted(whole)):
            lines = []
            written = [typed(line) for line in paragraph]
            for at, line in enumerate(written):
                order = self._kept_order(line)
                choice = choice_of(line, self._names) if order is None else None
                if choice is None:
                    stripped = self._stripped(line) if order is None else order
                    self._typed.setdefault(stripped, line)
                    lines.append(stripped)
                else:
                    goes_on = self._is_prose(written[at + 1]) if at + 1 < len(written) else False
                    sure = choice.sure and (first or answered) and not goes_on
                    clear.append(choice)
                    choices.append(Choice(choice.numbers, sure))
                    answered = answered or sure
                first = False
            block = self._block(lines)
            if block:
                blocks.append(block)
        # Beside a turn in writing a number is a second one, wherever it stands: which is it?
        return clear if blocks else choices, blocks

    def _is_prose(self, line: str) -> bool:
        """True if a line goes on with the sentence of the one before it."""
        return line[:1].islower() and not self._resembles(line) and not self._is_else(line)

    def _kept_order(self, line: str) -> str | None:
        """The order in a line that begins with a word which the notation keeps; None if the
        notation cannot read it. So "take 2" is no number of a choice where it takes two.
        """
        order = self._stripped(line) if self._keeps else line
        if not is_kept(order, self._keeps):
            return None
        shorter = without_politeness(order)
        return next((text for text in (order, shorter) if self._reads(text)), None)

    def _block(self, lines: Sequence[str]) -> list[str]:
        """The lines of one paragraph that belong to a turn.

        What stands between two of them belongs to it even if it looks like nothing, and so does a
        line beside one that begins with a verb: rather a question back than half a turn.
        """
        alike = [self._resembles(line) for line in lines]
        if not any(alike):
            return []
        first, last = alike.index(True), len(alike) - 1 - alike[::-1].index(True)
        while first > 0 and self._begins(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and self._begins(lines[last + 1]):
            last += 1
        return [line for line in lines[first : last + 1] if line]

    def _stripped(self, line: str) -> str:
        """A line without list marks, without polite fragments at its ends, without what leads to a
        turn ("my move:", "I", "then").
        """
        line = without_marker(line).strip().strip('*_"“”«»` ')
        before, colon, after = line.partition(":")
        led = colon and after.strip() and not is_kept(before, self._keeps)
        if led and not self._resembles(before) and self._resembles(after):
            line = after.strip()
        parts = re.split(r"([,;])", line)
        while len(parts) > 2 and self._says_nothing(parts[-1]):
            parts = parts[:-2]
        while len(parts) > 2 and self._says_nothing(parts[0]):
            parts = parts[2:]
        line = "".join(map(self._without_lead, parts)).strip()
        while line.endswith(".") and not line.endswith(".."):
            line = line[:-1].rstrip()
        return line

    def _without_lead(self, part: str) -> str:
        """A part of a line without the words that lead to a turn: "I", "then"."""
        space = part[: len(part) - len(part.lstrip())]
        words = part.strip().split(" ")
        while len(words) > 1 and plain(words[0]) in self._leading and not self._goes(words):
            words = words[1:]
        return space + " ".join(words)

    def _goes(self, words: Sequence[str]) -> bool:
        """True if a word that may lead to a turn is the verb of one: "vais en ..."."""
        first, second = plain(words[0]), plain(re.split(r"['’]", words[1])[0])
        return first in self._words and (
            (first == "vais" and second in _TOWARDS) or self._reads(" ".join(words))
        )

    def _says_nothing(self, part: str) -> bool:
        return not is_kept(part, self._keeps) and says_nothing(part, self._names)

    def _is_else(self, line: str) -> bool:
        """True if a line only says that something else follows."""
        written = tokens(line)
        return all(token in self._else for token in written) and not any(
            c.isalpha() and not c.isascii() for c in plain(line)
        )

    def _parted(self, paragraph: Sequence[str]) -> list[list[str]]:
        """A paragraph in parts where a line only says that something else follows ("or")."""
        parts: list[list[str]] = [[]]
        for line in paragraph:
            if self._is_else(line):
                parts.append([])
            else:
                parts[-1].append(line)
        return parts

    def _resembles(self, line: str) -> bool:
        """True if most of its words are words of the game, or nearly, or begin one; or if it reads
        as it stands.
        """
        near, count = known(self._words, line)
        return 2 * near > count or (0 < count == 2 * near and self._reads(line))

    def _begins(self, line: str) -> bool:
        written = tokens(line)
        return bool(written) and written[0] in self._words and len(written) <= _LONGEST_SLIP

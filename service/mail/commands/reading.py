"""The words in a reply, and what is left of it: a turn perhaps, or prose."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from service.core.plain import bare, plain, tokens
from service.mail.commands import about, filing, invitees, letters, table, time, turn
from service.mail.commands.arguments import Nothing, Text
from service.mail.commands.command import Command
from service.mail.commands.courtesy import says_nothing, within_politeness, without_politeness
from service.mail.commands.lines import is_kept

WORDS: tuple[Command[Any], ...] = (
    *about.WORDS,
    *turn.WORDS,
    *filing.WORDS,
    *time.WORDS,
    *letters.WORDS,
    *table.WORDS,
    *invitees.WORDS,
)
"""All words, in the order in which a spelling that two share is tried."""

MOST_WORDS = 12
MOST_MISSED = 3
_LONGEST_MISSED = 8
"""Words behind one that may be its slip; more are prose."""

_SHORTEST_SLIP = 4
_ALIKE = 0.8
"""How like a word its slip is, by `difflib`: one letter of five."""

_BULLET = re.compile(r"^\s*(?:[-*•–—>]\s+)+")


class Spoken(msgspec.Struct, frozen=True):
    """A word that was written, and what stood behind it; `line` is how. `below` are the lines that
    it took with it, its own left out.
    """

    word: Command[Any]
    arguments: msgspec.Struct
    line: str = ""
    below: tuple[str, ...] = ()

    def same(self, other: Spoken) -> bool:
        """True if both ask for the same."""
        return (self.word, self.arguments) == (other.word, other.arguments)


class Missed(msgspec.Struct, frozen=True):
    """A line that begins with a word whose rest does not fit: perhaps a slip, perhaps prose."""

    word: Command[Any]
    line: str


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A reply taken apart. `paragraphs` are the lines that are no words, without mere politeness.

    `missed` are those of the paragraphs that may have been meant as words.
    """

    words: list[Spoken]
    paragraphs: list[list[str]]
    missed: list[Missed] = []


def read(
    text: str,
    names: Collection[str] = (),
    keeps: frozenset[str] = frozenset(),
    is_notation: Callable[[str], bool] = lambda line: True,
) -> Script:
    """Take a reply apart. `names` are those of the table: their lines are signatures. A line that
    begins with one of the words that the game `keeps` is no politeness, and no command word unless
    it is nothing else: one as it is written to us, and not, with the lines above it, `is_notation`
    of this moment. All of it is read: `service.mail.parse.text` bounds what is one's own.
    """
    words: list[Spoken] = []
    missed: list[Missed] = []
    paragraphs: list[list[str]] = [[]]
    lines = text.split("\n")
    taken = 0
    for at, line in enumerate(lines):
        if at < taken:
            continue
        kept = is_kept(line, keeps)
        said = _spoken(line, names)
        above = [*(above for paragraph in paragraphs for above in paragraph), line]
        if kept and not (isinstance(said, Spoken) and not is_notation("\n".join(above))):
            said = None
        if isinstance(said, Spoken) and isinstance(said.arguments, Text):
            rest = lines[at + 1 :]
            below = rest if said.word.takes_all else _right_below(rest, names)
            whole = "\n".join([said.arguments.text, *below]).strip()
            said = Spoken(said.word, Text(whole), line, tuple(below))
            taken = at + 1 + len(below)
        if isinstance(said, Spoken):
            room = said.word.takes_all or len(words) < MOST_WORDS
            if room and not any(said.same(other) for other in words):
                words.append(said)
            continue
        if not line.strip():
            paragraphs.append([])
        elif kept or not says_nothing(line, names):
            paragraphs[-1].append(line.strip())
            if said is not None and len(missed) < MOST_MISSED:
                missed.append(said)
    filled = [paragraph for paragraph in paragraphs if paragraph]
    return Script(words=words, paragraphs=filled, missed=missed)


def nearly_a_word(text: str, names: Collection[str] = ()) -> str | None:
    """The line as it would be written, if it is a word of ours but for a slip: "pauze 3 days"; None
    for anything else. What a word takes with it may stand below.
    """
    first, _, rest = _BULLET.sub("", text).strip().partition(" ")
    spelling = plain(bare(first))
    if len(spelling) < _SHORTEST_SLIP or spelling in _BY_SPELLING:
        return None
    line, _, below = rest.partition("\n")
    known = [each for each in _BY_SPELLING if len(each) >= _SHORTEST_SLIP]
    for near in difflib.get_close_matches(spelling, known, 3, _ALIKE):
        said = _spoken(f"{near} {line}".strip(), names)
        if not isinstance(said, Spoken) or said.word in invitees.WORDS:
            continue
        if _takes_text(said.word) and not line.strip():
            continue
        if not below.strip() or said.word.takes_all:
            return f"{near} {rest}".strip()
    return None


def _right_below(lines: Sequence[str], names: Collection[str]) -> list[str]:
    """The lines that go on with the one before them."""
    return list(
        takewhile(
            lambda line: (
                line.strip()
                and not says_nothing(line, names)
                and not isinstance(_spoken(line, names), Spoken)
            ),
            lines,
        )
    )


def _spoken(line: str, names: Collection[str]) -> Spoken | Missed | None:
    """The word a line is, or may have been meant to be."""
    line = _BULLET.sub("", line).strip().strip('*_"“”«» ')
    first, _, rest = line.partition(" ")
    if ":" in first.rstrip(":"):
        head, _, tail = first.partition(":")
        if plain(bare(head)) in _TAKING_ALL:
            first, rest = head, f"{tail} {rest}"
    asked = line.endswith("?")
    spelling = plain(bare(first.rstrip("?") if asked and not rest else first))
    near = None
    for word in _BY_SPELLING.get(spelling, ()):
        read_ = word.arguments
        if asked and not _takes_text(word):
            rest = rest.rstrip("?! ")
        found = read_(rest)
        if found is None and not _takes_text(word):
            found = _politely(read_, rest)
        if found is not None and asked and word.asks_nothing:
            return None
        if found is not None:
            return Spoken(word, found, line)
        if word.sample and near is None and len(tokens(rest)) <= _LONGEST_MISSED:
            near = Missed(word, line)
    phrase = None if asked else within_politeness(line, names, _BY_PHRASE)
    if phrase is not None:
        return Spoken(_BY_PHRASE[phrase], Nothing(), line)
    return near


def _politely(read_: Callable[[str], msgspec.Struct | None], rest: str) -> msgspec.Struct | None:
    """As the rest is read without "please" and its like; prose that is polite is still prose."""
    kept = without_politeness(rest)
    return read_(kept) if len(rest.split()) - len(kept.split()) <= 2 else None


def _takes_text(word: Command[Any]) -> bool:
    """True if what stands behind a word is said, and no argument."""
    return word.takes_all or word.takes_paragraph


def _index() -> dict[str, list[Command[Any]]]:
    found: dict[str, list[Command[Any]]] = {}
    for word in WORDS:
        for spelling in word.spellings.split():
            found.setdefault(spelling, []).append(word)
    return found


_BY_SPELLING = _index()
_BY_PHRASE = {phrase: word for word in WORDS for phrase in word.phrases}
_TAKING_ALL = frozenset(s for word in WORDS if _takes_text(word) for s in word.spellings.split())

"""The words in a reply, and what is left of it: a turn perhaps, or prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

import msgspec

from service.words import about, guests, letters, table, time, turn
from service.words.courtesy import says_nothing, without_politeness
from service.words.plain import bare, plain
from service.words.word import Arguments, Word

WORDS: tuple[Word, ...] = (
    *about.WORDS,
    *turn.WORDS,
    *time.WORDS,
    *letters.WORDS,
    *table.WORDS,
    *guests.WORDS,
)
"""All words, in the order in which a spelling that two share is tried."""

MOST_LINES = 400
MOST_WORDS = 12

_BULLET = re.compile(r"^\s*(?:[-*•–—>]\s+)+")


class Spoken(msgspec.Struct, frozen=True):
    """A word that was written, and what stood behind it."""

    word: Word
    arguments: Arguments


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A reply taken apart. `paragraphs` are the lines that are no words, without mere politeness.

    `below` are the lines a word took with it (those of a message), the first one left out.
    """

    words: list[Spoken]
    paragraphs: list[list[str]]
    below: list[str]


def read(text: str, names: Collection[str] = ()) -> Script:
    """Take a reply apart. `names` are those of the table: their lines are signatures."""
    words: list[Spoken] = []
    paragraphs: list[list[str]] = [[]]
    lines = text.split("\n")[:MOST_LINES]
    for at, line in enumerate(lines):
        said = _spoken(line)
        if said is not None and said.word.takes_all:
            below = lines[at + 1 :]
            whole = "\n".join([said.arguments["text"], *below]).strip()
            words.append(Spoken(said.word, {"text": whole}))
            return _script(words, paragraphs, below)
        if said is not None:
            if said not in words and len(words) < MOST_WORDS:
                words.append(said)
        elif not line.strip():
            paragraphs.append([])
        elif not says_nothing(line, names):
            paragraphs[-1].append(line.strip())
    return _script(words, paragraphs, [])


def _script(words: list[Spoken], paragraphs: list[list[str]], below: list[str]) -> Script:
    return Script(words=words, paragraphs=[p for p in paragraphs if p], below=below)


def _spoken(line: str) -> Spoken | None:
    """The word a line is, if it is one."""
    line = _BULLET.sub("", line).strip().strip('*_"“”«» ')
    first, _, rest = line.partition(" ")
    if ":" in first.rstrip(":"):
        head, _, tail = first.partition(":")
        if plain(bare(head)) in _TAKING_ALL:
            first, rest = head, f"{tail} {rest}"
    spelling = plain(bare(first))
    if "?" in spelling:
        return None
    for word in _BY_SPELLING.get(spelling, ()):
        read_ = word.arguments
        found = read_(rest)
        if found is None and not word.takes_all:
            found = _politely(read_, rest)
        if found is not None:
            return Spoken(word, found)
    return None


def _politely(read_: Callable[[str], Arguments | None], rest: str) -> Arguments | None:
    """As the rest is read without "please" and its like; prose that is polite is still prose."""
    kept = without_politeness(rest)
    return read_(kept) if len(rest.split()) - len(kept.split()) <= 2 else None


def _index() -> dict[str, list[Word]]:
    found: dict[str, list[Word]] = {}
    for word in WORDS:
        for spelling in word.spellings:
            found.setdefault(spelling, []).append(word)
    return found


_BY_SPELLING = _index()
_TAKING_ALL = frozenset(s for word in WORDS if word.takes_all for s in word.spellings)

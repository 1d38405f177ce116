"""The words that may stand at a place of a text, in both languages, and what each can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from engine.kit.notation.text import folded

M = TypeVar("M")

Names = Mapping[str, str | Sequence[str]]
"""By language the word for something, or several of which the first is written and all are read."""

_SHORTEST_GLUED = 3
"""Letters of the shortest word that may be written without a space after it."""
_RUN = re.compile(r"[a-z]+")
_RUN_WITH_DIGITS = re.compile(r"[a-z0-9]+")
_BETWEEN = re.compile(r"[ -]*")


class Vocabulary(Generic[M]):
    """The words, names and marks that may stand at a place, each with what it can mean.

    A name may be several words. Of the names that are written out the longest is meant; where none
    is, all that the letters begin. A mark, such as ">", is a name without letters or digits.
    """

    def __init__(self, names: Mapping[M, Names]) -> None:
        self._written = {
            meaning: {lang: _all_of(of_lang)[0] for lang, of_lang in by_lang.items()}
            for meaning, by_lang in names.items()
        }
        self._exact: dict[tuple[str, ...], frozenset[M]] = {}
        self._marks: dict[str, frozenset[M]] = {}
        for meaning, by_lang in names.items():
            for name in (name for of_lang in by_lang.values() for name in _all_of(of_lang)):
                words = tuple(folded(name).split())
                plain = any(c.isalnum() for word in words for c in word)
                if plain:
                    self._exact[words] = self._exact.get(words, frozenset()) | {meaning}
                else:
                    self._marks[name] = self._marks.get(name, frozenset()) | {meaning}
        digits = any(c.isdigit() for words in self._exact for word in words for c in word)
        self._run = _RUN_WITH_DIGITS if digits else _RUN
        self._most = max(map(len, self._exact), default=0)
        self._order = {meaning: n for n, meaning in enumerate(names)}
        self._read_run = lru_cache(maxsize=1024)(self._of_run)

    def write(self, meaning: M, lang: str) -> str:
        """The word for something. Raises KeyError."""
        return self._written[meaning][lang]

    def all_written(self, lang: str) -> list[str]:
        """The words for everything, in the order in which they were given."""
        return list(dict.fromkeys(names[lang] for names in self._written.values()))

    @property
    def words(self) -> frozenset[str]:
        """Every word of every name, as `Notation.words` has them: no bare numbers."""
        words = (word for name in self._exact for word in name)
        return frozenset(word for word in words if not word.isdecimal())

    def in_order(self, meanings: frozenset[M]) -> list[M]:
        """Meanings in the order in which they were given."""
        return sorted(meanings, key=self._order.__getitem__)

    def read(self, chars: str, at: int) -> Iterator[tuple[frozenset[M], int]]:
        """The readings of a word at this place of a plain text, each with the place behind it.

        First a name or the beginning of one, then whole words that go on after their end
        ("huntfire").
        """
        run = self._run.match(chars, at)
        if run is None:
            yield from self._read_mark(chars, at)
            return
        if self._most > 1:
            several = self._several(chars, run)
            if several:
                yield several
                return
        for meanings, length in self._read_run(run.group()):
            yield meanings, at + length

    def written_out(self, chars: str, at: int) -> bool:
        """True if a name or mark stands at this place of a plain text, not shortened."""
        for _, end in self.read(chars, at):
            name = tuple(folded(chars[at:end]).split())
            if name in self._exact or chars[at:end] in self._marks:
                return True
        return False

    def _of_run(self, run: str) -> tuple[tuple[frozenset[M], int], ...]:
        """What letters up to the next gap can mean, with the length of what is read."""
        found = []
        meanings = self._exact.get((run,)) or self._begun((run,))
        if meanings:
            found.append((meanings, len(run)))
        for (word, *more), glued in self._exact.items():
            if not more and _SHORTEST_GLUED <= len(word) < len(run) and run.startswith(word):
                found.append((glued, len(word)))
        return tuple(found)

    def _begun(self, written: tuple[str, ...]) -> frozenset[M]:
        """What the names can mean that begin with beginnings of these words."""
        found: frozenset[M] = frozenset()
        for name, meanings in self._exact.items():
            if len(name) >= len(written) and all(map(str.startswith, name, written)):
                found |= meanings
        return found

    def _several(self, chars: str, run: re.Match[str]) -> tuple[frozenset[M], int] | None:
        """A name of several words, written out or shortened, and the place behind it."""
        written, ends = [run.group()], [run.end()]
        while len(written) < self._most:
            gap = _BETWEEN.match(chars, ends[-1])
            more = self._run.match(chars, gap.end() if gap else ends[-1])
            if more is None:
                break
            written.append(more.group())
            ends.append(more.end())
        lengths = range(len(written), 0, -1)
        for length in lengths:
            meanings = self._exact.get(tuple(written[:length]))
            if meanings:
                return (meanings, ends[length - 1]) if length > 1 else None
        for length in lengths:
            meanings = self._begun(tuple(written[:length]))
            if meanings:
                return (meanings, ends[length - 1]) if length > 1 else None
        return None

    def _read_mark(self, chars: str, at: int) -> Iterator[tuple[frozenset[M], int]]:
        for mark in sorted(self._marks, key=len, reverse=True):
            if chars.startswith(mark, at):
                yield self._marks[mark], at + len(mark)
                return


def _all_of(names: str | Sequence[str]) -> Sequence[str]:
    return (names,) if isinstance(names, str) else names


def words_of(*vocabularies: Vocabulary[Any]) -> frozenset[str]:
    """Every word of several vocabularies, for `Notation.words`."""
    return frozenset().union(*(vocabulary.words for vocabulary in vocabularies))


def table(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Names as data: "key: name, name | nom, nom; ...", English before French, for a Vocabulary.

    Without a key it is the first English name; the first name of a language is written.
    """
    found = {}
    for entry in text.replace("\n", " ").split(";"):
        if not entry.strip():
            continue
        key, _, names = entry.rpartition(": ")
        english, french = (
            tuple([name.strip() for name in names_of.split(",")]) for names_of in names.split("|")
        )
        found[key.strip() or english[0]] = {"en": english, "fr": french}
    return found

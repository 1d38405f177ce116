"""The letters we sent, for telling a quote from its reader's own words where a mail program does
not mark it (RFC 3676 §4.5 asks for marks; programs break, rewrap and lose them).

Texts are compared folded: letters and digits alone, without case, accents, spaces, entities, quote
marks, or the form of a dash or an apostrophe.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from urllib.parse import unquote_plus

import msgspec

from service.mail.parse.marks import SAMPLE
from service.mail.parse.markup import of_html

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o"})
_BETWEEN = "\n"
_PLAN = re.compile(r"[?&]plan=([^&\s]+)")
_SAMPLE = re.compile(rf"{re.escape(SAMPLE.strip())}\s+(\S.*)")
_NUMBERED = re.compile(r"[1-9]\. \S")
_DENSE = 12
"""Characters from which on a piece need not begin and end with a word: programs break words."""
_LIKE = 5
"""Words from which on a line can be told to be a letter's although it was changed a little."""

_MOST, _SOME = 0.85, 0.6
"""Shares of a line's pairs of words that are pairs in a letter, too."""


def folded(text: str) -> tuple[str, ...]:
    """The words and numbers of a text as they are compared."""
    if "&" in text:
        text = html.unescape(text)
    level = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    kept = (c if c.isalnum() else " " for c in level if not unicodedata.combining(c))
    return tuple("".join(kept).split())


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """The letters a reply can be about, and what other players said at its table.

    `answered` is said for what stands in the letter that is answered itself. `orders` are the
    sample orders of the letters and their choices in words, each without spaces.
    """

    spaced: str
    dense: str
    orders: frozenset[str]
    said: str
    said_dense: str
    answered: str
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        pages: Iterable[str] = (),
        said: Iterable[str] = (),
        answered: Iterable[str] = (),
    ) -> Sent:
        """Of the text and the HTML parts of letters, and of what others said: at the table
        (`said`), and in the letter that is answered (`answered`).
        """
        shown = [[line.text for line in of_html(page)] for page in pages]
        words = [folded(text) for text in texts]
        words += [folded("\n".join(lines)) for lines in shown]
        speech = [folded(text) for text in said]
        return cls(
            spaced=_BETWEEN.join(f" {' '.join(each)} " for each in words),
            dense=_BETWEEN.join("".join(each) for each in words),
            orders=frozenset(
                chain(
                    (order for text in texts for order in _orders(text)),
                    (card for text in texts for card in _cards(text.splitlines())),
                    (card for lines in shown for card in _cards(lines)),
                )
            ),
            said=_BETWEEN.join(f" {' '.join(each)} " for each in speech),
            said_dense=_BETWEEN.join("".join(each) for each in speech),
            answered=_BETWEEN.join(f" {' '.join(folded(text))} " for text in answered),
            pairs=frozenset(pair for each in words for pair in pairwise(each)),
        )

    def holds(self, words: Sequence[str]) -> bool:
        """True if these words follow each other in a letter."""
        return _in(words, self.spaced, self.dense)

    def quotes(self, words: Sequence[str]) -> bool:
        """True if another player said these words."""
        return _in(words, self.said, self.said_dense)

    def is_answered(self, words: Sequence[str]) -> bool:
        """True if another player says these words in the letter that is answered."""
        return bool(words) and f" {' '.join(words)} " in self.answered

    def resembles(self, words: Sequence[str]) -> bool:
        """True if most of these words stand side by side in a letter as well: what a program put
        between them or broke is in none; a turn that is only like another has words of the letter.
        """
        pairs = list(pairwise(words))
        if len(words) < _LIKE:
            return False
        share = sum(pair in self.pairs for pair in pairs) / len(pairs)
        if share < _SOME:
            return False
        known = {word for pair in self.pairs for word in pair}
        return share >= _MOST or not known.issuperset(words)

    def is_in_order(self, words: Sequence[str]) -> bool:
        """True if these words are a sample order, or a piece of one."""
        dense = "".join(words)
        return bool(dense) and any(dense in order for order in self.orders)


def _cards(lines: Sequence[str]) -> Iterable[str]:
    """The numbered choices of a letter, each with the lines below it up to the next blank one (a
    heading may have one below it): who copies one answers with it.
    """
    held: list[str] = []
    for line in (*lines, ""):
        begins = _NUMBERED.match(line) is not None
        if len(held) > 1 and (begins or not line.strip()):
            yield "".join("".join(folded(one)) for one in held)
            held = []
        if begins:
            held = [line]
        elif held:
            held.append(line)


def _in(words: Sequence[str], spaced: str, dense: str) -> bool:
    if not words:
        return False
    joined = "".join(words)
    return joined in dense if len(joined) >= _DENSE else f" {' '.join(words)} " in spaced


def _orders(text: str) -> Iterable[str]:
    """The samples of a letter's text, each block of lines behind the mark whole: one over several
    lines, or several that can be copied together. A piece of one is found in it. Links to a turn
    hold it as well, which nobody reads there: who writes it has not quoted the link.
    """
    for link in _PLAN.finditer(text):
        yield "".join(folded(unquote_plus(link[1])))
    held = ""
    for line in text.splitlines():
        found = _SAMPLE.fullmatch(line)
        if found is not None:
            held += "".join(folded(found[1]))
        elif held:
            yield held
            held = ""
    if held:
        yield held

"""A text as it was typed, made plain for reading, and cut into pieces.

Case, accents and the various hyphens and spaces are levelled here. Every plain character remembers
where it came from, so that a complaint can quote what was typed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import msgspec

from engine.protocol import IllegalAction

BETWEEN_ACTIONS = re.compile(r"[,;\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
LINE_ENDS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")

LONGEST = 200
"""Characters an action or a line may have: far more than the longest, and a bound on the work."""
_QUOTED = 60

_HYPHENS = "‐‑‒–—―−﹘﹣－"
_JOINERS = frozenset("-/+_.#:>→()[]*|'\"’‘«»“”!" + _HYPHENS)
_LIGATURES = {"œ": "oe", "æ": "ae"}


class Folding(msgspec.Struct, frozen=True, kw_only=True):
    """The way in which a game's texts are made plain and cut.

    `marks` are characters that mean something of their own, such as ":"; each must be ASCII and no
    letter, digit, hyphen or space. `blanks` are read as spaces, such as "," in whole lines.
    `between` parts one action or line from the next.
    """

    marks: str = ""
    blanks: str = ""
    between: re.Pattern[str] = BETWEEN_ACTIONS

    def plain(self, typed: str) -> Plain:
        """The text of one action or line."""
        return Plain(typed, self.marks, self.blanks)

    def pieces(self, text: str) -> list[str]:
        """The texts between separators, those without a word or mark left out."""
        cut = (piece.strip() for piece in self.between.split(text))
        return [piece for piece in cut if piece and not self.plain(piece).is_empty]


class Plain:
    """The text of one action or line. `chars`: a-z, 0-9, marks, space, "-" for what joins words,
    "?" for all else.
    """

    def __init__(self, typed: str, marks: str = "", blanks: str = "") -> None:
        self.typed = typed
        self._marks = marks
        if marks or blanks:
            self._levelled = [
                char if char in marks else " " if char in blanks else _level(char) for char in typed
            ]
        else:
            self._levelled = [_level(char) for char in typed]
        self.chars = "".join(self._levelled)

    @property
    def is_empty(self) -> bool:
        """True if nothing but spaces and hyphens is left."""
        return not self.chars.strip(" -")

    def typed_at(self, at: int) -> str:
        """The word as typed that plain character `at` is in, or the next; empty at the end."""
        chars = self.chars
        while at < len(chars) and chars[at] in " -":
            at += 1
        if at == len(chars):
            return ""
        origin = [i for i, levelled in enumerate(self._levelled) for _ in levelled]
        if chars[at] in self._marks:
            return self.typed[origin[at]]
        ends = " " + self._marks
        first, end = at, at
        while first and chars[first - 1] not in ends:
            first -= 1
        while end < len(chars) and chars[end] not in ends:
            end += 1
        stop = origin[end] if end < len(chars) else len(self.typed)
        return self.typed[origin[first] : stop].strip()


def too_long(text: str, most: int = LONGEST) -> IllegalAction:
    """The error of an action or a line that is longer than it may be; it quotes the beginning."""
    short = text[:_QUOTED].rstrip() + "…"
    return IllegalAction("long_line", "", text=short, most=most, length=len(text))


OF_ACTIONS = Folding()
"""For actions with commas, semicolons or line ends between them."""
OF_LINES = Folding(between=LINE_ENDS)
"""For one order in each line."""


def folded(text: str) -> str:
    """A word or name of a vocabulary as it stands in plain texts, words parted by single spaces."""
    return " ".join("".join(map(_level, text)).replace("-", " ").split())


@lru_cache(maxsize=2048)
def _level(char: str) -> str:
    if char in _JOINERS:
        return "-"
    if char.isspace():
        return " "
    char = _LIGATURES.get(char.casefold(), char)
    levelled = []
    for part in unicodedata.normalize("NFKD", char).casefold():
        if unicodedata.combining(part):
            continue
        levelled.append(part if part.isascii() and part.isalnum() else "?")
    return "".join(levelled)

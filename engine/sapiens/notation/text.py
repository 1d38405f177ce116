"""A submission as it was typed: cut into the texts of actions, made plain for reading.

Case, accents and the various hyphens and spaces are levelled here. Every plain character remembers
where it came from, so that an error can quote what was typed.
"""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_ACTIONS = re.compile(r"[,;\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_HYPHENS = "‐‑‒–—―−﹘﹣－"
_JOINERS = "-/+_.#:>→()[]*|'\"’‘«»“”!" + _HYPHENS
_LIGATURES = {"œ": "oe", "æ": "ae"}

LONGEST = 200
"""Characters an action may have: far more than the longest, and a bound on the work."""


class Plain:
    """The text of one action. `chars`: a-z, 0-9, space, "-" for what joins words, "?" else."""

    def __init__(self, typed: str) -> None:
        self.typed = typed
        chars: list[str] = []
        origin: list[int] = []
        for at, char in enumerate(typed):
            for plain in _level(char):
                chars.append(plain)
                origin.append(at)
        self.chars = "".join(chars)
        self._origin = origin

    @property
    def empty(self) -> bool:
        return not self.chars.strip(" -")

    def typed_at(self, at: int) -> str:
        """The word as typed that plain character `at` is in, or the next; empty at the end."""
        while at < len(self.chars) and self.chars[at] in " -":
            at += 1
        if at == len(self.chars):
            return ""
        end = self.chars.find(" ", at)
        start = self._origin[self.chars.rfind(" ", 0, at) + 1]
        stop = self._origin[end] if end >= 0 else len(self.typed)
        return self.typed[start:stop].strip()


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


def fragments(text: str) -> list[str]:
    """The texts between commas, semicolons and line ends, empty ones left out."""
    cut = (part.strip() for part in _BETWEEN_ACTIONS.split(text))
    return [part for part in cut if part and not Plain(part).empty]

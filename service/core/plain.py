"""Text as it is compared: no case, no accents, one kind of apostrophe, single spaces; and numbers
as they are spelled.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "’": "'", "‘": "'", "ʼ": "'", "ß": "ss"})
_AROUND = ' \t.,;:!…-–—*_"“”«»()[]'
_TOKEN = re.compile(r"[a-z0-9]+")

SPELLED = {
    word: number
    for number, words in enumerate(
        (
            "one a un une",
            "two deux",
            "three trois",
            "four quatre",
            "five cinq",
            "six",
            "seven sept",
            "eight huit",
            "nine neuf",
            "ten dix",
        ),
        start=1,
    )
    for word in words.split()
}
"""The numbers up to ten, as they are spelled in both languages."""

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_TYPED: dict[int, int | str] = {
    **_WIDE,
    **dict.fromkeys(map(ord, "\u3000\u00a0\u202f\u2007\u2009"), " "),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc\uff70"), "-"),
    **dict.fromkeys(map(ord, "\u3001\uff64\u060c"), ","),
    **dict.fromkeys(map(ord, "\u3002\uff61"), "."),
    **dict.fromkeys(map(ord, "\u061b"), ";"),
}


def typed(text: str) -> str:
    """The text with the punctuation and digits of full width, and the dashes and spaces of every
    kind, as an ASCII keyboard types them.
    """
    return text if text.isascii() else text.translate(_TYPED)


def whole_number(text: str, digits: int = 5) -> int | None:
    """The whole number that a text is, of at most so many digits; None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


@lru_cache(maxsize=2048)
def plain(text: str) -> str:
    """The text levelled."""
    marks = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return " ".join("".join(c for c in marks if not unicodedata.combining(c)).split())


def bare(text: str) -> str:
    """The text without the punctuation around it (a question mark stays: it asks)."""
    return text.strip(_AROUND)


def tokens(text: str) -> list[str]:
    """The words and numbers of a text, levelled."""
    return _TOKEN.findall(plain(text))

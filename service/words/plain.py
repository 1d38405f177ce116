"""Text as it is compared: no case, no accents, one kind of apostrophe, single spaces."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "’": "'", "‘": "'", "ʼ": "'", "ß": "ss"})
_AROUND = ' \t.,;:!…-–—*_"“”«»()[]'
_TOKEN = re.compile(r"[a-z0-9]+")


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

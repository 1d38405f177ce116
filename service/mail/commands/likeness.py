"""The likeness of words to those of a game."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import lru_cache

from service.core.plain import tokens

_IN_A_SENTENCE = (
    "i would like to the tile tiles with on and then please a an of from "
    "je voudrais la le les tuile tuiles avec sur et puis svp un une de du"
)
_EMPTY = frozenset(_IN_A_SENTENCE.split())
"""Words that say nothing of whether a line is a turn."""


def resembles(words: frozenset[str], line: str) -> bool:
    """True if most of a line's words are words of the game, or nearly, or begin one."""
    near, count = known(words, line)
    return 2 * near > count


def known(words: frozenset[str], line: str) -> tuple[int, int]:
    """The number of words of the line that are near to the game's, and of all; numbers are none."""
    written = [
        token
        for token in tokens(line)
        if not token.isdecimal() and (token in words or token not in _EMPTY)
    ]
    near = near_to(words)
    return sum(near(token) for token in written), len(written)


@lru_cache(maxsize=16)
def near_to(words: frozenset[str]) -> Callable[[str], bool]:
    """A test of a token: it is one of these words, begins one, is two of them in one or has one
    slip.
    """

    @lru_cache(maxsize=4096)
    def near(token: str) -> bool:
        if token in words or (len(token) > 1 and any(word.startswith(token) for word in words)):
            return True
        if any(token[:n] in words and token[n:] in words for n in range(2, len(token) - 1)):
            return True
        if re.fullmatch(r"[a-z]?\d[a-z]?", token):
            return True  # a square that does not exist, or is written the other way round
        return len(token) > 2 and bool(difflib.get_close_matches(token, words, 1, 0.75))

    return near

"""A text as lines, each one order: by line ends, and by the words that begin an order.

A comma is a blank (M§24.3), and several orders may stand in one line of a mail: an order begins
where a word that begins one is written out, but where that word belongs to the order before it.
"""

from __future__ import annotations

import re
from typing import Final

from engine.kit.notation.lines import Line
from engine.kit.notation.syntax import Reader
from engine.kit.notation.text import LINE_ENDS, LONGEST, Folding, folded
from engine.mammoths.notation import words
from engine.mammoths.notation.grammar import LINE

FOLDING: Final = Folding(blanks=",;", between=LINE_ENDS)

_BREAKS = re.compile(rf"{LINE_ENDS.pattern}|;")
_HEX = re.compile(r"[1-7][1-7]")


def _written(*keys: str) -> frozenset[str]:
    return frozenset(
        folded(words.ORDERS.write(key, lang)).replace(" ", "")
        for key in keys
        for lang in ("en", "fr")
    )


_BEGINS = frozenset(
    folded(word).replace(" ", "")
    for lang in ("en", "fr")
    for word in words.ORDERS.all_written(lang)
)
_FIRE, _CAMP = _written("fire"), _written("camp")
_NAMES_ANOTHER = _written("plan", "withdraw", "forget")
_CHOICES = frozenset(
    folded(words.CAMP_CHOICES.write(each, lang)) for each in (False, True) for lang in ("en", "fr")
)


def cut(text: str) -> list[Line]:
    """The lines of a text, numbered as in it from 1; blank ones are left out."""
    found: list[Line] = []
    for number, piece in enumerate(_BREAKS.split(text), 1):
        tokens = piece.replace(",", " ").split()
        if FOLDING.plain(piece).is_empty:
            continue
        plain = [folded(token).replace(" ", "") for token in tokens]
        starts = [0, *(at for at in range(1, len(tokens)) if _begins(plain, at))]
        for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
            line = " ".join(tokens[start:end])
            if not start and found and plain[0] not in _BEGINS and not _reads(line):
                joined = f"{found[-1].text} {line}"
                if _reads(joined):
                    found[-1] = Line(found[-1].number, joined)
                    continue
            found.append(Line(number, line))
    return found


def _begins(plain: list[str], at: int) -> bool:
    """True if the token at this place begins an order."""
    word, before = plain[at], plain[at - 1]
    if word not in _BEGINS or before in _NAMES_ANOTHER:
        return False
    if word == "loss" and before == "event":
        return False
    following = plain[at + 1] if at + 1 < len(plain) else ""
    if word in _FIRE:
        return bool(_HEX.fullmatch(following))
    if word in _CAMP and at >= 2 and plain[at - 2] in _FIRE:
        return at + 2 < len(plain) and plain[at + 2] in _CHOICES
    return True


def _reads(text: str) -> bool:
    return len(text) <= LONGEST and bool(Reader(FOLDING.plain(text)).readings(LINE))

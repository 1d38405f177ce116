"""A turn in a text of which only parts can be read: each is tried behind those before it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from engine.play import Incomplete
from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import named, says_otherwise

LONGEST = 600
"""Characters of a text that is tried so: a longer one is a letter, and no turn."""

_MOST_PARTS = 16
_MOST_JOINED = 3
"""Parts that are one action: "water on H5 and hunt on G5"."""
_FEWEST = 2
"""Words of the game that are read at least."""

_PARTED = re.compile(
    r"\s*(?:[,;.!?:]+(?=\s|\Z)|\n|\s[-–—]\s|\b(?:and|then|but|et|puis|ensuite|mais)\b)\s*",
    re.IGNORECASE,
)


class Partly(msgspec.Struct, frozen=True, kw_only=True):
    """A legal `turn`, how many words of the game were `read` in the text, and the parts of it that
    have such words and are not in the turn.
    """

    turn: str
    read: int
    unread: tuple[str, ...] = ()


def read(asked: Asked, text: str) -> Partly | None:
    """The turn that the parts of a text make which can be read, with the rest of it as the game
    would play it; None if they make none.
    """
    spans = _spans(text)
    if len(text) > LONGEST or len(spans) > _MOST_PARTS:
        return None
    begun, unread, at = "", [], 0
    while at < len(spans):
        longest = min(len(spans), at + _MOST_JOINED)
        joined = ((end, text[spans[at][0] : spans[end - 1][1]]) for end in range(longest, at, -1))
        further = next(
            ((end, found) for end, part in joined if (found := _read(asked, begun, part))), None
        )
        part = text[slice(*spans[at])]
        if further is None and (matched := _matched(asked, begun, part)):
            further = at + 1, matched
        if further is None:
            unread += [part] if named(asked.game.notation.words, part) else []
            at += 1
        else:
            at, begun = further
    count = len(named(asked.game.notation.words, begun))
    whole = [asked.tried(each) for each in asked.whole([begun])] if count >= _FEWEST else []
    actions = next((each for each in whole if not isinstance(each, Exception)), None)
    if actions is None:
        return None
    return Partly(turn=asked.written(actions), read=count, unread=tuple(unread))


def _spans(text: str) -> list[tuple[int, int]]:
    """Where the parts of a text begin and end."""
    found, start = [], 0
    for gap in _PARTED.finditer(text):
        found.append((start, gap.start()))
        start = gap.end()
    return [(a, b) for a, b in [*found, (start, len(text))] if text[a:b].strip()]


def _read(asked: Asked, begun: str, part: str) -> str:
    """What was begun with a part behind it, or with what follows in it from its first word of the
    game on; "" if neither can be played.
    """
    words = asked.game.notation.words
    starts = [each.start() for each in re.finditer(r"\w+", part) if named(words, each[0])]
    tails = () if says_otherwise(part) else starts[:1]
    for start in dict.fromkeys((0, *tails)) if starts else ():
        written = f"{begun}\n{part[start:]}".strip()
        if _goes_on(asked.tried(written)):
            return written
    return ""


def _matched(asked: Asked, begun: str, part: str) -> str:
    """What was begun with the one action behind it that names what a part names, and nothing else;
    "" if there is none, or are several.
    """
    words = asked.game.notation.words
    said = {token for word in named(words, part) for token in tokens(word)}
    if says_otherwise(part) or not said:
        return ""
    found = [
        written
        for verb, *rest in map(str.split, asked.choices(begun))
        if (operands := set(tokens(" ".join(rest)))) and operands <= said <= {*operands, verb}
        for written in [f"{begun}\n{verb} {' '.join(rest)}".strip()]
    ]
    return found[0] if len(found) == 1 and _goes_on(asked.tried(found[0])) else ""


def _goes_on(tried: tuple[Any, ...] | Exception) -> bool:
    """True of what can be played, be it all of a turn or its beginning."""
    return not isinstance(tried, Exception) or isinstance(tried, Incomplete)

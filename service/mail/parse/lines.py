"""A body as lines that know how deep they are quoted, whether it came as text or as HTML."""

from __future__ import annotations

import re

import msgspec

MOST_LINES = 20_000
LONGEST_LINE = 10_000
"""Far more than a message to the table may have: what is too long must be seen to be so."""

_SIGNATURE = "-- "
_MARKS = re.compile(r"[ \t]{0,3}(?:[>|][ \t]?)+")
"""The bar is what our letters put before another player's words."""
_INVISIBLE = dict.fromkeys(
    map(
        ord,
        "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\u2061\u2062\u2063\u2064"
        # what turns the direction of a text (UAX 9): programs put it around what they paste
        "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    )
)
_BREAKS = re.compile(r"\r\n|\r|\n|\x0b|\x0c|\x85|\u2028|\u2029")
_WRAPPED_AT = 70
"""Programs that break quoted lines do so between 72 and 78 characters."""


class Line(msgspec.Struct, frozen=True):
    """A line without its quote marks. `depth` is how often it is quoted, `raw` its length with
    them; with `heads` a mail program says that from here on it quotes without marks.
    """

    text: str
    depth: int = 0
    raw: int = 0
    heads: bool = False

    @property
    def blank(self) -> bool:
        """True if nothing is to be seen in it."""
        return not self.text


def of_text(text: str) -> list[Line]:
    """The lines of a plain text."""
    found = []
    for line in split(text):
        marks = _MARKS.match(line)
        depth = marks[0].count(">") + marks[0].count("|") if marks else 0
        found.append(Line(tidy(line[marks.end() :] if marks else line), depth, len(line)))
    return _rejoined(found)


def split(text: str) -> list[str]:
    """The first MOST_LINES lines, whatever ends them."""
    # Each piece is a line of its own even if the rest is one huge line.
    return [line[:LONGEST_LINE] for line in _BREAKS.split(text, MOST_LINES)[:MOST_LINES]]


def tidy(text: str) -> str:
    """The text with plain spaces only, without invisible characters and outer space."""
    return " ".join(text.translate(_INVISIBLE).split())


def _rejoined(lines: list[Line]) -> list[Line]:
    """Some programs break a quoted line that has become too long and forget the mark of the second
    half. It is known by standing between two marked lines where the next word did not fit any more.
    """
    found = list(lines)
    for i in range(1, len(lines) - 1):
        before, line, after = lines[i - 1], lines[i], lines[i + 1]
        if line.depth or line.blank or not before.depth or not after.depth:
            continue
        word = line.text.partition(" ")[0]
        if before.text and before.raw + 1 + len(word) > _WRAPPED_AT:
            found[i] = Line(line.text, before.depth, line.raw)
    return found


def of_flowed(text: str, *, delsp: bool) -> list[Line]:
    """The lines of a flowed text, its paragraphs joined; with `delsp` the space at a soft break
    goes (RFC 3676 §4.1-4.5).
    """
    found: list[Line] = []
    held, held_depth, open_ = "", 0, False
    for line in split(text):
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:].removeprefix(" ")  # space-stuffing, §4.4
        soft = body.endswith(" ") and body != _SIGNATURE
        joins = open_ and depth == held_depth and body != _SIGNATURE
        if joins and len(held) < LONGEST_LINE:
            held += body
        else:
            if open_:
                found.append(Line(tidy(held), held_depth, len(held)))
            held, held_depth = body, depth
        open_ = soft
        if soft:
            held = held[:-1] if delsp else held
        else:
            found.append(Line(_kept(held), depth, len(line)))
            held = ""
    if open_:
        found.append(Line(tidy(held), held_depth, len(held)))
    return found


def _kept(text: str) -> str:
    return tidy(text) if text != _SIGNATURE else text.rstrip()

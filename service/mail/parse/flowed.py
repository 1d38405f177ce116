"""format=flowed (RFC 3676): lines that end with a space go on in the next one."""

from __future__ import annotations

from service.mail.parse.lines import LONGEST_LINE, Line, split, tidy

_SIGNATURE = "-- "


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

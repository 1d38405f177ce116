"""A valley in characters. Codes and words are given: they are the reader's language."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.kit.presentation import Plain
from engine.sapiens.presentation.layout import FRAME, covered

_WIDE = 7
"""Characters from one place to the next; a place takes up to five."""


def grid(board: Plain, last: Collection[str], codes: Mapping[str, str], bear: str) -> list[str]:
    """The lines of a valley in its rim: those of its places, and between them those of the bars
    that join halves of tiles. A place filled last has a star.
    """
    halves, special = covered(board), _special(board, last, codes, bear)
    squares = [row.split() for row in board["rows"]]
    lines = []
    for number, places in enumerate(FRAME):
        inside = 0 < number < len(FRAME) - 1
        line, below = "", ""
        for column, place in enumerate(places):
            food = squares[number - 1][column - 1] if inside and 0 < column < 9 else ""
            half = halves.get(place)
            if half is None:
                line += special.get(place, food).ljust(_WIDE)
                below += " " * _WIDE
                continue
            code = codes[half.scene]
            if half.tile["tribe"] != board["tribe"]:
                text = f"({code})"
            else:
                text = code + food[1:] + ("*" if place in last else "")
            line += text.ljust(_WIDE, " " if half.degrees else "-")
            below += ("|" if half.degrees == 90 else " ").ljust(_WIDE)
        lines.append(f"{number if inside else '':<2}{line}".rstrip())
        lines.append(f"   {below}".rstrip())
    return lines[:-1]


def _special(
    board: Plain, last: Collection[str], codes: Mapping[str, str], bear: str
) -> dict[str, str]:
    """What is on places that no tile covers: bears, caves with shelter and token, waterfalls."""
    found = {place: bear + ("*" if place in last else "") for place in board["bears"]}
    for cave in board["caves"]:
        token = codes[cave["token"]] if cave["token"] else ""
        found[cave["name"]] = f"{cave['high']}|{cave['low']}{token}"
    for place, token in board["waterfalls"].items():
        found[place] = f"~{codes[token] if token else '~~'}~"
    return found


def small_grid(board: Plain, codes: Mapping[str, str]) -> list[str]:
    """The rows of another player's valley, two characters to a square."""
    halves = covered(board)
    lines = []
    for number, row in enumerate(board["rows"], start=1):
        line = []
        for place, square in zip(FRAME[number][1:], row.split(), strict=False):
            half = halves.get(place)
            if place in board["bears"]:
                line.append("##")
            elif half is None:
                line.append(square)
            else:
                line.append("()" if half.tile["tribe"] != board["tribe"] else codes[half.scene])
        lines.append(" ".join([str(number), *line]))
    return lines

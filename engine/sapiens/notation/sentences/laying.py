"""Tiles that are laid, in sentences: "ritual on C5 and fire on C4"."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from engine.kit.notation.text import folded
from engine.sapiens.components import ROWS
from engine.sapiens.notation.sentences.terms import (
    ARTICLE,
    DOUBT,
    OF_PLACE,
    ON,
    PLACE,
    SCENE,
    TILE,
)

LAID = re.compile(
    rf"(?P<verb>\b(?:lay|place|put|pose|poser|mets)\b\s+)?"
    rf"(?P<before>{ARTICLE}(?:(?:tile|tuile)\s+)?(?P<tile>\b{TILE})\b(?:(?!{PLACE})[^.;\n]){{0,50}}?)?"
    rf"{ARTICLE}\b(?P<one>{SCENE})\b(?:(?!\b(?:{SCENE})\b|\b{PLACE})[^.;,\n]){{0,25}}?"
    rf"{ON}{OF_PLACE}(?P<first>{PLACE})"
    rf"(?:(?!\b{PLACE})[^.;\n]){{0,60}}?"
    rf"\b(?P<other>{SCENE})\b(?:(?!\b(?:{SCENE})\b|\b{PLACE})[^.;\n]){{0,40}}?{ON}{OF_PLACE}"
    rf"(?P<second>{PLACE})\)?",
    re.IGNORECASE,
)
LAYING = re.compile(
    rf"(?:\A|(?<=[.;:\n]))(?P<lead>[^.;:\n]*?)\blay\s+(?P<tile>(?:{SCENE})-(?:{SCENE}))\b",
    re.IGNORECASE,
)
SAYING = (
    "i d ll would like to want will put place lay set my the a tile tiles with so that and next "
    "beside other of on it is just je mets pose voudrais veux vais poser mettre ma la le l une "
    "tuile tuiles avec et a cote de mon autre mes juste sous contre"
)
BETWEEN = (
    "right left below under above beneath its that this them directly straight further first half "
    "picture part other mine there here forest plain near along over cave square onto into is lies "
    "goes at droite gauche dessous dessus bas haut premier premiere moitie image cote colle collee "
    "du des les sur dans celle que j ai deja encore aussi autre sa elle lui foret plaine caverne "
    "case au en in at on premiere touche its own where have got already placed my"
)
OF_LAYING: Final = frozenset(SAYING.split())
"""Words before the half of a tile and its place that say nothing else: "I put my tile so that"."""
_BETWEEN: Final = OF_LAYING.union(BETWEEN.split())
"""Words between and beside the halves of a tile that say nothing else."""
STEPS: Final = {
    "E": (r"(?:(?:to|on|at)\s+)?(?:the|its)\s+right|[àa]\s+(?:sa\s+|la\s+)?droite", (1, 0)),
    "W": (r"(?:(?:to|on|at)\s+)?(?:the|its)\s+left|[àa]\s+(?:sa\s+|la\s+)?gauche", (-1, 0)),
    "S": (r"below|under|beneath|(?:au-|en\s+)?dessous", (0, 1)),
    "N": (r"above|(?:au-)?dessus", (0, -1)),
}
"""How the second half of a tile is said to lie beside the first: squares across and down."""
BESIDE = re.compile(
    rf"(?P<whole>\b(?:{SCENE}){ON}{OF_PLACE}(?P<first>[a-h][1-5])\b"
    rf"(?:(?!\b{PLACE})[^.;\n]){{0,60}}?\b(?:{SCENE})\b)"
    rf"(?P<between>(?:(?!\b(?:{SCENE})\b|\b{PLACE})[^.;,\n]){{0,30}}?)"
    rf"\b(?P<way>{'|'.join(said for said, _ in STEPS.values())})\b"
    rf"(?:\s+(?:it|of\s+it|de\s+lui))?(?!(?:(?!\b(?:{SCENE})\b)[^.;\n]){{0,30}}\b{PLACE})",
    re.IGNORECASE,
)

BEFORE = re.compile(
    rf"\b(?P<one>{SCENE})\b(?:(?!\b{PLACE})[^.;\n]){{0,50}}?\b(?P<other>{SCENE})\b"
    rf"(?:(?!\b(?:{SCENE})\b|\b{PLACE})[^.;,\n]){{0,25}}?"
    rf"\b(?P<way>{'|'.join(said for said, _ in STEPS.values())})\s+(?:it|that|this|him|her)"
    rf"{ON}{OF_PLACE}(?P<second>[a-h][1-5])\b",
    re.IGNORECASE,
)
"""The same where the second half has the square: "the mammoth, and the fist below it on F3"."""


def with_laid(text: str, *, sure: bool) -> str:
    """The text with its placements as the notation has them; if they are to be `sure`, with those
    alone between whose halves stands nothing that might mean something.
    """
    for pattern, instead in ((BEFORE, _before), (BESIDE, _beside), (LAID, _laid)):
        text = pattern.sub(partial(_unless_doubted, instead, sure), text)
    return LAYING.sub(_lay_alone, text)


def _unless_doubted(
    instead: Callable[[re.Match[str]], str], sure: bool, found: re.Match[str]
) -> str:
    """What stands instead of a placement, if nobody doubts it."""
    said = found[0].removeprefix(found.groupdict().get("before") or "")
    if sure and (DOUBT.search(said) or not _BETWEEN.issuperset(_words(said))):
        return found[0]
    return instead(found)


def _words(text: str) -> list[str]:
    """The words of a placement without scenes, places and numbers."""
    bare = re.sub(rf"\b(?:{SCENE}|{PLACE}|\d+)\b", " ", folded(text), flags=re.IGNORECASE)
    return re.findall(r"[a-z]+", bare)


def _beside(found: re.Match[str]) -> str:
    """The same with the square that lies on this side of the first, or the cave."""
    at, (side, across, down) = found["first"].upper(), _way(found["way"])
    if re.search(r"\b(?:cave|caverne)\b", found["between"], re.IGNORECASE):
        return f"{found['whole']} on {at}{side}"
    square = _square(at, across, down)
    return f"{found['whole']} on {square}" if square else found[0]


def _before(found: re.Match[str]) -> str:
    """Both halves with their squares, where the second has one and lies on a side of the first."""
    at, (_, across, down) = found["second"].upper(), _way(found["way"])
    square = _square(at, -across, -down)
    if not square or folded(found["one"]) == folded(found["other"]):
        return found[0]
    return f"{found['one']} on {square} and {found['other']} on {at}"


def _way(said: str) -> tuple[str, int, int]:
    """The side that is said, and squares across and down to it."""
    for side, (pattern, (across, down)) in STEPS.items():
        if re.match(pattern, said, re.IGNORECASE):
            return side, across, down
    raise AssertionError(said)


def _square(at: str, across: int, down: int) -> str:
    """The square so far from another; "" if there is none."""
    column, row = chr(ord(at[0]) + across), int(at[1]) + down
    return f"{column}{row}" if "A" <= column <= "H" and 1 <= row <= ROWS else ""


def _lay_alone(found: re.Match[str]) -> str:
    """A placement without what leads to it, if that says nothing else than which tile it is."""
    scenes = {folded(name) for name in re.findall(SCENE, found["tile"], re.IGNORECASE)}
    if not re.fullmatch(r"[\w\s'’,-]*", found["lead"]):
        return found[0]  # such as the mark of a letter's own sample
    said = re.findall(r"[a-z0-9]+", folded(found["lead"]).replace("'", " "))
    return found[0][len(found["lead"]) :] if scenes.union(OF_LAYING).issuperset(said) else found[0]


def _laid(found: re.Match[str]) -> str:
    """The placement; a tile before it that is another stays as it was typed."""
    one, other = found["one"], found["other"]
    if folded(one) == folded(other):
        return found[0]
    tile, copy, before = f"{one}-{other}", "", ""
    if found["tile"]:
        named = re.findall(SCENE, found["tile"], re.IGNORECASE)
        if {folded(name) for name in named} == {folded(one), folded(other)}:
            copy = "".join(re.findall(r"\.[1-9]$", found["tile"]))
        else:
            before = f"{found['verb'] or ''}{found['before']}"
    led = f"{found.string[: found.start()]}{before}".rstrip(" \t,:").casefold()
    verb = "" if re.search(r"\b(?:feast|festin|abandon|abandonne)$", led) else "lay "
    return f"{before}{verb}{tile}{copy} {found['first']} {found['second']}"

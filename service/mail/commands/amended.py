"""A choice of the letter with something else in it: "1, but take picking-fire instead"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.numbers import choice_of

_LINK = (
    r"(?:but|only|with|except|instead|and|then|i|i'd|mais|avec|sauf|plutôt|et|puis|en|je|j'"
    r"|simplement)"
)
_HEAD = re.compile(
    rf"\s*(?P<head>.*?\d\S*?)\s*(?:[,;:.]\s*|\s+(?={_LINK}\b))(?P<rest>.*)", re.DOTALL
)
_LED = re.compile(rf"\A(?:[\s,;:]*{_LINK}\b)+\s*", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,]*(?:instead|rather|please|thanks|à la place|plutôt|merci|stp|svp)?[\s.!]*\Z",
    re.IGNORECASE,
)
_PARTED = re.compile(r"\s*[,;\n]\s*")
_LEFT_OUT = re.compile(r"\A(?:without|sans|keep|garde)\s+(?P<what>.+)", re.IGNORECASE)
"""What is not to be done: "without the token", "je garde le jeton Chasse"."""

LONGEST = 200
"""Characters of a text that is a choice and a change, and not a turn of its own."""

MOST = 3
"""Turns to choose from that an answer shows."""


def number_amended(text: str, names: Collection[str] = ()) -> int | None:
    """The number of a choice that a text begins with and goes on from: 1 of "1, but ..."; None if
    it does not.
    """
    found = _HEAD.match(text) if len(text) <= LONGEST else None
    choice = choice_of(found["head"], names) if found and found["rest"].strip() else None
    sure = choice is not None and choice.sure and len(choice.numbers) == 1
    return choice.numbers[0] if choice is not None and sure else None


def amended(
    asked: Asked, offered: Sequence[Printed], text: str, names: Collection[str] = ()
) -> tuple[str, ...]:
    """The legal turns that a text may mean which begins with the number of one of those `offered`
    and names what is to be done instead of a part of it; none if it is no such text.
    """
    number = number_amended(text, names)
    found = _HEAD.match(text) if number in range(1, len(offered) + 1) else None
    if found is None or number is None:
        return ()
    actions = asked.tried(offered[number - 1].text)
    if isinstance(actions, Exception):
        return ()
    parts = _PARTED.split(_TAIL.sub("", found["rest"]))
    changes = [change for part in parts if (change := _TAIL.sub("", _LED.sub("", part)))]
    chosen = list(asked.spelled(actions, asked.lang))
    turns = [chosen] if changes else []
    for change in changes:
        left_out = _LEFT_OUT.match(change)
        turns = [
            turn
            for begun in turns
            for turn in (
                _without(asked, begun, left_out["what"])
                if left_out
                else _changed(asked, begun, change)
            )
        ]
    turns = [turn for turn in turns if turn != chosen]
    return tuple(dict.fromkeys(", ".join(turn) for turn in turns))[:MOST]


def _without(asked: Asked, turn: Sequence[str], what: str) -> Iterator[list[str]]:
    """The legal turns without an action of which every word is named here, the most words of all:
    of "the camp token" the token, and not the camp.
    """
    said = set(tokens(what))
    words = [{word for word in tokens(line) if word.isalpha()} for line in turn]
    most = max((len(each) for each in words if each <= said), default=0)
    for at, each in enumerate(words):
        left = [*turn[:at], *turn[at + 1 :]]
        named = each <= said and len(each) == most > 0
        if named and not isinstance(asked.tried(", ".join(left)), Exception):
            yield left


def _changed(asked: Asked, turn: Sequence[str], change: str) -> Iterator[list[str]]:
    """The legal turns with this in place of the action that begins with the same verb, or, if it
    has no verb, behind that of any; what comes after it is the game's where the turn's own no
    longer fits.
    """
    first = tokens(change)[:1]
    same = [at for at, line in enumerate(turn) if tokens(line)[:1] == first]
    for at, line in enumerate(turn):
        for written in [change] if at in same else [f"{line.split()[0]} {change}"] * (not same):
            begun = [*turn[:at], written]
            whole = ", ".join([*begun, *turn[at + 1 :]])
            fits = not isinstance(asked.tried(whole), Exception)
            for text in (whole,) if fits else asked.whole([", ".join(begun)]):
                read = asked.tried(text)
                assert not isinstance(read, Exception)
                yield list(asked.spelled(read, asked.lang))

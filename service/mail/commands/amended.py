"""A choice of the letter with something else in it: "1, but take picking-fire instead"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed, named
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
_PARTED = (
    re.compile(r"\s*[,;\n]\s*"),
    re.compile(r"\s*(?:[,;\n]|\b(?:and|et|then|puis)\b)\s*", re.IGNORECASE),
)
"""Where changes are parted; the second way, where the first makes no turn: "and" may stand between
two things that are taken.
"""
_LEFT_OUT = re.compile(
    r"\A(?:without|sans|keep|garde)\s+(?P<what>(?:(?!\b(?:and|et)\b).)+?)"
    r"(?:\s+(?:for later|for now|for (?:the|my) next turn|pour plus tard"
    r"|pour (?:le|mon) prochain tour))?\Z",
    re.IGNORECASE,
)
"""What is not to be done: "without the token", "je garde le jeton Chasse pour plus tard"."""
_MEANT = re.compile(
    r"\A(?P<led>(?:(?:yes|ok|okay|no|sorry|oops|pardon|oui|non|d[ée]sol[ée]e?|ah|oh|hm+)\b[\s,.!:;-]*)*"
    r"(?:(?:i\s+(?:meant|mean)|je\s+voulais(?:\s+dire)?|rather|plut[ôo]t)\b[\s,:]*)?)(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The words with which somebody corrects themselves: "Sorry, I meant ...", "Yes, but ..."."""

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
    return changed(asked, offered[number - 1].text, found["rest"])


def corrected(asked: Asked, turn: str, text: str) -> tuple[str, ...]:
    """The legal turns that a text may mean which corrects a `turn` that was asked about: "yes, but
    take X", "sorry, I meant X"; none if it is no such text.
    """
    found = _MEANT.match(text.strip()) if len(text) <= LONGEST else None
    return changed(asked, turn, found["rest"]) if found and found["led"] and found["rest"] else ()


def changed(asked: Asked, turn: str, changes: str) -> tuple[str, ...]:
    """The legal turns that differ from one in what a text says of it; none if a part of that cannot
    be read.
    """
    actions = asked.tried(turn)
    if isinstance(actions, Exception):
        return ()
    chosen = list(asked.spelled(actions, asked.lang))
    for parted in _PARTED:
        parts = parted.split(_TAIL.sub("", changes))
        each = [change for part in parts if (change := _TAIL.sub("", _LED.sub("", part)))]
        turns = [turn for turn in _with_all(asked, chosen, each) if turn != chosen]
        if each and turns:
            return tuple(dict.fromkeys(", ".join(turn) for turn in turns))[:MOST]
    return ()


def _with_all(asked: Asked, chosen: list[str], changes: Sequence[str]) -> list[list[str]]:
    """The legal turns with all of these changes."""
    turns = [chosen]
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
    return turns


def _without(asked: Asked, turn: Sequence[str], what: str) -> Iterator[list[str]]:
    """The legal turns without an action of which every word is named here, the most words of all
    (of "the camp token" the token, and not the camp), or else its verb.
    """
    said = set(tokens(what))
    words = [{word for word in tokens(line) if word.isalpha()} for line in turn]
    most = max((len(each) for each in words if each <= said), default=0)
    for at, each in enumerate(words):
        left = [*turn[:at], *turn[at + 1 :]]
        whole = each <= said and len(each) == most
        if (whole if most else tokens(turn[at])[0] in said) and not isinstance(
            asked.tried(", ".join(left)), Exception
        ):
            yield left


def _changed(asked: Asked, turn: Sequence[str], change: str) -> Iterator[list[str]]:
    """The legal turns with this in place of the action that begins with the same verb, or, if it
    has no verb, behind that of any; what comes after it is the game's where the turn's own no
    longer fits.
    """
    first = tokens(change)[:1]
    same = [(at, change) for at, line in enumerate(turn) if tokens(line)[:1] == first]
    others = [(at, f"{line.split()[0]} {change}") for at, line in enumerate(turn)]
    for slots in (same, others):
        found = [each for at, written in slots for each in _put(asked, turn, at, written)]
        if not found:
            found = [
                each
                for at, written in slots
                for one in _naming(asked, turn[:at], turn[at].split()[0], written)
                for each in _put(asked, turn, at, one)
            ]
        if found:
            yield from found
            return


def _put(asked: Asked, turn: Sequence[str], at: int, action: str) -> Iterator[list[str]]:
    """The legal turns with this action in that place."""
    begun = [*turn[:at], action]
    whole = ", ".join([*begun, *turn[at + 1 :]])
    fits = not isinstance(asked.tried(whole), Exception)
    for text in (whole,) if fits else asked.whole([", ".join(begun)]):
        read = asked.tried(text)
        assert not isinstance(read, Exception)
        yield list(asked.spelled(read, asked.lang))


def _naming(asked: Asked, begun: Sequence[str], verb: str, written: str) -> list[str]:
    """The actions with a verb that may follow and have what is named: "remove that with hunt"."""
    words = asked.game.notation.words
    if any(len(run := tokens(word)) > 1 and not words.issuperset(run) for word in written.split()):
        return []  # half of a tile that there is not
    said = {token for word in named(words, written) for token in tokens(word)} - {verb}
    found = [
        each
        for each in asked.choices("\n".join(begun))
        if said and each.split()[0] == verb and said <= set(tokens(each))
    ]
    return found if len(found) <= MOST else []

"""Finds in a reply: a turn, several, or something that was meant to be one."""

from __future__ import annotations

import msgspec

from engine.protocol import too_long


class Nothing(msgspec.Struct, frozen=True, tag=True):
    """No turn is in it."""


class Turn(msgspec.Struct, frozen=True, tag=True):
    """One turn, legal as far as it can be known before it is played."""

    text: str


class Mend(msgspec.Struct, frozen=True, tag=True):
    """Something that was meant to be a turn. `error` says why it is none; `instead` are legal turns
    that are it, completed or with its slips mended.
    """

    text: str
    error: Exception
    instead: tuple[str, ...] = ()


class Several(msgspec.Struct, frozen=True, tag=True):
    """Different legal turns; `texts` are how each is written."""

    texts: tuple[str, ...]


class NotOffered(msgspec.Struct, frozen=True, tag=True):
    """The number of a choice the letter did not offer, and how many it did."""

    number: int
    offered: int


class Unsure(msgspec.Struct, frozen=True, tag=True):
    """Numbers that may be choices and may be something else; `texts` are the turns they offer."""

    numbers: tuple[int, ...]
    texts: tuple[str, ...]


Found = Nothing | Turn | Mend | Several | NotOffered | Unsure


def cut_off(turn: Turn, length: int) -> Mend:
    """The answer to a turn in a reply of so many characters, whose end was cut off: the rest of the
    turn may stand there.
    """
    return Mend(turn.text, too_long(length))

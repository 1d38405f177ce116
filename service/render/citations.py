"""Rules that a sentence cites by their code ("S§5.1"), so that a letter can name them."""

from __future__ import annotations

import re

import msgspec

_CITED = re.compile(r"\([A-Z]§(\d+(?:\.\d+)*)\)")


class Piece(msgspec.Struct, frozen=True):
    """A piece of a sentence, and the number of the rule that is cited behind it, "" for none;
    `anchor` is that rule's on the rules page.
    """

    text: str
    number: str = ""

    @property
    def anchor(self) -> str:
        """The id that the rule has on its page."""
        return "s" + self.number.replace(".", "-")


def citations(text: str) -> list[Piece]:
    """The sentence in pieces, one for each rule that it cites and what is left."""
    pieces, end = [], 0
    for found in _CITED.finditer(text):
        pieces.append(Piece(text[end : found.start()], found[1]))
        end = found.end()
    return [*pieces, Piece(text[end:])]

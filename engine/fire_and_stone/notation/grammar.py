"""The syntax of one action: what it can say, without looking at a position.

docs/notation.md has the grammar.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec

from engine.fire_and_stone.notation import words
from engine.kit.notation import syntax
from engine.kit.notation.syntax import Parser, after, either, into, keyword, leading, many, maybe
from engine.kit.notation.words import Vocabulary

Part = tuple[str, Any]
"""Something named in an action: its sort, and its id or number."""


class Order(msgspec.Struct, frozen=True):
    """One reading of an action's text: a verb, and what is named behind it."""

    verb: str
    parts: tuple[Part, ...] = ()

    def all(self, sort: str) -> tuple[Any, ...]:
        """The things of one sort that are named, in order."""
        return tuple(thing for its_sort, thing in self.parts if its_sort == sort)

    def one(self, sort: str) -> Any:
        """The first thing of one sort that is named; None if there is none."""
        return next(iter(self.all(sort)), None)


def named(vocabulary: Vocabulary[str], sort: str, kind: str = "") -> Parser[Part]:
    """A name, as a part of this sort; `kind` is what is missing where it is not read."""
    return into(lambda name: (sort, name), syntax.each(vocabulary, kind or sort))


PLACE: Final = named(words.PLACES, "place")
PIECE: Final = named(words.PIECES, "piece")
CARD: Final = named(words.CARDS, "card")
COLUMN: Final = named(words.COLUMNS, "column")
KIND: Final = named(words.KINDS, "kind")
ALL: Final = into(lambda _: ("all", True), keyword(words.OTHER["all"]))
_NUMBER: Final = into(lambda number: ("number", number), syntax.number())
_SAME = into(lambda _: ("same", True), keyword(words.OTHER["same"]))
_FOR = keyword(words.OTHER["for"])
_VP = keyword({"en": "vp", "fr": "pv"})
_NONE = keyword({"en": "none", "fr": "rien"})


_A_HUT = syntax.pattern("(?:a|une) hut(?:te)?(?![a-z])", lambda _: None)


def _order(verb: str, *parts: Part | tuple[Part, ...] | None) -> Order:
    found: list[Part] = []
    for part in parts:
        if part and isinstance(part[0], tuple):
            found += part
        elif part:
            found.append(part)  # type: ignore[arg-type]
    return Order(verb, tuple(found))


def _behind(verb: str, *parsers: Parser[Any]) -> Parser[Order]:
    """What stands behind a verb; all of it, or the end of it, may be left out."""
    return leading(partial(_order, verb), *parsers)


def _then_card(verb: str, *parsers: Parser[Any]) -> Parser[Order]:
    """What stands behind a take: each part may be left out, also the card it brings (F§16.5)."""
    card = either(
        CARD,
        into(lambda covers: ("vp", covers), after(_VP, syntax.each(words.CARDS, "card"))),
        into(lambda _: ("none", True), _NONE),
    )
    parts = [maybe(parser, None) for parser in (*parsers, card)]
    return leading(partial(_order, verb), into(lambda *found: tuple(filter(None, found)), *parts))


_BARTER = into(lambda given, taken: (given, taken), CARD, after(_FOR, CARD))
_ONE = either(PLACE, CARD, COLUMN)

_PRODUCTIONS: dict[str, Parser[Order]] = {
    **{verb: _behind(verb) for verb in ("pass", "food", "hunt", "drop", "done", "none")},
    "rank": into(lambda cards: _order("rank", cards), many(CARD)),
    "explorer": _behind("explorer", _NUMBER),
    "go": either(_behind("go", PLACE), into(partial(_order, "go"), _NUMBER, PLACE)),
    "take": _then_card("take", KIND, COLUMN),
    "forage": _then_card("forage", PLACE, COLUMN),
    "keep": into(lambda pieces: _order("keep", pieces), many(PIECE)),
    "cook": either(_behind("cook", ALL), into(lambda p: _order("cook", p), many(PIECE, 1))),
    "piece": _behind("piece", PIECE),
    "build": after(maybe(_A_HUT, None), _behind("build", PLACE)),
    "return": _behind("return", PLACE),
    "second": _behind("second", PLACE),
    "card": _behind("card", CARD),
    "vp": _behind("vp", CARD),
    "cave": either(
        _behind("cave", ALL),
        _behind("cave", _ONE),
        into(lambda pieces: _order("cave", pieces), many(PIECE, 1)),
        into(lambda both: _order("cave", both), _BARTER),
    ),
    "discard": _behind("discard", COLUMN),
    "swap": either(_behind("swap"), into(lambda both: _order("swap", both), _BARTER)),
    "name": _behind("name", PLACE),
    "look": into(lambda places: _order("look", places), many(PLACE)),
    "arrange": either(
        _behind("arrange", _SAME),
        into(lambda k: _order("arrange", k), many(named(words.TILES, "tile", "kind"), 1)),
    ),
    "objective": _behind("objective", named(words.GOALS, "objective")),
}

ACTION: Final[Parser[Order]] = syntax.by_word(words.VERBS, "verb", _PRODUCTIONS)

"""The syntax of one action: what it can say, without looking at a position.

docs/notation.md has the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import msgspec

from engine.kit.notation import syntax
from engine.kit.notation.syntax import Parser, Reader, leading
from engine.protocol import Seat
from engine.sapiens.notation import words

_SQUARE = re.compile(r"(?:([a-h])[ -]*([1-5])|([1-5])[ -]*([a-h]))")
_SIDE = re.compile(r"[ -]*([nsewo])(?:(?![a-z])|(?=[a-h][1-5]))")
_WATERFALL = re.compile(r"(?:" + "|".join(words.WATERFALLS) + r")(?![a-z])")


class TileName(msgspec.Struct, frozen=True):
    """A tile as written: what each of the two words can mean, and the copy if one is given."""

    one: frozenset[str]
    other: frozenset[str]
    copy: int | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """One reading of an action's text. What is empty or None was left out.

    `verb` is a key of `words.VERBS`; with `token` it is the effect of a mountain token.
    `tiles` are in written order (`fight`: the target, then the tile a token is moved from;
    `water`: given, gotten). `pay` is the order of fight tokens, `board` the board of a bear.
    """

    verb: str
    token: bool = False
    tiles: tuple[TileName, ...] = ()
    places: tuple[str, ...] = ()
    pay: tuple[Seat, ...] = ()
    board: Seat | None = None
    scene: str | None = None
    number: int | None = None


def _place(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    start = reader.start(at)
    if square := _SQUARE.match(reader.chars, start):
        column, row, row_first, column_last = square.groups()
        name = f"{column or column_last}{row or row_first}".upper()
        yield name, square.end()
        if side := _SIDE.match(reader.chars, square.end()):
            yield name + words.SIDES[side[1]], side.end()
    elif waterfall := _WATERFALL.match(reader.chars, start):
        yield words.WATERFALLS[waterfall[0]], waterfall.end()
    else:
        reader.note(at, "place")


def _tile(kind: str) -> Parser[TileName]:
    scene = syntax.word(words.SCENE_WORDS, kind)
    # "2F" is a square, row first, and no copy: so "2F 2E" is not copy 2 at "F2E".
    copy = syntax.pattern(r"([1-9])(?![0-9])(?![a-h](?![1-5]))", lambda match: int(match[1]))
    return syntax.into(TileName, scene, scene, syntax.maybe(copy, None))


TILE: Final = _tile("tile")
_OTHER_TILE = _tile("other tile")
_COLOUR = syntax.each(words.COLOUR_WORDS, "colour")
_PAY = syntax.after(syntax.word(words.PAY, "end"), syntax.many(_COLOUR, 1))
_FROM = syntax.after(syntax.word(words.FROM, "end"), _OTHER_TILE)
_FOR = syntax.after(syntax.word(words.FOR, "end"), _OTHER_TILE)
_STEAKS = syntax.number(gap=syntax.SPACES)
# A scene after a space only: "ritual-hunt" is a tile.
_USED = syntax.each(words.SCENE_WORDS, "scene", syntax.SPACES)


def _order(verb: str, *parts: TileName | str | Seat | tuple[Seat, ...]) -> Order:
    return Order(
        verb=verb,
        tiles=tuple(part for part in parts if isinstance(part, TileName)),
        places=tuple(part for part in parts if isinstance(part, str)),
        pay=next((part for part in parts if isinstance(part, tuple)), ()),
        board=next((part for part in parts if isinstance(part, int)), None),
    )


def _behind(verb: str, *parsers: Parser[Any]) -> Parser[Order]:
    """What stands behind a verb; all of it, or the end of it, may be left out."""
    return leading(partial(_order, verb), *parsers)


_PRODUCTIONS: dict[str, Parser[Order]] = {verb: _behind(verb) for verb in words.VERBS}
for _verb in ("lay", "abandon", "feast"):
    _PRODUCTIONS[_verb] = _behind(_verb, TILE, _place, _place, _PAY)
_PRODUCTIONS |= {
    "ritual": syntax.either(
        _behind("ritual", _place),
        leading(lambda scene=None: Order(verb="ritual", scene=scene), _USED),
    ),
    "fight": _behind("fight", TILE, _FROM),
    "water": _behind("water", TILE, syntax.either(_FOR, _OTHER_TILE)),
    "hunt": leading(lambda number=None: Order(verb="hunt", number=number), _STEAKS),
    "fire": syntax.either(_behind("fire", _COLOUR, _place), _behind("fire", _place, _COLOUR)),
    "retrieve": _behind("retrieve", TILE),
    "take": syntax.into(lambda tiles: Order(verb="take", tiles=tiles), syntax.many(TILE)),
    "remove": _behind("remove", TILE),
}
_PRODUCTIONS["token"] = syntax.into(
    lambda effect: msgspec.structs.replace(effect, token=True),
    syntax.by_word(words.SCENE_WORDS, "scene", {s: _PRODUCTIONS[s] for s in sorted(words.SCENES)}),
)

# Places alone are no action, although "C2" could be short for "chasse 2".
ACTION: Final[Parser[Order]] = syntax.unless(
    syntax.many(_place, 1), syntax.by_word(words.VERB_WORDS, "verb", _PRODUCTIONS), "verb"
)

"""The syntax of one action: every way the text can be read, without looking at a position.

A parser takes a place in the text and gives every reading from there, each with the place after
it. What is ambiguous stays so here; `reading` asks the position. docs/notation.md has the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from engine.protocol import Seat
from engine.sapiens.notation import words
from engine.sapiens.notation.text import Plain

T = TypeVar("T")
Results = Iterable[tuple[T, int]]

_SQUARE = re.compile(r"(?:([a-h])[ -]*([1-5])|([1-5])[ -]*([a-h]))")
_SIDE = re.compile(r"[ -]*([nsewo])(?:(?![a-z])|(?=[a-h][1-5]))")
_WATERFALL = re.compile(r"(?:" + "|".join(words.WATERFALLS) + r")(?![a-z])")
_RUN = re.compile(r"[a-z]+")
# "2F" is a square, row first, and no copy: so "2F 2E" is not copy 2 at "F2E".
_COPY = re.compile(r"[ -]*([1-9])(?![0-9])(?![a-h](?![1-5]))")
_NUMBER = re.compile(r" *([0-9]{1,2})(?![0-9])")
_GAP = re.compile(r"[ -]*")
_SPACES = re.compile(r" *")

PLACED = ("lay", "abandon", "feast")
"""Verbs that name a tile and two places."""


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


class Reader:
    """Reads one text. When `orders` finds nothing, `stuck_at`, `wanted` and `verb` say why.

    `wanted` are kinds: "verb", "tile", "other tile", "place", "colour", "scene", "number", "end".
    `verb` is the one being read there, empty before it.
    """

    def __init__(self, text: Plain) -> None:
        self._chars = text.chars
        self.stuck_at = 0
        self.wanted: list[str] = []
        self.verb = ""
        self._verb = ""

    def orders(self) -> list[Order]:
        """Every reading of the whole text, each once.

        Places alone are none, although "C2" could be short for "chasse 2".
        """
        if any(places and self._at_end(at) for places, at in self._many(self._place, 0)):
            self.stuck_at, self.wanted = 0, ["verb"]
            return []
        found: dict[Order, None] = {}
        for order, at in self._action(0):
            if self._at_end(at):
                found[order] = None
            else:
                self._stuck(at, "end")
        return list(found)

    def begins_with_tile(self) -> bool:
        """True if a tile stands where the verb should."""
        return any(True for _ in self._tile(0))

    # Terminals

    def _stuck(self, at: int, kind: str) -> None:
        at = self._after(_GAP, at)
        if at > self.stuck_at:
            self.stuck_at, self.wanted, self.verb = at, [], self._verb
        if at == self.stuck_at and kind not in self.wanted:
            self.wanted.append(kind)

    def _after(self, pattern: re.Pattern[str], at: int) -> int:
        match = pattern.match(self._chars, at)
        return match.end() if match else at

    def _at_end(self, at: int) -> bool:
        return self._after(_GAP, at) == len(self._chars)

    def _words(
        self,
        at: int,
        vocabulary: words.Vocabulary[T],
        kind: str,
        gap: re.Pattern[str] = _GAP,
    ) -> Iterator[tuple[frozenset[T], int]]:
        start = self._after(gap, at)
        run = _RUN.match(self._chars, start)
        found = False
        if run:
            meanings = vocabulary.meanings(run.group())
            if meanings:
                found = True
                yield meanings, run.end()
            for glued, length in vocabulary.glued(run.group()):
                found = True
                yield glued, start + length
        if not found:
            self._stuck(at, kind)

    def _place(self, at: int) -> Iterator[tuple[str, int]]:
        start = self._after(_GAP, at)
        square = _SQUARE.match(self._chars, start)
        if square:
            column, row, row_first, column_last = square.groups()
            name = f"{column or column_last}{row or row_first}".upper()
            yield name, square.end()
            side = _SIDE.match(self._chars, square.end())
            if side:
                yield name + words.SIDES[side.group(1)], side.end()
            return
        waterfall = _WATERFALL.match(self._chars, start)
        if waterfall:
            yield words.WATERFALLS[waterfall.group()], waterfall.end()
            return
        self._stuck(at, "place")

    def _tile(self, at: int, kind: str = "tile") -> Iterator[tuple[TileName, int]]:
        for one, after_one in self._words(at, words.SCENE_WORDS, kind):
            for other, after_other in self._words(after_one, words.SCENE_WORDS, kind):
                yield TileName(one, other), after_other
                copy = _COPY.match(self._chars, after_other)
                if copy:
                    yield TileName(one, other, int(copy.group(1))), copy.end()

    def _colour(self, at: int) -> Iterator[tuple[Seat, int]]:
        for seats, after in self._words(at, words.COLOUR_WORDS, "colour"):
            for seat in sorted(seats):
                yield seat, after

    # Combinations

    def _many(
        self, parse: Callable[[int], Results[T]], at: int
    ) -> Iterator[tuple[tuple[T, ...], int]]:
        yield (), at
        for value, after in parse(at):
            for rest, end in self._many(parse, after):
                yield (value, *rest), end

    def _action(self, at: int) -> Iterator[tuple[Order, int]]:
        for verbs, after in self._words(at, words.VERB_WORDS, "verb"):
            for verb in words.VERBS:
                if verb not in verbs:
                    continue
                if verb == "token":
                    yield from self._token(after)
                else:
                    yield from self._rest(verb, after)

    def _token(self, at: int) -> Iterator[tuple[Order, int]]:
        self._verb = "token"
        for scenes, after in self._words(at, words.SCENE_WORDS, "scene"):
            for scene in sorted(scenes):
                for order, end in self._rest(scene, after):
                    yield msgspec.structs.replace(order, token=True), end

    def _rest(self, verb: str, at: int) -> Iterator[tuple[Order, int]]:
        self._verb = verb
        if verb in PLACED:
            yield from self._placed(verb, at)
        elif verb == "fire":
            yield from self._fire(at)
        elif verb == "ritual":
            yield from self._ritual(at)
        elif verb == "hunt":
            yield from self._hunt(at)
        elif verb in ("fight", "water"):
            yield from self._two_tiles(verb, at)
        elif verb == "take":
            for tiles, end in self._many(self._tile, at):
                yield Order(verb=verb, tiles=tiles), end
        elif verb in ("retrieve", "remove"):
            yield Order(verb=verb), at
            for tile, end in self._tile(at):
                yield Order(verb=verb, tiles=(tile,)), end
        else:
            yield Order(verb=verb), at

    def _placed(self, verb: str, at: int) -> Iterator[tuple[Order, int]]:
        yield Order(verb=verb), at
        for tile, after in self._tile(at):
            named = Order(verb=verb, tiles=(tile,))
            yield named, after
            for place, after_place in self._place(after):
                half = msgspec.structs.replace(named, places=(place,))
                yield half, after_place
                for second, end in self._place(after_place):
                    whole = msgspec.structs.replace(named, places=(place, second))
                    yield whole, end
                    yield from self._pay(whole, end)

    def _pay(self, order: Order, at: int) -> Iterator[tuple[Order, int]]:
        for _, after in self._words(at, words.PAY_WORDS, "end"):
            for seats, end in self._many(self._colour, after):
                if seats:
                    yield msgspec.structs.replace(order, pay=seats), end

    def _fire(self, at: int) -> Iterator[tuple[Order, int]]:
        yield Order(verb="fire"), at
        for board, after in self._colour(at):
            yield Order(verb="fire", board=board), after
            for place, end in self._place(after):
                yield Order(verb="fire", board=board, places=(place,)), end
        for place, after in self._place(at):
            yield Order(verb="fire", places=(place,)), after
            for board, end in self._colour(after):
                yield Order(verb="fire", board=board, places=(place,)), end

    def _ritual(self, at: int) -> Iterator[tuple[Order, int]]:
        yield Order(verb="ritual"), at
        for place, end in self._place(at):
            yield Order(verb="ritual", places=(place,)), end
        # A scene after a space only: "ritual-hunt" is a tile.
        for scenes, end in self._words(at, words.SCENE_WORDS, "scene", gap=_SPACES):
            for scene in sorted(scenes):
                yield Order(verb="ritual", scene=scene), end

    def _hunt(self, at: int) -> Iterator[tuple[Order, int]]:
        yield Order(verb="hunt"), at
        number = _NUMBER.match(self._chars, at)
        if number:
            yield Order(verb="hunt", number=int(number.group(1))), number.end()
        else:
            self._stuck(at, "number")

    def _two_tiles(self, verb: str, at: int) -> Iterator[tuple[Order, int]]:
        between = words.FROM_WORDS if verb == "fight" else words.FOR_WORDS
        yield Order(verb=verb), at
        for tile, after in self._tile(at):
            yield Order(verb=verb, tiles=(tile,)), after
            for _, past in self._words(after, between, "end"):
                for second, end in self._tile(past, "other tile"):
                    yield Order(verb=verb, tiles=(tile, second)), end
            if verb == "water":
                for second, end in self._tile(after, "other tile"):
                    yield Order(verb=verb, tiles=(tile, second)), end

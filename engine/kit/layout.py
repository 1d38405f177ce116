"""Room for tokens on a place: all of them in the largest form that fits, else summed up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.kit.scene import Form, Token
from engine.kit.shapes import Point, Shape, box_of, chord

HEIGHTS: Final = {Form.FIGURE: 28.0, Form.CHIP: 13.0, Form.BADGE: 11.0}
"""Units that a token of this form is high."""

KEPT: Final = 2048
"""Places whose tokens are settled already: most are as they were in the picture before."""

GAP: Final = 0.8
_DIGIT: Final = {Form.FIGURE: 0.0, Form.CHIP: 6.4, Form.BADGE: 5.6}
_MARK: Final = {Form.FIGURE: 26.0, Form.CHIP: 13.0, Form.BADGE: 10.6}
_BEFORE, _BEHIND, _RULE, _BETWEEN = 0.6, 0.8, 1, 2.6
"""Before the first number, behind each, to the line between two, from one to the next."""
_FIGURES: Final = (1.5, 1.2, 1.0)
"""Scales of figures: they fill the room there is."""
_CHIPS: Final = (1.0, 0.86, 0.74)
"""Scales of chips, whose numbers say more than a badge's sum."""
_BESIDE: Final = ((1.0, 0.72), (1.0, 0.64), (0.86, 0.64), (0.86, 0.56), (0.74, 0.56))
"""Scales of chips, and of the figures among them: what has a total is told apart by its drawing."""
_COUNTED: Final = (1.0, 0.93, 0.86)
_CORNER: Final = ((1.0, 0.72), (0.86, 0.64), (0.74, 0.56), (0.64, 0.5), (0.56, 0.44))
"""Scales of chips that count, and of those and the figures in a row above them: numbers are read
first."""
_LEAST: Final = 0.86
"""The scale of badges that hardly fit."""


def width_of(token: Token) -> float:
    """Units that a token is wide: its mark and the numbers beside it."""
    form = token.form
    if form is Form.FIGURE:
        return (_MARK[form] + (10 if len(token.counts) > 1 else 0)) * token.size
    counts = counts_of(token)
    digits = sum(len(str(count)) for count in counts)
    parts = 3.4 * (len(counts) - 1) + 2.4 if counts else 0
    marks = (token.seat is not None) + token.glyph
    return (_MARK[form] * marks + digits * _DIGIT[form] + parts) * token.size


class Number(NamedTuple):
    """A number on a token, about `x`; `rule` is where the line before it stands, if one does."""

    number: int
    x: float
    rule: float | None


class Row(NamedTuple):
    """The inside of a chip or badge before it is scaled, about (0, 0): how wide it is, the middles
    of its seat's mark and of its small drawing (None: it has none), and its numbers.
    """

    width: float
    seat: float | None
    glyph: float | None
    numbers: tuple[Number, ...]


def row_of(token: Token) -> Row:
    """The mark, the drawing and the numbers of a token that is no figure, side by side."""
    room, digit = _MARK[token.form], _DIGIT[token.form]
    width = width_of(token) / token.size
    x = width / -2
    seat = glyph = None
    if token.seat is not None:
        seat, x = x + room / 2, x + room
    if token.glyph:
        glyph, x = x + room / 2, x + room
    x += _BEFORE
    numbers: list[Number] = []
    for count in counts_of(token):
        rule = None
        if numbers:
            rule, x = x + _RULE, x + _BETWEEN
        digits = len(str(count)) * digit
        numbers.append(Number(count, x + digits / 2, rule))
        x = x + digits + _BEHIND
    return Row(width, seat, glyph, tuple(numbers))


def counts_of(token: Token) -> tuple[int, ...]:
    """The numbers a token shows: a badge has but their sum."""
    if token.form is Form.BADGE and token.counts:
        return (sum(token.counts),)
    return token.counts


def settle(
    tokens: Sequence[Token], shape: Shape, *, top: float = 0.0, margin: float = 1.2
) -> tuple[Token, ...]:
    """The tokens where they are drawn on a shape, whose uppermost `top` units are taken. One that
    is given as a chip is never a figure.

    Figures if there is room for them, else chips, those with a `total` as small figures among them
    where that fits. Where chips are given that is tried first with all else in one smaller row
    above them, so that their numbers are large. Then chips down to small ones; then those of one
    `total` are summed up, and at last there are badges. Whatever still does not fit is drawn beyond
    the shape.
    """
    return _settled(tuple(tokens), shape, top, margin)


@lru_cache(maxsize=KEPT)
def _settled(
    tokens: tuple[Token, ...], shape: Shape, top: float, margin: float
) -> tuple[Token, ...]:
    summed = tuple(_summed(tokens))
    others = [token for token in tokens if not token.total]
    totals = [token for token in tokens if token.total]
    if (stacked := _stacked(tokens, summed, shape, top, margin)) is not None:
        return tuple(stacked)
    # Beside what stands first there is often more room than behind the rest.
    orders = (tokens, (*others[:1], *totals, *others[1:])) if totals else ()
    # The form of most, and that of what has a total, each with its scale.
    tries: list[tuple[Sequence[Token], Form, float, Form, float]] = [
        *((tokens, Form.FIGURE, size, Form.FIGURE, size) for size in _FIGURES),
        *((some, Form.CHIP, size, Form.FIGURE, at) for size, at in _BESIDE for some in orders),
        *((tokens, Form.CHIP, size, Form.CHIP, size) for size in _CHIPS),
        *((summed, Form.CHIP, size, Form.CHIP, size) for size in _CHIPS),
        (summed, Form.BADGE, 1.0, Form.BADGE, 1.0),
        (summed, Form.BADGE, _LEAST, Form.BADGE, _LEAST),
    ]
    for some, form, size, other, small in tries:
        formed = [
            _formed(token, other, small) if token.total else _formed(token, form, size)
            for token in some
        ]
        rows = _rows(formed, shape, top, margin)
        if rows is not None:
            return tuple(rows)
    room = box_of(shape.corners)
    return tuple(_lined([formed], room.left, room.right, (room.top + top + room.bottom) / 2))


def _stacked(
    tokens: tuple[Token, ...], summed: tuple[Token, ...], shape: Shape, top: float, margin: float
) -> list[Token] | None:
    """The chips that are given, a row each, below one row of all else; None where there is no such
    thing, or no room.
    """
    counted = [token for token in tokens if token.form is Form.CHIP]
    if not counted or len(counted) == len(tokens):
        return None
    room = box_of(shape.corners)
    above, below = room.top + top, room.bottom - margin
    for size, (chip, figure) in product(_COUNTED, _CORNER):
        chips = [replace(token, size=token.size * size) for token in counted]
        for some in (tokens, summed):
            small = ((each, each.total) for each in some if each.form is not Form.CHIP)
            marks = [
                _formed(each, Form.FIGURE, figure) if total else _formed(each, Form.CHIP, chip)
                for each, total in small
            ]
            rows = [marks, *([each] for each in chips)]
            highs = [max(HEIGHTS[each.form] * each.size for each in row) for row in rows]
            y = (above + below - sum(highs) - GAP * (len(rows) - 1)) / 2
            found: list[Token] | None = [] if y >= above else None
            for row, high in zip(rows, highs, strict=True):
                left, right = _width_at(shape, y + high / 2, high, margin)
                wide = sum(map(width_of, row)) + GAP * (len(row) - 1)
                if found is None or wide > right - left:
                    found = None
                    break
                found += _lined([row], left, right, y + high / 2)
                y += high + GAP
            if found is not None:
                # In the order in which they are told.
                above_it, counts = iter(found[: len(marks)]), iter(found[len(marks) :])
                return [next(counts if each.form is Form.CHIP else above_it) for each in some]
    return None


def _formed(token: Token, form: Form, size: float) -> Token:
    return replace(token, form=token.form if form is Form.FIGURE else form, size=token.size * size)


def _summed(tokens: Iterable[Token]) -> Iterable[Token]:
    """The tokens, those that share a total as one in the place of the first of them."""
    totals: dict[str, list[Token]] = {}
    for token in tokens:
        if token.total:
            totals.setdefault(token.total, []).append(token)
    for token in tokens:
        if not token.total:
            yield token
            continue
        together = totals.pop(token.total, [])
        if len(together) == 1:
            yield token
        elif together:
            count = sum(sum(one.counts) or 1 for one in together)
            yield replace(token, look=token.total, counts=(count,), detail="")


def _rows(tokens: list[Token], shape: Shape, top: float, margin: float) -> list[Token] | None:
    """The tokens in as few rows as they need; None if there is not so much room."""
    if not tokens:
        return []
    room = box_of(shape.corners)
    above, below = room.top + top, room.bottom - margin
    high = max(HEIGHTS[token.form] * token.size for token in tokens)
    most = int((below - above + GAP) // (high + GAP))
    for count in range(1, most + 1):
        start = (above + below) / 2 - (count * (high + GAP) - GAP) / 2 + high / 2
        middles = [start + number * (high + GAP) for number in range(count)]
        rooms = [_width_at(shape, middle, high, margin) for middle in middles]
        rows = _filled(tokens, [right - left for left, right in rooms])
        if rows is not None:
            return [
                token
                for row, (left, right), middle in zip(rows, rooms, middles, strict=False)
                for token in _lined([row], left, right, middle)
            ]
    return None


@lru_cache(maxsize=2 * KEPT)
def _width_at(shape: Shape, middle: float, high: float, margin: float) -> tuple[float, float]:
    """From where to where a row about this height has room."""
    x = shape.middle.x
    spans = [chord(shape, Point(x, middle + part * high)) for part in (-0.42, 0.42)]
    found = [span for span in spans if span is not None]
    if len(found) < len(spans):
        return x, x
    return max(left for left, _ in found) + margin, min(right for _, right in found) - margin


def _filled(tokens: list[Token], widths: Sequence[float]) -> list[list[Token]] | None:
    """The tokens in rows of these widths, in their order; None if there are too many."""
    rows: list[list[Token]] = [[] for _ in widths]
    number, used = 0, 0.0
    for token in tokens:
        width = width_of(token)
        while used + width > widths[number]:
            number, used = number + 1, 0.0
            if number == len(widths):
                return None
        rows[number].append(token)
        used += width + GAP
    return rows


def _lined(rows: Iterable[list[Token]], left: float, right: float, middle: float) -> list[Token]:
    """Rows of tokens, each about the middle of its room."""
    found = []
    for row in rows:
        x = (left + right - sum(width_of(token) for token in row) - GAP * (len(row) - 1)) / 2
        for token in row:
            width = width_of(token)
            found.append(replace(token, at=Point(x + width / 2, middle)))
            x += width + GAP
    return found

"""The cells that pictures most often consist of, drawn before the first one (S§1.3-5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from engine.kit.scene import Argument, Cell
from engine.sapiens.components import SCENES
from engine.sapiens.presentation.scene import HALF, ROW, SIDES, SMALL, SQUARE, Look

_FOOD: Final = {"p": ("1", "2"), "f": ("2", "3")}
_CAVES: Final = ((5, 3), (6, 4), (6, 5), (7, 4), (7, 5), (8, 4), (8, 6), (9, 6))
_DEGREES: Final = (0, 90, 180, 270)
_OPEN_TO: Final = {"N": 90, "E": 180, "S": 270, "W": 0}
"""A tile in a cave points to the valley."""

_STATES: Final = ("quiet", "last")


def common() -> tuple[Cell, ...]:
    """The cells that pictures most often consist of. Only their looks matter."""
    big, small = _valley(SQUARE, ""), _valley(SMALL, "_small")
    return tuple(
        Cell(0, 0, width, height, look, told, over=(over,) if over else ())
        for width, height, (look, told), over in (*big, *small, *_beside())
    )


def _valley(size: int, suffix: str) -> Iterator[tuple[int, int, Look, Look | None]]:
    small = suffix != ""
    yield 10 * size, 7 * size, ("rim", (size,)), None
    for place, token in product(("WL", "WR"), (None, *SCENES)):
        yield size, size, ("waterfall", (place, token, size)), ("corner", (place, size))
    for kind, foods in _FOOD.items():
        for food, drawing in product(foods, range(4)):
            for leaves in _leaves() if kind == "p" else ("",):
                told = (f"{kind}{food}", drawing, leaves)
                yield size, size, (f"square{suffix}", told), None
        floor = ("floor", (kind, size))
        for scene, degrees in product(SCENES, _DEGREES):
            for food, state in product(("",) if small else foods, _STATES):
                yield size, size, (f"taken{suffix}", (food, scene, degrees, state)), floor
            yield size, size, (f"taken{suffix}", ("", scene, degrees, "abandoned")), floor
    for side, degrees in _OPEN_TO.items():
        stone = ("stone", (side, size))
        for scene, state in product(SCENES, (*_STATES, "abandoned")):
            yield size, size, (f"cave_taken{suffix}", (scene, degrees, state)), stone
        for token, (high, low) in product((None, *SCENES), _CAVES):
            shown: tuple[Argument, ...] = (side, high, low, token)
            if small:
                shown = (side, None if token else low, token)
            yield size, size, (f"cave{suffix}", shown), stone


def _leaves() -> Iterator[str]:
    for there in product((True, False), repeat=len(SIDES)):
        yield "".join(side for side, leafy in zip(SIDES, there, strict=True) if leafy)


def _beside() -> Iterator[tuple[int, int, Look, Look | None]]:
    for width, height, look, *told in _words():
        yield width, height, (look, tuple(told)), None


def _words() -> Iterator[tuple[int, int, str, *tuple[Argument, ...]]]:
    for scene in SCENES:
        for degrees in (0, 180):
            yield HALF, HALF, "pooled", scene, degrees, HALF
            yield SMALL, SMALL, "half_small", scene, degrees, "quiet"
        yield 24, 14, "coded", scene
        yield 24, 24, "mountain_token", scene
    for value in range(61):
        for strong in (True, False):
            yield 24, ROW, "number", value, strong
            yield 112, 7, "points_bar", "fp", value, strong
            yield 112, 7, "points_bar", "sp", value, strong
        yield 24, ROW, "total", value, False
    for count in range(48):
        yield 110, 16, "stack", count
        yield 110, 16, "stack_aside", count
    for turns in range(12):
        yield 144, 16, "left", turns
    for width, kind in ((24, "fp"), (24, "sp"), (36, "score")):
        yield width, 16, "heading", kind
    for seat in range(4):
        yield 16, 16, "initialled", seat
        yield 11, 11, "initialled", seat, 0, 0, 11
        yield 20, 20, "fight_token", seat, 20
        for count in range(4):
            yield 38, 22, "at_home", seat, count
    for count in range(1, 6):
        yield 38, 22, "steaks", count
    yield 100, 16, "pool"
    yield 130, 16, "common"

"""The lesson of La Vallée des Mammouths: a recorded match of two, stopped where there is something
to learn. The words are in `templates/games/mammoths/learn.html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.chance import SEED_BYTES
from engine.kit.lessons import Course, Illustration, Lesson, Reached, window_around
from engine.kit.presentation import Plain
from engine.kit.scene import Label, LabelKind, Scene
from engine.kit.shapes import Point
from engine.mammoths.presentation.valley import HEAD, ROW, WIDTH, tribes_height, valley
from engine.mammoths.state import Options

SEED: Final = bytes([3] * SEED_BYTES)
TURNS: Final = (
    "place 34 sow yes", "place 53 sow yes", "move 1w1f 53-43 move 1w 53-52 done",
    "move 2w1f 34-24 done", "found 24 done",
)  # fmt: skip
"""The match, as it is written in replies."""

_VALLEY: Final = valley(1, WIDTH)


def steps(course: Course) -> tuple[Illustration, ...]:
    """The steps in order, each after so many turns of the match."""
    return (
        _whole(course),
        _part(course, "herds", 2, (34, 46, 25), ("11", "14", "47", "54")),
        _part(course, "move", 4, (24, 34), ("13", "23", "24", "35", "45")),
        _rows(course, "food", 4, 247),
        _part(course, "camp", 5, (24, 45), ("13", "23", "24", "35", "45")),
        _rows(course, "victory", 5, 98),
    )


def labelled(course: Course) -> Illustration:
    """A position with nearly everything on it, and a number at each kind of thing."""
    shown = course.after(5, "labelled")
    more = (_beside(shown.scene, "g"), _spot(22), _spot(44), Point(62, 46), Point(WIDTH - 72, 24),
            Point(WIDTH - 30, _VALLEY.height + HEAD + ROW / 2 + 4))  # fmt: skip
    return shown.part(shown.window, (*(_spot(hex, -0.9, -0.15) for hex in (34, 24, 25)), *more))


def _arrived(reached: Reached) -> Plain:
    """The view with the animals where they stood before they moved last."""
    paths = [each["data"]["path"] for each in reached.events if each["kind"] == "herd_moved"]
    came = {path[-1]: path[0] for path in paths}
    herds = [{**each, "hex": came.get(each["hex"], each["hex"])} for each in reached.view["herds"]]
    return {**reached.view, "herds": herds, "die": None}


def _part(
    course: Course, name: str, turns: int, numbered: Sequence[int], around: Sequence[str]
) -> Illustration:
    """The part of the valley about some hexes, with a number at some hexes, beside their plates."""
    shown = course.after(turns, name, since=_arrived if name == "move" else None)
    return shown.part(window_around(shown.scene, around, 4), map(_spot, numbered))


def _whole(course: Course) -> Illustration:
    """The valley at the beginning: two camps, a bear, a river."""
    shown = course.after(2, "valley", since=_arrived)
    spots = _spot(34, -0.85, -0.3), _spot(53, -1, 0), _spot(12, 1, 0), _spot(13, 0.75, -0.43)
    return shown.part(shown.window._replace(bottom=_VALLEY.height), spots)


def _spot(at: int, east: float = -0.62, south: float = -0.42) -> Point:
    """A spot of a hex, so many parts of its size from the middle: without more to the left of the
    plate, for tokens lie below it, and the arrow comes from the right.
    """
    middle = _VALLEY.at(at, east)
    return middle._replace(y=middle.y + _VALLEY.size * south)


def _beside(scene: Scene, letter: str) -> Point:
    """The spot for a number to the right of a letter of the border."""
    labels = (item for layer in scene.layers for item in layer.items if isinstance(item, Label))
    at = next(each.at for each in labels if each.kind is LabelKind.LETTER and each.text == letter)
    return Point(at.x + _VALLEY.size * 0.6, at.y)


def _rows(course: Course, name: str, turns: int, x: float) -> Illustration:
    """The rows of the tribes, with a number over a column."""
    shown, top = course.after(turns, name), _VALLEY.height
    window = shown.window._replace(top=top, bottom=top + tribes_height(shown.view))
    return shown.part(window, (Point(x, top + HEAD + ROW / 2 + 4),))


LESSON: Final = Lesson(Options(board=1), SEED, TURNS, steps, labelled)

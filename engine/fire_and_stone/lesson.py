"""The lesson of Fire & Stone: a recorded match of two, stopped where there is something to learn.

The words are in `templates/games/fire_and_stone/learn.html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.chance import SEED_BYTES
from engine.fire_and_stone import maps
from engine.fire_and_stone.map import INDEX
from engine.fire_and_stone.presentation import WHOLE
from engine.fire_and_stone.setup import Options
from engine.kit.lessons import Course, Illustration, Lesson
from engine.kit.presentation import Wanted
from engine.kit.shapes import Box, Point

SEED: Final = bytes([3] * SEED_BYTES)
PUPIL: Final = 0
TURNS: Final = (
    "go Namib", "go Kalahari", "go Limpopo; return Namib", "go Limpopo, build, return Namib",
    "go Zambezi; hunt; keep Hare", "go Angola; food", "go Swahili Hills; return Namib",
    "go Limpopo, build, return Namib", "go Congo; food", "go Zambezi, hunt; keep Hare",
    "go Great Lakes; take light", "go Guinea; food", "go Horn; take dark",
    "go Italy; return Alpine Hearth", "go Levant; take light", "go Anatolia; piece Hare, done",
)  # fmt: skip
"""The match, turn by turn, as it is written in a reply."""

_LOW: Final = maps.ATLAS.part(1, maps.WIDTH).bottom - 1
_MOST, _SOUTH = Box(0, 346, 360, _LOW), Box(0, _LOW - 190, 360, _LOW)
"""Parts of the picture of region I."""
_SPOT: Final = (31.0, 3.0)
"""From the middle of a tile to its number, to the right of all that may lie there."""
_ASIDE: Final = {"congo": (-30.0, 5.0), "guinea": (38.0, -8.0)}
"""The same where something else is meant, or lies there."""
_NORTH: Final = 214
"""Where the labelled picture begins: all that it explains lies south of it."""
_POINTER: Final = Point(149, 420)
"""Beside what points at the explorer in the Congo."""


def steps(course: Course) -> tuple[Illustration, ...]:
    """The steps in order, each after so many turns of the match."""
    return (
        _region(course, "map", 0, _SOUTH, ("cape", "namib", "limpopo")),
        _region(course, "discovery", 1, _SOUTH, ("namib", "cape")),
        _region(course, "hut", 3, _SOUTH, ("limpopo",)),
        _region(course, "village", 4, _SOUTH, ("limpopo",)),
        _region(course, "hunt", 6, _MOST, ("zambezi",)),
        _sheet(course, "columns", 15),
        _whole(course, "regions", 14),
    )


def labelled(course: Course) -> Illustration:
    """A position with nearly everything on it, and a number at each kind of thing, south first."""
    shown = _shown(course, "labelled", 10)
    top = _map_height(shown)
    south, north = _at(("cape", "limpopo", "kalahari", "zambezi")), _at(("chad", "guinea"))
    spots = [*south, _way("namib", "zambezi"), *_at(["congo"]), _POINTER, *north]
    spots += [*_at(["atlas"]), _way("nile", "levant"), _way("iberia", "italy")]
    spots += [Point(37, top + 31), Point(345, top + 33)]
    return shown.part(shown.window._replace(top=_NORTH), spots)


def _shown(course: Course, name: str, turns: int, picture: str = "") -> Illustration:
    return course.after(turns, name, Wanted(name=picture, reader=PUPIL, shown=PUPIL))


def _map_height(shown: Illustration) -> float:
    """The height of a picture down to the hut track and the sheets."""
    return shown.scene.height - maps.beside_height(shown.view)


def _at(places: Sequence[str]) -> list[Point]:
    """The spots for numbers at places of region I."""
    part = maps.ATLAS.part(1, maps.WIDTH)
    spots = ((part.at(INDEX[place]), _ASIDE.get(place, _SPOT)) for place in places)
    return [Point(at.x + right, at.y + down) for at, (right, down) in spots]


def _way(one: str, other: str) -> Point:
    """The spot for a number above the middle of a way in region I."""
    (x, y), (end, low) = (maps.ATLAS.part(1, maps.WIDTH).at(INDEX[place]) for place in (one, other))
    return Point((x + end) / 2, (y + low) / 2 - 17)


def _region(
    course: Course, name: str, turns: int, window: Box, places: Sequence[str]
) -> Illustration:
    """A part of region I, with a number at each of these places."""
    return _shown(course, name, turns).part(window, _at(places))


def _sheet(course: Course, name: str, turns: int) -> Illustration:
    """The hut track and the sheets."""
    shown = _shown(course, name, turns, WHOLE)
    top = _map_height(shown)
    return shown.part(shown.window._replace(top=top), [Point(236, top + 52)])


def _whole(course: Course, name: str, turns: int) -> Illustration:
    """The whole map with the hut track."""
    shown = _shown(course, name, turns, WHOLE)
    top = _map_height(shown)
    spots = [Point(37, top + 32), Point(168, 187)]
    return shown.part(shown.window._replace(bottom=top + 39), spots)


LESSON: Final = Lesson(Options(first=PUPIL), SEED, TURNS, steps, labelled)

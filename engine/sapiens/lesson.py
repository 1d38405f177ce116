"""The lesson of Sapiens: a recorded match of two, stopped where it shows what there is to learn.

The words are in `templates/games/sapiens/learn.html`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.chance import SEED_BYTES
from engine.kit.lessons import Course, Illustration, Lesson, window_around
from engine.kit.presentation import Wanted
from engine.kit.scene import Scene
from engine.kit.shapes import Box, Point
from engine.sapiens.presentation.layout import AT
from engine.sapiens.setup import Options

PUPIL: Final = 0
"""The seat that the lesson is told to."""

TURNS: Final = (
    "lay hunt-fire H3E H3, take ritual-fire, remove picking-hunt",
    "lay feast-camp E1N E1, take picking-camp, remove feast-hunt",
    "lay ritual-fire F3 G3, fire yellow D1, token hunt, take picking-fire, remove water-camp",
    "lay picking-camp E3 E2, camp, take feast-picking, remove feast-fire",
    "lay ritual-hunt F2 E2, ritual A5W, take water-hunt, remove picking-water",
    "lay picking-fire D3 C3, picking, take picking-fire, remove ritual-water",
    "lay picking-fire H5 H4, fire yellow D2, token camp, take ritual-water, remove picking-ritual",
    "lay picking-fire D4 C4, picking, fire red G2, take water-fire, remove feast-ritual",
    "lay water-hunt C2 D2, hunt 2, take picking-fight, remove camp-fire",
    "lay feast-picking F4 E4, picking, take ritual-fire, remove picking-ritual",
    "lay feast-picking F5 G5, picking, take feast-water, remove water-camp",
    (
        "lay water-fire A4 B4, fire red G4, token feast ritual-fire C5S C5,"
        " take water-fire ritual-camp, remove feast-ritual"
    ),
    "lay feast-water E5 E4, take fight-fire, remove fight-camp",
    "lay ritual-camp G1 F1, camp, token ritual WR, take picking-water, remove picking-fight",
    (
        "lay ritual-water F1 G1, ritual E1N, token fire yellow F2, take feast-fight,"
        " remove picking-ritual"
    ),
    (
        "lay water-fire A5 B5, fire red E3, water water-hunt fight-fire, token camp,"
        " take ritual-camp, remove picking-hunt"
    ),
    (
        "lay water-hunt C3 D3, hunt 1, water picking-fight feast-hunt, take fight-water,"
        " remove picking-water"
    ),
    "lay picking-water A3W A3, take fight-hunt, remove picking-camp",
    "lay fight-water B4 B3, water picking-fight fight-fire, take fight-camp, remove picking-fight",
    "lay ritual-hunt G2 G3, ritual B1N, token fire red F4, take camp-hunt, remove ritual-fight",
    "lay fight-fire B5 C5, fight fight-hunt, take picking-camp, remove camp-hunt",
    "lay camp-hunt H4 H3, hunt 1, done",
)
"""The match, turn by turn, as it is written in a reply."""


_EAST: Final = frozenset(place for place in AT if place[0] in "EFGH" and place[1:2] in "234")
_LABELLED: Final = 8
_RIM: Final = 1.5
"""From the outermost places to the end of the rim."""
_NAME: Final = 2
"""The letters of a square's name: that of a cave has its side besides."""
_WATERFALLS: Final = ("WL", "WR")
_NUMBERS: Final = 0.74
"""How far to the right the points stand in figures on the score track."""


def steps(course: Course) -> tuple[Illustration, ...]:
    """The steps in order, each after so many turns of the match."""
    return (
        _valley(course, "valley", 0, AT, ("F2", "H3E", "WL")),
        _valley(course, "first_tile", 1, _EAST, ("H3E", "H3")),
        _valley(course, "connected", 3, _EAST, ("G3", "F3")),
        _scores(course, "score", 3),
        _valley(course, "bonuses", 5, AT, ("F2", "A5W")),
        _pool(course, "tokens", 5, ("token:camp",)),
        _scores(course, "end", len(TURNS), AT),
    )


def labelled(course: Course) -> Illustration:
    """A position with nearly everything on it, and a number at each kind of thing (S§1)."""
    shown = _picture(course, "labelled", _LABELLED)
    common = f"tile:{shown.view['common'][0]['tile']}"
    pointed = ("A2", "D1N", "A5W", "WL", "E2", "G2", _tiles(shown)[0], common, "board:1")
    totals = Point(shown.scene.width * _NUMBERS, _above(shown.scene) / 2)
    return shown.part(shown.window, (totals, *_at(shown.scene, pointed)))


def _valley(
    course: Course,
    name: str,
    turns: int,
    around: Collection[str],
    pointed: Sequence[str],
) -> Illustration:
    """The part of the pupil's valley around these places, after so many turns."""
    shown = _picture(course, name, turns)
    return shown.part(window_around(shown.scene, around, _RIM), _at(shown.scene, pointed))


def _scores(
    course: Course,
    name: str,
    turns: int,
    around: Collection[str] = (),
) -> Illustration:
    """The score track after so many turns, and the places below it that are around these."""
    shown = _picture(course, name, turns)
    # The stones of the rim are uneven: a little above it nothing of them is to be seen.
    low = window_around(shown.scene, around, _RIM).bottom if around else _above(shown.scene) - _RIM
    return shown.part(shown.window._replace(bottom=low))


def _pool(course: Course, name: str, turns: int, pointed: Sequence[str]) -> Illustration:
    """The pupil's pool after so many turns, with what else is in hand."""
    shown = _picture(course, name, turns)
    window = window_around(shown.scene, (*pointed, *_tiles(shown)), 4)
    window = window._replace(left=0, right=shown.scene.width)
    return shown.part(window, _at(shown.scene, pointed))


def _picture(course: Course, name: str, turns: int) -> Illustration:
    """The whole picture after so many turns."""
    return course.after(turns, name, Wanted(reader=PUPIL, shown=PUPIL), full=True)


def _tiles(shown: Illustration) -> tuple[str, ...]:
    """The tiles in the pupil's pool, as places of the scene."""
    return tuple(f"tile:{item['tile']}" for item in shown.view["players"][PUPIL]["pool"])


def _above(scene: Scene) -> float:
    """The height of what stands above the valley."""
    return window_around(scene, ("WL",), _RIM).top


def _at(scene: Scene, places: Sequence[str]) -> tuple[Point, ...]:
    """The corners at the upper right of places, where little else stands."""
    boxes = {place.id: place.box for place in scene.places}
    return tuple(_corner(place, boxes[place]) for place in places)


def _corner(place: str, box: Box) -> Point:
    """Where the letter of a place stands. The token in a cave or beside a waterfall reaches up to
    its corner: there it stands on the stone beside it.
    """
    if place in AT and place[-1] in "EW" and len(place) > _NAME:
        return Point(box.right - 3, box.top - 3)
    if place in _WATERFALLS or (place in AT and len(place) > _NAME):
        return Point(box.right + 3, box.top + 5)
    return Point(box.right - 3, box.top + 3)


LESSON: Final = Lesson(Options(first=PUPIL), bytes(SEED_BYTES), TURNS, steps, labelled)

"""Learning a game: a few steps of one idea each, every one shown on a position of a real match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from engine.kit.presentation import Plain
from engine.kit.scene import Scene
from engine.kit.shapes import Box, Point, box_of


class Illustration(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a picture that explains something: `window` of `scene`, and where the numbers
    1, 2, 3 and on stand in it. The game's words say what each number means.

    `name` is what its words know it by. `view` is the position, `events` what has just been played
    there, both as built-in types: words take their numbers from them.
    """

    name: str
    scene: Scene
    window: Box
    labels: tuple[Point, ...] = ()
    view: Plain
    events: tuple[Plain, ...] = ()


@runtime_checkable
class HasLesson(Protocol):
    """A game that can be learnt in two minutes (docs/adding-a-game.md).

    Ask by `isinstance(game, HasLesson)`. `names` are those of the players that the pictures show,
    by seat: the reader's first.
    """

    def lesson(self, names: Sequence[str]) -> Sequence[Illustration]:
        """Five to seven steps, in the order in which they are learnt."""
        ...

    def labelled(self, names: Sequence[str]) -> Illustration:
        """The whole picture of a position with a number at each thing it shows."""
        ...


def window_around(scene: Scene, places: Collection[str], margin: float) -> Box:
    """The part of a scene that these places take up, with so much more on each side as is there.

    Raises KeyError for a place that the scene does not have.
    """
    boxes = {place.id: place.box for place in scene.places if place.id in places}
    missing = set(places) - set(boxes)
    if missing:
        raise KeyError(", ".join(sorted(missing)))
    around = box_of(
        Point(x, y)
        for box in boxes.values()
        for x, y in ((box.left, box.top), (box.right, box.bottom))
    ).grown(margin)
    return Box(
        max(around.left, 0.0),
        max(around.top, 0.0),
        min(around.right, float(scene.width)),
        min(around.bottom, float(scene.height)),
    )

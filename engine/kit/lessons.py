"""Learning a game: a few steps of one idea each, every one shown on a position of a real match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

import msgspec

from engine.chance import SeededChance
from engine.kit.presentation import Marks, Plain, Presentation, Wanted
from engine.kit.scene import Scene
from engine.kit.shapes import Box, Point, box_of
from engine.play import submit
from engine.protocol import Seat


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

    def part(self, window: Box, labels: Iterable[Point] = ()) -> Illustration:
        """Another part of the same picture, with numbers of its own."""
        return msgspec.structs.replace(self, window=window, labels=tuple(labels))


class Reached(NamedTuple):
    """A position that everybody sees, and what has just been played there."""

    view: Plain
    events: tuple[Plain, ...]


@cache
def replayed(game: Any, options: Any, seed: bytes, turns: tuple[str, ...]) -> tuple[Reached, ...]:
    """A match of two: its position before the first turn and after each.

    A turn is what is written in replies, in English; where somebody is asked in between, its parts
    are parted by semicolons.
    """
    chance = SeededChance(seed)
    state = game.setup(2, options, chance).state
    found = [Reached(msgspec.to_builtins(game.view(state, None)), ())]
    for turn in turns:
        events: list[Any] = []
        for text in turn.split(";"):
            asked = next(decision for decision in game.decisions(state) if decision.blocks)
            actions = game.notation.parse(state, asked.seat, text.strip(), "en")
            played = submit(game, state, asked.seat, asked.id, actions, chance)
            state, events = played.state, [*events, *played.events]
        told = tuple(msgspec.to_builtins(events))
        found.append(Reached(msgspec.to_builtins(game.view(state, None)), told))
    return tuple(found)


def illustrated(
    shown: Presentation,
    reached: Reached,
    name: str,
    names: Sequence[str],
    wanted: Wanted,
    *,
    full: bool,
) -> Illustration:
    """The whole picture of a position, in which is marked what has just been played."""
    last: dict[Seat, set[str]] = {}
    for seat, place in shown.filled(reached.events):
        last.setdefault(seat, set()).add(place)
    scene = shown.scene(reached.view, wanted, Marks(names=names, last=last), full=full)
    window = Box(0, 0, scene.width, scene.height)
    return Illustration(
        name=name, scene=scene, window=window, view=reached.view, events=reached.events
    )


_ONE_FOR_ALL: Final = Wanted()


class Course(NamedTuple):
    """A recorded match that a game is learnt from, with the names of the players to be shown."""

    game: Any
    names: Sequence[str]
    options: Any
    seed: bytes
    turns: tuple[str, ...]

    def after(
        self,
        turns: int,
        name: str,
        wanted: Wanted = _ONE_FOR_ALL,
        *,
        full: bool = False,
        since: Callable[[Reached], Plain] | None = None,
    ) -> Illustration:
        """The whole picture after so many turns; `since` makes of that a view of before it."""
        reached = replayed(self.game, self.options, self.seed, self.turns)[turns]
        if since is not None:
            reached = Reached(since(reached), reached.events)
        return illustrated(self.game.presentation, reached, name, self.names, wanted, full=full)


class Lesson(NamedTuple):
    """A match, turn by turn as it is written in a reply, and what is shown of it: the `steps` in
    order, and `labelled`.
    """

    options: Any
    seed: bytes
    turns: tuple[str, ...]
    steps: Callable[[Course], Sequence[Illustration]]
    labelled: Callable[[Course], Illustration]


class Taught:
    """A game with a lesson (HasLesson)."""

    taught: Lesson

    def lesson(self, names: Sequence[str]) -> Sequence[Illustration]:
        return self.taught.steps(self._course(names))

    def labelled(self, names: Sequence[str]) -> Illustration:
        return self.taught.labelled(self._course(names))

    def _course(self, names: Sequence[str]) -> Course:
        return Course(self, names, self.taught.options, self.taught.seed, self.taught.turns)


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

"""The outlook of a player from a board and a pool: the coming turns, played alone.

The tiles of a personal pool are known, so the next turns can be tried out; beyond them stand
averages, found by letting the bots play. Points are of two kinds throughout, food (FP) and shelter
(SP), because only the lower of the two counts in the end (S§12.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.sapiens.components import (
    ALL_SQUARES,
    CAMP,
    FEAST,
    FIGHT,
    FIRE,
    HUNT,
    NEIGHBOURS,
    PICKING,
    PLACES,
    RITUAL,
    SQUARES,
    TILE_SCENES,
    WATER,
    beside,
)
from engine.sapiens.placing import (
    ABANDONING,
    LAYING,
    Placement,
    can_place,
    left_behind,
    placements,
)
from engine.sapiens.state import NONE, Player, Valley


class Points(NamedTuple):
    """Food and shelter points, hoped for and so not necessarily whole."""

    fp: float
    sp: float

    def plus(self, other: Points, share: float = 1.0) -> Points:
        return Points(self.fp + share * other.fp, self.sp + share * other.sp)

    def weighed(self, by: Points) -> float:
        """One number: both kinds at the weights `by`."""
        return self.fp * by.fp + self.sp * by.sp


NOTHING: Final = Points(0.0, 0.0)

BONUS: Final[Mapping[int, Points]] = {
    FEAST: Points(0.6, 1.2),
    PICKING: Points(1.0, 0.0),
    RITUAL: Points(0.8, 0.9),
    FIGHT: Points(0.8, 0.0),
    WATER: Points(0.3, 0.3),
    CAMP: Points(0.0, 3.0),
    HUNT: Points(1.7, 0.0),
    FIRE: Points(0.0, 2.2),
}
"""What the bonus of a scene brings on average."""

_CAVE_TOKEN: Final = 1.0
"""SP for the mountain token that comes with a cave: something between all its scenes."""
_FP_A_TURN: Final = 2.3
_SP_A_TURN: Final = 2.4
"""What a turn brings on any board: what planners got against each other, as a regression on the
board as it was has it."""
_FOOD_SHARE: Final = 0.09
"""FP of a turn for each FP of the best square next to each scene."""
_FADING: Final = 0.5
"""How much less each further turn depends on the board as it is now."""
_ROOM: Final = 5
"""Squares that a tribe needs next to it for a turn to bring what it may bring."""
_CAVE_SHARE: Final = 0.3
"""The part of a cave's SP to be hoped for on top, its entrance being next to the tribe."""
_PER_STEP: Final = 0.8
"""The part of that which is left for each square between."""
_MOST_STEPS: Final = 8
_TURNS_TO_CAVES: Final = 4
"""Turns it takes until all of that may be hoped for."""
_STUCK_TURNS: Final = 0.5
"""Turns that known tiles without any place cost, where the refill may bring one that fits."""
_RESCUING: Final = 1 << PICKING | 1 << WATER | 1 << FIRE
_RESCUE: Final = 0.3
"""How likely one of these mountain tokens opens a place to who is out without it (S§11.1)."""


class _Terrain(NamedTuple):
    """A valley for quick reading: by place the food and the index of the cave (or NONE), and the
    squares with at least 1, 2 and 3 FP.
    """

    food: tuple[int, ...]
    cave: tuple[int, ...]
    rich: tuple[int, int, int]


@lru_cache(maxsize=64)
def _terrain(valley: Valley) -> _Terrain:
    food = tuple(valley.food(q) if q < SQUARES else 0 for q in range(len(PLACES)))
    at = {site.place: index for index, site in enumerate(valley.caves)}
    some, more, most = (
        sum(1 << q for q in range(SQUARES) if food[q] >= least) for least in (1, 2, 3)
    )
    return _Terrain(
        food=food,
        cave=tuple(at.get(place, NONE) for place in range(len(PLACES))),
        rich=(some, more, most),
    )


def yields(player: Player, placement: Placement) -> Points:
    """The points that laying a tile in a turn brings, its bonuses at their average."""
    tile, first, second = placement
    a, b = TILE_SCENES[tile]
    terrain, near = _terrain(player.valley), player.near
    fp = sp = 0.0
    for scene, place in ((a, first), (b, second)):
        if place >= SQUARES:
            cave = terrain.cave[place]
            site = player.valley.caves[cave]
            sp += site.low if player.mountain[cave] == NONE else site.high + _CAVE_TOKEN
        elif near[scene] >> place & 1:
            bonus = BONUS[scene]
            fp += terrain.food[place] + bonus.fp
            sp += bonus.sp
    return Points(fp, sp)


def after(player: Player, placement: Placement) -> Player:
    """The board and the pool with the tile laid; nothing is scored."""
    tile, first, second = placement
    near = list(player.near)
    covered = player.covered
    for scene, place in zip(TILE_SCENES[tile], (first, second), strict=True):
        if place < SQUARES:
            near[scene] |= NEIGHBOURS[place]
            covered |= 1 << place
    n0, n1, n2, n3, n4, n5, n6, n7 = near
    return replace(
        player,
        covered=covered,
        near=(n0, n1, n2, n3, n4, n5, n6, n7),
        pool=tuple(own for own in player.pool if own != tile),
    )


class Plan(NamedTuple):
    """The points hoped for from the turns to come, and how many positions were visited for it."""

    points: Points
    visited: int


def plan(player: Player, turns: int, weights: Points, depth: int, width: int) -> Plan:
    """The points that `turns` more turns bring if the next `depth` use the present pool as well as
    possible.

    In each turn the `width` placements that bring most by the weights are tried. The pool is all
    there is to lay in the first of them: without a place for it the tribe is abandoned, or the
    player is out (S§11).
    """
    if turns <= 0:
        return Plan(NOTHING, 1)
    if depth > 0 and not can_place(player, LAYING, picking_on_plains=False):
        return Plan(_stuck(player, turns), 1)
    return _plan(player, turns, weights, depth, width)


def _stuck(player: Player, turns: int) -> Points:
    """What is left to who can lay no tile: a new tribe at the low value of a cave, or nothing."""
    if can_place(player, ABANDONING, picking_on_plains=False):
        low = min(
            site.low for site in player.valley.caves if not player.covered >> site.entrance & 1
        )
        rest = average(left_behind(player), turns - 1)
        return Points(0.0, float(low)).plus(rest)
    return NOTHING.plus(average(player, turns), _RESCUE if player.claimed & _RESCUING else 0.0)


def _plan(player: Player, turns: int, weights: Points, depth: int, width: int) -> Plan:
    if turns <= 0:
        return Plan(NOTHING, 1)
    if depth <= 0:
        return Plan(average(player, turns), 1)
    found = [
        (points.weighed(weights), points, placement)
        for placement in placements(player, LAYING, picking_on_plains=False)
        for points in (yields(player, placement),)
    ]
    if not found:
        return Plan(average(player, turns - _STUCK_TURNS), 1)
    found.sort(key=lambda each: -each[0])
    best: Points | None = None
    visited = 1
    for _, points, placement in found[:width]:
        rest = _plan(after(player, placement), turns - 1, weights, depth - 1, width)
        visited += rest.visited
        total = points.plus(rest.points)
        if best is None or total.weighed(weights) > best.weighed(weights):
            best = total
    assert best is not None
    return Plan(best, visited)


class Prospects(NamedTuple):
    """The points that turns with unknown tiles bring on a board, by what brings them: `room` to lay
    tiles at all, `food` that can be connected, the SP of `caves` near the tribe.
    """

    room: Points
    food: float
    caves: float


def average(player: Player, turns: float) -> Points:
    """The points that turns with unknown tiles bring on this board: room, food and caves near the
    tribe.
    """
    room, food, caves = prospects(player, turns)
    return Points(room.fp + food, room.sp + caves)


def prospects(player: Player, turns: float) -> Prospects:
    """The parts of the `average`."""
    if turns <= 0:
        return Prospects(NOTHING, 0.0, 0.0)
    touched = torn = 0
    for near in player.near:
        torn |= touched & near
        touched |= near
    free = ALL_SQUARES & ~(player.covered | player.bears | player.apart)
    room = free & touched & ~torn
    space = min(1.0, room.bit_count() / _ROOM)
    now = (1 - _FADING**turns) / (1 - _FADING)
    rest = turns - now * (1 - space)
    return Prospects(
        Points(_FP_A_TURN * rest, _SP_A_TURN * rest),
        _FOOD_SHARE * _food_near(player, room) * now,
        _caves(player, touched, free) * min(1.0, turns / _TURNS_TO_CAVES),
    )


def _food_near(player: Player, room: int) -> int:
    """The FP of the best square where each scene could be connected, all scenes together."""
    some, more, most = _terrain(player.valley).rich
    total = 0
    for scene, near in enumerate(player.near):
        squares = room & near
        if scene == PICKING:
            squares &= ~player.valley.plains
        total += bool(squares & some) + bool(squares & more) + bool(squares & most)
    return total


def _caves(player: Player, touched: int, free: int) -> float:
    """The SP to be hoped for from caves, by the way to their entrances over free squares."""
    left = [
        (1 << site.entrance, site.low if token == NONE else site.high)
        for site, token in zip(player.valley.caves, player.mountain, strict=False)
        if free >> site.entrance & 1
    ]
    total, share = 0.0, _CAVE_SHARE
    wave = seen = touched & free
    for _ in range(_MOST_STEPS):
        if not (left and wave):
            break
        total += share * sum(value for entrance, value in left if seen & entrance)
        left = [each for each in left if not seen & each[0]]
        wave = beside(wave) & free & ~seen
        seen |= wave
        share *= _PER_STEP
    return total

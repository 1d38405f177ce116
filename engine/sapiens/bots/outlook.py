"""What a player can expect from a board and a pool: the coming turns, played alone.

The tiles of a personal pool are known, so the next turns can be tried out; beyond them stand
averages. Points are of two kinds throughout, food (FP) and shelter (SP), because only the lower
of the two counts in the end (S§12.2).
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
from engine.sapiens.placing import LAYING, Placement, placements
from engine.sapiens.state import NONE, Player, Valley


class Points(NamedTuple):
    """Food and shelter points, not necessarily whole."""

    fp: float
    sp: float


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
"""What a bonus brings on average, whenever it is used."""


class Terrain(NamedTuple):
    """A valley for quick reading: by place the food and the index of the cave (or NONE), and the
    squares with at least 1, 2 and 3 FP."""

    food: tuple[int, ...]
    cave: tuple[int, ...]
    rich: tuple[int, ...]


@lru_cache(maxsize=64)
def terrain(valley: Valley) -> Terrain:
    food = tuple(valley.food(q) if q < SQUARES else 0 for q in range(len(PLACES)))
    at = {site.place: index for index, site in enumerate(valley.caves)}
    return Terrain(
        food=food,
        cave=tuple(at.get(place, NONE) for place in range(len(PLACES))),
        rich=tuple(sum(1 << q for q in range(SQUARES) if food[q] >= least) for least in (1, 2, 3)),
    )


def yield_of(player: Player, placement: Placement) -> Points:
    """What laying a tile in a turn brings, its bonuses at their average."""
    tile, first, second = placement
    a, b = TILE_SCENES[tile]
    ground = terrain(player.valley)
    near = player.near
    fp = sp = 0.0
    if first < SQUARES and near[a] >> first & 1:
        bonus = BONUS[a]
        fp += ground.food[first] + bonus.fp
        sp += bonus.sp
    if second < SQUARES and near[b] >> second & 1:
        bonus = BONUS[b]
        fp += ground.food[second] + bonus.fp
        sp += bonus.sp
    cave = ground.cave[first if first >= SQUARES else second]
    if cave != NONE:
        site = player.valley.caves[cave]
        sp += site.low if player.mountain[cave] == NONE else site.high + TOKEN
    return Points(fp, sp)


TOKEN = 1.0


def laid(player: Player, placement: Placement) -> Player:
    """The player with the tile on the board, points and mountain tokens left aside."""
    tile, first, second = placement
    a, b = TILE_SCENES[tile]
    near = list(player.near)
    covered = player.covered
    if first < SQUARES:
        near[a] |= NEIGHBOURS[first]
        covered |= 1 << first
    if second < SQUARES:
        near[b] |= NEIGHBOURS[second]
        covered |= 1 << second
    return replace(
        player,
        covered=covered,
        near=tuple(near),
        pool=tuple(own for own in player.pool if own != tile),
    )


class Weights(NamedTuple):
    fp: float
    sp: float


DEPTH_SHARE = (1.0, 0.9, 0.8)


def plan(player: Player, weights: Weights, depth: int, width: int, r: float) -> tuple[float, Points]:
    """Best sequence of `depth` turns with pool tiles only; value in weighted points, with potential after."""
    if depth == 0 or r <= 0:
        pot = potential(player, r)
        return weights.fp * pot.fp + weights.sp * pot.sp, pot
    found = []
    wf, ws = weights
    for placement in placements(player, LAYING, picking_on_plains=False):
        y = yield_of(player, placement)
        found.append((wf * y.fp + ws * y.sp, placement, y))
    if not found:
        pot = potential(player, max(0.0, r - 0.5))
        return wf * pot.fp + ws * pot.sp, pot
    found.sort(key=lambda each: -each[0])
    best = None
    share = min(1.0, r)
    for v, placement, y in found[:width]:
        value, pts = plan(laid(player, placement), weights, depth - 1, width, r - 1)
        value += share * v
        if best is None or value > best[0]:
            best = (value, Points(pts.fp + share * y.fp, pts.sp + share * y.sp))
    return best


REACH = (0.8, 0.65, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05)


def potential(player: Player, r: float) -> Points:
    """What r more turns with unknown tiles would bring."""
    if r <= 0:
        return Points(0.0, 0.0)
    touched = torn = 0
    for near in player.near:
        torn |= touched & near
        touched |= near
    free = ALL_SQUARES & ~(player.covered | player.bears | player.apart)
    room = free & ~torn & touched
    plains = player.valley.plains
    rich1, rich2, rich3 = terrain(player.valley).rich
    total = 0
    for scene, near in enumerate(player.near):
        squares = room & near
        if scene == PICKING:
            squares &= ~plains
        if squares:
            total += 3 if squares & rich3 else 2 if squares & rich2 else 1
    size = room.bit_count()
    openness = min(1.0, size / 6)
    fp_rate = (0.35 + 0.2 * total) * openness
    sp = 0.7 * r * openness
    # caves
    wave = touched & free
    seen = wave
    vals = []
    sites = [
        (1 << site.entrance, site.high if token != NONE else site.low)
        for site, token in zip(player.valley.caves, player.mountain, strict=False)
        if free >> site.entrance & 1
    ]
    d = 0
    while sites and wave and d < len(REACH):
        rest = []
        for bit, value in sites:
            if seen & bit:
                vals.append(REACH[d] * value)
            else:
                rest.append((bit, value))
        sites = rest
        wave = beside(wave) & free & ~seen
        seen |= wave
        d += 1
    vals.sort(reverse=True)
    budget = r * 0.5
    for v in vals:
        if budget <= 0:
            break
        sp += v * min(1.0, budget)
        budget -= 1
    return Points(fp_rate * r, sp)

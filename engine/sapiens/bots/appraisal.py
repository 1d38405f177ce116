"""The worth of tiles on a board at once, in points, for the bots that look no further."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.sapiens.components import CAMP, FEAST, FIGHT, FIRE, HUNT, PICKING, RITUAL, WATER
from engine.sapiens.placing import ABANDONING, LAYING, Placement, placements, rivals_on
from engine.sapiens.scoring import CAMP_SP, PICKING_FP, cave_index, cave_value, connected
from engine.sapiens.state import NONE, Player, State

BONUS_WORTH: Final[Mapping[int, float]] = {
    FEAST: 1.0,
    PICKING: PICKING_FP,
    RITUAL: 1.5,
    FIGHT: 1.0,
    WATER: 0.5,
    CAMP: CAMP_SP,
    HUNT: 1.5,
    FIRE: 2.0,
}
"""What a bonus is taken to bring before it is used."""

NO_PLACE: Final = -1.0
"""The worth of a tile that cannot be laid."""


def worth(player: Player, placement: Placement, how: str) -> float:
    """The points a player gets at once for a placement, with what its bonuses should bring."""
    cave = cave_index(player, placement)
    if how == ABANDONING:
        return float(player.valley.caves[cave].low)
    shelter = 0.0 if cave == NONE else float(cave_value(player, cave))
    if how != LAYING:
        return shelter
    found = connected(player, placement)
    return shelter + sum(food + BONUS_WORTH[scene] for scene, _, food in found)


def worth_to_mover(state: State, placement: Placement, how: str) -> float:
    """As `worth`, less what the fight tokens on the tile cost (S§8.4)."""
    cost = min(state.mover.fp, len(rivals_on(state, placement.tile)))
    return worth(state.mover, placement, how) - cost


def fits(player: Player, tiles: Sequence[int]) -> dict[int, float]:
    """For each tile what its best placement would be worth in the player's next turn."""
    best = dict.fromkeys(tiles, NO_PLACE)
    held = replace(player, pool=tuple(tiles))
    for placement in placements(held, LAYING, picking_on_plains=False):
        best[placement.tile] = max(best[placement.tile], worth(player, placement, LAYING))
    return best

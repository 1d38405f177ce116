"""The map (F§2.1): territories, land borders, sea routes.

The whole map, `map.csv`, is an original substitute (F§1.3): names, borders, coordinates, outlines,
printed fires, shores and sea routes are not those of the published board. Published facts it keeps:
24, 25 and 14 food territories, the start at a printed fire in the south of region I, dotted sea
routes.

Inside the engine a territory is a number 0..67 in the order of `TERRITORIES`, and a set of them an
int with bit `t` set for territory `t`. Names appear only in actions, views, events and errors.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.kit import territories
from engine.kit.sets import mask as mask
from engine.kit.sets import members as members

TERRITORIES: Final = territories.read(__package__, "map.csv")
START: Final = 0
"""The start territory of all explorers, a printed fire."""

NAMES: Final = tuple(territory.id for territory in TERRITORIES)
INDEX: Final = {name: index for index, name in enumerate(NAMES)}
REGION: Final = tuple(territory.region for territory in TERRITORIES)
LAND: Final = tuple(mask(each.by_land) for each in TERRITORIES)
"""For each territory the set of its land neighbours."""
SEA: Final = tuple(mask(each.by_sea) for each in TERRITORIES)
"""For each territory the set of those a sea route leads to (F§5.4)."""
SHORE: Final = mask(n for n, each in enumerate(TERRITORIES) if each.has == "shore")
PRINTED: Final = mask(n for n, each in enumerate(TERRITORIES) if each.has == "fire")
"""The territories with a printed fire instead of a food icon."""
IN_REGION: Final = tuple(
    mask(n for n, of in enumerate(REGION) if of == region) for region in range(4)
)
"""By region, 1 to 3, the set of its territories."""
FOOD: Final = tuple(members(own & ~PRINTED) for own in IN_REGION)
"""By region, 1 to 3, the food territories in file order."""


def names(territories: int) -> tuple[str, ...]:
    """The names of the territories of a set, in file order."""
    return tuple([NAMES[territory] for territory in members(territories)])


@lru_cache(maxsize=1 << 14)
def rings(start: int, steps: int, open_: int, by_sea: bool, cave: int) -> tuple[int, ...]:
    """The sets of territories that are 0, 1 .. `steps` steps away and no nearer (F§5.1), by land
    and, if `by_sea`, by sea routes, through territories of the set `open_`. `cave` is a territory
    that is 1 step from each printed fire (F§12 `hidden_passage`), -1 for none.
    """
    found = [1 << start]
    seen = 1 << start
    for _ in range(steps):
        ring = 0
        for territory in members(found[-1]):
            ring |= LAND[territory]
            if by_sea:
                ring |= SEA[territory]
            if cave >= 0 and PRINTED >> territory & 1:
                ring |= 1 << cave
            elif cave == territory:
                ring |= PRINTED
        ring &= open_ & ~seen
        seen |= ring
        found.append(ring)
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def distances(start: int, open_: int) -> tuple[int, ...]:
    """For each territory the land steps from `start` through the set `open_`; 99 for none."""
    steps = [99] * len(NAMES)
    for distance, ring in enumerate(rings(start, 40, open_, False, -1)):
        for territory in members(ring):
            steps[territory] = distance
    return tuple(steps)

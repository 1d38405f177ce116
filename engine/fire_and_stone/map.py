"""The map (F§2.1): territories, land borders, sea routes.

The whole map is an original substitute (F§1.3): names, borders, coordinates, printed fires, shores
and sea routes are not those of the published board. Published facts it keeps: 24, 25 and 14 food
territories, the start at a printed fire in the south of region I, dotted sea routes.

Inside the engine a territory is a number 0..67 in the order of `TERRITORIES`, and a set of them an
int with bit `t` set for territory `t`. Names appear only in actions, views, events and errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple


class Territory(NamedTuple):
    """A territory. `at` is its centre on a canvas of `CANVAS`; `printed_fire` is true where
    there is a printed fire instead of a food icon.
    """

    id: str
    english: str
    french: str
    region: int
    at: tuple[int, int]
    land: str
    sea: str = ""
    shore: bool = False
    printed_fire: bool = False


CANVAS: Final = (1200, 1000)
# fmt: off
TERRITORIES: Final = (
    Territory("cape", "Cape Hearth", "Foyer du Cap", 1, (170, 830),
              "namib kalahari limpopo", printed_fire=True),
    Territory("namib", "Namib", "Namib", 1, (105, 765),
              "cape kalahari angola"),
    Territory("kalahari", "Kalahari", "Kalahari", 1, (180, 748),
              "cape namib limpopo zambezi angola"),
    Territory("limpopo", "Limpopo", "Limpopo", 1, (252, 795),
              "cape kalahari zambezi swahili"),
    Territory("zambezi", "Zambezi", "Zambèze", 1, (248, 712),
              "kalahari limpopo angola congo great_lakes swahili"),
    Territory("angola", "Angola", "Angola", 1, (118, 690),
              "namib kalahari zambezi congo", sea="guinea", shore=True),
    Territory("congo", "Congo", "Congo", 1, (185, 645),
              "zambezi angola great_lakes guinea chad"),
    Territory("great_lakes", "Great Lakes", "Grands Lacs", 1, (252, 640),
              "zambezi congo swahili horn nile chad", shore=True),
    Territory("swahili", "Swahili Hills", "Collines swahilies", 1, (318, 705),
              "limpopo zambezi great_lakes horn"),
    Territory("guinea", "Guinea", "Guinée", 1, (72, 595),
              "congo chad sahara atlas", sea="angola", shore=True),
    Territory("chad", "Lake Chad", "Lac Tchad", 1, (160, 570),
              "congo great_lakes guinea nile sahara", shore=True),
    Territory("horn", "Horn", "Corne", 1, (330, 620),
              "great_lakes swahili nile", sea="arabia", shore=True),
    Territory("nile", "Nile", "Nil", 1, (262, 555),
              "great_lakes chad horn sahara levant", sea="balkans", shore=True),
    Territory("sahara", "Green Sahara", "Sahara vert", 1, (165, 495),
              "guinea chad nile atlas italy"),
    Territory("atlas", "Atlas", "Atlas", 1, (72, 490),
              "guinea sahara iberia"),
    Territory("iberia", "Iberia", "Ibérie", 1, (72, 405),
              "atlas gaul", sea="italy", shore=True),
    Territory("gaul", "Gaul", "Gaule", 1, (130, 335),
              "iberia britain rhine alps"),
    Territory("britain", "Doggerland", "Doggerland", 1, (92, 255),
              "gaul rhine", sea="scandia", shore=True),
    Territory("rhine", "Rhine", "Rhin", 1, (195, 278),
              "gaul britain alps scandia baltic pontus"),
    Territory("scandia", "Scandia", "Scandie", 1, (225, 178),
              "rhine baltic", sea="britain", shore=True),
    Territory("alps", "Alpine Hearth", "Foyer des Alpes", 1, (200, 352),
              "gaul rhine italy balkans pontus", printed_fire=True),
    Territory("italy", "Italy", "Italie", 1, (190, 425),
              "sahara alps balkans", sea="iberia", shore=True),
    Territory("balkans", "Balkans", "Balkans", 1, (268, 395),
              "alps italy pontus anatolia", sea="nile", shore=True),
    Territory("baltic", "Baltic", "Baltique", 1, (298, 235),
              "rhine scandia pontus volga", shore=True),
    Territory("pontus", "Pontic Steppe", "Steppe pontique", 1, (322, 322),
              "rhine alps balkans baltic volga caucasus"),
    Territory("volga", "Volga", "Volga", 1, (385, 250),
              "baltic pontus ural kazakh"),
    Territory("anatolia", "Anatolia", "Anatolie", 2, (345, 420),
              "balkans levant mesopotamia caucasus"),
    Territory("levant", "Levant", "Levant", 2, (338, 500),
              "nile anatolia mesopotamia arabia"),
    Territory("mesopotamia", "Two Rivers Hearth", "Foyer des Deux Fleuves", 2, (415, 475),
              "anatolia levant arabia caucasus persia", printed_fire=True),
    Territory("arabia", "Arabia", "Arabie", 2, (405, 562),
              "levant mesopotamia", sea="horn indus", shore=True),
    Territory("caucasus", "Caucasus", "Caucase", 2, (412, 375),
              "pontus anatolia mesopotamia persia kazakh"),
    Territory("persia", "Persia", "Perse", 2, (488, 450),
              "mesopotamia caucasus kazakh turan indus"),
    Territory("ural", "Ural", "Oural", 2, (470, 232),
              "volga kazakh yenisei"),
    Territory("kazakh", "Great Steppe", "Grande Steppe", 2, (500, 318),
              "volga caucasus persia ural turan altai yenisei"),
    Territory("turan", "Turan", "Touran", 2, (568, 388),
              "persia kazakh altai gobi tibet indus"),
    Territory("indus", "Indus", "Indus", 2, (548, 505),
              "persia turan tibet ganges deccan", sea="arabia", shore=True),
    Territory("deccan", "Deccan", "Deccan", 2, (570, 615),
              "indus ganges", sea="sunda", shore=True),
    Territory("ganges", "Ganges", "Gange", 2, (632, 545),
              "indus deccan tibet yangtze indochina", shore=True),
    Territory("tibet", "High Plateau", "Haut Plateau", 2, (645, 458),
              "turan indus ganges gobi yellow_river yangtze"),
    Territory("yenisei", "Yenisei", "Ienisseï", 2, (570, 205),
              "ural kazakh altai lena"),
    Territory("altai", "Altai", "Altaï", 2, (620, 300),
              "kazakh turan yenisei lena gobi"),
    Territory("gobi", "Gobi", "Gobi", 2, (702, 372),
              "turan tibet altai lena amur yellow_river"),
    Territory("lena", "Lena", "Léna", 2, (682, 200),
              "yenisei altai gobi amur chukotka"),
    Territory("amur", "Amur", "Amour", 2, (768, 290),
              "gobi lena chukotka yellow_river japan", shore=True),
    Territory("yellow_river", "Loess Hearth", "Foyer du Loess", 2, (752, 442),
              "tibet gobi amur japan yangtze", printed_fire=True),
    Territory("yangtze", "Yangtze", "Yangtsé", 2, (735, 525),
              "ganges tibet yellow_river indochina", sea="sunda", shore=True),
    Territory("indochina", "Indochina", "Indochine", 2, (702, 610),
              "ganges yangtze sunda"),
    Territory("sunda", "Sundaland", "Sunda", 2, (712, 698),
              "indochina papua arnhem outback", sea="deccan yangtze", shore=True),
    Territory("papua", "Papua", "Papouasie", 2, (822, 690),
              "sunda arnhem", sea="andes", shore=True),
    Territory("arnhem", "North Sahul", "Sahul du Nord", 2, (790, 770),
              "sunda papua outback"),
    Territory("outback", "South Sahul", "Sahul du Sud", 2, (768, 850),
              "sunda arnhem", sea="patagonia", shore=True),
    Territory("chukotka", "Chukotka", "Tchoukotka", 2, (800, 180),
              "lena amur alaska"),
    Territory("japan", "Japan", "Japon", 2, (845, 385),
              "amur yellow_river", sea="cascadia", shore=True),
    Territory("alaska", "Alaska", "Alaska", 3, (895, 200),
              "chukotka mackenzie cascadia"),
    Territory("mackenzie", "Mackenzie", "Mackenzie", 3, (985, 170),
              "alaska cascadia plains laurentia"),
    Territory("cascadia", "Cascadia", "Cascadie", 3, (925, 292),
              "alaska mackenzie plains sonora", sea="japan", shore=True),
    Territory("plains", "Great Plains", "Grandes Plaines", 3, (1010, 278),
              "mackenzie cascadia laurentia mississippi sonora"),
    Territory("laurentia", "Laurentia", "Laurentie", 3, (1095, 225),
              "mackenzie plains mississippi appalachia", shore=True),
    Territory("mississippi", "Big River Hearth", "Foyer du Grand Fleuve", 3, (1045, 362),
              "plains laurentia appalachia sonora", printed_fire=True),
    Territory("appalachia", "Appalachia", "Appalaches", 3, (1125, 325),
              "laurentia mississippi", sea="llanos", shore=True),
    Territory("sonora", "Sonora", "Sonora", 3, (960, 385),
              "cascadia plains mississippi maya"),
    Territory("maya", "Maya Forest", "Forêt maya", 3, (1000, 470),
              "sonora llanos andes"),
    Territory("llanos", "Llanos", "Llanos", 3, (1070, 540),
              "maya andes amazonia", sea="appalachia", shore=True),
    Territory("andes", "Andes", "Andes", 3, (1000, 610),
              "maya llanos amazonia pampas patagonia", sea="papua", shore=True),
    Territory("amazonia", "Amazonia", "Amazonie", 3, (1090, 625),
              "llanos andes pampas caatinga", shore=True),
    Territory("caatinga", "Caatinga", "Caatinga", 3, (1158, 665),
              "amazonia pampas"),
    Territory("pampas", "Pampas", "Pampas", 3, (1075, 720),
              "andes amazonia caatinga patagonia"),
    Territory("patagonia", "Patagonia", "Patagonie", 3, (1030, 810),
              "andes pampas", sea="outback", shore=True),
)
# fmt: on
START: Final = 0
"""The start territory of all explorers, a printed fire."""

NAMES: Final = tuple(territory.id for territory in TERRITORIES)
INDEX: Final = {name: index for index, name in enumerate(NAMES)}
REGION: Final = tuple(territory.region for territory in TERRITORIES)


def mask(territories: Iterable[int]) -> int:
    """The set of these territories."""
    found = 0
    for territory in territories:
        found |= 1 << territory
    return found


def _masks(names: Iterable[str]) -> tuple[int, ...]:
    return tuple(mask(INDEX[name] for name in each.split()) for each in names)


LAND: Final = _masks(territory.land for territory in TERRITORIES)
"""For each territory the set of its land neighbours."""
SEA: Final = _masks(territory.sea for territory in TERRITORIES)
"""For each territory the set of those a sea route leads to (F§5.4)."""
SHORE: Final = mask(n for n, territory in enumerate(TERRITORIES) if territory.shore)
PRINTED: Final = mask(n for n, territory in enumerate(TERRITORIES) if territory.printed_fire)
"""The territories with a printed fire."""
IN_REGION: Final = tuple(
    mask(n for n, territory in enumerate(TERRITORIES) if territory.region == region)
    for region in range(4)
)
"""By region, 1 to 3, the set of its territories."""
FOOD: Final = tuple(
    tuple(
        n for n, each in enumerate(TERRITORIES) if each.region == region and not each.printed_fire
    )
    for region in range(4)
)
"""By region, 1 to 3, the food territories in file order."""


@lru_cache(maxsize=1 << 14)
def members(territories: int) -> tuple[int, ...]:
    """The territories of a set, ascending: in file order."""
    found = []
    while territories:
        lowest = territories & -territories
        found.append(lowest.bit_length() - 1)
        territories ^= lowest
    return tuple(found)


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

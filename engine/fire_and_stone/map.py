"""The map (F§2.1): territories, land borders, sea routes.

The whole map is an original substitute (F§1.3): names, borders, coordinates, printed fires, shores
and sea routes are not those of the published board. Published facts it keeps: 24, 25 and 14 food
territories, the start at a printed fire in the south of region I, dotted sea routes.

Inside the engine a territory is a number 0..67 in the order of `TERRITORIES`, and a set of them an
int with bit `t` set for territory `t`. Names appear only in actions, views, events and errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    shore: bool
    printed_fire: bool


CANVAS: Final = (1200, 1000)
_DATA = """
cape|Cape Hearth|Foyer du Cap|1|170 830|fire|namib kalahari limpopo
namib|Namib|Namib|1|105 765||kalahari angola
kalahari|Kalahari|Kalahari|1|180 748||limpopo zambezi angola
limpopo|Limpopo|Limpopo|1|252 795||zambezi swahili
zambezi|Zambezi|Zambèze|1|248 712||angola congo great_lakes swahili
angola|Angola|Angola|1|118 690|shore|congo|guinea
congo|Congo|Congo|1|185 645||great_lakes guinea chad
great_lakes|Great Lakes|Grands Lacs|1|252 640|shore|swahili horn nile chad
swahili|Swahili Hills|Collines swahilies|1|318 705||horn
guinea|Guinea|Guinée|1|72 595|shore|chad sahara atlas
chad|Lake Chad|Lac Tchad|1|160 570|shore|nile sahara
horn|Horn|Corne|1|330 620|shore|nile|arabia
nile|Nile|Nil|1|262 555|shore|sahara levant|balkans
sahara|Green Sahara|Sahara vert|1|165 495||atlas italy
atlas|Atlas|Atlas|1|72 490||iberia
iberia|Iberia|Ibérie|1|72 405|shore|gaul|italy
gaul|Gaul|Gaule|1|130 335||britain rhine alps
britain|Doggerland|Doggerland|1|92 255|shore|rhine|scandia
rhine|Rhine|Rhin|1|195 278||alps scandia baltic pontus
scandia|Scandia|Scandie|1|225 178|shore|baltic
alps|Alpine Hearth|Foyer des Alpes|1|200 352|fire|italy balkans pontus
italy|Italy|Italie|1|190 425|shore|balkans
balkans|Balkans|Balkans|1|268 395|shore|pontus anatolia
baltic|Baltic|Baltique|1|298 235|shore|pontus volga
pontus|Pontic Steppe|Steppe pontique|1|322 322||volga caucasus
volga|Volga|Volga|1|385 250||ural kazakh
anatolia|Anatolia|Anatolie|2|345 420||levant mesopotamia caucasus
levant|Levant|Levant|2|338 500||mesopotamia arabia
mesopotamia|Two Rivers Hearth|Foyer des Deux Fleuves|2|415 475|fire|arabia caucasus persia
arabia|Arabia|Arabie|2|405 562|shore||indus
caucasus|Caucasus|Caucase|2|412 375||persia kazakh
persia|Persia|Perse|2|488 450||kazakh turan indus
ural|Ural|Oural|2|470 232||kazakh yenisei
kazakh|Great Steppe|Grande Steppe|2|500 318||turan altai yenisei
turan|Turan|Touran|2|568 388||altai gobi tibet indus
indus|Indus|Indus|2|548 505|shore|tibet ganges deccan
deccan|Deccan|Deccan|2|570 615|shore|ganges|sunda
ganges|Ganges|Gange|2|632 545|shore|tibet yangtze indochina
tibet|High Plateau|Haut Plateau|2|645 458||gobi yellow_river yangtze
yenisei|Yenisei|Ienisseï|2|570 205||altai lena
altai|Altai|Altaï|2|620 300||lena gobi
gobi|Gobi|Gobi|2|702 372||lena amur yellow_river
lena|Lena|Léna|2|682 200||amur chukotka
amur|Amur|Amour|2|768 290|shore|chukotka yellow_river japan
yellow_river|Loess Hearth|Foyer du Loess|2|752 442|fire|japan yangtze
yangtze|Yangtze|Yangtsé|2|735 525|shore|indochina|sunda
indochina|Indochina|Indochine|2|702 610||sunda
sunda|Sundaland|Sunda|2|712 698|shore|papua arnhem outback
papua|Papua|Papouasie|2|822 690|shore|arnhem|andes
arnhem|North Sahul|Sahul du Nord|2|790 770||outback
outback|South Sahul|Sahul du Sud|2|768 850|shore||patagonia
chukotka|Chukotka|Tchoukotka|2|800 180||alaska
japan|Japan|Japon|2|845 385|shore||cascadia
alaska|Alaska|Alaska|3|895 200||mackenzie cascadia
mackenzie|Mackenzie|Mackenzie|3|985 170||cascadia plains laurentia
cascadia|Cascadia|Cascadie|3|925 292|shore|plains sonora
plains|Great Plains|Grandes Plaines|3|1010 278||laurentia mississippi sonora
laurentia|Laurentia|Laurentie|3|1095 225|shore|mississippi appalachia
mississippi|Big River Hearth|Foyer du Grand Fleuve|3|1045 362|fire|appalachia sonora
appalachia|Appalachia|Appalaches|3|1125 325|shore||llanos
sonora|Sonora|Sonora|3|960 385||maya
maya|Maya Forest|Forêt maya|3|1000 470||llanos andes
llanos|Llanos|Llanos|3|1070 540|shore|andes amazonia
andes|Andes|Andes|3|1000 610|shore|amazonia pampas patagonia
amazonia|Amazonia|Amazonie|3|1090 625|shore|pampas caatinga
caatinga|Caatinga|Caatinga|3|1158 665||pampas
pampas|Pampas|Pampas|3|1075 720||patagonia
patagonia|Patagonia|Patagonie|3|1030 810|shore| |
"""
"""A line for each territory: id, name in English and in French, region, centre, what it has, the
land borders and sea routes to those below it.
"""


def _read() -> Iterator[tuple[Territory, str, str]]:
    """The territories, each with its borders and sea routes to those that come later."""
    for line in _DATA.strip().splitlines():
        fields = [field.strip() for field in line.split("|")]
        id_, english, french, region, at, has, land, sea = (*fields, "", "")[:8]
        x, y = map(int, at.split())
        here = Territory(id_, english, french, int(region), (x, y), "shore" in has, "fire" in has)
        yield here, land, sea


TERRITORIES: Final = tuple(territory for territory, _, _ in _read())
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


def _joined(pairs: Iterable[tuple[str, str]]) -> tuple[int, ...]:
    """For each territory the set of those it is joined to, each pair named once."""
    found = [0] * len(NAMES)
    for name, others in pairs:
        for other in others.split():
            found[INDEX[name]] |= 1 << INDEX[other]
            found[INDEX[other]] |= 1 << INDEX[name]
    return tuple(found)


LAND: Final = _joined((territory.id, land) for territory, land, _ in _read())
"""For each territory the set of its land neighbours."""
SEA: Final = _joined((territory.id, sea) for territory, _, sea in _read())
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

"""What lies in the box of Fire & Stone (F§2): names in their order, values and the map."""

from __future__ import annotations

GATHERING = ("apple", "nut", "mushroom", "root")
KINDS = (*GATHERING, "forest", "hut", "fire", "cache", "cave")
TILES = {
    1: (3, 3, 3, 3, 3, 4, 3, 2, 0),
    2: (3, 3, 3, 3, 4, 5, 3, 0, 1),
    3: (2, 2, 2, 2, 1, 3, 2, 0, 0),
}
"""Discovery tiles of each region by kind (F§1.7)."""
STACKS = {1: 3, 2: 4, 3: 1}

PIECES = {
    "hare": (4, 0, 3),
    "fowl": (3, 1, 1),
    "boar": (4, 0, 4),
    "deer": (4, 1, 2),
    "ibex": (4, 1, 3),
    "bison": (2, 0, 5),
    "bear": (2, 2, 1),
    "mammoth": (1, 1, 4),
}
"""Game tiles: copies, bags, food."""

INVENTIONS = {
    "clay_pots": 2,
    "fishing_net": 2,
    "smoke_rack": 2,
    "boats": 2,
    "transport_sled": 2,
    "trail_markers": 1,
    "mud_bricks": 2,
    "ember_carrier": 1,
    "digging_stick": 1,
    "woven_basket": 1,
    "foraging_lore": 1,
}
STARTING = ("throwing_spear", "fur_boots", "bone_needle", "gourd")
INSTANT = {
    "clay_pots": (0, 2),
    "fishing_net": (0, 2),
    "smoke_rack": (1, 1),
    "throwing_spear": (0, 1),
}
"""Bags and food when the card is taken (F§10)."""

VP_CARDS = (4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1)
BEGINNER = (
    *("garden_of_eden", "hidden_spring", "painted_walls", "flint_vein", "hearth_hall", "old_store"),
    *("generous_land", "clay_pit", "great_herd", "hidden_passage", "lookout", "wild_orchard"),
)
EXPERT = (
    *("shaman_stone", "burial_mound", "barter_stone", "earthquake", "lean_winter", "ice_bridges"),
    *("tracking_pack", "rival_clans", "tribute", "long_pilgrimage", "collapsed_tunnel"),
    "council_of_elders",
)
OBJECTIVES = ("woods", "hearths", "shores", "kin", "wayfarers")
COLUMNS = ("light", "dark")

CARDS = {"cave": (*BEGINNER, *EXPERT), "invention": (*INVENTIONS, *STARTING)}

MAP = """
cape 1 fire: namib kalahari limpopo /
namib 1 food: kalahari angola /
kalahari 1 food: limpopo zambezi angola /
limpopo 1 food: zambezi swahili /
zambezi 1 food: angola congo great_lakes swahili /
angola 1 shore: congo / guinea
congo 1 food: great_lakes guinea chad /
great_lakes 1 shore: swahili horn nile chad /
swahili 1 food: horn /
guinea 1 shore: chad sahara atlas /
chad 1 shore: nile sahara /
horn 1 shore: nile / arabia
nile 1 shore: sahara levant / balkans
sahara 1 food: atlas italy /
atlas 1 food: iberia /
iberia 1 shore: gaul / italy
gaul 1 food: britain rhine alps /
britain 1 shore: rhine / scandia
rhine 1 food: alps scandia baltic pontus /
scandia 1 shore: baltic /
alps 1 fire: italy balkans pontus /
italy 1 shore: balkans /
balkans 1 shore: pontus anatolia /
baltic 1 shore: pontus volga /
pontus 1 food: volga caucasus /
volga 1 food: ural kazakh /
anatolia 2 food: levant mesopotamia caucasus /
levant 2 food: mesopotamia arabia /
mesopotamia 2 fire: arabia caucasus persia /
arabia 2 shore:  / indus
caucasus 2 food: persia kazakh /
persia 2 food: kazakh turan indus /
ural 2 food: kazakh yenisei /
kazakh 2 food: turan altai yenisei /
turan 2 food: altai gobi tibet indus /
indus 2 shore: tibet ganges deccan /
deccan 2 shore: ganges / sunda
ganges 2 shore: tibet yangtze indochina /
tibet 2 food: gobi yellow_river yangtze /
yenisei 2 food: altai lena /
altai 2 food: lena gobi /
gobi 2 food: lena amur yellow_river /
lena 2 food: amur chukotka /
amur 2 shore: chukotka yellow_river japan /
yellow_river 2 fire: japan yangtze /
yangtze 2 shore: indochina / sunda
indochina 2 food: sunda /
sunda 2 shore: papua arnhem outback /
papua 2 shore: arnhem / andes
arnhem 2 food: outback /
outback 2 shore:  / patagonia
chukotka 2 food: alaska /
japan 2 shore:  / cascadia
alaska 3 food: mackenzie cascadia /
mackenzie 3 food: cascadia plains laurentia /
cascadia 3 shore: plains sonora /
plains 3 food: laurentia mississippi sonora /
laurentia 3 shore: mississippi appalachia /
mississippi 3 fire: appalachia sonora /
appalachia 3 shore:  / llanos
sonora 3 food: maya /
maya 3 food: llanos andes /
llanos 3 shore: andes amazonia /
andes 3 shore: amazonia pampas patagonia /
amazonia 3 shore: pampas caatinga /
caatinga 3 food: pampas /
pampas 3 food: patagonia /
patagonia 3 shore:  /
"""
"""In file order: territory, region, what it has: borders by land / sea routes, each once."""

REGION: dict[str, int] = {}
PRINTED: set[str] = set()
SHORE: set[str] = set()
LAND: dict[str, set[str]] = {}
SEA: dict[str, set[str]] = {}
for _line in MAP.split("\n")[1:-1]:
    _name, _region, _has = _line.split(":")[0].split()
    REGION[_name], LAND[_name], SEA[_name] = int(_region), set(), set()
    PRINTED |= {_name} if _has == "fire" else set()
    SHORE |= {_name} if _has == "shore" else set()
for _line in MAP.split("\n")[1:-1]:
    _name, _ways = _line.split()[0], _line.split(":")[1].split("/")
    for _kind, _others in zip((LAND, SEA), _ways, strict=True):
        for _other in _others.split():
            _kind[_name].add(_other)
            _kind[_other].add(_name)
PLACES = tuple(REGION)
FOOD_PLACES = tuple(place for place in PLACES if place not in PRINTED)


def all_tiles(region: int) -> list[str]:
    return [kind for kind, n in zip(KINDS, TILES[region], strict=True) for _ in range(n)]


def all_pieces() -> list[str]:
    return [piece for piece, (n, _, _) in PIECES.items() for _ in range(n)]


def all_inventions() -> list[str]:
    return [card for card, n in INVENTIONS.items() for _ in range(n)]

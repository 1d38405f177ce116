"""The contents of the box but for the map (F§2, F§10, F§12), with names in both languages.

Provenance (F§1): numbers of tiles, tokens, cards and huts, the rules of tracks and scoring, Garden
of Eden, Clay Pots' name and instant food, Boats and the Transport Sled are published facts. The
values of game tiles but one (1 bag and 3 food), all other invention texts and numbers of copies,
the starting inventions, the other 23 cave cards, every cave level and all objectives are original
substitutes, not the published content.
"""

from __future__ import annotations

from typing import Final, NamedTuple

Names = tuple[str, str]
"""A name in English and in French."""

# Discovery tiles (F§2.2). In a state a tile is a letter; NO_TILE stands for none.

APPLE, NUT, MUSHROOM, ROOT, FOREST, HUT, FIRE, CACHE, CAVE = "anmrFhfcv"
NO_TILE: Final = "."
KINDS: Final = {
    APPLE: "apple",
    NUT: "nut",
    MUSHROOM: "mushroom",
    ROOT: "root",
    FOREST: "forest",
    HUT: "hut",
    FIRE: "fire",
    CACHE: "cache",
    CAVE: "cave",
}
"""The kinds of discovery tiles, by letter, in the order of the data."""
GATHERING: Final = (APPLE, NUT, MUSHROOM, ROOT)
GATHERED: Final = tuple(KINDS[letter] for letter in GATHERING)
DISCOVERY_TILES: Final = (
    "",
    "aaannnmmmrrrFFFhhhhfffcc",
    "aaannnmmmrrrFFFFhhhhhfffv",
    "aannmmrrFhhhff",
)
"""By region, 1 to 3, its tiles in file order."""

# Gathering columns (F§9).

SUN, MOON = "S", "M"
COLUMNS: Final = ("light", "dark")
SPACES: Final = 3
IN_COLUMN: Final = {**{letter: KINDS[letter] for letter in GATHERING}, SUN: "sun", MOON: "moon"}

# Game tiles (F§2.3). In a state a tile is its number in `GAME`.


class GameTile(NamedTuple):
    """A kind of game tile: how many there are and what cooking one gives (F§7.5)."""

    id: str
    names: Names
    copies: int
    bags: int
    food: int


GAME: Final = (
    GameTile("hare", ("Hare", "Lièvre"), 4, 0, 3),
    GameTile("fowl", ("Wildfowl", "Gibier à plumes"), 3, 1, 1),
    GameTile("boar", ("Boar", "Sanglier"), 4, 0, 4),
    GameTile("deer", ("Deer", "Cerf"), 4, 1, 2),
    GameTile("ibex", ("Ibex", "Bouquetin"), 4, 1, 3),
    GameTile("bison", ("Bison", "Bison"), 2, 0, 5),
    GameTile("bear", ("Bear", "Ours"), 2, 2, 1),
    GameTile("mammoth", ("Mammoth", "Mammouth"), 1, 1, 4),
)
GAME_INDEX: Final = {tile.id: index for index, tile in enumerate(GAME)}
STACKS: Final = (0, 3, 4, 1)
"""Hunting stacks by region, each of STACK tiles (inferred from the forests of the region)."""
STACK: Final = 3

# Inventions (F§10).


class Invention(NamedTuple):
    """An invention. `bags` and `food` are its instant effect."""

    id: str
    names: Names
    domain: str
    copies: int
    bags: int = 0
    food: int = 0


INVENTIONS: Final = (
    Invention("clay_pots", ("Clay Pots", "Pots en argile"), "food", 2, food=2),
    Invention("fishing_net", ("Fishing Net", "Filet de pêche"), "food", 2, food=2),
    Invention("smoke_rack", ("Smoking Rack", "Claie de fumage"), "food", 2, bags=1, food=1),
    Invention("boats", ("Boats", "Bateaux"), "movement", 2),
    Invention("transport_sled", ("Transport Sled", "Traîneau"), "movement", 2),
    Invention("trail_markers", ("Trail Markers", "Cairns"), "movement", 1),
    Invention("mud_bricks", ("Mud Bricks", "Briques de terre"), "hut", 2),
    Invention("ember_carrier", ("Ember Carrier", "Porte-braises"), "hut", 1),
    Invention("digging_stick", ("Digging Stick", "Bâton à fouir"), "gathering", 1),
    Invention("woven_basket", ("Woven Basket", "Panier tressé"), "gathering", 1),
    Invention("foraging_lore", ("Foraging Lore", "Savoir des cueilleurs"), "gathering", 1),
)
STARTING: Final = (
    Invention("throwing_spear", ("Throwing Spear", "Sagaie"), "food", 1, food=1),
    Invention("fur_boots", ("Fur Boots", "Bottes de fourrure"), "movement", 1),
    Invention("bone_needle", ("Bone Needle", "Aiguille en os"), "hut", 1),
    Invention("gourd", ("Gourd", "Calebasse"), "gathering", 1),
)
INVENTION: Final = {each.id: each for each in (*INVENTIONS, *STARTING)}
STARTING_IDS: Final = tuple(each.id for each in STARTING)
ROW: Final = 3
POTS_HOLD: Final = 2

VP_CARDS: Final = (4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1)
"""The pile of VP cards from its top. Three each of 3 and 4 are inferred."""

# Cave cards (F§12).


class CaveCard(NamedTuple):
    """A cave card; what it does is in `engine.fire_and_stone.caves`."""

    id: str
    names: Names
    expert: bool = False


CAVES: Final = (
    CaveCard("garden_of_eden", ("Garden of Eden", "Jardin d’Éden")),
    CaveCard("hidden_spring", ("Hidden Spring", "Source cachée")),
    CaveCard("painted_walls", ("Painted Walls", "Parois peintes")),
    CaveCard("flint_vein", ("Flint Vein", "Filon de silex")),
    CaveCard("hearth_hall", ("Hearth Hall", "Salle du foyer")),
    CaveCard("old_store", ("Old Store", "Vieille réserve")),
    CaveCard("generous_land", ("Generous Land", "Terre généreuse")),
    CaveCard("clay_pit", ("Clay Pit", "Fosse à argile")),
    CaveCard("great_herd", ("Great Herd", "Grande harde")),
    CaveCard("hidden_passage", ("Hidden Passage", "Passage caché")),
    CaveCard("lookout", ("Lookout", "Poste de guet")),
    CaveCard("wild_orchard", ("Wild Orchard", "Verger sauvage")),
    CaveCard("shaman_stone", ("Shaman Stone", "Pierre du chaman"), expert=True),
    CaveCard("burial_mound", ("Burial Mound", "Tertre funéraire"), expert=True),
    CaveCard("barter_stone", ("Barter Stone", "Pierre de troc"), expert=True),
    CaveCard("earthquake", ("Earthquake", "Tremblement de terre"), expert=True),
    CaveCard("lean_winter", ("Lean Winter", "Hiver maigre"), expert=True),
    CaveCard("ice_bridges", ("Ice Bridges", "Ponts de glace"), expert=True),
    CaveCard("tracking_pack", ("Tracking Pack", "Meute de pisteurs"), expert=True),
    CaveCard("rival_clans", ("Rival Clans", "Clans rivaux"), expert=True),
    CaveCard("tribute", ("Tribute", "Tribut"), expert=True),
    CaveCard("long_pilgrimage", ("Long Pilgrimage", "Long pèlerinage"), expert=True),
    CaveCard("collapsed_tunnel", ("Collapsed Tunnel", "Tunnel effondré"), expert=True),
    CaveCard("council_of_elders", ("Council of Elders", "Conseil des anciens"), expert=True),
)
CAVE_IDS: Final = tuple(card.id for card in CAVES)

# Objectives (F§11).

OBJECTIVES: Final[dict[str, Names]] = {
    "woods": ("People of the Woods", "Peuple des bois"),
    "hearths": ("Keepers of the Hearths", "Gardiens des foyers"),
    "shores": ("Shore Dwellers", "Gens du rivage"),
    "kin": ("Kin and Neighbours", "Parents et voisins"),
    "wayfarers": ("Wayfarers", "Grands voyageurs"),
}
MOST_FOR_OBJECTIVE: Final = 10

# Numbers (F§2.5-8, F§3, F§8).

SEATS: Final = range(2, 5)
HUTS: Final = 20
PRINTED_BAGS: Final = 2
BAG_TOKENS: Final = 24
STEPS: Final = 2
SLED_STEPS: Final = 3
REGION_II_AT, SECOND_AT, REGION_III_AT, END_AT = 3, 5, 9, 11
"""Huts on the track at which something happens (F§8.1)."""

"""The words of the notation, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from engine.fire_and_stone import components as box
from engine.fire_and_stone.map import TERRITORIES
from engine.kit.notation import reactions
from engine.kit.notation.words import Vocabulary, table, words_of

_Names = Mapping[str, Mapping[str, tuple[str, ...]]]


def _named(names: Iterable[tuple[str, box.Names]]) -> _Names:
    """Names in both languages, of which ids are read, too."""
    return {key: {"en": (english, key), "fr": (french, key)} for key, (english, french) in names}


_HEARTH = re.compile("^Foyer (?:de |du |des )?| Hearth$")


def _place(english: str, french: str) -> Mapping[str, tuple[str, ...]]:
    """The names of a place; a hearth is called by its place alone, too."""
    names = {"en": english, "fr": french}
    return {lang: tuple(dict.fromkeys((n, _HEARTH.sub("", n)))) for lang, n in names.items()}


_PLACES: _Names = {
    t.id: {lang: (*names, t.id) for lang, names in _place(*t.names).items()} for t in TERRITORIES
}
_PIECES = _named((tile.id, tile.names) for tile in box.GAME)
_CARDS = _named((card.id, card.names) for card in box.INVENTION.values())
_GOALS = _named(box.OBJECTIVES.items())
_CAVE_CARDS = _named((card.id, card.names) for card in box.CAVES)
_GATHERED: _Names = table("""
    apple, apples | pommes, pomme; nut, nuts | noix; mushroom, mushrooms | champignons, champignon;
    root, roots | racines, racine
""")
_TILES: _Names = {
    **_GATHERED,
    **table("forest | forêt; hut | hutte; fire | feu; cache | cache; cave | grotte"),
}
_GATHERING: _Names = table("gathering | cueillette")
_COLUMNS: _Names = table("light | claire; dark | foncée")
OTHER: _Names = table("all | tout; same | inchangé; for | contre; shown | vu; free | libre")
"""Words that stand alone."""

PLACES: Final = Vocabulary(_PLACES)
PIECES: Final = Vocabulary(_PIECES)
CARDS: Final = Vocabulary(_CARDS)
GOALS: Final = Vocabulary(_GOALS)
KINDS: Final = Vocabulary(_GATHERED)
TILES: Final = Vocabulary(_TILES)
COLUMNS: Final = Vocabulary(_COLUMNS)
NAMED: Final = Vocabulary(
    {**_PLACES, **_PIECES, **_CARDS, **_GOALS, **_TILES, **_COLUMNS, "all": OTHER["all"]}
)
"""Everything that an action or a wish names, by its id."""

VERBS: Final = Vocabulary(
    table("""
        rank | classe; explorer | explorateur; pass | passe;
        go, go to, going to, head to, walk, walk to, move to, travel to,
            go to the, walk to the, move to the, travel to the |
            va, va à, va au, va aux, va en, va vers, va jusqu en, va jusqu à, vais, vais à, vais au,
            vais aux, vais en, vais vers, aller, aller à, aller au, aller aux, aller en,
            aller vers, va sur le, va sur la, va sur l, va dans le, va dans la, va dans les,
            va dans l, aller sur le, aller sur la, aller sur l, aller dans le, aller dans la,
            aller dans les, aller dans l, marche, marche vers, marche jusqu en, marche jusqu à;
        food, leave | nourriture, laisse; take | prends; forage | glane; hunt | chasse, chasser;
        keep | garde; drop | jette; cook | cuis, cuire, prépare; piece | pièce; done | fini;
        build | bâtis, bâtir, construis, construire;
        return | retourne, retour; second | second; card | carte; vp | pv; none | rien;
        cave | grotte; discard | défausse; swap | troque; name | nomme; look | regarde;
        arrange | range; objective | objectif
    """)
)

# Plans (F§19.2-3)

EVENTS: Final = Vocabulary(
    {
        **_TILES,
        **_GATHERING,
        **table("""
            village | village; empty | vide; hunt | chasse; return | retour; second | second;
            ember | braises; card | carte; basket | panier; tunnel | tunnel; look | regarde;
            arrange | range; council | conseil; other | autre; anything | tout
        """),
        **_CAVE_CARDS,
    }
)
WISHES: Final = Vocabulary(
    table("""
        hunt | chasse; cook | cuis, cuire, prépare; take | prends; food | nourriture; build | bâtis;
        forage | glane; cave | grotte;
        most_food: most food |
            garde le plus nourrissant, le plus nourrissant, garde le plus de nourriture,
            plus de nourriture;
        most_bags: most bags | garde le plus de sacs, le plus de sacs, plus de sacs;
        vp | pv; none | rien; keep | garde; drop | jette; look | regarde; same | inchangé;
        place: go | va; pass | passe; default | défaut; ask | demande
    """)
)
AMOUNTS: Final = Vocabulary(
    table("""
        food | nourriture; space | place; bags | sacs; huts | huttes; track | piste; cost | coût;
        tiles | tuiles; held | gibier; explorer | explorateur; light | claire; dark | foncée
    """)
)
IS: Final = {"en": ("is", "="), "fr": ("est", "=")}
RELATIONS: Final = Vocabulary(
    {
        **table("at_least: at least, >= | au moins, >=; at_most: at most, <= | au plus, <="),
        "is": IS,
    }
)
COLUMN_KINDS: Final = Vocabulary({**_GATHERED, "free": OTHER["free"]})
THINGS: Final = Vocabulary({**_TILES, **_GATHERING, **_CAVE_CARDS, **_PIECES, **_CARDS, **_GOALS})

WORDS: Final = words_of(
    *(PLACES, CARDS, COLUMNS, VERBS, EVENTS, WISHES, AMOUNTS, RELATIONS, THINGS),
    *(reactions.JOINTS, Vocabulary(OTHER)),
)
KEEPS: Final = reactions.KEEPS | {"take", "prends"}

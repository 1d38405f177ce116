"""The words of the notation, in both languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.fire_and_stone import components as box
from engine.fire_and_stone.map import TERRITORIES
from engine.kit.notation.words import Vocabulary, words_of


def _named(names: Iterable[tuple[str, box.Names]]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Names in both languages, of which ids are read, too."""
    return {key: {"en": (english, key), "fr": (french, key)} for key, (english, french) in names}


PLACES: Final = Vocabulary(_named((t.id, (t.english, t.french)) for t in TERRITORIES))
PIECE_IDS: Final = frozenset(tile.id for tile in box.GAME)
PIECES: Final = Vocabulary(_named((tile.id, tile.names) for tile in box.GAME))
CARDS: Final = Vocabulary(_named((card.id, card.names) for card in box.INVENTION.values()))
GOALS: Final = Vocabulary(_named(box.OBJECTIVES.items()))
_CAVE_CARDS = _named((card.id, card.names) for card in box.CAVES)
_GATHERED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "apple": {"en": ("apple", "apples"), "fr": ("pommes", "pomme")},
    "nut": {"en": ("nut", "nuts"), "fr": ("noix",)},
    "mushroom": {"en": ("mushroom", "mushrooms"), "fr": ("champignons", "champignon")},
    "root": {"en": ("root", "roots"), "fr": ("racines", "racine")},
}
_TILES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    **_GATHERED,
    "forest": {"en": ("forest",), "fr": ("forêt",)},
    "hut": {"en": ("hut",), "fr": ("hutte",)},
    "fire": {"en": ("fire",), "fr": ("feu",)},
    "cache": {"en": ("cache",), "fr": ("cache",)},
    "cave": {"en": ("cave",), "fr": ("grotte",)},
}
KINDS: Final = Vocabulary(_GATHERED)
TILES: Final = Vocabulary(_TILES)
COLUMNS: Final = Vocabulary(
    {"light": {"en": "light", "fr": "claire"}, "dark": {"en": "dark", "fr": "foncée"}}
)

VERBS: Final = Vocabulary(
    {
        "rank": {"en": "rank", "fr": "classe"},
        "explorer": {"en": "explorer", "fr": "explorateur"},
        "go": {"en": "go", "fr": "va"},
        "pass": {"en": "pass", "fr": "passe"},
        "food": {"en": ("food", "leave"), "fr": ("nourriture", "laisse")},
        "take": {"en": "take", "fr": "prends"},
        "forage": {"en": "forage", "fr": "glane"},
        "hunt": {"en": "hunt", "fr": "chasse"},
        "keep": {"en": "keep", "fr": "garde"},
        "drop": {"en": "drop", "fr": "jette"},
        "cook": {"en": "cook", "fr": "prépare"},
        "piece": {"en": "piece", "fr": "pièce"},
        "done": {"en": "done", "fr": "fini"},
        "build": {"en": "build", "fr": "bâtis"},
        "return": {"en": "return", "fr": ("retourne", "retour")},
        "second": {"en": "second", "fr": "second"},
        "card": {"en": "card", "fr": "carte"},
        "vp": {"en": "vp", "fr": "pv"},
        "none": {"en": "none", "fr": "rien"},
        "cave": {"en": "cave", "fr": "grotte"},
        "discard": {"en": "discard", "fr": "défausse"},
        "swap": {"en": "swap", "fr": "troque"},
        "name": {"en": "name", "fr": "nomme"},
        "look": {"en": "look", "fr": "regarde"},
        "arrange": {"en": "arrange", "fr": "range"},
        "objective": {"en": "objective", "fr": "objectif"},
    }
)
ALL = {"en": "all", "fr": "tout"}
SAME = {"en": "same", "fr": "inchangé"}
FOR = {"en": "for", "fr": "contre"}

# Plans (F§19.2-3)

JOINTS_BY_LANG: Final[Mapping[str, Mapping[str, str | tuple[str, ...]]]] = {
    "when": {"en": "when", "fr": "quand"},
    "if": {"en": "if", "fr": "si"},
    "and": {"en": "and", "fr": "et"},
    "colon": {"en": (":", "then"), "fr": (":", "alors")},
    "then": {"en": "then", "fr": "puis"},
    "else": {"en": "else", "fr": "sinon"},
    "or": {"en": ("or", ">"), "fr": ("ou", ">")},
    "no plan": {"en": "no plan", "fr": "sans plan"},
}
JOINTS: Final = Vocabulary(JOINTS_BY_LANG)
EVENTS: Final = Vocabulary(
    {
        **_TILES,
        "gathering": {"en": "gathering", "fr": "cueillette"},
        "village": {"en": "village", "fr": "village"},
        "empty": {"en": "empty", "fr": "vide"},
        "hunt": {"en": "hunt", "fr": "chasse"},
        "return": {"en": "return", "fr": "retour"},
        "second": {"en": "second", "fr": "second"},
        "ember": {"en": "ember", "fr": "braises"},
        "card": {"en": "card", "fr": "carte"},
        "basket": {"en": "basket", "fr": "panier"},
        "tunnel": {"en": "tunnel", "fr": "tunnel"},
        "look": {"en": "look", "fr": "regarde"},
        "arrange": {"en": "arrange", "fr": "range"},
        "council": {"en": "council", "fr": "conseil"},
        "other": {"en": "other", "fr": "autre"},
        "anything": {"en": "anything", "fr": "tout"},
        **_CAVE_CARDS,
    }
)
WISHES: Final = Vocabulary(
    {
        "hunt": {"en": "hunt", "fr": "chasse"},
        "cook": {"en": "cook", "fr": "prépare"},
        "take": {"en": "take", "fr": "prends"},
        "food": {"en": "food", "fr": "nourriture"},
        "build": {"en": "build", "fr": "bâtis"},
        "forage": {"en": "forage", "fr": "glane"},
        "cave": {"en": "cave", "fr": "grotte"},
        "most_food": {"en": "most food", "fr": "plus de nourriture"},
        "most_bags": {"en": "most bags", "fr": "plus de sacs"},
        "vp": {"en": "vp", "fr": "pv"},
        "none": {"en": "none", "fr": "rien"},
        "keep": {"en": "keep", "fr": "garde"},
        "drop": {"en": "drop", "fr": "jette"},
        "look": {"en": "look", "fr": "regarde"},
        "same": SAME,
        "place": {"en": "go", "fr": "va"},
        "pass": {"en": "pass", "fr": "passe"},
        "default": {"en": "default", "fr": "défaut"},
        "ask": {"en": "ask", "fr": "demande"},
    }
)
AMOUNTS: Final = Vocabulary(
    {
        "food": {"en": "food", "fr": "nourriture"},
        "space": {"en": "space", "fr": "place"},
        "bags": {"en": "bags", "fr": "sacs"},
        "huts": {"en": "huts", "fr": "huttes"},
        "track": {"en": "track", "fr": "piste"},
        "cost": {"en": "cost", "fr": "coût"},
        "tiles": {"en": "tiles", "fr": "tuiles"},
        "held": {"en": "held", "fr": "gibier"},
        "explorer": {"en": "explorer", "fr": "explorateur"},
        "light": {"en": "light", "fr": "claire"},
        "dark": {"en": "dark", "fr": "foncée"},
    }
)
RELATIONS: Final = Vocabulary(
    {
        "at_least": {"en": ("at least", ">="), "fr": ("au moins", ">=")},
        "at_most": {"en": ("at most", "<="), "fr": ("au plus", "<=")},
        "is": {"en": ("is", "="), "fr": ("est", "=")},
    }
)
SHOWN_WORD = {"en": "shown", "fr": "vu"}
COLUMN_KINDS: Final = Vocabulary({**_GATHERED, "free": {"en": ("free",), "fr": ("libre",)}})
THINGS: Final = Vocabulary(
    {
        **_TILES,
        "gathering": {"en": "gathering", "fr": "cueillette"},
        **_CAVE_CARDS,
        **_named((tile.id, tile.names) for tile in box.GAME),
        **_named((card.id, card.names) for card in box.INVENTION.values()),
        **_named(box.OBJECTIVES.items()),
    }
)
_FREE = {"en": "free", "fr": "libre"}
_OTHERS: Final = Vocabulary(
    {"all": ALL, "same": SAME, "for": FOR, "shown": SHOWN_WORD, "free": _FREE}
)

WORDS: Final = words_of(
    PLACES, CARDS, COLUMNS, VERBS, JOINTS, EVENTS, WISHES, AMOUNTS, RELATIONS, THINGS, _OTHERS
)
KEEPS: Final = frozenset(
    ("when", "quand", "then", "puis", "else", "sinon", "or", "ou", "take", "prends")
)

"""The words of orders, in both languages (M§24.3, M§26.1)."""

from __future__ import annotations

from itertools import product
from typing import Final

from engine.kit.notation.words import Vocabulary, words_of
from engine.mammoths.components import TITLES, Species
from engine.mammoths.filing import ORDER_WORDS

ORDERS: Final = Vocabulary(
    {
        "move": {"en": "move", "fr": "aller"},
        "found": {"en": "found", "fr": "installer"},
        "fire": {"en": "fire", "fr": "feu"},
        "card": {"en": "card", "fr": "carte"},
        "done": {"en": "done", "fr": "fin"},
        "undo": {"en": "undo", "fr": "annuler"},
        "restart": {"en": "restart", "fr": "recommencer"},
        "draft": {"en": "draft", "fr": "brouillon"},
        "plan": {"en": "plan", "fr": "plan"},
        "if": {"en": "if", "fr": "si"},
        "or": {"en": "or", "fr": "ou"},
        "otherwise": {"en": "otherwise", "fr": "sinon"},
        "withdraw": {"en": "withdraw", "fr": "retirer"},
        "answer": {"en": "combat", "fr": "combat"},
        "loss": {"en": "loss", "fr": "pertes"},
        "event_loss": {"en": "event-loss", "fr": "perte-évènement"},
        "fights": {"en": "fights", "fr": "combats"},
        "herds": {"en": "herds", "fr": "troupeaux"},
        "camp": {"en": "camp", "fr": "camp"},
        "starve": {"en": "starve", "fr": "affamer"},
        "unfed": {"en": "unfed", "fr": "priver"},
        "births": {"en": "births", "fr": "naissances"},
        "sow": {"en": "sow", "fr": "semer"},
        "reenter": {"en": "reenter", "fr": "revenir"},
        "place": {"en": "place", "fr": "placer"},
        "forget": {"en": "forget", "fr": "oublier"},
    }
)
_LANGUAGES = ("en", "fr")
FORGOTTEN: Final = Vocabulary(
    {word: {lang: ORDERS.write(word, lang) for lang in _LANGUAGES} for word in ORDER_WORDS}
    | {"all": {"en": "all", "fr": "tout"}}
)
TRICK_TITLES: Final = Vocabulary({title: {"en": title, "fr": title} for title in TITLES})
SPECIES: Final[Vocabulary[Species]] = Vocabulary(
    {
        "wolf": {"en": "wolf", "fr": "loup"},
        "tiger": {"en": "tiger", "fr": "tigre"},
        "bear": {"en": "bear", "fr": "ours"},
        "bison": {"en": "bison", "fr": "bison"},
        "rhino": {"en": "rhino", "fr": "rhino"},
        "mammoth": {"en": "mammoth", "fr": "mammouth"},
    }
)
TRIBES: Final = Vocabulary(
    {
        0: {"en": "red", "fr": "rouge"},
        1: {"en": "yellow", "fr": "jaune"},
        2: {"en": "green", "fr": "vert"},
        3: {"en": "blue", "fr": "bleu"},
        4: {"en": "purple", "fr": "pourpre"},
        5: {"en": "charcoal", "fr": "charbon"},
    }
)
"""The colours of the seats, which are the tribes' names."""
PLANS: Final = Vocabulary(
    {"move": {"en": "move", "fr": "aller"}, "combat": {"en": "combat", "fr": "combat"}}
)
CLOSINGS: Final = Vocabulary(
    {
        "ask": {"en": "ask", "fr": "demander"},
        "stay": {"en": "stay", "fr": "rester"},
        "orders": {"en": "orders", "fr": "consignes"},
    }
)
CONDITIONS: Final = Vocabulary(
    {
        "same": {"en": "same", "fr": "pareil"},
        "always": {"en": "always", "fr": "toujours"},
        "free": {"en": "free", "fr": "libre"},
        "closed": {"en": "closed", "fr": "fermée"},
        "opponents": {"en": "opponents", "fr": "adversaires"},
        "mine": {"en": "mine", "fr": "miens"},
        "animals": {"en": "animals", "fr": "animaux"},
        "herd": {"en": "herd", "fr": "troupeau"},
        "tribe": {"en": "tribe", "fr": "tribu"},
        "tribes": {"en": "tribes", "fr": "tribus"},
        "came": {"en": "came", "fr": "venu"},
        "left": {"en": "left", "fr": "parti"},
        "still": {"en": "still", "fr": "immobile"},
        "food": {"en": "food", "fr": "nourriture"},
        "camps": {"en": "camps", "fr": "camps"},
    }
)
TRIGGERS: Final = Vocabulary(
    {
        "start": {"en": "start", "fr": "début"},
        "behind": {"en": "behind", "fr": "retard"},
        "fighters": {"en": "fighters", "fr": "combattants"},
        "never": {"en": "never", "fr": "jamais"},
    }
)
SUPPLIES: Final = Vocabulary(
    {
        "starving": {"en": "starving", "fr": "famine"},
        "always": {"en": "always", "fr": "toujours"},
        "never": {"en": "never", "fr": "jamais"},
    }
)
CAMP_CHOICES: Final = Vocabulary(
    {"take": {"en": "take", "fr": "prendre"}, "burn": {"en": "burn", "fr": "brûler"}}
)
SOWN: Final = Vocabulary(
    {
        "yes": {"en": "yes", "fr": "oui"},
        "no": {"en": "no", "fr": "non"},
        "none": {"en": "none", "fr": "rien"},
    }
)
LIMITS: Final = Vocabulary({False: {"en": "min", "fr": "min"}, True: {"en": "max", "fr": "max"}})
SMALL: Final = Vocabulary(
    {
        "not": {"en": "not", "fr": "pas"},
        "any": {"en": "any", "fr": "partout"},
        "none": {"en": "none", "fr": "rien"},
        "at": {"en": "at", "fr": "à"},
        "against": {"en": "against", "fr": "contre"},
        "tribes": {"en": "tribes", "fr": "tribus"},
        "to": {"en": "to", "fr": "vers"},
        "hit": {"en": "hit", "fr": "touché"},
        "camps": {"en": "camps", "fr": "camps"},
        "camp": {"en": "camp", "fr": "camp"},
        "dir": {"en": "dir", "fr": "dir"},
        "herd": {"en": "herd", "fr": "troupeau"},
        "always": {"en": "always", "fr": "toujours"},
        "fire": {"en": "fire", "fr": "feu"},
        "drop": {"en": "drop", "fr": "jeter"},
        "start": {"en": "start", "fr": "début"},
    }
)

_MOST = 18


def _patterns() -> frozenset[str]:
    """Counts of pawns and short loss plans, which are written with letters, too."""
    counts = {
        f"{w}{warrior}" * bool(w) + f"{f}f" * bool(f)
        for warrior in "wg"
        for w in range(_MOST)
        for f in range(_MOST)
    }
    letters = {
        "".join(each)
        for n in range(1, 5)
        for sexes in ("wf", "gf")
        for each in product(sexes, repeat=n)
    }
    return frozenset(counts | letters) - {""}


WORDS: Final = (
    words_of(
        ORDERS,
        FORGOTTEN,
        TRICK_TITLES,
        SPECIES,
        TRIBES,
        PLANS,
        CLOSINGS,
        CONDITIONS,
        TRIGGERS,
        SUPPLIES,
        CAMP_CHOICES,
        SOWN,
        LIMITS,
        SMALL,
    )
    | _patterns()
)
KEEPS: Final = frozenset(
    {"or", "ou", "if", "si", "otherwise", "sinon", "done", "fin", "found", "installer"}
    | {"fights", "combats", "births", "naissances", "sow", "semer", "reenter", "revenir"}
    | {"place", "placer", "camp", "card", "carte"}
)
"""Joining words, and verbs that a number alone may follow."""

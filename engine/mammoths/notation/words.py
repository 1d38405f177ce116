"""The words of orders, in both languages (M§24.3, M§26.1)."""

from __future__ import annotations

from itertools import product
from typing import Any, Final, cast

from engine.kit.notation.words import Vocabulary, table, words_of
from engine.mammoths.components import TITLES, Species, board
from engine.mammoths.filing import ORDER_WORDS

_ORDERS = table("""
    move, go, lead | aller, va, vais, déplacer, mener; found | installer; fire | feu;
    card | carte; done | fin; undo | annuler; restart | recommencer; draft | secours, brouillon;
    plan | plan; if | si; or | ou; otherwise | sinon; withdraw | retirer;
    answer: combat | combat; loss | pertes;
    event_loss: event-loss | perte-évènement; fights | combats; herds | troupeaux; camp | camp;
    starve | affamer; unfed | priver; births | naissances; sow | semer; reenter | revenir;
    place | placer; forget | oublier
""")
ORDERS: Final = Vocabulary(_ORDERS)
FORGOTTEN: Final = Vocabulary({word: _ORDERS[word] for word in ORDER_WORDS} | table("all | tout"))
TRICK_TITLES: Final = Vocabulary({title: {"en": title, "fr": title} for title in TITLES})
SPECIES: Final = cast(
    Vocabulary[Species],
    Vocabulary(
        table("""
            wolf | loup; tiger | tigre; bear | ours; bison | bison; rhino | rhino;
            mammoth | mammouth
        """)
    ),
)
_COLOURS = """
    red | rouge; yellow | jaune; green | vert; blue | bleu; purple | pourpre; charcoal | charbon
"""
TRIBES: Final = Vocabulary(dict(enumerate(table(_COLOURS).values())))
"""The colours of the seats, which are the tribes' names."""
PLANS: Final = Vocabulary(table("move | aller; combat | combat"))
CLOSINGS: Final = Vocabulary(table("ask | demander; stay | rester; orders | consignes"))
CONDITIONS: Final = Vocabulary(
    table("""
        same | pareil; always | toujours; free | libre; closed | fermée; opponents | adversaires;
        mine | miens; animals | animaux; herd | troupeau; tribe | tribu; tribes | tribus;
        came | venu; left | parti; still | immobile; food | nourriture; camps | camps
    """)
)
TRIGGERS: Final = Vocabulary(
    table("start | début; behind | perdant, retard; fighters | combattants; never | jamais")
)
SUPPLIES: Final = Vocabulary(table("starving | famine; always | toujours; never | jamais"))
CAMP_CHOICES: Final = Vocabulary(
    dict(zip((False, True), table("take | prendre; burn | brûler").values(), strict=True))
)
"""Whether a conquered camp is burnt."""
SOWN: Final = Vocabulary(table("yes | oui; no | non; none | rien"))
LIMITS: Final = Vocabulary({False: {"en": "min", "fr": "min"}, True: {"en": "max", "fr": "max"}})
SMALL: Final = Vocabulary(
    table("""
        not | pas; any | partout; none | rien; at | à; against | contre; tribes | tribus;
        to | vers; hit | touché; camps | camps; camp | camp; dir | dir; herd | troupeau;
        always | toujours; fire | feu; drop | jeter; start | début
    """)
)

_MOST = 18


def _patterns() -> frozenset[str]:
    """Counts of pawns and short loss plans, which are written with letters, too; and hexes."""
    counts = {
        f"{w}{warrior}" * bool(w) + f"{f}f" * bool(f)
        for warrior, w, f in product("wg", range(_MOST), range(_MOST))
    }
    letters = {
        "".join(each)
        for n, sexes in product(range(1, 5), ("wf", "gf"))
        for each in product(sexes, repeat=n)
    }
    return frozenset(counts | letters | {str(at) for at in board(1).hexes}) - {""}


_ALL: tuple[Vocabulary[Any], ...] = (
    *(ORDERS, FORGOTTEN, TRICK_TITLES, SPECIES, TRIBES, PLANS, CLOSINGS, CONDITIONS, TRIGGERS),
    *(SUPPLIES, CAMP_CHOICES, SOWN, LIMITS, SMALL),
)
PAWNS: Final = {
    **dict.fromkeys(("warrior", "warriors", "guerrier", "guerriers"), "w"),
    **dict.fromkeys(("woman", "women", "femme", "femmes"), "f"),
}
"""Pawns in words, by their letters: "3 warriors and 1 woman" is read as 3w1f."""
WORDS: Final = words_of(*_ALL) | _patterns() | frozenset(PAWNS)
KEEPS: Final = frozenset(
    {"or", "ou", "if", "si", "otherwise", "sinon", "done", "fin", "found", "installer"}
    | {"fights", "combats", "births", "naissances", "sow", "semer", "reenter", "revenir"}
    | {"place", "placer", "camp", "card", "carte", "undo", "annuler"}
)
"""Joining words, verbs that a number alone may follow, and what takes a line of a move back."""

"""Wishes in prose that a word of ours answers: to leave the game, to rest, to pass."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from service.core.plain import tokens

Wish = Literal["", "leave", "rest", "pass"]

_LONGEST = 12
"""Words of a text that says a wish and nothing else."""


def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


_IDLE = _words(
    """
    a afraid again ai aimerais alors am ask at bonjour bonsoir but can ce cette comment could d de
    desole desolee do dois donc du en est et everybody everyone faire fais faut for from going gonna
    guys had hallo has have hello here hey hi how i ici il is it j je just l la le les let like ll m
    ma mais maintenant may maybe me merci mes mon must my need nous now of on peut peux please pls
    possible pour pourrais prefere prefer puis que qu quand rather s salut shall should so sorry
    souhaite souhaiterais stp suis svp thank thanks the this to tous tout toutes un une us vais
    veux voudrais want wanna we will wish would you
    """
)
"""Words that wishes are said with, and that are none."""

_WISHES: tuple[tuple[Wish, frozenset[str], frozenset[str], int], ...] = (
    (
        "leave",
        _words(
            """
            abandon abandonne abandonner arrete arreter concede forfeit leave leaving quit quitte
            quitter quitting resign resigning stop stopping surrender
            """
        ),
        _words("game jeu jouer match partie playing table"),
        1,
    ),
    ("leave", _words("give giving"), _words("up game"), 2),
    (
        "pass",
        _words("pass passe passer passing saute sauter skip skipping"),
        _words("coup go move round tour turn"),
        1,
    ),
    (
        "rest",
        _words(
            """
            absent absente break busy holiday holidays malade occupe occupee pause rest reposer sick
            souffler vacances vacation
            """
        ),
        _words(
            """
            ai besoin bit days don few jour jours little more n ne next no not off out pars part pas
            petit petite peu plus prochaine prendre prends quelques semaine semaines short some soon
            take tomorrow demain too tres trop very week weeks away partir prendrai avoir
            """
        ),
        1,
    ),
    ("rest", _words("temps time"), _words("besoin little more n ne no pas peu plus t don"), 2),
)
"""Each with the words of which a text has one, others that may stand beside it, and how many there
are at least.
"""


def wish_of(paragraphs: Sequence[Sequence[str]], names: Collection[str]) -> Wish:
    """The wish that these lines say, and nothing else; "" if none. `names` are those of the table.
    A wish is only answered with the word for it: nothing is done.
    """
    written = tokens(" ".join(line for lines in paragraphs for line in lines))
    if len(written) > _LONGEST:
        return ""
    idle = _IDLE.union(token for name in names for token in tokens(name))
    said = {token for token in written if token not in idle and not token.isdecimal()}
    for wish, core, beside, least in _WISHES:
        if said & core and said <= core | beside and len(said) >= least:
            return wish
    return ""

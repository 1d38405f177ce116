"""Courtesy around a turn or a command word, which means neither: greetings, thanks, good-byes."""

from __future__ import annotations

import re
from collections.abc import Collection

from service.core.plain import bare, plain, tokens

_PHRASES = frozenset(
    {
        "a+",
        "a bientot",
        "a demain",
        "a plus",
        "a plus tard",
        "a toi",
        "a toi de jouer",
        "a tout a l'heure",
        "a tres vite",
        "a vous",
        "all the best",
        "best wishes",
        "bien joue",
        "c'est a toi",
        "c'est parti",
        "fire away",
        "good luck",
        "have fun",
        "here we go",
        "in haste",
        "much love",
        "on y va",
        "prends soin de toi",
        "prends ton temps",
        "prenez soin de vous",
        "see you",
        "see you soon",
        "take care",
        "take it easy",
        "take that",
        "take your time",
        "well played",
        "your turn",
    }
)
"""Sayings that begin like an order, or that no single word of gives away."""

_POLITE = """
    alors amicalement amities amuse amusez bien biz bises bisou bisous bon bonjour bonne bonsoir
    bravo chance cher chers chere cheers ciao coeur cordialement coucou dear desole desolee ensuite
    et excellent fine good great greetings hallo hello hey hi hop jeu jolly journee kind lot luck
    many merci mille much nice ok okay parfait please plus pour regards salut salutations semaine si
    sincerely soir soiree sorry stp super sure svp te thank thanks thx tous toutes tout tu tres
    toi ty vous warm week weekend well yours yep ouais beaucoup all a the and to you for so
    evening morning afternoon day everybody everyone monde le la les mes my amis friends voila
    here is there now voici maintenant donc cool bye goodbye later soon best wishes love
    """
_WORDS = frozenset(_POLITE.split())
"""Words that greetings and thanks are made of; a line of nothing else says nothing."""


_PLEASE = "please pls stp svp merci thanks thank you s'il te vous plait"
_ASKING = frozenset(_PLEASE.split())


def says_nothing(text: str, names: Collection[str] = ()) -> bool:
    """True if a text is only politeness, or the name of somebody at the table."""
    said = plain(bare(text)).rstrip(" !.")
    if not said or said in _PHRASES:
        return True
    parts = [part for part in re.split(r"[,;!.…]\s", said) if part.strip()]
    if len(parts) > 1:
        return all(says_nothing(part, names) for part in parts)
    known = {token for name in names for token in tokens(name)}
    written = tokens(said)
    if not written:
        # Of an alphabet that we do not read: whatever it says, it is something.
        return not any(c.isalpha() for c in said)
    if all(token.isdecimal() for token in written):
        return False  # a choice, even at a table of "Guest 1"
    return all(token in _WORDS or token in known for token in written)


def without_politeness(text: str) -> str:
    """The text without polite words at its end: "status please" asks for the status."""
    kept = text.split()
    while kept and (plain(bare(kept[-1])) in _ASKING or not bare(kept[-1])):
        kept.pop()
    return " ".join(kept)


_AROUND_AN_ANSWER = """
    afraid all anyway beaucoup bonjour bonsoir cheers coucou dear desole desolee everybody everyone
    hallo hello hey hi je m'en mille merci please pls regrets salut sincerely sorry so much stp suis
    svp thank thanks the tous tres toutes tout le monde very you cordialement bises for asking
    pour la question
    """
_ANSWERING = frozenset(tokens(_AROUND_AN_ANSWER))
"""Narrower than what says nothing: "no luck" and "no fun" are no answer."""


def within_politeness(text: str, names: Collection[str], phrases: Collection[str]) -> str | None:
    """The one of these phrases a text consists of, with nothing but politeness and names of the
    table around it: "no, sorry" is "no".
    """
    written = tokens(text)
    if not 0 < len(written) <= _LONGEST_ANSWER:
        return None
    idle = _ANSWERING | {token for name in names for token in tokens(name)}
    for length in range(len(written), 0, -1):
        for at in range(len(written) - length + 1):
            phrase = " ".join(written[at : at + length])
            rest = (*written[:at], *written[at + length :])
            if phrase in phrases and all(token in idle for token in rest):
                return phrase
    return None


_LONGEST_ANSWER = 10
"""Words of a line that can be an answer."""

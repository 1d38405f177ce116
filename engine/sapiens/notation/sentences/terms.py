"""Names of scenes, places, tiles and tokens in sentences, with the small words around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from engine.sapiens.notation import words

SCENE: Final = "|".join(
    sorted({name for names in words.SCENES.values() for name in names.values()})
)
COLOUR: Final = "|".join(
    sorted({name for names in words.COLOURS.values() for name in names.values()})
)
VERBS: Final = "|".join(sorted({name for names in words.VERBS.values() for name in names.values()}))
PICTURES: Final = {
    "feast": "drumsticks?|gigots?",
    "picking": "cherr(?:y|ies)|berr(?:y|ies)|cerises?|baies?",
    "fight": "fists?|poings?|massues?",
    "water": "waves?|vagues?",
    "camp": "tents?|tentes?",
    "hunt": "mamm?oths?|mamm?ouths?",
    "fire": "flames?|flammes?",
    "ritual": "spirals?|spirales?|menhirs?|(?:standing\\s+)?stones?|pierres?",
}
"""What the pictures of the scenes show, for who names these."""
GAP = r"[\s\-‐‑‒–—−:.,]*"
ON = r"\s+(?:(?:is|lies|goes|est|va|soit)\s+)?(?:on|in|at|onto|into|sur|en|dans)\s+"
OF_PLACE = r"(?:(?:the|your|la|ta)\s+)?(?:(?:square|cave|case|caverne)\s+)?"
CAVE = r"(?:[a-h]\s?[1-5]\s?[nsewo]\b|wl\b|wr\b|cg\b|cd\b)"
PLACE = rf"(?:[a-h]\s?[1-5]\b|{CAVE})"
ARTICLE = r"(?:(?:the|teh|an?|my|your|les?|la|des|une?|mon|ma|mes|ta|l['’])\s*)?"
TILE = rf"(?:{SCENE}){GAP}(?:{SCENE})(?:\.[1-9])?"
OWNER = rf"(?:(?:{COLOUR}|the\s+bot)['’]s?\s+)"
DOUBT = re.compile(
    r"\?|\b(?:no|not|never|nor|or|if|maybe|perhaps|instead|would|could|should|might|wonder|wait|pas|ni"
    r"|ou|si|sans|jamais|plut[ôo]t|peut-?[êe]tre|faudrait|pourrais|non)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words of who is not sure, or refuses: nothing around them is left out."""
TOKEN = (
    rf"(?:(?:the|that|its|my|a|le|un|ce|mon)\s+)?(?:(?:{SCENE})\s+)?(?:mountain\s+)?"
    rf"(?:tokens?|jetons?)(?:\s+montagne)?(?:\s+(?:{SCENE}))?"
)
STEAK = r"(?:(?:the|my|a|an|one|le|mon|un)\s+)?steak\b(?!\s+(?:token|from\s+the|from\s+my))"
WHEN = (
    r"(?:\s+(?:for|pour|until|jusqu['’][àa]|in|en|au|my|ma|the|later|plus|tard|now|yet|moment|right"
    r"|l['’]instant|le|un|une|another|autre|turn|tour|ce|cette|this|ci|next|prochain|hand|main"
    r"|reserve|r[ée]serve|chaud|tout|de|suite|encore|maintenant|too|as|well|aussi)\b|-ci\b)*"
)
WHO = (
    r"(?:(?:i|je|we|on)(?:['’](?:ll|d|m))?\s+(?:(?:am|will|would|do|like|want|to|rather|just|also|veux"
    r"|voudrais|bien)\s+)*|j['’]|let['’]s\s+(?:rather\s+)?)?"
)
SIDES: Final = (
    ("N", r"above|au-dessus\s+de"),
    ("S", r"below|under|au-dessous\s+de|en\s+dessous\s+de|sous"),
    ("W", r"left\s+of|[àa]\s+gauche\s+de"),
    ("E", r"right\s+of|[àa]\s+droite\s+de"),
)
"""Sides of the cave beside a square (S§1.4), as they are said."""
CORNERS: Final = (
    (r"(?:top|upper)[\s-]+left\s+corner|coin\s+en\s+haut\s+[àa]\s+gauche", "A1"),
    (r"(?:top|upper)[\s-]+right\s+corner|coin\s+en\s+haut\s+[àa]\s+droite", "H1"),
    (r"(?:bottom|lower)[\s-]+left\s+corner|coin\s+en\s+bas\s+[àa]\s+gauche", "A5"),
    (r"(?:bottom|lower)[\s-]+right\s+corner|coin\s+en\s+bas\s+[àa]\s+droite", "H5"),
)
Spoken = Sequence[tuple[str, str | Callable[[re.Match[str]], str]]]
NAMES: Final[Spoken] = (
    *((rf"\b(?:{seen})\b", scene) for scene, seen in PICTURES.items()),
    *((rf"(?:\b(?:the|la)\s+)?\b(?:cave|caverne)\s+(?:to\s+the\s+)?(?:{said})\s+([a-h]\s?[1-5])\b",
       rf"\1{side}") for side, said in SIDES),
    *((rf"\b(?:the|le)\s+(?:{said})(?:\s+(?:corner|coin))?\b", square) for said, square in CORNERS),
    ((r"\b(?:(?:the|la)\s+)?(?:left(?:[\s-]+hand)?\s+waterfall|waterfall\s+on\s+the\s+left"
      r"|cascade\s+(?:de\s+)?gauche)\b"), "WL"),
    ((r"\b(?:(?:the|la)\s+)?(?:right(?:[\s-]+hand)?\s+waterfall|waterfall\s+on\s+the\s+right"
      r"|cascade\s+(?:de\s+)?droite)\b"), "WR"),
    (rf"\b(?:{SCENE})\s+(?=cave\b)", ""),
    (rf"(?<=caverne)\s+(?:du|de\s+la|de\s+l['’]|de)\s*(?:{SCENE})\b", ""),
)  # fmt: skip
"""What scenes and places are called."""


def by_names(text: str) -> str:
    """The text with the notation's words for what is called otherwise: pictures, caves."""
    return replaced(NAMES, text)


def replaced(spoken: Spoken, text: str) -> str:
    """The text with what each of these patterns finds replaced, one after the other."""
    for pattern, instead in spoken:
        text = re.sub(pattern, instead, text, flags=re.IGNORECASE | re.MULTILINE)
    return text

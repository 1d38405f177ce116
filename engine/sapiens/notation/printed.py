"""Sentences as letters print them and people write them, made what the notation reads.

"Picking-fire: picking on A2, fire on A1" is "lay picking-fire A2 A1"; articles and the like are
left out. What is no such sentence stays as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from engine.kit.notation.text import folded
from engine.sapiens.notation import words

_SCENE: Final = "|".join(
    sorted({name for names in words.SCENES.values() for name in names.values()})
)
_GAP = r"[\s\-‐‑‒–—−:.,]*"
_ON = r"\s+(?:(?:is|lies|goes|est|va|soit)\s+)?(?:on|in|at|onto|into|sur|en|dans)\s+"
_OF_PLACE = r"(?:(?:the|your|la|ta)\s+)?(?:(?:square|cave|case|caverne)\s+)?"
_PLACE = r"(?:[a-h]\s?[1-5](?:\s?[nsewo]\b)?|wl\b|wr\b|cg\b|cd\b)"
_BETWEEN = r"\s*(?:,\s*|\s)(?:(?:and|et|with|avec|&)\s+)?"
_ARTICLE = r"(?:(?:the|a|an|la|le|une|un|l['’])\s*)?"
_NAMED = rf"(?:{_SCENE}){_GAP}(?:{_SCENE})(?:\.[1-9])?"

_PLAY = r"(?:play|use|joue|utilise)\s+(?:(?:the|my|a|le|mon|un)\s+)?"

_TOKEN = (
    rf"(?:(?:the|that|its|my|a|le|un|ce|mon)\s+)?(?:(?:{_SCENE})\s+)?(?:mountain\s+)?"
    rf"(?:tokens?|jetons?)(?:\s+montagne)?(?:\s+(?:{_SCENE}))?"
)
_CLAIMED = (
    r"(?:\b(?:ritual|rituel)\s*[:,]?\s*)?\b(?:claim(?:ing)?|take|get|grab|collect|pick\s+up|prends|prendre"
    r"|r[ée]clame|r[ée]cup[èe]re)\s+"
    rf"(?:{_TOKEN}\s+|(?:(?:the|le)\s+)?(?:{_SCENE})\s+(?=from|of|de|du))?(?:\([^()]*\)\s*)?"
    r"(?:(?:from|of|at|on|in|de|sur|[àa])\s+)?(?:(?:the|la)\s+)?(?:(?:cave|caverne)\s+)?"
    r"(wl|wr|cg|cd|[a-h]\s?[1-5]\s?[nsewo])\b"
)
"""A mountain token that is claimed: "claim the camp token of the left waterfall"."""
_KEPT = re.compile(
    r"(?:\A|[,;.(]|\b(?:and|but|et|mais|then|puis)\b|(?<=\n))\s*"
    r"(?:(?:i|je)(?:['’]ll|['’]d)?\s+(?:(?:will|would|like|want|to|rather|veux|voudrais)\s+)*)?"
    r"(?:(?:keep(?:ing)?|sav(?:e|ing)|hold(?:ing)?(?:\s+on\s+to)?|en\s+gardant|gard(?:e|er|ant)|conserver?"
    r"|(?:without|not|do\s+not|don['’]t|sans)\s+(?:play(?:ing)?|us(?:e|ing)|jouer|utiliser)"
    r"|ne\s+(?:joue|utilise)\s+pas|without|sans)\s+"
    rf"(?:it|that|this|ça|cela|{_TOKEN})|(?:le|la)\s+gard(?:e|er))"
    r"(?:\s+(?:for|pour|until|jusqu['’][àa]|in|en|au|my|ma|the|later|plus|tard|now|moment|l['’]instant"
    r"|le|un|une|another|autre|turn|tour|next|prochain|hand|main|reserve|r[ée]serve))*"
    r"(?=\s*(?:[,;.)\n]|\Z|(?:and|et|then|puis)\b))\)?",
    re.IGNORECASE,
)
"""What is not done needs no words in a turn: "and keep my camp token for later"."""

_LAID = re.compile(
    rf"(?P<verb>\b(?:lay|place|put|pose|poser|place)\b\s+)?"
    rf"(?:{_ARTICLE}(?:(?:tile|tuile)\s+)?(?P<tile>\b{_NAMED})\b"
    rf"\s*(?:,|:|\(|\s)\s*(?:(?:with|so\s+that|avec|de\s+sorte\s+que)\s+)?)?"
    rf"{_ARTICLE}\b(?P<one>{_SCENE}){_ON}{_OF_PLACE}(?P<first>{_PLACE})"
    rf"{_BETWEEN}{_ARTICLE}(?P<other>{_SCENE}){_ON}{_OF_PLACE}(?P<second>{_PLACE})\)?",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    rf"\A\s*({_SCENE})\s*(?:,|&|\+|/|\band\b|\bet\b)\s*({_SCENE})\b(?={_ON}|\s+{_PLACE})",
    re.IGNORECASE,
)
"""A tile in two words at the beginning: "picking, hunt on D5"."""
_NO_VERB = re.compile(rf"\A\s*(?={_NAMED}\s*(?:\s{_PLACE}|\Z|,))", re.IGNORECASE)
"""A text that begins with a tile: a turn does so with laying it."""
_COMMENT = re.compile(r"\s*\((?![^()]*[\n;])[^()]*\)")
"""What stands in brackets says what is known: points, the owners of fight tokens, a scene."""

_SIDES: Final = (
    ("N", r"above|au-dessus\s+de"),
    ("S", r"below|under|au-dessous\s+de|en\s+dessous\s+de|sous"),
    ("W", r"left\s+of|[àa]\s+gauche\s+de"),
    ("E", r"right\s+of|[àa]\s+droite\s+de"),
)
"""Sides of the cave beside a square (S§1.4), as they are said."""

_SPOKEN: Final[Sequence[tuple[str, str | Callable[[re.Match[str]], str]]]] = (
    *((rf"(?:\b(?:the|la)\s+)?\b(?:cave|caverne)\s+(?:to\s+the\s+)?(?:{said})\s+([a-h]\s?[1-5])\b",
       rf"\1{side}") for side, said in _SIDES),
    (r"\b(?:(?:the|la)\s+)?(?:left\s+waterfall|cascade\s+gauche)\b", "WL"),
    (r"\b(?:(?:the|la)\s+)?(?:right\s+waterfall|cascade\s+droite)\b", "WR"),
    (r"\s+(?:no\.|n°)\s*([1-9])\b", r".\1"),
    ((r"\b(?:fight|baston)\s*:\s*(?:a\s+fight\s+token\s+on|un\s+jeton\s+baston\s+sur)\s+"
     r"(?:your\s|their\s+own\s|ta\s+tuile\s|la\s+tuile\s|[^\s,]+['’]s\s)?"), "fight "),
    (r"\s+(?:in\s+the\s+common\s+pool|de\s+la\s+r[ée]serve\s+commune)\b", ""),
    (r"\b(?:water|eau)\s*:\s*(?:swap|[ée]changer)\s+", "water "),
    ((r"\b(?:hunt|chasse)\s*:\s*(?:take|prendre)\s+(?:a|un)\s+steak"
     r"(?:,\s*(?:turn|en\s+convertir)\s+(\d+)(?:\s+into\s+food)?)?"), r"hunt \1"),
    (r"\b(?:hunt|chasse)\s*:\s*(?:turn|convertir)\s+(\d+)\s+steaks?(?:\s+into\s+food)?",
     r"hunt \1"),
    ((r"\b(?:feast|festin)\s*:\s*(?:one\s+more\s+tile[^:]*?bonus|une\s+tuile\s+de\s+plus[^:]*?effet)"
     r",\s*"), "feast "),
    (_CLAIMED, r"ritual \1"),
    (rf"\b(?:{_PLAY})?({_SCENE})\s+(?:mountain\s+)?token\b", r"token \1"),
    (rf"\b{_PLAY}(?=(?:mountain\s+token|token|jeton)\b)", ""),
    (r"\b(?:mountain\s+token|token|jeton\s+montagne|jeton)\b[,:]?\s+(?=[a-z]+\b)", "token "),
    (r"\b(?:camp|campement|picking|cueillette)\s*:\s*\+\d+\s+(?:food|shelter|PN|PA|PF|FP|SP)\b",
     lambda found: found[0].partition(":")[0].strip()),
    # Steaks are what hunts give, bears what fires move (S§8.7, S§8.8).
    ((r"\b(?:keep|get|take|garde|prends)\s+(?:my|the|a|one|mon|le|un)\s+steak\b"
     r"(?!s|\s+(?:token|from|de\b))"), "hunt"),
    ((r"\b(?:put|place|lay|mets|pose|place)\s+(?:a|an|the|my|un|mon|l['’])\s*(?:bear|ours)\s+"
     r"(?:on|in|at|to|sur|en|dans)\s+"), "fire "),
    (r"\s+(?:from\s+the\s+game|de\s+la\s+partie|du\s+jeu)\b", ""),
    (r"\bprendre\b", "prends"),
    (r"\bretirer\b", "retire"),
    (r"\bposer\b", "pose"),
    (r"\s+/\s+", ", "),
    (r"[\s,]*\b(?:please|pls|svp|stp|thanks|merci)\b[.!\s]*$", ""),
    (r"\b(?:throw\s+out|discard|drop)\b", "remove"),
)  # fmt: skip
_FILLERS = re.compile(
    r"\b(?:on|at|en|dans|the|tile|tiles|and|then|cave|square|sur|la|le|les|et|puis|tuile|tuiles|caverne|case)"
    r"\b[ \t]*",
    re.IGNORECASE,
)
_VERBS = "|".join(sorted({name for names in words.VERBS.values() for name in names.values()}))
_NEXT_VERB = re.compile(
    r"(?<=[\w)])[ \t]+(?:(?:and|then|et|puis|ensuite)[ \t]+)+"
    r"(?=(?:take|remove|token|prends|retire|jeton)\b)"
    # Sentences of somebody who says what they do: "... on G5. I take ritual-hunt".
    rf"|(?<=[\w)])[ \t]*[.,;]?[ \t]+(?:(?:and|then|et|puis|ensuite)[ \t]+)*(?:i|je)[ \t]+"
    rf"(?=(?:{_VERBS})\b)|(?<=[\w)])\.[ \t]+(?=(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_LED = re.compile(
    rf"^[ \t]*(?:i|je)(?:['’](?:ll|d))?[ \t]+(?:(?:will|would|like|to)[ \t]+)*(?=(?:{_VERBS})\b)",
    re.IGNORECASE | re.MULTILINE,
)


def as_notation(text: str) -> str:
    """The text with its sentences as the notation has them."""
    done = _KEPT.sub("", text)
    text = done if done.strip(" ,;.\n") else text
    for pattern, instead in _SPOKEN:
        text = re.sub(pattern, instead, text, flags=re.IGNORECASE | re.MULTILINE)
    text = _LAID.sub(_laid, text)
    text = _COMMENT.sub("", text)
    text = _LED.sub("", _NEXT_VERB.sub(", ", text))
    text = _LOOSE.sub(r"\1-\2", text)
    return _NO_VERB.sub("lay ", _FILLERS.sub("", text))


def _laid(found: re.Match[str]) -> str:
    """The placement; what does not name one and the same tile twice stays as it was typed."""
    one, other = found["one"], found["other"]
    tile = f"{one}-{other}"
    copy = ""
    if found["tile"]:
        named = re.findall(_SCENE, found["tile"], re.IGNORECASE)
        if {folded(name) for name in named} != {folded(one), folded(other)}:
            return found[0]
        copy = "".join(re.findall(r"\.[1-9]$", found["tile"]))
    before = found.string[: found.start()].rstrip(" \t,:").casefold()
    led = re.search(r"\b(?:feast|festin|abandon|abandonne)$", before) is not None
    verb = "" if led else "lay "
    return f"{verb}{tile}{copy} {found['first']} {found['second']}"

"""Sentences as letters print them and people write them, made what the notation reads.

"Picking-fire: picking on A2, fire on A1" is "lay picking-fire A2 A1"; articles and the like are
left out. What is no such sentence stays as it was typed.
"""

from __future__ import annotations

import re
from typing import Final

from engine.sapiens.notation.sentences.bonuses import BONUSES
from engine.sapiens.notation.sentences.keeping import without_kept
from engine.sapiens.notation.sentences.laying import with_laid
from engine.sapiens.notation.sentences.terms import (
    ARTICLE,
    DOUBT,
    ON,
    PLACE,
    SCENE,
    TILE,
    VERBS,
    WHO,
    Spoken,
    by_names,
    replaced,
)

LONGEST: Final = 1000
"""Characters of a turn in sentences, and a bound on the work."""

REMOVED = (
    r"\b(?:throw\s+(?:out|away)|get\s+rid\s+of|chuck(?:\s+out)?|discard|drop|bin|vire[r]?|jette[r]?|enl[èe]ve[r]?"
    r"|[ée]carte[r]?|d[ée]fausse[r]?)\b"
)
GONE = (
    rf"\b{ARTICLE}({TILE})\s+(?:(?:is|est)\s+(?:the\s+one|celle)\s+(?:that|which|qui)\s+)?(?:can\s+go|may\s+go|(?:goes|is)\s+out|goes|leaves(?:\s+the\s+game)?|peut\s+partir"
    r"|s['’]en\s+va|part)\b"
)
LOOSE = re.compile(
    rf"\A\s*({SCENE})\s*(?:,|&|\+|/|\band\b|\bet\b)\s*({SCENE})\b(?={ON}|\s+{PLACE})",
    re.IGNORECASE,
)
"""A tile in two words at the beginning: "picking, hunt on D5"."""
NO_VERB = re.compile(rf"\A\s*(?={TILE}\s*(?:\s{PLACE}|\Z|,))", re.IGNORECASE)
"""A text that begins with a tile: a turn does so with laying it."""
COMMENT = re.compile(r"\s*\((?![^()]*[\n;])[^()]*\)")
"""What stands in brackets says what is known: points, the owners of fight tokens, a scene."""
POOLS: Final[Spoken] = (
    (r"\s+(?:no\.|n°)\s*([1-9])\b", r".\1"),
    ((r"\s+(?:in|from|dans|de)\s+(?:the|la)\s+(?:com+on\s+pool|middle|r[ée]serve(?:\s+com+une)?)\b"
     r"|\b(?:from\s+the\s+middle|du\s+milieu)\b"), ""),
    (r"\b(?:one\s+of\s+(?:the|both)(?:\s+two)?|une?\s+des\s+(?:deux|trois))\s+(?=\w)", ""),
    ((rf"\b({SCENE})\s+(?:one|tile|tuile)s?\s+(?:with|and|avec|et)\s+{ARTICLE}({SCENE})\b"
      rf"(?!\s+(?:on|in|at|sur|en|dans)\b)"), r"\1-\2"),
    ((rf"\b({SCENE})\s+(?:with|avec)\s+{ARTICLE}({SCENE})\b"
      rf"(?!\s+(?:is|lies|goes\s+on|just|right|on|in|at|sur|en|dans|va|[àa]|{PLACE})\b)"),
     r"\1-\2"),
    ((rf"\b(?:the\s+one|that|celle)\s+(?:with|avec)\s+{ARTICLE}({SCENE})\s+(?:and|et)\s+"
      rf"{ARTICLE}({SCENE})\b"), r"\1-\2"),
    ((rf"\b({SCENE})\s+(?:and|with|et|avec)\s+{ARTICLE}({SCENE})\b"
     r"(?!\s+(?:is|lies|on|in|at|sur|en|dans|[a-h][1-5])\b)"), r"\1-\2"),
)  # fmt: skip
"""Tiles by the pool they lie in, or by two pictures."""
TAKING: Final[Spoken] = (
    (r"\s+(?:from\s+the\s+game|de\s+la\s+partie|du\s+jeu)\b", ""),
    ((rf"\b(?:c['’]est|it['’]s)\s+{ARTICLE}(?:(?:tile|tuile)\s+)?({TILE})\s+(?:que|that)\s+(?:je|j['’]|i)\s*"
      r"(?:(?:veux|want\s+to)\s+)?(\w+)"), r"\2 \1"),
    (rf"\b({TILE})\s*,?\s*je\s+l[ae]\s+(\w+)", r"\2 \1"),
    (rf"\b({TILE})\s*,?\s*c['’]est\s+celle\s+que\s+(?:je\s+|j['’])(\w+)", r"\2 \1"),
    (GONE, r"remove \1"),
    (rf"\b({TILE})\s+ones?\b", r"\1"),
    (REMOVED, "remove"),
    (rf"\b(?:pick\s+up|grab|get|pioche|r[ée]cup[èe]re)\s+{ARTICLE}(?={TILE})", "take "),
    (r"\bprendre\b", "prends"),
    (r"\bretirer\b", "retire"),
    (r"\bposer\b", "pose"),
    (r"\s+/\s+", ", "),
    (r"[\s,]*\b(?:please|pls|svp|stp|thanks|merci)\b[.!\s]*$", ""),
    ((r"\A\s*(?:please|once\s+more|again|encore\s+une\s+fois|cette\s+fois|this\s+time|je\s+reprends\s*:)\b"
      r"[\s,:]*"), ""),
)  # fmt: skip
"""What is taken and removed, and politeness."""
FILLERS = re.compile(
    r"\b(?:on|at|en|dans|the|my|tile|tiles|and|then|cave|square|sur|la|le|les|mon|ma|et|puis|tuill?es?"
    r"|caverne|case)\b[ \t]*",
    re.IGNORECASE,
)
NEXT_VERB = re.compile(
    r"(?<=[\w)])[ \t]+(?:(?:and|then|et|puis|ensuite)[ \t]+)+"
    r"(?=(?:take|remove|token|prends|retire|jeton)\b)"
    # Sentences of somebody who says what they do: "... on G5. I take ritual-hunt".
    rf"|(?<=[\w)])[ \t]*[.,;]?[ \t]+(?:(?:and|then|et|puis|ensuite)[ \t]+)*(?:(?:i|je)[ \t]+|j['’])"
    rf"(?=(?:{VERBS})\b)|(?<=[\w)])\.[ \t]+(?=(?:{VERBS})\b)",
    re.IGNORECASE,
)
LED = re.compile(rf"^[ \t]*{WHO}(?=(?:{VERBS})\b)", re.IGNORECASE | re.MULTILINE)


def guessed(text: str) -> str:
    """The text with its placements as they may be meant, whatever stands between their halves: for
    who is asked whether it is so.
    """
    return text if len(text) > LONGEST else with_laid(by_names(text), sure=False)


def as_notation(text: str) -> str:
    """The text with its sentences as the notation has them; one longer than LONGEST as it is."""
    if len(text) > LONGEST:
        return text
    text = with_laid(by_names(without_kept(text)), sure=True)
    text = replaced(TAKING, replaced(BONUSES, replaced(POOLS, text)))
    text = COMMENT.sub(lambda found: found[0] if DOUBT.search(found[0]) else "", text)
    text = LED.sub("", NEXT_VERB.sub(", ", text))
    text = LOOSE.sub(r"\1-\2", text)
    return NO_VERB.sub("lay ", FILLERS.sub("", text))

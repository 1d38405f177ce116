"""Bonuses and mountain tokens in sentences (S§8, S§9)."""

from __future__ import annotations

import re
from typing import Final

from engine.sapiens.notation.sentences.keeping import KEEP
from engine.sapiens.notation.sentences.terms import (
    ARTICLE,
    CAVE,
    COLOUR,
    OWNER,
    SCENE,
    STEAK,
    TILE,
    TOKEN,
    WHEN,
    WHO,
    Spoken,
)

PLAY = r"(?:play|use|joue|utilise)\s+(?:(?:the|my|a|le|mon|un)\s+)?"
CLAIMED = (
    r"(?:\b(?:(?:for|with|using|avec|pour|gr[âa]ce\s+(?:[àa]|au))\s+)?(?:(?:the|my|le|l['’]effet\s+du)\s+)?"
    rf"(?:ritual|rituel)(?:\s+(?:bonus|effect))?\s*[:,]?\s*{WHO})?"
    r"\b(?:claim(?:ing)?|take|gets?(?:\s+me)?|gives\s+me|want|like|have|grab|win|fetch|collect|pick\s+up"
    r"|me\s+donne|m['’]apporte|veux|voudrais|prends|prendre|attrape|gagne|ramasse"
    r"|r[ée]clame|r[ée]cup[èe]re)\s+"
    rf"(?:{TOKEN}\s+|(?:(?:the|le)\s+)?(?:{SCENE})\s+(?=from|of|de|du))?(?:\([^()]*\)\s*)?"
    r"(?:(?:from|of|at|on|in|de|sur|[àa])\s+)?(?:(?:the|la)\s+)?(?:(?:cave|caverne)\s+)?"
    rf"({CAVE})(?:\s+(?:for|with|pour|avec)\s+(?:it|that|the\s+ritual|le\s+rituel)\b)?"
)
"""A mountain token that is claimed: "claim the camp token of the left waterfall"."""
SWAPPED = (
    rf"(?:\b(?:(?:for|with|avec|pour|gr[âa]ce\s+[àa])\s+)?(?:(?:the|l['’])\s*)?(?:water|eau)\b"
    rf"(?:\s+(?:bonus|effect|effet))?\s*[,:]?\s*)?{WHO}"
    r"(?:swap|exchange|trade|give|[ée]change[rz]?|donne[rz]?)\s+"
    rf"{ARTICLE}(?:(?:tile|tuile)\s+)?(?P<given>{TILE})"
    r"\s+(?:for|against|with|and\s+(?:get|take|receive)|contre"
    r"|et\s+(?:je\s+)?(?:re[çc]ois|prends))\s+"
    rf"(?:(?:the|an?|le|la|l['’]|une?)\s*)?{OWNER}?(?:(?:tile|tuile)\s+)?(?P<got>{TILE})"
    rf"(?:\s+(?:of|from|de)\s+(?:{COLOUR}|the\s+bot)\b)?"
)
"""Tiles that are exchanged: "swap my fight-fire for Greedy's water-camp" (S§8.5)."""
HAND = (
    rf"(?:my|the|mon|le)\s+(?:(?:{SCENE})\s+(?:mountain\s+)?token"
    rf"|jeton\s+(?:montagne\s+)?(?:{SCENE}))\b"
)
BY_TOKEN = rf"\b(?:with|using|avec|gr[âa]ce\s+(?:[àa]|au))\s+{HAND}\s*,?\s*{WHO}(?=\w)"
WITH_TOKEN = (
    r"(?:(?<=[,;.\n])|\A|\band\b|\bet\b)\s*(\S[^,;.\n]*?\S)\s+(?:with|using|avec)\s+"
    rf"{HAND}(?=\s*(?:[,;.\n]|\Z))"
)
"""What a mountain token is played for: "with my fire token I put a bear on yellow's E5" (S§9)."""
COUNTED: Final = {
    "a": 1,
    "one": 1,
    "un": 1,
    "both": 2,
    "two": 2,
    "deux": 2,
    "three": 3,
    "trois": 3,
}
EATEN = (
    rf"(?:\b(?:hunt|chasse)\s*[:,]\s*)?{WHO}\b(?:eat|convert|mange[rz]?|convertis|convertir)\s+"
    rf"(?:(?:mes|les|the|my)\s+)?(?P<count>{'|'.join(COUNTED)}|[1-9])\s+(?:of\s+)?(?:my\s+|the\s+|mes\s+)?steaks?\b"
    r"(?!\s+(?:later|plus\s+tard))"
)
"""Steaks that are turned into food: "I eat both my steaks" (S§8.7)."""
MARKED = (
    r"(?:\b(?:(?:for|pour|with|avec)\s+)?(?:(?:the|l['’]effet)\s+)?(?:fight|baston)"
    rf"(?:\s+bonus)?\s*[:,]\s*)?{WHO}\b(?:(?:put|place|mets|mettre|pose|poser)\s+)?"
    r"(?:(?:a|one\s+of\s+my|my|un|un\s+de\s+mes|mon)\s+(?:fight\s+tokens?|jetons?\s+baston)\s+"
    r"(?:goes\s+|should\s+go\s+|va\s+)?"
    r"|mon\s+jeton\s+baston\s*,\s*je\s+le\s+(?:mets|pose)\s+)(?:on|sur)\s+"
    rf"(?:your\s+|their\s+own\s+|ta\s+tuile\s+|la\s+tuile\s+|(?:the|la)\s+|{OWNER})?"
)
"""A tile that is marked: "one of my fight tokens goes on Greedy's hunt-fire" (S§8.4)."""
BEAR = (
    r"(?:\b(?:(?:for|with|pour|avec)\s+)?(?:(?:the|le|l['’])\s*)?(?:fire|feu)"
    rf"(?:\s+(?:bonus|effect))?\s*[:,]?\s*)?{WHO}"
    r"\b(?:(?:put|place|lay|mets|pose|with|avec)\s+)?(?:a|an|the|my|un|mon|l['’])\s*(?:bear|ours)\s+"
    r"(?:goes\s+|va\s+)?(?:on|in|at|to|sur|en|dans)\s+(?:la\s+case\s+)?"
)
"""A bear on somebody's square: "for the fire bonus I put a bear on yellow's G3" (S§8.8)."""


def _eaten(found: re.Match[str]) -> str:
    count = found["count"].casefold()
    return f"hunt {COUNTED.get(count, count)}"


BONUSES: Final[Spoken] = (
    (rf"\b({TILE})\s+(?:de|of|from)\s+(?:{COLOUR})\b", r"\1"),
    (MARKED, "fight "),
    (SWAPPED, lambda found: f"water {found['given']} {found['got']}"),
    ((r"\b(?:hunt|chasse)\s*:\s*(?:take|prendre)\s+(?:a|un)\s+steak"
     r"(?:,\s*(?:turn|en\s+convertir)\s+(\d+)(?:\s+into\s+food)?)?"), r"hunt \1"),
    (r"\b(?:hunt|chasse)\s*:\s*(?:turn|convertir)\s+(\d+)\s+steaks?(?:\s+into\s+food)?",
     r"hunt \1"),
    ((r"\b(?:feast|festin)\s*:\s*(?:one\s+more\s+tile[^:]*?bonus|une\s+tuile\s+de\s+plus[^:]*?effet)"
     r",\s*"), "feast "),
    (BY_TOKEN, "token "),
    (WITH_TOKEN, r"token \1"),
    (EATEN, _eaten),
    (CLAIMED, r"ritual \1"),
    (rf"\b(?:{PLAY})?({SCENE})\s+(?:mountain\s+)?token\b", r"token \1"),
    (rf"\b{PLAY}(?=(?:mountain\s+token|token|jeton)\b)", ""),
    (r"\b(?:mountain\s+token|token|jeton\s+montagne|jeton)\b[,:]?\s+(?=[a-z]+\b)", "token "),
    (r"\b(?:camp|campement|picking|cueillette)\s*:\s*\+\d+\s+(?:food|shelter|PN|PA|PF|FP|SP)\b",
     lambda found: found[0].partition(":")[0].strip()),
    # Steaks are what hunts give, bears what fires move (S§8.7, S§8.8).
    (rf"(?:\b(?:hunt|chasse)\s*:\s*)?{WHO}\b(?:{KEEP}|get|take|want|garde|prends|veux|avec|with)\s+{STEAK}"
     r"(?:\s+(?:of|from|de)\s+(?:the|la)\s+(?:hunt|chasse))?" + WHEN, "hunt"),
    (BEAR, "fire "),
    (rf"\b({COLOUR})['’]s?\s+(?=[a-h][1-5])", r"\1 "),
    (rf"\b([a-h][1-5])\s+(?:of|at|de|chez)\s+({COLOUR})\b", r"\2 \1"),
)  # fmt: skip
"""Sentences of bonuses, and what the notation has for each."""

"""Tokens and steaks that are kept, in sentences: they need no words in a turn."""

from __future__ import annotations

import re

from engine.sapiens.notation.sentences.terms import (
    ARTICLE,
    SCENE,
    STEAK,
    TOKEN,
    WHEN,
    WHO,
)

KEEP = (
    r"(?:keep(?:ing)?|sav(?:e|ing)|h(?:ang|old)(?:ing)?(?:\s+on\s+to)?|en\s+gardant"
    r"|gard(?:e|er|ant)|conserver?)"
)
BOTH_KEPT = re.compile(
    rf"\b(?P<keep>{KEEP})\s+(?:both\s+)?{ARTICLE}(?:jetons?\s+)?(?P<one>{SCENE})\s+(?:and|et)\s+{ARTICLE}"
    rf"(?:jeton\s+)?(?P<other>{SCENE})(?:\s+(?:mountain\s+)?tokens?)?\b",
    re.IGNORECASE,
)
TWO_KEPT = re.compile(
    rf"\b(?P<keep>{KEEP})\s+(?:aussi\s+|also\s+|both\s+)?(?P<one>{TOKEN}|{STEAK})\s+(?:and|et)\s+"
    rf"(?:aussi\s+|also\s+)?(?P<other>{TOKEN}|{STEAK})",
    re.IGNORECASE,
)
KEPT = re.compile(
    rf"(?:\A|[,;.(]|\b(?:and|but|et|mais|then|puis)\b|(?<=\n))\s*{WHO}"
    rf"(?:(?:{KEEP}(?:\s+(?:aussi|also))?"
    r"|(?:without|not|do\s+not|don['’]t|sans)\s+(?:want\s+to\s+|going\s+to\s+)?"
    r"(?:play(?:ing)?|us(?:e|ing)|jouer|utiliser)"
    r"|(?:ne\s+)?(?:joue|utilise|veux|touche)\s+pas(?:\s+(?:jouer|utiliser|[àa]))?"
    r"|(?:do\s+not|don['’]t)\s+touch|without|sans)\s+"
    rf"(?:it|that|this|ça|cela|{TOKEN}(?:\s*,\s*(?:je\s+)?le\s+gard(?:e|er))?)"
    rf"|{TOKEN}\s+(?:stays?|reste)(?:\s+(?:with\s+me|avec\s+moi|mine))?"
    rf"|{TOKEN}\s*,?\s*(?:i(?:['’]ll)?\s+keep\s+it|je\s+le\s+gard(?:e|er))"
    r"|(?:le|la|l['’])\s*(?:gard(?:e|er)|prends|mets\s+de\s+c[ôo]t[ée])"
    r"|ne\s+m['’]en\s+sers\s+pas|(?:set|put)\s+(?:it|that)\s+aside"
    r"|that['’]s\s+for\s+later|c['’]est\s+pour\s+plus\s+tard"
    r"|(?:without|sans)\s+(?:eating|converting|le\s+manger|le\s+convertir)(?:\s+it)?"
    r"|(?:do\s+not|don['’]t)\s+(?:eat|convert|turn)\s+it(?:\s+into\s+food)?"
    r"|ne\s+le\s+(?:convertis|mange)\s+pas)"
    rf"{WHEN}(?=\s*(?:[,;.)\n]|\Z|(?:and|et|then|puis)\b))\)?",
    re.IGNORECASE,
)
"""What is not done needs no words in a turn: "and keep my camp token for later"."""


PLAYED = re.compile(
    r"\b(?:play|use|using|with|joue|utilise|avec)\b[^,;.\n]{0,30}?\b(?:tokens?|jetons?)\b"
    r"|(?:\A|[,;.\n]|\b(?:and|et)\b)\s*(?:tokens?|jetons?)\s+\w"
    rf"|\b(?:{SCENE})\s+token\s*:",
    re.IGNORECASE,
)
CONVERTED = re.compile(
    r"\b(?:eat|convert|turn|mange[rz]?|convertis|convertir)\b|\b(?:hunt|chasse)\s+[1-9]",
    re.IGNORECASE,
)


def without_kept(text: str) -> str:
    """The text without what says that a token or a steak is kept, unless that is all there is, or
    something is said to be done with what is kept: then it is for its writer to say which.
    """
    both = BOTH_KEPT.sub(r"\g<keep> \g<one> token, \g<keep> \g<other> token", text)
    both = TWO_KEPT.sub(r"\g<keep> \g<one>, \g<keep> \g<other>", both)
    kept = " ".join(found[0] for found in KEPT.finditer(both))
    done = KEPT.sub("", both)
    unsure = PLAYED.search(done) or (CONVERTED.search(kept) and CONVERTED.search(done))
    if not done.strip(" ,;.\n") or (kept and unsure):
        return text
    return done

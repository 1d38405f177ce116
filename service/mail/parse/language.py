"""In which language a reply seems to be written: only a hint, where nothing better is known."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SIGNS = {
    "en": re.compile(
        r"\b(?:lay|take|feast|picking|fight|hunt|fire|water|camp|abandon|remove|the|you|thanks|"
        r"please|hello|help|history|board|resign|away|remind|sent from|wrote|with|and|what|this|my|"
        r"original message|from|is)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:pose|prends|festin|cueillette|baston|chasse|feu|eau|campement|abandonne|retire|le|"
        r"la|les|je|tu|merci|bonjour|salut|aide|plateau|historique|rappelle|a écrit|envoyé|avec|et|"
        r"message d['’]origine|transféré|de|est|on|nous)\b",
        re.IGNORECASE,
    ),
}
_LONGEST = 4_000


def hint(own: str, around: Iterable[str], declared: str) -> str | None:
    """ "en", "fr" or None: by the own words, then by what stands around them (the subject, what the
    mail program wrote above the quote), then by what a header declares.
    """
    for text in (own, " ".join(around)):
        counts = {lang: len(sign.findall(text[:_LONGEST])) for lang, sign in _SIGNS.items()}
        if counts["en"] != counts["fr"]:
            return max(counts, key=lambda lang: counts[lang])
    code = declared.strip().lower()[:2]
    return code if code in _SIGNS else None

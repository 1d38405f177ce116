"""Signatures, and all else that stands below a player's own words and is not theirs: the lines
phones and free mail services add, disclaimers, closings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SIGNATURE = re.compile(r"--|—|–|-{3}|_{10,}|-{20,}")
"""`-- ` (RFC 3676 §4.3), often without its space, or a rule as some programs draw it."""

_DEVICE = (
    r"(?:my |mon |ma |the |l['’]|un |une )?(?:\w+ )?(?:"
    r"iphone|ipad|ipod|android|samsung|galaxy|huawei|xiaomi|redmi|pixel|oneplus|nokia|sony|motorola|"
    r"fairphone|blackberry|mobile|portable|smartphone|téléphone|phone|tablet|tablette|appareil|"
    r"device|outlook|yahoo|gmail|mail|courrier|orange|proton|fastmail|sfr|bouygues|free|la poste|"
    r"laposte\.net|mailo|thunderbird|k-9|windows|gmx|icloud|application|appli|webmail)"
)
_PHONE = re.compile(
    r"[*_]?(?:"
    rf"(?:sent|written|typed) (?:from|with|via|using) {_DEVICE}"
    rf"|(?:envoyé|envoyée|écrit|expédié|rédigé) (?:de|depuis|avec|à partir de|via|par|"
    rf"à partir d['’]) ?{_DEVICE}"
    r"|envoyé (?:de|depuis) l['’]application"
    r"|get outlook for|obtenez outlook pour|obtenir outlook pour|télécharger outlook pour"
    r"|téléchargez outlook pour"
    r"|(?:sent|envoyé) (?:with|avec|grâce à) .{0,40}(?:proton|secure e?mail|messagerie sécurisée)"
    r"|provenance\s?: ?courrier pour windows|yahoo mail\s?: ?(?:search|recherchez|organisez)"
    r"|excuse(?:z)? (?:my|ma) (?:brevity|brièveté)|veuillez excuser ma brièveté"
    r"|virus-free\.|garanti sans virus|sans virus\.?\s?www\.avast|this email has been checked for "
    r"viruses|l['’]absence de virus dans ce courrier"
    r"|gesendet von (?:meinem|mein)|von meinem \w+ gesendet|enviado desde mi|inviato da"
    r"|verzonden vanaf mijn"
    r")",
    re.IGNORECASE,
)

_DISCLAIMER = re.compile(
    r"(?:"
    r"[*_\s]*(?:confidentiality|privacy|legal) (?:notice|note|warning)\b|[*_\s]*disclaimer\s?:"
    r"|[*_\s]*(?:avis|clause|note) (?:de|légal|légale)\s?(?:confidentialité|:|$)"
    r"|(?:this|the) (?:information|e-?mail|message|communication|transmission)\b.{0,120}"
    r"(?:confidential|privileged|intended|addressee)"
    r"|(?:ce|cet|le présent) (?:message|courriel|e-?mail|mail|courrier)\b.{0,120}"
    r"(?:confidentiel|destinataire|pièces? jointes?|destiné)"
    r"|(?:please )?consider the environment before printing"
    r"|(?:pensez à l['’]environnement|n['’]imprimez ce)|avant d['’]imprimer"
    r")",
    re.IGNORECASE,
)

_CLOSING = re.compile(
    r"(?:(?:many |kind |best |warm |kindest )?(?:regards|wishes)|all the best|best|cheers|thanks"
    r"(?: a lot| again)?|thank you|many thanks|yours(?: sincerely| truly| faithfully)?|sincerely|"
    r"see you|take care|love|ciao|"
    r"(?:bien )?(?:cordialement|amicalement|affectueusement)|(?:bien )?à (?:toi|vous)|"
    r"(?:meilleures |sincères |mes )?salutations(?: distinguées)?|(?:bonne|belle) (?:journée|"
    r"soirée|réception|nuit|semaine)|(?:gros(?:ses)? )?(?:bises|bisous)|bise|merci"
    r"(?: beaucoup| d['’]avance| encore)?|à (?:bientôt|plus|\+|demain)|a\+|amitiés)"
    r"(?: (?:à toi|à vous|à tous|all|everyone))?\s?[,.!…]*",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][^\d~,;:?!/\\]{0,38}")
_WORDS_OF_NAME = 4
_LINES_AFTER = 3


def without_endings(lines: Sequence[str], sender_name: str, *, closings: bool) -> list[str]:
    """The lines of one stretch of own text without what ends it; `closings` keeps what its writer
    said at its end ("Thanks", their name).
    """
    kept = _before_signature(lines)
    kept = _without_phones(kept)
    kept = _before_disclaimer(kept)
    while kept and not kept[-1]:
        kept.pop()
    return kept if closings else _before_closing(kept, sender_name)


def is_phone_line(text: str) -> bool:
    """True if a device or service added that line."""
    return _PHONE.match(text) is not None


def _before_signature(lines: Sequence[str]) -> list[str]:
    for i, line in enumerate(lines):
        if _SIGNATURE.fullmatch(line):
            return list(lines[:i])
    return list(lines)


def _without_phones(lines: list[str]) -> list[str]:
    """Drops each such line with the rest of its paragraph."""
    kept: list[str] = []
    dropping = False
    for line in lines:
        dropping = bool(line) and (dropping or is_phone_line(line))
        if not dropping:
            kept.append(line)
    return kept


def _before_disclaimer(lines: list[str]) -> list[str]:
    for i, line in enumerate(lines):
        if not line or (i and lines[i - 1]):
            continue
        paragraph = []
        for more in lines[i : i + 4]:
            if not more:
                break
            paragraph.append(more)
        if _DISCLAIMER.match(" ".join(paragraph)[:400]):
            return lines[:i]
    return lines


def _before_closing(lines: list[str], sender_name: str) -> list[str]:
    """Cuts a closing and the name below it, or the sender's own name alone at the end."""
    filled = [i for i, line in enumerate(lines) if line]
    for i in filled[-_LINES_AFTER - 1 :]:
        below = [lines[j] for j in filled if j > i]
        if _CLOSING.fullmatch(lines[i]) and _are_names(below, sender_name):
            return _stripped(lines[:i])
    if len(filled) > 1 and _is_own_name(lines[filled[-1]], sender_name):
        return _stripped(lines[: filled[-1]])
    return lines


def _are_names(lines: list[str], sender_name: str) -> bool:
    """True if a closing may have these below it: the sender's name first, so that an order written
    below "thanks" is not lost.
    """
    if not lines:
        return True
    return _is_own_name(lines[0], sender_name) and all(map(_is_name, lines[1:]))


def _is_name(text: str) -> bool:
    return len(text.split()) <= _WORDS_OF_NAME and _NAME.fullmatch(text) is not None


def _is_own_name(text: str, sender_name: str) -> bool:
    words = re.findall(r"\w+", text.casefold())
    return bool(words) and set(words) <= set(re.findall(r"\w+", sender_name.casefold()))


def _stripped(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines

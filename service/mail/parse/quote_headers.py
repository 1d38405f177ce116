"""Quote headers: the lines that mail programs write above a quote or a forwarded letter: "On ...
wrote:", a separator, a block of headers. Every rule looks at a few lines of bounded length.

The reply parsers there are were tried: they cut lists ("- lay ..."), lose answers below and
between quotes, and take quadratic time for a hostile text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from service.mail.parse.lines import Line

Kind = Literal["attribution", "block", "separator", "forward"]


class Heading(msgspec.Struct, frozen=True):
    """A quote header that was found: the lines up to `end` (not included) belong to it. `sure` is
    false for what is a heading only if a quote follows.
    """

    kind: Kind
    end: int
    sure: bool = True


_WINDOW = 4
"""Lines over which "On ... wrote:" may be wrapped."""
_LONGEST = 400

_WROTE = re.compile(
    r"\b(?:wrote|writes|a écrit|à écrit|a ecrit|écrivait|écrivit|schrieb|geschrieben|escribió|"
    r"escreveu|ha scritto|scrisse|schreef|skrev|napisał|napisał\(a\)|pisze|napsal|kirjoitti|"
    r"scris|написал|писал)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?:on|le|am|el|il|op|den|em|dne|dnia|w dniu|en date du|à la date du|pe|lundi|mardi|mercredi|"
    r"jeudi|vendredi|samedi|dimanche|mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim)\b"
    r"|\d|[-—]{2,}\s*(?:on|le)\b",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(
    r"(?:on|le|am|el|il|op|den|em|dne|dnia|w dniu|pe)\b|(?:lun|mar|mer|jeu|ven|sam|dim|mon|tue|wed|"
    r"thu|fri|sat|sun)|\d{1,4}[-./]\d",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[:：]\s*[-—]*$|\b(?:wrote|écrit|schrieb)\s*[-—]{2,}$", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.\w")
_DATED = re.compile(r"\d{1,4}[\s./:h-]+\d{1,2}|\d{1,2}\.?\s\w+\.?\s\d{4}|\d{4}年")

_ORIGINAL = (
    "original message|original mail|message d['’]origine|message original|mail original|"
    "message initial|courriel original|reply message|message précédent|"
    "ursprüngliche nachricht|originalnachricht|mensaje original|mensagem original|"
    "messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|oprindelig meddelelse"
)
_FORWARDED = (
    "forwarded message|forwarded by.{0,80}|message transféré|mail transféré|message réexpédié|"
    "courriel transféré|weitergeleitete nachricht|mensaje reenviado|mensagem encaminhada|"
    "messaggio inoltrato|doorgestuurd bericht"
)
_SEPARATOR = re.compile(rf"[-—_=*\s]{{2,}}(?:{_ORIGINAL})\s*:?[-—_=*\s]{{2,}}", re.IGNORECASE)
_FORWARD = re.compile(
    rf"[-—_=*\s]{{2,}}(?:{_FORWARDED})\s*:?[-—_=*\s]{{2,}}"
    r"|begin forwarded message\s?:|début du (?:message|courriel) (?:transféré|réexpédié)\s?:"
    r"|anfang der weitergeleiteten nachricht\s?:|inicio del mensaje reenviado\s?:"
    r"|inizio messaggio inoltrato\s?:",
    re.IGNORECASE,
)

_LABELS = {
    "from": "from|de|von|da|van|från|fra|od|expéditeur|expediteur",
    "sent": "sent|date|envoyé|envoye|envoyé le|gesendet|datum|enviado|enviada|fecha|data|inviato|"
    "verzonden|skickat|sendt|reçu|date d['’]envoi",
    "to": "to|à|a|pour|an|para|aan|till|til|do|destinataire|destinataires",
    "subject": "subject|objet|sujet|betreff|asunto|assunto|oggetto|onderwerp|ämne|emne|temat",
    "other": "cc|copie|copie à|kopie|reply-to|répondre à|importance|organization|message-id",
}
_LABEL = re.compile(
    r"[*_\s]*(?:"
    + "|".join(f"(?P<{role}>{words})" for role, words in _LABELS.items())
    + r")[*_\s]*[:：]",
    re.IGNORECASE,
)


def heading_at(lines: Sequence[Line], at: int) -> Heading | None:
    """The heading that begins with this line, if one does."""
    text = lines[at].text
    if len(text) > _LONGEST:
        return None
    if _FORWARD.fullmatch(text):
        return Heading("forward", _with_block(lines, at + 1))
    if _SEPARATOR.fullmatch(text):
        after = _next(lines, at + 1)
        if after is not None and (more := _attribution(lines, after)):
            return Heading("separator", more.end)
        return Heading("separator", _with_block(lines, at + 1))
    if block := _block(lines, at):
        return Heading("block", block)
    return _attribution(lines, at)


def _attribution(lines: Sequence[Line], at: int) -> Heading | None:
    joined, depth = "", lines[at].depth
    for end in range(at, min(at + _WINDOW, len(lines))):
        line = lines[end]
        if line.blank or line.depth != depth:
            return None
        joined = f"{joined} {line.text}".strip()
        if len(joined) > _LONGEST:
            return None
        if not _ENDS.search(joined):
            continue
        if any(_begins_anew(lines, at, later, end) for later in range(at + 1, end + 1)):
            return None
        told = _ADDRESS.search(joined) or _DATED.search(joined)
        if _WROTE.search(joined) and told and (_BEGINS.match(joined) or _ADDRESS.search(joined)):
            return Heading("attribution", end + 1)
        if _WROTE.search(joined) or told:
            return Heading("attribution", end + 1, sure=False)
    return None


def _begins_anew(lines: Sequence[Line], at: int, later: int, end: int) -> bool:
    """True if an attribution that ends with line `end` begins with line `later`, and what stands
    directly above it, from `at` on, is the writer's.
    """
    above = " ".join(line.text for line in lines[at:later])
    own = " ".join(line.text for line in lines[later : end + 1])
    whole = _WROTE.search(own) and (_ADDRESS.search(own) or _DATED.search(own))
    begins = _BEGINS.match(own)
    if not begins:
        # "Paleopost <play@example.org> wrote:"
        named = _WROTE.search(own) is not None and own[:1].isupper()
        return named and not _BEGINS.match(above) and not _DATED.search(above)
    if not whole:
        return False
    if _DATED.search(above) and _BEGINS.match(above):
        return _DAY_FIRST.match(above) is None and begins[0][:1].isalpha()
    return begins[0][:1].isalpha() or not _BEGINS.match(above) or above[:1].isdigit()


def _block(lines: Sequence[Line], at: int) -> int | None:
    """The end of a block of headers that begins here: three labels, or two and an address. Long
    values wrap; programs that make text of HTML put blank lines between.
    """
    first = _LABEL.match(lines[at].text)
    if first is None or first.lastgroup == "other":
        return None
    depth, roles, addressed = lines[at].depth, set[str](), False
    end, strays = at, 0
    for i in range(at, min(at + 16, len(lines))):
        line = lines[i]
        if line.depth != depth:
            break
        if line.blank:
            continue
        found = _LABEL.match(line.text)
        if found is None:
            # The second line of a long value; after it another label has to come.
            strays += 1
            if strays > 2:
                break
            continue
        roles.add(found.lastgroup or "other")
        addressed = addressed or _ADDRESS.search(line.text) is not None
        end, strays = i + 1, 0
    if len(roles) >= 3 or (len(roles) == 2 and addressed):
        return end
    return None


def _with_block(lines: Sequence[Line], at: int) -> int:
    after = _next(lines, at)
    return (_block(lines, after) or at) if after is not None else at


def _next(lines: Sequence[Line], at: int) -> int | None:
    """The next line in which something stands, at most three further."""
    for i in range(at, min(at + 4, len(lines))):
        if not lines[i].blank:
            return i
    return None

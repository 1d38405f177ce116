"""The number of a choice: a line that says it and nothing else, in the forms people write.

A number within prose is none, whatever its alphabet: a score, a smiley, "2 more days". What might
be one is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from service.core.plain import SPELLED, plain, tokens, typed
from service.mail.commands.courtesy import says_nothing

MOST = 4
"""Numbers of one line; more are a list of something else."""
_LONGEST = 80
_LONGEST_SENTENCE = 160
"""Characters of a line that may call a choice by its number among other words."""
_SPELLED = {word: number for word, number in SPELLED.items() if number > 1}
_ONE = {word: number for word, number in SPELLED.items() if number == 1 and word != "a"}
"""Articles as well: numbers only behind a noun ("number one")."""
_ORDINAL = {
    "first": 1,
    "1st": 1,
    "premier": 1,
    "premiere": 1,
    "1er": 1,
    "1re": 1,
    "1ere": 1,
    "second": 2,
    "2nd": 2,
    "seconde": 2,
    "2nde": 2,
    "deuxieme": 2,
    "2e": 2,
    "2eme": 2,
    "third": 3,
    "3rd": 3,
    "troisieme": 3,
    "3e": 3,
    "3eme": 3,
    "fourth": 4,
    "4th": 4,
    "quatrieme": 4,
    "4e": 4,
    "4eme": 4,
}
_VALUES = {**_SPELLED, **_ONE, **_ORDINAL}


def _one_of(words: Collection[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_FIGURE = r"(?:0|[1-9]\d?)"
_NOUN = (
    r"(?:choice|choix|option|number|numero|num|no|nr|n°|n|#|turn|tour|coup|move|proposition|"
    r"suggestion)"
)
_LEAD = (
    r"(?:(?:then|so|ok|okay|well|alors|donc|bon),?\s+)?"
    r"(?:(?:i|i'll|i'd|i will|i would|je|j')\s*(?:rather\s+|just\s+)?"
    r"(?:like|take|choose|pick|want|go (?:with|for)|prends|choisis|veux|voudrais|aimerais"
    r"|prendrai|choisirai|pars sur)\s+)?"
)
_TAIL = (
    r"(?:[\s,]+(?:please|pls|plz|svp|stp|s'il (?:te|vous) plait|merci(?: beaucoup)?|thanks|"
    r"thank you|thx|finalement|finally|then|alors|donc))*"
)
_OF = r"(?:choice|choix|option|one|turn|tour|coup|move|proposition|suggestion)"
_CORE = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:(?:the|le|la)\s+)?(?:{_NOUN}\s*:?\s*)*[(\[]?(?P<figure>{_FIGURE})(?:[.)\]:]|\.\))?"
    rf"|(?:(?:the|le|la)\s+)?(?:{_NOUN}\s+)+(?P<named>{_one_of(_SPELLED | _ONE)})"
    rf"|(?:(?:the|le|la)\s+)?(?P<spelled>{_one_of(_SPELLED)})"
    rf"|(?:the|le|la)\s+(?P<ordinal>{_one_of(_ORDINAL)})(?:\s+{_OF})?"
    rf"|(?P<counted>{_one_of(_ORDINAL)})\s+{_OF}"
    rf"){_TAIL}"
)
_AMONG = re.compile(
    rf"\b(?:choice|choix|option|number|numero|proposition|suggestion|(?:coup|turn|tour)\s+n)[\s:°]*"
    rf"(?P<figure>{_FIGURE}|{_one_of(_SPELLED | _ONE)})\b"
    rf"|\b(?:the|le|la)\s+(?P<ordinal>{_one_of(_ORDINAL)})\s+{_OF}\b"
)
"""The number of a choice among other words: "number 1, sounds like a good start"."""
_ALONE = re.compile(rf"(?P<maybe>{_one_of(_ORDINAL | _ONE)})")
_SEVERAL = re.compile(
    rf"(?:{_NOUN}\s*)?{_FIGURE}(?:(?:\s*,\s*|\s+)(?:(?:or|ou|and|et)\s+)?{_FIGURE}){{1,3}}"
)
_LIST = re.compile(r"\s*,\s*(?:(?:or|ou|and|et)\s+)?|\s+(?:or|ou|and|et)\s+")
_BULLET = re.compile(r"^[-*•]\s+")
_ABBREVIATED = re.compile(r"\b(no|nr|num|n)(?:\.|°)\s*(?=\d)")
_PARTED = re.compile(r"\s*(?:[,;!…]+|\.(?=\s)|\s[-–—]{1,3}(?=\s))\s*")
_PERHAPS = re.compile(
    r"\b(?:maybe|perhaps|probably|i think|rather|peut-etre|sans doute|je crois|je pense|plutot|"
    r"for me|pour moi|je joue|je jouerai|jouer|i play|i'll play|play|go with|go for|avec|with|"
    r"take|prends|ok|okay|so|yes|oui|no|non)\b"
)
_NAME = re.compile(r"[^\W\d_]{2,20}(?:[ -][^\W\d_]{1,20}){0,2}")
_GOING_ON = frozenset({"later", "plus", "day", "week", "semaine"})
"""Words of politeness that may be about the number beside them."""
_ANSWERS = """
    no non not yes oui or ou and et maybe wait stop never peut-etre attends moins more less days
    jour jours weeks semaines points
    """
_NO_NAMES = _GOING_ON.union(_ANSWERS.split())
_WISH = re.compile(r"\b(?:bon|bonne|good|nice) [a-z]+")


class Choice(msgspec.Struct, frozen=True):
    """The numbers a line says; not `sure` if it may say something else."""

    numbers: tuple[int, ...]
    sure: bool = True


def choice_of(line: str, names: Collection[str] = ()) -> Choice | None:
    """The choice a line says. `names` are those of the table: they sign."""
    if len(line) > _LONGEST_SENTENCE:
        return None
    text = _BULLET.sub("", typed(line).strip().strip('*_"“”«»` ')).strip()
    foreign = any(c.isnumeric() and not c.isascii() for c in text)
    asked = text.endswith("?")
    said = _ABBREVIATED.sub(r"\1 ", plain(text)).rstrip("?! ")
    if len(line) > _LONGEST:
        return None if asked else _among(said)
    if _SEVERAL.fullmatch(said) and _LIST.search(said):
        numbers = tuple(int(each) for each in re.findall(r"\d+", said))
        return Choice(tuple(dict.fromkeys(numbers)))
    core = _core(text.rstrip("?! ") if asked else text, names)
    if core is not None and (found := _CORE.fullmatch(core)):
        return Choice((_value(found),), sure=not (asked or foreign or _goes_on(text)))
    if core is not None and (found := _ALONE.fullmatch(core)):
        return Choice((_value(found),), sure=False)
    if not asked and (among := _among(said) or _first(text)):
        return among
    rest = " ".join(_PERHAPS.sub(" ", said).replace(",", " ").split()).strip(" .")
    if rest != said and (found := _CORE.fullmatch(rest)):
        return Choice((_value(found),), sure=False)
    return None


def _among(said: str) -> Choice | None:
    """The one choice that is called by its number among other words."""
    among, figures = list(_AMONG.finditer(said)), re.findall(r"\d+", said)
    if len(among) == 1 and figures in ([], [among[0]["figure"]]):
        return Choice((_value(among[0]),), sure=False)
    return None


def _first(text: str) -> Choice | None:
    """The choice in the first part of a text that goes on about it: "1 please, a good start"."""
    first, *others = [part for part in _PARTED.split(text) if part] or [""]
    rest = plain(" ".join(others))
    # "2, later" is a number in prose.
    found = _CORE.fullmatch(plain(first)) if others and re.search(r"[a-z]", first, re.I) else None
    if found is None or re.search(r"\d|\b(?:but|mais|not|no|pas|instead|plutot)\b", rest):
        return None
    return Choice((_value(found),), sure=False)


def _value(found: re.Match[str]) -> int:
    said = next(value for value in found.groupdict().values() if value is not None)
    return _VALUES[said] if said in _VALUES else int(said)


def _core(text: str, names: Collection[str]) -> str | None:
    """The one part of a line that is no greeting, thanks or name, levelled."""
    parts = [part for part in _PARTED.split(_ABBREVIATED.sub(r"\1 ", text)) if part]
    signed = re.search(r"\s[-–—]{1,3}\s*(\S.*)$", text)
    kept = [part for at, part in enumerate(parts) if not (at and _signs(part, signed, names))]
    while len(kept) > 1 and _is_polite(kept[0], names):
        kept = kept[1:]
    while len(kept) > 1 and _is_polite(kept[-1], names):
        kept = kept[:-1]
    return plain(kept[0]) if len(kept) == 1 else None


def _is_polite(part: str, names: Collection[str]) -> bool:
    return plain(part).isascii() and not re.search(r"\d", part) and says_nothing(part, names)


def _goes_on(text: str) -> bool:
    """True if something beside the number may be about it: "2, later", "2, semaine"."""
    return bool(_GOING_ON & set(tokens(_WISH.sub(" ", plain(text)))))


def _signs(part: str, signed: re.Match[str] | None, names: Collection[str]) -> bool:
    """True if a part is a name: one of the table's, or any behind a dash at the end."""
    if part.casefold() in {name.casefold() for name in names}:
        return True
    return (
        signed is not None
        and signed[1].rstrip(".! ") == part.rstrip(".! ")
        and _NAME.fullmatch(part.rstrip(".! ")) is not None
        and part[:1].isupper()
        and not _NO_NAMES & set(plain(part).split())
    )

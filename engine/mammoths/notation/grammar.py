"""One line as text, both ways, without a position (M§24.3, M§24.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any, Final, TypeAlias

from engine.kit.notation import syntax
from engine.kit.notation.forms import (
    Form,
    Part,
    ended,
    fixed,
    instead,
    led,
    mapped,
    maybe,
    several,
    term,
    together,
)
from engine.kit.notation.orders import Mark, marks
from engine.kit.notation.syntax import Parser, either, into, leading
from engine.kit.plans.alternatives import If
from engine.mammoths import actions as do
from engine.mammoths.components import Hex
from engine.mammoths.notation import words

Said: TypeAlias = do.Action | Mark | If[do.Condition]


# Pawns


def _pattern(
    regex: str, kind: str, english: str | tuple[str, ...], french: str | tuple[str, ...]
) -> Part[str]:
    """Letters of pawns with counts: w for a warrior, in French g."""
    read = syntax.pattern(
        regex + "(?![a-z0-9])",
        lambda match: match[0].replace("g", "w"),
        kind,
        examples={"en": english, "fr": french},
    )
    return Part(read, lambda text, lang: text.replace("w", "g") if lang == "fr" else text)


def _letters_of(counts: str) -> str:
    """Counts as letters in the order written."""
    return "".join(sex * int(n) for n, sex in re.findall(r"([0-9]+)([wf])", counts))


def _pair(letters: str) -> tuple[int, int]:
    return letters.count("w"), letters.count("f")


def _in_words() -> Parser[str]:
    """Counts of pawns in words, as letters."""
    pawns = rf"[0-9]{{1,2}} (?:{'|'.join(sorted(words.PAWNS, reverse=True))})(?![a-z0-9])"
    return syntax.pattern(
        rf"{pawns}(?: (?:(?:and|et) )?{pawns})*",
        lambda m: "".join(
            int(n) * words.PAWNS[s] for n, s in re.findall("([0-9]+) ([a-z]+)", m[0])
        ),
    )


_LETTERED: Final = mapped(
    _pattern(r"(?:[0-9]{1,2}[wgf])+", "count", ("1w1f", "2w"), ("1g1f", "2g")),
    _letters_of,
    lambda letters: "".join(f"{len(list(run))}{sex}" for sex, run in groupby(letters)),
)
_COUNTS: Final = Part(either(_LETTERED.read, _in_words()), _LETTERED.write)
_PAIR: Final = mapped(_COUNTS, _pair, lambda pair: "w" * pair[0] + "f" * pair[1])
_LETTERS: Final = _pattern("[wgf]+", "letters", "wwf", "ggf")
_SEX: Final = _pattern("[wgf]", "letters", "w", "g")


# Places, names, numbers


def _small(word: str) -> Part[None]:
    return fixed(words.SMALL, word)


def _digits(most: int) -> Part[int]:
    return Part(syntax.number(most_digits=most), lambda number, _: str(number))


# Also one that no board has: the rules say so (M§2.2).
_HEX: Final[Part[Hex]] = Part(
    syntax.pattern(
        r"([1-9][0-9])(?![0-9a-z])", lambda m: int(m[1]), "hex", examples={"en": "35", "fr": "35"}
    ),
    lambda at, _: str(at),
)
_ONE: Final[Part[tuple[Hex, ...]]] = mapped(_HEX, lambda at: (at,), lambda hexes: hexes[0])
_HEXES: Final = several(_HEX)
_ON: Final = syntax.pattern(r"(?:to|vers|en|a)(?![a-z0-9])", lambda _: None)
_TO_HEX: Final[Parser[Hex]] = either(_HEX.read, syntax.after(_ON, _HEX.read))
_FROM_HEX: Final[Parser[Hex]] = either(
    _HEX.read,
    syntax.after(syntax.pattern(r"(?:from|de|depuis)(?![a-z0-9])", lambda _: None), _HEX.read),
)
_PATH: Final[Part[tuple[Hex, ...]]] = Part(
    into(lambda first, rest: (first, *rest), _FROM_HEX, syntax.many(_TO_HEX, 1)),
    lambda path, _: "-".join(map(str, path)),
)
_ANY_OR_HEX: Final = instead(_HEX, _small("any"), 0)
_NONE_OR_HEXES: Final[Part[tuple[Hex, ...]]] = instead(_HEXES, _small("none"), ())
_SPECIES: Final[Part[Any]] = term(words.SPECIES, "species")
_KINDS: Final = several(_SPECIES)
_TRIBE: Final[Part[Any]] = term(words.TRIBES, "tribe")
_TITLE: Final = term(words.TRICK_TITLES, "title")
_DIGIT, _NUMBER = _digits(1), _digits(2)
_PLAN: Final[Part[Any]] = term(words.PLANS, "plan")
_PAWNS: Final = several(together(_HEX, _COUNTS))


# Cards


def _card(kind: Callable[..., Any], title: str, **parts: Part[Any]) -> Form[Any]:
    """A card by its title, with what is discarded with it. Names of several fields have "_"."""
    given = {names.replace("_", " "): part for names, part in parts.items()}
    constant = {"title": title} if "title" in getattr(kind, "__struct_fields__", ()) else {}
    return Form(kind, given | {"drop": maybe(led(_small("drop"), _TITLE), "")}, **constant)


def _trigger() -> Part[tuple[str, int]]:
    when: dict[str, Parser[Any]] = {
        trigger: leading(lambda trigger=trigger: (trigger, 0))
        for trigger in ("start", "behind", "never")
    }
    when["fighters"] = into(lambda most: ("fighters", most), _NUMBER.read)

    def write(value: tuple[str, int], lang: str) -> str:
        said = words.TRIGGERS.write(value[0], lang)
        return f"{said} {value[1]}" if value[1] else said

    return Part(syntax.by_word(words.TRIGGERS, "trigger", when), write)


_WHERE: Final = maybe(led(_small("at"), _ANY_OR_HEX), 0)
_AGAINST: Final[Part[str]] = maybe(
    led(_small("against"), instead(_SPECIES, _small("tribes"), "tribes", first=True)), ""
)
_FROM: Final = ended(led(_small("at"), _HEX), _small("start"))
_DIRECTION: Final = mapped(_DIGIT, lambda face: face - 1, lambda direction: direction + 1)
_HERD: Final[Part[Any]] = led(_small("herd"), together(_SPECIES, _HEX, _DIGIT))
_STOLEN: Final[Part[bool]] = maybe(mapped(_small("fire"), lambda _: True, lambda _: None), False)
_SEEDED: Final[Part[Any]] = mapped(_HEXES, lambda hexes: tuple(sorted(hexes)), tuple)

_CARDS: Final = {
    **{
        title: _card(do.Card, title, hexes=_ONE)
        for title in ("T01", "T02", "T03", "T05", "T06", "T07", "T19")
    },
    **{
        title: _card(do.CombatCard, title, at=_WHERE, against=_AGAINST, trigger_most=_trigger())
        for title in ("T04", "T08", "T09", "T10")
    },
    **{
        title: _card(do.Stores, title, trigger=term(words.SUPPLIES, "trigger"))
        for title in ("T14", "T15")
    },
    "T11": _card(
        do.Beaters,
        "T11",
        species=_KINDS,
        direction=led(_small("dir"), _DIRECTION),
        herd_near_distance=instead(_HERD, _small("always"), (None, 0, 0), first=True),
    ),
    "T12": _card(do.Bait, "T12", at=_HEX, distance=_DIGIT, species=_KINDS),
    "T13": _card(do.Spirits, "T13", hexes=led(_small("hit"), instead(_HEXES, _small("camps"), ()))),
    "T16": _card(do.Card, "T16", tribe=_TRIBE, fire=_STOLEN),
    "T17": _card(do.Feast, "T17", at=_HEX, sex=ended(_SEX, _small("always"))),
    "T18": _card(do.Card, "T18", hexes=_SEEDED),
    "T20": _card(
        do.Retreat, "T20", at=_FROM, to=led(_small("to"), _HEXES), w_f=maybe(_PAIR, (0, 0))
    ),
}


# Conditions

_LIMIT: Final = together(term(words.LIMITS, "limit"), _NUMBER)
_FACTS: Final[dict[str, tuple[str, Part[Any]]]] = {
    "hexes": ("hexes", _ONE),
    "tribe": ("tribe", _TRIBE),
    "species": ("species", _SPECIES),
    "number": ("most number", _LIMIT),
}
_CONDITIONS: Final = {
    what: Form(do.Condition, dict(_FACTS[name] for name in names), what=what)
    for what, names in do.CONDITION_FIELDS.items()
} | {"same": Form(do.Condition, {"hexes": several(_HEX, 0)}, what="same")}


_CONDITION: Final[Parser[do.Condition]] = syntax.by_word(
    words.CONDITIONS, "condition", {what: form.read for what, form in _CONDITIONS.items()}
)

# Lines

_FORMS: Final[dict[str, Form[Any]]] = {
    "move": Form(do.Move, {"w f": _PAIR, "path": _PATH}),
    "found": Form(do.Found, {"hex": _HEX}),
    "fire": Form(do.TakeFire, {"hex": _HEX, "camp": maybe(led(_small("camp"), _HEX), 0)}),
    "done": Form(do.Done, {}),
    "withdraw": Form(do.Withdraw, {"plan": _PLAN}),
    "loss": Form(do.Loss, {"at": _ANY_OR_HEX, "letters": _LETTERS}),
    "event_loss": Form(do.EventLoss, {"sex": _SEX}),
    "fights": Form(do.Fights, {"hexes": _HEXES}),
    "herds": Form(do.Herds, {"at": _HEX, "species": _KINDS}),
    "camp": Form(do.CampChoice, {"at": _ANY_OR_HEX, "burn": term(words.CAMP_CHOICES, "choice")}),
    "starve": Form(do.Starve, {"pawns": _PAWNS}),
    "unfed": Form(do.Unfed, {"pawns": _PAWNS}),
    "births": Form(do.Births, {"hexes": _HEXES}),
    "sow": Form(do.Sow, {"hexes": _NONE_OR_HEXES}),
    "reenter": Form(do.Reenter, {"hexes": _HEXES}),
    "place": Form(do.Place, {"hexes": _NONE_OR_HEXES}),
    "forget": Form(do.Forget, {"word": term(words.FORGOTTEN, "order")}),
}
_FORGET_CARD: Final = Form(
    do.Forget, {"title": led(fixed(words.ORDERS, "card"), _TITLE)}, word="card"
)


def _sown(word: str) -> Said:
    return do.Sow(hexes=()) if word == "none" else Mark("sow", word)


_LINES: Final[dict[str, Parser[Any]]] = {
    **{word: form.read for word, form in _FORMS.items()},
    **marks(words.PLANS, words.CLOSINGS, _CONDITION, _small("not").read),
    "card": syntax.by_word(
        words.TRICK_TITLES, "title", {title: form.read for title, form in _CARDS.items()}
    ),
    "sow": either(
        Form(do.Sow, {"hexes": _HEXES}).read, into(_sown, syntax.each(words.SOWN, "word"))
    ),
    "forget": either(_FORMS["forget"].read, _FORGET_CARD.read),
}
LINE: Final[Parser[Said]] = syntax.by_word(
    words.ORDERS, "order", {word: _LINES[word] for word in words.ORDERS.in_order(frozenset(_LINES))}
)
KINDS: Final = (
    *("order", "title", "condition", "plan", "closing", "count", "hex", "letters", "species"),
    *("tribe", "trigger", "choice", "limit", "number", "word", "end"),
)


# Writing


def write_line(action: Any, lang: str) -> str:
    """An action that is one line. Raises KeyError for others."""
    title = do.title_of(action)
    word = do.word_of(action)
    if isinstance(action, do.Forget) and action.title:
        return _line("forget", _FORGET_CARD.write(action, lang), lang)
    if title:
        return _line("card", f"{title} {_CARDS[title].write(action, lang)}", lang)
    return _line(word, _FORMS[word].write(action, lang), lang)


def write_condition(stated: If[do.Condition], lang: str) -> str:
    what = stated.condition.what
    said = (
        *((words.SMALL.write("not", lang),) if stated.negated else ()),
        words.CONDITIONS.write(what, lang),
        _CONDITIONS[what].write(stated.condition, lang),
    )
    return _line("if", " ".join(filter(None, said)), lang)


def _line(word: str, said: str, lang: str) -> str:
    return f"{words.ORDERS.write(word, lang)} {said}".rstrip()

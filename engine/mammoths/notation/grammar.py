"""Productions of one line, without a position (M§24.3, M§24.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

import msgspec

from engine.kit.notation import syntax
from engine.kit.notation.syntax import Parser, after, either, into, keyword, leading, many, maybe
from engine.kit.plans.alternatives import If
from engine.mammoths import actions as do
from engine.mammoths.components import Hex
from engine.mammoths.notation import words


class Mark(msgspec.Struct, frozen=True):
    """A line that is no action by itself: it begins, parts or closes what others say."""

    what: Literal[
        "plan move", "plan combat", "or", "otherwise", "answer", "draft", "undo", "restart", "sow"
    ]
    value: str = ""


Said: TypeAlias = do.Action | Mark | If[do.Condition]


def _small(what: str) -> Parser[None]:
    names = {lang: words.SMALL.write(what, lang) for lang in ("en", "fr")}
    return keyword(names, "word")


def _letters(text: str) -> str:
    return text.replace("g", "w")


def _counted(match: re.Match[str]) -> str:
    """A count as letters in the order written."""
    return "".join(
        _letters(sex) * int(number) for number, sex in re.findall(r"([0-9]+)([wgf])", match[0])
    )


_HEX: Final[Parser[Hex]] = syntax.pattern(
    r"([1-7][1-7])(?![0-9a-z])", lambda m: int(m[1]), "hex", examples={"en": "35", "fr": "35"}
)
_COUNT: Final[Parser[str]] = syntax.pattern(
    r"(?:[0-9]{1,2}[wgf])+(?![a-z0-9])",
    _counted,
    "count",
    examples={"en": ("1w1f", "2w"), "fr": ("1g1f", "2g")},
)
_LETTERS: Final[Parser[str]] = syntax.pattern(
    r"[wgf]+(?![a-z0-9])",
    lambda m: _letters(m[0]),
    "letters",
    examples={"en": "wwf", "fr": "ggf"},
)
_SEX: Final[Parser[Any]] = syntax.pattern(
    r"[wgf](?![a-z0-9])", lambda m: _letters(m[0]), "letters", examples={"en": "w", "fr": "g"}
)
_ANY: Final[Parser[Hex]] = into(lambda _: 0, _small("any"))
_PLACE: Final = either(_HEX, _ANY)
_HEXES: Final = many(_HEX, 1)
_SPECIES: Final = syntax.each(words.SPECIES, "species")
_TRIBE: Final = syntax.each(words.TRIBES, "tribe")
_DIGIT: Final = syntax.number(most_digits=1)
_NUMBER: Final = syntax.number()
_TITLE: Final = syntax.each(words.TRICK_TITLES, "title")
_DROP: Final[Parser[str]] = maybe(after(_small("drop"), _TITLE), "")


def _pawns(kind: Callable[..., do.Action]) -> Parser[Said]:
    pair: Parser[Any] = into(lambda at, letters: (at, letters), _HEX, _COUNT)
    return into(lambda pairs: kind(pawns=pairs), many(pair, 1))


def _moved(letters: str, path: tuple[Hex, ...]) -> do.Move:
    return do.Move(w=letters.count("w"), f=letters.count("f"), path=path)


def _sown(word: str) -> Said:
    return do.Sow(hexes=()) if word == "none" else Mark("sow", word)


# Cards


def _own(title: str) -> Parser[Said]:
    return into(lambda at, drop: do.Card(title=title, hexes=(at,), drop=drop), _HEX, _DROP)


def _thieves() -> Parser[Said]:
    fire = maybe(into(lambda _: True, _small("fire")), False)
    return into(
        lambda tribe, stolen, drop: do.Card(title="T16", tribe=tribe, fire=stolen, drop=drop),
        _TRIBE,
        fire,
        _DROP,
    )


def _seeds() -> Parser[Said]:
    return into(
        lambda hexes, drop: do.Card(title="T18", hexes=tuple(sorted(hexes)), drop=drop),
        _HEXES,
        _DROP,
    )


def _combat(title: str) -> Parser[Said]:
    place = maybe(after(_small("at"), _PLACE), 0)
    tribes: Parser[str] = into(lambda _: "tribes", _small("tribes"))
    against = maybe(after(_small("against"), either(tribes, into(str, _SPECIES))), "")
    when: dict[str, Parser[Any]] = {
        trigger: leading(lambda trigger=trigger: (trigger, 0))
        for trigger in ("start", "behind", "never")
    }
    when["fighters"] = into(lambda most: ("fighters", most), _NUMBER)

    def card(at: Hex, fight: str, trigger: Any, drop: str) -> do.CombatCard:
        name, most = trigger
        return do.CombatCard(title=title, at=at, against=fight, trigger=name, most=most, drop=drop)

    return into(card, place, against, syntax.by_word(words.TRIGGERS, "trigger", when), _DROP)


def _retreat() -> Parser[Said]:
    place = syntax.before(_small("start"), after(_small("at"), _HEX))
    return into(
        lambda at, to, count, drop: do.Retreat(
            at=at, to=to, w=count.count("w"), f=count.count("f"), drop=drop
        ),
        place,
        after(_small("to"), _HEXES),
        maybe(_COUNT, ""),
        _DROP,
    )


def _spirits() -> Parser[Said]:
    camps: Parser[tuple[Hex, ...]] = into(lambda _: (), _small("camps"))
    where = after(_small("hit"), either(_HEXES, camps))
    return into(lambda hexes, drop: do.Spirits(hexes=hexes, drop=drop), where, _DROP)


def _beaters() -> Parser[Said]:
    always: Parser[Any] = into(lambda _: (None, 0, 0), _small("always"))
    near: Parser[Any] = after(
        _small("herd"),
        into(lambda species, at, far: (species, at, far), _SPECIES, _HEX, _DIGIT),
    )

    def card(species: Any, direction: int, herd: Any, drop: str) -> do.Beaters:
        which, at, far = herd
        return do.Beaters(
            species=species,
            direction=direction - 1,
            herd=which,
            near=at,
            distance=far,
            drop=drop,
        )

    kinds = many(_SPECIES, 1)
    return into(card, kinds, after(_small("dir"), _DIGIT), either(always, near), _DROP)


def _bait() -> Parser[Said]:
    return into(
        lambda at, far, species, drop: do.Bait(at=at, distance=far, species=species, drop=drop),
        _HEX,
        _DIGIT,
        many(_SPECIES, 1),
        _DROP,
    )


def _stores(title: str) -> Parser[Said]:
    trigger: Parser[Any] = syntax.each(words.SUPPLIES, "trigger")
    return into(lambda when, drop: do.Stores(title=title, trigger=when, drop=drop), trigger, _DROP)


def _feast() -> Parser[Said]:
    sex = syntax.before(_small("always"), _SEX)
    return into(lambda at, which, drop: do.Feast(at=at, sex=which, drop=drop), _HEX, sex, _DROP)


_CARDS: Final[dict[str, Parser[Said]]] = {
    **{title: _own(title) for title in ("T01", "T02", "T03", "T05", "T06", "T07", "T19")},
    **{title: _combat(title) for title in ("T04", "T08", "T09", "T10")},
    **{title: _stores(title) for title in ("T14", "T15")},
    "T11": _beaters(),
    "T12": _bait(),
    "T13": _spirits(),
    "T16": _thieves(),
    "T17": _feast(),
    "T18": _seeds(),
    "T20": _retreat(),
}


# Conditions


def _condition(*, negated: bool) -> Parser[Said]:
    def made(what: Any, **facts: Any) -> If[do.Condition]:
        return If(condition=do.Condition(what=what, **facts), negated=negated)

    limit: Parser[Any] = into(
        lambda most, number: {"most": most, "number": number},
        syntax.each(words.LIMITS, "limit"),
        _NUMBER,
    )

    def bare(what: str) -> Parser[Said]:
        return leading(lambda: made(what))

    def on(what: str) -> Parser[Said]:
        return into(lambda at: made(what, hexes=(at,)), _HEX)

    def counted(what: str) -> Parser[Said]:
        return into(lambda at, facts: made(what, hexes=(at,), **facts), _HEX, limit)

    def of_tribe(what: str) -> Parser[Said]:
        return into(lambda tribe, at: made(what, tribe=tribe, hexes=(at,)), _TRIBE, _HEX)

    return syntax.by_word(
        words.CONDITIONS,
        "condition",
        {
            "same": into(lambda hexes: made("same", hexes=hexes), many(_HEX)),
            "always": bare("always"),
            **{what: on(what) for what in ("free", "closed", "tribes")},
            **{what: counted(what) for what in ("opponents", "mine", "animals")},
            "herd": into(
                lambda at, species, facts: made("herd", hexes=(at,), species=species, **facts),
                _HEX,
                _SPECIES,
                limit,
            ),
            **{what: of_tribe(what) for what in ("tribe", "came", "left")},
            "still": into(lambda tribe: made("still", tribe=tribe), _TRIBE),
            "food": into(lambda facts: made("food", **facts), limit),
            "camps": into(lambda tribe, facts: made("camps", tribe=tribe, **facts), _TRIBE, limit),
        },
    )


# Lines


def _mark(what: Any) -> Parser[Said]:
    return leading(lambda: Mark(what))


_PLAN: Final[Parser[Any]] = syntax.each(words.PLANS, "plan")
_NONE: Final[Parser[tuple[Hex, ...]]] = into(lambda _: (), _small("none"))

LINE: Final[Parser[Said]] = syntax.by_word(
    words.ORDERS,
    "order",
    {
        "move": into(_moved, _COUNT, many(_HEX, 2)),
        "found": into(lambda at: do.Found(hex=at), _HEX),
        "fire": into(
            lambda at, camp: do.TakeFire(hex=at, camp=camp),
            _HEX,
            maybe(after(_small("camp"), _HEX), 0),
        ),
        "card": syntax.by_word(words.TRICK_TITLES, "title", _CARDS),
        "done": leading(do.Done),
        "undo": _mark("undo"),
        "restart": _mark("restart"),
        "draft": _mark("draft"),
        "plan": syntax.by_word(
            words.PLANS, "plan", {"move": _mark("plan move"), "combat": _mark("plan combat")}
        ),
        "if": either(_condition(negated=False), after(_small("not"), _condition(negated=True))),
        "or": _mark("or"),
        "otherwise": into(
            lambda what: Mark("otherwise", what), syntax.each(words.CLOSINGS, "closing")
        ),
        "withdraw": into(lambda plan: do.Withdraw(plan=plan), _PLAN),
        "answer": _mark("answer"),
        "loss": into(lambda at, letters: do.Loss(at=at, letters=letters), _PLACE, _LETTERS),
        "event_loss": into(lambda sex: do.EventLoss(sex=sex), _SEX),
        "fights": into(lambda hexes: do.Fights(hexes=hexes), _HEXES),
        "herds": into(lambda at, kinds: do.Herds(at=at, species=kinds), _HEX, many(_SPECIES, 1)),
        "camp": into(
            lambda at, choice: do.CampChoice(at=at, burn=choice == "burn"),
            _PLACE,
            syntax.each(words.CAMP_CHOICES, "choice"),
        ),
        "starve": _pawns(do.Starve),
        "unfed": _pawns(do.Unfed),
        "births": into(lambda hexes: do.Births(hexes=hexes), _HEXES),
        "sow": either(
            into(lambda hexes: do.Sow(hexes=hexes), _HEXES),
            into(_sown, syntax.each(words.SOWN, "word")),
        ),
        "reenter": into(lambda hexes: do.Reenter(hexes=hexes), _HEXES),
        "place": into(lambda hexes: do.Place(hexes=hexes), either(_HEXES, _NONE)),
        "forget": either(
            into(lambda word: do.Forget(word=word), syntax.each(words.FORGOTTEN, "order")),
            into(
                lambda title: do.Forget(word="card", title=title),
                after(keyword({"en": "card", "fr": "carte"}), _TITLE),
            ),
        ),
    },
)
KINDS: Final = (
    "order",
    "title",
    "condition",
    "plan",
    "closing",
    "count",
    "hex",
    "letters",
    "species",
    "tribe",
    "trigger",
    "choice",
    "limit",
    "number",
    "word",
    "end",
)

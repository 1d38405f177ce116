"""The lines of a plan as text, both ways (F§19.2-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from engine.fire_and_stone import components as box
from engine.fire_and_stone.notation import words
from engine.fire_and_stone.plans.lines import MOST_LINES, SORTS, SORTS_OF, Test, Wish
from engine.kit.notation import syntax
from engine.kit.notation.reactions import PlanLines
from engine.kit.notation.syntax import (
    Parser,
    Reader,
    after,
    before,
    either,
    into,
    keyword,
    leading,
    many,
    maybe,
)

_PLACE = syntax.each(words.PLACES, "place")
_COLUMN = syntax.each(words.COLUMNS, "column")
_CARD = syntax.each(words.CARDS, "card")
_PIECE = syntax.each(words.PIECES, "piece")
_NUMBER = syntax.number()
_IS = keyword(words.IS)
_RELATION: Parser[Any] = syntax.each(words.RELATIONS, "relation")
_THING = syntax.each(words.THINGS, "thing")
_TEST: Parser[Test] = either(
    into(
        lambda subject, relation, number: Test(subject, relation, number),
        syntax.each(words.AMOUNTS, "amount"),
        _RELATION,
        _NUMBER,
    ),
    into(
        lambda column, kind: Test(column, "is", kind),
        _COLUMN,
        after(_IS, syntax.each(words.COLUMN_KINDS, "kind")),
    ),
    into(
        lambda thing: Test("shown", "is", thing),
        after(keyword(words.OTHER["shown"], "amount"), after(_IS, _THING)),
    ),
)

# Wishes

_ONE: Parser[tuple[str, ...]] = into(lambda name: (name,), either(_PLACE, _CARD, _COLUMN))
_EXCHANGE: Parser[tuple[str, ...]] = into(
    lambda given, taken: (given, taken), _CARD, after(keyword(words.OTHER["for"]), _CARD)
)
_ALL: Parser[tuple[str, ...]] = into(lambda _: (), keyword(words.OTHER["all"]))
_ALL_NAMED: Parser[tuple[str, ...]] = into(lambda _: ("all",), keyword(words.OTHER["all"]))


def _saying(do: str, **fields: Parser[Any]) -> Parser[Wish]:
    """A wish of this sort, its fields read one behind the other."""
    return into(lambda *said: Wish(do, **dict(zip(fields, said, strict=True))), *fields.values())


def _or_none(parser: Parser[str]) -> Parser[str]:
    return maybe(parser, "")


_BARE_VERBS = "hunt food most_food most_bags none keep drop same pass default ask"
_BEHIND: dict[str, Parser[Wish]] = {
    **{do: leading(lambda do=do: Wish(do)) for do in _BARE_VERBS.split()},
    "take": _saying("take", column=_or_none(_COLUMN)),
    "cook": _saying("cook", names=either(_ALL, many(_PIECE, 1))),
    "build": _saying("build", what=_or_none(_PLACE)),
    "forage": _saying("forage", what=_PLACE, column=_or_none(_COLUMN)),
    "cave": _saying("cave", names=either(many(_PIECE), _ONE, _EXCHANGE, _ALL_NAMED)),
    "vp": _saying("vp", what=_or_none(_CARD)),
    "look": _saying("look", names=many(_PLACE)),
    "place": _saying("place", what=_PLACE),
}
_BARE: dict[str, Parser[Wish]] = {
    "kind": _saying("kind", what=syntax.each(words.KINDS, "kind"), column=_or_none(_COLUMN)),
    "food": _saying("food", number=before(keyword({"en": "food", "fr": "nourriture"}), _NUMBER)),
    "pieces": _saying("pieces", names=into(lambda piece: (piece,), _PIECE)),
    "place": _saying("place", what=_PLACE),
    "invention": _saying("invention", what=_CARD),
    "objective": _saying("objective", what=syntax.each(words.GOALS, "objective")),
}
"""Wishes that begin with no verb, by their sort."""


def _wish(sorts: Iterable[str]) -> Parser[Wish]:
    """A wish of one of these sorts."""
    wanted = set(sorts)
    by_verb = syntax.by_word(
        words.WISHES, "wish", {do: parser for do, parser in _BEHIND.items() if do in wanted}
    )
    any_ = either(by_verb, *(parser for do, parser in _BARE.items() if do in wanted))

    def read(reader: Reader, at: int) -> Iterator[tuple[Wish, int]]:
        # A verb that is written out begins no name: "keep" is not short for an objective.
        verb = words.WISHES.written_out(reader.chars, reader.start(at))
        yield from (by_verb if verb else any_)(reader, at)

    return read


# Writing


def _write_test(test: Test, lang: str) -> str:
    if test.subject == "shown":
        subject, value = words.OTHER["shown"][lang][0], words.THINGS.write(str(test.value), lang)
    else:
        subject, value = words.AMOUNTS.write(test.subject, lang), str(test.value)
        if not isinstance(test.value, int):
            value = words.COLUMN_KINDS.write(value, lang)
    return f"{subject} {words.RELATIONS.write(test.relation, lang)} {value}"


def _write_wish(wish: Wish, lang: str) -> str:
    said = [words.NAMED.write(n, lang) for n in (*wish.names, wish.what, wish.column) if n]
    if wish.do == "cook" and not said:
        said.append(words.NAMED.write("all", lang))
    elif wish.do == "cave" and len(said) == 2 and not {*wish.names} & {*box.GAME_INDEX}:
        said.insert(1, words.OTHER["for"][lang][0])
    if wish.number:
        return f"{wish.number} {words.WISHES.write(wish.do, lang)}"
    if wish.do not in _BARE or wish.do == "food":
        said.insert(0, words.WISHES.write(wish.do, lang))
    return " ".join(said)


LINES: Final[PlanLines[Test, Wish]] = PlanLines(
    events=words.EVENTS,
    test=_TEST,
    first={event: _wish(SORTS_OF[event]) for event in SORTS_OF},
    later=_wish(SORTS),
    write_test=_write_test,
    write_wish=_write_wish,
    kinds=("event", "amount", "relation", "wish", "place", "piece", "card", "kind", "column"),
    most=MOST_LINES,
)

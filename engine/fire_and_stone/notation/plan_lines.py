"""The lines of a plan as text, both ways (F§19.2-3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from engine.fire_and_stone.notation import words
from engine.fire_and_stone.plans import filing
from engine.fire_and_stone.plans.lines import EVENTS, MOST_LINES, Plan, Test, Wish
from engine.kit.notation import syntax
from engine.kit.notation.lines import WholeLines
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
    parted,
)
from engine.kit.notation.text import LINE_ENDS, Folding
from engine.kit.notation.words import Vocabulary
from engine.kit.plans.reactions import Branch, When
from engine.protocol import Unreadable

Line = When[str, Test, Wish]
NO_PLAN: Final = "no plan"


_JOINTS = words.JOINTS_BY_LANG

_PLACE = syntax.each(words.PLACES, "place")
_COLUMN = syntax.each(words.COLUMNS, "column")
_CARD = syntax.each(words.CARDS, "card")
_PIECE = syntax.each(words.PIECES, "piece")
_NUMBER = syntax.number()
_COLON = keyword(_JOINTS["colon"])

# Tests

_RELATION = syntax.each(words.RELATIONS, "relation")
_IS = keyword({"en": ("is", "="), "fr": ("est", "=")})


def _is(subject: str, value: str) -> Test:
    return Test(subject, "is", value)


def _amount(subject: str, relation: Any, number: int) -> Test:
    return Test(subject, relation, number)


_TEST: Parser[Test] = either(
    into(_amount, syntax.each(words.AMOUNTS, "amount"), _RELATION, _NUMBER),
    into(_is, _COLUMN, after(_IS, syntax.each(words.COLUMN_KINDS, "kind"))),
    into(
        lambda thing: _is("shown", thing),
        after(keyword(words.SHOWN_WORD, "amount"), after(_IS, syntax.each(words.THINGS, "thing"))),
    ),
)
_GUARD = after(keyword(_JOINTS["if"]), parted(_TEST, keyword(_JOINTS["and"])))

_IF_SO = before(_COLON, _GUARD)

# Wishes

_ONE: Parser[tuple[str, ...]] = into(lambda name: (name,), either(_PLACE, _CARD, _COLUMN))
_EXCHANGE: Parser[tuple[str, ...]] = into(
    lambda given, taken: (given, taken), _CARD, after(keyword(words.FOR), _CARD)
)
_ALL = into(lambda _: (), keyword(words.ALL))


def _with_names(do: str, names: Parser[tuple[str, ...]]) -> Parser[Wish]:
    return into(lambda found: Wish(do, names=found), names)


_BEHIND: dict[str, Parser[Wish]] = {
    **{
        do: leading(lambda do=do: Wish(do))
        for do in (
            *("hunt", "food", "most_food", "most_bags", "none", "keep", "drop", "same"),
            *("pass", "default", "ask"),
        )
    },
    "take": leading(lambda column="": Wish("take", column=column), _COLUMN),
    "cook": _with_names("cook", either(_ALL, many(_PIECE, 1))),
    "build": leading(lambda fire="": Wish("build", fire), _PLACE),
    "forage": into(
        lambda place, column: Wish("forage", place, column=column), _PLACE, maybe(_COLUMN, "")
    ),
    "cave": _with_names(
        "cave", either(many(_PIECE), _ONE, _EXCHANGE, into(lambda _: ("all",), keyword(words.ALL)))
    ),
    "vp": leading(lambda card="": Wish("vp", card), _CARD),
    "look": _with_names("look", many(_PLACE)),
    "place": into(lambda place: Wish("place", place), _PLACE),
}
_BARE: dict[str, Parser[Wish]] = {
    "kind": into(
        lambda kind, column: Wish("kind", kind, column=column),
        syntax.each(words.KINDS, "kind"),
        maybe(_COLUMN, ""),
    ),
    "food": into(
        lambda number: Wish("food", number=number),
        before(keyword({"en": "food", "fr": "nourriture"}), _NUMBER),
    ),
    "pieces": into(lambda piece: Wish("pieces", names=(piece,)), _PIECE),
    "place": into(lambda place: Wish("place", place), _PLACE),
    "invention": into(lambda card: Wish("invention", card), _CARD),
    "objective": into(lambda goal: Wish("objective", goal), syntax.each(words.GOALS, "objective")),
}
"""Wishes that begin with no verb, by their sort."""


def _wish(sorts: Iterable[str]) -> Parser[Wish]:
    """A wish of one of these sorts."""
    wanted = set(sorts)
    verbs = {do: parser for do, parser in _BEHIND.items() if do in wanted}
    bare = [parser for do, parser in _BARE.items() if do in wanted]
    by_verb = syntax.by_word(words.WISHES, "wish", verbs)
    any_ = either(by_verb, *bare)

    def read(reader: Reader, at: int) -> Iterator[tuple[Wish, int]]:
        # A verb that is written out begins no name: "keep" is not short for an objective.
        verb = words.WISHES.written_out(reader.chars, reader.start(at))
        yield from (by_verb if verb else any_)(reader, at)

    return read


def _lists(first: Iterable[str]) -> Parser[tuple[tuple[Wish, ...], ...]]:
    """A list of wishes for the event, and those behind `then`, of any event."""
    by = keyword(_JOINTS["or"])
    rest = after(keyword(_JOINTS["then"]), parted(_ANY_WISH, by))
    return into(lambda one, more: (one, *more), parted(_wish(first), by), many(rest))


_ANY_WISH = _wish((*filing.ALL_SORTS, "pass", "default", "ask"))


def _line(event: str) -> Parser[Line]:
    passing = ("pass",) if event in filing.PASSING else ()
    lists = _lists((*filing.WISHES[event], *passing, "default", "ask"))
    branch = into(_branch, _guarded(), lists)
    otherwise = either(into(lambda found: _branch((), found), lists), into(_branch, _IF_SO, lists))
    more = after(keyword(_JOINTS["else"]), otherwise)
    return into(
        lambda first, others: When(event=event, branches=(first, *others)), branch, many(more)
    )


def _branch(guard: tuple[Test, ...], lists: tuple[tuple[Wish, ...], ...]) -> Branch[Test, Wish]:
    return Branch(guard=guard, lists=lists)


def _guarded() -> Parser[tuple[Test, ...]]:
    """The colon behind an event, with a guard or without one."""
    return either(into(lambda _: (), _COLON), _IF_SO)


_OF_EVENT: dict[str, Parser[Line]] = {event: _line(event) for event in EVENTS}

GRAMMAR: Final[Parser[Line | None]] = either(
    after(keyword(_JOINTS["when"]), syntax.by_word(words.EVENTS, "event", _OF_EVENT)),
    into(lambda _: None, keyword(_JOINTS[NO_PLAN])),
)


# Writing


def write_plan(plan: Plan | None, lang: str) -> str:
    """A plan as one text, its lines parted by slashes."""
    if plan is None:
        return words.JOINTS.write(NO_PLAN, lang)
    return " / ".join(write_line(line, lang) for line in plan.lines)


def write_line(line: Line | None, lang: str) -> str:
    """A line as text."""
    if line is None:
        return words.JOINTS.write(NO_PLAN, lang)
    said = [words.JOINTS.write("when", lang), words.EVENTS.write(line.event, lang)]
    colon = " :" if lang == "fr" else ":"
    for number, branch in enumerate(line.branches):
        if number:
            said.append(words.JOINTS.write("else", lang))
        if branch.guard:
            tests = (_write_test(test, lang) for test in branch.guard)
            both = f" {words.JOINTS.write('and', lang)} "
            said += [words.JOINTS.write("if", lang), both.join(tests)]
        if branch.guard or not number:
            said[-1] += colon
        written = (
            f" {words.JOINTS.write('or', lang)} ".join(write_wish(wish, lang) for wish in wishes)
            for wishes in branch.lists
        )
        said.append(f" {words.JOINTS.write('then', lang)} ".join(written))
    return " ".join(said)


def _write_test(test: Test, lang: str) -> str:
    if test.subject == "shown":
        subject, value = words.SHOWN_WORD[lang], words.THINGS.write(str(test.value), lang)
    else:
        subject = words.AMOUNTS.write(test.subject, lang)
        is_number = isinstance(test.value, int)
        value = str(test.value)
        value = value if is_number else words.COLUMN_KINDS.write(value, lang)
    return f"{subject} {words.RELATIONS.write(test.relation, lang)} {value}"


def write_wish(wish: Wish, lang: str) -> str:
    """A wish as text."""
    column = [words.COLUMNS.write(wish.column, lang)] if wish.column else []
    match wish.do:
        case "kind":
            said = [words.KINDS.write(wish.what, lang)]
        case "food" if wish.number:
            said = [str(wish.number), words.WISHES.write("food", lang)]
        case "pieces":
            said = [words.PIECES.write(name, lang) for name in wish.names]
        case "place":
            said = [words.PLACES.write(wish.what, lang)]
        case "invention":
            said = [words.CARDS.write(wish.what, lang)]
        case "objective":
            said = [words.GOALS.write(wish.what, lang)]
        case do:
            said = [words.WISHES.write(do, lang), *_operands(wish, lang)]
    return " ".join((*said, *column))


def _operands(wish: Wish, lang: str) -> Sequence[str]:
    """The names behind the verb of a wish."""
    if wish.do == "cook" and not wish.names:
        return (words.ALL[lang],)
    names = [_name(name, lang) for name in wish.names or ((wish.what,) if wish.what else ())]
    if wish.do == "cave" and len(names) == 2 and not {*wish.names} & set(words.PIECE_IDS):
        return (names[0], words.FOR[lang], names[1])
    return names


def _name(name: str, lang: str) -> str:
    """A place, game tile, invention or column by its name."""
    if name == "all":
        return words.ALL[lang]
    for vocabulary in (words.PLACES, words.PIECES, words.CARDS, words.COLUMNS):
        try:
            return vocabulary.write(name, lang)
        except KeyError:
            continue
    raise KeyError(name)


# Reading

_FOLDING = Folding(marks=":<=>,;", between=LINE_ENDS)
_SLASH = re.compile(r"\s/\s*(?=(?:when|quand)\b)", re.I)
"""A slash between lines that are written as one."""

LINES: Final[WholeLines[Line | None]] = WholeLines(
    GRAMMAR,
    write_line,
    folding=_FOLDING,
    kinds=("event", "amount", "relation", "wish", "place", "piece", "card", "kind", "column"),
    begins=Vocabulary({key: _JOINTS[key] for key in ("when", NO_PLAN)}),
    continues=Vocabulary(
        {
            "then": {"en": "then", "fr": ("puis", "alors")},
            "else": _JOINTS["else"],
            "or": {"en": "or", "fr": "ou"},
        }
    ),
    most=MOST_LINES,
)


def read_plan(text: str, lang: str) -> tuple[str, list[Line | None]]:
    """The text without its plan lines, and what they say, None for "no plan".

    Raises Unreadable for an action behind a plan line, for "no plan" beside others, and as the kit
    does; Ambiguous.
    """
    text = _SLASH.sub("\n", text)
    rest, lines = LINES.cut(text)
    if not lines:
        return rest, []
    for number, line in enumerate(rest.splitlines(), 1):
        if number > lines[0].number and line.strip():
            context = {"text": line.strip(), "line": number, "kind": "event", "expected": ()}
            raise Unreadable(line.strip(), **context)
    found = LINES.read(lines, lang)
    if None in found and len(found) > 1:
        at = lines[found.index(None)]
        raise Unreadable(at.text, text=at.text, line=at.number, kind="event", expected=())
    return rest, found

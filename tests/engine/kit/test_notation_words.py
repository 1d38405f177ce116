"""Text made plain, and the words that may stand at a place of it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.notation import syntax
from engine.kit.notation.syntax import Reader
from engine.kit.notation.text import OF_ACTIONS, OF_LINES, Folding, Plain, folded
from engine.kit.notation.words import Vocabulary, words_of

PLACES = Vocabulary(
    {
        "hearth": {"en": "Alpine Hearth", "fr": "Foyer des Alpes"},
        "alps": {"en": ("Alps", "mont_blanc"), "fr": "Alpes"},
        "hut": {"en": "Hut", "fr": "Hutte"},
        "lodge": {"en": "Hut and Hearth", "fr": "Hutte et foyer"},
    }
)
TITLES = Vocabulary({n: {"en": (f"T{n:02}", f"T{n}"), "fr": f"T{n:02}"} for n in (1, 2, 12)})
SIGNS = Vocabulary({"least": {"en": ">="}, "more": {"en": (">", "or")}, "end": {"en": ":"}})
Read = list[tuple[set[object], str]]


def read(vocabulary: Vocabulary[Any], text: str, marks: str = "") -> Read:
    """What the beginning of a text can mean, with what is left of it."""
    chars = Plain(text, marks).chars
    return [(set(meanings), chars[end:]) for meanings, end in vocabulary.read(chars, 0)]


@pytest.mark.parametrize(
    ("text", "meanings", "rest"),
    [
        ("Alpine Hearth", {"hearth"}, ""),
        ("alpine-hearth now", {"hearth"}, " now"),
        ("foyer des alpes", {"hearth"}, ""),
        ("al he", {"hearth"}, ""),
        ("foyer", {"hearth"}, ""),
        ("alps", {"alps"}, ""),
        ("MONT BLANC", {"alps"}, ""),
        ("mont_blanc 2", {"alps"}, " 2"),
        ("al", {"hearth", "alps"}, ""),
        ("hut", {"hut"}, ""),
        ("hut and hearth", {"lodge"}, ""),
        ("hut and alps", {"hut"}, " and alps"),
        ("hu", {"hut", "lodge"}, ""),
    ],
)
def test_the_longest_name_is_meant_or_all_that_letters_begin(
    text: str, meanings: set[object], rest: str
) -> None:
    assert read(PLACES, text) == [(meanings, rest)]


def test_nothing_is_read_where_no_name_begins() -> None:
    for text in ("valley", "", "2", "lodge", "hutnot"):
        assert [meanings for meanings, rest in read(PLACES, text) if not rest] == []


def test_names_may_hold_digits_and_be_marks() -> None:
    assert read(TITLES, "t01 35") == [({1}, " 35")]
    assert read(TITLES, "T1") == [({1}, "")]
    assert read(TITLES, "T") == [({1, 2, 12}, "")]
    assert read(SIGNS, ">= 2", ":<=>") == [({"least"}, " 2")]
    assert read(SIGNS, "> 2", ":<=>") == [({"more"}, " 2")]
    assert read(SIGNS, "or 2", ":<=>") == [({"more"}, " 2")]
    assert SIGNS.all_written("en") == [">=", ">", ":"]


def test_words_are_levelled_and_have_no_bare_numbers() -> None:
    assert words_of(PLACES, TITLES) >= {"alpine", "des", "mont", "blanc", "t01", "and"}
    assert words_of(Vocabulary({1: {"en": "Été 12"}})) == {"ete"}
    assert folded("L’Œil_du  Bœuf") == "l oeil du boeuf"


@pytest.mark.parametrize(
    ("typed", "at", "word"),
    [
        ("lay  Hünt-fire, C4", 5, "Hünt-fire,"),
        ("a œuf b", 2, "œuf"),
        ("a œuf b", 6, "b"),
        ("a ", 1, ""),
    ],
)
def test_a_complaint_quotes_what_was_typed(typed: str, at: int, word: str) -> None:
    assert Plain(typed).typed_at(at) == word


def test_marks_part_words() -> None:
    plain = Plain("quand forêt: chasse", ":")
    assert plain.chars == "quand foret: chasse"
    assert [plain.typed_at(at) for at in (6, 11, 12)] == ["forêt", ":", "chasse"]


def test_texts_are_cut_at_separators_or_line_ends() -> None:
    text = "a, b;c\r\n\n - \nd"
    assert OF_ACTIONS.pieces(text) == ["a", "b", "c", "d"]
    assert OF_LINES.pieces(text) == ["a, b;c", "d"]
    assert Folding(blanks=",").plain("a,b").chars == "a b"


def test_combinators_read_every_way_in_a_fixed_order() -> None:
    digit = syntax.number(most_digits=1)
    pair = syntax.into(lambda *parts: parts, digit, syntax.maybe(digit, None), syntax.many(digit))
    assert Reader(Plain("1 2 3")).readings(pair) == [(1, None, (2, 3)), (1, 2, (3,))]
    assert Reader(Plain("1 2 3")).readings(syntax.parted(digit, syntax.many(digit, 1))) == [(1, 3)]
    listed = syntax.leading(lambda *parts: parts, digit, digit)
    for text, parts in [("", ()), ("1", (1,)), ("1 2", (1, 2))]:
        assert Reader(Plain(text)).readings(listed) == [parts]
    ended = syntax.before(syntax.keyword({"en": "end"}), digit)
    assert Reader(Plain("1 end")).readings(ended) == [1]
    barred = syntax.unless(ended, syntax.many(syntax.either(ended, digit)), "verb")
    reader = Reader(Plain("1 end"))
    assert reader.readings(barred) == []
    assert reader.wanted == {"verb": []}
    assert Reader(Plain("1 end 2")).readings(barred) == [(1, 2)]


def test_the_farthest_place_makes_the_complaint() -> None:
    digit, word = syntax.number("digit"), syntax.each(PLACES, "place")
    either = syntax.either(
        syntax.into(lambda *parts: parts, digit, digit, word),
        syntax.into(lambda *parts: parts, digit, syntax.many(digit, 1)),
        syntax.into(lambda *parts: parts, syntax.each(TITLES, "title"), digit),
    )
    reader = Reader(Plain("1 2 x"))
    assert reader.readings(either) == []
    assert reader.chars[reader.stuck_at :] == "x"
    assert set(reader.wanted) == {"place", "digit", "end"}
    assert reader.examples("place", "fr") == [
        "Foyer des Alpes",
        "Alpes",
        "Hutte",
        "Hutte et foyer",
    ]

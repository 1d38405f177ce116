"""Forms: what is written reads back as itself, by one description."""

from __future__ import annotations

import msgspec
import pytest

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
from engine.kit.notation.syntax import Reader
from engine.kit.notation.text import Folding
from engine.kit.notation.words import Vocabulary, table

WORDS = Vocabulary(table("to | vers; any | partout; now | maintenant; by | par"))
BEASTS = Vocabulary(table("wolf | loup; bear | ours"))
NUMBER = Part(syntax.number(), lambda number, _: str(number))


class Hunt(msgspec.Struct, frozen=True):
    """Something to be said: `days` and `hands` are said together."""

    beasts: tuple[str, ...]
    at: int
    days: int = 0
    hands: int = 0
    rank: int = 1
    loud: bool = False


FORM = Form(
    Hunt,
    {
        "beasts": several(term(BEASTS, "beast")),
        "at": ended(led(fixed(WORDS, "to"), instead(NUMBER, fixed(WORDS, "any"), 0)),
                    fixed(WORDS, "now")),
        "days hands": maybe(led(fixed(WORDS, "by"), together(NUMBER, NUMBER)), (0, 0)),
        "rank": maybe(mapped(NUMBER, lambda face: face - 1, lambda rank: rank + 1), 1),
    },
    loud=True,
)  # fmt: skip


def read(text: str) -> list[Hunt]:
    reader = Reader(Folding().plain(text))
    return [value for value, end in FORM.read(reader, 0) if reader.is_end(end)]


@pytest.mark.parametrize(
    ("hunt", "english", "french"),
    [
        (Hunt(("wolf",), 35, loud=True), "wolf to 35 now", "loup vers 35 maintenant"),
        (
            Hunt(("bear", "wolf"), 0, 2, 3, 4, loud=True),
            "bear wolf to any now by 2 3 5",
            "ours loup vers partout maintenant par 2 3 5",
        ),
    ],
)
def test_a_form_reads_what_it_writes(hunt: Hunt, english: str, french: str) -> None:
    for lang, text in (("en", english), ("fr", french)):
        assert FORM.write(hunt, lang) == text
        assert read(text) == [hunt]


def test_what_lacks_a_part_is_not_read() -> None:
    assert read("wolf to 35") == []
    assert read("to 35 now") == []

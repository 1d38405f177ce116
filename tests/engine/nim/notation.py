"""Nim as text: "take 2 A", "prends 2 A"."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.kit.notation import syntax
from engine.kit.notation.actions import ActionNotation
from engine.kit.notation.meaning import Meaning, exactly, saying
from engine.kit.notation.words import Vocabulary, words_of
from engine.protocol import Seat
from tests.engine.nim import rules
from tests.engine.nim.rules import NAMES, State, Take

VERBS = Vocabulary({"take": {"en": "take", "fr": "prends"}})
HEAPS = Vocabulary({name: {"en": name, "fr": name} for name in NAMES})


class Order(msgspec.Struct, frozen=True):
    """A text: how many stones, of which heap, as far as it says so."""

    verb: str
    count: int = 0
    heap: str = ""


_TAKE = syntax.leading(
    lambda *said: Order("take", *said), syntax.number(), syntax.each(HEAPS, "heap")
)
GRAMMAR = syntax.by_word(VERBS, "verb", {"take": _TAKE})


def meanings(state: State, seat: Seat, order: Order) -> Iterator[Meaning[Take]]:
    """The one thing that a text says, or all that it may mean where it leaves something out."""
    if order.heap:
        yield exactly(Take(order.heap, order.count))
    elif order.count:
        fits = saying(Take, count=order.count)
        yield Meaning(action=Take(NAMES[0], order.count), fits=fits, missing="heap")
    else:
        yield Meaning(action=Take(NAMES[0], 1), fits=saying(Take), missing="number")


def write(state: State, seat: Seat, action: Take, lang: str) -> str:
    return f"{VERBS.write('take', lang)} {action.count} {action.heap}"


NOTATION = ActionNotation(
    words=words_of(VERBS, HEAPS),
    keeps=VERBS.words,
    grammar=GRAMMAR,
    meanings=meanings,
    format=write,
    decisions=rules.decisions,
    apply=rules.apply,
    kinds=("verb", "number", "heap", "end"),
)

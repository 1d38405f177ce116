"""Questions about one thing of a game, answered from its glossary.

A game that has one has `games/<game>/glossary.txt` (docs/adding-a-game.md).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jinja2 import TemplateNotFound

from engine.protocol import LANGUAGES
from service.core.plain import tokens
from service.render.templating import environment

MOST = 3
"""Things that are explained in one answer."""


class Explained(NamedTuple):
    """A thing of a game by its name, and what it is."""

    name: str
    said: str


def explained(game: str, question: str, lang: str) -> list[Explained]:
    """The things that a question names in either language, each with a sentence or two in `lang`,
    those first that are named first. Of a name within another ("token" in "fight token")
    only the longer counts.
    """
    written = tokens(question)
    found: dict[int, tuple[int, int]] = {}
    for each in LANGUAGES:
        for number, (names, _) in enumerate(_terms(game, each)):
            for run in map(tokens, names.split(",")):
                at = _place(written, run)
                if at is not None:
                    found[number] = max(found.get(number, (at, 0)), (at, len(run)), key=_length)
    apart = [
        number
        for number, span in found.items()
        if not any(_within(span, other) for other in found.values())
    ]
    apart.sort(key=lambda number: found[number])
    terms = _terms(game, lang)
    return [Explained(_called(terms[number][0]), terms[number][1]) for number in apart[:MOST]]


def _terms(game: str, lang: str) -> list[tuple[str, str]]:
    """The names and the explanation of each thing; none for a game without a glossary."""
    try:
        template = environment(lang).get_template(f"games/{game}/glossary.txt")
    except TemplateNotFound:
        return []
    module: Any = template.module
    cards = [(module.called(card), effect) for card, effect in getattr(module, "CARDS", {}).items()]
    return [(str(names), str(said)) for names, said in module.TERMS + cards]


def _called(names: str) -> str:
    first = names.partition(",")[0]
    return first[:1].upper() + first[1:]


def _length(span: tuple[int, int]) -> int:
    return span[1]


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """True if the run of words lies in a longer one."""
    (at, length), (start, longer) = span, other
    return longer > length and start <= at and at + length <= start + longer


def _place(written: list[str], run: list[str]) -> int | None:
    """Where these tokens stand in a row."""
    spans = range(len(written) - len(run) + 1)
    return next((at for at in spans if run and written[at : at + len(run)] == run), None)

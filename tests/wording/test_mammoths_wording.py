"""Words of the game for people, before it is offered: every refusal and every line of a move."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from engine.mammoths import actions as do
from engine.mammoths.components import EVENTS, TITLES
from engine.mammoths.errors import ERROR_CODES
from service.render.templating import LANGUAGES, environment

NAMES: Final = ("Ana", "Bo", "Cleo", "Dan", "Eve", "Flo")
SAMPLES: Final[dict[str, Any]] = {
    "title": "T05",
    "window": "C",
    "phase": "combat",
    "to_move": 1,
    "hex": 35,
    "one": 35,
    "other": 45,
    "w": 2,
    "f": 1,
    "most": 3,
    "needed": 2,
    "left": 1,
    "number": 99,
}


def words(name: str, lang: str) -> Any:
    return environment(lang).get_template(f"games/mammoths/{name}.txt").module


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_is_a_sentence(lang: str) -> None:
    errors = words("errors", lang)
    said = {
        code: str(errors.broken(code, {key: SAMPLES.get(key, "x") for key in keys}, NAMES, 0))
        for code, _, keys in ERROR_CODES
    }
    assert all(sentence.strip().endswith((".", ")")) for sentence in said.values())
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_of_a_move_has_words_of_its_own(lang: str) -> None:
    lines = (
        do.Move(w=2, f=1, path=(35, 45)),
        do.Move(w=2, f=1, path=(35, 46, 45)),
        do.Found(hex=35),
        do.TakeFire(hex=35),
        do.TakeFire(hex=35, camp=22),
        do.Card(title="T05", hexes=(35,)),
        do.Card(title="T05", hexes=(35,), drop="T08"),
        do.Card(title="T16", tribe=1),
        do.Card(title="T16", tribe=1, fire=True),
        do.Done(),
        do.Place(hexes=(35, 45)),
        do.Place(hexes=()),
    )
    actions = words("actions", lang)
    said = [str(actions.action(msgspec.to_builtins(line), {}, NAMES, 0)).strip() for line in lines]
    assert all(said)
    assert len({*said}) == len(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_has_a_title_of_its_own(lang: str) -> None:
    terms = words("terms", lang)
    tricks = {str(terms.trick(title)) for title in TITLES}
    events = {str(terms.event(card)) for cards in EVENTS.values() for card in cards}
    assert (len(tricks), len(events)) == (20, 27)
    assert all(" " in trick for trick in tricks)

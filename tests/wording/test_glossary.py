"""Glossaries: every thing is found by each of its names, in both languages."""

from __future__ import annotations

import pytest

from service.mail.render.glossary import explained
from service.render.templating import LANGUAGES, environment

GAMES = ("fire_and_stone", "sapiens")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_thing_is_found_by_its_names(game: str, lang: str) -> None:
    terms = environment(lang).get_template(f"games/{game}/glossary.txt").module.TERMS  # type: ignore[attr-defined]
    assert len(terms) > 15
    for names, said in terms:
        for name in names.split(","):
            assert str(said) in [each.said for each in explained(game, f"? {name} ?", lang)], name


def test_of_a_name_within_another_only_the_longer_counts() -> None:
    (found,) = explained("sapiens", "What is a fight token?", "fr")
    assert found.name == "Jeton baston"
    assert explained("sapiens", "How are you?", "en") == []
    assert explained("toy", "What is a camp?", "en") == []

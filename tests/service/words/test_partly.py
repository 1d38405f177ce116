"""Turns in the words of who has read no notation: understood, and asked about if in doubt."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance, seed_of_number
from engine.games import games
from engine.play import submit
from service.core import verdicts
from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import Printed
from service.mail.commands.found import Found, Mend, Nothing, Turn
from service.mail.commands.orders import Finder

SEED, TURNS = 2, 6
"""A deal, and how many turns of it are played: next come a ritual and a token to be played."""

TURN = {
    "en": "lay ritual-fire C5 C4, ritual D1N, take camp-fire, remove ritual-fight",
    "fr": "pose rituel-feu C5 C4, rituel D1N, prends campement-feu, retire rituel-baston",
}
TOKEN = {"en": "token camp", "fr": "jeton campement"}


def finder(lang: str, about: str | None = None) -> tuple[Finder, list[str]]:
    """A finder about that turn, whose letter asked `about` one; and the turns the letter offers."""
    game, chance = games()["sapiens"], SeededChance(seed_of_number(SEED))
    state = game.setup(2, game.options_type(), chance).state
    for _ in range(TURNS):
        decision = next(each for each in game.decisions(state) if each.blocks)
        actions = next(iter(game.suggestions(state, decision.seat, 1)))
        state = submit(game, state, decision.seat, decision.id, actions, chance).state
    decision = next(each for each in game.decisions(state) if each.blocks)
    asked = Asked(game, state, decision.seat, decision.id, lang)
    offered = [asked.written(each) for each in game.suggestions(state, decision.seat, 3)]
    choices = [Printed(text=text) for text in offered]
    return Finder(asked, lambda: choices, ["Ana", "Bruno"], about), offered


def understood(found: Found, lang: str) -> str:
    """The turn that was found or is asked about, as it is written."""
    if isinstance(found, Mend):
        assert len(found.instead) == 1, found
        return found.instead[0]
    assert isinstance(found, Turn), found
    written = finder(lang)[0]._asked
    actions = written.tried(found.text)
    assert not isinstance(actions, Exception)
    return written.written(actions)


def with_token(lang: str) -> str:
    """The turn with the token played as well."""
    laid, ritual, *rest = TURN[lang].split(", ")
    return ", ".join([laid, ritual, TOKEN[lang], *rest])


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        (
            "en",
            (
                "I lay the ritual on C5 and fire on C4, claim the token from D1N and keep it, "
                "take camp-fire and remove ritual-fight."
            ),
        ),
        (
            "en",
            (
                "Lay ritual-fire C5 C4, ritual D1N, keep my camp token for later, take camp-fire, "
                "remove ritual-fight"
            ),
        ),
        (
            "en",
            (
                "I lay ritual on C5 and fire on C4. Ritual: claim the mountain token of the cave "
                "above D1 (picking), keep it for later. Take camp-fire and remove ritual-fight."
            ),
        ),
        (
            "fr",
            (
                "Je pose le rituel en C5 et le feu en C4, je réclame le jeton de la caverne "
                "au-dessus de D1 et je le garde, je prends Campement-Feu et "
                "je retire Rituel-Baston."
            ),
        ),
        (
            "fr",
            (
                "Rituel sur C5, feu sur C4, rituel D1N, sans jouer le jeton Campement, "
                "prendre Campement-Feu, retirer Rituel-Baston"
            ),
        ),
    ],
)
def test_a_token_that_is_kept_is_not_played(lang: str, text: str) -> None:
    found = finder(lang)[0].find([[text]])
    assert isinstance(found, Turn), found
    assert understood(found, lang) == TURN[lang]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        (
            "en",
            (
                "I lay the ritaul on C5 and fire on C4, claim the token from D1N and keep it, "
                "take camp-fire and remove ritual-fihgt."
            ),
        ),
        (
            "en",
            (
                "I'd put ritual-fire with the ritual on C5 and the fire on C4, then claim D1N, "
                "don't play my token, pick up camp-fire and throw out ritual-fight"
            ),
        ),
        (
            "fr",
            (
                "Rituel sur C5, fue sur C4, rituel D1N, sans jouer le jeton Campement, prendre "
                "Campement-Feu, retirer Rituel-Baston"
            ),
        ),
    ],
)
def test_slips_and_words_of_ones_own_are_asked_about_as_the_whole_turn(
    lang: str, text: str
) -> None:
    found = finder(lang)[0].find([[text]])
    assert isinstance(found, Mend), found
    assert understood(found, lang) == TURN[lang]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        (
            "en",
            (
                "ritual-fire on C5 and C4. Claim the token at D1N. Camp token: +3 shelter. "
                "I'll take camp-fire, and ritual-fight goes."
            ),
        ),
        (
            "en",
            (
                "My turn: ritual on C5, fire on C4, I claim the token on D1N and play camp. Take "
                "camp-fire; ritual-fight leaves the game."
            ),
        ),
        (
            "fr",
            (
                "Je mets Rituel-Feu en C5 C4, je récupère le jeton de la caverne au-dessus de D1, "
                "je joue Campement, je pioche campement-feu et je jette rituel-baston"
            ),
        ),
    ],
)
def test_what_is_done_is_understood_by_what_it_names(lang: str, text: str) -> None:
    found = finder(lang)[0].find([[text]])
    assert isinstance(found, Mend), found
    assert understood(found, lang) == with_token(lang)


def test_what_is_left_over_is_told() -> None:
    text = "ritual on C5 and fire on C4, feast on the bear, take camp-fire, remove ritual-fight"
    found = finder("en")[0].find([[text]])
    assert isinstance(found, Mend)
    fault = verdicts.fault_of(found.error)
    assert isinstance(fault, verdicts.Unreadable)
    assert (fault.why, fault.fragment) == (verdicts.Misread.PARTLY, "feast on the bear")
    assert found.instead == ("lay ritual-fire C5 C4, take camp-fire, remove ritual-fight",)


@pytest.mark.parametrize(
    "text",
    [
        "Nice hunt on D5 last turn, Bruno!",
        "The fire in the camp is lovely, and the water too",
        "I will think about it and take my time",
        "What a feast.",
    ],
)
def test_prose_is_no_turn(text: str) -> None:
    found = finder("en")[0].find([[text]])
    assert isinstance(found, Nothing) or (isinstance(found, Mend) and not found.instead), found


@pytest.mark.parametrize(
    ("lang", "text", "changed"),
    [
        ("en", "yes, but take ritual-camp", ("camp-fire", "ritual-camp")),
        ("en", "no, remove picking-hunt", ("ritual-fight", "picking-hunt")),
        ("en", "Yes but keep the token for later", (", token camp", "")),
        ("fr", "oui mais sans le jeton", (", jeton campement", "")),
    ],
)
def test_who_is_asked_about_a_turn_may_change_it(
    lang: str, text: str, changed: tuple[str, str]
) -> None:
    about = with_token(lang)
    found = finder(lang, about)[0].find([[text]])
    assert isinstance(found, Mend)
    assert found.instead == (about.replace(*changed),)


def test_who_says_what_was_meant_is_asked_where() -> None:
    about = with_token("en")
    found = finder("en", about)[0].find([["sorry, I meant ritual-camp"]])
    assert isinstance(found, Mend)
    taken, removed = (tokens(turn) for turn in found.instead)
    assert taken != removed
    for turn in (taken, removed):
        assert turn[:9] == tokens(about)[:9]
    assert isinstance(finder("en", about)[0].find([["Sorry, I am late"]]), Nothing)


@pytest.mark.parametrize(
    ("lang", "change", "changes"),
    [
        ("en", "keep the token for later", [(", token camp", "")]),
        (
            "en",
            "take ritual-camp, remove the one with fight and keep the camp token for later",
            [("camp-fire", "ritual-camp"), (", token camp", "")],
        ),
        (
            "fr",
            "je garde le jeton Campement pour plus tard et je prends rituel-campement",
            [("campement-feu", "rituel-campement"), (", jeton campement", "")],
        ),
    ],
)
def test_a_choice_is_changed_in_several_things(
    lang: str, change: str, changes: list[tuple[str, str]]
) -> None:
    look, offered = finder(lang)
    found = look.find([[f"1, {'but' if lang == 'en' else 'mais'} {change}"]])
    expected = offered[0]
    for old, new in changes:
        assert old in expected
        expected = expected.replace(old, new)
    assert isinstance(found, Mend)
    assert found.instead == (expected,)

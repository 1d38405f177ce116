"""A yes to a turn that was asked about, and the choice of one of several."""

from __future__ import annotations

import pytest

from service.mail.receive.answered import meant_of, says_yes


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes please, that's the one.",
        "Yes plese, go ahead",
        "Perfect, go ahead!",
        "Yes, thats what I want",
        "Yep, perfect, go ahead",
        "Yes, exactly, play that please",
        "Oui, c'est bien ça !",
        "Voilà, c'est tout à fait ça, tu peux y aller !",
        "C'est parfait comme ça, oui !",
        "Je voulais dire oui, joue ce coup-là",
        "ouais parfait, joue ça",
        "Oui, cette fois c'est bon, vas-y",
    ],
)
def test_it_says_yes(text: str) -> None:
    assert says_yes([[text]])


@pytest.mark.parametrize(
    "text",
    [
        "Yes, but take ritual-camp",
        "Yes, and I'd like to take ritual-camp with it",
        "Yes. I changed my mind, keep my camp token please",
        "Exactly, just remove picking-hunt this time please",
        "I never said yes",
        "Nobody said yes",
        "Yes if Bruno agrees",
        "okay wait, let me think",
        "wait, yes, tomorrow",
        "That would be perfect if the fire were on C3",
        "Je n'ai jamais dit oui",
        "Yes. Cancel that.",
        "Is that exactly what I wrote?",
        "wrong, exactly the opposite",
        "d'accord, demain",
        "that's it, I quit",
        "Perfect timing for the others",
        "Oui, presque",
        "no",
    ],
)
def test_it_says_something_else(text: str) -> None:
    assert not says_yes([[text]])


TURNS = ("lay A", "lay B")


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("the first one", "lay A"),
        ("Yes, the first one, where I take ritual and fire.", "lay A"),
        ("le premier", "lay A"),
        ("Oui, le deuxième, merci", "lay B"),
        ("I'll take the second one please", "lay B"),
        ("the third one", None),
        ("Is the first one legal?", None),
        ("never the first one", None),
        ("The first is wrong", None),
        ("The first tile goes on C5", None),
        ("The first one with ritual-camp taken, please", None),
        ("the second half of the turn is wrong", None),
    ],
)
def test_one_of_several_is_chosen_by_its_order(text: str, turn: str | None) -> None:
    assert meant_of(TURNS, [[text]]) == turn


def test_numbers_of_a_letter_are_not_counted_again() -> None:
    assert meant_of(("2", "3"), [["the second choice"]]) is None

"""Wishes in prose, words with a slip, thanks beside a number: what is answered, and never done."""

from __future__ import annotations

import pytest

from service.core.results import (
    MessageSaid,
    NoSuchChoice,
    NothingFound,
    PauseChanged,
    WordMeant,
)
from service.mail.commands.reading import nearly_a_word
from service.mail.commands.wishes import wish_of
from tests.service.words.test_copied import asked_in_english, letter_of
from tests.support.correspondence import Correspondence
from tests.support.tables import World


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("je veux arrêter", "leave"),
        ("I want to stop playing", "leave"),
        ("I give up", "leave"),
        ("Comment quitter la partie ?", "leave"),
        ("passe mon tour", "pass"),
        ("I'll skip my turn, sorry Bruno", "pass"),
        ("il me faut une pause", "rest"),
        ("I need more time", "rest"),
        ("je pars en vacances la semaine prochaine", "rest"),
        ("je ne veux pas arrêter", ""),
        ("give me a turn", ""),
        ("next time!", ""),
        ("Bruno never stops talking about that pass", ""),
        ("what a break", ""),
    ],
)
def test_wishes_are_told_from_prose(said: str, wish: str) -> None:
    assert wish_of([[said]], ["Bruno"]) == wish


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("pauze 3 jours", "pause 3 jours"),
        ("statuss", "status"),
        ("mesage Hello there\nall of you", "message Hello there\nall of you"),
        ("pause 3 jours", None),
        ("plan the move", None),
        ("unboard now", None),
        ("pauze for a while, will you", None),
        ("neverr", None),
    ],
)
def test_a_slip_in_a_word_of_ours(said: str, word: str | None) -> None:
    assert nearly_a_word(said) == word


def test_a_word_with_a_slip_is_asked_about_and_done_after_a_yes(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    asked = post.reply(seat, "pauze 3 days", decision)
    answer = post.answer(asked)
    assert answer.first(WordMeant).text == "pause 3 days"
    assert "Did you mean “pause 3 days”? Reply “yes”" in answer.said
    assert "~ message" not in answer.text
    agreed = post.reply(seat, "yes", decision, In_Reply_To=answer["Message-ID"])
    assert isinstance(post.answer(agreed).results[0], PauseChanged)


def test_a_message_with_a_slip_goes_out_after_a_yes_alone(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, "mesage Hello there", decision))
    assert not world.letters(post.match_id, "message")
    no = post.reply(seat, "no, 1", decision, In_Reply_To=answer["Message-ID"])
    assert not any(isinstance(each, MessageSaid) for each in post.answer(no).results)


@pytest.mark.parametrize("said", ["I want to stop", "skip my turn", "I need a break"])
def test_a_wish_is_answered_and_not_offered_to_the_table(world: World, said: str) -> None:
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, said, decision))
    assert answer.first(NothingFound).wish
    assert "~ message" not in answer.text
    word = {"I want to stop": "“resign”", "skip my turn": "~ lay "}.get(said, "“pause 5 days”")
    assert word in answer.text


def test_thanks_above_a_number_that_is_not_offered_are_kept(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, "Thanks, well played Bruno!\n9", decision))
    told = answer.first(NoSuchChoice)
    assert told.number == 9
    assert "~ message Thanks, well played Bruno!" in answer.text


def test_a_yes_without_a_question_names_the_first_turn(world: World) -> None:
    post: Correspondence = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, "ok", decision))
    assert "Did you mean turn 1? Reply “1”." in answer.said

"""Replies that repeat the words in which a letter prints its choices."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import select

from engine.games import games
from service.core.models import Letter
from service.core.results import NothingFound, TurnChecked, TurnWrong
from service.core.statuses import LetterKind, MailVerdict
from service.core.verdicts import Misread, Unreadable
from service.mail.commands.turn import CHECK
from service.mail.parse.markup import of_html
from service.matches.tables import Guest
from tests.support.cases import all_of_them
from tests.support.correspondence import Answer, Correspondence
from tests.support.games import KNOWN
from tests.support.tables import World

_CARD = re.compile(r"^[1-4]\. .+\n(?:   .+\n)*((?:~ .+\n)+)", re.MULTILINE)
_LABEL = re.compile(r"[1-4]\. ")


def begun(world: World, game: str, seed: int = 5) -> Correspondence:
    """A match of an English and a French player."""
    guest = Guest(address="g1@example.org", name="Bruno", lang="fr")
    number = world.begun([guest], game, hold_minutes=0, seed=seed)
    world.hear(mail=True)
    return Correspondence(world, number)


def letter_of(post: Correspondence, kind: LetterKind = LetterKind.TURN) -> tuple[int, str, Answer]:
    """The letter that asks for a turn, or the first of another kind that does: whose, for which
    decision, and as it is sent.
    """
    asked = post.world.awaited(post.match_id)
    with post.world.service.database.read() as session:
        query = select(Letter).where(
            Letter.match_id == post.match_id,
            Letter.decision == asked.decision,
            Letter.kind == kind,
        )
        letter = session.scalars(query.order_by(Letter.id)).first()
        assert letter is not None
    return asked.seat, asked.decision, post.rendered(letter)


def printed(letter: Answer) -> list[tuple[str, str, str]]:
    """The cards of a letter: the turn of each, its words in the text, and as the HTML has it."""
    plain = [
        (" ".join(found[1].replace("~ ", "").split()), found[0].partition("\n~ ")[0])
        for found in _CARD.finditer(letter.text)
    ]
    copied = [
        "\n".join(line.text for line in of_html(card.html or ""))
        for card in LexborHTMLParser(letter.html).css("table.choice")
        if _LABEL.match(card.text().strip())
    ]
    assert len(plain) == len(copied)
    return [(*each, html) for each, html in zip(plain, copied, strict=True)]


@pytest.mark.parametrize("game", sorted(games()))
def test_the_words_of_a_choice_are_that_turn(world: World, game: str) -> None:
    """In both languages, whole or without the heading; then the first is played that way."""
    post = begun(world, game)
    seen = set()
    turns = 4 if all_of_them() else 1
    for _ in range(turns):
        seat, decision, letter = letter_of(post)
        cards = printed(letter)
        for turn, text, html in cards[:3]:
            heading, _, deeds = text.partition("\n")
            # Without points what is done is the heading.
            for copied in (html, deeds if heading[3] in "+−" else text):
                mail = post.reply(seat, f"check\n\n{copied}", decision)
                checked = post.answer(mail).first(TurnChecked)
                assert ", ".join(checked.text.splitlines()) == turn, copied
        played = post.answer(post.reply(seat, cards[0][1], decision))
        # What all do at the same time and nobody sees is filed.
        assert {"played", "filed"} & set(played.codes)
        world.hear(mail=True)
        seen.add(seat)
    assert seen == {0, 1} or turns < 4


IN_OWN_WORDS = (
    (
        "Hello Ana,\n\nI would like to lay the tile {a}-{b} with {a} on {one} and {b} on {two}, "
        "then take the {taken} tile and remove {removed}, please.\n\nThank you!"
    ),
    "lay {a} {b}, {b} on {two} and {a} on {one} / take {taken}, throw out {removed}",
    "lay {a} on {one} and {b} on {two}, take {taken}, remove {removed}",
    "{a}-{b}: {a} on {one}, {b} on {two}\nTake {taken}\nRemove {removed} from the game",
)
"""As somebody wrote who had read nothing but the cards."""


@pytest.mark.parametrize("sentence", IN_OWN_WORDS)
def test_a_turn_in_own_words_is_read(world: World, sentence: str) -> None:
    post = begun(world, KNOWN, 6)
    seat, decision, letter = letter_of(post)
    line = next(each for each in letter.text.splitlines() if each.startswith("~ lay "))
    _, _, tile, one, two, _, taken, _, removed = line.replace(",", "").split()
    a, b = tile.split("-")
    said = sentence.format(a=a, b=b, one=one, two=two, taken=taken, removed=removed)
    mail = post.reply(seat, said, decision)
    assert mail.verdict == MailVerdict.PLAYED, post.answer(mail).said


def test_a_choice_with_a_change_is_shown_whole_and_yes_plays_it(world: World) -> None:
    post = begun(world, KNOWN)
    seat, decision, letter = letter_of(post)
    tile = printed(letter)[0][0].split()[-1]
    take, but = ("take", ", but ") if seat == 0 else ("prends", ", mais ")
    asked = post.answer(post.reply(seat, f"1{but}{take} {tile}", decision))
    assert "You changed a turn" in asked.said or "Tu as modifié" in asked.said, asked.said
    (wrong,) = asked.results
    assert isinstance(wrong, TurnWrong)
    assert isinstance(wrong.verdict, Unreadable)
    assert all(f"{take} {tile}" in turn for turn in wrong.verdict.possible)
    assert wrong.verdict.possible[0] in " ".join(asked.text.replace("~ ", "").split())
    mail = post.reply(
        seat, "yes" if seat == 0 else "oui", decision, In_Reply_To=asked.message["Message-ID"]
    )
    assert mail.verdict == MailVerdict.PLAYED


@pytest.mark.parametrize("turns", [0, 1])
def test_what_names_tiles_and_squares_is_never_called_nothing(world: World, turns: int) -> None:
    """The answer says what was understood, as a turn with its line and its link."""
    post = begun(world, KNOWN)
    if turns:
        seat, decision, letter = letter_of(post)
        post.reply(seat, "1", decision)
        world.hear(mail=True)
    seat, decision, letter = letter_of(post)
    line = next(each for each in letter.text.splitlines() if re.match("~ (lay|pose) ", each))
    _, _, tile, one, two, *_ = line.replace(",", "").split()
    mail = post.reply(
        seat, f"What if {tile} went over by {one} {two} somehow, you know me", decision
    )
    answer = post.answer(mail)
    found = next(r for r in answer.results if isinstance(r, NothingFound | TurnWrong))
    assert isinstance(found, TurnWrong)
    assert isinstance(found.verdict, Unreadable)
    assert found.verdict.why is Misread.PARTLY
    (turn,) = found.verdict.possible
    assert turn.split()[1:4] == [tile, one, f"{two},"]
    assert ("Did you mean this?" if seat == 0 else "Voulais-tu dire ceci") in answer.said
    assert "nothing was played" not in answer.said, "a question, and nothing that contradicts it"
    others = "Other choices" if seat == 0 else "Autres coups"
    assert answer.text.index(line[:20]) < answer.text.index(others)


def asked_in_english(world: World) -> Correspondence:
    """A match in which the English player is asked."""
    post = begun(world, KNOWN)
    world.submit(post.match_id)
    world.hear(mail=True)
    return post


def test_a_word_too_many_in_a_turn_that_is_guessed_is_not_blamed(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    turn = printed(letter)[1][0].replace("lay ", "lay xyzzy ", 1)
    asked = post.answer(post.reply(seat, turn, decision))
    assert isinstance(asked.results[0], TurnWrong)
    assert "Did you mean this?" in asked.said, asked.said
    assert asked.said.index("2. +") < asked.said.index("Other choices")
    for contradicting in ("We do not understand", "Reply with the whole turn once more"):
        assert contradicting not in asked.said
        assert contradicting not in asked.html


def test_few_words_of_the_game_are_answered_with_an_example(world: World) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    turn, *_ = printed(letter)[0]
    a, b = turn.replace(",", "").split()[1].split("-")
    said = f"I'd put my {a} and {b} somewhere below, but {a} side up"
    answer = post.answer(post.reply(seat, said, decision))
    assert answer.first(NothingFound).meant is not None
    assert "none of the words we know" not in answer.said
    assert answer.text.index("~ lay ") > answer.text.index("For example, this can be played now:")


def test_the_only_turn_to_a_place_is_asked_about(world: World) -> None:
    post = begun(world, "fire_and_stone")
    seat, decision, letter = letter_of(post)
    cards = printed(letter)
    turns = [re.findall(r"\w{4,}", turn) for turn, *_ in cards]
    number, place = next(
        (at, word)
        for at, words in enumerate(turns, start=1)
        for word in words
        if at > 1 and sum(word in each for each in turns) == 1
    )
    for said in (f"two steps to {place} please", f"I think {place} would be nice"):
        answer = post.answer(post.reply(seat, said, decision))
        assert f"Did you mean turn {number}?" in answer.said, answer.said
    answer = post.answer(post.reply(seat, f"I think not {place} but something nearer", decision))
    assert "Did you mean" not in answer.said


@pytest.mark.parametrize("yes", ["yes", "Yes, that one.", "oui"])
def test_a_yes_to_no_question_is_told_so(world: World, yes: str) -> None:
    post = asked_in_english(world)
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, yes, decision))
    assert "There is no question open here. Reply with the number of a turn." in answer.said
    assert "none of the words" not in answer.said
    assert "1. " in answer.text


@pytest.mark.parametrize(
    ("lang", "yes"),
    [
        ("en", "Yes, please"),
        ("en", "Yes please, that's the one."),
        ("fr", "oui"),
        pytest.param("fr", "Oui, c'est celui-là !", marks=pytest.mark.rarely),
    ],
)
def test_yes_answers_which_turn_was_meant(world: World, lang: str, yes: str) -> None:
    post = begun(world, KNOWN)
    if lang == "fr":
        world.submit(post.match_id)
        world.hear(mail=True)
    seat, decision, letter = letter_of(post)
    _, words, _ = printed(letter)[1]
    near = "My answer: " + words.split("\n")[1].strip().replace(" ", " xyzzy ", 1)
    asked = post.answer(post.reply(seat, near, decision))
    said = asked.results[0]
    assert isinstance(said, NothingFound | TurnWrong)
    asks = () if said.meant else getattr(getattr(said, "verdict", None), "possible", ())
    assert len(asks) == 1 or (said.meant is not None and said.meant.number == 2)
    before = world.match(post.match_id).last_entry
    if lang == "en":
        other = post.reply(
            seat, "Yes, but not so", decision, In_Reply_To=asked.message["Message-ID"]
        )
        assert other.verdict != MailVerdict.PLAYED, "a yes that takes itself back"
    alone = post.reply(seat, yes, decision)
    assert alone.verdict != MailVerdict.PLAYED, "to another letter it means nothing"
    mail = post.reply(seat, yes, decision, In_Reply_To=asked.message["Message-ID"])
    assert mail.verdict == MailVerdict.PLAYED
    assert world.match(post.match_id).last_entry == before + 1


def test_a_yes_that_goes_on_below_is_no_plain_yes(world: World) -> None:
    """Who writes "Yes," and below it what is to be different is not taken at the first word."""
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    turn = printed(letter)[1][0].replace("lay ", "lay xyzzy ", 1)
    asked = post.answer(post.reply(seat, turn, decision))
    *_, taken, removed = turn.replace("remove", "take").split("take ")
    below = f"but take {removed.strip()}"
    mail = post.reply(seat, f"Yes,\n{below}", decision, In_Reply_To=asked.message["Message-ID"])
    assert mail.verdict != MailVerdict.PLAYED, (taken, removed)
    answer = post.answer(mail)
    assert removed.strip() in answer.said.partition("Other choices")[0]


@pytest.mark.parametrize("question", ["Is this legal?", "Can I play this?", "C’est permis ?"])
def test_who_asks_whether_a_turn_is_legal_has_it_told_and_not_played(
    world: World, question: str
) -> None:
    post = asked_in_english(world)
    seat, decision, letter = letter_of(post)
    turn = printed(letter)[1][0]
    mail = post.reply(seat, f"{question}\n\n{turn}", decision)
    assert mail.verdict != MailVerdict.PLAYED
    answer = post.answer(mail)
    assert answer.first(TurnChecked).word == CHECK
    assert post.reply(seat, f"How are you?\n\n{turn}", decision).verdict == MailVerdict.PLAYED

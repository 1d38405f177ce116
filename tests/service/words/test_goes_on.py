"""A turn that a reveal cuts in two: the answer and the next letter say that it goes on."""

from __future__ import annotations

import re

from service.core.statuses import LetterKind
from tests.service.words.test_copied import begun, letter_of
from tests.support.tables import World


def test_a_turn_in_two_parts_goes_on(world: World) -> None:
    post = begun(world, "fire_and_stone")
    seat, decision, letter = letter_of(post)
    assert "unseen tiles at one step" in " ".join(letter.text.split()), "what differs"
    assert "What you can plan ahead" not in letter.text, "taught by a later letter"
    answer = post.answer(post.reply(seat, "1", decision))
    assert answer.text.startswith("Your turn is not over")
    assert "The next letter asks for the rest of your turn." in " ".join(answer.text.split())
    assert "“undo”" not in answer.text, "what was shown cannot be taken back"
    world.hear(mail=True)
    again, _, letter = letter_of(post)
    assert again == seat
    assert "<h1" in letter.html
    assert ">Your turn is not over</h1>" in letter.html
    said = " ".join(letter.text.split())
    assert said.startswith("Your turn is not over: finish it by "), "as the HTML has it"
    for part in (said, letter.html):
        assert "So far in this turn" in part
        assert "Since your last turn" not in part, "it tells of this same turn"
    _, decision, _ = letter_of(post)
    wrong = post.answer(post.reply(seat, "xyzzy foo", decision))
    for part in (" ".join(wrong.text.split()), wrong.html):
        assert "Your turn is not over: finish it by " in part
        assert "So far in this turn" in part
        assert "Finish my turn" in part or "All other turns, on the board" in part
        assert "Choose my turn" not in part
    _, _, reminder = letter_of(post, LetterKind.REMINDER)
    page = reminder.html
    assert page.index("What you can do") < page.index("How you stand"), "the map is high"
    for part in (" ".join(reminder.text.split()), reminder.html):
        assert "So far in this turn" in part
        assert "You walked to " in part
        assert "Finish my turn" in part


def test_who_is_asked_for_the_rest_of_a_turn_is_not_invited_to_plan_it(world: World) -> None:
    post = begun(world, "fire_and_stone")
    invited = {True: 0, False: 0}
    for _ in range(16):
        _, _, letter = letter_of(post)
        goes_on = "turn is not over" in letter.text or "n’est pas fini" in letter.text
        titles = ("Plan the rest of the turn", "Préparer la suite du tour")
        invited[goes_on] += any(title in letter.text for title in titles)
        world.submit(post.match_id)
        world.hear(mail=True)
    assert invited[False], "who begins a turn is"
    assert not invited[True]


def test_an_answer_says_once_what_a_turn_found(world: World) -> None:
    post = begun(world, "fire_and_stone")
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, "1", decision))
    assert " ".join(answer.text.split()).count("You walked to ") == 1
    assert "What happened" not in answer.text
    assert "What happened" not in answer.html


def test_of_a_name_cut_short_what_can_be_played_is_offered_with_its_reason(world: World) -> None:
    """Eleven places of the whole map begin so, of which one can be walked to."""
    post = begun(world, "fire_and_stone")
    seat, decision, _ = letter_of(post)
    answer = post.answer(post.reply(seat, "go a", decision))
    said = " ".join(answer.text.split())
    assert "You may mean" in said
    assert re.search("Walk to Angola .* The way: 2 steps, through the [A-Z][a-z]+[.] ", said)
    assert "Andes" not in said.partition("How you stand")[0]
    assert "Your secret objective" not in answer.html, "it is about the turn alone"

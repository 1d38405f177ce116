"""A turn that a reveal cuts in two: the answer and the next letter say that it goes on."""

from __future__ import annotations

from service.core.statuses import LetterKind
from tests.service.words.test_copied import begun, letter_of
from tests.support.tables import World


def test_a_turn_in_two_parts_goes_on(world: World) -> None:
    post = begun(world, "fire_and_stone")
    seat, decision, letter = letter_of(post)
    assert "more next to it" in " ".join(letter.text.split()), "what differs"
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
    _, _, reminder = letter_of(post, LetterKind.REMINDER)
    for part in (" ".join(reminder.text.split()), reminder.html):
        assert "So far in this turn" in part
        assert "You walked to " in part
        assert "Finish my turn" in part

"""The answer to a turn that was played: what it did or brings, in games without gains at once."""

from __future__ import annotations

import re

from tests.service.words.test_copied import begun
from tests.support.tables import World


def test_a_move_in_the_valley_is_told_by_what_it_comes_to(world: World) -> None:
    post = begun(world, "mammoths", seed=37)
    for _ in (0, 1):
        world.submit(post.match_id, world.bots_turn(post.match_id, "greedy"))
        world.hear(mail=True)
    told = []
    for _ in range(2):
        asked = world.awaited(post.match_id)
        answer = post.answer(post.reply(asked.seat, "1", asked.decision))
        world.hear(mail=True)
        told.append(answer.text.split("\n\n")[2])
        assert not re.search(r"\b(led|founded|mené|installé)\b", told[-1]), "it stands below"
        assert "number 1 of this game" not in answer.said
        assert "numéro 1 de cette partie" not in answer.said
    assert any("dernier" in each or "last to move" in each for each in told), told


def test_a_turn_without_gains_is_told_by_what_it_did(world: World) -> None:
    post = begun(world, "fire_and_stone")
    for _ in range(8):
        asked = world.awaited(post.match_id)
        answer = post.answer(post.reply(asked.seat, "1", asked.decision))
        world.hear(mail=True)
        told = " ".join(answer.text.split("\n\n")[1].split())
        assert told.startswith(("You ", "Your turn earned", "Tu ", "Ton coup te rapporte")), told
        assert "is played" not in told

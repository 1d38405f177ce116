"""Stories since the own turn, with reveals in mid-turn, sealed answers, plans and orders."""

from __future__ import annotations

from typing import Any

from service.core.models import Match
from service.core.statuses import Actor
from service.matches import reading
from tests.games.playing import lay, opened, to_the_duel
from tests.support.letters_to_png import parts_of
from tests.support.tables import World


def told(world: World, number: int, seat: int) -> list[tuple[str, int | None]]:
    """The kinds of events, each with its seat, that a seat is told now since its own turn."""
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        story = reading.since_own_turn(session, match, seat, match.last_entry)
        return [(event["kind"], event["seat"]) for entry in story for event in entry.events]


def newest(world: World, address: str) -> str:
    """The text of the newest letter to this address."""
    return parts_of([message for _, to, message in world.post.sent if to == address][-1])[1]


def play(world: World, number: int, body: str, **more: Any) -> None:
    """Hand in a turn or an order, and have its letters sent."""
    world.submit(number, body, **more)
    world.hear(mail=True)


def test_a_letter_tells_what_the_own_move_turned_over(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    seat = world.awaited(number).seat
    play(world, number, "camp hill")
    assert world.awaited(number).kind == "dig"
    assert told(world, number, seat) == [("turned", seat)]
    address = world.match(number).seats[seat].player.email  # type: ignore[union-attr]
    letter = newest(world, address)
    assert "The tile is turned over" in letter or "La tuile est retourn" in letter


def test_a_letter_tells_which_card_was_drawn(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    seat = world.awaited(number).seat
    play(world, number, "camp hill")
    play(world, number, "draw")
    assert world.awaited(number).kind == "bury"
    assert told(world, number, seat) == [("drew", seat), ("drawn", seat)]


def test_what_was_decided_and_known_is_not_told_again(world: World, toy: str) -> None:
    number = opened(world, toy, 2)
    first = world.awaited(number).seat
    play(world, number, "camp hill")
    play(world, number, "rest")
    play(world, number, "camp hill, rest")
    kinds = [kind for kind, seat in told(world, number, first) if seat == first]
    assert kinds == [], "resting reveals nothing"


def test_others_moves_made_before_the_own_answer_are_told(world: World, toy: str) -> None:
    """All were asked by the same entry: the first and the last read what all laid."""
    number = opened(world, toy, 3)
    to_the_duel(world, number)
    for seat in (2, 0, 1):
        lay(world, number, seat)
    for seat in range(3):
        shown = [who for kind, who in told(world, number, seat) if kind == "shown"]
        assert shown == [0, 1, 2]


def test_an_order_begins_no_story(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    first = world.awaited(number).seat
    play(world, number, "camp hill")
    play(world, number, "rest")
    second = world.awaited(number).seat
    play(world, number, "camp ford")
    before = told(world, number, first)
    play(world, number, "watch cave", seat=first, decision=f"0.watch.{first}")
    assert ("camped", second) in before
    assert told(world, number, first) == before


def test_what_a_plan_has_made_is_told_with_all_before_it(world: World, toy: str) -> None:
    """A plan's moves were never shown to who filed it."""
    number = opened(world, toy, 3)
    first = world.awaited(number).seat
    third = (first + 2) % 3
    plan = "plan always camp ford / always rest"
    play(world, number, plan, seat=third, decision=f"1.file.{third}")
    for place in ("hill", "wood"):
        play(world, number, f"camp {place}")
        play(world, number, "rest")
    assert world.awaited(number).kind == "duel"
    said = told(world, number, third)
    assert said.index(("camped", first)) < said.index(("camped", third))
    assert ("rested", third) in said
    assert not [kind for kind, _ in said if kind == "filed"]


def test_a_plan_is_its_owners_secret(world: World, toy: str) -> None:
    """The toy does not tell of plans: to others a planned move is a move."""
    number = opened(world, toy, 3)
    first = world.awaited(number).seat
    second = (first + 1) % 3
    plan = "plan always camp ford / always rest"
    play(world, number, plan, seat=second, decision=f"1.file.{second}")
    play(world, number, "camp hill")
    play(world, number, "rest")
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        causes = {
            reader: {
                entry.cause.actor
                for entry in reading.history(session, match, reader)
                if entry.seat == second and any(e["kind"] != "filed" for e in entry.events)
            }
            for reader in (first, second, None)
        }
    player, planned = {Actor.PLAYER}, {Actor.PLAN}
    assert causes == {first: player, None: player, second: planned}


def test_whose_plan_has_played_is_told_at_once(world: World, toy: str) -> None:
    """But for who is asked something now: that letter has it in its story."""
    number = opened(world, toy, 3)
    first = world.awaited(number).seat
    second, third = (first + 1) % 3, (first + 2) % 3
    plan = "plan always camp ford / always rest"
    for seat in (second, third):
        play(world, number, plan, seat=seat, decision=f"1.file.{seat}")
    play(world, number, "camp hill")
    play(world, number, "rest")
    assert world.awaited(number).kind == "duel", "all are asked"
    assert world.letters(number, "notice") == []
    number = opened(world, toy, 3)
    play(world, number, plan, seat=second, decision=f"1.file.{second}")
    play(world, number, "camp hill")
    play(world, number, "rest")
    assert [letter.seat for letter in world.letters(number, "notice")] == [second]
    to = world.match(number).seats[second].player
    assert to is not None
    letter = newest(world, to.email)
    assert ("Ton plan a joué pour toi." if to.lang == "fr" else "Your plan has played") in letter
    assert ("tu l’avais prévu" if to.lang == "fr" else "as you had planned") in letter


def test_a_long_story_tells_first_what_concerns_its_reader(world: World, toy: str) -> None:
    number = opened(world, toy, 6, options={"rounds": 2})
    to_the_duel(world, number)
    for seat in range(6):
        lay(world, number, seat)
    row = world.awaited(number)
    assert row.kind == "camp"
    to = world.match(number).seats[row.seat].player
    assert to is not None
    letter = newest(world, to.email)
    french = to.lang == "fr"
    concerns, else_ = (
        ("Ce qui te concerne", "Ce qui s’est passé d’autre")
        if french
        else ("What concerns you", "What else happened")
    )
    own, rest = letter.split(concerns)[1].split(else_)
    assert ("Tu montres" if french else "You show") in own
    assert ("montre" if french else "shows") in rest
    assert ("Tu montres" if french else "You show") not in rest

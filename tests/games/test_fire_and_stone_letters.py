"""What the words of Fire & Stone say of whole matches, in letters and on pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import msgspec
import pytest

from engine.chance import SeededChance, seed_of_number
from engine.fire_and_stone import FIRE_AND_STONE as GAME
from engine.fire_and_stone.setup import Options
from engine.fire_and_stone.state import State
from engine.play import submit
from service.mail.render import render
from service.mail.render.letter_context import mail_environment
from service.matches.tables import BotSeat
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

KEY = "fire_and_stone"
NAMES = ("Ana", "Bruno", "Chloé")
KINDS = ("vp", "huts", "majorities", "vp_cards", "objective_vp")


def words(name: str, lang: str = "en") -> Any:
    return mail_environment(lang).get_template(f"games/{KEY}/{name}").module


def positions(seed: int = 1, seats: int = 3) -> Iterator[State]:
    """A match in which each plays the first suggestion."""
    chance = SeededChance(seed_of_number(seed))
    state = GAME.setup(seats, Options(first=0), chance).state
    while GAME.outcome(state) is None:
        yield state
        asked = next(d for d in GAME.decisions(state) if d.blocks)
        first = GAME.suggestions(state, asked.seat, 1)[0]
        state = submit(GAME, state, asked.seat, asked.id, first, chance).state
    yield state


@pytest.fixture(scope="module")
def final() -> dict[str, Any]:
    *_, last = positions()
    view: dict[str, Any] = msgspec.to_builtins(GAME.view(last, 0))
    return view


def ended(final: dict[str, Any]) -> tuple[list[int], list[int]]:
    points = GAME.presentation.points(final)
    ranking = sorted(range(3), key=lambda seat: -points[seat])
    return ranking, [seat for seat in ranking if points[seat] == max(points)]


def test_f14_1_the_parts_of_the_points_add_up(final: dict[str, Any]) -> None:
    parts = GAME.presentation.parts(final)
    sums = [sum(int(part[kind]) for kind in KINDS) for part in parts]
    assert sums == GAME.presentation.points(final)
    assert [words("wording.txt").part(final, 1, n) for n in range(5)] == [
        str(parts[1][kind]) for kind in KINDS
    ]


@pytest.mark.parametrize(("lang", "said"), [("en", "objective, "), ("fr", "bjectif")])
def test_f14_4_each_objective_is_named_with_what_it_brought(
    final: dict[str, Any], lang: str, said: str
) -> None:
    ranking, winners = ended(final)
    told = words("letter.txt", lang).decided(final, ranking, winners, NAMES, 0)
    assert told.count(said) >= 3
    for player in final["players"]:
        assert GAME.presentation.name(player["objective"], lang) in told


def test_who_was_ahead_before_the_objectives_is_told_where_these_decide(
    final: dict[str, Any],
) -> None:
    ranking, winners = ended(final)
    loser = ranking[-1]
    decided = words("letter.txt").decided
    # The last but for the objectives is made the first by points won on the way.
    ahead = [{**player, "vp": player["vp"]} for player in final["players"]]
    own = GAME.presentation.parts(final)
    short = max(GAME.presentation.points(final)) - GAME.presentation.points(final)[loser]
    ahead[loser]["vp"] += short + int(own[loser]["objective_vp"]) + 1
    led = {**final, "players": ahead}
    assert "Before the objectives you led" in decided(led, ranking, winners, NAMES, loser)
    assert f"Before the objectives {NAMES[loser]} led" in decided(
        led, ranking, winners, NAMES, winners[0]
    )
    assert "Before" not in decided(led, ranking, [loser], NAMES, 0)


def test_rows_stand_in_the_order_of_ranks_at_the_end(final: dict[str, Any]) -> None:
    ranking, _ = ended(final)
    assert GAME.presentation.ranks(final) == ranking
    assert GAME.presentation.ranks({**final, "phase": "move"}) == [0, 1, 2]


def test_the_last_letter_says_where_the_points_come_from(world: World) -> None:
    number = world.open([BotSeat(bot="greedy")] * 2, KEY)
    world.hear()
    while world.match(number).status == "playing":
        world.submit(number, world.bots_turn(number, "greedy"))
        world.hear()
    with world.service.database.read() as session:
        letter = session.merge(world.letters(number, "end")[0], load=False)
        _, text, html, _ = parts_of(render(world.service, session, letter))
    for heading in ("On the way", "Huts", "Majorities", "Cards", "Objective", "Points"):
        row = re.search(rf"^{heading} +(\d+) +(\d+) +(\d+)\r?$", text, re.MULTILINE)
        assert row, heading
    assert "Majorities</th>" in html
    assert "objective, " in text
    assert "objective, " in unescape(html)

"""What others hold or file in the valley shows in no page and no letter: not in what it says, how
long it is, when it comes or in which order (M§18.2, M§24.9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from service.core.models import Match
from service.matches import reading
from tests.games.playing import asked, opened
from tests.games.test_secrets import READERS, SEATS, Shown, _restore, _same, _stored, permute
from tests.games.test_secrets import app as app
from tests.games.test_secrets import shown as shown
from tests.games.test_together import fresh as fresh
from tests.support.letters_to_png import parts_of
from tests.support.tables import World

GAME = "mammoths"
KEYS = re.compile(r"(?<![a-z0-9])[a-z2-7]{26}(?![a-z0-9])")
"""The keys of links, drawn anew for each, all of one length."""
STAY = "plan move if always otherwise ask"
FILED: dict[str, Sequence[tuple[str, str]]] = {
    "a plan that asks": [("file", "plan move if closed 11 otherwise ask")],
    "a plan for fights": [("prepare", "plan combat loss any wwf otherwise ask")],
    "standing orders": [("orders", "reenter 11 12"), ("orders", "card T04 never")],
    "all of it": [
        ("file", "plan move if closed 11 or if closed 12 otherwise ask"),
        ("prepare", "plan combat loss any wwf otherwise ask"),
        ("orders", "reenter 11 12"),
    ],
}
"""What somebody files, by decision, that changes nothing."""


def settled(world: World) -> int:
    """A match of three whose camps stand."""
    number = opened(world, GAME, SEATS, options={"board": 2})
    for _ in range(SEATS):
        world.submit(number, seat=asked(world, number)[0].seat)
        world.hear(mail=True)
    return number


def file(world: World, number: int, seat: int, kind: str, text: str) -> None:
    with world.service.database.read() as session:
        rows = reading.open_decisions(session, session.get_one(Match, number), seat)
    (decision,) = (row.decision for row in rows if row.kind == kind)
    world.submit(number, text, seat=seat, decision=decision)
    world.hear(mail=True)
    with world.service.database.read() as session:
        view = reading.match_view(session, session.get_one(Match, number), seat)
    assert decision in {order.decision for order in view.filed}


def round_of(
    world: World, filed: Sequence[tuple[str, str]], moves: str | None = None
) -> list[tuple[int, str, Any]]:
    """The letters to others than who files, by how many of the others' moves were made before: one
    turn, in which whoever is second files. `moves` is what he does if he is asked to move.
    """
    number = settled(world)
    with world.service.database.read() as session:
        view = reading.match_view(session, session.get_one(Match, number), None)
    filer = view.view["order"][1]
    player = world.match(number).seats[filer].player
    assert player is not None
    made, found = 0, []
    world.post.sent.clear()

    def collect() -> None:
        for _, to, raw in world.post.sent:
            if to != player.email:
                message, text, html, pictures = parts_of(raw)
                said = [KEYS.sub("KEY", part) for part in (message["Subject"], text, html)]
                found.append((made, to, (said, message["Date"], pictures)))
        world.post.sent.clear()

    for kind, text in filed:
        file(world, number, filer, kind, text)
        collect()
    while asked(world, number)[0].turn == "1":
        row = asked(world, number)[0]
        body = moves if row.seat == filer and row.kind == "move" else None
        world.submit(number, body, seat=row.seat, decision=row.decision)
        made += row.seat != filer
        world.hear(mail=True)
        collect()
    assert found
    return found


@pytest.mark.parametrize(
    "filed",
    [
        pytest.param(filed, id=name, marks=[] if name == "all of it" else [pytest.mark.rarely])
        for name, filed in FILED.items()
    ],
)
def test_letters_to_others_come_when_and_as_they_came_without(
    fresh: Callable[[], World], filed: Sequence[tuple[str, str]]
) -> None:
    assert round_of(fresh(), filed) == round_of(fresh(), [])


def test_a_move_by_a_plan_is_told_as_one_made_by_hand(fresh: Callable[[], World]) -> None:
    assert round_of(fresh(), [("file", STAY)]) == round_of(fresh(), [], "done")


def test_what_is_unseen_of_a_valley_is_in_no_page_and_no_letter(world: World, shown: Shown) -> None:
    """Hands, piles, and what is on file."""
    number = settled(world)
    for seat in range(SEATS):
        file(world, number, seat, "orders", "card T08 behind")
        file(world, number, seat, "prepare", "plan combat loss any wwf otherwise ask")
    for reader in READERS:
        before = shown(number, reader)
        kept = _stored(world, number)
        permute(world, number, reader)
        _same(before, shown(number, reader))
        _restore(world, number, kept)

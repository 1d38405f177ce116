"""Decisions made in secret at the same time: nobody learns who has decided, or in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import time_machine

from service.access.links import Links
from service.core import locks
from service.core.context import Service
from service.core.errors import Refused
from service.core.letter_details import TimeExtended, TimeUp
from service.core.models import Letter, Match
from service.dev.app import create_app
from service.matches import hosting, moves, reading
from service.matches.overview import waits_of
from tests.conftest import DRAWS
from tests.games.playing import BEGAN, asked, lay, opened, to_the_duel
from tests.support.cases import all_of_them
from tests.support.correspondence import Correspondence
from tests.support.reader import Reader
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import days


def tried(orders: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Orders of decisions, or every second: in these, too, each comes first once."""
    return list(orders)[:: 1 if all_of_them() else 2]


def test_who_has_decided_holds_nobody_up(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    to_the_duel(world, number)
    assert [row.seat for row in asked(world, number)] == [0, 1, 2]
    lay(world, number, 1)
    left = asked(world, number)
    assert [row.seat for row in left] == [0, 2]
    lay(world, number, 0)
    lay(world, number, 2)
    assert {row.kind for row in asked(world, number)} == {"camp"}
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        assert all(row.seat == 1 or row.blocks for row in asked(world, number))
        assert match.last_entry > 0


def test_no_line_goes_with_what_is_decided_in_secret(world: World, toy: str) -> None:
    number = opened(world, toy, 3)
    to_the_duel(world, number)
    row = asked(world, number)[1]
    with world.service.database.write() as work, pytest.raises(Refused, match="line_tells"):
        moves.receive(
            world.service,
            work,
            match=locks.lock_number(world.service, work, number),
            seat=row.seat,
            decision=row.decision,
            body="lay 1",
            lang="en",
            source="form",
            said="done!",
        )
    assert [row.seat for row in asked(world, number)] == [0, 1, 2]


def test_others_learn_only_how_many_are_missing(world: World, toy: str) -> None:
    number = opened(world, toy, 5)
    to_the_duel(world, number)
    for seat in (3, 0, 4):
        lay(world, number, seat)
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        for reader, named in ((0, ()), (1, (1,)), (None, ())):
            view = reading.match_view(session, match, reader)
            told = reading.awaited(session, match, view)
            assert told == reading.Awaited(named=named, missing=2, of=5)
        waits = waits_of(session, [match])[match.id]
        assert [wait.together for wait in waits] == [5, 5]


def test_no_history_tells_that_somebody_has_decided(world: World, toy: str) -> None:
    number = opened(world, toy, 4)
    to_the_duel(world, number)
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        before = {seat: reading.history(session, match, seat) for seat in (1, 2, None)}
    lay(world, number, 3)
    lay(world, number, 0)
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        for seat, told in before.items():
            assert reading.history(session, match, seat) == told
        own = reading.history(session, match, 3)[-1]
        assert [event["kind"] for event in own.events] == ["laid"]


def played_in(world: World, game: str, order: tuple[int, ...], **more: Any) -> dict[str, Any]:
    """What everybody gets and may know of a duel, cards laid in this order; keys left out, for they
    are drawn anew, and addresses in them.
    """
    number = opened(world, game, len(order), **more)
    to_the_duel(world, number)
    world.post.sent.clear()
    for seat in order[:-1]:
        lay(world, number, seat)
    assert world.post.sent == []
    lay(world, number, order[-1])
    found: dict[str, Any] = {f"letter {to}": message for _, to, message in world.post.sent}
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        last = match.last_entry
        for reader in (None, *range(len(order))):
            found[f"history {reader}"] = [
                (entry.seat, entry.cause, entry.made_at, entry.events)
                for entry in reading.history(session, match, reader)
                if reader is None
            ]
            if reader is not None:
                story = reading.since_own_turn(session, match, reader, last)
                found[f"story {reader}"] = [e for entry in story for e in entry.events]
    return found


@pytest.fixture
def fresh(
    tmp_path: Path, _migrated_sqlite: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[[], World]]:
    """Makes services on databases of their own, all at the same moment and with the same draws."""
    made: list[Service] = []

    def make() -> World:
        request.config.stash[DRAWS].again("together")
        path = tmp_path / f"{len(made)}.db"
        path.write_bytes(_migrated_sqlite.read_bytes())
        jobs = Jobs()
        service = Service(settings_for(f"sqlite:///{path}"), jobs)
        made.append(service)
        world = World(service, jobs)
        world.beat()
        return world

    with time_machine.travel(BEGAN, tick=False):
        yield make
    for service in made:
        service.database.dispose()


def test_the_order_of_decisions_is_in_no_history_and_no_story(
    fresh: Callable[[], World], toy: str
) -> None:
    orders = tried(permutations(range(3)))
    seen = [played_in(fresh(), toy, order) for order in orders]
    for found in seen[1:]:
        for name in seen[0]:
            if name.startswith(("history", "story")):
                assert found[name] == seen[0][name], name
    story = {
        name: {(e["kind"], e["seat"]) for e in told}
        for name, told in seen[0].items()
        if name.startswith("story")
    }
    public = {("shown", seat) for seat in range(3)}
    assert all(public <= told for told in story.values())


@pytest.mark.rarely(1)
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_order_of_decisions_is_in_no_letter(
    fresh: Callable[[], World], toy: str, rounds: int
) -> None:
    """After one round everybody gets the last letter; before that who is to move is asked, and the
    others are invited to file ahead.
    """
    orders = tried(permutations(range(3)))
    seen = [played_in(fresh(), toy, order, options={"rounds": rounds}) for order in orders]
    letters = [name for name in seen[0] if name.startswith("letter")]
    assert len(letters) == 3
    for found in seen[1:]:
        for name in letters:
            assert found[name] == seen[0][name]


def test_who_has_decided_is_on_no_page(fresh: Callable[[], World], toy: str) -> None:
    """Two of three others have decided, whichever and in whatever order: one text for who has not,
    and for spectators.
    """
    seen = [_pages(fresh(), toy, order) for order in tried(permutations((1, 2, 3), 2))]
    assert all("Waiting for 2 of 4 players." in page for page in seen[0])
    for found in seen[1:]:
        assert found == seen[0]


def _pages(world: World, game: str, order: tuple[int, ...]) -> list[str]:
    """The pages of seat 0 and of spectators once these have decided."""
    number = opened(world, game, 4)
    to_the_duel(world, number)
    for seat in order:
        lay(world, number, seat)
    app = create_app(world.service.settings, Jobs())
    links, match = Links(world.service), world.match(number)
    found = []
    for link in (links.seat(match, 0), links.watch(match)):
        reader = Reader(app.test_client())
        found.append(reader.get("/" + link.split("/", 3)[3]).text)
    app.extensions["paleopost"].database.dispose()
    return found


def test_no_news_and_no_field_names_who_has_not_decided(world: World, toy: str) -> None:
    with days(world) as time:
        number = opened(world, toy, 4, pace_days=2, timeout="wait")
        to_the_duel(world, number)
        for seat in (1, 3):
            lay(world, number, seat)
        time.after(days=3)
        told = [
            (letter.seat, letter.details.about)
            for letter in world.letters(number, "news")
            if isinstance(letter.details, TimeUp)
        ]
        assert sorted(told, key=str) == sorted(
            [
                (0, 0),
                (2, 2),
                *((seat, None) for late in (0, 2) for seat in range(4) if seat != late),
            ],
            key=str,
        )
        texts = [text_of(world, number, letter) for letter in world.letters(number, "news")]
        assert sum("Somebody has not decided in time" in text for text in texts) > 0
        with world.service.database.write() as work:
            match = locks.lock_number(world.service, work, number)
            assert reading.asked_together(work.session, match) == {0, 1, 2, 3}
            # 1 has decided, 2 has not: nobody but they sees a difference.
            given = [hosting.extend(world.service, work, match, seat, 2) for seat in (1, 2)]
        assert given[0] is None
        assert given[1] is not None
        extended = [
            (letter.seat, letter.details.about, letter.details.deadline)
            for letter in world.letters(number, "news")
            if isinstance(letter.details, TimeExtended)
        ]
        others = [(seat, about, deadline) for seat, about, deadline in extended if seat != about]
        assert len(others) == 6
        assert {deadline for *_, deadline in others} == {None}


def text_of(world: World, number: int, letter: Letter) -> str:
    """What a letter says."""
    return Correspondence(world, number).rendered(letter).text

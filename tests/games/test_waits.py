"""How often somebody was waited for, as the service counts it: the same as the engine does."""

from __future__ import annotations

import datetime as dt

from engine import waits
from service.core.models import Match
from service.core.statuses import MatchStatus
from service.matches import journal
from service.matches.waits import lately, waits_of
from service.ops import census
from tests.games.playing import opened
from tests.games.test_orders import file, seats_after
from tests.support.games import KNOWN
from tests.support.tables import World


def counted(world: World, number: int) -> tuple[waits.Waits, waits.Waits]:
    """The waits of a match: from the database's columns, and from its journal."""
    with world.service.database.read() as session:
        match = session.get_one(Match, number)
        entries = [journal.entry_of(row) for row in journal.rows(session, match, 1)]
        folded = waits.count(journal.game_of(match), journal.setup_of(match), entries)
        return waits_of(session, match), folded


def test_the_waits_of_a_whole_match_with_plans_and_orders(world: World, toy: str) -> None:
    number = opened(world, toy, 3, options={"rounds": 2})
    for plans in range(99):
        if world.match(number).status != MatchStatus.PLAYING:
            break
        row = world.awaited(number)
        if plans in (0, 9) and row.kind == "camp":
            second = seats_after(world, number)[1]
            file(world, number, second, "watch", ("watch hill", "watch ford")[plans > 0])
            file(world, number, second, "file", "plan always camp wood / always rest")
        world.submit(number)
        world.hear()
    assert world.match(number).status == MatchStatus.ENDED
    ours, engines = counted(world, number)
    assert ours == engines
    assert ours.waits > ours.turns, "what is revealed asks again"
    census.take(world.service)
    with world.service.database.read() as session:
        told = census.newest(session)
        assert told is not None
        (one,) = told.turns
        assert (one.game, one.status, one.matches) == (toy, MatchStatus.ENDED, 1)
        assert (one.waits, one.turns) == (ours.waits, ours.turns)
        assert lately(session, world.service.now() + dt.timedelta(days=1)) == []


def test_the_waits_of_a_whole_match_of_the_known_game(world: World) -> None:
    number = opened(world, KNOWN, 2)
    for _ in range(200):
        if world.match(number).status != MatchStatus.PLAYING:
            break
        world.submit(number)
        world.hear()
    ours, engines = counted(world, number)
    assert world.match(number).status == MatchStatus.ENDED
    assert ours == engines

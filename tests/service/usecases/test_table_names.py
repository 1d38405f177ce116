"""Tables have names, and no two of one player the same."""

from __future__ import annotations

import pytest

from service.core.errors import Refused
from service.core.models import Player
from service.matches.table_names import SITES
from service.matches.tables import BotSeat, Guest, open_table
from tests.support.tables import World

BOTS = [BotSeat(bot="greedy")]
BOB = Guest(address="bob@example.org", name="Bob")


def test_every_table_gets_a_name_of_its_own(world: World) -> None:
    names = [world.match(world.open(BOTS, "sapiens")).name for _ in range(len(SITES) + 1)]
    assert len(set(names)) == len(names)
    assert set(SITES) < set(names)


def test_the_hosts_name_counts_and_is_told_from_others_tables(world: World) -> None:
    first = world.match(world.open([BOB], "sapiens", name="  Winter\nclub "))
    assert first.name == "Winter club"
    assert world.match(world.open([BOB], "sapiens", name="winter Club")).name == "winter Club 2"
    assert world.match(world.open(BOTS, "sapiens", name="Winter club")).name == "Winter club 3"


def test_a_wish_tells_nothing_of_the_guests_tables(world: World) -> None:
    host = world.player(BOB.address, name="Bob")
    with world.service.database.write() as work:
        bob = work.session.get_one(Player, host.id)
        cam = Guest(address="cam@example.org", name="Cam")
        open_table(world.service, work, bob, "sapiens", [cam], name="Secret plans")
    assert world.match(world.open([BOB], "sapiens", name="Secret plans")).name == "Secret plans"


def test_a_greeting_that_is_too_long_is_refused_whole(world: World) -> None:
    with pytest.raises(Refused, match="long_greeting"):
        world.open([BOB], "sapiens", greeting="x" * 301)
    assert world.letters() == []
    kept = world.match(world.open([BOB], "sapiens", greeting=" Shall\twe? ")).greeting
    assert kept == "Shall we?"

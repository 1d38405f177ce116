"""A table is opened once, however often and fast its button is pressed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from service.core.errors import Refused
from service.core.models import Letter, Match
from service.matches.opening import open_once
from service.matches.tables import Guest
from service.time.terms import Terms
from tests.support.tables import World

pytestmark = pytest.mark.on_postgresql


def test_presses_at_the_same_time_open_one_table(world: World, game_key: str) -> None:
    host = world.player("ana@example.org")
    guests = [Guest(address="zoe@example.org")]

    def press(_: int) -> str:
        return open_once(world.service, host.id, "nonce", game_key, guests, Terms(), {})

    with ThreadPoolExecutor(6) as pool:
        codes = set(pool.map(press, range(6)))
    assert len(codes) == 1
    with world.service.database.read() as session:
        assert [match.code for match in session.scalars(select(Match))] == list(codes)
        assert len(session.scalars(select(Letter)).all()) == 1


def test_another_nonce_or_another_host_is_another_table(world: World, game_key: str) -> None:
    hosts = [world.player("ana@example.org"), world.player("ben@example.org")]
    guests = [Guest(address="zoe@example.org")]
    codes = {
        open_once(world.service, host.id, nonce, game_key, guests, Terms(), {})
        for host in hosts
        for nonce in ("one", "two")
    }
    assert len(codes) == 4


def test_a_table_that_was_refused_can_be_mended_with_the_same_form(
    world: World, game_key: str
) -> None:
    host = world.player("ana@example.org")
    with pytest.raises(Refused, match="bad_address"):
        open_once(world.service, host.id, "n", game_key, [Guest(address="nobody")], Terms(), {})
    guests = [Guest(address="zoe@example.org")]
    assert open_once(world.service, host.id, "n", game_key, guests, Terms(), {})

"""Signing in by a mailed link."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from service.core.errors import Refused
from service.core.letter_details import SignInDetails
from service.matches.tables import BotSeat
from service.players.accounts import (
    SIGN_INS_PER_HOUR,
    ask_sign_in,
    listed_zones,
    renamed_zones,
    sign_in,
    zone_named,
)
from tests.support.tables import World


def asked(world: World, address: str = "ana@example.org") -> str:
    with world.service.database.write() as work:
        ask_sign_in(world.service, work, address, "fr")
    nonce = world.letters(kind="signin")[-1].details_as(SignInDetails).nonce
    return world.service.keys.token("signin", nonce)


def use(world: World, token: str) -> str:
    with world.service.database.write() as work:
        return sign_in(world.service, work, token).email


def test_a_link_signs_in_once(world: World) -> None:
    token = asked(world)
    assert use(world, token) == "ana@example.org"
    with pytest.raises(Refused, match="used_link"):
        use(world, token)


def test_a_link_is_forgotten_after_two_hours(world: World) -> None:
    token = asked(world)
    later = world.service.now() + dt.timedelta(hours=2, minutes=1)
    with time_machine.travel(later), pytest.raises(Refused, match="expired_link"):
        use(world, token)


def test_a_forged_link_is_unknown(world: World) -> None:
    asked(world)
    with pytest.raises(Refused, match="unknown_link"):
        use(world, "a" * 26)


def test_another_purpose_does_not_sign_in(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="random")], game_key)
    with pytest.raises(Refused, match="unknown_link"):
        use(world, world.service.keys.token("seat", match_id, 0))


def test_nobody_is_flooded_with_links(world: World) -> None:
    for _ in range(SIGN_INS_PER_HOUR + 3):
        asked(world)
    assert len(world.letters(kind="signin")) == SIGN_INS_PER_HOUR


def test_what_is_no_address_is_said_so(world: World) -> None:
    with pytest.raises(Refused) as caught:
        asked(world, "ana at example")
    assert caught.value.code == "bad_address"
    assert world.letters() == []


@pytest.mark.parametrize(
    ("said", "meant", "near"),
    [
        ("Europe/Paris", "Europe/Paris", []),
        ("europe/paris", "Europe/Paris", []),
        ("paris", "Europe/Paris", []),
        ("New York", "America/New_York", []),
        ("utc", "UTC", []),
        ("pariss", None, ["Europe/Paris"]),
        ("Africa/Paris", None, ["Europe/Paris"]),
        ("localtime", None, []),
        ("Mars/Olympus", None, []),
    ],
)
def test_a_zone_is_known_by_its_city(said: str, meant: str | None, near: list[str]) -> None:
    found = zone_named(said)
    assert found[0] == meant
    assert set(near) <= set(found[1])


def test_each_place_is_listed_once_and_known_by_its_old_names() -> None:
    listed = listed_zones()
    assert {"Europe/Paris", "Asia/Kolkata", "Europe/Kyiv", "Australia/Sydney", "UTC"} <= listed
    old = {"Asia/Calcutta", "Europe/Kiev", "Australia/NSW", "America/Buenos_Aires", "CET", "Zulu"}
    assert not listed & old
    assert zone_named("Calcutta") == ("Asia/Calcutta", [])
    assert renamed_zones()["Asia/Calcutta"] == "Asia/Kolkata"
    assert not renamed_zones().keys() & listed

"""Joining a table by its link: who gets a seat, who is told what, what the host does about it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import time_machine

from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match, Player, SeatRow
from service.matches import join_links, joining, seating
from service.matches.tables import BotSeat, Guest, OpenSeat, answer
from service.ops import sweep
from tests.support.correspondence import Correspondence
from tests.support.tables import World

BEN = Guest(address="ben@example.org", name="Ben")
ZOE, CAM, DAN, MAX = (f"{name}@example.org" for name in ("zoe", "cam", "dan", "max"))


def link(world: World, match_id: int) -> str:
    """The token of the newest join link."""
    match = world.match(match_id)
    return world.service.keys.token(join_links.PURPOSE, match_id, match.join_links)


def ask(world: World, token: str, address: str, name: str = "") -> None:
    with world.service.database.write() as work:
        joining.ask(
            world.service, work, token, address, name or address.split("@")[0].title(), "en"
        )


def sit(world: World, token: str, address: str) -> None:
    player = world.player(address)
    with world.service.database.write() as work:
        mine = work.session.get_one(Player, player.id)
        joining.sit_down(world.service, work, token, mine)


def confirm(world: World, match_id: int, address: str, said: str = "accept") -> None:
    player = world.player(address)
    token = world.service.keys.token("invitation", match_id, player.id)
    with world.service.database.write() as work:
        answer(world.service, work, token, said)


@contextmanager
def hosted(world: World, match_id: int) -> Iterator[tuple[Work, Match]]:
    """A unit of work in which the host does something."""
    with world.service.database.write() as work:
        yield work, work.session.get_one(Match, match_id)


def row_of(world: World, match_id: int, address: str) -> SeatRow:
    rows = world.match(match_id).invitees
    return next(row for row in rows if row.player is not None and row.player.email == address)


def refused(world: World, token: str, address: str = DAN) -> str:
    with pytest.raises(Refused) as caught:
        ask(world, token, address)
    return caught.value.code


@pytest.mark.on_postgresql
def test_the_last_seat_is_asked_for_and_taken_by_one(world: World, game_key: str) -> None:
    match_id = world.open([BEN, OpenSeat()], game_key)
    token = link(world, match_id)

    def press(address: str) -> str:
        try:
            ask(world, token, address)
        except Refused as error:
            return error.code
        return "asked"

    people = [f"p{n}@example.org" for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(press, people)) == ["asked", *["seats_held"] * 3]
    # Nobody confirms in time: another has the seat, and then both press at once.
    first = next(r for r in world.match(match_id).invitees if r.status == "joining")
    assert first.player is not None
    with world.changing() as work:
        work.session.get_one(SeatRow, first.id).held_until = world.service.now()
    ask(world, token, ZOE)
    with world.changing() as work:
        late = work.session.get_one(SeatRow, row_of(world, match_id, ZOE).id)
        late.held_until = world.service.now()

    def take(address: str) -> str:
        try:
            confirm(world, match_id, address)
        except Refused as error:
            return error.code
        return "taken"

    with ThreadPoolExecutor(2) as pool:
        done = sorted(pool.map(take, [ZOE, first.player.email]))
    assert done == ["table_full", "taken"]
    seats = world.match(match_id).seats
    assert [row.seat for row in seats] == [0, 1, 2]
    assert [row.status for row in seats] == ["accepted", "invited", "accepted"]


def test_the_table_begins_when_all_seats_are_taken(world: World, game_key: str) -> None:
    match_id = world.open([OpenSeat(), OpenSeat()], game_key)
    token = link(world, match_id)
    ask(world, token, ZOE)
    (letter,) = world.letters(match_id, "join")
    assert (letter.player.email, letter.status) == (ZOE, "due")
    sit(world, token, CAM)
    sit(world, token, CAM)
    assert world.match(match_id).status == "inviting"
    confirm(world, match_id, ZOE)
    match = world.match(match_id)
    assert match.status == "playing"
    assert sorted(row.name for row in match.seats) == ["Ana", "Cam", "Zoe"]
    assert refused(world, token) == "begun_without"


def test_the_letter_is_answered_by_mail(world: World, game_key: str) -> None:
    match_id = world.open([BEN, OpenSeat()], game_key)
    ask(world, link(world, match_id), ZOE)
    table = Correspondence(world, match_id)
    address = table.guest_address(world.player(ZOE).id)
    table.send("mallory@example.org", address, "yes")
    assert row_of(world, match_id, ZOE).status == "joining"
    table.send(ZOE, address, "Yes, with pleasure!")
    assert (row_of(world, match_id, ZOE).status, row_of(world, match_id, ZOE).seat) == (
        "accepted",
        2,
    )


def test_a_link_ends(world: World, game_key: str) -> None:
    match_id = world.open([OpenSeat()], game_key)
    first = link(world, match_id)
    ask(world, first, ZOE)
    with hosted(world, match_id) as (work, match):
        seating.make_join_link(world.service, work, match)
    second = link(world, match_id)
    assert first != second
    assert refused(world, first) == "join_revoked"
    with pytest.raises(Refused, match="invitation_withdrawn"):
        confirm(world, match_id, ZOE)
    ask(world, second, ZOE)
    with hosted(world, match_id) as (work, match):
        seating.revoke_join_link(world.service, work, match)
    assert refused(world, second) == "join_revoked"
    with hosted(world, match_id) as (work, match):
        seating.make_join_link(world.service, work, match)
    third = link(world, match_id)
    with time_machine.travel(world.service.now() + join_links.GOOD_FOR, tick=False):
        assert refused(world, third) == "join_expired"
        assert refused(world, "a" * 26) == "unknown_link"
        # The table waits no longer either, and nobody came.
        world.beat()
        assert sweep.sweep(world.service)["tables"] == 1
        world.hear()
    assert world.match(match_id).status == "cancelled"
    assert refused(world, third) == "match_cancelled"


def left(world: World, token: str) -> int:
    with world.service.database.read() as session:
        return joining.find(world.service, session, token).left


@pytest.mark.on_postgresql
def test_who_joins_learns_nothing_of_others(world: World, game_key: str) -> None:
    """The same answer and the same number of seats left for whoever sits there, is asked by name,
    was taken off, wants no letters or has had enough of them, as for a stranger; few letters.
    """
    guests = [BEN, Guest(address=CAM, name="Cam"), Guest(address=MAX)]
    match_id = world.open(guests, game_key)
    confirm(world, match_id, BEN.address)
    with hosted(world, match_id) as (work, match):
        gone = next(row for row in match.invitees if row.name == "Cam")
        seating.free(world.service, work, match, gone.id)
        seating.make_join_link(world.service, work, match)
    dan, begun = world.player(DAN).id, world.service.now()
    with world.service.database.write() as work:
        work.session.get_one(Player, dan).suppressed_at = begun
    token = link(world, match_id)
    addresses = ("ana@example.org", BEN.address, MAX, CAM, DAN, ZOE)
    for after, address in enumerate(addresses):
        with time_machine.travel(begun + 3 * after * joining.HELD_FOR, tick=False):
            assert left(world, token) == 1
            ask(world, token, address)
            assert left(world, token) == 0, address
            assert refused(world, token, address) == "seats_held"
    letters = world.letters(match_id, "join")
    assert [(letter.player.email, letter.status) for letter in letters] == [
        *((address, "suppressed") for address in addresses[:-1]),
        (ZOE, "due"),
    ]
    with pytest.raises(Refused, match="invitation_withdrawn"):
        confirm(world, match_id, CAM)
    statuses = [row.status for row in world.match(match_id).seats]
    assert statuses == ["accepted", "accepted", "empty", "invited"]


def test_an_address_gets_few_letters(world: World, game_key: str) -> None:
    match_id = world.open([BEN, OpenSeat()], game_key)
    token = link(world, match_id)
    for _ in range(joining.LETTERS_A_DAY + 2):
        ask(world, token, ZOE)
        assert left(world, token) == 0
        confirm(world, match_id, ZOE, "decline")
    letters = world.letters(match_id, "join")
    assert len([letter for letter in letters if letter.status == "due"]) == joining.LETTERS_A_DAY
    assert len({letter.dedupe for letter in letters}) == len(letters) == joining.LETTERS_A_DAY + 2


def test_asking_again_keeps_a_seat_no_longer(world: World, game_key: str) -> None:
    match_id = world.open([OpenSeat(), OpenSeat()], game_key)
    token, begun = link(world, match_id), world.service.now()
    for hours in (0, 1):
        with time_machine.travel(begun + dt.timedelta(hours=hours), tick=False):
            ask(world, token, ZOE)
            assert left(world, token) == 1
    assert len(world.letters(match_id, "join")) == 2
    with time_machine.travel(begun + joining.HELD_FOR, tick=False):
        assert left(world, token) == 2


def test_a_link_does_not_rename_whom_the_host_has_named(world: World, game_key: str) -> None:
    """Whoever has the link may type any name to any address."""
    cam = Guest(address=CAM, name="Cam", lang="fr")
    match_id = world.open([cam, OpenSeat(), OpenSeat()], game_key)
    confirm(world, match_id, CAM, "decline")
    for _ in range(2):
        ask(world, link(world, match_id), CAM, "Mallory")
    row = row_of(world, match_id, CAM)
    assert (row.status, row.name, row.lang) == ("joining", "Cam", "fr")
    ask(world, link(world, match_id), ZOE, "Zed")
    ask(world, link(world, match_id), ZOE, "Zoe")
    assert row_of(world, match_id, ZOE).name == "Zoe"


@pytest.mark.on_postgresql
def test_a_seat_kept_for_somebody_is_not_given_away(world: World, game_key: str) -> None:
    match_id = world.open([OpenSeat(), OpenSeat()], game_key)
    ask(world, link(world, match_id), ZOE)
    bot = BotSeat(bot=_bots(game_key)[0])
    with hosted(world, match_id) as (work, match):
        seating.fill(world.service, work, match, match.empty_seats[0].id, bot)
    for other in (bot, BEN):
        with (
            pytest.raises(Refused, match="seat_kept"),
            hosted(world, match_id) as (work, match),
        ):
            seating.fill(world.service, work, match, match.empty_seats[0].id, other)
    with hosted(world, match_id) as (work, match):
        seating.make_join_link(world.service, work, match)
        seating.fill(world.service, work, match, match.empty_seats[0].id, BEN)
    assert [row.status for row in world.match(match_id).seats][1:] == ["accepted", "invited"]


def test_a_table_has_only_so_many_letters_sent(world: World, game_key: str) -> None:
    match_id = world.open([OpenSeat()], game_key)
    token = link(world, match_id)
    for n in range(joining.LETTERS_OF_A_TABLE):
        ask(world, token, f"p{n}@example.org")
        confirm(world, match_id, f"p{n}@example.org", "decline")
    assert refused(world, token) == "joined_often"


def test_the_host_hears_of_a_decline_and_fills_the_seat(world: World, game_key: str) -> None:
    match_id = world.open([BEN, Guest(address=CAM, name="Cam")], game_key)
    confirm(world, match_id, CAM)
    confirm(world, match_id, BEN.address, "decline")
    (letter,) = world.letters(match_id, "declined")
    assert (letter.player.email, letter.status) == ("ana@example.org", "due")
    match = world.match(match_id)
    assert (match.status, [row.seat for row in match.empty_seats]) == ("inviting", [1])
    empty = match.empty_seats[0].id
    with pytest.raises(Refused, match="asked_before"), hosted(world, match_id) as (work, match):
        seating.fill(world.service, work, match, empty, BEN)
    with hosted(world, match_id) as (work, match):
        bot = next(iter(_bots(game_key)))
        seating.fill(world.service, work, match, empty, BotSeat(bot=bot))
    match = world.match(match_id)
    assert match.status == "playing"
    assert match.seats[0].name == "Ana"
    assert {row.bot for row in match.seats} == {None, bot}
    assert len(match.seats) == 3


def _bots(game_key: str) -> list[str]:
    from engine.games import games

    return list(games()[game_key].bots)


def test_a_seat_is_given_to_another_or_waited_for(world: World, game_key: str) -> None:
    match_id = world.open([BEN, Guest(address=CAM, name="Cam")], game_key)
    silent = row_of(world, match_id, CAM)
    with hosted(world, match_id) as (work, match):
        seating.free(world.service, work, match, silent.id)
    confirm(world, match_id, BEN.address)
    match = world.match(match_id)
    assert match.status == "inviting"
    with hosted(world, match_id) as (work, match):
        guest = Guest(address=DAN, name="Dan")
        seating.fill(world.service, work, match, match.empty_seats[0].id, guest)
    with pytest.raises(Refused, match="invitation_withdrawn"):
        confirm(world, match_id, CAM)
    confirm(world, match_id, DAN)
    match = world.match(match_id)
    assert (match.status, [row.name for row in match.seats]) == ("playing", ["Ana", "Ben", "Dan"])


@pytest.mark.on_postgresql
@pytest.mark.parametrize("filled", ["guest", "link"])
def test_a_seat_filled_again_keeps_its_place(world: World, game_key: str, filled: str) -> None:
    """Who takes a seat in the middle sits there, and the one who was to begin begins."""
    for first, begins in ((1, "Dan"), (2, "Cam")):
        guests = [BEN, Guest(address=CAM, name="Cam")]
        match_id = world.open(guests, game_key, options={"first": first})
        confirm(world, match_id, BEN.address, "decline")
        with hosted(world, match_id) as (work, match):
            if filled == "guest":
                dan, empty = Guest(address=DAN, name="Dan"), match.empty_seats[0].id
                seating.fill(world.service, work, match, empty, dan)
            else:
                seating.make_join_link(world.service, work, match)
        if filled == "link":
            ask(world, link(world, match_id), DAN)
        confirm(world, match_id, DAN)
        confirm(world, match_id, CAM)
        match = world.match(match_id)
        assert (match.status, [row.name for row in match.seats]) == (
            "playing",
            ["Ana", "Dan", "Cam"],
        )
        assert match.seats[world.awaited(match_id).seat].name == begins


def test_an_empty_seat_in_the_middle_is_closed_in_order(world: World, game_key: str) -> None:
    """The guest who was asked last sits in front of it, and the next after it begins."""
    guests = [BEN, Guest(address=CAM, name="Cam"), Guest(address=ZOE, name="Zoe")]
    match_id = world.open(guests, game_key, options={"first": 2})
    confirm(world, match_id, BEN.address, "decline")
    confirm(world, match_id, CAM, "decline")
    with hosted(world, match_id) as (work, match):
        dan, empty = Guest(address=DAN, name="Dan"), match.empty_seats[0].id
        seating.fill(world.service, work, match, empty, dan)
    assert [row.name for row in world.match(match_id).seats] == ["Ana", "Dan", "", "Zoe"]
    confirm(world, match_id, DAN)
    confirm(world, match_id, ZOE)
    world.wait_out(match_id)
    match = world.match(match_id)
    assert [row.name for row in match.seats] == ["Ana", "Dan", "Zoe"]
    assert match.seats[world.awaited(match_id).seat].name == "Zoe"


def test_a_guest_is_reminded_once(world: World, game_key: str) -> None:
    begun = world.service.now()
    with time_machine.travel(begun, tick=False):
        match_id = world.open([BEN], game_key)
        world.hear(mail=True)
        guest = row_of(world, match_id, BEN.address).id

    def remind() -> None:
        with hosted(world, match_id) as (work, match):
            seating.remind(world.service, work, match, guest)

    a_day_later = time_machine.travel(begun + dt.timedelta(days=1), tick=False)
    with a_day_later, pytest.raises(Refused, match="remind_later"):
        remind()
    with time_machine.travel(begun + dt.timedelta(days=2), tick=False):
        remind()
        with pytest.raises(Refused, match="reminded"):
            remind()
        world.hear(mail=True)
    assert [to for _, to, _ in world.post.sent] == [BEN.address] * 2
    assert b"A reminder" in world.post.sent[1][2]
    confirm(world, match_id, BEN.address)
    with pytest.raises(Refused, match="has_begun"):
        remind()

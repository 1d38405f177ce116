"""What a host can do: before the match begins, and when somebody is in its way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import time_machine

from engine.games import games
from engine.protocol import HasFirstPlayer
from service.access.links import Links
from service.core import locks
from service.core.errors import Refused
from service.core.keys import seat_scope
from service.core.letter_details import CancelledDetails, News
from service.core.models import Alias, Match, Player, SeatRow
from service.core.statuses import LetterStatus, StopReason, TimeoutPolicy
from service.mail.send import delivery
from service.matches import hosting, journal, leaving
from service.matches.rematch import rematch
from service.matches.tables import BotSeat, Guest, answer
from service.players import bounces
from service.players.accounts import meet
from service.time.terms import Terms, terms_of
from tests.support.tables import World

BEN = Guest(address="ben@example.org", name="Ben")
ZOE = Guest(address="zoe@example.org", name="Zoé", lang="fr")
MAX = Guest(address="max@example.org", name="Max")


def do(world: World, match_id: int, act: Callable[..., Any], *more: Any) -> Any:
    with world.service.database.write() as work:
        return act(world.service, work, locks.lock_number(world.service, work, match_id), *more)


def reply(world: World, match_id: int, address: str, said: str) -> SeatRow:
    player = world.player(address)
    token = world.service.keys.token("invitation", match_id, player.id)
    with world.service.database.write() as work:
        return answer(world.service, work, token, said)


def row_of(world: World, match_id: int, address: str) -> SeatRow:
    match = world.match(match_id)
    return next(r for r in match.invitees if r.player is not None and r.player.email == address)


def started(world: World, game_key: str, *others: Guest | BotSeat) -> int:
    return world.begun(others or (BEN, ZOE), game_key)


def codes(world: World, match_id: int) -> list[tuple[str, int | None]]:
    return [(x.details_as(News).code, x.seat) for x in world.letters(match_id, "news")]


@pytest.mark.on_postgresql
def test_an_address_is_corrected_once_and_no_address_gets_two_letters(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN, ZOE], game_key)
    ben, zoe = row_of(world, match_id, BEN.address), row_of(world, match_id, ZOE.address)
    for _ in range(2):
        do(world, match_id, hosting.correct, ben.id, MAX)
    asked = [x.player.email for x in world.letters(match_id, "invitation")]
    assert sorted(asked) == sorted((BEN.address, ZOE.address, MAX.address))
    before = row_of(world, match_id, BEN.address)
    assert (before.status, before.seat) == ("withdrawn", None)
    assert row_of(world, match_id, MAX.address).seat == ben.seat
    for guest, address, code in (
        (ben, BEN, "asked_before"),
        (ben, ZOE, "same_address"),
        (zoe, Guest(address="zoe@"), "bad_address"),
        (world.match(match_id).invitees[0], MAX, "own_seat"),
    ):
        with pytest.raises(Refused) as caught:
            do(world, match_id, hosting.correct, guest.id, address)
        assert caught.value.code == code
    reply(world, match_id, ZOE.address, "accept")
    with pytest.raises(Refused, match="has_answered"):
        do(world, match_id, hosting.correct, zoe.id, BEN)


def test_a_correction_does_not_tell_whose_an_address_is(world: World, game_key: str) -> None:
    match_id = world.open([BEN, ZOE], game_key)
    ben = row_of(world, match_id, BEN.address)
    with world.service.database.write() as work:
        now = world.service.now()
        work.session.add(Alias(player_id=ben.player_id, email="b@example.org", confirmed_at=now))
    do(world, match_id, hosting.correct, ben.id, Guest(address="b@example.org"))
    assert len(world.letters(match_id, "invitation")) == 2
    match = world.match(match_id)
    with world.service.database.read() as session:
        told = hosting.invitations(session, match)
    assert told[ben.player_id or 0].address == "b@example.org"


def test_of_the_same_table_again_its_host_is_told_no_address(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    key = world.service.keys.issue
    with world.service.database.write() as work:
        token = key(work.session, "rematch", match_id, 1, match_id=match_id, seat=1)
        again = rematch(world.service, work, token).id
    with world.service.database.read() as session:
        told = hosting.invitations(session, world.match(again))
    assert [one.address for one in told.values()] == ["", ""]


def test_a_table_that_has_not_begun_is_called_off(world: World, game_key: str) -> None:
    match_id = world.open([BEN, ZOE], game_key)
    reply(world, match_id, "ben@example.org", "accept")
    for _ in range(2):
        do(world, match_id, hosting.withdraw)
    assert world.match(match_id).status == "cancelled"
    (letter,) = world.letters(match_id, "cancelled")
    assert (letter.player.email, letter.details) == (
        "ben@example.org",
        CancelledDetails(why="withdrawn"),
    )
    assert delivery.deliver(world.service, world.post, letter.id)
    for asked in world.letters(match_id, "invitation"):
        delivery.deliver(world.service, world.post, asked.id)
    assert [to for _, to, _ in world.post.sent] == ["ben@example.org"], "nobody else is written to"
    with pytest.raises(Refused, match="match_cancelled"):
        reply(world, match_id, "zoe@example.org", "accept")


def test_a_match_that_has_begun_cannot_be_called_off(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    ben = row_of(world, match_id, "ben@example.org")
    for act in (hosting.withdraw, hosting.start_without):
        with pytest.raises(Refused, match="has_begun"):
            do(world, match_id, act)
    with pytest.raises(Refused, match="has_begun"):
        do(world, match_id, hosting.remove_guest, ben.id)


@pytest.mark.on_postgresql
def test_it_begins_without_who_does_not_answer(world: World, game_key: str) -> None:
    match_id = world.open([BEN, ZOE], game_key)
    with pytest.raises(Refused, match="too_few"):
        do(world, match_id, hosting.start_without)
    assert world.match(match_id).status == "inviting"
    reply(world, match_id, "zoe@example.org", "accept")
    do(world, match_id, hosting.start_without)
    match = world.match(match_id)
    assert match.status == "playing"
    assert [row.name for row in match.seats] == ["Ana", "Zoé"]
    assert row_of(world, match_id, "ben@example.org").status == "withdrawn"
    with pytest.raises(Refused, match="invitation_withdrawn"):
        reply(world, match_id, "ben@example.org", "accept")


def test_a_guest_is_taken_off_before_it_begins(world: World, game_key: str) -> None:
    match_id = world.open([BEN, ZOE, MAX], game_key)
    reply(world, match_id, "ben@example.org", "accept")
    do(world, match_id, hosting.remove_guest, row_of(world, match_id, "ben@example.org").id)
    (letter,) = world.letters(match_id, "cancelled")
    assert (letter.player.email, letter.details) == (
        "ben@example.org",
        CancelledDetails(why="removed"),
    )
    assert delivery.deliver(world.service, world.post, letter.id)
    reply(world, match_id, "zoe@example.org", "accept")
    assert world.match(match_id).status == "inviting"
    do(world, match_id, hosting.remove_guest, row_of(world, match_id, "max@example.org").id)
    match = world.match(match_id)
    assert (match.status, [row.name for row in match.seats]) == ("playing", ["Ana", "Zoé"])
    told = [letter.player.email for letter in world.letters(match_id, "cancelled")]
    assert told == ["ben@example.org"], "nothing to who had not answered"


@pytest.mark.on_postgresql
def test_who_was_taken_off_has_no_seat(world: World, game_key: str) -> None:
    """The others move up at once, and the one who was to begin stays the one."""
    match_id = world.open([BEN, ZOE, MAX], game_key, options={"first": 3})
    for person in (BEN, ZOE):
        reply(world, match_id, person.address, "accept")
    for person, left in ((BEN, ["Ana", "Zoé", "Max"]), (ZOE, ["Ana", "Max"])):
        do(world, match_id, hosting.remove_guest, row_of(world, match_id, person.address).id)
        match = world.match(match_id)
        assert [(row.seat, row.name) for row in match.seats] == list(enumerate(left))
    told = [letter.player.email for letter in world.letters(match_id, "cancelled")]
    assert told == [BEN.address, ZOE.address]
    reply(world, match_id, MAX.address, "accept")
    match = world.match(match_id)
    assert match.seats[world.awaited(match_id).seat].name == "Max"


def test_whom_the_host_cannot_take_off(world: World, game_key: str) -> None:
    match_id = world.open([BEN], game_key)
    match = world.match(match_id)
    with pytest.raises(Refused, match="own_seat"):
        do(world, match_id, hosting.remove_guest, match.invitees[0].id)
    with pytest.raises(Refused, match="no_such_guest"):
        do(world, match_id, hosting.remove_guest, 999)
    with pytest.raises(Refused, match="too_few"):
        do(world, match_id, hosting.remove_guest, match.invitees[1].id)
    assert world.match(match_id).status == "inviting"


def test_a_player_is_removed_and_a_bot_plays_on(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    do(world, match_id, hosting.remove, 1)
    seat = world.match(match_id).seats[1]
    assert (seat.left_why, seat.stand_in) == ("removed", list(games()[game_key].bots)[-1])
    assert sorted(codes(world, match_id)) == [("left", 0), ("left", 1), ("left", 2)]
    with pytest.raises(Refused, match="own_seat"):
        do(world, match_id, hosting.remove, 0)
    with pytest.raises(Refused, match="no_such_guest"):
        do(world, match_id, hosting.remove, 7)


def test_more_days_are_given_and_told(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    row = world.awaited(match_id)
    assert row.deadline is not None
    do(world, match_id, hosting.extend, row.seat, 2)
    later = world.awaited(match_id).deadline
    assert later is not None
    assert later - row.deadline >= dt.timedelta(days=2)
    assert sorted(codes(world, match_id)) == [("extended", seat) for seat in range(3)]
    with pytest.raises(Refused, match="no_clock"):
        do(world, match_id, hosting.extend, (row.seat + 1) % 3, 2)
    with pytest.raises(Refused, match="bad_days"):
        do(world, match_id, hosting.extend, row.seat, 0)


def successor(world: World, match_id: int, seat: int, guest: Guest = MAX) -> SeatRow:
    return do(world, match_id, hosting.replace, seat, guest)  # type: ignore[no-any-return]


def waiting_seat(world: World, match_id: int) -> int:
    """A match that waits for a seat other than the host's."""
    while (seat := world.awaited(match_id).seat) == 0:
        world.submit(match_id)
        world.hear()
    return seat


def test_somebody_new_is_asked_and_the_clock_stands(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    seat = waiting_seat(world, match_id)
    successor(world, match_id, seat)
    row = world.awaited(match_id)
    assert (row.held, row.deadline) == ("replaced", None)
    assert [row.name for row in world.match(match_id).seats] == ["Ana", "Ben", "Zoé"]
    (letter,) = [
        x for x in world.letters(match_id, "invitation") if x.player.email == "max@example.org"
    ]
    assert delivery.deliver(world.service, world.post, letter.id)
    assert b"play on for" in world.post.sent[-1][2]
    with pytest.raises(Refused, match="asked_already"):
        successor(world, match_id, seat, Guest(address="eve@example.org"))
    assert {code for code, _ in codes(world, match_id)} == {"replacing"}


@pytest.mark.parametrize("how", ["decline", "never", "host"])
def test_who_does_not_come_changes_nothing(world: World, game_key: str, how: str) -> None:
    match_id = started(world, game_key)
    seat = waiting_seat(world, match_id)
    before = world.match(match_id).seats[seat].player_id
    successor(world, match_id, seat)
    if how == "host":
        do(world, match_id, hosting.stop_replacing, seat)
        with pytest.raises(Refused, match="nobody_asked"):
            do(world, match_id, hosting.stop_replacing, seat)
        with pytest.raises(Refused, match="invitation_withdrawn"):
            reply(world, match_id, "max@example.org", "accept")
    else:
        reply(world, match_id, "max@example.org", how)
    row = world.awaited(match_id)
    assert row.held is None
    assert row.deadline is not None
    assert world.match(match_id).seats[seat].player_id == before
    assert "not_replaced" in {code for code, _ in codes(world, match_id)}
    with pytest.raises(Refused, match="asked_before"):
        successor(world, match_id, seat)


def test_who_comes_takes_the_seat_and_its_keys(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    seat = waiting_seat(world, match_id)
    service, asked = world.service, world.awaited(match_id)
    keys = service.keys
    old = world.match(match_id).seats[seat]
    tokens = {
        "seat": keys.token("seat", *seat_scope(old)),
        "decision": keys.token("decision", *seat_scope(old, asked.decision)),
        "reply": keys.token("reply", match_id, seat, asked.decision, 0),
    }
    unsent = [x for x in world.letters(match_id) if x.seat == seat and x.due_at is not None]
    assert unsent
    successor(world, match_id, seat)
    row = reply(world, match_id, "max@example.org", "accept")
    assert (row.seat, row.occupancy, row.name, row.status) == (seat, 1, "Max", "accepted")
    match = world.match(match_id)
    assert [r.name for r in match.invitees] == [
        "Max" if r.seat == seat else r.name for r in match.invitees
    ]
    assert len(match.invitees) == 3
    with service.database.read() as session:
        for purpose, token in tokens.items():
            assert keys.find(session, token, purpose) is None
        links = Links(service)
        fresh = session.get_one(Match, match_id)
        for purpose, link in (
            ("seat", links.seat(fresh, seat)),
            ("decision", links.turn(fresh, seat, asked.decision)),
        ):
            found = keys.find(session, link.rpartition("/")[2], purpose)
            assert found is not None
            assert found.seat == seat
        assert keys.find(session, keys.token("reply", match_id, seat, "", 1), "reply")
    mine = [x for x in world.letters(match_id) if x.player.email == "max@example.org"]
    assert {x.kind for x in mine} - {"reminder"} == {"invitation", "start", "turn"}
    for letter in [x for x in mine if x.kind in ("start", "turn")]:
        assert delivery.deliver(service, world.post, letter.id)
    assert all(
        x.status == "dropped" for x in world.letters(match_id) if x.id in {u.id for u in unsent}
    )
    row_now = world.awaited(match_id)
    assert (row_now.held, row_now.deadline is not None) == (None, True)
    assert "replaced" in {code for code, _ in codes(world, match_id)}
    world.submit(match_id)
    world.hear()
    assert world.match(match_id).last_entry > 0


@pytest.mark.on_postgresql
def test_a_letter_to_who_gave_the_seat_up_is_never_written(world: World, game_key: str) -> None:
    """Its links would be those of the new player."""
    match_id = started(world, game_key)
    seat = waiting_seat(world, match_id)
    (letter,) = [x for x in world.letters(match_id, "turn") if x.seat == seat][-1:]
    successor(world, match_id, seat)
    reply(world, match_id, "max@example.org", "accept")
    with world.service.database.write() as work:
        stray = work.session.merge(letter)
        stray.status, stray.due_at = LetterStatus.DUE, world.service.now()
        stray.decision = None
    assert not delivery.deliver(world.service, world.post, letter.id)
    assert world.post.sent == []
    assert next(x for x in world.letters(match_id) if x.id == letter.id).status == "dropped"


@pytest.mark.on_postgresql
def test_a_removed_players_seat_is_taken_over_from_the_bot(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    do(world, match_id, hosting.remove, 1)
    successor(world, match_id, 1)
    reply(world, match_id, "max@example.org", "accept")
    seat = world.match(match_id).seats[1]
    assert (seat.played_by, seat.left_at, seat.left_entry, seat.occupancy) == (None, None, None, 1)
    with world.service.database.read() as session:
        assert journal.leavings(session.get_one(Match, match_id)) == []


def test_who_cannot_be_asked(world: World, game_key: str) -> None:
    match_id = started(world, game_key, BEN, BotSeat(bot="random"))
    with pytest.raises(Refused, match="own_seat"):
        successor(world, match_id, 0)
    with pytest.raises(Refused, match="no_such_guest"):
        successor(world, match_id, 2)
    with pytest.raises(Refused, match="same_address"):
        successor(world, match_id, 1, Guest(address="ana@example.org"))
    with pytest.raises(Refused, match="bad_address"):
        successor(world, match_id, 1, Guest(address="nobody"))
    no = world.player("no@example.org")
    with world.service.database.write() as work:
        work.session.get_one(Player, no.id).suppressed_at = world.service.now()
    gone = world.player("gone@example.org")
    with world.service.database.write() as work:
        bounces.stop(world.service, work, work.session.get_one(Player, gone.id), StopReason.BOUNCES)
    for address in ("no@example.org", "gone@example.org"):
        with pytest.raises(Refused, match="unwanted"):
            successor(world, match_id, 1, Guest(address=address))
    assert world.letters(match_id, "news") == []


def test_an_answer_after_the_end_is_refused(world: World, game_key: str) -> None:
    match_id = started(world, game_key, BEN)
    successor(world, match_id, 1)
    do(world, match_id, leaving.resign, 1)
    with pytest.raises(Refused, match="not_playing"):
        reply(world, match_id, "max@example.org", "accept")


@pytest.mark.on_postgresql
def test_a_letter_is_sent_again_under_another_name(world: World, game_key: str) -> None:
    match_id = started(world, game_key)
    seat = world.awaited(match_id).seat
    world.hear(mail=True)
    before = len(world.post.sent)
    do(world, match_id, hosting.resend, seat)
    world.hear(mail=True)
    assert len(world.post.sent) == before + 1
    first, again = [x for x in world.letters(match_id, "turn") if x.seat == seat]
    assert again.dedupe == f"{first.dedupe}.again.1"
    with pytest.raises(Refused, match="resent_lately"):
        do(world, match_id, hosting.resend, seat)
    with time_machine.travel(world.service.now() + dt.timedelta(hours=2)):
        do(world, match_id, hosting.resend, seat)
    assert world.letters(match_id, "turn")[-1].dedupe == f"{first.dedupe}.again.2"


def test_what_was_never_sent_is_not_sent_again(world: World, game_key: str) -> None:
    match_id = started(world, game_key, MAX)
    with pytest.raises(Refused, match="nothing_to_resend"):
        do(world, match_id, hosting.resend, 1)


def test_a_rematch_has_the_same_terms_and_the_next_seat_begins(world: World, game_key: str) -> None:
    game = games()[game_key]
    assert isinstance(game, HasFirstPlayer)
    terms = Terms(
        pace_days=2, bank_hours=48, increment_hours=6, timeout=TimeoutPolicy.BOT, hold_minutes=5
    )
    match_id = world.begun([BEN, ZOE], game_key, **msgspec.structs.asdict(terms))
    with world.service.database.read() as session:
        old = session.get_one(Match, match_id)
        began = game.first_player(journal.position(session, old, 0).state)
        names = [row.name for row in old.seats]
    for seat in (1, 2):
        do(world, match_id, leaving.resign, seat)
    with world.service.database.write() as work:
        token = world.service.keys.token("rematch", match_id, 1)
        new_id = rematch(world.service, work, token).id
    for person in ("ana", "zoe"):
        reply(world, new_id, f"{person}@example.org", "accept")
    new = world.match(new_id)
    assert terms_of(new) == terms
    assert [row.name for row in new.seats] == ["Ben", "Zoé", "Ana"]
    assert new.seats[world.awaited(new_id).seat].name == names[(began + 1) % 3]


@pytest.mark.on_postgresql
def test_the_next_begins_if_who_was_to_begin_does_not_come(world: World, game_key: str) -> None:
    game = games()[game_key]
    assert isinstance(game, HasFirstPlayer)
    for declines, first, begins in (("ben", 1, "Zoé"), ("zoe", 2, "Ana"), ("ben", 2, "Zoé")):
        match_id = world.open([BEN, ZOE], game_key, options={"first": first})
        for person in ("ben", "zoe"):
            said = "decline" if person == declines else "accept"
            reply(world, match_id, f"{person}@example.org", said)
        world.wait_out(match_id)
        match = world.match(match_id)
        assert match.status == "playing"
        assert match.seats[world.awaited(match_id).seat].name == begins


def test_another_address_of_a_player_is_that_player(world: World, game_key: str) -> None:
    """Who sits there already, or comes, has one account, whatever address the host knows."""
    match_id = started(world, game_key)
    with world.service.database.write() as work:
        for owner, email in (
            ("ben@example.org", "work@ben.example"),
            ("max@example.org", "m@x.org"),
        ):
            whose = meet(world.service, work.session, owner)
            confirmed = world.service.now()
            work.session.add(Alias(player_id=whose.id, email=email, confirmed_at=confirmed))
        ben = meet(world.service, work.session, "ben@example.org").id
        work.session.add(Alias(player_id=ben, email="not@yet.example", confirmed_at=None))
    zoe = row_of(world, match_id, "zoe@example.org").seat
    with pytest.raises(Refused, match="same_address") as refused:
        do(world, match_id, hosting.replace, zoe, Guest(address="work@ben.example"))
    assert refused.value.context["address"] == "work@ben.example", "not the one that was not told"
    asked = do(world, match_id, hosting.replace, zoe, Guest(address="M@X.org"))
    assert asked.player.email == "max@example.org"
    reply(world, match_id, "max@example.org", "accept")
    assert row_of(world, match_id, "max@example.org").seat == zoe
    later = do(world, match_id, hosting.replace, zoe, Guest(address="not@yet.example"))
    assert later.player.email == "not@yet.example"

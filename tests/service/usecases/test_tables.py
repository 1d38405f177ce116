"""Opening a table and answering invitations."""

from __future__ import annotations

import threading

import msgspec
import pytest

from service.core import locks
from service.core.errors import Refused
from service.core.statuses import MatchStatus, TimeoutPolicy
from service.matches.rematch import rematch
from service.matches.tables import BotSeat, Guest, answer
from service.time.terms import Terms, terms_of, timeout_policy
from tests.support.tables import World

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")
CAM = Guest(address="cam@example.org", name="Cam")


def reply(world: World, match_id: int, address: str, what: str) -> None:
    player = world.player(address)
    token = world.service.keys.token("invitation", match_id, player.id)
    with world.service.database.write() as work:
        answer(world.service, work, token, what)


def test_guests_are_invited_and_nothing_is_dealt_before_they_answer(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN, CAM], game_key)
    match = world.match(match_id)
    assert match.status == "inviting"
    assert match.setup is None
    assert [(x.kind, x.player.email) for x in world.letters(match_id)] == [
        ("invitation", "ben@example.org"),
        ("invitation", "cam@example.org"),
    ]


def test_it_starts_with_the_last_answer(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key)
    reply(world, match_id, "cam@example.org", "accept")
    assert world.match(match_id).status == "inviting"
    reply(world, match_id, "ben@example.org", "accept")
    match = world.match(match_id)
    assert match.status == "playing"
    assert [row.name for row in match.seats] == ["Ana", "Ben", "Cam"]
    kinds = sorted(x.kind for x in world.letters(match_id) if x.kind in ("start", "turn"))
    assert kinds == ["start", "start", "turn"]


def test_bots_need_no_invitation(world: World, game_key: str) -> None:
    match_id = world.open([BotSeat(bot="random")], game_key)
    assert world.match(match_id).status == "playing"


def test_who_declines_leaves_no_gap(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key)
    reply(world, match_id, "ben@example.org", "decline")
    reply(world, match_id, "cam@example.org", "accept")
    assert world.match(match_id).status == "inviting", "its host may fill the seat"
    world.wait_out(match_id)
    match = world.match(match_id)
    assert match.status == "playing"
    assert [(row.seat, row.name) for row in match.seats] == [(0, "Ana"), (1, "Cam")]


def test_when_nobody_comes_the_host_is_told(world: World, game_key: str) -> None:
    match_id = world.open([BEN], game_key)
    reply(world, match_id, "ben@example.org", "decline")
    world.wait_out(match_id)
    assert world.match(match_id).status == "cancelled"
    assert [(x.kind, x.player.email) for x in world.letters(match_id, "cancelled")] == [
        ("cancelled", "ana@example.org")
    ]


def test_answering_twice_the_same_changes_nothing(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key)
    reply(world, match_id, "ben@example.org", "accept")
    reply(world, match_id, "ben@example.org", "accept")
    with pytest.raises(Refused, match="already_answered"):
        reply(world, match_id, "ben@example.org", "decline")
    assert world.match(match_id).status == "inviting"


def test_never_again_is_kept(world: World, game_key: str) -> None:
    match_id = world.open([BEN, CAM], game_key)
    reply(world, match_id, "ben@example.org", "never")
    with pytest.raises(Refused) as caught:
        world.open([BEN], game_key)
    assert (caught.value.code, caught.value.context["address"]) == ("unwanted", "ben@example.org")
    assert world.player("ben@example.org").suppressed_at is not None


@pytest.mark.parametrize(
    ("others", "more", "code"),
    [
        ([], {}, "bad_seats"),
        ([CAM] * 9, {}, "bad_seats"),
        ([BEN, BEN], {}, "same_address"),
        ([Guest(address="ana@example.org")], {}, "same_address"),
        ([Guest(address="nobody")], {}, "bad_address"),
        ([BotSeat(bot="oracle")], {}, "unknown_bot"),
        ([BEN], {"pace_days": 0}, "bad_pace"),
        ([BEN], {"pace_days": 31}, "bad_pace"),
        ([BEN], {"bank_hours": 23}, "bad_bank"),
        ([BEN], {"increment_hours": 12}, "bad_increment"),
        ([BEN], {"playing_days": 0}, "no_playing_day"),
        ([BEN], {"hold_minutes": 121}, "bad_hold"),
    ],
)
def test_a_table_that_cannot_be_opened_leaves_nothing(
    world: World, game_key: str, others: list[Guest | BotSeat], more: dict[str, int], code: str
) -> None:
    with pytest.raises(Refused) as caught:
        world.open(others, game_key, **more)
    assert caught.value.code == code
    assert world.letters() == []
    assert world.jobs.enqueued == []


def test_an_unknown_wish_for_when_time_is_up_is_refused() -> None:
    with pytest.raises(Refused, match="bad_timeout"):
        timeout_policy("shout")


def test_an_unknown_game_is_refused(world: World) -> None:
    with pytest.raises(Refused, match="unknown_game"):
        world.open([BEN], "chess")


@pytest.mark.parametrize("token", ["", "x" * 26, "a" * 25, "../" * 9, "A" * 26, "é" * 26])
def test_a_forged_invitation_opens_nothing(world: World, token: str) -> None:
    with pytest.raises(Refused, match="unknown_link"), world.service.database.write() as work:
        answer(world.service, work, token, "accept")


def test_never_again_does_not_stop_the_letters_of_a_table_one_sits_at(
    world: World, game_key: str
) -> None:
    first = world.begun([BEN], game_key)
    second = world.open([BEN, CAM], game_key)
    reply(world, second, "ben@example.org", "never")
    for _ in range(2):
        world.submit(first)
        world.hear()
    turns = [x for x in world.letters(first, "turn") if x.player.email == "ben@example.org"]
    assert turns
    assert all(letter.status == "due" for letter in turns)


def test_never_again_after_having_accepted_is_kept_and_the_seat_too(
    world: World, game_key: str
) -> None:
    match_id = world.open([BEN, CAM], game_key)
    reply(world, match_id, "ben@example.org", "accept")
    reply(world, match_id, "ben@example.org", "never")
    assert world.player("ben@example.org").suppressed_at is not None
    assert [row.status for row in world.match(match_id).seats] == [
        "accepted",
        "accepted",
        "invited",
    ]


def test_an_invitation_in_another_language_leaves_the_players_own(
    world: World, game_key: str
) -> None:
    world.player("ben@example.org", lang="fr")
    world.begun([Guest(address="ben@example.org", lang="en")], game_key)
    assert world.player("ben@example.org").lang == "fr"


def test_a_rematch_that_was_called_off_can_be_asked_again(world: World, game_key: str) -> None:
    match_id = world.begun([BEN], game_key)
    while world.match(match_id).status == "playing":
        world.submit(match_id)
        world.hear()

    def again() -> int:
        with world.service.database.write() as work:
            return rematch(world.service, work, world.service.keys.token("rematch", match_id, 0)).id

    second = again()
    assert again() == second, "asked twice it is the same"
    reply(world, second, "ben@example.org", "decline")
    world.wait_out(second)
    assert world.match(second).status == "cancelled"
    assert again() not in (match_id, second)


def test_a_rematch_is_played_by_the_same_terms(world: World, game_key: str) -> None:
    terms = Terms(
        pace_days=0,
        bank_hours=240,
        increment_hours=6,
        playing_days=0b0011111,
        timeout=TimeoutPolicy.BOT,
        hold_minutes=5,
    )
    match_id = world.open([BotSeat(bot="random")], game_key, **msgspec.structs.asdict(terms))
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        match.status = MatchStatus.ENDED
        row = next(row for row in match.seats if row.player is not None)
        token = world.service.keys.issue(
            work.session, "rematch", match.id, row.seat, match_id=match.id, seat=row.seat
        )
    with world.service.database.write() as work:
        again = rematch(world.service, work, token)
        assert terms_of(again) == terms


def test_a_rematch_has_what_came_to_its_game_since(world: World) -> None:
    """Its old match lacks the option, as those that began before it do."""
    match_id = world.open([BotSeat(bot="random")] * 2, "fire_and_stone")
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        kept = msgspec.json.decode(match.options)
        del kept["plays_forced"]
        match.options = msgspec.json.encode(kept)
        match.status = MatchStatus.ENDED
        row = next(row for row in match.seats if row.player is not None)
        token = world.service.keys.issue(
            work.session, "rematch", match.id, row.seat, match_id=match.id, seat=row.seat
        )
    with world.service.database.write() as work:
        again = msgspec.json.decode(rematch(world.service, work, token).options)
        assert again["plays_forced"] is True
        assert again.keys() >= kept.keys()


def test_two_first_meetings_at_once_are_one_player(world: World) -> None:
    met: list[int] = []

    def meet_ben() -> None:
        met.append(world.player("ben@example.org").id)

    threads = [threading.Thread(target=meet_ben) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(met) == 6
    assert len(set(met)) == 1

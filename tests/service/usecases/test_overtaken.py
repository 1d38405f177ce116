"""What was read before a match was had is read again: everybody acts on the match as they get it.

On PostgreSQL; on SQLite a unit of work has the whole database to itself from its beginning.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import func, select

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import News
from service.core.locks import LockedMatch
from service.core.models import (
    DecisionRow,
    EntryRow,
    InboundMail,
    Letter,
    Match,
    Pause,
    Player,
    Submission,
    TableMessage,
)
from service.core.statuses import LetterStatus, StopReason, SubmissionStatus, TimeoutPolicy
from service.mail.commands import unsubscribing
from service.mail.receive import inbound
from service.mail.send import delivery
from service.matches import (
    bots,
    expiry,
    hosting,
    leaving,
    messages,
    moves,
    rematch,
    standins,
    tables,
    undoing,
)
from service.matches.tables import Guest
from service.ops import dead_letters, sweep
from service.outgoing.one_click import PURPOSE
from service.players import bounces, preferences
from service.time import absence, nudging, pausing
from tests.support.correspondence import Correspondence
from tests.support.overtaking import overtaken
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import at

BEN = Guest(address="ben@example.org", name="Ben")
CAM = Guest(address="cam@example.org", name="Cam")
DAN = Guest(address="dan@example.org", name="Dan")
EVE = Guest(address="eve@example.org", name="Eve")
SEAT = 1

Change = Callable[[Work, LockedMatch], object]
Answer = Callable[[Work, Match], object]


@pytest.fixture
def world(postgresql_url: str) -> Iterator[World]:
    """A fresh service on PostgreSQL."""
    jobs = Jobs()
    service = Service(settings_for(postgresql_url), jobs)
    yield World(service, jobs)
    service.database.dispose()


@pytest.fixture
def match_id(world: World, game_key: str) -> int:
    """A match of three that is being played; Ben has seat 1, and it is his turn."""
    number = world.begun([BEN, CAM], game_key, pace_days=2)
    while world.awaited(number).seat != SEAT:
        moves.play(world.service, world.submit(number).id)
    return number


def removed(world: World) -> Change:
    """Ben is taken off the table."""
    return lambda work, match: leaving.remove(world.service, work, match, SEAT)


def replaced(world: World, match_id: int) -> Answer:
    """Dan, who has been asked to, takes Ben's seat over."""
    with at(world, match_id) as (work, match):
        player_id = hosting.replace(world.service, work, match, SEAT, DAN).player_id
    token = world.service.keys.token("invitation", match_id, player_id)
    return lambda work, match: tables.answer(world.service, work, token, "accept")


def gone(world: World, match_id: int, how: str) -> Change:
    """Ben is off the table, in one of two ways."""
    return removed(world) if how == "removed" else replaced(world, match_id)


def begun(world: World, game_key: str) -> int:
    """A table that all but Cam have answered."""
    number = world.open([BEN, CAM], game_key)
    answer(world, number, 1, "accept")
    return number


def answer(world: World, match_id: int, seat: int, reply: str) -> str:
    player = world.match(match_id).seats[seat].player
    assert player is not None
    token = world.service.keys.token("invitation", match_id, player.id)
    with world.service.database.write() as work:
        return tables.answer(world.service, work, token, reply).status


def refusal(
    world: World, match_id: int, change: Change, act: Callable[[Service, Work, Match], object]
) -> str | None:
    """Why `act` was refused after it had waited, or None."""

    def acting() -> None:
        with world.service.database.write() as work:
            match = work.session.get_one(Match, match_id)
            _ = [row.player for row in match.invitees]  # whose table it is has been looked up
            act(world.service, work, match)

    try:
        overtaken(world, match_id, change, acting)
    except Refused as refused:
        return refused.code
    return None


GONE = pytest.mark.parametrize("how", ["removed", "replaced"])


def asked_to_pause(world: World, match_id: int) -> None:
    with at(world, match_id) as (work, match):
        pausing.ask(world.service, work, match, 0, 3)


def played_unseen(world: World, match_id: int) -> None:
    """Ben has played, and could take it back."""
    moves.play(world.service, world.submit(match_id).id)
    with world.changing() as work:
        n = locks.lock_number(world.service, work, match_id).last_entry
        work.session.get_one(EntryRow, (match_id, n)).revealed = False


def nothing(world: World, match_id: int) -> None:
    """Nothing comes before."""


@GONE
@pytest.mark.parametrize(
    ("before", "act"),
    [
        pytest.param(nothing, lambda s, w, m: messages.say(s, w, m, SEAT, "Hi", "x"), id="message"),
        pytest.param(nothing, lambda s, w, m: nudging.nudge(s, w, m, SEAT), id="nudge"),
        pytest.param(nothing, lambda s, w, m: pausing.ask(s, w, m, SEAT, 3), id="ask"),
        pytest.param(
            asked_to_pause, lambda s, w, m: pausing.answer(s, w, m, SEAT, True), id="agree"
        ),
        pytest.param(
            asked_to_pause, lambda s, w, m: pausing.answer(s, w, m, SEAT, False), id="refuse"
        ),
        pytest.param(played_unseen, lambda s, w, m: undoing.undo(s, w, m, SEAT), id="undo"),
    ],
)
def test_who_is_off_the_table_does_nothing_there_any_more(
    world: World,
    match_id: int,
    how: str,
    before: Callable[[World, int], None],
    act: Callable[[Service, Work, Match], object],
) -> None:
    before(world, match_id)
    n = newest(world, match_id)
    assert refusal(world, match_id, gone(world, match_id, how), act) == "seat_left"
    assert newest(world, match_id) == n
    with world.service.database.read() as session:
        assert session.scalar(select(func.count()).select_from(TableMessage)) == 0
        assert {pause.status for pause in session.scalars(select(Pause))} <= {"asked"}


@GONE
def test_who_is_off_the_table_ends_no_pause(world: World, match_id: int, how: str) -> None:
    with at(world, match_id) as (work, match):
        for seat in range(3):
            if seat == 0:
                pausing.ask(world.service, work, match, seat, 3)
            else:
                pausing.answer(world.service, work, match, seat, True)
    change = gone(world, match_id, how)
    code = refusal(world, match_id, change, lambda s, w, m: pausing.resume(s, w, m, SEAT))
    assert code == "seat_left"
    assert world.match(match_id).paused_at is not None


def test_who_was_replaced_gives_up_no_seat_of_another(world: World, match_id: int) -> None:
    change = replaced(world, match_id)
    code = refusal(world, match_id, change, lambda s, w, m: leaving.resign(s, w, m, SEAT))
    assert code == "seat_left"
    assert world.match(match_id).seats[SEAT].left_at is None


def test_two_who_give_up_at_once_end_the_match_together(world: World, match_id: int) -> None:
    code = refusal(
        world,
        match_id,
        lambda work, match: leaving.resign(world.service, work, match, 2),
        lambda s, w, m: leaving.resign(s, w, m, SEAT),
    )
    assert code is None
    now = world.match(match_id)
    assert (now.status, [row.left_why for row in now.seats]) == (
        "ended",
        [None, "resigned", "resigned"],
    )


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda s, w, m: preferences.mute(s, w, m, SEAT, True), id="mute"),
        pytest.param(lambda s, w, m: preferences.set_digest(s, w, m, SEAT, True), id="digest"),
        pytest.param(lambda s, w, m: standins.take_back(s, w, m, SEAT), id="back"),
    ],
)
def test_who_was_replaced_changes_nothing_of_the_seat(
    world: World, match_id: int, act: Callable[[Service, Work, Match], object]
) -> None:
    assert refusal(world, match_id, replaced(world, match_id), act) == "seat_left"
    row = world.match(match_id).seats[SEAT]
    assert (row.name, row.muted_at, row.digest) == ("Dan", None, None)


def test_one_click_of_who_was_replaced_mutes_nobody_else(world: World, match_id: int) -> None:
    player_id = world.match(match_id).seats[SEAT].player_id
    token = world.service.keys.token(PURPOSE, "seat", match_id, player_id)

    def click() -> None:
        with world.service.database.write() as work:
            unsubscribing.unsubscribe(world.service, work, token)

    with pytest.raises(Refused, match="unknown_link"):
        overtaken(world, match_id, replaced(world, match_id), click)
    assert world.match(match_id).seats[SEAT].muted_at is None


def test_a_nudge_in_a_pause_says_so(world: World, match_id: int) -> None:
    code = refusal(
        world,
        match_id,
        lambda work, match: pausing.stop_all(world.service, work, match),
        lambda s, w, m: nudging.nudge(s, w, m, 0),
    )
    assert code == "paused"


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda s, w, m: hosting.remove(s, w, m, SEAT), id="remove"),
        pytest.param(lambda s, w, m: hosting.replace(s, w, m, SEAT, EVE), id="replace"),
        pytest.param(lambda s, w, m: hosting.extend(s, w, m, SEAT, 2), id="extend"),
        pytest.param(lambda s, w, m: hosting.resend(s, w, m, SEAT), id="resend"),
    ],
)
def test_what_a_host_means_for_one_player_does_not_meet_the_next(
    world: World, match_id: int, act: Callable[[Service, Work, Match], object]
) -> None:
    assert refusal(world, match_id, replaced(world, match_id), act) == "no_such_guest"
    row = world.match(match_id).seats[SEAT]
    assert (row.name, row.left_at) == ("Dan", None)


def test_a_host_removes_nobody_of_a_match_that_is_over(world: World, match_id: int) -> None:
    code = refusal(
        world, match_id, everybody_else_left(world), lambda s, w, m: hosting.remove(s, w, m, SEAT)
    )
    assert code == "not_playing"


def everybody_else_left(world: World) -> Change:
    def change(work: Work, match: LockedMatch) -> None:
        for seat in (1, 2):
            leaving.remove(world.service, work, match, seat)

    return change


def accepts(world: World, match_id: int, seat: int) -> Answer:
    player = world.match(match_id).seats[seat].player
    assert player is not None
    token = world.service.keys.token("invitation", match_id, player.id)
    return lambda work, match: tables.answer(world.service, work, token, "accept")


@pytest.mark.parametrize("what", ["withdraw", "begin", "take off", "correct"])
def test_a_host_finds_the_table_begun(world: World, game_key: str, what: str) -> None:
    number = begun(world, game_key)
    guest = world.match(number).seats[2].id
    acts: dict[str, Callable[[Service, Work, Match], object]] = {
        "withdraw": hosting.withdraw,
        "begin": hosting.start_without,
        "take off": lambda s, w, m: hosting.remove_guest(s, w, m, guest),
        "correct": lambda s, w, m: hosting.correct(s, w, m, guest, DAN),
    }
    assert refusal(world, number, accepts(world, number, 2), acts[what]) == "has_begun"


@pytest.mark.parametrize("reply", ["accept", "decline"])
def test_an_invitation_that_was_taken_back_is_not_answered(
    world: World, game_key: str, reply: str
) -> None:
    number = begun(world, game_key)
    guest = world.match(number).seats[2].id
    code = refusal(
        world,
        number,
        lambda work, match: hosting.remove_guest(world.service, work, match, guest),
        lambda s, w, m: answer(world, number, 2, reply),
    )
    assert code == "invitation_withdrawn"


def test_nobody_takes_a_seat_over_that_is_no_more_offered(world: World, match_id: int) -> None:
    change = replaced(world, match_id)
    code = refusal(
        world,
        match_id,
        lambda work, match: hosting.stop_replacing(world.service, work, match, SEAT),
        lambda s, w, m: change(w, m),
    )
    assert code == "invitation_withdrawn"
    assert world.match(match_id).seats[SEAT].name == "Ben"


def test_an_old_invitation_of_who_was_replaced_opens_nothing(world: World, match_id: int) -> None:
    again = accepts(world, match_id, SEAT)
    code = refusal(world, match_id, replaced(world, match_id), lambda s, w, m: again(w, m))
    assert code == "unknown_link"


def test_of_two_who_ask_for_the_table_again_one_hosts_it(world: World, match_id: int) -> None:
    with at(world, match_id) as (work, match):
        everybody_else_left(world)(work, match)
    row = world.match(match_id)
    tokens = [world.service.keys.token("rematch", match_id, seat) for seat in (0, 1)]
    hosts: list[int] = []

    def first(work: Work, match: Match) -> None:
        hosts.append(rematch.rematch(world.service, work, tokens[0]).id)

    def second() -> int:
        with world.service.database.write() as work:
            return rematch.rematch(world.service, work, tokens[1]).id

    assert overtaken(world, row.id, first, second) == hosts[0]


# Turns


def test_a_held_turn_that_was_taken_back_is_not_played(world: World, match_id: int) -> None:
    before = newest(world, match_id)
    submission = held(world, match_id)

    def release() -> None:
        with world.service.database.write() as work:
            match = work.session.get_one(Match, match_id)
            waiting = moves.waiting_of(work.session, match, SEAT)
            assert waiting is not None
            moves.release(world.service, work, waiting)

    overtaken(
        world,
        match_id,
        lambda work, match: undoing.undo(world.service, work, match, SEAT),
        release,
    )
    world.hear()
    assert fetched(world, submission).status == "withdrawn"
    assert newest(world, match_id) == before


def held(world: World, match_id: int) -> Submission:
    with at(world, match_id) as (_, match):
        match.hold_minutes = 30
    submission = world.submit(match_id)
    world.hear()
    return submission


def newest(world: World, match_id: int) -> int:
    return world.match(match_id).last_entry


def fetched(world: World, submission: Submission) -> Submission:
    with world.service.database.read() as session:
        return session.get_one(Submission, submission.id)


@GONE
def test_a_turn_of_who_is_off_the_table_is_not_played(
    world: World, match_id: int, how: str
) -> None:
    """Both that they handed in, though only one of them could be the newest."""
    before = newest(world, match_id)
    both = [world.submit(match_id), world.submit(match_id)]
    overtaken(
        world,
        match_id,
        gone(world, match_id, how),
        lambda: moves.play(world.service, both[0].id),
    )
    moves.play(world.service, both[1].id)
    assert {fetched(world, each).status for each in both} <= {"withdrawn", "refused"}
    assert newest(world, match_id) == before


def test_a_dead_turn_of_who_was_replaced_is_not_tried_again(world: World, match_id: int) -> None:
    submission = world.submit(match_id)
    with world.changing() as work:
        work.session.get_one(Submission, submission.id).status = SubmissionStatus.DEAD_LETTER

    def retry() -> None:
        with world.service.database.write() as work:
            _ = work.session.get_one(Submission, submission.id)  # it has been listed
            dead_letters.retry(world.service, work, f"move-{submission.id}")

    with pytest.raises(dead_letters.NoDeadLetter):
        overtaken(world, match_id, replaced(world, match_id), retry)
    assert fetched(world, submission).status == "withdrawn"


def test_a_turn_is_not_taken_back_once_its_letter_has_left(world: World, match_id: int) -> None:
    moves.play(world.service, world.submit(match_id).id)
    n = newest(world, match_id)
    with world.changing() as work:
        work.session.get_one(EntryRow, (match_id, n)).revealed = False

    def send(work: Work, match: Match) -> None:
        letter = work.session.scalars(
            select(Letter).where(Letter.match_id == match_id, Letter.entry == n).limit(1)
        ).one()
        letter.status = LetterStatus.SENT

    code = refusal(world, match_id, send, lambda s, w, m: undoing.undo(s, w, m, SEAT))
    assert code == "too_late_shown"


def test_time_that_was_given_meanwhile_is_not_up(world: World, match_id: int) -> None:
    decision = world.awaited(match_id).decision
    with at(world, match_id) as (work, match):
        match.timeout = TimeoutPolicy.DROP
        row = work.session.get_one(DecisionRow, (match_id, decision))
        row.deadline = world.service.now() - dt.timedelta(hours=1)

    def give(work: Work, match: Match) -> None:
        row = work.session.get_one(DecisionRow, (match_id, decision))
        row.deadline = world.service.now() + dt.timedelta(hours=1)

    overtaken(world, match_id, give, lambda: expiry.expire(world.service, match_id, decision))
    assert world.match(match_id).seats[SEAT].left_at is None


def test_a_pause_that_was_ended_is_not_ended_again(world: World, match_id: int) -> None:
    with at(world, match_id) as (work, match):
        pause = pausing.ask(world.service, work, match, 0, 3)
        pausing.answer(world.service, work, match, 1, True)
        pausing.answer(world.service, work, match, 2, True)
        pause.until = world.service.now() - dt.timedelta(minutes=1)
    overtaken(
        world,
        match_id,
        lambda work, match: pausing.resume(world.service, work, match, 0),
        lambda: pausing.end_if_over(world.service, pause.id),
    )
    told = [x.details_as(News).code for x in world.letters(match_id, "news")]
    assert told.count("resumed") == 3


def test_what_a_bot_has_thought_of_is_nothing_once_its_player_is_back(
    world: World, match_id: int
) -> None:
    with at(world, match_id) as (work, match):
        standins.put_in(world.service, work, match, match.seats[SEAT])
    before, decision = newest(world, match_id), world.awaited(match_id).decision
    overtaken(
        world,
        match_id,
        lambda work, match: standins.take_back(world.service, work, match, SEAT),
        lambda: bots.play_bot(world.service, match_id, decision),
    )
    assert newest(world, match_id) == before
    assert world.match(match_id).seats[SEAT].stand_in is None


def test_no_bot_is_rung_for_what_is_its_players_again(world: World, match_id: int) -> None:
    with at(world, match_id) as (work, match):
        standins.put_in(world.service, work, match, match.seats[SEAT])
        decision = world.awaited(match_id).decision
        row = work.session.get_one(DecisionRow, (match_id, decision))
        row.enqueued_at = world.service.now() - dt.timedelta(hours=1)
    world.jobs.enqueued.clear()
    overtaken(
        world,
        match_id,
        lambda work, match: standins.take_back(world.service, work, match, SEAT),
        lambda: sweep.sweep(world.service),
    )
    assert world.jobs.take("moves.bot") == []
    assert world.awaited(match_id).enqueued_at is None


# Letters, settings


@pytest.mark.parametrize("what", ["off", "muted"])
def test_a_letter_is_not_sent_to_who_wants_it_no_more(
    world: World, match_id: int, what: str
) -> None:
    letter = next(x for x in world.letters(match_id, "turn") if x.seat == SEAT)

    def change(work: Work, match: LockedMatch) -> None:
        if what == "off":
            leaving.remove(world.service, work, match, SEAT)
        else:
            preferences.mute(world.service, work, match, SEAT, True)

    sent = overtaken(
        world,
        match_id,
        change,
        lambda: delivery.deliver(world.service, world.post, letter.id),
    )
    assert not sent
    assert world.post.sent == []


def test_whom_an_operator_has_stopped_meanwhile_stays_so(world: World, match_id: int) -> None:
    player_id = world.match(match_id).seats[SEAT].player_id
    with world.service.database.write() as work:
        bounces.stop(
            world.service, work, work.session.get_one(Player, player_id), StopReason.BOUNCES
        )

    def revive() -> bool:
        with world.service.database.write() as work:
            player = work.session.get_one(Player, player_id)
            return bounces.revive(world.service, work, player)

    def forbid(work: Work, match: Match) -> None:
        bounces.forbid(world.service, work, work.session.get_one(Player, player_id))

    assert overtaken(world, match_id, forbid, revive) is False
    with world.service.database.read() as session:
        assert session.get_one(Player, player_id).stopped_why == "operator"


def test_days_away_are_taken_off_the_budget_once(world: World, match_id: int) -> None:
    player_id = world.match(match_id).seats[SEAT].player_id
    # Where its player lives it may be tomorrow by now.
    today = world.service.now().date() + dt.timedelta(days=1)
    last = today + dt.timedelta(days=3)

    def be_away(work: Work) -> int:
        player = work.session.get_one(Player, player_id)
        _ = absence.of(work.session, player)  # the page has shown them
        return absence.add(world.service, work, player, today, last).id

    def again() -> int:
        with world.service.database.write() as work:
            return be_away(work)

    kept: list[int] = []
    second = overtaken(world, match_id, lambda work, _: kept.append(be_away(work)), again)
    assert [second] == kept


def test_a_reply_of_who_was_replaced_is_to_no_address_of_theirs(
    world: World, match_id: int
) -> None:
    """The key of its address is gone when the match is had."""
    post = Correspondence(world, match_id)
    mail_id = post.take(
        post.written("ben@example.org", post.address(SEAT), "message hello"), post.address(SEAT)
    )
    assert mail_id is not None
    overtaken(
        world,
        match_id,
        replaced(world, match_id),
        lambda: inbound.handle(world.service, mail_id),
    )
    with world.service.database.read() as session:
        mail = session.get_one(InboundMail, mail_id)
        assert (mail.status, mail.verdict) == ("handled", "unknown")
        assert session.scalar(select(func.count()).select_from(TableMessage)) == 0

"""Time that we lost is not the players': outages, and clocks of machines that were set."""

from __future__ import annotations

import datetime as dt
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from service.core.context import Service
from service.core.letter_details import ReminderDetails, SignInDetails
from service.core.models import Letter, Match, Pause, Player, Pulse, Submission
from service.mail.send import delivery
from service.matches import expiry, moves
from service.matches.tables import Guest
from service.ops import sweep
from service.players import accounts
from service.time import deadlines, pausing
from tests.support.cases import cases
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import MONDAY, at, clock_of, days, row_of, sent, waiting_letters

pytestmark = pytest.mark.slow

BEN = Guest(address="ben@example.org", name="Ben", lang="fr")
DAY = dt.timedelta(days=1)


def started(world: World, game_key: str, **terms: Any) -> int:
    return world.begun([BEN], game_key, **terms)


def journaled(world: World) -> list[tuple[dt.datetime, dt.datetime]]:
    """The outages that were journaled."""
    from service.core.models import Outage

    with world.service.database.read() as session:
        return [(row.began_at, row.ended_at) for row in session.scalars(select(Outage))]


def heartbeat(world: World) -> dt.datetime:
    with world.service.database.read() as session:
        return session.get_one(Pulse, "sweep").at


def texts(world: World, address: str) -> list[str]:
    """The text parts of what was sent to an address, each on one line."""
    found = []
    for _, to, raw in world.post.sent:
        if to == address:
            message = message_from_bytes(raw, policy=policy.SMTP)
            assert isinstance(message, EmailMessage)
            part = message.get_body(("plain",))
            assert part is not None
            found.append(" ".join(part.get_content().split()))
    return found


@pytest.mark.parametrize(
    "timeout",
    [pytest.param("wait", marks=pytest.mark.on_postgresql), "default", "bot", "drop"],
)
def test_an_outage_moves_a_deadline_by_its_length(
    world: World, game_key: str, timeout: str
) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1, timeout=timeout)
        asked = world.awaited(match_id)
        time.tick()
        time.outage(days=2)
        time.tick()
        assert row_of(world, match_id, asked.decision).closed_entry is None
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        assert world.awaited(match_id).expired_at is None
        assert sent(world, match_id, "reminder") == []
        assert waiting_letters(world, match_id) == [
            ("24h", "2026-11-25 18:00"),
            ("half", "2026-11-26 06:00"),
            ("4h", "2026-11-26 14:00"),
        ]
        assert journaled(world) == [(MONDAY, MONDAY + 2 * DAY)]
        time.tick()
        assert clock_of(world, match_id) == "2026-11-26 18:00", "by its length once"
        time.to("2026-11-26 17:59")
        assert row_of(world, match_id, asked.decision).expired_at is None
        time.to("2026-11-26 18:01")
        after = row_of(world, match_id, asked.decision)
        assert after.expired_at is not None or after.closed_entry is not None


@pytest.mark.on_postgresql
def test_nothing_acts_on_an_old_time_before_the_sweep_has_come(world: World, game_key: str) -> None:
    """Jobs that were left in the queue are done first: time is up, reminders, a pause's end."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1, timeout="drop")
        paused = started(world, game_key, pace_days=1)
        with at(world, paused) as (work, match):
            pausing.ask(world.service, work, match, 0, 1)
            pause = pausing.answer(world.service, work, match, 1, True).id
        time.tick()
        asked = world.awaited(match_id)
        time.outage(days=2)
        for letter in world.letters(match_id):
            delivery.deliver(world.service, world.post, letter.id)
        expiry.expire(world.service, match_id, asked.decision)
        pausing.end_if_over(world.service, pause)
        assert sent(world, match_id, "reminder") == []
        row = row_of(world, match_id, asked.decision)
        assert (row.closed_entry, row.expired_at) == (None, None)
        assert world.match(match_id).seats[asked.seat].left_at is None
        assert world.match(paused).paused_at is not None
        assert journaled(world) == []
        time.tick()
        assert clock_of(world, match_id) == "2026-11-26 18:00"
        with world.service.database.read() as session:
            assert session.get_one(Pause, pause).until == MONDAY + 3 * DAY
        assert world.match(paused).paused_at is not None
        time.to("2026-11-26 18:01")
        assert world.match(paused).paused_at is None


def test_a_letter_that_leaves_before_the_sweep_tells_the_true_deadline(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        world.beat()  # the turn letter is owed, and we are away before it has left
        time.outage(days=2)
        for letter in world.letters(match_id, "turn"):
            delivery.deliver(world.service, world.post, letter.id)
        asked = world.awaited(match_id)
        player = world.match(match_id).seats[asked.seat].player
        assert player is not None
        (text,) = [x for x in texts(world, player.email) if "novembre" in x or "November" in x]
        assert ("26 November, 18:00" in text) or ("26 novembre à 18 h" in text), text[:300]


def test_clocks_that_were_changed_while_the_workers_were_away(world: World, game_key: str) -> None:
    """The pages were up: a bank is held, and begins to run, in the middle of an outage."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=0, bank_hours=48, increment_hours=0)
        time.tick()
        time.after(hours=6)
        time.outage(hours=20)
        with at(world, match_id) as (work, match):
            match.paused_at = world.service.now()
            deadlines.refresh(world.service, work, match)
        assert world.awaited(match_id).allowance == 42 * 3600, "20 hours of it were ours"
        time.outage(hours=10)
        with at(world, match_id) as (work, match):
            match.paused_at = None
            deadlines.refresh(world.service, work, match)
        time.outage(hours=10)
        time.tick()
        assert clock_of(world, match_id) == "2026-11-27 10:00", "42 hours from its end"
        time.after(hours=2)
        seat = world.awaited(match_id).seat
        world.submit(match_id)
        time.tick()
        assert world.match(match_id).seats[seat].bank_left == 40 * 3600


def test_a_turn_that_is_held_can_be_taken_back_as_long(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3, hold_minutes=60)
        time.tick()
        number = world.submit(match_id).id
        time.tick()
        time.after(minutes=20)
        time.outage(days=1)
        moves.play(world.service, number)

        def held() -> Submission:
            with world.service.database.read() as session:
                return session.get_one(Submission, number)

        assert held().status == "held", "before the sweep has come"
        time.tick()
        assert held().status == "held"
        assert held().held_until == held().pending_since == MONDAY + DAY + dt.timedelta(hours=1)
        time.after(minutes=41)
        assert held().status == "played"


@pytest.mark.on_postgresql
def test_a_sign_in_link_is_good_for_as_long(world: World) -> None:
    with days(world) as time:
        time.tick()
        ana = world.player("ana@example.org", name="Ana")
        with world.service.database.write() as work:
            accounts.ask_sign_in(world.service, work, ana.email, "en")
            nonce = work.session.scalars(select(Letter)).one().details_as(SignInDetails).nonce
        token = world.service.keys.token("signin", nonce)
        time.outage(days=2)
        for _ in range(2):  # before the sweep has come, and after
            with world.service.database.read() as session:
                assert accounts.sign_in_of(world.service, session, token).id == ana.id
            time.tick()
        time.after(hours=3)
        with world.service.database.read() as session, pytest.raises(Exception, match="expired"):
            accounts.sign_in_of(world.service, session, token)


@pytest.mark.on_postgresql
def test_the_next_letter_tells_of_it_once_with_the_new_date(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        with world.service.database.write() as work:
            work.session.execute(update(Player).values(lang="fr"))
        asked = world.awaited(match_id)
        time.tick()
        time.after(hours=12)
        world.post.sent.clear()
        time.outage(days=2)
        time.tick()
        player = world.match(match_id).seats[asked.seat].player
        assert player is not None
        assert texts(world, player.email) == [], "not a letter of its own"
        time.to("2026-11-28 09:00")
        (first,) = texts(world, player.email)
        assert (
            "Notre serveur a été hors service du mardi 24 novembre à 6 h au jeudi 26 novembre "
            "à 6 h (Europe/Paris) ; ce temps ne compte pas. Ton échéance est reportée au "
            "samedi 28 novembre à 18 h." in first
        )
        raw = world.post.sent[-1][2]
        files = [part.get_payload(decode=True) for part in message_from_bytes(raw).walk()]
        assert any(b"SEQUENCE:1" in file for file in files if isinstance(file, bytes))
        time.to("2026-11-28 14:01")
        later = texts(world, player.email)[1:]
        assert later
        assert not any("hors service" in text for text in later), "once"


def test_weekdays_on_which_nobody_plays_are_not_lost(world: World, game_key: str) -> None:
    """Away from Friday 18:00 to Sunday 18:00: six hours of the Friday were playing time."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=5, playing_days=0b0011111)
        assert clock_of(world, match_id) == "2026-11-30 18:00"
        time.to("2026-11-27 18:00")
        time.outage(days=2)
        time.tick()
        assert clock_of(world, match_id) == "2026-12-01 00:00"


def test_a_heartbeat_that_is_a_little_late_is_no_outage(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        time.tick()
        for _ in range(6):
            time.outage(minutes=9)
            time.tick()
        assert (journaled(world), clock_of(world, match_id)) == ([], "2026-11-24 18:00")


@pytest.mark.on_postgresql
def test_machines_with_clocks_a_little_apart(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        time.tick()
        for _ in range(10):
            time.outage(seconds=50)
            time.tick()
            newest = heartbeat(world)
            time.set_back(seconds=40)
            time.tick()
            assert heartbeat(world) == newest
        assert (journaled(world), clock_of(world, match_id)) == ([], "2026-11-24 18:00")


@pytest.mark.on_postgresql
def test_two_sweeps_at_once_journal_an_outage_once(world: World, game_key: str) -> None:
    with days(world) as time:
        matches = [started(world, game_key, pace_days=1) for _ in range(3)]
        time.tick()
        time.outage(days=2)
        together = threading.Barrier(3)

        def run() -> None:
            together.wait()
            sweep.sweep(world.service)

        with ThreadPoolExecutor(3) as threads:
            for done in [threads.submit(run) for _ in range(3)]:
                done.result()
        assert journaled(world) == [(MONDAY, MONDAY + 2 * DAY)]
        assert {clock_of(world, each) for each in matches} == {"2026-11-26 18:00"}


@pytest.mark.on_postgresql
def test_a_crash_in_between_loses_nothing_and_doubles_nothing(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.time import lost_time

    monkeypatch.setattr(lost_time, "BATCH", 1)
    with days(world) as time:
        matches = [started(world, game_key, pace_days=1) for _ in range(3)]
        time.tick()
        time.outage(days=2)
        moved: list[int] = []

        def shift(service: object, work: object, match: Match, lost: object) -> object:
            if len(moved) == 1:
                raise SystemExit("the process ends here")
            moved.append(match.id)
            return once(service, work, match, lost)  # type: ignore[arg-type]

        once = deadlines.shift
        monkeypatch.setattr(deadlines, "shift", shift)
        with pytest.raises(SystemExit):
            sweep.sweep(world.service)
        monkeypatch.setattr(deadlines, "shift", once)
        assert len(moved) == 1
        time.after(minutes=1)
        assert {clock_of(world, each) for each in matches} == {"2026-11-26 18:00"}
        time.tick()
        assert {clock_of(world, each) for each in matches} == {"2026-11-26 18:00"}


@pytest.mark.on_postgresql
def test_one_match_that_cannot_be_moved_holds_up_no_other(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days(world) as time:
        broken, whole = (started(world, game_key, pace_days=1) for _ in range(2))
        time.tick()
        time.outage(days=2)
        once = deadlines.shift

        def shift(service: object, work: object, match: Match, lost: object) -> object:
            if match.id == broken:
                raise ValueError("a fault of ours")
            return once(service, work, match, lost)  # type: ignore[arg-type]

        monkeypatch.setattr(deadlines, "shift", shift)
        sweep.sweep(world.service)
        assert clock_of(world, whole) == "2026-11-26 18:00"
        monkeypatch.setattr(deadlines, "shift", once)
        time.tick()
        assert clock_of(world, broken) == "2026-11-26 18:00"


@pytest.mark.on_postgresql
def test_a_clock_set_back_delays_nothing_that_is_due(world: World, game_key: str) -> None:
    """It had been two days ahead when letters, a turn and a held turn came in, and is set right."""
    with days(world) as time:
        held = started(world, game_key, pace_days=5, hold_minutes=60)
        match_id = started(world, game_key, pace_days=5)
        time.tick()
        time.outage(days=2)
        time.tick()
        turn, later = world.submit(match_id).id, world.submit(held).id
        moves.play(world.service, later)
        world.jobs.enqueued.clear()
        time.set_back(days=2)
        time.tick()
        assert heartbeat(world) == MONDAY
        time.after(seconds=30)
        with world.service.database.read() as session:
            assert session.get_one(Submission, turn).status == "played"
            assert session.get_one(Submission, later).held_until == MONDAY + dt.timedelta(hours=1)
            owed = session.scalars(
                select(Letter.kind).where(
                    Letter.match_id == match_id, Letter.status.in_(("due", "sending"))
                )
            )
            assert set(owed) == {"reminder"}
        assert clock_of(world, held) == "2026-11-30 18:00", "what a player was told holds"
        time.after(minutes=61)
        with world.service.database.read() as session:
            assert session.get_one(Submission, later).status == "played"
        # The time comes round.
        for _ in range(5):
            time.after(hours=12)
        assert len(journaled(world)) == 1


@pytest.mark.on_postgresql
def test_a_letter_to_be_tried_again_goes_back_with_the_clock(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=5)
        world.post.fail = ConnectionRefusedError("nobody there")
        time.tick()
        world.post.fail = None
        time.set_back(days=2)
        time.tick()
        time.after(minutes=2)
        time.after(minutes=1)
        assert {x.status for x in world.letters(match_id, "turn")} == {"sent"}


def test_late_reminders_fold_into_the_nearest(world: World, game_key: str) -> None:
    """No letter left for two days and a half of three, though we were up."""
    with days(world) as time:
        match_id = started(world, game_key, pace_days=3)
        time.tick()
        seat = world.awaited(match_id).seat
        time.pass_unnoticed(days=2, hours=22)
        time.tick()
        assert sent(world, match_id, "reminder") == [(seat, "4h")]
        dropped = [x for x in world.letters(match_id, "reminder") if x.status == "dropped"]
        assert sorted(x.details_as(ReminderDetails).which for x in dropped) == ["24h", "half"]
        player = world.match(match_id).seats[seat].player
        assert player is not None
        said = texts(world, player.email)[-1]
        assert "in 2\N{NO-BREAK SPACE}hours" in said or "2 hours" in said or "2 heures" in said
        time.pass_unnoticed(hours=3)
        for letter in world.letters(match_id, "reminder"):
            delivery.deliver(world.service, world.post, letter.id)
        assert len(sent(world, match_id, "reminder")) == 1


def test_no_reminder_of_a_deadline_that_is_over(world: World, game_key: str) -> None:
    with days(world) as time:
        match_id = started(world, game_key, pace_days=1)
        time.tick()
        time.pass_unnoticed(days=1, hours=1)
        for letter in world.letters(match_id, "reminder"):
            delivery.deliver(world.service, world.post, letter.id)
        assert sent(world, match_id, "reminder") == []


steps = st.tuples(st.booleans(), st.integers(11, 1500))


@settings(max_examples=cases(12))
@given(st.lists(steps, min_size=2, max_size=8), st.integers(1, 2))
def test_nobody_expires_who_had_less_than_their_time(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    game_key: str,
    pattern: list[tuple[bool, int]],
    pace_days: int,
) -> None:
    """Whatever the pattern of outages, time is up after the time we were up, and not before."""
    path = tmp_path_factory.mktemp("outages") / "paleopost.db"
    empty: Path = request.getfixturevalue("_migrated_sqlite")
    shutil.copy(empty, path)
    jobs = Jobs()
    service = Service(settings_for(f"sqlite:///{path}"), jobs)
    world = World(service, jobs)
    with days(world) as time:
        match_id = started(world, game_key, pace_days=pace_days)
        time.tick()
        allowance, had = pace_days * 24 * 60, 0
        for up, minutes in pattern:
            before = world.awaited(match_id)
            if up:
                time.after(minutes=minutes)
                had += minutes
            else:
                time.outage(minutes=minutes)
                expiry.expire(service, match_id, before.decision)
                time.tick()
            row = world.awaited(match_id)
            assert (row.expired_at is not None) == (had >= allowance)
            if row.deadline is not None:
                left = row.deadline - service.now()
                assert left == dt.timedelta(minutes=allowance - had)
            time.tick()
            assert world.awaited(match_id).deadline == row.deadline
    service.database.dispose()

"""The digest: nothing is lost on its way into it, and nobody takes back what it has shown."""

from __future__ import annotations

import datetime as dt
import threading
from typing import Any

import pytest

from service.core import retriable
from service.core.context import Service
from service.core.errors import Refused
from service.core.letter_details import DigestDetails
from service.core.models import EntryRow, Letter, Player
from service.core.statuses import StopReason
from service.mail.send import delivery, digests
from service.matches import hosting, moves, undoing
from service.matches.tables import Guest, answer
from service.ops import sweep
from service.players import bounces, preferences
from tests.support.tables import Jobs, World, settings_for
from tests.support.time import Days, at, clock_of, days

pytestmark = pytest.mark.slow

BEN = Guest(address="ben@example.org", name="Ben")


def prefers(world: World, player_id: int, **what: object) -> None:
    """Change how somebody is written to."""
    with world.service.database.write() as work:
        player = work.session.get_one(Player, player_id)
        preferences.change(world.service, work, player, **what)  # type: ignore[arg-type]


def begun(world: World, game_key: str, **terms: Any) -> int:
    """A match of Ana and Ben."""
    return world.begun([BEN], game_key, **{"pace_days": 10} | terms)


def asked(world: World, match_id: int, seat: int) -> None:
    """Play until it is this seat's turn."""
    while world.awaited(match_id).seat != seat:
        world.submit(match_id)
        world.hear()


def of(world: World, player_id: int, status: str) -> list[int]:
    """The letters of somebody that are in this state."""
    return [x.id for x in world.letters() if x.player_id == player_id and x.status == status]


def turn(world: World, match_id: int, seat: int) -> Letter:
    """The newest turn letter of a seat."""
    return [x for x in world.letters(match_id, "turn") if x.seat == seat][-1]


class Shown:
    """A turn of one player at a table, and a digest of the other that is composed after it, with
    the board it led to: `due`, not sent yet.
    """

    def __init__(self, world: World, game_key: str, time: Days) -> None:
        self.world = world
        self.match = begun(world, game_key)
        self.mover = world.awaited(self.match).seat
        self.reader = 1 - self.mover
        reader = world.match(self.match).seats[self.reader].player_id
        assert reader is not None
        self.reader_id = reader
        prefers(world, reader, digest=19 * 60)
        self.other = begun(world, game_key)
        time.after(minutes=2)
        time.pass_unnoticed(minutes=58)
        submission = world.submit(self.match)
        moves.play(world.service, submission.id)
        with at(world, self.match) as (work, _):
            entry = work.session.get_one(EntryRow, (self.match, 1))
            entry.revealed = False
        for number in of(world, reader, "gathered"):
            delivery.deliver(world.service, world.post, number)

    @property
    def digest(self) -> Letter:
        """The one digest there is."""
        (letter,) = self.world.letters(kind="digest")
        return letter

    @property
    def matches(self) -> set[int]:
        """Whose boards it shows."""
        return {board.match for board in self.digest.details_as(DigestDetails).boards}

    def send(self) -> bool:
        """Send it."""
        return delivery.deliver(self.world.service, self.world.post, self.digest.id)

    def undo(self) -> undoing.Undone:
        """Take the turn back."""
        with at(self.world, self.match) as (work, match):
            return undoing.undo(self.world.service, work, match, self.mover)


def test_what_a_digest_has_shown_is_not_taken_back(world: World, game_key: str) -> None:
    with days(world) as time:
        shown = Shown(world, game_key, time)
        assert shown.match in shown.matches
        assert turn(world, shown.match, shown.reader).status == "due", "it has not left by itself"
        assert shown.send()
        with pytest.raises(Refused, match="too_late_shown"):
            shown.undo()


@pytest.mark.on_postgresql
def test_a_digest_leaves_out_what_was_taken_back(world: World, game_key: str) -> None:
    with days(world) as time:
        shown = Shown(world, game_key, time)
        assert shown.undo().how == "taken back"
        assert shown.send(), "the rest of it is told all the same"
        assert shown.match not in shown.matches


def test_a_digest_of_nothing_but_what_was_taken_back_is_not_sent(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        shown = Shown(world, game_key, time)
        with at(world, shown.other) as (work, _):
            letter = work.session.get_one(Letter, shown.digest.id)
            boards = letter.details_as(DigestDetails).boards
            boards = tuple(board for board in boards if board.match == shown.match)
            letter.details = DigestDetails(boards=boards, letters=())
        shown.undo()
        assert not shown.send()
        assert shown.digest.status == "dropped"


@pytest.mark.on_postgresql
def test_a_digest_that_is_tried_again_shows_nothing_of_a_seat_given_up(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        shown = Shown(world, game_key, time)
        host = world.player("host@example.org").id
        world.post.fail = OSError("the server is away")
        assert not shown.send()
        world.post.fail = None
        cam = Guest(address="cam@example.org", name="Cam")
        seat = shown.reader
        with at(world, shown.match) as (work, match):
            match.host_id = host  # nobody is replaced at a table of their own
            row = hosting.replace(world.service, work, match, seat, cam)
            token = world.service.keys.token("invitation", match.id, row.player_id)
        with world.service.database.write() as work:
            answer(world.service, work, token, "accept")
        time.pass_unnoticed(minutes=5)
        assert shown.send()
        assert shown.match not in shown.matches


def test_what_was_gathered_comes_when_the_table_is_wanted_again(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        ana = world.player("ana@example.org", name="Ana").id
        prefers(world, ana, digest=8 * 60)
        match_id = begun(world, game_key)
        asked(world, match_id, 0)
        time.after(minutes=2)
        assert turn(world, match_id, 0).status == "gathered"
        with at(world, match_id) as (work, match):
            preferences.mute(world.service, work, match, 0, on=True)
        time.after(days=1)
        assert turn(world, match_id, 0).status == "suppressed"
        with at(world, match_id) as (work, match):
            preferences.mute(world.service, work, match, 0, on=False)
        time.after(minutes=2)
        assert turn(world, match_id, 0).status == "gathered"
        time.after(days=1)
        assert turn(world, match_id, 0).status == "sent"


def test_what_was_gathered_comes_when_the_address_lives_again(world: World, game_key: str) -> None:
    with days(world) as time:
        ana = world.player("ana@example.org", name="Ana").id
        prefers(world, ana, digest=8 * 60)
        match_id = begun(world, game_key)
        asked(world, match_id, 0)
        time.after(minutes=2)
        with world.service.database.write() as work:
            bounces.stop(world.service, work, work.session.get_one(Player, ana), StopReason.BOUNCES)
        time.after(days=1)
        with world.service.database.write() as work:
            bounces.revive(world.service, work, work.session.get_one(Player, ana))
        time.after(minutes=2)
        time.after(days=1)
        assert turn(world, match_id, 0).status == "sent"
        assert world.letters(kind="digest")[-1].status == "sent"


@pytest.mark.on_postgresql
def test_a_digest_at_a_later_hour_comes_on_the_same_day(world: World, game_key: str) -> None:
    with days(world) as time:  # Monday 18:00
        ana = world.player("ana@example.org", name="Ana").id
        prefers(world, ana, digest=8 * 60, reminders=[])
        begun(world, game_key)
        time.after(minutes=2)
        time.to("2026-11-24T08:01:00")
        time.after(minutes=1)
        match_id = begun(world, game_key)
        asked(world, match_id, 0)
        prefers(world, ana, digest=20 * 60)
        time.after(minutes=2)
        assert turn(world, match_id, 0).status == "gathered"
        time.to("2026-11-24T20:01:00")
        time.after(minutes=1)
        assert turn(world, match_id, 0).status == "sent"
        assert [x.status for x in world.letters(kind="digest")] == ["sent", "sent"]


def test_an_hour_that_comes_twice_a_day_loses_no_letter_that_presses(
    world: World, game_key: str
) -> None:
    with days(world) as time:
        ana = world.player("ana@example.org", name="Ana").id
        prefers(world, ana, digest=8 * 60, reminders=[])
        begun(world, game_key)
        time.after(minutes=2)
        time.to("2026-11-24T08:01:00")
        time.after(minutes=1)
        match_id = begun(world, game_key, pace_days=1)
        asked(world, match_id, 0)
        prefers(world, ana, zone="America/New_York")  # where it is two o'clock
        time.after(minutes=2)
        assert turn(world, match_id, 0).status == "gathered"
        assert clock_of(world, match_id) == "2026-11-25 08:02"
        time.to("2026-11-24T14:01:00")
        time.after(minutes=1)
        assert turn(world, match_id, 0).status == "sent", "tomorrow's comes after the deadline"
        assert len(world.letters(kind="digest")) == 1


def test_the_sweep_hands_over_one_letter_of_each_digest(world: World, game_key: str) -> None:
    with days(world) as time:
        ana = world.player("ana@example.org", name="Ana").id
        prefers(world, ana, digest=8 * 60)
        for _ in range(2):
            begun(world, game_key)
        time.after(minutes=2)
        gathered = of(world, ana, "gathered")
        assert len(gathered) > 1
        time.pass_unnoticed(days=1)
        world.jobs.enqueued.clear()
        sweep.sweep(world.service)
        rung = [args[0] for task, args in world.jobs.enqueued if task == "mail.deliver"]
        assert [number for number in rung if number in gathered] == gathered[:1]
        delivery.deliver(world.service, world.post, gathered[0])
        assert not of(world, ana, "gathered")


def test_two_letters_of_one_digest_do_not_wait_for_each_other(
    postgresql_url: str, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Jobs()
    service = Service(settings_for(postgresql_url), jobs)
    world = World(service, jobs)
    ana = world.player("ana@example.org", name="Ana").id
    prefers(world, ana, digest=8 * 60)
    for _ in range(2):
        begun(world, game_key)
    for letter in world.letters():
        delivery.deliver(service, world.post, letter.id)
    gathered = of(world, ana, "gathered")
    with service.database.write() as work:
        for number in gathered:
            work.session.get_one(Letter, number).due_at = service.now() - dt.timedelta(minutes=1)
    both, compose = threading.Barrier(2, timeout=300), digests.compose

    def together(*given: object) -> None:
        both.wait()
        compose(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(digests, "compose", together)
    failed: list[Exception] = []

    def deliver(letter: int) -> None:
        try:
            delivery.deliver(service, world.post, letter)
        except Exception as error:  # noqa: BLE001
            failed.append(error)

    workers = [threading.Thread(target=deliver, args=(n,)) for n in (gathered[0], gathered[-1])]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
    assert not failed
    assert not of(world, ana, "gathered")
    assert len(world.letters(kind="digest")) == 1
    service.database.dispose()


@pytest.mark.on_postgresql
def test_a_digest_that_cannot_be_put_together_is_a_dead_letter(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days(world) as time:
        ana = world.player("ana@example.org", name="Ana").id
        prefers(world, ana, digest=8 * 60)
        begun(world, game_key)
        time.after(minutes=2)
        (number, *_) = of(world, ana, "gathered")
        time.pass_unnoticed(days=1)
        monkeypatch.setattr(digests, "_waiting", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            delivery.deliver(world.service, world.post, number)
        assert not delivery.deliver(world.service, world.post, number), "it waits a while"
        for _ in range(retriable.LETTERS.limit - 1):
            time.pass_unnoticed(hours=3)
            with pytest.raises(ZeroDivisionError):
                delivery.deliver(world.service, world.post, number)
        (letter,) = [x for x in world.letters() if x.id == number]
        assert (letter.status, letter.attempts) == ("dead_letter", retriable.LETTERS.limit)
        assert "ZeroDivisionError" in (letter.error or "")

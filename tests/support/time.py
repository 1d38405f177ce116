"""Tables under a moved clock: time passes when a test says so, and what is due is done then."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

import time_machine
from sqlalchemy import select

from service.core import locks
from service.core.db import Work
from service.core.letter_details import News, ReminderDetails
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Letter, Match, Player
from service.mail.send import delivery
from service.ops import sweep
from tests.support.tables import World

MONDAY = dt.datetime(2026, 11, 23, 17, 0, tzinfo=dt.UTC)
"""18:00 in Paris, where the players of tests live unless they say otherwise."""

FAR = dt.datetime.max.replace(tzinfo=dt.UTC)


class Days:
    """A moved clock and the sweep that goes with it. The service is up all the time but in an
    `outage`.
    """

    def __init__(self, world: World, clock: time_machine.Traveller) -> None:
        self.world = world
        self._clock = clock

    def to(self, moment: str) -> None:
        """Move on to this local time in Paris (CET), and do what is due."""
        self.send()
        self._clock.move_to(dt.datetime.fromisoformat(f"{moment}+01:00"))
        self.world.beat()
        self.tick()

    def after(self, **length: float) -> None:
        """Let some time pass, and do what is due."""
        self.send()
        self.pass_unnoticed(**length)
        self.tick()

    def send(self) -> None:
        """Send the letters that are owed: no clock runs for who has not been asked."""
        for job in self.world.jobs.take("mail.deliver"):
            delivery.deliver(self.world.service, self.world.post, *job)

    def pass_unnoticed(self, **length: float) -> None:
        """Let some time pass in which nothing is done that is due."""
        self._clock.shift(dt.timedelta(**length))
        self.world.beat()

    def outage(self, **length: float) -> None:
        """Let some time pass in which the sweep is away."""
        self._clock.shift(dt.timedelta(**length))

    def set_back(self, **length: float) -> None:
        """Set the clock back."""
        self._clock.shift(-dt.timedelta(**length))

    def tick(self) -> None:
        """The sweep, until nothing is due."""
        self.world.hear(mail=True)
        while any(sweep.sweep(self.world.service).values()):
            if not self.world.hear(mail=True):
                break


@contextmanager
def days(world: World, start: dt.datetime = MONDAY) -> Iterator[Days]:
    """From `start` on, time stands still but for what the test lets pass."""
    with time_machine.travel(start, tick=False) as clock:
        yield Days(world, clock)


@contextmanager
def at(world: World, match_id: int) -> Iterator[tuple[Work, LockedMatch]]:
    """A unit of work with the match, locked."""
    with world.service.database.write() as work:
        yield work, locks.lock_number(world.service, work, match_id)


def player_of(work: Work, match: Match, seat: int) -> Player:
    """Who sits there."""
    player = match.seats[seat].player
    assert player is not None
    return player


def clock_of(world: World, match_id: int) -> str | None:
    """The deadline of what the match waits for, by the clocks of Paris in winter."""
    deadline = world.awaited(match_id).deadline
    if deadline is None:
        return None
    return f"{deadline + dt.timedelta(hours=1):%Y-%m-%d %H:%M}"


def row_of(world: World, match_id: int, decision: str) -> DecisionRow:
    """A decision as it is now."""
    with world.service.database.read() as session:
        return session.get_one(DecisionRow, (match_id, decision))


def waiting_letters(world: World, match_id: int, kind: str = "reminder") -> list[tuple[str, str]]:
    """What lies in the outbox for later: which, and when by the clocks of Paris in winter."""
    query = select(Letter).where(
        Letter.match_id == match_id, Letter.kind == kind, Letter.status == "due"
    )
    with world.service.database.read() as session:
        return [
            (_which(row), f"{row.due_at + dt.timedelta(hours=1):%Y-%m-%d %H:%M}")
            for row in session.scalars(query.order_by(Letter.due_at))
            if row.due_at is not None
        ]


def _which(letter: Letter) -> str:
    """Which news or reminder it is; "" for other letters."""
    match letter.details:
        case News(code=code):
            return code
        case ReminderDetails(which=which):
            return which
    return ""


def sent(world: World, match_id: int, kind: str) -> list[tuple[int | None, str]]:
    """The letters of a kind that went out, in that order: seat, and the code or reminder."""
    return [
        (row.seat, _which(row))
        for row in sorted(world.letters(match_id, kind), key=lambda row: row.sent_at or FAR)
        if row.status == "sent"
    ]

"""Letters have processes of their own: a mail server that hangs stops letters, and nothing else."""

from __future__ import annotations

import datetime as dt
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from sqlalchemy import select

from engine.games import games
from service.core.context import Service
from service.core.jobs import CeleryQueue, make_celery
from service.core.models import Letter, Submission
from service.mail.send import delivery
from service.mail.send.smtp import SmtpTransport
from service.matches.tables import BotSeat, Guest
from service.ops import processes
from service.ops.processes import Serving
from tests.support.commands import Begun
from tests.support.stack import clean_environment
from tests.support.tables import Jobs, World, settings_for

if TYPE_CHECKING:
    from tests.support.broker import TestBroker
    from tests.support.sink import SmtpSink

pytestmark = pytest.mark.xdist_group("stack")

ROOT = Path(__file__).resolve().parents[2]
MANY = 36
SERVING = Serving.from_env({})


def wait(condition: Callable[[], bool], patience: float = 240) -> None:
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


class Running:
    """A service of this process and the workers of others, on one database and broker."""

    def __init__(self, url: str, broker: TestBroker, sink: SmtpSink, logs: Path) -> None:
        given = {"REDIS_URL": broker.url, "SMTP_URL": sink.url}
        settings = settings_for(url, **given)
        self.logs = logs
        self.env = clean_environment(
            SECRET_KEY=settings.secret_key,
            DATABASE_URL=url,
            BASE_URL=settings.base_url,
            MAIL_DOMAIN=settings.mail_domain,
            PALEOPOST_DATA=str(logs),
            **given,
        )
        self.service = Service(settings, CeleryQueue(make_celery(settings)))
        self.world = World(self.service, Jobs())

    @contextmanager
    def process(self, name: Literal["mailer", "worker"]) -> Iterator[Begun]:
        """What `paleopost NAME` becomes, until the end; killed then, as it may hang."""
        words = {"mailer": processes.mailer, "worker": processes.worker}[name](SERVING)
        folder = self.logs / name
        folder.mkdir()
        process = Begun(words[1:], self.env, folder, self.logs / f"{name}.log")
        try:
            wait(lambda: "ready." in self.log(name) or process.poll() is not None)
            assert process.poll() is None, self.log(name)
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def log(self, name: str) -> str:
        """What a process has written."""
        return (self.logs / f"{name}.log").read_text()

    def letter(self, number: int) -> Letter:
        """A letter as it is now."""
        with self.service.database.read() as session:
            return session.get_one(Letter, number)


@pytest.fixture
def running(
    database_url: str, broker: TestBroker, smtp_sink: SmtpSink, tmp_path: Path
) -> Iterator[Running]:
    made = Running(database_url, broker, smtp_sink, tmp_path)
    yield made
    smtp_sink.hangs.clear()
    made.service.database.dispose()


def test_a_turn_is_played_while_every_letter_hangs(running: Running, smtp_sink: SmtpSink) -> None:
    world = running.world
    game = next(iter(games().values()))
    bots = [BotSeat(bot=next(iter(game.bots)))] * (game.seats[0] - 1)
    smtp_sink.hangs.add("end")
    with running.process("mailer"):
        for n in range(MANY):
            world.open([Guest(address=f"guest{n}@example.org")], game.key)
        match_id = world.open(bots, game.key)
        wait(lambda: len(smtp_sink.deliveries) > 0)
        with running.process("worker"):
            wait(lambda: world.match(match_id).status == "playing")
            seats = world.match(match_id).seats
            wait(lambda: seats[world.awaited(match_id).seat].player_id is not None)
            submission = world.submit(match_id).id

            def is_played() -> bool:
                with running.service.database.read() as session:
                    return session.get_one(Submission, submission).status == "played"

            def is_claimed_ahead() -> bool:
                return any(
                    (letter.claim, letter.attempts) == (1, 0) and letter.message is not None
                    for letter in world.letters(match_id, "turn")
                )

            wait(is_played)
            wait(is_claimed_ahead)
            with running.service.database.read() as session:
                letters = session.scalars(select(Letter)).all()
    assert len(letters) > MANY
    assert "sent" not in {letter.status for letter in letters}
    assert {letter.error for letter in letters} == {None}, "each that was begun still hangs"


def test_a_sender_that_was_stopped_beyond_its_claim(running: Running, smtp_sink: SmtpSink) -> None:
    """It finds, when it goes on, that the connection is lost; the letter has been sent meanwhile by
    another, and stays so.
    """
    smtp_sink.hangs.add("end")
    with running.process("mailer") as process:
        running.world.open([Guest(address="ben@example.org")], next(iter(games())))
        wait(lambda: len(smtp_sink.deliveries) == 1)
        (letter,) = running.world.letters()
        assert running.letter(letter.id).message is not None
        os.killpg(process.pid, signal.SIGSTOP)
        with running.service.database.write() as work:
            past = running.service.now() - dt.timedelta(seconds=1)
            work.session.get_one(Letter, letter.id).due_at = past
        smtp_sink.drops = 1
        smtp_sink.hangs.clear()
        wait(lambda: smtp_sink.drops == 0)
        assert delivery.deliver(running.service, SmtpTransport(smtp_sink.url), letter.id)
        sent = running.letter(letter.id)
        os.killpg(process.pid, signal.SIGCONT)
        wait(lambda: "letter_claimed_by_another" in running.log("mailer"))
        found = running.letter(letter.id)
    assert (found.status, found.due_at, found.claim) == ("sent", None, 2)
    assert (found.sent_at, found.failure) == (sent.sent_at, None)
    first, second = smtp_sink.deliveries
    assert first.raw == second.raw

"""A worker tells how many of its processes are busy."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.core import presence
from service.core.jobs import CeleryQueue, make_celery
from service.core.presence import Staff
from service.ops import processes
from service.ops.processes import Serving
from tests.support.commands import Begun
from tests.support.stack import clean_environment
from tests.support.tables import settings_for

if TYPE_CHECKING:
    from tests.support.broker import TestBroker

ROOT = Path(__file__).resolve().parents[2]
QUEUES = ",".join(sorted(processes.QUEUES))


@contextmanager
def started(database_url: str, broker: TestBroker, folder: Path) -> Iterator[Begun]:
    """A worker of two processes, until the end of the block."""
    env = clean_environment(
        SECRET_KEY="k" * 32,
        DATABASE_URL=database_url,
        REDIS_URL=broker.url,
        SMTP_URL="smtp://127.0.0.1:1",
        BASE_URL="https://play.example.org",
    )
    words = processes.worker(Serving.from_env({"WORKER_CONCURRENCY": "2"}))
    folder.mkdir()
    process = Begun(words[1:], env, folder, folder / "log")
    yield process
    process.terminate()
    process.wait(240)


@pytest.fixture
def worker(sqlite_url: str, broker: TestBroker, tmp_path: Path) -> Iterator[Begun]:
    with started(sqlite_url, broker, tmp_path / "worker") as process:
        yield process


def wait(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.usefixtures("worker")
def test_busy_processes_are_told(broker: TestBroker, sqlite_url: str) -> None:
    def told() -> dict[str, Staff]:
        return presence.staff(broker.url)

    wait(lambda: told() == {QUEUES: Staff(processes=2, busy=0)})
    lock = Path(sqlite_url.removeprefix("sqlite:///") + ".lock")
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # whoever wants to write waits
        queue = CeleryQueue(make_celery(settings_for(sqlite_url, REDIS_URL=broker.url)))
        queue.enqueue("time.sweep")
        wait(lambda: told() == {QUEUES: Staff(processes=2, busy=1)})
    wait(lambda: told() == {QUEUES: Staff(processes=2, busy=0)})


def test_who_says_nothing_any_more_is_gone(
    broker: TestBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence.tell(broker.url, "one", "mail", 2, 1)
    presence.tell(broker.url, "two", "mail", 3, 3)
    assert presence.staff(broker.url) == {"mail": Staff(processes=5, busy=4)}
    monkeypatch.setattr(presence, "HOLDS", -1.0)
    assert presence.staff(broker.url) == {}
    monkeypatch.undo()
    assert presence.staff(broker.url) == {}
    assert presence.staff("redis://127.0.0.1:1/0") == {}


def test_workers_of_one_machine_are_all_counted(
    worker: Begun, broker: TestBroker, sqlite_url: str, tmp_path: Path
) -> None:
    """They have one name."""
    with started(sqlite_url, broker, tmp_path / "second"):
        wait(lambda: presence.staff(broker.url) == {QUEUES: Staff(processes=4, busy=0)})
    assert worker.poll() is None

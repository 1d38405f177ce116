"""What the parts can do by themselves, in the same run: the anchors of the ratios."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import redis
from celery import Celery
from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, insert, update

from service.core.db import Database, NoQueue
from service.dev.embedded.broker import choose_broker
from service.dev.embedded.lifeline import lifeline

ROOT = Path(__file__).resolve().parents[1]
COMMITS = 1500
TASKS = 400
ANSWERS = "bench-noop"

app = Celery("noop", broker=os.environ.get("NOOP_BROKER", ""))
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    task_default_queue="noop",
    broker_connection_retry_on_startup=True,
    worker_hijack_root_logger=False,
)


@app.task(name="noop")
def noop(sent: float) -> None:
    """Say how long it took to get here. CLOCK_MONOTONIC is the machine's, not the process's."""
    now = time.perf_counter()
    redis.Redis.from_url(app.conf.broker_url).rpush(ANSWERS, repr(now - sent))


def commits_per_second() -> float:
    """Durable commits of a 4 KB state and an event, one connection, by SQLAlchemy Core."""
    metadata = MetaData()
    states = Table(
        "state", metadata, Column("id", Integer, primary_key=True), Column("state", LargeBinary)
    )
    events = Table(
        "event", metadata, Column("id", Integer, primary_key=True), Column("event", LargeBinary)
    )
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/commits.db", NoQueue())
        metadata.create_all(database.engine)
        connection = database.engine.connect().execution_options(write=True)
        with connection, connection.begin():
            connection.execute(insert(states).values(id=1, state=b""))
        with database.engine.connect().execution_options(write=True) as connection:
            begin = time.perf_counter()
            for number in range(COMMITS):
                with connection.begin():
                    connection.execute(
                        update(states).where(states.c.id == 1).values(state=os.urandom(4096))
                    )
                    connection.execute(
                        insert(events).values(event=b"x" * 200 + bytes([number % 256]))
                    )
            seconds = time.perf_counter() - begin
        database.dispose()
    return COMMITS / seconds


def noop_seconds() -> list[float]:
    """From sending a no-op task to its body, prefork 2, late acknowledgement, no results."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        broker = choose_broker(None, folder, folder, os.environ)
        env = {**os.environ, "NOOP_BROKER": broker.url}
        processes = []
        try:
            if broker.program is not None:
                processes.append(_start(list(broker.program.command), env))
            _wait(broker.answers)
            worker = [sys.executable, "-m", "celery", "--app=bench.anchors", "worker"]
            worker += ["--concurrency=2", "--queues=noop", "--without-gossip", "--without-mingle"]
            processes.append(_start(worker, env))
            return _measure(broker.url)
        finally:
            for process in reversed(processes):
                process.terminate()
                process.wait(30)


def _measure(url: str) -> list[float]:
    app.conf.update(broker_url=url)
    client = redis.Redis.from_url(url, socket_timeout=90)  # longer than it waits below
    found = []
    for _ in range(TASKS):
        noop.delay(time.perf_counter())
        answer = client.blpop([ANSWERS], timeout=60)
        assert isinstance(answer, tuple), "the worker does not answer"
        found.append(float(answer[1]))
    return found[TASKS // 4 :]


def _start(command: list[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        env=env,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lifeline(),
    )


def _wait(ready: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not ready():
        if time.monotonic() > until:
            raise AssertionError("the broker does not answer")
        time.sleep(0.05)

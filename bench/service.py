"""One turn through the whole product: POST, commit, worker, letter with its picture at an SMTP
server.

The product runs as its operator runs it (`paleopost play`, SQLite with synchronous=FULL), sending
by SMTP to a server in this process. All seats are people, so that every turn has its letter.
"""

from __future__ import annotations

import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from bench.anchors import commits_per_second, noop_seconds
from bench.client import Arrivals, Browser
from bench.table import Row, percentile
from bench.tables import Table
from service.context import Service
from service.db import NoQueue
from service.embedded.environment import with_embedded
from service.embedded.lifeline import lifeline
from service.embedded.ports import free_port
from service.links import Links
from service.models import Match
from service.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
WARM_UP = 20
TURNS = 200
CLIENTS = 8


class Run(msgspec.Struct):
    """The seconds from POST to letter of each turn, and the turns per second altogether."""

    latencies: list[float]
    per_second: float

    def ms(self, percent: float) -> float:
        """A percentile of the latencies, in milliseconds."""
        return percentile(self.latencies, percent) * 1e3


class Product:
    """The running product, and a way into its database."""

    def __init__(self, base_url: str, service: Service, arrivals: Arrivals, pid: int) -> None:
        self.base_url = base_url
        self.service = service
        self.arrivals = arrivals
        self.pid = pid

    def turns(self, count: int, clients: int) -> Run:
        """Let this many clients play that many turns altogether, each at tables of its own."""
        latencies: list[float] = []
        spent: list[float] = []
        share = [count // clients] * clients
        threads = [
            threading.Thread(target=self._client, args=(number, latencies, spent))
            for number in share
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # What a client does between two turns (reading the form) is not the turn's: its clients'
        # time under way counts.
        return Run(latencies, clients * len(latencies) / sum(spent))

    def _client(self, count: int, latencies: list[float], spent: list[float]) -> None:
        table: Table | None = None
        known: set[str] = set()
        browsers: list[tuple[Browser, str]] = []
        for _ in range(count):
            turn = table.next_turn() if table is not None else None
            if table is None or turn is None:
                table = Table(self.service)
                browsers = [self._browser(table, seat) for seat in range(2)]
                turn = table.next_turn()
            assert turn is not None
            row, body = turn
            browser, token = browsers[row.seat]
            path = f"/m/{table.code}/{row.seat}/turn/{row.decision}/play/{secrets.token_hex(12)}"
            fields = [("csrf_token", token), *(("a", line) for line in body.split("\n"))]
            known.add(f"turn.{table.code}.{row.seat}.{row.decision}")
            begin = time.perf_counter()
            browser.post(path, fields)
            arrived = self.arrivals.of(table.code, known)
            latencies.append(arrived - begin)
            spent.append(time.perf_counter() - begin)

    def _browser(self, table: Table, seat: int) -> tuple[Browser, str]:
        browser = Browser(self.base_url)
        with self.service.database.read() as session:
            match = session.get_one(Match, table.match_id)
        browser.follow(Links(self.service).seat(match, seat))
        return browser, browser.csrf_token()


@contextmanager
def product() -> Iterator[Product]:
    """The product on a data directory of its own, until the end of the block."""
    arrivals = Arrivals()
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        env = {
            **os.environ,
            "PALEOPOST_DATA": folder,
            "PORT": str(port),
            "SMTP_URL": arrivals.url,
            "MAIL_FROM": "play@paleopost.test",
            "REQUESTS_PER_MINUTE": "1000000",
            "LOG_LEVEL": "WARNING",
        }
        output = Path(folder) / "output"
        with output.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", "play"],
                env=env,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                preexec_fn=lifeline(),
            )
        try:
            until = time.monotonic() + 60
            while "is running" not in output.read_text():
                if process.poll() is not None or time.monotonic() > until:
                    raise AssertionError(output.read_text())
                time.sleep(0.05)
            service = Service(Settings.from_env(with_embedded(env)), NoQueue())
            yield Product(f"http://127.0.0.1:{port}", service, arrivals, process.pid)
            service.database.dispose()
        finally:
            process.terminate()
            process.wait(60)
            arrivals.close()


def rows() -> list[Row]:
    """The rows of one turn."""
    commits = commits_per_second()
    noop = noop_seconds()
    with product() as running:
        running.turns(WARM_UP, 1)
        alone = running.turns(TURNS, 1)
        running.turns(WARM_UP, CLIENTS)
        together = running.turns(TURNS * 2, CLIENTS)
        web, worker = _memory(running.pid)
    return [
        Row(
            what="POST of a move to its letter, 1 client, p50",
            ours=alone.ms(50),
            anchor=statistics.median(noop) * 1e3,
            unit="ms",
            against="Celery no-op, enqueue to body, p50",
            most=10,
            stretch=5,
        ),
        *(
            Row(
                what=f"the same, {clients} client{'s' if clients > 1 else ''}, p99",
                ours=run.ms(99),
                anchor=run.ms(50),
                unit="ms",
                against="its own p50",
                most=2.5,
                stretch=1.7,
            )
            for clients, run in ((1, alone), (CLIENTS, together))
        ),
        Row(
            what=f"turns, {CLIENTS} clients",
            ours=together.per_second,
            anchor=commits,
            unit="/s",
            against="durable commits (SQLite FULL, Core)",
            least=0.03,
            stretch=0.08,
        ),
        Row(
            what="memory of the web server",
            ours=web,
            anchor=80,
            unit="MB",
            against="80 MB (proportional set size)",
            most=1,
            stretch=60 / 80,
        ),
        Row(
            what="memory of the Celery worker with 2 children",
            ours=worker,
            anchor=215,
            unit="MB",
            against="215 MB (proportional set size)",
            most=1,
            stretch=160 / 215,
        ),
    ]


def _memory(supervisor: int) -> tuple[float, float]:
    """Megabytes of the web server and of the worker, with all their children."""
    web = worker = 0.0
    for child in _children(supervisor):
        command = Path(f"/proc/{child}/cmdline").read_bytes()
        if b"gunicorn" in command:
            # The master only watches: the worker below it serves.
            web = max(_megabytes(worker_) for worker_ in _children(child))
        elif b"worker" in command.split(b"\0"):
            worker += _megabytes(child)
    return web, worker


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in listed for child in path.read_text().split()]


def _megabytes(pid: int) -> float:
    """The proportional set size of a process and all below it: shared pages count once."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    own = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return own / 1024 + sum(_megabytes(child) for child in _children(pid))

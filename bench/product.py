"""The running product, as an operator starts it (`paleopost play`), and people who play on it.

Letters go by SMTP to a server in this process. All seats are people, so that every turn has its
letter.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from bench.client import Arrivals, Browser
from bench.table import percentile
from bench.tables import Table
from service.access.links import Links
from service.core import presence
from service.core.context import Service
from service.core.db import NoQueue
from service.core.models import Match
from service.core.settings import Settings
from service.dev.embedded.environment import with_embedded
from service.dev.embedded.lifeline import lifeline
from service.dev.embedded.ports import free_port
from tests.support.processes import children

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120


class Run(msgspec.Struct):
    """The seconds from POST to letter of each turn, and the turns per second altogether."""

    latencies: list[float]
    per_second: float

    def ms(self, percent: float) -> float:
        """A percentile of the latencies, in milliseconds."""
        return percentile(self.latencies, percent) * 1e3


class Seated:
    """A match with a browser for each of its players."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self.table = Table(product.service)
        self._known: set[str] = set()
        self._browsers = [self._browser(seat) for seat in range(2)]

    def play(self) -> tuple[float, float] | None:
        """Play the next turn: the seconds from its POST to its letter, and to the answer and the
        letter; None when the match is over.
        """
        begin = self.hand_in()
        if begin is None:
            return None
        arrived = self._product.arrivals.of(self.table.code, self._known)
        return arrived - begin, time.perf_counter() - begin

    def hand_in(self) -> float | None:
        """Send the next turn; when it was begun to be sent, None when the match is over."""
        turn = self.table.next_turn()
        if turn is None:
            return None
        row, body = turn
        code = self.table.code
        browser, token = self._browsers[row.seat]
        path = f"/m/{code}/{row.seat}/turn/{row.decision}/play/{secrets.token_hex(12)}"
        fields = [("csrf_token", token), *(("a", line) for line in body.split("\n"))]
        self._known.add(f"turn.{code}.{row.seat}.{row.decision}")
        begin = time.perf_counter()
        browser.post(path, fields)
        return begin

    def _browser(self, seat: int) -> tuple[Browser, str]:
        service = self._product.service
        browser = Browser(self._product.base_url)
        with service.database.read() as session:
            match = session.get_one(Match, self.table.match_id)
        browser.follow(Links(service).seat(match, seat))
        return browser, browser.csrf_token()


class Product:
    """The running product, and a way into its database."""

    def __init__(self, base_url: str, service: Service, arrivals: Arrivals, pid: int) -> None:
        self.base_url = base_url
        self.service = service
        self.arrivals = arrivals
        self.pid = pid

    def part(self, name: str) -> int:
        """The process of one of its parts: "web", "worker", "mailer", "beat" or "broker"."""
        marks = {
            "web": b"gunicorn",
            "worker": b"--hostname=worker@%h",
            "mailer": b"--hostname=mailer@%h",
            "beat": b"beat",
        }

        def is_it(words: list[bytes]) -> bool:
            if name == "broker":
                return b"valkey" in words[0] or b"redis-server" in words[0]
            return marks[name] in words

        return next(
            child
            for child in children(self.pid)
            if is_it(Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"))
        )

    def in_turn(self, seated: Sequence[Seated], count: int) -> list[float]:
        """Play that many turns, one client in one match after the other; the latencies."""
        found = []
        for number in range(count):
            played = seated[number % len(seated)].play()
            if played is not None:
                found.append(played[0])
        return found

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
        seated = Seated(self)
        for _ in range(count):
            played = seated.play()
            if played is None:
                seated = Seated(self)
                played = seated.play()
            assert played is not None
            latencies.append(played[0])
            spent.append(played[1])


@contextmanager
def product(more: Mapping[str, str] | None = None, delay: float = 0.0) -> Iterator[Product]:
    """The product on a data directory of its own, with `more` in its environment, until the end of
    the block. Its workers are ready. Its mail server takes `delay` seconds over a letter.
    """
    arrivals = Arrivals(delay)
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
            **(more or {}),
        }
        # As installed: compiled once, whoever the bench runs under.
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run(
            [sys.executable, "-c", "from workers.runtime import warm_up; warm_up()"],
            env=env,
            cwd=ROOT,
            check=True,
        )
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
            until = time.monotonic() + PATIENCE
            while "is running" not in output.read_text():
                if process.poll() is not None or time.monotonic() > until:
                    raise AssertionError(output.read_text())
                time.sleep(0.05)
            # What it has filled in is written down, with the database that it was given.
            settings = Settings.from_env(with_embedded(env | {"DATABASE_URL": ""}))
            while len(presence.staff(settings.redis_url)) < 2:
                if time.monotonic() > until:
                    raise AssertionError("no worker is there")
                time.sleep(0.05)
            service = Service(settings, NoQueue())
            yield Product(f"http://127.0.0.1:{port}", service, arrivals, process.pid)
            service.database.dispose()
        finally:
            process.terminate()
            process.wait(60)
            arrivals.close()


def megabytes(pid: int) -> float:
    """The proportional set size of a process and all below it: shared pages count once."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    own = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return own / 1024 + sum(megabytes(child) for child in children(pid))


def cpu_seconds(pid: int) -> float:
    """The CPU that a process has used so far, with all that are or were below it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    # utime, stime, and those of children that have ended (proc(5), fields 14 to 17)
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu_seconds(child) for child in children(pid))

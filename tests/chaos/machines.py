"""Several machines with the commands of Procfile, on one database, one broker, one mail server."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from service.core import presence
from service.core.context import Service
from service.core.db import NoQueue
from service.core.settings import Settings
from service.dev.embedded.lifeline import lifeline
from service.dev.embedded.ports import answers_http, free_port
from tests.chaos.site import Site
from tests.support.broker import TestBroker
from tests.support.postgresql import Cluster
from tests.support.stack import ROOT, clean_environment

COUNT = 2
PATIENCE = 900.0
NAMES = ("web", "worker", "mailer", "beat", "lmtp")
SWEEP_EVERY = 2


def procfile() -> dict[str, str]:
    """The commands by their names."""
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line)


class Machine:
    """The processes of one machine, as Procfile names them."""

    def __init__(self, env: dict[str, str], folder: Path) -> None:
        self.port, self.lmtp = free_port(), free_port()
        self._folder = folder
        folder.mkdir()
        self._env = env | {
            "PORT": str(self.port),
            "LMTP_LISTEN": f"127.0.0.1:{self.lmtp}",
            "PALEOPOST_DATA": str(folder),
        }
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start them, and wait until pages answer."""
        with self._lock:
            for name in NAMES:
                self._begin(name)
        until = time.monotonic() + PATIENCE
        while not answers_http("127.0.0.1", self.port):
            if time.monotonic() > until:
                raise AssertionError((self._folder / "web.log").read_text())
            time.sleep(0.1)

    def start_what_ended(self) -> None:
        """Start again what has ended by itself or was killed."""
        with self._lock:
            for name, process in self._processes.items():
                if process.poll() is not None:
                    self._begin(name)

    def stop(self) -> None:
        """End them, each after what it is at."""
        with self._lock:
            ending, self._processes = self._processes, {}
        for process in ending.values():
            process.terminate()
        for process in ending.values():
            process.wait(PATIENCE)

    def logs(self) -> list[Path]:
        """What each of its processes wrote to standard output and error."""
        return sorted(self._folder.glob("*.log"))

    def pids(self) -> list[int]:
        """The processes that run, without those that they have started."""
        with self._lock:
            return [each.pid for each in self._processes.values() if each.poll() is None]

    def _begin(self, name: str) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                procfile()[name].split(),
                cwd=ROOT,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lifeline(),
            )


class Machines(Site):
    """Several machines on one PostgreSQL, one broker and one mail server; or, without a cluster,
    one machine with several of everything on one file of SQLite. What ends there is started again,
    as an operating system does it.
    """

    def __init__(self, folder: Path, cluster: Cluster | None) -> None:
        super().__init__(cluster)
        self._broker = TestBroker(folder)
        env = clean_environment(
            SECRET_KEY="growth" * 6,
            DATABASE_URL=cluster.create() if cluster else f"sqlite:///{folder / 'paleopost.db'}",
            REDIS_URL=self._broker.url,
            SMTP_URL=f"smtp://127.0.0.1:{self.sink.port}",
            BASE_URL="http://paleopost.test",
            HOST="127.0.0.1",
            SWEEP_EVERY=str(SWEEP_EVERY),
            REQUESTS_PER_MINUTE="1000000",
            LOG_LEVEL="INFO",
        )
        env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
        self.settings = Settings.from_env(env)
        subprocess.run(
            procfile()["release"].split(), cwd=ROOT, env=env, check=True, capture_output=True
        )
        self.machines = [Machine(env, folder / f"machine{n}") for n in range(COUNT)]
        self._turn = cycle(self.machines)
        self.service = Service(self.settings, NoQueue())
        self._watch = threading.Thread(target=self._start_what_ended, daemon=True)

    def start(self) -> None:
        """Start all, and wait for the workers."""
        for machine in self.machines:
            machine.start()
        until = time.monotonic() + PATIENCE
        # Of each: a worker of two processes, a mailer of one.
        while sum(s.processes for s in presence.staff(self.settings.redis_url).values()) < 6:
            if time.monotonic() > until:
                raise AssertionError(f"workers: {presence.staff(self.settings.redis_url)}")
            time.sleep(0.1)
        self._watch.start()

    def web(self) -> str:
        """One machine's web server after the other's."""
        return f"http://127.0.0.1:{next(self._turn).port}"

    def lmtp(self) -> int:
        """One machine's LMTP server after the other's."""
        return next(self._turn).lmtp

    def commands(self) -> list[int]:
        """Those of all machines."""
        return [pid for machine in self.machines for pid in machine.pids()]

    def logs(self) -> list[Path]:
        """Those of all machines."""
        return [log for machine in self.machines for log in machine.logs()]

    def kill_broker(self) -> None:
        """End it, and start it again."""
        self._broker.kill()
        self._broker.start()

    def close(self) -> None:
        """Stop everything."""
        self.closing.set()
        if self._watch.is_alive():
            self._watch.join(PATIENCE)
        for machine in self.machines:
            machine.stop()
        self._broker.stop()
        self.sink.stop()
        self.service.database.dispose()

    def _start_what_ended(self) -> None:
        while not self.closing.wait(0.5):
            for machine in self.machines:
                machine.start_what_ended()


@contextmanager
def running(cluster: Cluster | None) -> Iterator[Machines]:
    """Machines that run, on a new database of the cluster, or of SQLite."""
    with tempfile.TemporaryDirectory() as name:
        site = Machines(Path(name), cluster)
        try:
            site.start()
            yield site
        finally:
            site.close()

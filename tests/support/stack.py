"""The whole product as its operator runs it: `paleopost play`, on free ports, on its own data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from service.core.settings import Settings
from service.dev.embedded.environment import with_embedded
from service.dev.embedded.lifeline import lifeline
from service.dev.embedded.ports import answers_http
from service.dev.mailbox.letter import Letter, read
from service.dev.mailbox.store import MailboxStore
from tests.support.commands import Begun, command
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
OWN = (
    "SECRET_KEY",
    "DATABASE_URL",
    "REDIS_URL",
    "SMTP_URL",
    "BASE_URL",
    "MAILBOX",
    "HOST",
    "MAIL_FROM",
    "MAIL_DOMAIN",
    "LMTP_LISTEN",
    "SMTP_LISTEN",
    "IMAP_URL",
    "PLUS_ADDRESS",
)


def clean_environment(**settings: str) -> dict[str, str]:
    """The environment without settings of the product, and these."""
    return {k: v for k, v in os.environ.items() if k not in OWN} | settings


def _at_a_terminal() -> Callable[[], None]:
    """What a child does first: a shell lets what it runs in the background ignore Ctrl-C, and its
    children with it.
    """
    tie = lifeline()

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        tie()

    return prepare


class Stack:
    """gunicorn, worker, beat, broker and mail sink, supervised. `data` is its data directory."""

    def __init__(self, data: Path, settings: Mapping[str, str] | None = None) -> None:
        self.data = data
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.mail = MailboxStore(data)
        self.output = data / "output"
        self.env = clean_environment(
            PALEOPOST_DATA=str(data), PORT=str(self.port), LANG="C", **(settings or {})
        )
        self._process: subprocess.Popen[bytes] | Begun | None = None
        self._letters: dict[int, Letter] = {}

    def start(self, patience: float = 240, *, forked: bool = True) -> None:
        """Start it and wait until it says that it is running: by processes that are forked
        (tests.support.commands), or as its operator does, which takes five seconds more of CPU.
        """
        words = ["-m", "service.cli", "play"]
        self.output.write_bytes(b"")
        if forked:
            folder = Path(tempfile.mkdtemp(dir=self.data))
            self._process = Begun(words, self.env, folder, self.output)
        else:
            with self.output.open("wb") as output:
                self._process = subprocess.Popen(
                    [sys.executable, *words],
                    env=self.env,
                    cwd=ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    preexec_fn=_at_a_terminal(),
                )
        self.wait_until(lambda: "Paleopost is running" in self.said(), patience)
        assert answers_http("127.0.0.1", self.port)

    def said(self) -> str:
        """What it told its operator so far."""
        return self.output.read_text()

    @property
    def pid(self) -> int:
        """The supervisor's process."""
        assert self._process is not None
        return self._process.pid

    def settings(self) -> Settings:
        """The settings its processes run with."""
        given = {name: self.env[name] for name in ("DATABASE_URL",) if name in self.env}
        rest = {name: value for name, value in self.env.items() if name not in given}
        return Settings.from_env(with_embedded(rest) | given)

    @property
    def running(self) -> bool:
        """Whether the supervisor runs."""
        return self._process is not None and self._process.poll() is None

    def command(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run `paleopost` with these words, on the same data unless `env` says otherwise."""
        return command(*words, env=self.env | env)

    def letters(self, address: str) -> list[Letter]:
        """The letters to an address, the oldest first; each is taken apart once, however often
        somebody who waits looks for it.
        """
        found = self.mail.letters(address, 1000)
        for kept in found:
            if kept.id not in self._letters:
                self._letters[kept.id] = read(kept)
        return [self._letters[kept.id] for kept in reversed(found)]

    def wait_for_letter(
        self, address: str, wanted: Callable[[Letter], bool] = bool, patience: float = 180
    ) -> Letter:
        """The first letter to `address` that is wanted, as soon as it is there."""
        found: list[Letter] = []

        def look() -> bool:
            found[:] = [letter for letter in self.letters(address) if wanted(letter)]
            return bool(found)

        self.wait_until(look, patience)
        return found[0]

    def wait_until(self, ready: Callable[[], bool], patience: float = 180) -> None:
        """Wait, and fail with what the product said if it takes too long or ends."""
        until = time.monotonic() + patience
        while not ready():
            ended = self._process is not None and self._process.poll() is not None
            if ended or time.monotonic() > until:
                raise AssertionError(f"{'it ended' if ended else 'too late'}:\n{self._logs()}")
            time.sleep(0.05)

    def stop(self, by: signal.Signals = signal.SIGTERM, patience: float = 240) -> int:
        """End it and return its exit status."""
        assert self._process is not None
        self._process.send_signal(by)
        status = self._process.wait(patience)
        self._process = None
        return status

    def _logs(self) -> str:
        logs = sorted((self.data / "log").glob("*.log"))
        tails = (f"--- {g.name}\n" + "\n".join(g.read_text().splitlines()[-15:]) for g in logs)
        return "\n".join([self.said(), *tails])

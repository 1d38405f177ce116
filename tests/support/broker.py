"""A real broker of the tests' own."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import redis

from service.dev.embedded.broker import choose_broker
from service.dev.embedded.lifeline import lifeline


class TestBroker:
    """The server that the embedded product would use, on a free port. `wipe` forgets all."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        self._broker = choose_broker(None, folder, folder, os.environ)
        self.url = self._broker.url
        assert self._broker.program is not None
        self._command = self._broker.program.command
        self._log = folder / "broker.log"
        self.start()

    def start(self) -> None:
        """Run it, at the same address as before; it begins empty."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lifeline(),
            )
        until = time.monotonic() + 120
        while not self._broker.answers():
            if time.monotonic() > until:
                raise RuntimeError(self._log.read_text())
            time.sleep(0.02)

    def wipe(self) -> None:
        """Forget everything."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.wait(60)

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(60)

"""The product as one machine runs it: `paleopost play`, on SQLite or on PostgreSQL."""

from __future__ import annotations

import datetime as dt
import os
import random
import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from service.core.context import Service
from service.core.db import NoQueue
from service.dev.embedded.ports import free_port
from tests.chaos.site import Site
from tests.support.postgresql import Cluster
from tests.support.processes import children
from tests.support.stack import Stack

_AHEAD = """\
# Read by every process of the product when it starts: its clock is ahead by so many seconds.
import datetime, os
ahead = float(os.environ.get("CLOCK_AHEAD", "0"))
if ahead:
    import time_machine
    now = datetime.datetime.now(datetime.timezone.utc)
    time_machine.travel(now + datetime.timedelta(seconds=ahead)).start()
"""


class OneMachine(Site):
    """The product as one machine runs it, and the clock it goes by."""

    def __init__(self, folder: Path, seed: int, cluster: Cluster | None = None) -> None:
        super().__init__(cluster)
        self.random = random.Random(seed)
        (folder / "clock").mkdir()
        (folder / "clock" / "sitecustomize.py").write_text(_AHEAD)
        self._lmtp = free_port()
        self.stack = Stack(
            folder / "data",
            {
                "SMTP_URL": f"smtp://127.0.0.1:{self.sink.port}",
                "MAIL_FROM": "play@paleopost.test",
                "MAIL_DOMAIN": "paleopost.test",
                "LMTP_LISTEN": f"127.0.0.1:{self._lmtp}",
                "SWEEP_EVERY": "1",
                "REQUESTS_PER_MINUTE": "1000000",
                "LOG_LEVEL": "INFO",
                "PYTHONPATH": str(folder / "clock"),
                **({"DATABASE_URL": cluster.create()} if cluster else {}),
            },
        )
        self.stack.data.mkdir()
        self.ahead = dt.timedelta()
        self.stack.start(forked=False)
        self.open_anew()

    def open_anew(self) -> None:
        """Know the database as it is now: a service remembers its epochs."""
        self.service = Service(self.stack.settings(), NoQueue())
        self.service.now = self._now  # type: ignore[method-assign]

    def _now(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC) + self.ahead

    def restart(self, by: Callable[[], None], *, in_vain: bool = False) -> None:
        """Stop the product, do something, and start it again; nobody plays meanwhile.

        `in_vain`: it may refuse to start, in words.
        """
        self.may_play.clear()
        with ExitStack() as nobody:
            for hand in self.hands:
                nobody.enter_context(hand)
            if self.stack.running:
                self.stack.stop()
            self.service.database.dispose()
            by()
            self.stack.env["CLOCK_AHEAD"] = str(self.ahead.total_seconds())
            try:
                self.stack.start(120, forked=False)
            except AssertionError:
                if not in_vain or "Traceback" in self.stack.said():
                    raise
            # Another broker listens, at another port.
            self.open_anew()
        self.may_play.set()

    def commands(self) -> list[int]:
        """Those of the supervisor."""
        return children(self.stack.pid)

    def logs(self) -> list[Path]:
        """Those of the data directory."""
        return sorted((self.stack.data / "log").iterdir())

    def kill_broker(self) -> None:
        """The supervisor starts it again."""
        for process in self.processes("valkey|redis-server"):
            os.kill(process, signal.SIGKILL)

    def web(self) -> str:
        """Its web server."""
        return self.stack.base_url

    def lmtp(self) -> int:
        """Its LMTP server's port."""
        return self._lmtp

    def close(self) -> None:
        """Stop everything."""
        self.closing.set()
        if self.stack.running:
            self.stack.stop()
        self.sink.stop()
        self.service.database.dispose()

"""A running product that people play on while it is disturbed."""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

import msgspec
import redis
from sqlalchemy import func, select

from service.core.context import Service
from service.core.models import EntryRow
from tests.chaos.bad_sink import BadSink
from tests.support.postgresql import Cluster


class Ack(msgspec.Struct, frozen=True):
    """A move that the product has said it has: the code of its page, or the id of the mail."""

    match_id: int
    decision: str
    code: str | None
    message_id: str | None
    at: float


class Site(ABC):
    """A running product that people play on, the SMTP server it sends to, and what it has
    acknowledged. `service` is a way into its database.
    """

    service: Service

    def __init__(self, cluster: Cluster | None = None) -> None:
        self.cluster = cluster
        self.sink = BadSink(slow=8)
        self.acks: list[Ack] = []
        self.forgotten: set[int] = set()
        self.matches: list[int] = []
        self.may_play = threading.Event()
        self.may_play.set()
        self.closing = threading.Event()
        # One for each who plays: who holds it is handing something in
        self.hands: list[threading.Lock] = []

    @abstractmethod
    def web(self) -> str:
        """The address of a web server of it."""

    @abstractmethod
    def lmtp(self) -> int:
        """The port of an LMTP server of it."""

    @abstractmethod
    def commands(self) -> list[int]:
        """The processes that it consists of, without those that they have started."""

    @abstractmethod
    def logs(self) -> list[Path]:
        """What its processes have logged."""

    @abstractmethod
    def kill_broker(self) -> None:
        """End the broker without a word; it begins empty."""

    @abstractmethod
    def close(self) -> None:
        """Stop everything."""

    def processes(self, name: str) -> list[int]:
        """The processes of it that a pattern of their command names."""
        found = []
        for process in self.commands():
            with suppress(OSError):
                command = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ")
                if re.search(name, command.decode()):
                    found.append(process)
        return found

    def broker(self) -> redis.Redis:
        """A client of its broker."""
        return redis.Redis.from_url(self.service.settings.redis_url)

    def applied(self) -> int:
        """Turns that were played."""
        with self.service.database.read() as session:
            return session.scalar(select(func.count()).select_from(EntryRow)) or 0

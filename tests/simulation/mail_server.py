"""The mail server: what is handed to it, and what it says instead of 250."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from service.mail.send.smtp import NotTaken, Refusal, SmtpFailure

if TYPE_CHECKING:
    from tests.simulation.world import World

_MESSAGE_ID = re.compile(rb"^Message-ID:\s*<([^>]+)>", re.MULTILINE | re.IGNORECASE)


class Copy(msgspec.Struct, frozen=True):
    """A letter as the server has taken it; one letter may have come several times."""

    message_id: str
    to: str
    at: dt.datetime
    raw: bytes
    digest: bytes


class MailServer:
    """Takes letters in the place of an SMTP server (`service.mail.send.smtp.Transport`).

    `maybe` counts by Message-ID how often it has taken a letter of which nobody could know it.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.copies: list[Copy] = []
        self.by_id: dict[str, list[Copy]] = defaultdict(list)
        self.maybe: Counter[str] = Counter()

    def send(self, sender: str, to: str, message: bytes, before_end: Callable[[], None]) -> None:
        """Take a letter, or what the weather makes of it."""
        world = self._world
        world.point("connect")
        answer = ""
        if world.draw.random() < world.weather.mail_server:
            answer = world.draw.choice(world.weather.answers)
            world.trace.fault(f"smtp: {answer}", to)
        match answer:
            case "connect":
                raise NotTaken(SmtpFailure.CONNECT, "connection refused")
            case "later":
                raise NotTaken(SmtpFailure.RECIPIENT, "451 4.3.0 later")
            case "no such user":
                raise Refusal("550 5.1.1 no such user", recipient=True)
            case "text refused":
                raise Refusal("554 5.6.0 no")
            case "timeout":
                raise NotTaken(SmtpFailure.TIMEOUT, "no reply")
        world.point("text")
        before_end()
        found = _MESSAGE_ID.search(message)
        assert found is not None
        name = found[1].decode()
        copy = Copy(name, to, world.clock.now(), message, hashlib.sha256(message).digest())
        self.copies.append(copy)
        self.by_id[name].append(copy)
        world.trace.note("taken", name, to, copy.digest.hex()[:16])
        world.checks.on_copy(copy)
        if answer == "lost reply":
            self.maybe[name] += 1
            raise NotTaken(SmtpFailure.AFTER_DATA, "connection lost")
        task = world.scheduler.current
        if task is not None:
            task.took = name
        world.point("taken")

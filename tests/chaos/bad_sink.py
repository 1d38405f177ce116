"""An SMTP server that keeps every copy of every letter, and misbehaves on request."""

from __future__ import annotations

import asyncio
import hashlib
import re
import threading
import time
import zlib
from collections.abc import Coroutine
from enum import Enum
from weakref import WeakSet

import msgspec
from aiosmtpd.smtp import SMTP, Envelope, Session

_MESSAGE_ID = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.MULTILINE | re.IGNORECASE)


class Mood(Enum):
    """What the server does to who wants to send."""

    GOOD = "good"
    HANG = "hang"
    LOGIN = "login"
    LATER = "later"
    NO_SUCH_USER = "no_such_user"
    SLOW = "slow"
    DROP = "drop"
    CUT = "cut"


class Copy(msgspec.Struct, frozen=True):
    """One copy of a letter: when it came, and the hash of its bytes."""

    message_id: str
    at: float
    digest: str


class BadSink:
    """The server, on a free port of this process. `mood` may be changed at any time.

    `different` has the first two texts of each Message-ID that came with several.
    """

    def __init__(self, slow: float) -> None:
        self.mood = Mood.GOOD
        self.copies: list[Copy] = []
        self.different: dict[str, tuple[bytes, bytes]] = {}
        self._first: dict[str, bytes] = {}
        self._slow = slow
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server: asyncio.Server | None = None
        self._conversations: WeakSet[SMTP] = WeakSet()
        self.port = 0
        self.open()

    def open(self) -> None:
        """Listen, on the port it had before."""
        self._run(self._listen())

    def close(self) -> None:
        """Listen no more: who connects is refused."""
        self._run(self._close())

    def stop(self) -> None:
        """Close it and end its thread."""
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(120)

    async def handle_EHLO(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, _: list[str]
    ) -> list[str]:
        """aiosmtpd's hook."""
        while self.mood is Mood.HANG:
            await asyncio.sleep(0.2)
        session.host_name = hostname
        return ["250-localhost", "250 8BITMIME"]

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _: list[str]
    ) -> str:
        """aiosmtpd's hook."""
        while self.mood is Mood.HANG:
            await asyncio.sleep(0.2)
        if self.mood is Mood.LOGIN:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _: list[str]
    ) -> str:
        """aiosmtpd's hook."""
        if self.mood is Mood.NO_SUCH_USER:
            self.mood = Mood.GOOD  # one letter is enough: two of them give an address up
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """aiosmtpd's hook."""
        if self.mood is Mood.LATER:
            return "451 4.3.0 try again later"
        content = envelope.original_content or b""
        found = _MESSAGE_ID.search(content)
        name = found[1].decode() if found else "none"
        self.copies.append(Copy(name, time.monotonic(), hashlib.sha256(content).hexdigest()))
        first = zlib.decompress(self._first.setdefault(name, zlib.compress(content, 1)))
        if first != content:
            self.different.setdefault(name, (first, content))
        if self.mood is Mood.SLOW:
            await asyncio.sleep(self._slow)
        if self.mood is Mood.DROP:
            _abort(server)
        return "250 2.0.0 kept"

    async def _listen(self) -> None:
        self._server = await self._loop.create_server(
            self._conversation, "127.0.0.1", self.port, reuse_address=True
        )
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for each in list(self._conversations):
            _abort(each)

    def _conversation(self) -> SMTP:
        made = _Conversation(self, hostname="localhost")
        self._conversations.add(made)
        return made

    def _run(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(120)


class _Conversation(SMTP):
    """What hangs up once the text is to come."""

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 (aiosmtpd's name)
        """aiosmtpd's command."""
        if isinstance(self.event_handler, BadSink) and self.event_handler.mood is Mood.CUT:
            await self.push("354 go on")
            _abort(self)
            return
        await super().smtp_DATA(arg)


def _abort(conversation: SMTP) -> None:
    if isinstance(conversation.transport, asyncio.WriteTransport):
        conversation.transport.abort()

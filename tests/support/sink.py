"""An SMTP server that keeps what it is given, in the process of the tests."""

from __future__ import annotations

import asyncio
import ssl
import threading
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass
class Delivery:
    """One letter with its envelope."""

    sender: str
    recipients: list[str]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The letter, parsed."""
        parsed = BytesParser(policy=policy.default).parsebytes(self.raw)
        assert isinstance(parsed, EmailMessage)
        return parsed


@dataclass
class SmtpSink:
    """A real SMTP server on a free port. Replies listed in `replies` are given first, in order.

    `replies` are answers to DATA, e.g. "451 4.3.0 later" or "550 5.1.1 no"; the letter is not kept.
    `to_sender` and `to_recipient` are answers to MAIL and RCPT. With a `context` it speaks TLS:
    from the first byte (smtps), or where it is `asked` for it, and nothing before (STARTTLS).

    While `hangs` has "MAIL", "RCPT" or "end" in it, that is not answered; at "end" the letter has
    been kept. `drops` is how often it keeps a letter and hangs up instead of saying so. With
    `password` it wants a login by it.
    """

    deliveries: list[Delivery] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    to_sender: list[str] = field(default_factory=list)
    to_recipient: list[str] = field(default_factory=list)
    hangs: set[str] = field(default_factory=set)
    drops: int = 0
    password: str | None = None
    context: ssl.SSLContext | None = None
    asked: bool = False

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        self.port = starting.result(120)
        scheme = "smtp" if self.context is None else "smtp+starttls" if self.asked else "smtps"
        self.url = f"{scheme}://127.0.0.1:{self.port}"

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """aiosmtpd's hook."""
        await self._hang("MAIL")
        if self.to_sender:
            return self.to_sender.pop(0)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """aiosmtpd's hook."""
        await self._hang("RCPT")
        if self.to_recipient:
            return self.to_recipient.pop(0)
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """aiosmtpd's hook."""
        if self.replies:
            return self.replies.pop(0)
        assert isinstance(envelope.original_content, bytes)
        self.deliveries.append(
            Delivery(envelope.mail_from or "", list(envelope.rcpt_tos), envelope.original_content)
        )
        await self._hang("end")
        if self.drops:
            self.drops -= 1
            assert isinstance(server.transport, asyncio.WriteTransport)
            server.transport.abort()
        return "250 2.0.0 kept"

    async def _hang(self, where: str) -> None:
        while where in self.hangs:
            await asyncio.sleep(0.02)

    def _lets_in(self, *given: object) -> AuthResult:
        login = given[-1]
        right = (
            isinstance(login, LoginPassword) and login.password == (self.password or "").encode()
        )
        return AuthResult(success=right, handled=False)

    def stop(self) -> None:
        """Close the server and all its connections."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(120)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(120)
        self._loop.close()

    async def _listen(self) -> int:
        by_command = self.context if self.asked else None
        self._server = await self._loop.create_server(
            lambda: SMTP(
                self,
                enable_SMTPUTF8=True,
                hostname="localhost",
                tls_context=by_command,
                require_starttls=by_command is not None,
                authenticator=self._lets_in if self.password is not None else None,
                auth_require_tls=False,
            ),
            "127.0.0.1",
            0,
            ssl=None if self.asked else self.context,
        )
        return int(self._server.sockets[0].getsockname()[1])

    async def _close(self) -> None:
        self._server.close()
        others = [t for t in asyncio.all_tasks(self._loop) if t is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

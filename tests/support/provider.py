"""A mail provider in small: SMTP in, mailboxes on a real IMAP server, plus-addressing."""

from __future__ import annotations

import asyncio
import threading

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.dovecot import Dovecot


class Provider:
    """Takes mail for anybody and puts it into their mailbox, as `name` for `name+tag` too."""

    def __init__(self, dovecot: Dovecot) -> None:
        self._dovecot = dovecot
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        self.port = listening.result(120)

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """aiosmtpd's hook."""
        assert isinstance(envelope.original_content, bytes)
        for recipient in envelope.rcpt_tos:
            await asyncio.to_thread(
                self._put, recipient, (envelope.mail_from or "<>"), envelope.original_content
            )
        return "250 2.0.0 Delivered"

    def stop(self) -> None:
        """Close it and all connections."""

        async def close() -> None:
            self._server.close()
            others = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(close(), self._loop).result(120)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(120)
        self._loop.close()

    def _put(self, recipient: str, sender: str, raw: bytes) -> None:
        local, _, domain = recipient.lower().partition("@")
        trace = f"Return-Path: <{sender.strip('<>')}>\r\nDelivered-To: {recipient}\r\n"
        client = self._dovecot.client(f"{local.partition('+')[0]}@{domain}")
        client.append("INBOX", trace.encode() + raw)
        client.logout()

    async def _listen(self) -> int:
        self._server = await self._loop.create_server(
            lambda: SMTP(self, enable_SMTPUTF8=True, hostname="localhost"), "127.0.0.1", 0
        )
        return int(self._server.sockets[0].getsockname()[1])

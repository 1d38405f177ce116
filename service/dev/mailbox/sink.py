"""An SMTP server on loopback that takes every letter and keeps it.

usage: python -m service.dev.mailbox.sink HOST PORT DIRECTORY
"""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
from pathlib import Path

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.dev.mailbox.store import MailboxStore

SIZE_LIMIT = 32 * 1024 * 1024

log = structlog.get_logger(__name__)


class Keeper:
    """aiosmtpd's handler: a letter is acknowledged once it is on the disk."""

    def __init__(self, store: MailboxStore) -> None:
        self._store = store

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Keep the letter; 451 asks the sender to try again."""
        assert isinstance(envelope.original_content, bytes)
        try:
            number = self._store.keep(
                envelope.mail_from or "", envelope.rcpt_tos, envelope.original_content
            )
        except (sqlite3.Error, OSError) as error:
            log.exception("letter_not_kept", reason=str(error))
            return "451 4.3.0 Not kept, try again later"
        return f"250 2.0.0 Kept as {number}"


def sink(store: MailboxStore) -> SMTP:
    """One connection's SMTP protocol."""
    return SMTP(
        Keeper(store),
        data_size_limit=SIZE_LIMIT,
        enable_SMTPUTF8=True,
        hostname="localhost",
        ident="mail sink",
        timeout=3600,
    )


async def serve(host: str, port: int, directory: Path) -> None:
    """Take letters until SIGTERM or SIGINT. Raises OSError when the port is taken."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    store = MailboxStore(directory)
    server = await loop.create_server(lambda: sink(store), host, port)
    log.info("listening", host=host, port=port)
    await ended.wait()
    server.close()
    store.close()


def main(arguments: list[str]) -> None:
    """Run the sink as a process of its own."""
    host, port, directory = arguments
    asyncio.run(serve(host, int(port), Path(directory)))


if __name__ == "__main__":
    main(sys.argv[1:])

"""The store of kept letters: an SQLite file of their own, beside the service's database."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from service.core import system_clock

FILE = "mailbox.db"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY,
    received_at TEXT NOT NULL,
    sender TEXT NOT NULL,
    raw BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS recipient (
    address TEXT NOT NULL,
    message_id INTEGER NOT NULL REFERENCES message (id),
    PRIMARY KEY (address, message_id)
) WITHOUT ROWID;
"""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A letter as it came: `sender` and `recipients` are the envelope's, `raw` its every byte."""

    id: int
    received_at: dt.datetime
    sender: str
    recipients: tuple[str, ...]
    raw: bytes


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was written to, how often, and when last."""

    address: str
    letters: int
    last: dt.datetime


class Damaged(Exception):
    """The file of the kept letters cannot be used. The text says what to do."""


class MailboxStore:
    """The letters kept below a data directory. Safe for several processes at once.

    The file is made by the first `keep`; reading before finds nothing. `keep` holds a connection
    open: it belongs to one thread. Reading does not.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE
        self._writer: sqlite3.Connection | None = None

    def keep(self, sender: str, recipients: Sequence[str], raw: bytes) -> int:
        """Store a letter for good and return its number. Addresses are kept in lower case.

        Raises sqlite3.Error or OSError when it cannot; nothing is stored then.
        """
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = self._connect()
            self._writer.executescript(_SCHEMA)
        with self._writer:
            number = self._writer.execute(
                "INSERT INTO message (received_at, sender, raw) VALUES (?, ?, ?)",
                (system_clock.now().isoformat(), sender, raw),
            ).lastrowid
            assert number is not None
            self._writer.executemany(
                "INSERT OR IGNORE INTO recipient (address, message_id) VALUES (?, ?)",
                [(address.lower(), number) for address in recipients],
            )
        return number

    def require_readable(self) -> None:
        """Raises Damaged if there is a file and it holds no letters that can be read."""
        try:
            with self._reading() as connection:
                connection.execute("SELECT MAX(id) FROM message").fetchone()
                connection.execute("SELECT MAX(message_id) FROM recipient").fetchone()
        except sqlite3.DatabaseError as error:
            raise Damaged(
                f"The mailbox {self._path} is damaged ({error}). Put back a copy of it, or move it "
                "away to begin an empty one; nothing was changed."
            ) from error

    def close(self) -> None:
        """Close what `keep` holds open."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def addresses(self) -> list[Address]:
        """Everybody written to, the last one first."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT address, COUNT(*), MAX(received_at) FROM recipient"
                " JOIN message ON message.id = message_id"
                " GROUP BY address ORDER BY MAX(message.id) DESC"
            )
            return [
                Address(address=a, letters=n, last=dt.datetime.fromisoformat(t)) for a, n, t in rows
            ]

    def letters(self, address: str, limit: int, before: int | None = None) -> list[Kept]:
        """Up to `limit` letters to `address`, the newest first, older than number `before`."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT id, received_at, sender, raw FROM message"
                " JOIN recipient ON message_id = id WHERE address = ? AND id < ?"
                " ORDER BY id DESC LIMIT ?",
                (address.lower(), before if before is not None else 2**63 - 1, limit),
            ).fetchall()
            return [self._kept(connection, row) for row in rows]

    def letter(self, number: int) -> Kept | None:
        """The letter of that number."""
        with self._reading() as connection:
            row = connection.execute(
                "SELECT id, received_at, sender, raw FROM message WHERE id = ?", (number,)
            ).fetchone()
            return self._kept(connection, row) if row else None

    @staticmethod
    def _kept(connection: sqlite3.Connection, row: tuple[int, str, str, bytes]) -> Kept:
        recipients = connection.execute(
            "SELECT address FROM recipient WHERE message_id = ? ORDER BY address", (row[0],)
        )
        return Kept(
            id=row[0],
            received_at=dt.datetime.fromisoformat(row[1]),
            sender=row[2],
            recipients=tuple(address for (address,) in recipients),
            raw=row[3],
        )

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        found = self._path.exists()
        with closing(self._connect() if found else sqlite3.connect(":memory:")) as connection:
            connection.executescript(_SCHEMA)
            yield connection

"""Writing for real, to see that it can be done: a full disk lets everything be read.

A row of a few pages takes the place of the one before, in a durable transaction that waits for
nobody for long. Whoever asks, and however often, a process writes once in FRESH seconds at most.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import delete, insert
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from service.core import randomness, system_clock
from service.core.db import Database
from service.core.models import Probe

FRESH: Final = 10.0
"""Seconds that a result holds."""

WITHIN: Final = 3.0
"""Seconds to wait for a turn or a lock."""

LEAST_FREE: Final = 16 * 1024 * 1024
"""Bytes that have to be free where SQLite writes. Its log is used again from the front: a small row
may find its place there after the disk has filled up.
"""

_FILLER = 16 * 1024


class WriteFault(StrEnum):
    """The reason why the database cannot be written."""

    FULL = "full"
    READ_ONLY = "read_only"
    LOCKED = "locked"
    FAILED = "failed"


# https://www.sqlite.org/rescode.html (primary result codes), and the SQLSTATEs of PostgreSQL.
_SQLITE = {
    sqlite3.SQLITE_FULL: WriteFault.FULL,
    sqlite3.SQLITE_READONLY: WriteFault.READ_ONLY,
    sqlite3.SQLITE_BUSY: WriteFault.LOCKED,
    sqlite3.SQLITE_LOCKED: WriteFault.LOCKED,
}
_POSTGRESQL = {
    "53100": WriteFault.FULL,
    "25006": WriteFault.READ_ONLY,
    "55P03": WriteFault.LOCKED,
    "57014": WriteFault.LOCKED,
}


class Writing:
    """Asks one database whether it can be written, not more often than it should be."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._asked_at: float | None = None
        self._found: WriteFault | None = None

    def fault(self) -> WriteFault | None:
        """The reason why it cannot be written; None if it can. At most FRESH seconds old."""
        with self._lock:  # who comes meanwhile gets the same answer
            if self._asked_at is None or system_clock.monotonic() - self._asked_at >= FRESH:
                self._found = try_to_write(self._database)
                self._asked_at = system_clock.monotonic()
            return self._found


def try_to_write(database: Database, within: float = WITHIN) -> WriteFault | None:
    """Write a row durably; why that cannot be done, or None."""
    try:
        free = room(database).free
        if free is not None and free < LEAST_FREE:
            return WriteFault.FULL
        with database.write_within(within) as session:
            # First the new one: it needs room of its own.
            row = insert(Probe).values(
                at=system_clock.now(), filler=randomness.token_bytes(_FILLER)
            )
            newest = session.scalar(row.returning(Probe.id))
            session.execute(delete(Probe).where(Probe.id != newest))
    except TimeoutError:
        return WriteFault.LOCKED
    except DBAPIError as error:
        return _fault_of(error.orig)
    except (SQLAlchemyError, OSError):
        return WriteFault.FAILED
    return None


class Room(msgspec.Struct, frozen=True):
    """Bytes that are free where an SQLite database is, and those of its write-ahead log. None for
    PostgreSQL, which may be anywhere: its own machine knows.
    """

    free: int | None
    log: int | None


def room(database: Database) -> Room:
    """The room there is for this database now. Raises OSError."""
    if database.path is None:
        return Room(None, None)
    log = Path(f"{database.path}-wal")
    free = shutil.disk_usage(database.path.parent).free
    return Room(free, log.stat().st_size if log.exists() else 0)


def _fault_of(error: BaseException | None) -> WriteFault:
    if isinstance(error, sqlite3.Error):
        # Extended codes have the primary one in their lowest byte.
        return _SQLITE.get((getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF, WriteFault.FAILED)
    state = getattr(error, "sqlstate", None)
    return _POSTGRESQL.get(str(state), WriteFault.FAILED)

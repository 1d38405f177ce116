"""Databases that need not outlive a power failure: what a test writes to SQLite is not waited for.

Each commit of the product waits until the disk has it (some milliseconds, and tests make many
thousands of them). Neither what other processes see depends on it, nor what is left of a process
that was killed. Programs that a test starts do as the product does, and so does the bench.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection, Engine, event


def hurry() -> None:
    """Have SQLite wait for no disk in this process from now on."""
    if not event.contains(Engine, "engine_connect", _wait_for_nothing):
        event.listen(Engine, "engine_connect", _wait_for_nothing)


def _wait_for_nothing(connection: Connection) -> None:
    raw = connection.connection.driver_connection
    if isinstance(raw, sqlite3.Connection):
        raw.execute("PRAGMA synchronous=OFF")

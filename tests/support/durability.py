"""Databases that need not outlive a power failure: what a test writes to SQLite is not waited for.

Each commit of the product waits until the disk has it (10 ms and more, and tests make some ten
thousand of them). What other processes see, and what is left of a process that was killed, does not
depend on it. Programs that a test starts do as the product does.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy import Engine, event


@event.listens_for(Engine, "engine_connect")
def hurry(connection: Any) -> None:
    """Have SQLite not wait for the disk."""
    raw = connection.connection.driver_connection
    if isinstance(raw, sqlite3.Connection):
        raw.execute("PRAGMA synchronous=OFF")

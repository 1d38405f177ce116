"""SQL statements that are compiled once in a process, not once for every test's own database.

SQLAlchemy keeps what it has compiled by dialect, and every engine has a dialect of its own. The
databases of tests differ by their address alone, so their connections take the dialect of the first
of their kind, and one cache. A quarter of the time of the use cases' tests went into compiling.
"""

from __future__ import annotations

from sqlalchemy import Connection, Dialect, Engine, event
from sqlalchemy.util import LRUCache

MOST = 2000
"""Statements that are kept; the service and its tests have some 600."""

_dialects: dict[tuple[str, str], Dialect] = {}
_compiled: LRUCache[object, object] = LRUCache(MOST)


@event.listens_for(Engine, "engine_connect")
def share(connection: Connection) -> None:
    """Have a new connection use what was compiled for others."""
    own = connection.dialect
    connection.dialect = _dialects.setdefault((own.name, own.driver), own)
    connection.execution_options(compiled_cache=_compiled)

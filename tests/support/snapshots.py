"""Databases in a state that takes long to reach: a process reaches it once, and copies it.

What is drawn on the way belongs to the state, not to the test that happens to reach it first.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import msgspec
import psycopg
from psycopg import sql
from sqlalchemy import URL, func, select
from time_machine import escape_hatch

from service.core.models import Player, Pulse
from service.core.settings import Settings
from tests.support import draws

if TYPE_CHECKING:
    from tests.support.tables import World

LONGEST = dt.timedelta(seconds=10)
"""How long ago a state may have been reached when the clock goes: a sweep that follows takes
nothing of it for late (`service.ops.sweep.PATIENCE`).
"""


class State(NamedTuple):
    """What a world had when it was there, when that was, and the number that was given. The
    database is a file of SQLite, or the name of one of PostgreSQL.
    """

    database: bytes | str
    enqueued: list[tuple[str, tuple[Any, ...]]]
    sent: list[tuple[str, str, bytes]]
    moment: dt.datetime
    number: int


class Key(NamedTuple):
    """What tells a state from others. `moment`: when the clock stands still; `beats`: the signs of
    life that were there before.
    """

    name: object
    settings: Settings
    moment: dt.datetime | None
    beats: tuple[tuple[str, dt.datetime], ...]


_states: dict[Key, State] = {}


def once(
    world: World, name: object, reach: Callable[[], int], *, on_postgresql: bool = False
) -> int:
    """Have a world in the state of this name, which `reach` leaves it in, and what that gives.

    It is reached each time in a world in which something has happened, or that is on PostgreSQL,
    which takes 0.3 s to copy a database: more than most states (not `on_postgresql`). Where the
    clock stands still, it is a state of that moment.
    """
    url = world.service.database.url
    copied = url.drivername == "sqlite" or on_postgresql
    if not copied or url.database is None or not _is_new(world):
        return reach()
    now = world.service.now()
    settings = msgspec.structs.replace(world.service.settings, database_url="")
    still = now if escape_hatch.is_travelling() else None
    key = Key((url.drivername, name), settings, still, _beats(world))
    state = _states.get(key)
    if state is not None and now - state.moment < LONGEST:
        world.service.database.dispose()
        _put(url, url.database, state.database)
        world.jobs.enqueued, world.post.sent = list(state.enqueued), list(state.sent)
        return state.number
    with draws.aside(str(name)):
        number = reach()
    if url.drivername != "sqlite":
        world.service.database.dispose()
    taken = _taken(url, url.database)
    if not escape_hatch.is_travelling():
        _forget_before(now - LONGEST)
    _states[key] = State(taken, list(world.jobs.enqueued), list(world.post.sent), now, number)
    return number


def _taken(url: URL, name: str) -> bytes | str:
    """A copy of a database. One of PostgreSQL's goes with its cluster."""
    if url.drivername == "sqlite":
        with closing(sqlite3.connect(name)) as connection:
            return connection.serialize()
    kept = f"kept{uuid4().hex}"
    _copy(url, name, kept)
    return kept


def _put(url: URL, name: str, database: bytes | str) -> None:
    """Have a copy in the place of a database that nobody is connected to."""
    if isinstance(database, str):
        _copy(url, database, name)
        return
    for ending in ("-wal", "-shm"):
        Path(name + ending).unlink(missing_ok=True)
    Path(name).write_bytes(database)


def _copy(url: URL, of: str, name: str) -> None:
    server = url.set(drivername="postgresql", database="postgres")
    address = server.render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        made, meant = sql.Identifier(name), sql.Identifier(of)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(made))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(made, meant))


def _forget_before(moment: dt.datetime) -> None:
    """Nothing that was reached before is gone back to, but where the clock stands still."""
    for key in [key for key, state in _states.items() if not key.moment and state.moment < moment]:
        del _states[key]


def _is_new(world: World) -> bool:
    if world.jobs.enqueued or world.post.sent:
        return False
    with world.service.database.read() as session:
        return session.scalar(select(func.count()).select_from(Player)) == 0


def _beats(world: World) -> tuple[tuple[str, dt.datetime], ...]:
    with world.service.database.read() as session:
        pulses = session.scalars(select(Pulse).order_by(Pulse.name))
        return tuple((pulse.name, pulse.at) for pulse in pulses)

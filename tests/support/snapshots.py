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

import msgspec
from sqlalchemy import func, select
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
    """What a world had when it was there, when that was, and the number that was given."""

    database: bytes
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


def once(world: World, name: object, reach: Callable[[], int]) -> int:
    """Have a world in the state of this name, which `reach` leaves it in, and what that gives.

    It is reached each time in a world in which something has happened, or that is on PostgreSQL.
    Where the clock stands still, it is a state of that moment.
    """
    path = world.service.database.url.database
    if world.service.database.url.drivername != "sqlite" or path is None or not _is_new(world):
        return reach()
    now = world.service.now()
    settings = msgspec.structs.replace(world.service.settings, database_url="")
    key = Key(name, settings, now if escape_hatch.is_travelling() else None, _beats(world))
    state = _states.get(key)
    if state is not None and now - state.moment < LONGEST:
        world.service.database.dispose()
        for ending in ("-wal", "-shm"):
            Path(path + ending).unlink(missing_ok=True)
        Path(path).write_bytes(state.database)
        world.jobs.enqueued, world.post.sent = list(state.enqueued), list(state.sent)
        return state.number
    with draws.aside(str(name)):
        number = reach()
    with closing(sqlite3.connect(path)) as connection:
        raw = connection.serialize()
    if not escape_hatch.is_travelling():
        _forget_before(now - LONGEST)
    _states[key] = State(raw, list(world.jobs.enqueued), list(world.post.sent), now, number)
    return number


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

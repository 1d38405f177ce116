"""The workers that are there, and how many of their processes are busy.

Each tells it to the broker every few seconds: it is about now, and nobody misses it later.
"""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec
import redis.exceptions

from service.core import system_clock
from service.core.jobs import connect

KEY: Final = "paleopost.workers"

EVERY: Final = 5.0
"""Seconds between two notes of a worker."""

HOLDS: Final = 30.0
"""Seconds after which a worker that says nothing is gone."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's word of itself. `queues` are those it works for, joined by commas; `at` is in
    seconds since 1970.
    """

    queues: str
    processes: int
    busy: int
    at: float


class Staff(msgspec.Struct, frozen=True):
    """The processes that work for the same queues, and how many of them are at a task."""

    processes: int
    busy: int


_note = msgspec.json.Decoder(Note)


def tell(redis_url: str, worker: str, queues: str, processes: int, busy: int) -> None:
    """Note that this worker is there. A broker that is away is no error: it says so elsewhere."""
    note = Note(queues=queues, processes=processes, busy=busy, at=system_clock.now().timestamp())
    try:
        with connect(redis_url) as client:
            client.hset(KEY, worker, msgspec.json.encode(note))
    except (redis.exceptions.RedisError, OSError, ValueError):
        return


def staff(redis_url: str) -> dict[str, Staff]:
    """The workers that are there, by their queues; nobody where the broker does not answer."""
    try:
        with connect(redis_url) as client:
            notes = cast(dict[bytes, bytes], client.hgetall(KEY))
            now, found = system_clock.now().timestamp(), dict[str, Staff]()
            for worker, raw in notes.items():
                note = _note.decode(raw)
                if abs(now - note.at) > HOLDS:
                    client.hdel(KEY, cast(Any, worker))
                    continue
                others = found.get(note.queues, Staff(0, 0))
                found[note.queues] = Staff(
                    others.processes + note.processes, others.busy + note.busy
                )
            return dict(sorted(found.items()))
    except (redis.exceptions.RedisError, OSError, ValueError):
        return {}

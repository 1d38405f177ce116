"""Two at one match on PostgreSQL: what somebody comes to who waits for it while it changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.exc import OperationalError

from service.core import locks
from service.core.db import Work
from service.core.locks import LockedMatch
from service.core.models import Base
from tests.support.tables import World

Result = TypeVar("Result")

PATIENCE = 300.0
WAITERS = text(
    "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE NOT granted AND datname = current_database()"
)


def overtaken(
    world: World,
    match_id: int,
    change: Callable[[Work, LockedMatch], object],
    act: Callable[[], Result],
) -> Result:
    """What `act` comes to if it has to wait for this match, and finds it as `change` has left it.

    `act` reads what it likes before it waits. Its exception is raised.
    """
    with ThreadPoolExecutor(1) as pool:
        with world.service.database.write() as work:
            match = locks.lock_number(world.service, work, match_id)
            done = pool.submit(act)
            with world.service.database.engine.connect() as other:
                wait_until_somebody_waits(other, done)
            change(work, match)
        return done.result(PATIENCE)


@contextmanager
def waiting_for(world: World, match_id: int, act: Callable[[], object]) -> Iterator[Connection]:
    """Somebody has the match and `act` waits for it; what it holds by then can be asked."""
    with ThreadPoolExecutor(1) as pool, world.service.database.write() as work:
        world.service.database.lock_match(work.session, match_id)
        done = pool.submit(act)
        with world.service.database.engine.connect() as other:
            wait_until_somebody_waits(other, done)
            yield other
        work.session.rollback()
        done.result(PATIENCE)


def wait_until_somebody_waits(connection: Connection, done: Any) -> None:
    """Return once a session of this database waits for a lock; fail if `done` is done without."""
    until = time.monotonic() + PATIENCE
    while not connection.scalar(WAITERS):
        assert not done.done(), f"it waited for nobody: {done.exception() or done.result()!r}"
        assert time.monotonic() < until
        time.sleep(0.005)


def is_free(connection: Connection, table: type[Base], number: int) -> bool:
    """Whether nobody has locked this row."""
    key = inspect(table).primary_key[0]
    row = select(key).where(key == number)
    with connection.begin_nested() as part:
        try:
            connection.execute(row.with_for_update(nowait=True))
        except OperationalError:
            return False
        finally:
            part.rollback()
    return True

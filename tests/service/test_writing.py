"""Whether the database can be written is found out by writing, and told by its reason."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select, text

from service.core.db import Database
from service.core.models import Probe
from service.core.probe import WriteFault, Writing, try_to_write
from tests.support.tables import Jobs, World

pytestmark = pytest.mark.on_postgresql


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url, Jobs())
    yield opened
    opened.dispose()


def rows(database: Database) -> int:
    with database.read() as session:
        return session.scalar(select(func.count()).select_from(Probe)) or 0


def pragma(database: Database, said: str) -> None:
    """Have every new transaction on SQLite begin so."""

    @event.listens_for(database.engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql(f"PRAGMA {said}")


def test_it_leaves_one_row(database: Database) -> None:
    for _ in range(3):
        assert try_to_write(database) is None
    assert rows(database) == 1


def test_a_process_asks_once_in_a_while(world: World) -> None:
    """However many ask at the same time."""
    written: list[str] = []

    @event.listens_for(world.service.database.engine, "before_cursor_execute")
    def note(*args: Any) -> None:
        if args[2].startswith("INSERT INTO probe"):
            written.append(args[2])

    writing = Writing(world.service.database)
    askers = [threading.Thread(target=writing.fault) for _ in range(20)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert writing.fault() is None
    assert len(written) == 1


def test_a_full_database_on_sqlite(sqlite_url: str) -> None:
    database = Database(sqlite_url, Jobs())
    with database.engine.connect() as connection:
        pages = connection.scalar(text("PRAGMA page_count"))
    pragma(database, f"max_page_count = {pages}")
    assert try_to_write(database) is WriteFault.FULL
    assert rows(database) == 0
    database.dispose()


def test_a_full_disk(tmp_path: Path, sqlite_url: str) -> None:
    """With the database on a disk of its own, which somebody else has filled."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(disk)], capture_output=True
    )
    if made.returncode:
        pytest.skip("only root may mount a disk")
    try:
        path = disk / "paleopost.db"
        path.write_bytes(Path(sqlite_url.removeprefix("sqlite:///")).read_bytes())
        database = Database(f"sqlite:///{path}", Jobs())
        assert try_to_write(database) is None
        with contextlib.suppress(OSError), (disk / "filler").open("wb") as filler:
            while True:
                filler.write(bytes(65536))
                filler.flush()
        # What is written before the threshold is asked for: the error of SQLite itself.
        with pytest.raises(Exception, match="full"), database.write() as work:
            work.session.add_all(Probe(at=_now(), filler=os.urandom(100_000)) for _ in range(40))
        assert try_to_write(database) is WriteFault.FULL
        (disk / "filler").unlink()
        assert try_to_write(database) is None
        database.dispose()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _now() -> Any:
    import datetime as dt

    return dt.datetime.now(dt.UTC)


def test_a_read_only_database(database: Database) -> None:
    if database.is_shared:
        name = database.url.database
        with database.write() as work:
            work.session.execute(
                text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
            )
        database.dispose()  # new connections have it so
    else:
        pragma(database, "query_only = ON")
    assert try_to_write(database) is WriteFault.READ_ONLY


def test_a_database_that_another_program_holds(database: Database) -> None:
    with _held(database):
        assert try_to_write(database, within=0.2) is WriteFault.LOCKED
    assert try_to_write(database) is None


def test_a_unit_of_work_that_does_not_end(sqlite_url: str) -> None:
    database = Database(sqlite_url, Jobs())
    lock = Path(f"{database.path}.lock")
    waiting = threading.active_count()
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for _ in range(5):
            assert try_to_write(database, within=0.1) is WriteFault.LOCKED
        assert threading.active_count() <= waiting + 1
    while threading.active_count() > waiting:  # who waited lets go of its turn
        time.sleep(0.01)
    assert try_to_write(database) is None
    database.dispose()


def test_others_who_write_do_not_keep_it_waiting(sqlite_url: str) -> None:
    database = Database(sqlite_url, Jobs())
    ended = threading.Event()

    def write() -> None:
        while not ended.is_set():
            with database.write() as work:
                work.session.execute(text("UPDATE pulse SET seconds = 0"))

    writers = [threading.Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    try:
        assert [try_to_write(database, within=30) for _ in range(5)] == [None] * 5
    finally:
        ended.set()
        for writer in writers:
            writer.join()
        database.dispose()


def test_a_full_disk_of_postgresql(postgresql_url: str) -> None:
    """Its own error, as it says it when a file cannot grow (SQLSTATE 53100)."""
    database = Database(postgresql_url, Jobs())
    with database.write() as work:
        work.session.execute(
            text(
                "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
            )
        )
        work.session.execute(
            text(
                "CREATE TRIGGER full_disk BEFORE INSERT ON probe "
                "FOR EACH ROW EXECUTE FUNCTION no_room()"
            )
        )
    assert try_to_write(database) is WriteFault.FULL
    database.dispose()


@contextlib.contextmanager
def _held(database: Database) -> Iterator[None]:
    """Somebody else's transaction that keeps everybody from writing."""
    if database.is_shared:
        with database.engine.connect() as connection:
            connection.execute(text("LOCK TABLE probe IN ACCESS EXCLUSIVE MODE"))
            yield
        return
    other = sqlite3.connect(str(database.path), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()

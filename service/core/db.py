"""The database: SQLite (embedded) or PostgreSQL, one transaction at a time.

`read` gives a session that sees; `write` gives a unit of work that commits, and only then enqueues
the jobs it was given. On SQLite writers queue at a file lock: the kernel wakes the next one at
once, whereas SQLite's own lock sleeps and retries and lets some starve.
"""

from __future__ import annotations

import enum
import fcntl
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any, Protocol, cast

from sqlalchemy import Connection, Engine, Insert, Select, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.orm import DeclarativeBase, Session

from service.core.session import ReadSession, WriteSession, held

_SQLITE_PATIENCE = 30
"""Seconds that SQLite waits for a lock of another program."""


class Queue(Protocol):
    """The queue where jobs are enqueued: the name of a task and the arguments it is called with."""

    def enqueue(self, task: str, *args: Any) -> None:
        """Ask for a task."""
        ...

    def waiting(self, task: str) -> int:
        """The number of jobs that wait in the queue of this task; none if nobody can tell."""
        ...


class NoQueue:
    """For who brings a database in order while nothing runs: the sweep finds what is stored."""

    def enqueue(self, task: str, *args: Any) -> None:
        """Nothing is enqueued."""

    def waiting(self, task: str) -> int:
        """Nothing waits."""
        return 0


class Work:
    """A unit of work: a session, and the jobs to enqueue once it is committed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.jobs: list[tuple[str, tuple[Any, ...]]] = []

    def enqueue_after_commit(self, task: str, *args: Any) -> None:
        """Have a task called once, and only if, this work is committed. May get lost: the sweep
        finds it.
        """
        self.jobs.append((task, args))


class Database:
    """Sessions on one database. `url` as SQLAlchemy writes it; plain `postgresql://` means psycopg
    3.
    """

    def __init__(self, url: str, queue: Queue) -> None:
        parsed = make_url(url)
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.url = parsed
        self.queue = queue
        self._lock_path: Path | None = None
        self._waiter: _Waiter | None = None
        self.engine = self._sqlite() if parsed.drivername == "sqlite" else self._postgresql()

    # What people wrote must not get into the log with an error's text (`hide_parameters`).

    def _postgresql(self) -> Engine:
        return create_engine(
            self.url,
            pool_pre_ping=True,
            pool_size=5,
            hide_parameters=True,
            connect_args={"connect_timeout": 10},
        )

    def _sqlite(self) -> Engine:
        if not self.url.database or self.url.database == ":memory:":
            raise ValueError("SQLite needs a file: several processes share it")
        path = Path(self.url.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock_path = path.with_name(path.name + ".lock")
        engine = create_engine(
            self.url, connect_args={"timeout": _SQLITE_PATIENCE}, hide_parameters=True
        )

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, _record: Any) -> None:
            # The driver must not open transactions by itself: BEGIN IMMEDIATE is ours.
            connection.isolation_level = None
            cursor = connection.cursor()
            # What was erased is overwritten in the file, too: not every SQLite is built to do so.
            for pragma in (
                *("journal_mode=WAL", "synchronous=FULL"),
                *("foreign_keys=ON", "secure_delete=ON"),
            ):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

        @event.listens_for(engine, "begin")
        def begin(connection: Any) -> None:
            write = connection.get_execution_options().get("write", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

        return engine

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session for looking; what it changes is not kept."""
        with ReadSession(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Work]:
        """A unit of work: committed at the end, rolled back whole on any exception."""
        with (
            # First the turn, then a connection: those who wait must not hold the pool's.
            self._turn(),
            self.engine.connect().execution_options(write=True) as connection,
            WriteSession(connection, expire_on_commit=False) as session,
        ):
            work = Work(session)
            with session.begin():
                yield work
        for task, args in work.jobs:
            self.queue.enqueue(task, *args)

    @contextmanager
    def write_within(self, seconds: float) -> Iterator[Session]:
        """A unit of work that does not wait for longer than this, neither for its turn nor for any
        lock. Raises TimeoutError or what SQLAlchemy raises.
        """
        with (
            self._turn(seconds),
            self.engine.connect().execution_options(write=True) as connection,
            WriteSession(connection, expire_on_commit=False) as session,
            self._patience(connection, seconds),
            session.begin(),
        ):
            if self.is_shared:
                for name in ("lock_timeout", "statement_timeout"):
                    session.execute(text(f"SET LOCAL {name} = {round(seconds * 1000)}"))
            yield session

    @contextmanager
    def _patience(self, connection: Connection, seconds: float) -> Iterator[None]:
        """How long SQLite waits for a lock of another program on this connection."""
        if self.is_shared:
            yield
            return
        raw = cast(sqlite3.Connection, connection.connection.driver_connection)
        raw.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
        try:
            yield
        finally:
            raw.execute(f"PRAGMA busy_timeout = {_SQLITE_PATIENCE * 1000}")

    @contextmanager
    def _turn(self, seconds: float | None = None) -> Iterator[None]:
        if self._lock_path is None:
            yield
            return
        with self._file(self._lock_path, seconds) as lock:
            if seconds is None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _file(self, path: Path, seconds: float | None) -> IO[str]:
        """The file of the lock; with `seconds` it is locked."""
        if seconds is None:
            return path.open("w")
        if self._waiter is not None and self._waiter.is_alive():
            raise TimeoutError("the one who asked before is still waiting")
        self._waiter = _Waiter(path)
        self._waiter.start()
        return self._waiter.lock_within(seconds)

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database."""
        return None if self.is_shared else Path(str(self.url.database))

    @property
    def is_shared(self) -> bool:
        """True if others write at the same time. On SQLite a unit of work has had the whole
        database to itself from its beginning.
        """
        return self.engine.dialect.name == "postgresql"

    def lock_match(self, session: Session, match_id: int) -> bool:
        """Keep every other move of this match waiting until the work ends. Rows that only refer to
        the match can be written meanwhile: nobody who holds another match waits for this one so.

        True if it may have waited. Whatever the session has read before is then read again when it
        is asked for: a row that somebody has deleted raises ObjectDeletedError.
        """
        if self.holds(session, match_id):
            return False
        return self._lock(session, MatchOf.ID, match_id)

    def lock_match_of(self, session: Session, known_by: MatchOf, key: int | str) -> None:
        """The same for a match of which nothing has been read: what is read from here on need not
        be read again. Does nothing if there is none.
        """
        if self.is_shared:
            self._lock(session, known_by, key)

    def lock_matches(self, session: Session, numbers: Select[int]) -> None:
        """The same for all matches whose numbers this selects, in their order."""
        if not self.is_shared:
            return
        in_order = numbers.order_by(numbers.selected_columns[0]).with_for_update(key_share=True)
        found = set(session.scalars(in_order))
        if found - held(session):
            held(session).update(found)
            session.flush()
            session.expire_all()

    def holds(self, session: Session, match_id: int) -> bool:
        """True if this session has locked this match."""
        if not self.is_shared:
            held(session).add(match_id)
        return match_id in held(session)

    @staticmethod
    def holds_any(session: Session) -> bool:
        """True if this session has locked a match."""
        return bool(held(session))

    @staticmethod
    def _lock(session: Session, known_by: MatchOf, key: int | str) -> bool:
        match_id = session.scalar(_LOCKING[known_by], {"key": key})
        if match_id is None or match_id in held(session):
            return False
        held(session).add(match_id)
        session.flush()
        session.expire_all()
        return True

    def dispose(self) -> None:
        """Close all connections (before a fork, at the end)."""
        self.engine.dispose()


class MatchOf(enum.Enum):
    """The condition that finds a match which has not been read: by what it is known."""

    ID = "id = :key"
    CODE = "code = :key"
    SUBMISSION = "id = (SELECT match_id FROM submission WHERE id = :key)"
    # Not of a letter that tells of several matches: all of them are locked, in their order
    LETTER = (
        "id = (SELECT match_id FROM letter"
        " WHERE id = :key AND kind <> 'digest' AND status <> 'gathered')"
    )


_LOCKING = {
    known_by: text(f"SELECT id FROM match WHERE {known_by.value} FOR NO KEY UPDATE")  # noqa: S608
    for known_by in MatchOf
}


class _Waiter(threading.Thread):
    """Queues for a file's lock, since who only looks whether it is free never gets it while others
    queue. Given up, it lets go at once of what it gets.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self._path = path
        self._guard = threading.Condition()
        self._locked: IO[str] | None = None
        self._error: OSError | None = None
        self._given_up = False

    def run(self) -> None:
        """Wait."""
        try:
            file = self._path.open("w")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            file, self._error = None, error
        with self._guard:
            if self._given_up and file is not None:
                file.close()
            else:
                self._locked = file
            self._guard.notify()

    def lock_within(self, seconds: float) -> IO[str]:
        """The file, locked. Raises TimeoutError, or OSError if it cannot be opened."""
        with self._guard:
            self._guard.wait_for(lambda: self._locked or self._error, seconds)
            if self._locked is not None:
                return self._locked
            if self._error is not None:
                raise self._error
            self._given_up = True
            raise TimeoutError("another unit of work does not end")


def insert_once(session: Session, row: type[DeclarativeBase], **values: Any) -> Any:
    """Insert a row unless one of its unique values is there already.

    Gives the first column of its primary key, or None if it was there.
    """
    session.flush()
    return session.scalar(_insert_once(row, session.get_bind().dialect.name), values)


def insert_all(
    session: Session, row: type[DeclarativeBase], rows: Sequence[dict[str, Any]]
) -> dict[Any, Any]:
    """Insert rows with one statement, leaving out those of which a unique value is there already.

    All rows name the same columns, `dedupe` or the primary key among them. Gives the first column
    of the primary key of each that is new, by its `dedupe` if it has one.
    """
    if not rows:
        return {}
    session.flush()
    statement = _insert_once(row, session.get_bind().dialect.name)
    table = cast(Table, row.__table__)
    if "dedupe" in table.c:
        statement = _returning_dedupe(statement)
    return {found[-1]: found[0] for found in session.execute(statement, rows)}


@cache
def _returning_dedupe(statement: Any) -> Any:
    return statement.returning(statement.table.c.dedupe)


@cache
def _insert_once(row: type[DeclarativeBase], dialect: str) -> Insert:
    """Made once for each table: most of what a move writes is written so."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    # On the table, not the class: what inserts many objects at once would cost as much again.
    return (
        insert(cast(Table, row.__table__))
        .on_conflict_do_nothing()
        .returning(row.__mapper__.primary_key[0])
    )

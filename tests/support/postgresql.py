"""A PostgreSQL cluster of the tests' own, on a free port, forgotten at the end."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
from psycopg import sql

from service.dev.embedded.lifeline import lifeline
from tests.support.ports import free_port
from tests.support.processes import children

UNSAFE_BUT_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")

# What is planned for a statement must not depend on when a vacuum came by.
STEADY = ("autovacuum=off", "jit=off")

LOANS = 40
"""Tests that use one database after the other: what they deleted is still in its files."""
MOST_ROWS = 2000
"""Rows of a test; a database that had more is not used again."""


class Cluster:
    """A running cluster. `create` makes databases in it; `stop` ends it and deletes its files.

    To make and drop a database takes 0.3 s of CPU, to empty one a twentieth of that: `lend` gives
    one that is as its template, and `take_back` empties it for the next.

    PostgreSQL will not run as root: it then runs as the user `postgres` (or `nobody`). `durable`:
    what is committed outlives a power failure, as a bench wants it and tests do not need it; and
    the server looks after its tables by itself.
    """

    def __init__(self, *, durable: bool = False) -> None:
        programs = _programs()
        self._user = _user()
        # Not below pytest's own folder: another user may not enter that.
        self._folder = Path(tempfile.mkdtemp(prefix="paleopost-postgresql-"))
        os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
        data = self._folder / "data"
        self._run(
            programs / "initdb",
            *("--pgdata", str(data), "--username=tests", "--auth=trust"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
        )
        self.port = free_port()
        options = ["listen_addresses=127.0.0.1", "unix_socket_directories="]
        if not durable:
            options += (*UNSAFE_BUT_FAST, *STEADY)
        self._command = [
            str(programs / "postgres"),
            *("-D", str(data), "-p", str(self.port)),
            *(word for option in options for word in ("-c", option)),
        ]
        self.start()
        self._ready: list[tuple[str, int]] = []
        self._loans: dict[str, int] = {}
        self._templates: dict[str, Contents] = {}

    def start(self) -> None:
        """Run the server, and wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                preexec_fn=lifeline(),
                **self._identity(),
            )
        self._wait()

    def kill(self) -> None:
        """End the server and those of its connections without a word, as a power failure does."""
        for process in [self.pid, *children(self.pid)]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait(60)

    @property
    def pid(self) -> int:
        """The server's process; those of connections are below it."""
        return self._process.pid

    def create(self, template: str = "template1") -> str:
        """The URL of a new database, made after a template."""
        name = f"t{uuid4().hex}"
        self._execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        return self.url(name)

    def drop(self, url: str) -> None:
        """Delete a database, whoever is still connected."""
        name = url.rpartition("/")[2]
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def lend(self, template: str) -> str:
        """The URL of a database that is as its template, which nobody else uses."""
        url, loans = self._ready.pop() if self._ready else (self.create(template), 0)
        self._loans[url] = loans + 1
        return url

    def take_back(self, url: str, template: str) -> None:
        """End what is still connected to a lent database, and empty it or drop it."""
        if template not in self._templates:
            self._templates[template] = contents(self.url(template))
        loans = self._loans.pop(url)
        if loans < LOANS and _emptied(url, self._templates[template]):
            self._ready.append((url, loans))
        else:
            self.drop(url)

    def url(self, name: str) -> str:
        """The URL of a database of the cluster."""
        return f"postgresql://tests@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        """End the server at once and delete its files."""
        self._process.send_signal(signal.SIGQUIT)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder)

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _wait(self) -> None:
        until = time.monotonic() + 120
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=20).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise RuntimeError((self._folder / "log").read_text()) from None
            time.sleep(0.05)

    def _run(self, *command: str | Path) -> None:
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            cwd=self._folder,
            **self._identity(),
        )
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {done.stderr}")

    def _identity(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}


class Contents(NamedTuple):
    """The tables of a database with their columns, and the rows that are in them."""

    columns: list[tuple[str, ...]]
    rows: dict[str, list[tuple[Any, ...]]]


def contents(url: str) -> Contents:
    """What is in a database."""
    with psycopg.connect(url) as connection:
        columns = _columns(connection)
        rows = {
            table: connection.execute(
                sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))
            ).fetchall()
            for table in sorted({table for table, *_ in columns})
        }
    return Contents(columns, rows)


def _columns(connection: psycopg.Connection) -> list[tuple[str, ...]]:
    return connection.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"
    ).fetchall()


def _emptied(url: str, meant: Contents) -> bool:
    """Put the rows of a database back to what is meant; False if it is not worth it or possible."""
    try:
        with psycopg.connect(url) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if _columns(connection) != meant.columns:
                return False
            # References need not be minded when all rows go.
            connection.execute("SET session_replication_role = replica")
            deleted = 0
            for table, rows in meant.rows.items():
                name = sql.Identifier(table)
                deleted += connection.execute(sql.SQL("DELETE FROM {}").format(name)).rowcount
                for row in rows:
                    values = sql.SQL(", ").join(sql.Placeholder() * len(row))
                    into = sql.SQL("INSERT INTO {} VALUES ({})").format(name, values)
                    connection.execute(into, row)
            used = connection.execute(
                "SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL"
            ).fetchall()
            for (sequence,) in used:
                name = sql.Identifier(sequence)
                connection.execute(sql.SQL("ALTER SEQUENCE {} RESTART").format(name))
    except psycopg.Error:
        return False
    return deleted < MOST_ROWS


def _programs() -> Path:
    """The folder of PostgreSQL's programs; Debian keeps them off the path."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name), reverse=True
    )
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    raise RuntimeError("PostgreSQL's server is not installed: run `make packages`")


def _user() -> pwd.struct_passwd:
    if os.geteuid() != 0:
        return pwd.getpwnam(getpass.getuser())
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")

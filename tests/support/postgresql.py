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
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql

from service.embedded.lifeline import lifeline
from service.embedded.ports import free_port

UNSAFE_BUT_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Cluster:
    """A running cluster. `create` makes databases in it; `stop` ends it and deletes its files.

    PostgreSQL will not run as root: it then runs as the user `postgres` (or `nobody`). `durable`:
    what is committed outlives a power failure, as a bench wants it and tests do not need it.
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
            options += UNSAFE_BUT_FAST
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    str(programs / "postgres"),
                    *("-D", str(data), "-p", str(self.port)),
                    *(word for option in options for word in ("-c", option)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                preexec_fn=lifeline(),
                **self._identity(),
            )
        self._wait()

    @property
    def pid(self) -> int:
        """The server's process; those of connections are below it."""
        return self._process.pid

    def create(self, template: str = "template1") -> str:
        """The URL of a new database, made after a template."""
        name = f"t{uuid4().hex}"
        self._command(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        return self.url(name)

    def drop(self, url: str) -> None:
        """Delete a database, whoever is still connected."""
        name = url.rpartition("/")[2]
        self._command(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

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

    def _command(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _wait(self) -> None:
        until = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
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

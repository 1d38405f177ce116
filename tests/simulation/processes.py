"""The processes of the product: each has a service of its own, which is gone when it is killed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask
from sqlalchemy import event

from service.core.context import Service
from service.core.db import Database, Queue, Work
from service.core.session import WriteSession
from service.core.settings import Settings
from service.mail.send.claims import claim_ahead
from service.web.app import create_app
from tests.support import compiling as compiling  # statements are compiled once
from tests.support import routes as routes
from workers import runtime as workers_runtime
from workers import tasks

if TYPE_CHECKING:
    from tests.simulation.broker import Job
    from tests.simulation.world import World

TASKS: dict[str, Any] = {
    "moves.play": tasks.play,
    "moves.bot": tasks.bot,
    "mail.deliver": tasks.deliver,
    "inbound.handle": tasks.handle,
    "time.sweep": tasks.sweep_,
    "time.expire": tasks.expire,
    "time.resume": tasks.resume,
    "time.fill": tasks.fill,
}
_running: list[World] = []


@event.listens_for(WriteSession, "after_commit")
def _committed(_session: Any) -> None:
    if _running:
        _running[-1].commits += 1
        _running[-1].point("committed")


@contextmanager
def observed(world: World) -> Iterator[None]:
    """Tell this world what happens in sessions."""
    _running.append(world)
    try:
        yield
    finally:
        _running.remove(world)


class SimulatedDatabase(Database):
    """The product's database with a point at each statement and commit. Writers wait for each other
    as they do for the file's lock, but give way meanwhile.
    """

    def __init__(self, url: str, queue: Queue, world: World) -> None:
        super().__init__(url, queue)
        self._world = world
        event.listen(self.engine, "before_cursor_execute", self._statement)
        event.listen(self.engine, "commit", lambda _: world.point("commit"))
        if not self.is_shared:
            event.listen(self.engine, "connect", _hurry)

    def _statement(self, *_: Any) -> None:
        self._world.point("statement")

    @contextmanager
    def write(self) -> Iterator[Work]:
        """A unit of work."""
        self._world.point("begin")
        with super().write() as work:
            yield work
        self._world.point("done")

    @contextmanager
    def _turn(self, seconds: float | None = None) -> Iterator[None]:
        with self._world.writing(), super()._turn(seconds):
            yield


def _hurry(connection: Any, _record: Any) -> None:
    """A killed process loses nothing that the kernel has: the disk need not be waited for."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=OFF")


class SimulatedService(Service):
    """The service of one process."""

    def __init__(self, settings: Settings, world: World) -> None:
        super().__init__(settings, world.broker)
        self.database.dispose()
        self.database = SimulatedDatabase(settings.database_url, world.broker, world)


class Process:
    """One process. It does one thing at a time, and remembers what it has read."""

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        self._world = world
        self._service: Service | None = None
        self.busy = False

    @property
    def service(self) -> Service:
        """Its service, made when it is first needed."""
        if self._service is None:
            self._service = SimulatedService(self._world.settings, self._world)
        return self._service

    def die(self) -> None:
        """Forget everything; another takes its place."""
        if self._service is not None:
            self._service.database.dispose()
        self._service = None


class Worker(Process):
    """A child of Celery's pool."""

    def work(self, job: Job) -> None:
        """Do a job as Celery would."""
        service = self.service
        service.claim_ahead = partial(claim_ahead, service)
        task = TASKS[job.task]
        # The tasks ask for it before anybody else has its turn.
        workers_runtime._runtime = workers_runtime.Runtime(
            service,
            self._world.mail_server,  # type: ignore[arg-type]
        )
        task.push_request(delivery_info={"redelivered": job.again})
        try:
            task.run(*job.args)
        finally:
            task.pop_request()


_apps: list[Flask] = []


class WebServer(Process):
    """A process of gunicorn. The application is code, and made once; what it knows goes with the
    process.
    """

    @property
    def app(self) -> Flask:
        """The application, with this process's service."""
        if not _apps:
            made = create_app(self._world.settings, self._world.broker)
            made.config.update(RATELIMIT_ENABLED=False)
            made.extensions["paleopost"].database.dispose()
            _apps.append(made)
        return _apps[0]

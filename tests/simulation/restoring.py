"""A copy of the database that takes its place later: all that came between is forgotten."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

from service.core import schema
from service.core.context import Service
from service.core.db import NoQueue
from service.ops import backup, restoring
from tests.simulation.secrets_kept import handed_on

if TYPE_CHECKING:
    from tests.simulation.checks import Known
    from tests.simulation.world import World


class Backups:
    """The operator's copies. Restoring is for SQLite, whose file a run has to itself."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: Known | None = None
        self._told = 0

    def handed_on(self) -> str | None:
        """The name of a letter that holds a secret of somebody else; None if there is none. What
        had ended before a restore goes on after it, with a chance that its last letter has told.
        """
        return handed_on(self._world.eyes, self._world.mail_server.copies, self._told)

    @property
    def _path(self) -> Path | None:
        database = self._world.eyes.database.path
        return None if database is None else database.with_name("copy")

    def act(self) -> None:
        """Take a copy; or, if there is one, put it in the database's place."""
        if self._path is None:
            return
        self._world.finish_tasks()
        if self._known is None:
            self._copy(self._path)
        else:
            self._restore(self._path, self._known)
            self._known = None

    def _copy(self, path: Path) -> None:
        world = self._world
        world.checks.after_step()
        _, newest = schema.versions(world.eyes.database)
        backup.write(world.eyes.database, newest or "", path, world.clock.now())
        self._known = world.checks.known()
        world.trace.note("copy")

    def _restore(self, path: Path, known: Known) -> None:
        """Everything is stopped for it. Jobs that the broker has stay there."""
        world = self._world
        world.trace.fault(
            "restored", f"{len(world.checks.forms) - len(known.forms)} turns forgotten"
        )
        if (told := self.handed_on()) is not None:
            world.checks.broken(f"{told} holds a secret of somebody else")
        self._told = len(world.mail_server.copies)
        world.stop_all()
        world.eyes.database.dispose()
        # A connection that is given back to a pool that is gone stays open as long as it is there.
        gc.collect()
        restoring.restore(world.settings, path, replace=True)
        world.eyes = Service(world.settings, NoQueue())
        world.checks.forget(known)
        world.forget_pauses()
        for person in world.people:
            person.forget()

"""Runs of the simulation: a database of its own each, and what it came to."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

import msgspec
import structlog
from sqlalchemy import update

from service.core import schema
from service.core.models import Epoch
from service.core.schema import upgrade
from tests.nim import nim_registered
from tests.simulation.checks import Broken
from tests.simulation.processes import observed
from tests.simulation.secrets_kept import betrayed
from tests.simulation.world import World
from tests.support.undrawn import not_drawn

if TYPE_CHECKING:
    from tests.support.postgresql import Cluster

MEMORY = Path("/dev/shm")
LEAST, MOST = 36, 108
"""Steps of a run, but for the calm phase."""


LOOKED_AT = 1
"""Turn letters of each run that are written once more, with other secrets."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a run came to. `broken`: the promise that was not kept; None: all were."""

    seed: int
    steps: int
    broken: str | None
    counts: Counter[str]
    digest: str
    lines: list[str]
    played: int
    letters: int


class Databases:
    """Fresh databases, one after the other: SQLite's in memory, or those of a PostgreSQL cluster of
    its own.
    """

    _made: ClassVar[dict[str, Databases]] = {}

    @classmethod
    def of_process(cls, kind: str) -> Databases:
        """Those that this process uses again and again."""
        if kind not in cls._made:
            cls._made[kind] = cls(kind)
            atexit.register(cls._made[kind].close)
        return cls._made[kind]

    def __init__(self, kind: str = "sqlite") -> None:
        self._cluster: Cluster | None = None
        self._stack = ExitStack()
        where = str(MEMORY) if os.access(MEMORY, os.W_OK) else None
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(dir=where)))
        self._template: Path | None = None
        if kind == "postgresql":
            from tests.support.postgresql import Cluster

            self._cluster = Cluster()
            self._stack.callback(self._cluster.stop)
            url = self._cluster.create()
            upgrade(url)
            _same_epoch(url)
            self._empty = url.rpartition("/")[2]

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """The address of an empty database."""
        if self._cluster is not None:
            url = self._cluster.lend(self._empty)
            try:
                yield url
            finally:
                self._cluster.take_back(url, self._empty)
            return
        if self._template is None:
            self._template = self._folder / "template.db"
            url = f"sqlite:///{self._template}"
            upgrade(url)
            _same_epoch(url)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            path = Path(folder) / "paleopost.db"
            shutil.copy(self._template, path)
            yield f"sqlite:///{path}"

    def close(self) -> None:
        """Remove them."""
        self._stack.close()


def _same_epoch(url: str) -> None:
    """A new database draws what its links and Message-IDs are made with: here always the same."""
    with schema.opened(url) as database, database.write() as work:
        work.session.execute(update(Epoch).values(mark="5eed" * 8))


def steps_of(seed: int) -> int:
    """How many steps the run of a seed has."""
    return Random(f"{seed} steps").randint(LEAST, MOST)


def simulate(
    seed: int,
    url: str,
    *,
    game: str | None = None,
    without: Collection[str] = (),
    steps: Collection[int] | None = None,
) -> Result:
    """Run a seed on an empty database; `steps` are those that are kept (None: all)."""
    broken: str | None = None
    with ExitStack() as stack:
        stack.enter_context(nim_registered())
        world = World(seed, url, game, without)
        for context in (_silence(), not_drawn(pages=False), observed(world), world.running()):
            stack.enter_context(context)
        try:
            world.open()
            for number in range(steps_of(seed)) if steps is None else sorted(steps):
                world.step(number)
            world.calm()
            world.checks.at_rest()
            world.outlast()
            world.trace.note("rest", world.checks.digest())
            if (told := world.backups.handed_on()) is not None:
                raise Broken(f"{told} holds a secret of somebody else")
            if (told := betrayed(world.eyes, LOOKED_AT)) is not None:
                raise Broken(f"{told} tells what its reader cannot know")
        except Broken as error:
            broken = str(error)
        played = world.checks.played()[0]
    return Result(
        seed=seed,
        steps=world.steps,
        broken=broken,
        counts=world.trace.counts,
        digest=world.trace.digest,
        lines=world.trace.lines,
        played=played,
        letters=len(world.mail_server.copies),
    )


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing of the product is logged: a run that breaks a promise has its trace."""
    kept = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**kept)

"""Jobs that the broker has kept while the database was set back: what they name may be gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.tables import World
from workers import runtime, tasks

NOWHERE = 10**6


@pytest.fixture
def in_a_worker(world: World) -> Iterator[None]:
    """Tasks are run by the service of this world."""
    kept = runtime._runtime
    runtime._runtime = runtime.Runtime(world.service, world.post)  # type: ignore[arg-type]
    yield
    runtime._runtime = kept


@pytest.mark.both_databases
@pytest.mark.usefixtures("in_a_worker")
@pytest.mark.parametrize(
    ("task", "args"),
    [
        (tasks.play, (NOWHERE,)),
        (tasks.bot, (NOWHERE, "1.move")),
        (tasks.deliver, (NOWHERE, 1)),
        (tasks.handle, (NOWHERE,)),
        (tasks.expire, (NOWHERE, "1.move")),
        (tasks.resume, (NOWHERE,)),
        (tasks.fill, (NOWHERE,)),
    ],
)
def test_a_job_that_names_nothing_does_nothing(task: Any, args: tuple[Any, ...]) -> None:
    task.run(*args)

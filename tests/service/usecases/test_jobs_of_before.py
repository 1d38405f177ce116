"""Jobs that the broker has kept while the database was set back: what they name may be gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from service.core.context import Service
from service.mail.receive import inbound
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


@pytest.mark.on_postgresql
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


@pytest.mark.usefixtures("in_a_worker")
def test_a_job_of_before_does_not_fail_as_a_mail_gets_its_number_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = inbound.count_attempt

    def count_attempt(service: Service, number: int) -> None:
        with service.database.write() as work:
            assert inbound.take(service, work, b"Subject: A mail\r\n\r\nnext", source="lmtp") == 1
        known(service, number)

    monkeypatch.setattr(inbound, "count_attempt", count_attempt)
    tasks.handle.run(1)

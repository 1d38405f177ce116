"""The broker: jobs in a bag, from which the scheduler draws."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from service.core.jobs import QUEUE_OF

if TYPE_CHECKING:
    from tests.simulation.world import World


class Job:
    """A job that waits. `again`: a worker died over it. `ready` is when it can be drawn, `drawn`
    when it was.
    """

    def __init__(self, task: str, args: tuple[Any, ...], ready: dt.datetime) -> None:
        self.task = task
        self.args = args
        self.ready = ready
        self.again = False
        self.drawn: dt.datetime | None = None

    @property
    def about(self) -> tuple[str, Any]:
        """The row that it is about: a letter's claim, or a decision's name, is no part of it."""
        return self.task, self.args[0] if self.args else None

    @property
    def is_claimed_ahead(self) -> bool:
        """True if it names a claim, and whoever is given it believes that."""
        return self.task == "mail.deliver" and len(self.args) > 1 and not self.again

    def __str__(self) -> str:
        said = f"{self.task}({', '.join(map(str, self.args))})"
        return f"{said} again" if self.again else said


class Broker:
    """Takes jobs as the product's queue does (`service.core.db.Queue`), loses some, and gives some
    twice.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.bag: list[Job] = []
        self._drawn: list[Job] = []

    def enqueue(self, task: str, *args: Any) -> None:
        """Keep the job, unless the weather is bad."""
        world = self._world
        world.checks.on_job(task, args)
        world.point("enqueue")
        draw = world.draw
        if draw.random() < world.weather.job_lost:
            world.trace.fault("job lost", task, *args)
            return
        job = Job(task, args, world.clock.now())
        self.bag.append(job)
        if draw.random() < world.weather.job_twice:
            world.trace.fault("job twice", job)
            self.bag.append(Job(task, args, world.clock.now()))

    def waiting(self, task: str) -> int:
        """The jobs in the queue of this task."""
        return sum(QUEUE_OF[job.task] == QUEUE_OF[task] for job in self.bag)

    def draw(self, job: Job) -> None:
        """A worker takes this job."""
        self.bag.remove(job)
        job.drawn = self._world.clock.now()
        self._drawn.append(job)

    def set_back(self, length: dt.timedelta) -> int:
        """What was written in the last `length` is not on its disk: jobs that were drawn since wait
        again, and it does not know that they were. How many.
        """
        now = self._world.clock.now()
        lost = [job for job in self._drawn if job.drawn is not None and job.drawn > now - length]
        self.bag += [Job(job.task, job.args, now) for job in lost]
        self._drawn.clear()
        return len(lost)

    def put_back(self, job: Job, after: dt.timedelta) -> None:
        """A worker died over it: it is delivered again."""
        again = Job(job.task, job.args, self._world.clock.now() + after)
        again.again = True
        self.bag.append(again)

    def ready(self) -> list[Job]:
        """The jobs that can be drawn now."""
        now = self._world.clock.now()
        return [job for job in self.bag if job.ready <= now]

"""Tasks that run one at a time and give way to each other where the seed says so.

Each is a greenlet: it is stopped at a point (a statement, a commit, a job that is enqueued, a word
with the mail server), and goes on when it is drawn again, or never: then its process was killed.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from random import Random

import greenlet


class Killed(BaseException):
    """The process of this task is gone. Nothing of the product may catch it."""


class Task:
    """Something that a process does: a job, a request, a mail that is taken in.

    `dies_at` is the point at which its process is killed: a kind, and how often it has passed such
    points by then; `takes_all` if the power fails there, for all. `gives_way` is how likely it
    gives way to others at a point. A job has a row that it is `about`; one that names a claim made
    `ahead` may be given to two.
    """

    def __init__(self, name: str, run: Callable[[], None], draw: Random) -> None:
        self.name = name
        self.draw = draw
        self.dies_at: tuple[str, int] | None = None
        self.gives_way = 0.0
        self.wakes: dt.datetime | None = None
        self.waits_for: Callable[[], bool] | None = None
        self.process: object = None
        self.about: tuple[str, object] | None = None
        self.ahead = False
        self.took: str | None = None
        self.began: dt.datetime | None = None
        self.takes_all = False
        self.killed = False
        self.died_at = ""
        self.error: BaseException | None = None
        self.passed: Counter[str] = Counter()
        self._greenlet = greenlet.greenlet(self._run)
        self._body = run

    @property
    def is_over(self) -> bool:
        """True if nothing of it is left to be done."""
        return bool(self._greenlet.dead)

    def _run(self) -> None:
        try:
            self._body()
        except Killed:
            self.killed = True
        except Exception as error:  # noqa: BLE001 (what it is, the simulation asks)
            self.error = error

    def resume(self) -> None:
        """Go on until it gives way or is over."""
        self._greenlet.parent = greenlet.getcurrent()
        self._greenlet.switch()

    def give_way(self) -> None:
        """Let others go on; called by itself."""
        parent = self._greenlet.parent
        assert parent is not None
        parent.switch()
        if self.killed:
            raise Killed


class Scheduler:
    """The tasks that are under way."""

    def __init__(self, now: Callable[[], dt.datetime]) -> None:
        self._now = now
        self.tasks: list[Task] = []
        self.current: Task | None = None

    def can_go_on(self, task: Task) -> bool:
        """True unless it sleeps, or waits for another."""
        if task.wakes is not None and task.wakes > self._now():
            return False
        return task.waits_for is None or task.waits_for()

    def ready(self) -> list[Task]:
        """The tasks that can go on."""
        return [task for task in self.tasks if self.can_go_on(task)]

    def run(self, task: Task) -> None:
        """Let a task begin, or go on, until it gives way or is over."""
        if task not in self.tasks:
            self.tasks.append(task)
        before, self.current = self.current, task
        try:
            task.wakes = task.waits_for = None
            task.resume()
        finally:
            self.current = before
        if task.is_over:
            self.tasks.remove(task)

    def kill(self, task: Task) -> None:
        """End the process of a task where it stands."""
        task.killed = True
        task.died_at = task.died_at or "stopped"
        before, self.current = self.current, task
        try:
            while not task.is_over:
                task.resume()
        finally:
            self.current = before
        self.tasks.remove(task)

    def sleep(self, seconds: float) -> None:
        """The present task does nothing for so long."""
        task = self.current
        if task is None:
            return
        task.wakes = self._now() + dt.timedelta(seconds=seconds)
        task.give_way()

    def wait(self, until: Callable[[], bool]) -> None:
        """The present task waits until this holds."""
        task = self.current
        while task is not None and not until():
            task.waits_for = until
            task.give_way()

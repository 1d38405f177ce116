"""Keeps programs running: starts them, starts the dead again, and ends all of them in order.

One thread and no polling: it sleeps until a child dies, a signal comes or somebody is due again.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Self

from service.core.errors import CannotStart
from service.dev.embedded.program import Child, Policy, Program

END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):
    """The operator asked for the end while something was waited for."""


class Supervisor:
    """Children of one parent. Use as a context in the main thread: at its end nobody is left.

    `say` is given sentences for the operator; `keep_open` are descriptors that children inherit.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        policy: Policy | None = None,
        keep_open: tuple[int, ...] = (),
    ) -> None:
        self.children: list[Child] = []
        self._say = say
        self._policy = policy or Policy()
        self._keep_open = keep_open
        self._asked_to_end = 0
        self._waiting = False

    def __enter__(self) -> Self:
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._old_wakeup = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        # What was set to be ignored (SIGHUP under nohup) stays so.
        heard = [s for s in END_SIGNALS if signal.getsignal(s) is not signal.SIG_IGN]
        self._old_handlers = {s: signal.signal(s, self._on_end) for s in heard}
        # Any handler at all: without one the signal is dropped and wakes nobody.
        self._old_handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _nothing)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            for number, handler in self._old_handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(self._old_wakeup)
            os.close(self._wake_read)
            os.close(self._wake_write)

    def start(self, program: Program) -> Child:
        """Start a program and keep it running. Raises CannotStart if there is nothing to run."""
        child = Child(program, self._policy, self._keep_open)
        try:
            child.start()
        except OSError as error:
            raise CannotStart(
                f"The {program.name} ({program.command[0]}) cannot be run: {error.strerror}."
            ) from error
        self.children.append(child)
        return child

    def wait_for(self, ready: Callable[[], bool], what: str, patience: float) -> None:
        """Look after the children until `ready()`.

        Raises Stopped on an end signal, and CannotStart when a child is in a crash loop before, or
        after `patience` seconds (naming `what` was waited for).
        """
        until = time.monotonic() + patience
        self._waiting = True
        while not ready():
            self._tend(0.1)
            if self._asked_to_end:
                raise Stopped
            for child in self.children:
                if child.crash_looping:
                    raise CannotStart(self._crash_report(child))
            if time.monotonic() > until:
                raise CannotStart(f"{what} did not come up within {patience:.0f} seconds.")
        self._waiting = False

    def run(self) -> None:
        """Look after the children until an end signal."""
        while not self._asked_to_end:
            self._tend(None)

    def stop(self) -> None:
        """End all children, stage after stage; those that will not are killed. A second end signal
        while this lasts kills at once."""
        asked = self._asked_to_end
        for stage in sorted({c.program.stage for c in self.children}):
            members = [c for c in self.children if c.program.stage == stage]
            for child in members:
                child.ask_to_end()
            until = time.monotonic() + self._policy.grace
            while any(c.pid is not None and c.reap() is None for c in members):
                left = until - time.monotonic()
                if left <= 0 or self._asked_to_end > asked + 1:
                    for child in members:
                        child.end_group(signal.SIGKILL)
                self._sleep(max(0.05, min(left, 0.5)))
        self.children.clear()

    def _tend(self, longest: float | None) -> None:
        """Sleep until something happens (at most `longest` seconds) and see to it."""
        due = [c.due for c in self.children if c.pid is None]
        if due:
            wait = max(0.0, min(due) - time.monotonic())
            longest = wait if longest is None else min(longest, wait)
        self._sleep(longest)
        for child in self.children:
            status = child.reap()
            if status is not None and not self._asked_to_end:
                self._report_death(child, status)
        if self._asked_to_end:
            return
        now = time.monotonic()
        for child in self.children:
            if child.pid is None and child.due <= now:
                self._start_again(child)

    def _start_again(self, child: Child) -> None:
        try:
            child.start()
        except OSError as error:
            child.put_off()
            self._say(f"The {child.program.name} cannot be started again: {error.strerror}.")

    def _report_death(self, child: Child, status: int) -> None:
        if child.young_deaths == self._policy.crash_loop:
            # While something is waited for, this ends the waiting and is told there.
            if not self._waiting:
                self._say(self._crash_report(child))
        elif not child.crash_looping:
            self._say(f"The {child.program.name} {_ending(status)}; it is started again.")

    def _crash_report(self, child: Child) -> str:
        return (
            f"The {child.program.name} dies as often as it is started "
            f"({child.young_deaths} times); the end of its log {child.program.log}:\n"
            f"{child.log_tail()}"
        )

    def _sleep(self, longest: float | None) -> None:
        select.select([self._wake_read], [], [], longest)
        try:
            while os.read(self._wake_read, 4096):
                pass
        except BlockingIOError:
            return

    def _on_end(self, _number: int, _frame: FrameType | None) -> None:
        self._asked_to_end += 1


def _nothing(_number: int, _frame: FrameType | None) -> None:
    return


def _ending(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"

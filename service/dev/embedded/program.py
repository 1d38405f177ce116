"""One supervised program: how it is started, how its life is judged, how it is ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from service.dev.embedded.lifeline import lifeline

LOG_LIMIT = 5_000_000
"""Bytes of a log file above which it is put aside (one old one is kept) at the next start."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A program to be run. `stage` orders the end: lower stages are stopped first."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    log: Path
    stage: int = 0


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """The policy for programs that die. All times in seconds.

    A program that lived at least `steady` is started again after `first_delay`; one that keeps
    dying younger waits twice as long each time, up to `longest_delay`, and after `crash_loop` such
    deaths it is said to be in a crash loop. One asked to end is killed after `grace`.
    """

    steady: float = 10.0
    first_delay: float = 0.25
    longest_delay: float = 30.0
    crash_loop: int = 4
    grace: float = 15.0


class Child:
    """A program and the process that runs it now, if any."""

    def __init__(self, program: Program, policy: Policy, keep_open: tuple[int, ...] = ()) -> None:
        self.program = program
        self.young_deaths = 0
        self.due = time.monotonic()
        self._policy = policy
        self._keep_open = keep_open
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._log_start = 0

    @property
    def pid(self) -> int | None:
        """The process id, None while it is not running."""
        return self._process.pid if self._process else None

    @property
    def crash_looping(self) -> bool:
        """True if it died young too often in a row."""
        return self.young_deaths >= self._policy.crash_loop

    def start(self) -> None:
        """Run the program, in a process group of its own. Raises OSError when it cannot be run."""
        self._turn_log()
        with self.program.log.open("ab") as log:
            self._log_start = log.tell()
            self._process = subprocess.Popen(
                self.program.command,
                env=dict(self.program.env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # A Ctrl-C at the terminal is for the supervisor, which ends its children in order.
                start_new_session=True,
                preexec_fn=lifeline(),
                pass_fds=self._keep_open,
            )
        self._started = time.monotonic()

    def reap(self) -> int | None:
        """The exit status (negative: the signal) if the process has ended since it was last asked.

        Ends what it left of its process group and decides when it is due again.
        """
        if self._process is None or (status := self._process.poll()) is None:
            return None
        now = time.monotonic()
        self.end_group(signal.SIGKILL)
        self._process = None
        if now - self._started >= self._policy.steady:
            self.young_deaths = 0
            self.due = now + self._policy.first_delay
        else:
            self.put_off()
        return status

    def put_off(self) -> None:
        """Count a young death (or a start that failed), and wait longer before the next start."""
        self.young_deaths += 1
        delay = self._policy.first_delay * 2.0 ** min(self.young_deaths - 1, 20)
        self.due = time.monotonic() + min(delay, self._policy.longest_delay)

    def ask_to_end(self) -> None:
        """Send SIGTERM to the process (not to its group: it ends its own children in order)."""
        if self._process is not None:
            self._process.terminate()

    def end_group(self, sig: signal.Signals) -> None:
        """Send a signal to the process and all it started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, sig)

    def log_tail(self) -> str:
        """The last dozen lines it wrote since its last start."""
        with self.program.log.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(self._log_start, size - 8000))
            text = log.read().decode(errors="replace")
        return "\n".join(text.splitlines()[-12:])

    def _turn_log(self) -> None:
        log = self.program.log
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_name(log.name + ".1"))

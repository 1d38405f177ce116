"""`paleopost` as its operator runs it, many times over.

    command("migrate", env={...})

runs it in a process of its own, with an environment of its own. That process is forked from one
that has imported the program already and done nothing else: to import it takes a second of CPU,
and the tests run a hundred commands. What it is to start the program itself is tested where the
whole product runs (tests/running).
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from service.dev.embedded.lifeline import lifeline

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 600
"""Seconds that a command may take."""

IMPORTED = (
    "alembic.command",
    "alembic.config",
    "service.web.app",
    "service.cli",
    "service.core.jobs",
    "service.core.schema",
    "service.mail.send.smtp",
    "service.ops.restoring",
    "workers.signals",
)


def command(*words: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command; its status and what it said. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = {"words": words, "env": dict(env), "folder": name}
        pid = _starter().start(json.dumps(asked))
        until = time.monotonic() + PATIENCE
        while not (folder / "status").exists():
            if time.monotonic() > until:
                os.killpg(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(list(words), PATIENCE)
            time.sleep(0.005)
        status = int((folder / "status").read_text())
        out, err = ((folder / each).read_text(encoding="utf-8") for each in ("out", "err"))
    return subprocess.CompletedProcess(list(words), status, out, err)


class Starter:
    """The process that has imported the program, for one process of tests."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.commands"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lifeline(),
        )
        atexit.register(self._process.kill)

    def start(self, asked: str) -> int:
        """Begin a command; the process that waits for it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(asked + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@cache
def _starter() -> Starter:
    return Starter()


def _serve() -> None:
    """Fork for every line that comes."""
    import gc
    import importlib

    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()
    # Nobody waits for those who wait for a command.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while line := sys.stdin.readline():
        asked = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            folder = Path(asked["folder"])
            child = os.fork()
            if child == 0:
                _run(asked["words"], asked["env"], folder)
                return
            _, status = os.waitpid(child, 0)
            part = folder / "part"
            part.write_text(str(os.waitstatus_to_exitcode(status)))
            part.rename(folder / "status")
            os._exit(0)
        print(pid, flush=True)


def _run(words: list[str], env: dict[str, str], folder: Path) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600), number)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    from service.cli import main

    main(words, prog_name="paleopost")


if __name__ == "__main__":
    _serve()

"""`paleopost` as its operator runs it, many times over.

    command("migrate", env={...})

runs it in a process of its own, with an environment of its own. `begin` starts what goes on
running: a worker, or the whole product. Those processes, and the programs of the whole product
below them, are forked from one that has imported the program already and done nothing else: to
import it takes a second of CPU, and the tests run some hundred of them. What it is to start the
programs themselves is tested in tests/running (test_production, test_stopping_...).
"""

from __future__ import annotations

import atexit
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, NoReturn

import msgspec

from service.dev.embedded.lifeline import lifeline

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 600
"""Seconds that a command may take."""

IMPORTED = (
    "aiosmtpd.smtp",
    "alembic.command",
    "alembic.config",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.fixups.django",
    "celery.worker.autoscale",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
    "kombu.transport.redis",
    "logging.config",
    "service.cli",
    "service.cli.playing",
    "service.core.featured",
    "service.core.jobs",
    "service.core.schema",
    "service.dev.app",
    "service.dev.demonstration",
    "service.dev.embedded.play",
    "service.dev.mailbox.store",
    "service.mail.receive.inbound",
    "service.mail.receive.smtp",
    "service.mail.send.delivery",
    "service.mail.send.digests",
    "service.mail.send.smtp",
    "service.matches.expiry",
    "service.ops.restoring",
    "service.ops.sweep",
    "service.web.app",
    "workers.runtime",
    "workers.signals",
)
"""What the programs import; not what reads the environment when it is imported."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A program to be run: the words after `python`, its environment, where its output goes. The
    process that has it, and its exit status in the end, are written to files in `folder`.
    """

    words: tuple[str, ...]
    env: Mapping[str, str]
    folder: str
    out: str
    err: str


def command(*words: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command; its status and what it said. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out, err = folder / "out", folder / "err"
        begun = Begun(("-m", "service.cli", *words), env, folder, out, err)
        try:
            status = begun.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            begun.kill()
            raise
        said = [each.read_text(encoding="utf-8") for each in (out, err)]
    return subprocess.CompletedProcess(list(words), status, *said)


class Begun:
    """A running program, as `subprocess.Popen` has it. `folder` is its own."""

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        out: Path,
        err: Path | None = None,
    ) -> None:
        self._words = tuple(words)
        self._status = folder / "status"
        asked = Asked(
            words=self._words, env=env, folder=str(folder), out=str(out), err=str(err or out)
        )
        self.pid = _starter().start(asked)

    def poll(self) -> int | None:
        """Its exit status (negative: the signal), None as long as it runs."""
        return int(self._status.read_text()) if self._status.exists() else None

    def wait(self, timeout: float = PATIENCE) -> int:
        """Its exit status in the end. Raises subprocess.TimeoutExpired."""
        until = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(list(self._words), timeout)
            time.sleep(0.005)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal if it runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it ends just now
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Starter:
    """The process that has imported the program, for one process of tests."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.commands"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=lifeline(),
        )
        atexit.register(self._process.kill)

    def start(self, asked: Asked) -> int:
        """Begin a program; its process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(asked) + b"\n")
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
    # Nobody waits for those who wait for a program.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while line := sys.stdin.buffer.readline():
        asked = msgspec.json.decode(line, type=Asked)
        if is_whole(asked.words) or "--queues=mail" in asked.words:
            _warm_up()
        tie = lifeline()
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            tie()
            _watch(asked)


def is_whole(words: Sequence[str]) -> bool:
    """Whether this is the whole product."""
    return tuple(words[1:]) == ("service.cli", "play")


@cache
def _warm_up() -> None:
    """What a mailer does when it starts, once for all of them."""
    import gc

    from workers.runtime import warm_up

    warm_up()
    gc.collect()
    gc.freeze()


def _watch(asked: Asked) -> NoReturn:
    """Run a program in a child, and note how it ends."""
    folder = Path(asked.folder)
    out, err = (
        os.open(each, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for each in (asked.out, asked.err)
    )
    tie = lifeline()
    pid = fork(asked.words, asked.env, out, err, (), tie)
    print(pid, flush=True)
    _, status = os.waitpid(pid, 0)
    part = folder / "part"
    part.write_text(str(os.waitstatus_to_exitcode(status)))
    part.rename(folder / "status")
    os._exit(0)


def fork(
    words: Sequence[str],
    env: Mapping[str, str],
    out: int,
    err: int,
    keep_open: Sequence[int],
    prepare: Callable[[], object],
) -> int:
    """Run `python WORDS` (`-m MODULE ...`) in a child of this process, as if it were new."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        prepare()
        _forget_signals()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, now in enumerate((nothing, out, err)):
            os.dup2(now, number)
        # Not closed: whatever of the parent is thrown away later would close what has its number.
        for each in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
            if each > 2 and each not in (nothing, *keep_open):
                os.dup2(nothing, each, inheritable=False)
        os.environ.clear()
        os.environ.update(env)
        time.tzset()
        _customize(env)
        if is_whole(words):
            _fork_programs()
        sys.argv = [*words[1:]]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = _status(end)
    except BaseException:  # noqa: BLE001 (told as Python tells it)
        sys.excepthook(*sys.exc_info())
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _customize(env: Mapping[str, str]) -> None:
    """What Python does of itself when it starts."""
    for folder in filter(None, env.get("PYTHONPATH", "").split(os.pathsep)):
        hook = Path(folder) / "sitecustomize.py"
        if hook.exists():
            runpy.run_path(str(hook))
            return


def _status(end: SystemExit) -> int:
    """What a process that ends so has for its exit status."""
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1


def _forget_signals() -> None:
    """A new program hears no signal as the one that started it."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Forked:
    """A child of a supervisor: what it uses of `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """The exit status, None as long as it runs."""
        if self._status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def terminate(self) -> None:
        """Ask it to end."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)


def _start(
    words: Sequence[str],
    *,
    env: Mapping[str, str],
    stdout: IO[bytes],
    preexec_fn: Callable[[], object],
    pass_fds: Sequence[int],
    **more: Any,
) -> subprocess.Popen[bytes] | Forked:
    """What a supervisor is given for `subprocess.Popen`."""
    if words[:2] != (sys.executable, "-m"):
        return subprocess.Popen(
            words,
            env=env,
            stdout=stdout,
            preexec_fn=preexec_fn,
            pass_fds=pass_fds,
            **more,
        )
    out = stdout.fileno()
    return Forked(fork(words[1:], env, out, out, pass_fds, preexec_fn))


def _fork_programs() -> None:
    """Have a supervisor of this process fork its programs."""
    from service.dev.embedded import program

    vars(program)["subprocess"] = SimpleNamespace(
        Popen=_start, DEVNULL=subprocess.DEVNULL, STDOUT=subprocess.STDOUT
    )


if __name__ == "__main__":
    _serve()

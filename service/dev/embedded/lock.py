"""One copy of the product per data directory."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from service.core.errors import CannotStart

LOCK_FILE = "lock"
_DYING = 5.0
"""Seconds that killed processes may take to be gone."""


class DataDirectory:
    """A data directory, made if missing, and held by a file lock until `close`.

    The lock's descriptor is meant to be inherited by the processes that work on the data
    (`fileno`): then the lock outlives a killed parent for as long as one of them does, and no
    second copy meets the remains of a first.
    """

    def __init__(self, path: Path, patience: float = 20.0) -> None:
        """Hold `path`. Waits up to `patience` seconds for the remains of a killed copy to end, and
        then kills them (on Linux): they were asked to end when their parent died, and what they
        were at is stored.

        Raises CannotStart when another copy holds it, or when it cannot be made or written.
        """
        self.path = path.absolute()
        try:
            self.logs.mkdir(parents=True, exist_ok=True)
            self._file = (self.path / LOCK_FILE).open("a+", encoding="ascii")
        except OSError as error:
            raise CannotStart(
                f"The data directory {self.path} cannot be used ({error.strerror}); "
                "set PALEOPOST_DATA to one that can be written."
            ) from error
        try:
            self._hold(patience)
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    @property
    def logs(self) -> Path:
        """The folder of the log files, one per process."""
        return self.path / "log"

    def fileno(self) -> int:
        """The descriptor that carries the lock."""
        return self._file.fileno()

    def close(self) -> None:
        """Let go of the directory (once no process holds the descriptor)."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _hold(self, patience: float) -> None:
        until = time.monotonic() + patience
        last = until + _DYING
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError as error:
                owner = self._owner()
                if owner is not None and _alive(owner):
                    raise CannotStart(
                        f"Another paleopost (process {owner}) is running on the data directory "
                        f"{self.path}; stop it, or set PALEOPOST_DATA to another directory."
                    ) from error
                if time.monotonic() > last:
                    raise CannotStart(
                        f"Processes of an earlier paleopost still use the data directory "
                        f"{self.path}; end them, or set PALEOPOST_DATA to another directory."
                    ) from error
            if time.monotonic() > until:
                self._kill_remains()
            time.sleep(0.1)

    def _kill_remains(self) -> None:
        for process in _users_of(self.path / LOCK_FILE) - {os.getpid()}:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)

    def _owner(self) -> int | None:
        self._file.seek(0)
        text = self._file.read(20)
        return int(text) if text.isdecimal() else None


def is_held(path: Path) -> bool:
    """True if a copy of the product, or what remains of one, works on this data directory."""
    try:
        with (path / LOCK_FILE).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _users_of(file: Path) -> set[int]:
    """The processes that have a file open, as far as the system tells (proc(5))."""
    users = set()
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if descriptor.samefile(file):
                users.add(int(descriptor.parts[2]))
    return users


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

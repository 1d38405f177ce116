"""Ties a child process to the life of its parent, where the system can (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1  # prctl(2)

# Loaded before any fork: between fork and exec little is safe.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def lifeline() -> Callable[[], None]:
    """The function a child of this process calls before it becomes its program
    (`Popen(preexec_fn=...)`).

    It is then sent SIGTERM when this process ends in whatever way, SIGKILL included. Elsewhere than
    on Linux it does nothing: there the lock of the data directory tells of what was left running.
    """
    parent = os.getpid()

    def tie() -> None:
        if _libc is None:
            return
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        # The parent may have died before the tie.
        if os.getppid() != parent:
            os._exit(1)

    return tie

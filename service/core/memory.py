"""The memory of a process, as the C library manages it."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return to the system what was freed: glibc keeps it for what may come (malloc_trim(3)). Does
    nothing with another C library.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

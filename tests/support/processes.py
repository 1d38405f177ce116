"""Processes below others, as Linux tells them (proc(5))."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that one has started and that still run."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in listed for child in path.read_text().split()]


def family(pid: int) -> list[int]:
    """A process with all below it."""
    with suppress(OSError):
        return [pid, *(each for child in children(pid) for each in family(child))]
    return []

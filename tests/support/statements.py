"""Counts what a database is asked: statements and commits, phase by phase."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


class Statements:
    """The statements of one connection pool, in order, with the phase each came in; and how often
    each phase was committed. `steps` are those of SQLite's machine, if they are counted.

    Many rows written by one statement count once: by `executemany`, or as several VALUES. What
    opens and ends a transaction does not count.
    """

    def __init__(self) -> None:
        self.phase = ""
        self.asked: list[tuple[str, str]] = []
        self.commits: list[str] = []
        self.steps = 0
        self._over = False

    @property
    def total(self) -> int:
        """How many statements there were."""
        return len(self.asked)

    def of(self, phase: str) -> int:
        """How many there were in a phase."""
        return sum(each == phase for each, _ in self.asked)

    @contextmanager
    def within(self, phase: str) -> Iterator[None]:
        """A phase that ends with this block: then goes on what was before."""
        before, self.phase = self.phase, phase
        yield
        self.phase = before

    def table(self) -> str:
        """The statements of each phase, numbered, each in a line: what a failing test shows."""
        lines = [f"{self.total} statements, {len(self.commits)} commits"]
        for phase in dict.fromkeys(each for each, _ in self.asked):
            lines.append(
                f"{phase}: {self.of(phase)} statements, {self.commits.count(phase)} commits"
            )
            own = [text for each, text in self.asked if each == phase]
            lines += [f"  {n:2} {_short(text)}" for n, text in enumerate(own, 1)]
        return "\n".join(lines)

    def _note(self, *given: Any) -> None:
        text = str(given[2])
        if not text.startswith("BEGIN"):
            self.asked.append((self.phase, text))

    def _checked_out(self, connection: Any, *_: Any) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.set_progress_handler(self._step, 1)

    def _step(self) -> int:
        self.steps += not self._over
        return 0

    def _committed(self, _connection: Any) -> None:
        self.commits.append(self.phase)


def _short(text: str) -> str:
    words = " ".join(text.split())
    at = words.find(" FROM ")
    return (f"SELECT ...{words[at:]}" if words.startswith("SELECT") and at > 0 else words)[:160]


@contextmanager
def counted(engine: Engine, *, steps: bool = False) -> Iterator[Statements]:
    """The statements of this engine until the end of the block. Counting `steps` makes SQLite slow,
    also afterwards.
    """
    found = Statements()
    event.listen(engine, "before_cursor_execute", found._note)
    event.listen(engine, "commit", found._committed)
    if steps:
        event.listen(engine, "checkout", found._checked_out)
    try:
        yield found
    finally:
        found._over = True
        if steps:
            event.remove(engine, "checkout", found._checked_out)
        event.remove(engine, "before_cursor_execute", found._note)
        event.remove(engine, "commit", found._committed)

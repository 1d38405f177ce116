"""`make chaos` in short: real processes, a few faults, nothing lost and nothing done twice."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from engine.games import games
from tests.chaos import faults
from tests.chaos.__main__ import opened, run
from tests.chaos.one_machine import OneMachine

SHORT = {
    "sqlite": ["worker killed", "broker flushed", "smtp drops after the dot"],
    "postgresql": ["PostgreSQL killed", "web killed"],
    "machines": ["child of worker killed", "PostgreSQL killed", "broker killed"],
}


@pytest.mark.rarely
@pytest.mark.xdist_group("chaos")  # it waits most of its time, and begins early
@pytest.mark.parametrize("name", SHORT)
def test_what_is_acknowledged_outlives_every_fault(name: str) -> None:
    with opened(name, seed=5) as site:
        windows, verdict = run(site, SHORT[name], seed=5, tables=3, seconds=0, played_out=10)
        assert verdict.broken == []
        assert verdict.ended.keys() == games().keys()
        assert {window.kind for window in windows} == set(SHORT[name])
        assert site.acks
        assert site.sink.copies


WRITES = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute("INSERT INTO seen VALUES (1)")
print("done", flush=True)
sys.stdin.read()
database.close()
"""


class _Machine:
    """What the fault knows of a product."""

    def __init__(self, data: Path) -> None:
        self.stack, self.data = self, data


def test_the_auditor_reads_what_the_product_wrote_after_the_file_was_changed(
    tmp_path: Path,
) -> None:
    """Whoever lets go of its locks reads an old database from then on."""
    path = tmp_path / "paleopost.db"

    def product() -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", WRITES, str(path)]
        begun = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert begun.stdout is not None
        begun.stdout.readline()
        return begun

    with closing(sqlite3.connect(path)) as before:
        before.execute("PRAGMA journal_mode=WAL")
        before.execute("CREATE TABLE seen (n)")
        before.commit()
        faults._write_version(cast(OneMachine, _Machine(tmp_path)), 2)
        product().communicate()
        running = product()
        with closing(sqlite3.connect(path)) as auditor:
            assert auditor.execute("SELECT count(*) FROM seen").fetchone() == (2,)
        running.communicate()

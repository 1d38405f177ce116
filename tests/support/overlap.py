"""Cases of tests that run no line of the product which others do not run: `make test` leaves them
to `make test-all` (tests/rarely.txt).

    python -m tests.support.overlap FOLDER

runs what `make test` and they run, traces each test into the folder, and writes that list anew.
An earlier trace in the folder is gone on with: remove it after a change. What counts as a line is
one of the product's modules or templates, on SQLite or on PostgreSQL. Of each test a case stays;
and so do all that are cheap, are named after a rule, are of the corpora of games and mails, use a
browser, or have their work done by other processes.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from coverage import Coverage
from coverage.numbits import numbits_to_nums

ROOT = Path(__file__).resolve().parent.parent.parent
LISTED = ROOT / "tests" / "rarely.txt"
ENOUGH = 1
"""How many tests at least go on running each line."""
CHEAP = 0.1
"""Seconds of CPU, traced, below which little is won by leaving a test out."""
PRODUCT = ("engine", "service", "workers", "templates")
UNTRACED = ("e2e", "running", "chaos", "simulation", "looks", "inbox", "wording")
"""Folders of tests whose work is done in other processes, that read sources, or that try many texts
in the same lines.
"""
KEPT = re.compile(r"::test_[sfm]\d+_|recorded_games|write_guard|secrets")
"""Tests named after a rule; and those whose cases are the point, though they run the same lines."""
TO = "TRACE_TO"
"""The environment variable with the folder to trace into."""

LINES_RUN = """
SELECT context, path, numbits FROM line_bits
JOIN context ON context.id = context_id JOIN file ON file.id = file_id WHERE context != ''
"""
"""What coverage has kept."""

Line = tuple[str, int]

_coverage: Coverage | None = None


def pytest_sessionstart() -> None:
    """Trace in each process that runs tests, and not in what it forks."""
    global _coverage
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or TO not in os.environ:
        return
    _coverage = Coverage(
        data_file=str(Path(os.environ[TO]) / f"{worker}.coverage"),
        include=[str(ROOT / folder / "*") for folder in PRODUCT],
        config_file=False,
        messages=False,
    )
    _coverage.start()
    os.register_at_fork(after_in_child=_coverage.stop)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what is run and how long it takes as this test's."""
    if _coverage is None:
        return (yield)
    _coverage.switch_context("" if "browser" in getattr(item, "fixturenames", ()) else item.nodeid)
    began = resource.getrusage(resource.RUSAGE_SELF)
    try:
        return (yield)
    finally:
        ended = resource.getrusage(resource.RUSAGE_SELF)
        took = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
        with (Path(os.environ[TO]) / f"{os.environ['PYTEST_XDIST_WORKER']}.jsonl").open("a") as out:
            print(json.dumps([item.nodeid, took]), file=out)


def pytest_sessionfinish() -> None:
    """Keep what was traced."""
    if _coverage is not None:
        _coverage.stop()
        _coverage.save()


def lines(folder: Path) -> dict[str, set[Line]]:
    """What each traced test runs."""
    found: dict[str, set[Line]] = {}
    for path in folder.glob("*.coverage"):
        with closing(sqlite3.connect(path)) as database:
            for test, file, bits in database.execute(LINES_RUN):
                on = "postgresql " if "postgresql" in test else ""
                found.setdefault(test, set()).update((on + file, n) for n in numbits_to_nums(bits))
    return found


def seconds(folder: Path) -> dict[str, float]:
    """How long each traced test takes, of CPU."""
    texts = (path.read_text() for path in folder.glob("*.jsonl"))
    return dict(json.loads(line) for text in texts for line in text.splitlines())


def spare(run: Mapping[str, set[Line]], took: Mapping[str, float]) -> list[str]:
    """The tests that can be left out, looked for from the dearest on."""
    left = Counter(line for each in run.values() for line in each)
    cases = Counter(map(function, run))
    found = []
    for test in sorted(run, key=lambda test: -took.get(test, 0)):
        if took.get(test, 0) < CHEAP or KEPT.search(test) or cases[function(test)] == 1:
            continue
        if all(left[line] > ENOUGH for line in run[test]):
            found.append(test)
            left.subtract(run[test])
            cases[function(test)] -= 1
    return found


def function(test: str) -> str:
    """The id of a test without its case."""
    return plain(test).partition("[")[0]


def write(tests: Iterable[str]) -> None:
    """Write the list: tests by their ids, without the groups that xdist shares them out by."""
    LISTED.write_text("".join(f"{each}\n" for each in sorted(map(plain, tests))), encoding="utf-8")


def plain(test: str) -> str:
    """The id of a test without its group."""
    before, bracket, after = test.rpartition("]")
    return before + bracket if bracket else after.partition("@")[0]


def main() -> None:
    """Trace if there is nothing yet, and write the list."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.glob("*.coverage")):
        LISTED.write_text("")
        ignored = [f"--ignore={ROOT / 'tests' / each}" for each in UNTRACED]
        shared = [
            "-n",
            str((os.cpu_count() or 1) + 1),
            "--dist=loadgroup",
            "--no-loadscope-reorder",
        ]
        subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "tests.support.overlap", *shared, *ignored],
            env={**os.environ, TO: str(folder.resolve())},
            cwd=ROOT,
            check=True,
        )
    took = seconds(folder)
    found = spare(lines(folder), took)
    write(found)
    print(
        f"{len(found)} of {len(took)} tests, {sum(took[each] for each in found):.0f} of "
        f"{sum(took.values()):.0f} s"
    )


if __name__ == "__main__":
    main()

"""The type checker refuses to write to a match that was only read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SNIPPET = """
from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.models import DecisionRow, Match, SeatRow, Submission
from service.matches import journal, moves, standins, transitions
from service.time import deadlines, pausing


def write(service: Service, work: Work, {given}, row: DecisionRow, seat: SeatRow) -> None:
    pausing.stop_all(service, work, match)
    standins.put_in(service, work, match, seat)
    deadlines.renew(service, work, match, row)
    journal.begin(work.session, match, service.now())
    moves.receive(
        service,
        work,
        match=match,
        seat=0,
        decision=row.decision,
        body="",
        lang="en",
        source="form",
    )


def read(service: Service, work: Work, {given}) -> None:
    journal.position(work.session, match)
    match = locks.lock(service, work, match)
    pausing.stop_all(service, work, match)
"""

REFUSED = [
    ('3 to "stop_all"', 11),
    ('3 to "put_in"', 12),
    ('3 to "renew"', 13),
    ('2 to "begin"', 14),
    ('"match" to "receive"', 18),
]
"""The first writes to a match, a seat, a decision, an entry and a submission: argument and line."""


def found_in(path: Path) -> list[str]:
    """What mypy has to say of a module, as strictly as of ours."""
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_mypy_refuses_to_write_to_a_match_that_is_not_locked(tmp_path: Path) -> None:
    path = tmp_path / "snippet.py"
    path.write_text(SNIPPET.format(given="match: Match"))
    assert found_in(path) == [
        f'{path}:{line}: error: Argument {argument} has incompatible type "Match";'
        ' expected "LockedMatch"  [arg-type]'
        for argument, line in REFUSED
    ]
    path.write_text(SNIPPET.format(given="match: locks.LockedMatch"))
    assert found_in(path) == []

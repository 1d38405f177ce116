"""The type checker refuses to write to a match that was only read."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
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


def found_in(*paths: Path) -> list[str]:
    """What mypy has to say of modules, as strictly as of ours: in one go, for to read what it knows
    of ours takes it some seconds.
    """
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty", *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.rarely
def test_mypy_refuses_to_write_to_a_match_that_is_not_locked(tmp_path: Path) -> None:
    path, sound = tmp_path / "snippet.py", tmp_path / "sound.py"
    path.write_text(SNIPPET.format(given="match: Match"))
    sound.write_text(SNIPPET.format(given="match: locks.LockedMatch"))
    # What mypy has kept of an earlier run names the folder of that run.
    found = [each.rpartition("/")[2] for each in found_in(path, sound)]
    assert found == [
        f'{path.name}:{line}: error: Argument {argument} has incompatible type "Match";'
        ' expected "LockedMatch"  [arg-type]'
        for argument, line in REFUSED
    ]


def written_to(function: ast.FunctionDef) -> Iterator[str]:
    """The attributes a function sets of a match that it was given to read, and of its seats: what
    is only a `Match` to the type checker can be set like any other.
    """
    arguments = (*function.args.args, *function.args.kwonlyargs)
    nodes = list(ast.walk(function))
    locked = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    read = {
        argument.arg
        for argument in arguments
        if isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Match"
    } - locked
    for node in nodes:
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            over = ast.unparse(node.iter)
            if any(over in (f"{name}.seats", f"{name}.invitees") for name in read):
                read.add(node.target.id)
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AugAssign) else targets
        for target in (each for one in targets for each in ast.walk(one)):
            if (
                isinstance(target, ast.Attribute)
                and isinstance(target.ctx, ast.Store)
                and ast.unparse(target.value) in read
            ):
                yield ast.unparse(target)


def test_a_match_that_is_given_to_be_read_is_not_set_anything_of() -> None:
    wrong = (
        "def note(match: Match) -> None:\n    for row in match.seats:\n        row.note = None\n"
    )
    (function,) = ast.parse(wrong).body
    assert isinstance(function, ast.FunctionDef)
    assert list(written_to(function)) == ["row.note"]
    found = [
        f"{path.relative_to(ROOT)}: {function.name}: {attribute}"
        for path in sorted((ROOT / "service").rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for attribute in written_to(function)
    ]
    assert not found, "\n".join(found)

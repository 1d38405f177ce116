"""The whole service under fifty seeds, the first third of their steps by `make test`
(docs/simulation.md; `make simulate` runs thousands), and the simulation itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from service.core.context import Service
from service.matches.tables import Guest
from tests.simulation import safeguards, shorten
from tests.simulation.mail_server import Copy
from tests.simulation.many import command
from tests.simulation.run import Databases, Result, simulate, steps_of
from tests.simulation.safeguards import SAFEGUARDS
from tests.simulation.secrets_kept import handed_on
from tests.support.cases import all_of_them
from tests.support.games import KNOWN
from tests.support.tables import Jobs, settings_for
from tests.support.tables import World as Table

SEEDS = range(1, 51)
SHARES = 5
FOUND = {"jobs after commit": 1, "undo has a bound": 5}
"""Safeguards, and a seed that misses each soon enough for every run of the tests."""
TWICE = "from tests.simulation.test_simulation import told; print(told(4))"


@pytest.fixture(scope="module")
def databases() -> Iterator[Databases]:
    """Databases one after the other."""
    made = Databases()
    yield made
    made.close()


def run(databases: Databases, seed: int, steps: int | None = None) -> Result:
    """A run of its own: a whole one, or its first steps."""
    with databases.fresh() as url:
        return simulate(seed, url, steps=range(steps_of(seed))[:steps])


def first_third(seed: int) -> int:
    """How many of a seed's steps `make test` runs."""
    return steps_of(seed) // 3


def told(seed: int) -> str:
    """All that the trace of a seed's first steps says, in short."""
    result = run(Databases.of_process("sqlite"), seed, first_third(seed))
    return f"{result.digest} {result.steps} {result.broken}"


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_every_promise_is_kept(databases: Databases, share: int) -> None:
    """Each broken one is named with the command that shows it."""
    broken = []
    for seed in SEEDS[share::SHARES]:
        steps = None if all_of_them() else first_third(seed)
        if (result := run(databases, seed, steps)).broken is not None:
            broken.append(f"{result.broken} ({command(seed, steps=steps)})")
    assert broken == []


def test_the_same_seed_gives_the_same_trace() -> None:
    """In another process, where Python hashes otherwise."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    other = subprocess.run(
        [sys.executable, "-c", TWICE],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert len(other) > 64
    assert other == told(4) + "\n"


@pytest.mark.rarely
def test_many_seeds_run_in_processes_of_their_own() -> None:
    """As `make simulate` runs them."""
    found = subprocess.run(
        [sys.executable, "-m", "tests.simulation", "--first", "3", "--seeds", "1"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert found.stdout.endswith("\n0 broken\n"), found.stderr
    assert found.returncode == 0


def test_what_opens_a_seat_is_for_its_player_alone(sqlite_url: str) -> None:
    """A letter that holds it and came to anybody else is told."""
    jobs = Jobs()
    table = Table(Service(settings_for(sqlite_url), jobs), jobs)
    match = table.open([Guest(address="ben@example.org")], KNOWN)
    table.everybody_accepts(match)
    table.hear(mail=True)
    copies = [
        Copy(str(n), to, table.service.now(), raw, b"")
        for n, (_, to, raw) in enumerate(table.post.sent)
    ]
    assert copies
    assert handed_on(table.service, copies) is None
    for copy in copies:
        assert handed_on(table.service, [msgspec.structs.replace(copy, to="eve@example.org")])


@pytest.mark.rarely
def test_a_broken_seed_is_shortened(databases: Databases) -> None:
    found = safeguards.first_found("dedupe of turns", range(1, 100))
    assert found is not None
    seed, said = found
    with SAFEGUARDS["dedupe of turns"]():
        short = shorten.shortest(seed, None, databases, range(steps_of(seed)), most=40)
    assert "one button" in said
    assert "one button" in (short.result.broken or "")
    assert len(short.steps) < 20
    with databases.fresh() as url:
        assert simulate(seed, url, steps=short.steps).broken is None


@pytest.mark.parametrize("name", FOUND)
def test_a_removed_safeguard_is_found(databases: Databases, name: str) -> None:
    """Some of them; the others are taken out rarely."""
    with safeguards.SAFEGUARDS[name]():
        assert run(databases, FOUND[name]).broken is not None


@pytest.mark.rarely
@pytest.mark.parametrize("name", SAFEGUARDS)
def test_every_safeguard_is_missed(name: str) -> None:
    assert safeguards.first_found(name, range(1, 300)) is not None


@pytest.mark.rarely
def test_every_promise_is_kept_on_postgresql() -> None:
    """By the same seeds."""
    databases = Databases("postgresql")
    try:
        for seed in Random("postgresql").sample(range(1000), 25):
            result = run(databases, seed)
            assert result.broken is None, f"{seed}: {result.broken}"
    finally:
        databases.close()

"""`make chaos` in short: real processes, a few faults, nothing lost and nothing done twice."""

from __future__ import annotations

import pytest

from engine.games import games
from tests.chaos.__main__ import opened, run

SHORT = {
    "sqlite": ["worker killed", "broker flushed", "smtp drops after the dot"],
    "postgresql": ["PostgreSQL killed", "web killed"],
    "machines": ["child of worker killed", "PostgreSQL killed", "broker killed"],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["sqlite", *(pytest.param(n, marks=pytest.mark.rarely) for n in list(SHORT)[1:])]
)
def test_what_is_acknowledged_outlives_every_fault(name: str) -> None:
    with opened(name, seed=5) as site:
        windows, verdict = run(site, SHORT[name], seed=5, tables=3, seconds=0, played_out=10)
        assert verdict.broken == []
        assert verdict.ended.keys() == games().keys()
        assert {window.kind for window in windows} == set(SHORT[name])
        assert site.acks
        assert site.sink.copies

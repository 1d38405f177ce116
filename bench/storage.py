"""What depends on how much is stored: the sweep over open matches, and a move late in a match."""

from __future__ import annotations

import datetime as dt
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from bench.table import Row
from bench.tables import Table, open_service
from service.core import locks
from service.core.models import DecisionRow, EntryRow, Match, Player
from service.core.schema import upgrade
from service.core.statuses import SubmissionStatus
from service.matches import moves
from service.ops import sweep

MANY, FEW = 1_000_000, 1_000
BATCH = 20_000


def rows() -> list[Row]:
    """The rows about storage."""
    return [_sweep(), _late_move()]


def _sweep() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        few = _sweep_seconds(Path(folder) / "few.db", FEW)
        many = _sweep_seconds(Path(folder) / "many.db", MANY)
    return Row(
        what=f"sweep with nothing due, {MANY:,} open matches",
        ours=many * 1e6,
        anchor=few * 1e6,
        unit="us",
        against=f"the same with {FEW:,}",
        most=3,
        stretch=1.2,
    )


def _sweep_seconds(path: Path, count: int) -> float:
    upgrade(f"sqlite:///{path}")
    service = open_service(path)
    now = service.now()
    with service.database.write() as work:
        work.session.execute(
            insert(Player).values(
                id=1, email="a@example.org", name="A", lang="en", zone="UTC", created_at=now
            )
        )
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            work.session.execute(insert(Match), [_open_match(n, now) for n in numbers])
            for number in numbers:
                service.database.lock_match(work.session, number + 1)
            work.session.execute(insert(DecisionRow), [_open_decision(n, now) for n in numbers])
    timings = []
    for _ in range(41):
        begin = time.perf_counter()
        assert sum(sweep.sweep(service).values()) == 0
        timings.append(time.perf_counter() - begin)
    service.database.dispose()
    return statistics.median(timings)


def _open_match(n: int, now: dt.datetime) -> dict[str, Any]:
    return {
        "id": n + 1,
        "code": f"m{n}",
        "game": "any",
        "rules_version": 1,
        "options": b"{}",
        "pace_days": 3,
        "host_id": 1,
        "status": "playing",
        "seed": b"",
        "seed_hash": "",
        "last_entry": 0,
        "created_at": now,
    }


def _open_decision(n: int, now: dt.datetime) -> dict[str, Any]:
    return {
        "match_id": n + 1,
        "decision": "t1",
        "seat": 0,
        "kind": "any",
        "turn": "t1",
        "asks": "must",
        "opened_entry": 0,
        "opened_at": now,
        "deadline": now + dt.timedelta(days=1 + n % 5, seconds=n % 86_400),
    }


def _late_move() -> Row:
    """The same move with a short journal and with one of 299 entries (copies of the last one)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "moves.db"
        upgrade(f"sqlite:///{path}")
        service = open_service(path)
        early, late = [], []
        for _ in range(15):
            early.append(_third_move(Table(service), 3))
            late.append(_third_move(Table(service), 300))
        service.database.dispose()
    return Row(
        what="move 300 of a match",
        ours=statistics.median(late) * 1e3,
        anchor=statistics.median(early) * 1e3,
        unit="ms",
        against="move 3",
        most=1.2,
        stretch=1.0,
    )


def _third_move(table: Table, number: int) -> float:
    for _ in range(2):
        table.play()
    if number > 3:
        _pad(table, number - 1)
    submission = table.submit()
    begin = time.perf_counter()
    done = moves.play(table.service, submission)
    seconds = time.perf_counter() - begin
    assert (done.status, done.entry) == (SubmissionStatus.PLAYED, number), done.verdict
    return seconds


def _pad(table: Table, last: int) -> None:
    with table.service.database.write() as work:
        match = locks.lock_number(table.service, work, table.match_id)
        row = work.session.scalars(
            select(EntryRow).where(EntryRow.match_id == match.id, EntryRow.n == match.last_entry)
        ).one()
        copied = {c.name: getattr(row, c.name) for c in EntryRow.__table__.columns}
        work.session.execute(
            insert(EntryRow), list(_copies(copied, range(match.last_entry + 1, last + 1)))
        )
        match.last_entry = last


def _copies(row: dict[str, Any], numbers: range) -> Iterator[dict[str, Any]]:
    for n in numbers:
        yield row | {"n": n, "decision": f"copy{n}"}

"""The numbers cost the same however much there is: by the rows that are visited, not by time."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from sqlalchemy import event, text

from service.matches.tables import Guest
from service.ops import census, readiness, watching
from service.ops.metrics import registry
from tests.support.tables import World

pytestmark = pytest.mark.on_postgresql

MANY = 20_000

# Copies of one open match with its decision, and of one letter that waits to be tried again.
_COPIES = """
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :many)
    INSERT INTO {table} ({columns}) SELECT {values} FROM {table}, number WHERE {one}
"""


def many(world: World, match_id: int) -> None:
    """Have so MANY matches being played, with a clock that has run out and letters that fail."""
    copy(world, "match", "id", match_id, id="1000 + n", code="'m' || n")
    with world.service.database.write() as work:
        first = work.session.scalar(text("SELECT min(id) FROM letter"))
        for sql in (
            "UPDATE letter SET attempts = 2, due_at = :ago, created_at = :ago",
            "UPDATE decision SET deadline = :ago",
        ):
            at = world.service.now() - dt.timedelta(hours=1)
            work.session.execute(text(sql).bindparams(ago=at.replace(tzinfo=None)))
    copy(world, "letter", "id", first, id="1000 + n", dedupe="'l' || n", match_id="1000 + n")
    copy(world, "decision", "match_id", match_id, match_id="1000 + n")
    with world.service.database.write() as work:
        work.session.execute(text("ANALYZE"))


def copy(world: World, table: str, key: str, value: Any, **changes: str) -> None:
    from service.core.models import Base

    columns = [column.name for column in Base.metadata.tables[table].columns]
    with world.service.database.write() as work:
        work.session.execute(
            text(
                _COPIES.format(
                    table=table,
                    columns=", ".join(columns),
                    values=", ".join(changes.get(name, f"{table}.{name}") for name in columns),
                    one=f"{table}.{key} = :one",
                )
            ),
            {"many": MANY, "one": value},
        )


def visited(world: World) -> int:
    """The rows that are visited for /metrics and /readyz (PostgreSQL), or the hundreds of steps of
    SQLite's machine.
    """
    engine = world.service.database.engine
    asked: list[tuple[str, Any]] = []
    steps = [0]

    def note(*args: Any) -> None:
        if args[2].lstrip().startswith("SELECT"):
            asked.append((args[2], args[3]))

    def step() -> int:
        steps[0] += 1
        return 0

    def count_steps(connection: Any, *_: Any) -> None:
        if engine.dialect.name == "sqlite":
            connection.set_progress_handler(step, 100)

    event.listen(engine, "checkout", count_steps)
    event.listen(engine, "before_cursor_execute", note)
    try:
        list(registry(world.service).collect())
        readiness.parts(world.service, lambda: True)
    finally:
        event.remove(engine, "before_cursor_execute", note)
        event.remove(engine, "checkout", count_steps)
    if engine.dialect.name == "sqlite":
        return steps[0]
    return sum(_rows(world, *each) for each in asked)


def _rows(world: World, statement: str, parameters: Any) -> int:
    with world.service.database.engine.connect() as connection:
        said = connection.exec_driver_sql(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters
        ).scalar()
    plan = said if isinstance(said, list) else json.loads(str(said))
    return _scanned(plan[0]["Plan"])


def _scanned(node: dict[str, Any]) -> int:
    scans = "Scan" in node["Node Type"]
    own = node["Actual Rows"] + node.get("Rows Removed by Filter", 0) if scans else 0
    within = sum(_scanned(each) for each in node.get("Plans", ()))
    return round(own * int(node["Actual Loops"])) + within


def test_the_numbers_of_many_matches_cost_what_those_of_few_do(
    world: World, game_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "COUNTED", 50)
    match_id = world.open([Guest(address="b@example.org")], game_key)
    world.everybody_accepts(match_id)
    census.take(world.service)
    few = visited(world)
    many(world, match_id)
    census.take(world.service)
    assert visited(world) < few + 1000
    with world.service.database.read() as session:
        counted = census.newest(session)
        state = watching.look(session, world.service.now())
    assert counted is not None
    assert counted.tables["playing"] == MANY + 1
    assert state.queues["letters"].waiting == 50
    assert state.unsent.retried == 50


def test_the_census_is_not_taken_too_often(world: World) -> None:
    taken = [census.take_if_due(world.service) for _ in range(3)]
    assert taken == [True, False, False]
    with world.service.database.write() as work:
        old = (world.service.now() - dt.timedelta(seconds=90)).replace(tzinfo=None)
        work.session.execute(text("UPDATE census SET at = :old, seconds = 2").bindparams(old=old))
    assert not census.take_if_due(world.service)  # it was slow: a hundred times as long apart
    with world.service.database.write() as work:
        work.session.execute(text("UPDATE census SET seconds = 0.1"))
    assert census.take_if_due(world.service)

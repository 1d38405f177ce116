"""What the operator is told of the state of things is asked of indexes, however much is done."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from sqlalchemy import event, text

from service.core.letter_details import MailDetails
from service.core.models import InboundMail
from service.matches.tables import Guest
from service.ops import census, readiness, retention, sweep
from service.ops.metrics import registry
from tests.support.tables import World

pytestmark = pytest.mark.on_postgresql

GROWING = ("submission", "letter", "inbound", "decision", "match", "entry", "key", "player")


def test_no_question_reads_a_table_that_grows(world: World, game_key: str) -> None:
    world.open([Guest(address="b@example.org")], game_key)
    for statement, parameters in asked(world):
        for line in plan(world, statement, parameters):
            whole = re.match(r"(?:.*Seq Scan on|SCAN) (\w+)(?!.*USING)", line)
            assert whole is None or whole[1] not in GROWING, (statement, line)


def asked(world: World) -> list[tuple[str, Any]]:
    """All that a look at the numbers, and the throwing away, ask of the database."""
    found: list[tuple[str, Any]] = []
    engine = world.service.database.engine

    def note(*args: Any) -> None:
        if args[2].lstrip().startswith("SELECT"):
            found.append((args[2], args[3]))

    event.listen(engine, "before_cursor_execute", note)
    try:
        list(registry(world.service).collect())
        census.take(world.service)
        for throw_away in (retention.purge, retention.drop_snapshots, retention.prune_matches):
            throw_away(world.service)
        readiness.parts(world.service, lambda: True)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert len(found) > 10
    return found


def plan(world: World, statement: str, parameters: Any) -> list[str]:
    """How the database would go about it."""
    engine = world.service.database.engine
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            # Tables of tests are too small for an index to be worth it.
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            explained = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
            return [str(row[0]) for row in explained]
        explained = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        return [str(row[3]) for row in explained]


def kept(world: World, name: str, age: dt.timedelta, status: str = "handled") -> int:
    at = world.service.now() - age
    with world.service.database.write() as work:
        mail = InboundMail(
            dedupe=name,
            source="lmtp",
            envelope_from="a@example.org",
            raw=b"secret",
            status=status,
            verdict="played",
            details=MailDetails(subject="secret"),
            received_at=at,
            done_at=at,
        )
        work.session.add(mail)
        work.session.flush()
        return mail.id


def test_old_mails_lose_their_text_and_nothing_else(world: World) -> None:
    old = kept(world, "old", dt.timedelta(days=31))
    young = kept(world, "young", dt.timedelta(days=29))
    dead = kept(world, "dead_letter", dt.timedelta(days=99), "dead_letter")
    assert sweep.sweep(world.service)["purged"] == 1
    assert sweep.sweep(world.service)["purged"] == 0
    with world.service.database.read() as session:
        mail = session.get_one(InboundMail, old)
        assert (mail.raw, mail.envelope_from, mail.details) == (b"", None, MailDetails())
        assert (mail.status, mail.verdict, mail.dedupe) == ("handled", "played", "old")
        assert mail.purged_at is not None
        for other in (young, dead):
            assert session.get_one(InboundMail, other).raw == b"secret"

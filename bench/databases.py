"""The same turns on SQLite and on PostgreSQL: how many a second, with one and with two worker
processes, and what a turn costs there.

Both databases keep what they have committed when the power fails (SQLite: synchronous=FULL). CPU is
that of the product's processes and of the database's.
"""

from __future__ import annotations

import secrets
import tempfile
from functools import partial
from urllib.parse import urlsplit

import msgspec
from flask import Flask
from flask.testing import FlaskClient

from bench.product import Run, cpu_seconds, product
from bench.table import Row
from bench.tables import SETTINGS, Table
from service.access.links import Links
from service.core.context import Service
from service.core.models import Match
from service.core.schema import upgrade
from service.core.settings import Settings
from service.mail.send import delivery
from service.mail.send.claims import claim_ahead
from service.matches import moves
from service.web.app import create_app
from tests.support.postgresql import Cluster
from tests.support.statements import counted
from tests.support.tables import Jobs, Postbox

WARM_UP = 16
TURNS = 200
CLIENTS = 8
COUNTED = 5
WORKERS = (1, 2)
FORM, LEAST = 35, 3
"""SQL statements and commits of a turn by form (docs/performance.md)."""


class Cost(msgspec.Struct, frozen=True):
    """What a turn by form takes of a database, from the POST until its letter is marked as sent."""

    statements: int
    commits: int


def rows() -> list[Row]:
    """The rows of both databases."""
    cluster = Cluster(durable=True)
    try:
        sqlite = {count: _run({}, count) for count in WORKERS}
        shared = {
            count: _run({"DATABASE_URL": cluster.create()}, count, cluster.pid) for count in WORKERS
        }
        with tempfile.TemporaryDirectory() as folder:
            costs = {
                "SQLite": _cost(f"sqlite:///{folder}/cost.db"),
                "PostgreSQL": _cost(cluster.create()),
            }
    finally:
        cluster.stop()
    return [
        *(
            Row(
                what=f"PostgreSQL, {_processes(count)}: turns, {CLIENTS} clients",
                ours=shared[count][0].per_second,
                anchor=sqlite[count][0].per_second,
                unit="/s",
                against="SQLite, the same",
            )
            for count in WORKERS
        ),
        *(
            Row(
                what=f"PostgreSQL, {_processes(count)}: CPU of a turn",
                ours=shared[count][1] * 1e3,
                anchor=sqlite[count][1] * 1e3,
                unit="ms",
                against="SQLite, the same",
            )
            for count in WORKERS
        ),
        *(
            Row(
                what=f"{name}: {what} of a turn by form",
                ours=ours,
                anchor=most,
                unit="",
                against=f"{most}",
                most=1,
            )
            for name, cost in costs.items()
            for what, ours, most in (
                ("SQL statements", cost.statements, FORM),
                ("commits", cost.commits, LEAST),
            )
        ),
    ]


def _processes(count: int) -> str:
    return f"{count} worker process{'es' if count > 1 else ''}"


def _run(env: dict[str, str], workers: int, database: int | None = None) -> tuple[Run, float]:
    """Turns of several clients, and the seconds of CPU one of them took the product and the
    database (a process of its own, or none).
    """

    def spent() -> float:
        return cpu_seconds(running.pid) + (cpu_seconds(database) if database else 0)

    number = str(workers)
    with product({**env, "WORKER_CONCURRENCY": number, "MAILER_CONCURRENCY": number}) as running:
        running.turns(WARM_UP, CLIENTS)
        before = spent()
        run = running.turns(TURNS, CLIENTS)
        return run, (spent() - before) / len(run.latencies)


def _cost(url: str) -> Cost:
    """The most that one of some turns took, each by form, played and its letters sent here."""
    upgrade(url)
    env = SETTINGS | {"DATABASE_URL": url, "REQUESTS_PER_MINUTE": "1000000"}
    jobs = Jobs()
    app = create_app(Settings.from_env(env), jobs)
    app.config["WTF_CSRF_ENABLED"] = False
    service: Service = app.extensions["paleopost"]
    service.claim_ahead = partial(claim_ahead, service)
    table = Table(service)
    _deliver(service, jobs)
    clients = [_at_seat(app, service, table, seat) for seat in range(2)]
    found = []
    for _ in range(COUNTED):
        turn = table.next_turn()
        assert turn is not None
        row, body = turn
        path = f"/m/{table.code}/{row.seat}/turn/{row.decision}/play/{secrets.token_hex(12)}"
        with counted(service.database.engine) as asked:
            asked.phase = "turn"
            answer = clients[row.seat].post(path, data={"a": body.split("\n")})
            assert answer.status_code == 303, answer.status
            for submission in jobs.take("moves.play"):
                moves.play(service, *submission)
            _deliver(service, jobs)
        found.append(Cost(asked.of("turn"), asked.commits.count("turn")))
    service.database.dispose()
    return max(found, key=lambda cost: (cost.statements, cost.commits))


def _at_seat(app: Flask, service: Service, table: Table, seat: int) -> FlaskClient:
    client = app.test_client()
    with service.database.read() as session:
        match = session.get_one(Match, table.match_id)
    client.get(urlsplit(Links(service).seat(match, seat)).path)
    return client


def _deliver(service: Service, jobs: Jobs) -> None:
    post = Postbox()
    for letter in jobs.take("mail.deliver"):
        delivery.deliver(service, post, *letter)

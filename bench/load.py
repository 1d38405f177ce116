"""`python -m bench load`: what becomes of the product under much of everything.

`hour` plays as many turns as a busy hour has, of all games, and compares the memory, CPU and SQL
statements of the last of them with those of the first. `many` asks for a turn, pages, the sweep and
the numbers of 100,000 open matches and of 100. `flood` has 10,000 letters wait for a slow mail
server while people play. `digests` sends those of an hour, a part of them. `clients` plays with 8
and with 32 clients on SQLite and on PostgreSQL. Each figure stands beside one of the same run.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gc
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path

from flask.testing import FlaskClient
from sqlalchemy import func, insert, select

from bench.product import Product, Seated, product
from bench.table import Row, save, show
from bench.tables import SETTINGS, Table
from engine.games import games
from service.core import heartbeat
from service.core.context import Service
from service.core.logs import configure
from service.core.models import Letter, Match, Player, Submission
from service.core.schema import upgrade
from service.core.settings import Settings
from service.core.statuses import LetterKind, LetterStatus
from service.mail.send import delivery
from service.mail.send.claims import claim_ahead
from service.matches import moves
from service.ops import sweep
from service.ops.metrics import registry
from service.time.daytime import DIGESTS_WITHIN
from service.web.app import create_app
from tests.support.crowd import crowd
from tests.support.postgresql import Cluster
from tests.support.statements import counted
from tests.support.tables import Jobs
from workers.runtime import warm_up

OUT = Path(__file__).resolve().parent / "out" / "load.json"
HOUR = 2_000
"""Turns of the busiest hour of 20,000 players (docs/growing.md)."""
PARTS = 8
OF_A_TABLE = 40
MANY, FEW = 100_000, 100
ROUNDS = 15
LETTERS = 10_000
DELAY = 0.5
MOVES = 24
DIGESTS = 90
HOUR_OF_DIGESTS = 10_000
TURNS, WARM_UP = 96, 32


def main(words: list[str]) -> int:
    """Measure, print, write it as JSON; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench load")
    parser.add_argument("part", nargs="*", help=f"{', '.join(_PARTS)}; all of them")
    parser.add_argument("--turns", type=int, default=HOUR, help="of the hour")
    parser.add_argument("--digests", type=int, default=DIGESTS, help="tables with readers of them")
    parser.add_argument("--many", type=int, default=MANY, help="open matches")
    given = parser.parse_args(words)
    configure("WARNING")
    # There is no Redis for pages here.
    logging.getLogger("flask-limiter").setLevel(logging.ERROR)
    rows: list[Row] = []
    for part in given.part or _PARTS:
        print(part, file=sys.stderr, flush=True)
        rows += _PARTS[part](given)
    print(show(rows))
    save(rows, OUT)
    return int(any(row.verdict == "missed" for row in rows))


class Discarding:
    """A transport that keeps nothing."""

    def send(self, sender: str, to: str, message: bytes, before_end: Callable[[], None]) -> None:
        """Take it."""
        before_end()


class Here:
    """The product in this process, on SQLite, without workers."""

    def __init__(self, folder: Path) -> None:
        url = f"sqlite:///{folder}/load.db"
        upgrade(url)
        env = SETTINGS | {"DATABASE_URL": url, "REQUESTS_PER_MINUTE": "1000000"}
        self.jobs = Jobs()
        self.app = create_app(Settings.from_env(env), self.jobs)
        self.service: Service = self.app.extensions["paleopost"]
        self.service.claim_ahead = partial(claim_ahead, self.service)
        self._post = Discarding()

    def turn(self, table: Table) -> bool:
        """Play a turn and send what it owes; False when the match is over."""
        if table.next_turn() is None:
            return False
        moves.play(self.service, table.submit())
        for letter in self.jobs.take("mail.deliver"):
            delivery.deliver(self.service, self._post, *letter)
        self.jobs.enqueued.clear()
        return True

    def signed_in(self, player: int) -> FlaskClient:
        """A player's browser."""
        client = self.app.test_client()
        with client.session_transaction() as session:
            session["player"] = player
        return client

    def beat(self) -> None:
        """Let the sweep have been here just now."""
        with self.service.database.write() as work:
            heartbeat.beat(work.session, heartbeat.SWEEP, self.service.now())


def _hour(given: argparse.Namespace) -> list[Row]:
    """One process plays turns in equal parts; the first of them warms up."""
    memory, cpu, asked = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        here = Here(Path(folder))
        keys = cycle(games())
        tables: list[tuple[Table, int]] = []
        for part in range(PARTS + 1):
            with counted(here.service.database.engine) as statements:
                begin, played = time.process_time(), 0
                while played < given.turns // PARTS:
                    if len(tables) < len(games()):
                        tables.append((Table(here.service, game=next(keys)), 0))
                        continue
                    table, turns = tables.pop(0)
                    if turns < OF_A_TABLE and here.turn(table):
                        tables.append((table, turns + 1))
                        played += 1
                spent = time.process_time() - begin
            if part:
                asked.append(statements.total / played)
                cpu.append(spent / played * 1e3)
                del statements
                gc.collect()
                memory.append(_resident())
        here.service.database.dispose()
    what = f"{given.turns:,} turns of all games, last part"

    def row(name: str, found: list[float], unit: str, most: float) -> Row:
        return Row(
            what=f"{what}: {name}",
            ours=found[-1],
            anchor=found[0],
            unit=unit,
            against="the first part, warm",
            most=most,
        )

    return [
        row("memory of the process", memory, "MB", 1.1),
        row("CPU of a turn", cpu, "ms", 1.15),
        row("SQL statements of a turn and its tables", asked, "", 1.1),
    ]


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _many(given: argparse.Namespace) -> list[Row]:
    """The same done in turns on two databases, so that a machine that slows down slows both."""
    seconds: dict[str, tuple[list[float], list[float]]] = {}
    steps: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryDirectory() as folder:
        places = []
        for name, count in (("many", given.many), ("few", FEW)):
            (Path(folder) / name).mkdir()
            here = Here(Path(folder) / name)
            table = Table(here.service)
            here.turn(table)
            crowd(here.service, table.match_id, count - 1)
            places.append((here, _doings(here)))
        for round_ in range(ROUNDS + 1):
            for name in places[0][1]:
                for place, (_, doings) in enumerate(places):
                    begin = time.process_time()
                    doings[name]()
                    spent = time.process_time() - begin
                    if round_:
                        seconds.setdefault(name, ([], []))[place].append(spent)
        for name in places[0][1]:
            found = []
            for here, doings in places:
                with counted(here.service.database.engine, steps=True) as asked:
                    doings[name]()
                found.append(asked.steps)
            steps[name] = found[0], found[1]
        for here, _ in places:
            here.service.database.dispose()
    against = f"the same with {FEW}"
    return [
        row
        for name, (many, few) in seconds.items()
        for row in (
            Row(
                what=f"{given.many:,} open matches: {name}, CPU",
                ours=statistics.median(many) * 1e3,
                anchor=statistics.median(few) * 1e3,
                unit="ms",
                against=against,
                most=1.3,
            ),
            Row(
                what=f"{given.many:,} open matches: {name}, steps of SQLite",
                ours=steps[name][0],
                anchor=steps[name][1],
                unit="",
                against=against,
                most=1.3,
            ),
        )
    ]


def _doings(here: Here) -> dict[str, Callable[[], object]]:
    tables = [Table(here.service) for _ in range(4)]
    turns = cycle(tables)
    for table in tables:
        here.turn(table)
    with here.service.database.read() as session:
        host = session.get_one(Match, tables[0].match_id).host_id
    browser = here.signed_in(host)

    def turn() -> None:
        assert here.turn(next(turns))

    def page(path: str) -> None:
        assert browser.get(path).status_code == 200, path

    def swept() -> None:
        here.beat()
        sweep.sweep(here.service)

    return {
        "a turn with its letter": turn,
        "my games": partial(page, "/matches"),
        "the host's page": partial(page, f"/m/{tables[0].code}/0/host"),
        "sweep": swept,
        "/metrics": lambda: list(registry(here.service).collect()),
    }


def _flood(_given: argparse.Namespace) -> list[Row]:
    """POST to played, one client, before 10,000 letters wait and while they do."""
    with product(delay=DELAY) as running:
        tables = [Seated(running) for _ in range(6)]
        for seated in tables:
            seated.play()
        turns = cycle(tables)
        quiet = [_to_played(running, next(turns)) for _ in range(MOVES)]
        before = _sent(running)
        _pour(running, tables[0])
        # Until the mailer has its hands full.
        until = time.monotonic() + 60
        while _sent(running) < before + 4:
            assert time.monotonic() < until, "no letter leaves"
            time.sleep(0.2)
        sent, began = _sent(running), time.monotonic()
        busy = [_to_played(running, next(turns)) for _ in range(MOVES)]
        rate = (_sent(running) - sent) / (time.monotonic() - began)
    return [
        Row(
            what=f"POST to played, {LETTERS:,} letters wait for a mail server of {DELAY:g} s, p50",
            ours=statistics.median(busy) * 1e3,
            anchor=statistics.median(quiet) * 1e3,
            unit="ms",
            against="the same before",
            most=1.5,
        ),
        Row(
            what="letters that leave meanwhile",
            ours=rate,
            anchor=1 / DELAY,
            unit="/s",
            against="what such a mail server takes from one",
            least=0.5,
        ),
    ]


def _to_played(running: Product, seated: Seated) -> float:
    """The seconds from the POST until the turn is played."""
    begin = seated.hand_in()
    if begin is None:
        raise AssertionError("the match is over")
    while True:
        with running.service.database.read() as session:
            newest = session.scalar(
                select(Submission.status)
                .where(Submission.match_id == seated.table.match_id)
                .order_by(Submission.id.desc())
                .limit(1)
            )
        if newest == "played":
            return time.perf_counter() - begin
        time.sleep(0.002)


def _sent(running: Product) -> int:
    with running.service.database.read() as session:
        return (
            session.scalar(
                select(func.count()).select_from(Letter).where(Letter.status == LetterStatus.SENT)
            )
            or 0
        )


def _pour(running: Product, seated: Seated) -> None:
    """Owe letters that tell of the beginning of a match, again and again."""
    service = running.service
    with service.database.write() as work:
        row = work.session.scalars(
            select(Letter).where(
                Letter.match_id == seated.table.match_id, Letter.kind == LetterKind.START
            )
        ).first()
        assert row is not None
        like = {c.key: getattr(row, c.key) for c in Letter.__mapper__.column_attrs}
        like |= {"status": LetterStatus.DUE, "sent_at": None, "due_at": service.now()}
        like |= {"written_at": None, "ready_at": None, "fingerprint": None, "message": None}
        del like["id"]
        work.session.execute(
            insert(Letter), [like | {"dedupe": f"flood.{n}"} for n in range(LETTERS)]
        )


def _digests(given: argparse.Namespace) -> list[Row]:
    """Digests of readers who gather their letters, all due at one hour, in one process that has
    warmed up as a mailer does; handed over as the sweep does.
    """
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        here = Here(Path(folder))
        keys = cycle(games())
        tables = [Table(here.service, game=next(keys)) for _ in range(given.digests)]
        post = Discarding()
        with here.service.database.write() as work:
            for player in work.session.scalars(select(Player)):
                player.digest_at = 0
        for table in tables:
            here.turn(table)
        with here.service.database.write() as work:
            gathered = work.session.scalars(
                select(Letter).where(Letter.status == LetterStatus.GATHERED)
            ).all()
            for letter in gathered:
                letter.due_at = here.service.now() - dt.timedelta(minutes=1)
        here.beat()
        begin = time.process_time()
        with counted(here.service.database.engine) as statements:
            while True:
                sweep.sweep(here.service)
                if not (jobs := here.jobs.take("mail.deliver")):
                    break
                while jobs:
                    for job in jobs:
                        delivery.deliver(here.service, post, *job)
                    jobs = here.jobs.take("mail.deliver")
        spent = time.process_time() - begin
        with here.service.database.read() as session:
            sent = session.scalar(
                select(func.count())
                .select_from(Letter)
                .where(Letter.kind == LetterKind.DIGEST, Letter.status == LetterStatus.SENT)
            )
        assert sent
        here.service.database.dispose()
    each = spent / sent / 2
    of_a_minute = -(-HOUR_OF_DIGESTS // DIGESTS_WITHIN)
    what = f"from {sent} of {given.digests} tables of all games in turn, CPU on two cores"
    return [
        Row(
            what=f"{of_a_minute} digests, a minute's of an hour of {HOUR_OF_DIGESTS:,}: {what}",
            ours=each * of_a_minute,
            anchor=60,
            unit="s",
            against="a minute",
            most=1,
        ),
        Row(
            what=f"{HOUR_OF_DIGESTS:,} digests at one moment: {what}",
            ours=each * HOUR_OF_DIGESTS,
            anchor=60,
            unit="s",
            against="a minute",
        ),
        Row(
            what="SQL statements of a digest, sweep included",
            ours=statements.total / sent,
            anchor=40,
            unit="",
            against="40",
            most=1,
        ),
    ]


def _clients(_given: argparse.Namespace) -> list[Row]:
    """Turns a second with few clients and with many, on each kind of database."""
    rows = []
    cluster = Cluster(durable=True)
    try:
        for name, env in (("SQLite", {}), ("PostgreSQL", {"DATABASE_URL": cluster.create()})):
            with product(env) as running:
                running.turns(WARM_UP, 8)
                few, many = running.turns(TURNS, 8), running.turns(TURNS, 32)
            rows += [
                Row(
                    what=f"{name}: turns a second, 32 clients",
                    ours=many.per_second,
                    anchor=few.per_second,
                    unit="/s",
                    against="8 clients",
                    least=0.8,
                ),
                Row(
                    what=f"{name}: POST to letter, 32 clients, p50",
                    ours=many.ms(50),
                    anchor=few.ms(50),
                    unit="ms",
                    against="8 clients; four times as many wait four times as long",
                    most=5,
                ),
            ]
    finally:
        cluster.stop()
    return rows


_PARTS: dict[str, Callable[[argparse.Namespace], list[Row]]] = {
    "hour": _hour,
    "many": _many,
    "flood": _flood,
    "digests": _digests,
    "clients": _clients,
}

"""A player who has much: tables on one page, and letters of years."""

from __future__ import annotations

import statistics
import tempfile
import time
from functools import partial
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import insert, select

from bench.table import Row, median_seconds
from bench.tables import SETTINGS, Table
from service.core import locks
from service.core.context import Service
from service.core.models import DecisionRow, Letter, Match, SeatRow, Submission
from service.core.schema import upgrade
from service.core.settings import Settings
from service.core.statuses import LetterKind, MatchStatus, SubmissionStatus
from service.mail.send import delivery
from service.matches import moves
from service.web.app import create_app
from tests.support.statements import counted
from tests.support.tables import Jobs, Postbox

MANY, FEW = 80, 10
OLD = 10_000
BATCH = 2_000
ROUNDS = 7
TURNS = 15


def rows() -> list[Row]:
    """The rows of players who have much."""
    return [*_lists(), _old_letters()]


def _lists() -> list[Row]:
    """The page of one's matches, with few of them and with many."""
    seconds, statements = [], []
    for count in (FEW, MANY):
        with tempfile.TemporaryDirectory() as folder:
            app, service = open_site(Path(folder))
            host = _host_of([Table(service, seats=3) for _ in range(count)])
            client = _signed_in(app, host)
            with counted(service.database.engine) as asked:
                page = client.get("/matches").get_data(as_text=True)
            assert page.count("<h3>") == count
            statements.append(asked.total)
            seconds.append(median_seconds(partial(client.get, "/matches"), ROUNDS))
            service.database.dispose()
    return [
        Row(
            what=f"my games, {MANY} of them, CPU",
            ours=seconds[1] * 1e3,
            anchor=seconds[0] * 1e3,
            unit="ms",
            against=f"the same with {FEW}",
            most=3,
            stretch=2,
        ),
        Row(
            what=f"my games, {MANY} of them, SQL statements",
            ours=statements[1],
            anchor=statements[0],
            unit="",
            against=f"the same with {FEW}",
            most=1,
            stretch=1,
        ),
    ]


def _old_letters() -> Row:
    """A turn of a player who has had thousands of letters: stored, played, and the letter of the
    next player written and handed over. The next player has had as many.
    """
    with tempfile.TemporaryDirectory() as folder:
        _, service = open_site(Path(folder))
        old: list[float] = []
        new: list[float] = []
        burdened, fresh = Table(service), Table(service)
        _write_old_letters(service, burdened)
        for number in range(TURNS + 1):
            for table, found in ((burdened, old), (fresh, new)):
                seconds = turn_cost(service, table)
                if number:  # the first fills what is kept of a match
                    found.append(seconds)
        service.database.dispose()
    return Row(
        what=f"a turn of players with {OLD:,} old letters each, CPU",
        ours=statistics.median(old) * 1e3,
        anchor=statistics.median(new) * 1e3,
        unit="ms",
        against="the same of new players",
        most=1.1,
        stretch=1.0,
    )


def turn_cost(service: Service, table: Table) -> float:
    """The CPU of a turn and of all that it has to send."""
    post = Postbox()
    with service.database.read() as session:
        before = session.scalar(select(Letter.id).order_by(Letter.id.desc()).limit(1)) or 0
    turn = table.next_turn()
    begin = time.process_time()
    submission = table.submit(turn)
    moves.play(service, submission)
    spent = time.process_time() - begin
    with service.database.read() as session:
        assert session.get_one(Submission, submission).status == SubmissionStatus.PLAYED
        query = select(Letter.id).where(
            Letter.id > before, Letter.match_id == table.match_id, Letter.due_at <= service.now()
        )
        due = list(session.scalars(query))
    begin = time.process_time()
    for letter in due:
        delivery.deliver(service, post, letter)
    assert post.sent or table.bot, "the turn has led to no letter"
    return spent + time.process_time() - begin


def _write_old_letters(service: Service, table: Table) -> None:
    """Letters that the players of this table were sent, of this match and of one that is over: the
    rows of a letter that was sent, again and again.
    """
    over = Table(service)
    with service.database.write() as work:
        session = work.session
        locks.lock_number(service, work, over.match_id).status = MatchStatus.ENDED
        for row in session.scalars(
            select(DecisionRow).where(DecisionRow.match_id == over.match_id)
        ):
            row.closed_entry = 0
        sample = session.scalars(
            select(Letter).where(Letter.match_id == over.match_id, Letter.kind == LetterKind.TURN)
        ).first()
        assert sample is not None
        like = {c.key: getattr(sample, c.key) for c in Letter.__mapper__.column_attrs}
        like |= {"status": "sent", "sent_at": service.now(), "due_at": None}
        players = session.scalars(
            select(SeatRow.player_id).where(SeatRow.match_id == table.match_id)
        )
        for player in list(players):
            for start in range(0, OLD, BATCH):
                session.execute(
                    insert(Letter),
                    [
                        {
                            **{name: value for name, value in like.items() if name != "id"},
                            "player_id": player,
                            "dedupe": f"old.{player}.{number}",
                        }
                        for number in range(start, start + BATCH)
                    ],
                )


def open_site(folder: Path) -> tuple[Flask, Service]:
    url = f"sqlite:///{folder}/players.db"
    upgrade(url)
    app = create_app(
        Settings.from_env(SETTINGS | {"DATABASE_URL": url, "REQUESTS_PER_MINUTE": "1000000"}),
        Jobs(),
    )
    service: Service = app.extensions["paleopost"]
    return app, service


def _host_of(tables: list[Table]) -> int:
    """Let the first table's host have a seat at all of them, in place of each one's own."""
    service = tables[0].service
    with service.database.write() as work:
        session = work.session
        host = session.get_one(Match, tables[0].match_id).host_id
        for table in tables[1:]:
            match = locks.lock_number(service, work, table.match_id)
            for row in match.invitees:
                if row.player_id == match.host_id:
                    row.player_id = host
    return host


def _signed_in(app: Flask, player: int) -> FlaskClient:
    client = app.test_client()
    with client.session_transaction() as session:
        session["player"] = player
    return client

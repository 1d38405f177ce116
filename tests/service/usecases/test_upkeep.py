"""A database of the version before goes on: its matches have what newer ones have."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
import time_machine
from alembic import command
from sqlalchemy import JSON, Boolean, MetaData, create_engine, insert, select, text
from sqlalchemy import column as bare_column
from sqlalchemy import table as bare_table

from engine.chance import seed_hash, seed_of_number
from engine.games import games
from engine.record import decode
from engine.verification import verify
from service.core import counters, locks, retriable, schema
from service.core.context import Service
from service.core.db import Database
from service.core.letter_details import AnswerDetails, ReminderDetails
from service.core.models import Base, Letter, Match, Submission
from service.core.results import NotAfterAll, TurnGivenUp
from service.core.statuses import LetterKind
from service.core.verdicts import GivenUp
from service.mail.commands import unsubscribing
from service.mail.send import delivery
from service.matches import leaving, moves, records
from service.matches.tables import BotSeat, Guest, answer
from service.ops import dead_letters, upkeep
from service.outgoing.one_click import PURPOSE, address
from tests.support.correspondence import Correspondence, published_by
from tests.support.postgresql import Cluster
from tests.support.tables import Jobs, World, settings_for

pytestmark = pytest.mark.on_postgresql

NOON = dt.datetime(2026, 11, 21, 11, 0, tzinfo=dt.UTC)
NEWEST = schema.newest()
AS_KEPT = {"results": [{"code": "not_after_all"}, {"code": "shelved", "word": "play"}]}
KEPT_LETTERS = bare_table("letter", bare_column("kind"), bare_column("details", JSON))
KEPT_VERDICT = select(bare_column("verdict", JSON)).select_from(bare_table("submission"))
NEW_PURPOSES = ("reply", PURPOSE)


@pytest.fixture(params=["sqlite", "postgresql"])
def old_url(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An empty database of the first version."""
    yield from _empty(request, tmp_path_factory, "0001")


@pytest.fixture(params=["sqlite", "postgresql"])
def url_of_ten(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An empty database of version 0010."""
    yield from _empty(request, tmp_path_factory, "0010")


def _empty(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, version: str
) -> Iterator[str]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('old')}/old.db"
    else:
        cluster: Cluster = request.getfixturevalue("postgresql")
        url = cluster.create()
    database = Database(url, Jobs())
    with database.write() as work:
        command.upgrade(schema._config(work.session.connection()), version)
    database.dispose()
    yield url
    if request.param == "postgresql":
        cluster.drop(url)


def copied(world: World, old_url: str) -> None:
    """Put what this world has into the old database, as that version would have had it."""
    engine = create_engine(Database(old_url, Jobs()).url)
    tables = MetaData()
    tables.reflect(engine)
    with world.service.database.read() as session, engine.begin() as connection:
        for table in Base.metadata.sorted_tables:
            old = tables.tables.get(table.name)
            if old is None:
                continue
            connection.execute(old.delete())  # what a migration has put there
            columns = [column for column in table.columns if column.name in old.columns]
            rows = [dict(row) for row in session.execute(select(*columns)).mappings()]
            if table.name == "key":
                rows = [row for row in rows if row["purpose"] not in NEW_PURPOSES]
            if table.name == "letter":
                rows = [row for row in rows if row["kind"] != "reminder"]
            bare = bare_table(table.name, *(bare_column(c.name, c.type) for c in columns))
            if table.name == "decision":  # that there are orders was not known
                bare.append_column(bare_column("blocking", Boolean()))
                rows = [{**row, "blocking": True} for row in rows]
            if rows:
                connection.execute(insert(bare), rows)
            if "id" in old.columns and engine.dialect.name == "postgresql":
                connection.execute(text(f"SELECT setval('{table.name}_id_seq', 1000)"))
    engine.dispose()


def test_an_open_table_of_the_version_before_keeps_its_seed(
    sqlite_url: str, old_url: str, game_key: str
) -> None:
    """Its guests were told of no commitment: what they add has nothing to be added to."""
    jobs = Jobs()
    before = World(Service(settings_for(sqlite_url), jobs), jobs)
    match_id = before.open([Guest(address="ben@example.org", name="Ben")], game_key)
    seed = seed_of_number(1)
    with before.service.database.write() as work:
        match = locks.lock_number(before.service, work, match_id)
        match.seed, match.seed_hash = seed, seed_hash(seed)
    copied(before, old_url)
    before.service.database.dispose()
    upkeep.upgrade(settings_for(old_url))
    world = World(Service(settings_for(old_url), jobs), jobs)
    open_ = world.match(match_id)
    assert (open_.seed, open_.secret, open_.commitment) == (seed, None, None)
    post = Correspondence(world, match_id)
    (invitation,) = world.letters(match_id, "invitation")
    assert not published_by(post, invitation)
    token = world.service.keys.token("invitation", match_id, open_.invitees[1].player_id)
    with world.service.database.write() as work:
        answer(world.service, work, token, "accept", bytes(32))
    begun = world.match(match_id)
    assert (begun.status, begun.seed, begun.parts) == ("playing", seed, None)
    (first, *_) = world.letters(match_id, "turn")
    assert seed_hash(seed) in published_by(post, first)
    with world.service.database.write() as work:
        leaving.resign(world.service, work, locks.lock_number(world.service, work, match_id), 1)
    with world.service.database.read() as session:
        record = decode(records.export(session, session.get_one(Match, match_id)))
    verify(record, games())
    assert (record.fairness, record.seed) == (None, seed.hex())
    world.service.database.dispose()


def test_a_match_of_the_version_before_goes_on(
    sqlite_url: str, old_url: str, game_key: str
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        jobs = Jobs()
        before = World(Service(settings_for(sqlite_url), jobs), jobs)
        match_id = before.open([Guest(address="ben@example.org", name="Ben")], game_key)
        before.everybody_accepts(match_id)
        copied(before, old_url)
        before.service.database.dispose()

        assert upkeep.upgrade(settings_for(old_url)) == ("0001", NEWEST)
        jobs = Jobs()
        world = World(Service(settings_for(old_url), jobs), jobs)
        asked = world.awaited(match_id)
        assert {
            x.details_as(ReminderDetails).which for x in world.letters(match_id, "reminder")
        } == {
            "half",
            "24h",
            "4h",
        }
        assert upkeep.upgrade(settings_for(old_url)) == (NEWEST, NEWEST)
        clock.shift(60)
        turn = world.letters(match_id, "turn")[-1]
        assert delivery.deliver(world.service, world.post, turn.id)
        page = address(world.service, LetterKind.TURN, turn.player_id, match_id)
        assert page is not None
        with world.service.database.write() as work:
            wish = unsubscribing.unsubscribe(world.service, work, page.rpartition("/")[2])
        assert wish.ended
        mail = Correspondence(world, match_id).reply(asked.seat, "1", asked.decision)
        assert mail.verdict == "played"
        world.service.database.dispose()


def test_a_turn_that_was_held_by_the_version_before_is_played_when_its_time_comes(
    sqlite_url: str, url_of_ten: str, game_key: str
) -> None:
    """There was no status for it: it was "received", looked at, and to be played later."""
    with time_machine.travel(NOON, tick=False) as clock:
        jobs = Jobs()
        before = World(Service(settings_for(sqlite_url), jobs), jobs)
        match_id = before.open([BotSeat(bot="random")], game_key, hold_minutes=30)
        before.hear()
        held, replaced = before.submit(match_id), before.submit(match_id)
        before.hear()
        waiting, played = before.submit(match_id), before.match(match_id).last_entry
        copied(before, url_of_ten)
        before.service.database.dispose()
        engine = create_engine(Database(url_of_ten, Jobs()).url)
        with engine.begin() as connection:
            connection.execute(
                text("UPDATE submission SET status = 'received' WHERE status = 'held'")
            )
        engine.dispose()

        assert upkeep.upgrade(settings_for(url_of_ten)) == ("0010", NEWEST)
        jobs = Jobs()
        world = World(Service(settings_for(url_of_ten), jobs), jobs)
        with world.service.database.read() as session:
            found = {
                number: session.get_one(Submission, number).status
                for number in (held.id, replaced.id, waiting.id)
            }
        assert found == {held.id: "withdrawn", replaced.id: "held", waiting.id: "received"}
        assert world.match(match_id).last_entry == played
        clock.shift(31 * 60)
        assert moves.play(world.service, replaced.id).status == "played"
        world.service.database.dispose()


def test_dead_letters_of_the_version_before_are_found_and_retried(
    world: World, game_key: str
) -> None:
    match_id = world.open([BotSeat(bot=next(iter(games()[game_key].bots)))], game_key)
    submission = world.submit(match_id)
    for _ in range(retriable.MOVES.limit):
        moves.count_attempt(world.service, submission.id)
    with world.service.database.write() as work:
        counters.count(work.session, "mails", "lmtp", "dead-letter")
    with world.service.database.write() as work:
        command.downgrade(schema._config(work.session.connection()), "0013")
        session = work.session
        assert session.scalar(text("SELECT status FROM submission")) == "shelved"
        labels = set(session.scalars(text("SELECT labels FROM tally")))
        assert {"form|shelved", "lmtp|shelved"} <= labels
        assert session.scalar(KEPT_VERDICT) == {"code": "shelved"}
        session.execute(KEPT_LETTERS.update().values(kind="answer", details=AS_KEPT))
    with world.service.database.write() as work:
        schema.bring_to(work.session.connection(), "head")
    with world.service.database.read() as session:
        assert isinstance(session.get_one(Submission, submission.id).verdict, GivenUp)
        told = {
            letter.details_as(AnswerDetails).results for letter in session.scalars(select(Letter))
        }
        assert told == {(NotAfterAll(), TurnGivenUp(word="play"))}
        assert [one.name for one in dead_letters.dead_letters(session)] == [f"move-{submission.id}"]
        labels = set(session.scalars(text("SELECT labels FROM tally")))
        assert {"form|dead_letter", "lmtp|dead-letter"} <= labels
    with world.service.database.write() as work:
        dead_letters.retry(world.service, work, f"move-{submission.id}")
    assert moves.play(world.service, submission.id).status == "played"

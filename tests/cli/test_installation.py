"""`paleopost migrate` and `paleopost check`: what is wrong is said, and nothing is harmed."""

from __future__ import annotations

import datetime as dt
import json
import os
import sqlite3
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, select, text

from service.core.context import Service
from service.core.db import Database
from service.core.models import Letter
from service.core.schema import MIGRATIONS, is_known, newest
from service.core.statuses import LetterStatus
from service.dev.embedded.lock import DataDirectory
from service.dev.mailbox.store import FILE, Damaged, MailboxStore
from service.matches.tables import Guest
from tests.support.commands import command
from tests.support.games import KNOWN
from tests.support.tables import Jobs, World, settings_for

if TYPE_CHECKING:
    from tests.support.broker import TestBroker
    from tests.support.postgresql import Cluster
    from tests.support.sink import SmtpSink

ROOT = Path(__file__).resolve().parents[2]
REST = {
    "SECRET_KEY": "k" * 32,
    "BASE_URL": "http://paleopost.test",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SMTP_URL": "smtp://127.0.0.1:1",
}


def paleopost(word: str, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in REST and k != "DATABASE_URL"}
    done = command(word, env=kept | env)
    assert "Traceback" not in done.stderr + done.stdout
    return done


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database before its first migration."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    cluster: Cluster = request.getfixturevalue("postgresql")
    return cluster.create()


def test_migrating_twice_changes_nothing(empty_url: str) -> None:
    first = paleopost("migrate", DATABASE_URL=empty_url, **REST)
    assert (first.returncode, first.stderr) == (0, "")
    assert "(before: empty)" in first.stdout
    again = paleopost("migrate", DATABASE_URL=empty_url, **REST)
    assert (again.returncode, again.stderr) == (0, "")
    assert "already" in again.stdout


def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    before = path.read_bytes()
    done = paleopost("migrate", DATABASE_URL=f"sqlite:///{path}", **REST)
    assert done.returncode == 1
    assert f"paleopost: The database sqlite:///{path} is damaged" in done.stderr
    assert path.read_bytes() == before


def test_a_damaged_mailbox_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"\xff" * 5000)
    with pytest.raises(Damaged, match="move it away") as caught:
        MailboxStore(tmp_path).require_readable()
    assert str(path) in str(caught.value)
    assert path.read_bytes() == b"\xff" * 5000


def test_a_mailbox_that_is_not_there_yet_is_fine(tmp_path: Path) -> None:
    MailboxStore(tmp_path).require_readable()
    assert not (tmp_path / FILE).exists()


def test_a_database_of_a_later_version_is_left_alone(sqlite_url: str) -> None:
    path = sqlite_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    done = paleopost("migrate", DATABASE_URL=sqlite_url, **REST)
    assert done.returncode == 1
    assert "is at version 9999, which this program does not know" in done.stderr
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [("9999",)]
    connection.close()


@pytest.mark.parametrize("process", ["web", "worker", "mailer", "beat", "lmtp", "imap"])
@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("0013", "is at version 0013 and {newest} is needed: run `paleopost migrate`."),
        ("9999", "is at version 9999, which this program does not know"),
    ],
)
def test_no_process_starts_on_tables_of_another_version(
    sqlite_url: str, process: str, version: str, said: str
) -> None:
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    connection.close()
    done = paleopost(process, DATABASE_URL=sqlite_url, **REST)
    assert done.returncode == 1
    assert said.format(newest=newest()) in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_newest_version_is_that_of_the_migrations() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert newest() == scripts.get_current_head()
    assert all(is_known(script.revision) for script in scripts.walk_revisions())


def test_a_database_that_does_not_answer_is_named_without_its_password() -> None:
    url = "postgresql://me:secret@127.0.0.1:1/paleopost"
    done = paleopost("migrate", DATABASE_URL=url, **REST)
    assert done.returncode == 1
    assert "127.0.0.1:1/paleopost cannot be used" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "BASE_URL", "REDIS_URL", "SMTP_URL"])
def test_a_missing_setting_is_named(sqlite_url: str, name: str) -> None:
    env = {k: v for k, v in REST.items() if k != name}
    done = paleopost("migrate", DATABASE_URL=sqlite_url, **env)
    assert (done.returncode, done.stderr) == (1, f"paleopost: {name}: is not set\n")


def test_without_any_settings_it_is_said_where_they_could_come_from(tmp_path: Path) -> None:
    done = paleopost("check", PALEOPOST_DATA=str(tmp_path))
    assert done.returncode == 1
    assert "DATABASE_URL is not set, and `paleopost play` has not run on" in done.stdout


def test_all_is_well(
    database_url: str, broker: TestBroker, smtp_sink: SmtpSink, tmp_path: Path
) -> None:
    done = paleopost(
        "check",
        **REST | {"REDIS_URL": broker.url, "SMTP_URL": smtp_sink.url},
        DATABASE_URL=database_url,
        PALEOPOST_DATA=str(tmp_path),
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["ok", name]
        for name in (
            *("settings", "directory", "database", "secret", "writing", "broker", "smtp"),
            *("inbound", "imap", "senders", "mail", "mailbox", "games", "fonts", "languages"),
        )
    ]


def test_each_fault_has_its_line(tmp_path: Path) -> None:
    boards = tmp_path / "boards"
    boards.mkdir()
    (boards / f"{KNOWN}.toml").write_text("this = is no\nboard")
    done = paleopost(
        "check",
        **REST,
        DATABASE_URL=f"sqlite:///{tmp_path / 'empty.db'}",
        PALEOPOST_DATA=str(tmp_path / "none"),
        BOARDS_DIR=str(boards),
    )
    assert done.returncode == 1
    wrong = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("WRONG")}
    assert wrong == {"directory", "database", "broker", "smtp", "games"}
    assert f"BOARDS_DIR: {boards / KNOWN}.toml, line 1: " in done.stdout
    assert "run `paleopost migrate`" in done.stdout


def test_a_database_that_cannot_be_written_is_wrong(postgresql_url: str) -> None:
    with create_engine(Database(postgresql_url, Jobs()).url).begin() as connection:
        name = connection.engine.url.database
        connection.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
    done = paleopost("check", DATABASE_URL=postgresql_url, **REST)
    assert done.returncode == 1
    (said,) = [line for line in done.stdout.splitlines() if " writing " in line]
    assert said.startswith("WRONG  writing    the database cannot be written: it, its disk or our")
    assert "\nok     database" in done.stdout


def test_trouble_with_mail_has_its_line(database_url: str) -> None:
    world = World(Service(settings_for(database_url), Jobs()), Jobs())
    world.open([Guest(address="ben@example.org")], KNOWN)
    with world.service.database.write() as work:
        letter = work.session.scalars(select(Letter)).one()
        letter.status, letter.due_at = LetterStatus.DEAD_LETTER, None
        letter.player.stopped_at = world.service.now()

    def mail() -> str:
        done = paleopost("check", DATABASE_URL=database_url, **REST)
        return next(line for line in done.stdout.splitlines() if " mail " in line)

    assert mail() == (
        "note   mail       letters given up (`paleopost dead-letters`): 1; "
        "addresses that get none: 1"
    )
    with world.service.database.write() as work:
        letter = work.session.scalars(select(Letter)).one()
        ago = world.service.now() - dt.timedelta(hours=2)
        letter.status, letter.due_at, letter.created_at, letter.attempts = (
            LetterStatus.DUE,
            ago,
            ago,
            3,
        )
    said = mail()
    assert said.startswith("WRONG  mail       letters that should have left: 1; letters tried more")
    assert "the oldest letter is 120 minutes old" in said
    world.service.database.dispose()


def test_what_comes_with_play_is_not_missed_while_it_does_not_run(
    sqlite_url: str, tmp_path: Path
) -> None:
    kept = REST | {"DATABASE_URL": sqlite_url, "MAILBOX": "1", "LMTP_LISTEN": "127.0.0.1:1"}
    (tmp_path / "environment.json").write_text(json.dumps(kept))
    done = paleopost("check", PALEOPOST_DATA=str(tmp_path))
    assert done.returncode == 0, done.stdout
    found = {line.split()[1]: line for line in done.stdout.splitlines()}
    for name in ("broker", "smtp", "inbound"):
        assert found[name].startswith("off ")
        assert "not running" in found[name]
    assert "REDIS_URL" not in done.stdout
    with DataDirectory(tmp_path):
        running = paleopost("check", PALEOPOST_DATA=str(tmp_path))
    assert running.returncode == 1
    assert "REDIS_URL does not answer" in running.stdout
    own = paleopost("check", PALEOPOST_DATA=str(tmp_path), REDIS_URL="redis://127.0.0.1:1/0")
    assert own.returncode == 1
    assert "REDIS_URL does not answer" in own.stdout

"""`paleopost backup`, `restore` and `accept-key`: whole or not at all, and said in a sentence."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import select, text

from service.core import schema
from service.core.context import Service
from service.core.models import Base, Letter
from service.matches.tables import Guest
from tests.support.commands import command
from tests.support.correspondence import Correspondence
from tests.support.tables import Jobs, World, settings_for

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).resolve().parents[2]
KEY = "test-" * 8


def paleopost(*words: str, url: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a database."""
    own = {"SECRET_KEY": KEY, "DATABASE_URL": url, "BASE_URL": "http://paleopost.test"}
    rest = {"REDIS_URL": "redis://127.0.0.1:1/0", "SMTP_URL": "smtp://127.0.0.1:1"}
    done = command(*words, env=dict(os.environ) | own | rest | env)
    assert "Traceback" not in done.stderr + done.stdout
    return done


def lived(url: str) -> tuple[World, int]:
    """A match that has begun and gone on for two turns."""
    jobs = Jobs()
    world = World(Service(settings_for(url, SECRET_KEY=KEY), jobs), jobs)
    match_id = world.open([Guest(address="ben@example.org", name="Ben")], "sapiens")
    world.everybody_accepts(match_id)
    for _ in range(2):
        world.submit(match_id)
        world.hear(mail=True)
    return world, match_id


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything there is, but for what a restore adds."""
    with schema.opened(url) as database, database.engine.connect() as connection:
        return {
            name: [tuple(r) for r in connection.execute(select(t).order_by(*t.primary_key.columns))]
            for name, t in Base.metadata.tables.items()
            if name not in ("epoch", "letter", "tally")
        }


def other_url(request: pytest.FixtureRequest, url: str, tmp_path: Path) -> str:
    """An empty database of the other kind."""
    if url.startswith("sqlite"):
        found: str = request.getfixturevalue("postgresql_url")
        return found
    return f"sqlite:///{tmp_path / 'other.db'}"


def test_a_copy_goes_into_either_database_and_play_goes_on(
    request: pytest.FixtureRequest, database_url: str, tmp_path: Path
) -> None:
    world, match_id = lived(database_url)
    copy = tmp_path / "copy.gz"
    copy.write_text("an older one")
    done = paleopost("backup", str(copy), url=database_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert KEY.encode() not in gzip.decompress(copy.read_bytes())
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("copy")] == ["copy.gz"]
    world.service.database.dispose()

    url = other_url(request, database_url, tmp_path)
    done = paleopost("restore", str(copy), url=url)
    assert done.returncode == 0, done.stderr
    assert "in epoch 2" in done.stdout
    assert rows(url) == rows(database_url)
    with schema.opened(url) as database:
        assert len(set(schema.versions(database))) == 1
    jobs = Jobs()
    moved = World(Service(settings_for(url, SECRET_KEY=KEY), jobs), jobs)
    moved.submit(match_id)
    moved.hear()
    assert moved.match(match_id).last_entry == 3
    moved.service.database.dispose()


def test_what_stands_is_kept_unless_it_is_to_be_replaced(database_url: str, tmp_path: Path) -> None:
    world, match_id = lived(database_url)
    copy = tmp_path / "copy.gz"
    assert paleopost("backup", str(copy), url=database_url).returncode == 0
    # While anybody has it open
    done = paleopost("restore", "--replace", str(copy), url=database_url)
    assert done.returncode == 1
    assert "is in use. Stop everything" in done.stderr
    world.submit(match_id)
    world.hear()
    world.service.database.dispose()
    before = rows(database_url)
    done = paleopost("restore", str(copy), url=database_url)
    assert done.returncode == 1
    assert "is not empty. With --replace" in done.stderr
    assert rows(database_url) == before
    assert paleopost("restore", "--replace", str(copy), url=database_url).returncode == 0
    jobs = Jobs()
    again = World(Service(settings_for(database_url, SECRET_KEY=KEY), jobs), jobs)
    assert again.match(match_id).last_entry == 2
    again.service.database.dispose()


def spoiled(copy: Path, how: str) -> bytes:
    """A copy that is none any more."""
    lines = gzip.decompress(copy.read_bytes()).splitlines(keepends=True)
    match how:
        case "cut":
            return copy.read_bytes()[:-200]
        case "cut at a line":
            return gzip.compress(b"".join(lines[:-1]))
        case "changed":
            return gzip.compress(b"".join(lines).replace(b'"Ben"', b'"Bob"'))
        case "empty":
            return b""
        case "of a later version":
            header = json.loads(lines[0]) | {"version": "9999"}
            body = json.dumps(header).encode() + b"\n" + b"".join(lines[1:-1])
            footer = json.loads(lines[-1]) | {"sha256": sha256(body).hexdigest()}
            return gzip.compress(body + json.dumps(footer).encode() + b"\n")
    return b"something else"


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("cut", "the end of it is missing"),
        ("cut at a line", "the end of it is missing"),
        ("changed", "is damaged: it is not as it was written"),
        ("empty", "is no backup of Paleopost"),
        ("other", "is no backup of Paleopost"),
        ("of a later version", "which this program does not know"),
    ],
)
def test_a_file_that_is_no_whole_copy_changes_nothing(
    sqlite_url: str, tmp_path: Path, how: str, said: str
) -> None:
    world, _ = lived(sqlite_url)
    world.service.database.dispose()
    copy = tmp_path / "copy.gz"
    assert paleopost("backup", str(copy), url=sqlite_url).returncode == 0
    copy.write_bytes(spoiled(copy, how))
    before = rows(sqlite_url)
    done = paleopost("restore", "--replace", str(copy), url=sqlite_url)
    assert done.returncode == 1
    assert said in done.stderr
    assert rows(sqlite_url) == before


def test_a_copy_of_an_earlier_version_is_brought_up_to_date(
    database_url: str, tmp_path: Path
) -> None:
    world, match_id = lived(database_url)
    world.service.database.dispose()
    copy = tmp_path / "copy.gz"
    assert paleopost("backup", str(copy), url=database_url).returncode == 0
    copy.write_bytes(as_of_0002(copy))
    done = paleopost("restore", "--replace", str(copy), url=database_url)
    assert done.returncode == 0, done.stderr
    jobs = Jobs()
    again = World(Service(settings_for(database_url, SECRET_KEY=KEY), jobs), jobs)
    again.submit(match_id)
    again.hear()
    assert again.match(match_id).last_entry == 3
    again.service.database.dispose()


def as_of_0002(copy: Path) -> bytes:
    """The copy as a program would have written it whose newest migration was 0002, when each
    decision was blocking or not.
    """
    with schema.opened(f"sqlite:///{copy}.db") as database, database.write() as work:
        schema.bring_to(work.session.connection(), "0002")
        named = text("SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p")
        known = {tuple(row) for row in work.session.execute(named)}
    lines = [json.loads(x) for x in gzip.decompress(copy.read_bytes()).splitlines()]
    header, footer, kept = lines[0], lines[-1], list[object]()
    tables: dict[str, list[list[str]]] = header["tables"]
    asks = [column for column, _ in tables["decision"]].index("asks")
    tables["decision"][asks] = ["blocking", "plain"]
    table = ""
    for line in lines[1:-1]:
        table = line["table"] if isinstance(line, dict) else table
        if not any(name == table for name, _ in known):
            footer["rows"].pop(table, None)
            continue
        fits = [(table, column) in known for column, _ in tables[table]]
        if table == "decision" and isinstance(line, list):
            line[asks] = line[asks] == "must"
        kept.append(
            line
            if isinstance(line, dict)
            else [value for value, fit in zip(line, fits, strict=True) if fit]
        )
    header["version"] = "0002"
    header["tables"] = {
        name: [column for column in columns if (name, column[0]) in known]
        for name, columns in tables.items()
        if any(name == each for each, _ in known)
    }
    body = b"".join(json.dumps(line).encode() + b"\n" for line in [header, *kept])
    footer["sha256"] = sha256(body).hexdigest()
    return gzip.compress(body + json.dumps(footer).encode() + b"\n")


def test_a_damaged_database_is_replaced(tmp_path: Path, sqlite_url: str) -> None:
    world, _ = lived(sqlite_url)
    copy = tmp_path / "copy.gz"
    assert paleopost("backup", str(copy), url=sqlite_url).returncode == 0
    world.service.database.dispose()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    assert "is not empty" in paleopost("restore", str(copy), url=sqlite_url).stderr
    done = paleopost("restore", "--replace", str(copy), url=sqlite_url)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_process_does_not_start_with_another_key(sqlite_url: str) -> None:
    world, match_id = lived(sqlite_url)
    world.service.database.dispose()
    assert paleopost("letters", url=sqlite_url).returncode == 0  # notes the key
    for words in (["web"], ["worker"], ["beat"], ["lmtp"], ["letters"]):
        done = paleopost(*words, url=sqlite_url, SECRET_KEY="another " * 5, LMTP_LISTEN="x:1")
        assert done.returncode == 1, words
        assert "The secret key is not the one this database was used with" in done.stderr
    said = paleopost("check", url=sqlite_url, SECRET_KEY="another " * 5).stdout
    assert "WRONG  secret" in said
    assert "accept-key" in said
    done = paleopost("accept-key", url=sqlite_url, SECRET_KEY="another " * 5)
    assert done.stdout == "The secret key is accepted. Letters to be sent: 2.\n"
    assert "ok     secret" in paleopost("check", url=sqlite_url, SECRET_KEY="another " * 5).stdout
    jobs = Jobs()
    now = World(Service(settings_for(sqlite_url, SECRET_KEY="another " * 5), jobs), jobs)
    asked = now.awaited(match_id)
    turn = now.legal_turn(match_id, asked.seat, asked.decision)
    assert Correspondence(now, match_id).reply(asked.seat, turn, asked.decision).verdict == "played"
    with now.service.database.read() as session:
        told = session.scalars(
            select(Letter).where(Letter.dedupe.startswith("answer.links."))
        ).all()
    assert len(told) == 2
    now.service.database.dispose()


def is_at_work(url: str) -> bool:
    """Whether a restore has begun to write."""
    if url.startswith("sqlite"):
        return Path(f"{url.removeprefix('sqlite:///')}.restored").exists()
    # From another database: whoever has this one open is in the way of a restore.
    server, _, name = url.rpartition("/")
    with schema.opened(f"{server}/postgres") as database, database.engine.connect() as connection:
        held = text(
            "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database "
            "WHERE mode = 'AccessExclusiveLock' AND d.datname = :name"
        )
        return bool(connection.scalar(held, {"name": name}))


def test_a_restore_that_is_killed_leaves_the_database_as_it_was(
    database_url: str, tmp_path: Path
) -> None:
    world, match_id = lived(database_url)
    copy = tmp_path / "copy.gz"
    assert paleopost("backup", str(copy), url=database_url).returncode == 0
    world.submit(match_id)
    world.hear()
    world.service.database.dispose()
    before = rows(database_url)
    own = {"SECRET_KEY": KEY, "DATABASE_URL": database_url, "BASE_URL": "http://paleopost.test"}
    rest = {"REDIS_URL": "redis://127.0.0.1:1/0", "SMTP_URL": "smtp://127.0.0.1:1"}
    running = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "restore", "--replace", str(copy)],
        cwd=ROOT,
        env=dict(os.environ) | own | rest,
    )
    while running.poll() is None and not is_at_work(database_url):
        time.sleep(0.002)
    running.kill()
    killed = running.wait() == -signal.SIGKILL
    assert killed
    assert rows(database_url) == before
    # And the next one is not in the way of what that has left
    done = paleopost("restore", "--replace", str(copy), url=database_url)
    assert done.returncode == 0, done.stderr

"""Putting a copy of the database back: the copy stands whole, in a new epoch, or nothing changed.

Whatever was sent after the copy was taken is unknown from then on (`service.core.epochs`). Letters
that had not left by then may have left since, so they go out under new Message-IDs, and everybody
at a table is told once how it stands now.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import sqlalchemy.exc
import structlog
from sqlalchemy import Connection, MetaData, func, inspect, select, text, update
from sqlalchemy.orm import Session, aliased

from service.core import epochs, schema
from service.core.context import Service
from service.core.db import Database, NoQueue, Work
from service.core.keys import Keyring
from service.core.models import Base, Epoch, Letter, Match, Player
from service.core.results import SetBack
from service.core.settings import Settings
from service.core.statuses import LetterKind, LetterStatus
from service.ops import backup, telling_all, upkeep
from service.ops.backup import BackupError, Header
from service.outgoing import outbox

log = structlog.get_logger(__name__)


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a restore: the copy, the number of its epoch, and how many were told."""

    header: Header
    epoch: int
    told: int


def restore(settings: Settings, path: Path, *, replace: bool) -> Restored:
    """Put a copy in the place of the database, at the newest version.

    Raises BackupError: the copy is none, damaged or of a later version; the database is in use, or
    holds something and is not to be replaced. Raises SchemaError when it cannot be reached.
    """
    header = backup.check(path)
    if not schema.is_known(header.version):
        raise BackupError(
            f"{path} is of version {header.version}, which this program does not know: a later one "
            "wrote it. Use that one; nothing was changed."
        )
    with schema.opened(settings.database_url) as database:
        if database.is_shared:
            return _in_postgresql(settings, database, path, header, replace=replace)
        return _in_sqlite(settings, database, path, header, replace=replace)


def _in_postgresql(
    settings: Settings, database: Database, path: Path, header: Header, *, replace: bool
) -> Restored:
    """All in one transaction, tables included."""
    service = _service(settings, database)
    with database.write() as work:
        connection = work.session.connection()
        others = connection.scalar(
            text(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        )
        if others:
            raise _in_use(database)
        held = _holds_something(connection)
        if held and not replace:
            raise _not_empty(database)
        before = _eras(connection) if held else ()
        found, ours = MetaData(), {*Base.metadata.tables, "alembic_version"}
        found.reflect(connection, only=lambda name, _: name in ours)
        found.drop_all(connection)
        restored = _fill(service, work, path, header, before)
    _finish(service)
    return restored


def _in_sqlite(
    settings: Settings, database: Database, path: Path, header: Header, *, replace: bool
) -> Restored:
    """In a file beside it, which then takes its place."""
    target = Path(database.url.database or "")
    new = target.with_name(f"{target.name}.restored")
    held, before = True, tuple[epochs.Era, ...]()
    try:
        with database.engine.connect() as connection:
            held = _holds_something(connection)
            before = _eras(connection) if held else ()
    except sqlalchemy.exc.DatabaseError as error:
        # A damaged one holds something, too: it may be mended, or a copy of it be wanted.
        log.warning("database_damaged", error=type(error.orig).__name__)
    finally:
        database.dispose()
    if held and not replace:
        raise _not_empty(database)
    with _alone(target, database):
        _remove(new)
        try:
            beside = Database(f"sqlite:///{new}", NoQueue())
            service = _service(settings, beside)
            try:
                with beside.write() as work:
                    restored = _fill(service, work, path, header, before)
                _finish(service)
            finally:
                beside.dispose()
            _close(new)
            if target.exists():
                new.chmod(target.stat().st_mode)
            # Of one that is damaged; a sound one has none now.
            for rest in _beside(target):
                rest.unlink(missing_ok=True)
            new.replace(target)
            backup.sync(target.parent)
        finally:
            _remove(new)
    return restored


def _service(settings: Settings, database: Database) -> Service:
    service = Service(settings, NoQueue())
    service.database.dispose()
    service.database, database.queue = database, service.database.queue
    return service


@contextmanager
def _alone(target: Path, database: Database) -> Iterator[None]:
    """Nobody else has the database open, nor can open it meanwhile. Raises BackupError."""
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        connection = sqlite3.connect(target, timeout=0, isolation_level=None)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # It cannot leave WAL mode as long as anybody else has it open.
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            if mode != "delete":
                raise _in_use(database)
            connection.execute("BEGIN EXCLUSIVE")
        except (BlockingIOError, sqlite3.OperationalError) as error:
            connection.close()
            raise _in_use(database) from error
        except sqlite3.DatabaseError as error:
            log.warning("database_damaged", error=str(error))
        try:
            yield
        finally:
            connection.close()


def _close(new: Path) -> None:
    """See that a database is sound, and make it one file that survives a loss of power."""
    connection = sqlite3.connect(new, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=DELETE")
        found = connection.execute("PRAGMA integrity_check").fetchone()
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    finally:
        connection.close()
    if found != ("ok",) or broken is not None:
        raise BackupError(f"The restored database is not sound ({found}, {broken}); none was kept.")
    with new.open("rb") as file:
        os.fsync(file.fileno())


def _beside(path: Path) -> list[Path]:
    """What SQLite keeps beside a database."""
    return [path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm", "-journal")]


def _remove(new: Path) -> None:
    for name in (new, *_beside(new), new.with_name(f"{new.name}.lock")):
        name.unlink(missing_ok=True)


def _in_use(database: Database) -> BackupError:
    return BackupError(
        f"The database {schema.name_of(database)} is in use. Stop everything that works with it "
        "(web, worker, mailer, beat, lmtp, imap, or `paleopost play`) and try again; nothing was "
        "changed."
    )


def _not_empty(database: Database) -> BackupError:
    return BackupError(
        f"The database {schema.name_of(database)} is not empty. With --replace the copy takes its "
        "place, and what it holds now is lost (back it up first); nothing was changed."
    )


def _holds_something(connection: Connection) -> bool:
    known = set(inspect(connection).get_table_names())
    return any(
        table.__tablename__ in known and connection.scalar(select(table.id).limit(1)) is not None
        for table in (Player, Match)
    )


def _eras(connection: Connection) -> tuple[epochs.Era, ...]:
    """The epochs of the database that is replaced."""
    if not inspect(connection).has_table(Epoch.__tablename__):
        return ()
    with Session(connection, join_transaction_mode="create_savepoint") as session:
        return epochs.read(session).eras


def _fill(
    service: Service, work: Work, path: Path, header: Header, before: tuple[epochs.Era, ...]
) -> Restored:
    session = work.session
    connection = session.connection()
    schema.bring_to(connection, header.version)
    backup.load(path, header, connection)
    schema.bring_to(connection, "head")
    epoch = _begin_epoch(session, header, before, service.now())
    history = epochs.read(session)
    service.keys = Keyring(service.settings.secret_keys, lambda: history)
    _take_letters_up_anew(service, session)
    said = SetBack(copied_at=header.taken_at)
    told = telling_all.tell(service, work, said, f"restored.{epoch}")
    _ask_by_what_is_told(session, epoch)
    log.info("restored", epoch=epoch, told=told)
    return Restored(header=header, epoch=epoch, told=told)


def _finish(service: Service) -> None:
    """Bring the clocks in line with what is known now, and with what this version does."""
    upkeep.refresh_clocks(service)


def _begin_epoch(
    session: Session, header: Header, before: tuple[epochs.Era, ...], now: dt.datetime
) -> int:
    """Note the new epoch, and those of the database that is replaced: their links are answered."""
    known = epochs.read(session).eras
    number = known[-1].number
    marks = {era.mark for era in known}
    for era in before:
        if era.mark not in marks:
            number += 1
            session.add(
                Epoch(
                    number=number,
                    mark=era.mark,
                    began_at=now,
                    copied_at=era.copied_at,
                    last_match=era.last_match,
                    last_player=era.last_player,
                )
            )
    number = max((number, *(era.number for era in before))) + 1
    session.add(
        Epoch(
            number=number,
            mark=epochs.new_mark((*known, *before)),
            began_at=now,
            copied_at=header.taken_at,
            last_match=session.scalar(select(func.max(Match.id))) or 0,
            last_player=session.scalar(select(func.max(Player.id))) or 0,
        )
    )
    session.flush()
    return number


def _take_letters_up_anew(service: Service, session: Session) -> None:
    """Letters that had not left when the copy was taken may have left since, with other bytes: they
    are other letters now. Those that ask for a turn are not needed: everybody is told how it
    stands.
    """
    outbox.drop(
        session,
        Letter.kind.in_((LetterKind.TURN, LetterKind.REMINDER, LetterKind.NUDGE)),
        Letter.status.in_((*outbox.UNSENT, LetterStatus.SENDING)),
        (Letter.kind == LetterKind.TURN)
        | (Letter.status != LetterStatus.DUE)
        | (Letter.due_at <= service.now()),
    )
    session.execute(
        update(Letter)
        .where(Letter.sent_at.is_(None))
        .values(
            epoch=None,
            secret=None,
            message=None,
            written_at=None,
            ready_at=None,
            failure=None,
            attempts=0,
            faults=0,
        )
    )
    session.execute(
        update(Letter).where(Letter.status == LetterStatus.SENDING).values(status=LetterStatus.DUE)
    )


def _ask_by_what_is_told(session: Session, epoch: int) -> None:
    """Turn letters that were dropped unsent are told by the letter of the restore: no clock runs
    until the mail server has taken that (`outbox.untaken`), and none has since they were owed.
    """
    told = aliased(Letter)
    found = session.execute(
        select(Letter.id, Letter.created_at, told.id)
        .join(
            told,
            (told.match_id == Letter.match_id)
            & (told.decision == Letter.decision)
            & (told.player_id == Letter.player_id),
        )
        .where(
            Letter.kind == LetterKind.TURN,
            Letter.status == LetterStatus.DROPPED,
            Letter.sent_at.is_(None),
            told.dedupe.startswith(f"answer.restored.{epoch}.", autoescape=True),
        )
    )
    for turn, owed_at, letter in found.all():
        session.execute(update(Letter).where(Letter.id == turn).values(told_in=letter))
        session.execute(update(Letter).where(Letter.id == letter).values(ready_at=owed_at))

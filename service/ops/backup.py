"""A copy of the whole database in one file, and back: the same file for SQLite and PostgreSQL.

The file is gzip over lines of JSON: what it is, then every table with its rows, then how many rows
there were and the SHA-256 of all lines before. It holds no secret key, only the fingerprint of the
one the database was used with. It is read in one transaction that sees one moment (SQLite: a read
transaction in WAL mode; PostgreSQL: REPEATABLE READ), so everything may run on meanwhile.
"""

from __future__ import annotations

import base64
import datetime as dt
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Date,
    DateTime,
    LargeBinary,
    MetaData,
    String,
    func,
    insert,
    select,
    text,
    type_coerce,
)

from service.core.db import Database
from service.core.models import Base, CauseText, Choice, SecretKey, StructJson, UtcTime

_FORMAT: Final = 1
_BATCH: Final = 1000

T = TypeVar("T")


class BackupError(Exception):
    """A file cannot be written, or used as a copy. The text says why and what to do."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a copy: the version of its tables, when it was taken, of what kind of
    database, and with which secret key (a fingerprint) that was used. `tables` have the names and
    kinds of their columns.
    """

    paleopost_backup: int
    version: str
    taken_at: dt.datetime
    dialect: str
    secret: str | None
    tables: dict[str, list[tuple[str, str]]]


class Footer(msgspec.Struct, frozen=True, kw_only=True):
    """The number of rows of each table, and the SHA-256 of all lines before this one."""

    rows: dict[str, int]
    sha256: str


def write(database: Database, version: str, path: Path, now: dt.datetime) -> Footer:
    """Copy the database, which is at this version, into a file that only its owner can read. The
    file is there whole, read once more and found right, or not at all. Raises BackupError.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)
        opened = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(opened, "wb") as file:
                # Quick rather than small: rows are mostly compressed by a half even so.
                with gzip.GzipFile("", "wb", 4, file, mtime=0) as packed:
                    written = _write(database, version, now, packed)
                file.flush()
                os.fsync(file.fileno())
            check(new)
            new.replace(path)
            sync(path.parent)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error}.") from error
    return written


def _write(database: Database, version: str, now: dt.datetime, file: gzip.GzipFile) -> Footer:
    tables = Base.metadata.sorted_tables
    digest = hashlib.sha256()
    rows: dict[str, int] = {}

    def line(value: Any) -> None:
        data = msgspec.json.encode(value) + b"\n"
        digest.update(data)
        file.write(data)

    with _snapshot(database) as connection:
        secret = connection.scalar(
            select(SecretKey.fingerprint).order_by(SecretKey.accepted_at.desc()).limit(1)
        )
        line(
            Header(
                paleopost_backup=_FORMAT,
                version=version,
                taken_at=now,
                dialect=database.engine.dialect.name,
                secret=secret,
                tables={
                    str(table.name): [(str(column.name), _kind(column)) for column in table.columns]
                    for table in tables
                },
            )
        )
        for table in tables:
            name = str(table.name)
            line({"table": name})
            rows[name] = 0
            stored = (_as_stored(column) for column in table.columns)
            found = connection.execute(select(*stored).order_by(*table.primary_key.columns))
            for row in found:
                line(tuple(row))
                rows[name] += 1
    footer = Footer(rows=rows, sha256=digest.hexdigest())
    file.write(msgspec.json.encode(footer) + b"\n")
    return footer


@contextmanager
def _snapshot(database: Database) -> Iterator[Connection]:
    """A connection that sees the database as it is at one moment, and changes nothing."""
    options: dict[str, Any] = {"yield_per": _BATCH}
    if database.is_shared:
        options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with database.engine.connect().execution_options(**options) as connection:
        yield connection


def check(path: Path) -> Header:
    """Read a whole copy and see that it is one and that nothing of it has changed. Raises
    BackupError.
    """
    header: Header | None = None
    digest, counted = hashlib.sha256(), dict[str, int]()
    table, last = "", b""
    for line in _lines(path):
        if last:
            digest.update(last)
            if header is None:
                header = _header(path, last)
            elif last.startswith(b"{"):
                table = _decode(path, last, dict[str, str])["table"]
                counted[table] = 0
            else:
                counted[table] = counted.get(table, 0) + 1
        last = line
    if header is None:
        raise BackupError(f"{path} is no backup of Paleopost, or the end of it is missing.")
    footer = _decode(path, last, Footer)
    if footer.sha256 != digest.hexdigest() or footer.rows != counted:
        raise BackupError(f"{path} is damaged: it is not as it was written. Take another copy.")
    return header


def load(path: Path, header: Header, connection: Connection) -> None:
    """Put the rows of a copy into the tables of a database at the copy's version, all empty."""
    found = MetaData()
    found.reflect(connection, only=[*header.tables])
    for table in reversed(found.sorted_tables):
        connection.execute(table.delete())  # what a migration has put there
    lines = _lines(path)
    next(lines)
    table, kinds, batch = None, list[tuple[str, str]](), list[dict[str, Any]]()

    def flush() -> None:
        if batch and table is not None:
            connection.execute(insert(table), batch)
            batch.clear()

    for line in lines:
        if line.startswith(b"["):
            values = msgspec.json.decode(line)
            batch.append(
                {
                    name: _value(kind, value)
                    for (name, kind), value in zip(kinds, values, strict=True)
                }
            )
            if len(batch) == _BATCH:
                flush()
            continue
        flush()
        name = msgspec.json.decode(line).get("table")
        if name is not None:
            table, kinds = found.tables[name], header.tables[name]
            for column, kind in kinds:
                if kind == "json":
                    # What is NULL stays NULL, and is no JSON "null".
                    table.c[column].type = JSON(none_as_null=True)
    if connection.dialect.name == "postgresql":
        _continue_numbers(connection, found)


def _continue_numbers(connection: Connection, tables: MetaData) -> None:
    """Have PostgreSQL number new rows after those that were put there."""
    for table in tables.sorted_tables:
        for column in table.primary_key.columns:
            named = text("SELECT pg_get_serial_sequence(:table, :column)")
            sequence = connection.scalar(named, {"table": f'"{table.name}"', "column": column.name})
            if sequence is not None:
                last = connection.scalar(select(func.max(column)))
                connection.execute(
                    text("SELECT setval(:name, :last, :used)"),
                    {"name": sequence, "last": last or 1, "used": last is not None},
                )


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path, "rb") as file:
            yield from file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BackupError(
            f"{path} is no backup of Paleopost, or damaged, or the end of it is missing ({error})."
        ) from error
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error}.") from error


def _header(path: Path, line: bytes) -> Header:
    header = _decode(path, line, Header)
    if header.paleopost_backup != _FORMAT:
        raise BackupError(f"{path} was written by a later version of this program: use that one.")
    return header


def _decode(path: Path, line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise BackupError(
            f"{path} is no backup of Paleopost, or damaged, or the end of it is missing ({error})."
        ) from error


def _as_stored(column: Column[Any]) -> ColumnElement[Any]:
    """The column as a copy holds it: as it stands there, whatever this program makes of it."""
    match column.type:
        case StructJson():
            return type_coerce(column, JSON())
        case Choice() | CauseText():
            return type_coerce(column, String())
    return column


def _kind(column: Column[Any]) -> str:
    match column.type:
        case UtcTime() | DateTime():
            return "time"
        case Date():
            return "date"
        case LargeBinary():
            return "bytes"
        case JSON() | StructJson():
            return "json"
    return "plain"


def _value(kind: str, value: Any) -> Any:
    if value is None:
        return None
    match kind:
        case "time":
            return dt.datetime.fromisoformat(value)
        case "date":
            return dt.date.fromisoformat(value)
        case "bytes":
            return base64.b64decode(value)
    return value


def sync(directory: Path) -> None:
    """See that a new name in a directory survives a loss of power."""
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

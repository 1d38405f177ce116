"""The database as its operator meets it: up to date, or a sentence on what is wrong with it.

Alembic is imported where it is used: few processes do, and it takes 7 MB of each.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy.exc
from sqlalchemy import Connection, inspect, text

from service.core.db import Database, NoQueue

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


class SchemaError(Exception):
    """The database cannot be used as it is. The text says why and what to do."""


class WrongVersion(SchemaError):
    """The tables are of another version than this program needs."""


def upgrade(url: str) -> tuple[str | None, str | None]:
    """Bring the database to the newest version; the versions before and after.

    Raises SchemaError when it cannot be reached or read, or is of a later version than this code.
    """
    with opened(url) as database:
        before, after = versions(database)
        if before == after:
            return before, after
        _refuse_later(database, before)
        with database.write() as work:
            bring_to(work.session.connection(), "head")
        return before, after


def bring_to(connection: Connection, version: str) -> None:
    """Bring the tables to a version that is not older than theirs, in the present transaction."""
    from alembic import command

    command.upgrade(_config(connection), version)


def is_known(version: str) -> bool:
    """True if this program has had tables of this version, or has them now."""
    return version in _versions()


def versions(database: Database) -> tuple[str | None, str | None]:
    """The version the database has (None: empty) and the one it should have."""
    with database.engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None, newest()
        return connection.scalar(text("SELECT version_num FROM alembic_version")), newest()


def newest() -> str:
    """The version this program needs."""
    return max(_versions())


@cache
def _versions() -> frozenset[str]:
    """The versions of all migrations, by which their files are named: they do not change while
    this program runs.
    """
    files = (MIGRATIONS / "versions").glob("[0-9]*_*.py")
    return frozenset(path.name.partition("_")[0] for path in files)


def require_newest(url: str) -> str | None:
    """The version of the database if it is the one this code needs. Raises WrongVersion, or
    SchemaError if it cannot be reached.
    """
    with opened(url) as database:
        return require(database)


def require(database: Database) -> str | None:
    """The same of a database that is open."""
    found, needed = versions(database)
    _refuse_later(database, found)
    if found != needed:
        raise WrongVersion(
            f"The database is at version {found or 'none'} and {needed} is needed: "
            "run `paleopost migrate`."
        )
    return found


def _refuse_later(database: Database, version: str | None) -> None:
    if version is not None and not is_known(version):
        raise WrongVersion(
            f"The database {name_of(database)} is at version {version}, which this program does "
            "not know: a later one wrote it. Use that one; nothing was changed."
        )


@contextmanager
def explained(database: Database) -> Iterator[None]:
    """Turn what goes wrong with the database into SchemaError."""
    where = name_of(database)
    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        if isinstance(error.orig, sqlite3.DatabaseError) and not isinstance(
            error.orig, sqlite3.OperationalError
        ):
            raise SchemaError(
                f"The database {where} is damaged ({reason}). Put a copy of it back, or move it "
                "away to begin anew; nothing was changed."
            ) from error
        raise SchemaError(f"The database {where} cannot be used: {reason}.") from error


@contextmanager
def opened(url: str) -> Iterator[Database]:
    """The database at this address. What goes wrong with it is raised as SchemaError."""
    try:
        database = Database(url, NoQueue())
    except (ValueError, OSError, sqlalchemy.exc.ArgumentError) as error:
        raise SchemaError(f"DATABASE_URL cannot be used: {error}.") from error
    try:
        with explained(database):
            yield database
    finally:
        database.dispose()


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def name_of(database: Database) -> str:
    return database.url.render_as_string(hide_password=True)

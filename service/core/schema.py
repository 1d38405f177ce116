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
from sqlalchemy import Connection

from service.core.db import Database, NoQueue

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


class SchemaError(Exception):
    """The database cannot be used as it is. The text says why and what to do."""


def upgrade(url: str) -> tuple[str | None, str | None]:
    """Bring the database to the newest version; the versions before and after.

    Raises SchemaError when it cannot be reached or read, or is of a later version than this code.
    """
    with opened(url) as database:
        before, after = versions(database)
        if before == after:
            return before, after
        if before is not None and not is_known(before):
            raise SchemaError(
                f"The database {name_of(database)} is at version {before}, which this program does "
                "not know: a later one wrote it. Use that one; nothing was changed."
            )
        with database.write() as work:
            bring_to(work.session.connection(), "head")
        return before, after


def bring_to(connection: Connection, version: str) -> None:
    """Bring the tables to a version that is not older than theirs, in the present transaction."""
    from alembic import command

    command.upgrade(_config(connection), version)


def is_known(version: str) -> bool:
    """True if this program has had tables of this version, or has them now."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_config())
    return version in {script.revision for script in scripts.walk_revisions()}


def versions(database: Database) -> tuple[str | None, str | None]:
    """The version the database has (None: empty) and the one it should have."""
    from alembic.runtime.migration import MigrationContext

    with database.engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    return found, newest()


@cache
def newest() -> str | None:
    """The version this program needs: its files do not change while it runs."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config()).get_current_head()


def require_newest(url: str) -> str | None:
    """The version of the database if it is the one this code needs, else raise SchemaError."""
    with opened(url) as database:
        found, needed = versions(database)
        if found != needed:
            raise SchemaError(
                f"The database is at version {found or 'none'} and {needed} is needed: "
                "run `paleopost migrate`."
            )
        return found


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

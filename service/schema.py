"""The database as its operator meets it: brought up to date, or a sentence that says what is wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy.exc

from service import migration
from service.db import Database


class SchemaError(Exception):
    """The database cannot be used as it is. The text says why and what to do."""


class _NoQueue:
    def ring(self, task: str, *args: object) -> None:
        raise AssertionError(f"a migration rings for {task}{args}")


def upgrade(url: str) -> tuple[str | None, str | None]:
    """Bring the database to the newest version; the versions before and after.

    Raises SchemaError when it cannot be reached or read, or is of a later version than this code.
    """
    with _opened(url) as database:
        before, after = migration.versions(database)
        migration.migrate(database)
        return before, after


def require_newest(url: str) -> str | None:
    """The version of the database if it is the one this code needs, else raise SchemaError."""
    with _opened(url) as database:
        found, needed = migration.versions(database)
        if found != needed:
            raise SchemaError(
                f"The database is at version {found or 'none'} and {needed} is needed: "
                "run `paleopost migrate`."
            )
        return found


@contextmanager
def explained(database: Database) -> Iterator[None]:
    """Turn what goes wrong with the database into SchemaError."""
    where = database.url.render_as_string(hide_password=True)
    try:
        yield
    except migration.UnknownVersion as error:
        raise SchemaError(
            f"The database {where} is at version {error.found}, which this program does not know: "
            "a later one wrote it. Use that one; nothing was changed."
        ) from error
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
def _opened(url: str) -> Iterator[Database]:
    try:
        database = Database(url, _NoQueue())
    except (ValueError, OSError, sqlalchemy.exc.ArgumentError) as error:
        raise SchemaError(f"DATABASE_URL cannot be used: {error}.") from error
    try:
        with explained(database):
            yield database
    finally:
        database.dispose()

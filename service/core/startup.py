"""The check of a process before it begins: the database is one it can work with."""

from __future__ import annotations

from service.core import schema, secret_keys, system_clock
from service.core.db import Database, NoQueue
from service.core.keys import fingerprint
from service.core.schema import SchemaError, WrongVersion
from service.core.secret_keys import WrongSecretKey
from service.core.settings import Settings


def require_database(settings: Settings) -> None:
    """See that the tables are of the version this program needs, and the secret key is the one they
    were used with; note a newer key that stands before the old one. Raises WrongVersion or
    WrongSecretKey, whose text says what to do. A database that cannot be reached may have good days
    again: it is waited for.
    """
    database = Database(settings.database_url, NoQueue())
    try:
        with schema.explained(database):
            schema.require(database)
            _require_key(database, settings)
    except (WrongVersion, WrongSecretKey):
        raise
    except SchemaError:
        return
    finally:
        database.dispose()


def _require_key(database: Database, settings: Settings) -> None:
    newest = fingerprint(settings.secret_key)
    with database.read() as session:
        before = secret_keys.noted(session)
    if before == newest:
        return
    if before is not None and not secret_keys.is_right(settings, before):
        raise WrongSecretKey(before, newest)
    with database.write() as work:
        secret_keys.accept(work.session, settings, system_clock.now())

"""The database: its migrations, copies of it, and the secret key that goes with it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from service.cli.root import Failure
from service.core import system_clock
from service.core.settings import Settings
from service.dev.embedded.environment import with_embedded

FILE = click.Path(dir_okay=False, path_type=Path)


def _settings() -> Settings:
    from service.core.logs import configure

    settings = Settings.from_env(with_embedded(os.environ))
    # On standard error: what a command says on standard output is for whoever called it.
    configure(settings.log_level)
    return settings


@click.command(epilog="Example: paleopost migrate")
def migrate() -> None:
    """Bring the database to the newest version. Running it again changes nothing."""
    from service.core.schema import SchemaError
    from service.ops.upkeep import upgrade

    settings = Settings.from_env(with_embedded(os.environ))
    try:
        before, after = upgrade(settings)
    except SchemaError as error:
        raise Failure(str(error)) from error
    if before == after:
        click.echo(f"The database is at version {after} already.")
    else:
        click.echo(f"The database is now at version {after} (before: {before or 'empty'}).")


@click.command(epilog="Example: paleopost backup /var/backups/paleopost-$(date +%F).gz")
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Copy the whole database into FILE, while everything runs. It can be put into SQLite and
    PostgreSQL. The secret key is not in it: keep that elsewhere.
    """

    from service.core.db import Database, NoQueue
    from service.core.schema import SchemaError, explained, require_newest
    from service.ops.backup import BackupError, write

    settings = _settings()
    try:
        version = require_newest(settings.database_url)
        database = Database(settings.database_url, NoQueue())
        try:
            with explained(database):
                written = write(database, version or "", file, system_clock.now())
        finally:
            database.dispose()
    except (BackupError, SchemaError) as error:
        raise Failure(str(error)) from error
    size = file.stat().st_size
    click.echo(f"{file}: {sum(written.rows.values())} rows, {size} bytes, checked.")


@click.command(epilog="Example: paleopost restore --replace /var/backups/paleopost-2026-11-22.gz")
@click.argument("file", type=FILE)
@click.option("--replace", is_flag=True, help="Even if the database holds something: that is lost.")
def restore(file: Path, replace: bool) -> None:
    """Put the copy in FILE in the place of the database, while nothing runs. Everybody at a table
    is told; links and addresses of letters sent since answer that the table was set back.
    """
    from service.core.schema import SchemaError
    from service.core.secret_keys import is_right
    from service.dev.embedded.lock import is_held
    from service.ops.backup import BackupError
    from service.ops.restoring import restore as put_back

    settings = _settings()
    embedded = not (os.environ.get("DATABASE_URL") or os.environ.get("DATABASE_URL_FILE"))
    if embedded and is_held(Path(settings.data_dir)):
        raise Failure("`paleopost play` is running on this data: stop it and try again.")
    try:
        restored = put_back(settings, file, replace=replace)
    except (BackupError, SchemaError) as error:
        raise Failure(str(error)) from error
    at = restored.header.taken_at
    click.echo(
        f"The database is as it was at {at:%Y-%m-%d %H:%M:%S} UTC, in epoch {restored.epoch}. "
        f"Letters to be sent when a worker runs: {restored.told}."
    )
    if not is_right(settings, restored.header.secret):
        click.echo(
            'Its secret key was another. Put that one back (docs/operating.md, "Rotating the '
            'secret key"), or go on with the present one: `paleopost accept-key`.'
        )


@click.command(epilog="Example: paleopost accept-key")
@click.option("--tell", is_flag=True, help="Send everybody at a table a letter with new links.")
def accept_key(tell: bool) -> None:
    """Go on with the present secret key, though the database was used with another that is lost.

    The links and reply addresses of all letters sent with that one stop working, so everybody at a
    table gets a letter with new ones (--tell sends it also where the key is the same).
    """
    from service.core.context import Service
    from service.core.db import NoQueue
    from service.core.schema import SchemaError, explained, require_newest
    from service.ops.rekeying import accept

    settings = _settings()
    try:
        require_newest(settings.database_url)
        service = Service(settings, NoQueue())
        try:
            with explained(service.database):
                told = accept(service, tell=tell)
        finally:
            service.database.dispose()
    except SchemaError as error:
        raise Failure(str(error)) from error
    if told is None:
        click.echo("The secret key is the one this database is used with already.")
    else:
        click.echo(f"The secret key is accepted. Letters to be sent: {told}.")

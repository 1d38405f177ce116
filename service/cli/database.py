"""The database: its migrations."""

from __future__ import annotations

import os

import click

from service.cli.root import Failure
from service.core.settings import Settings
from service.dev.embedded.environment import with_embedded


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

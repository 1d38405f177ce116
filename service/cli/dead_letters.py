"""Commands for dead letters, given up after too many failures: shown, and tried again."""

from __future__ import annotations

import os

import click

from service.cli.root import Failure


@click.command(name="dead-letters", epilog="Example: paleopost dead-letters")
def dead_letters() -> None:
    """List the moves, letters and mails that were given up, one line each."""
    from service.cli.opened import opened
    from service.ops import dead_letters

    with opened(os.environ) as service, service.database.read() as session:
        found = dead_letters.dead_letters(session)
    for one in found:
        match = f"match {one.match}" if one.match else "no match"
        click.echo(f"{one.name}  {one.since:%Y-%m-%d %H:%M}Z  {match}  {one.reason}")
    if not found:
        click.echo("Nothing was given up.")


@click.command(epilog="Example: paleopost retry move-7 mail-12")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def retry(names: tuple[str, ...]) -> None:
    """Try what was given up again, by the names that `dead-letters` lists (move-7, letter-12,
    mail-3)."""
    from service.cli.opened import opened
    from service.ops import dead_letters

    with opened(os.environ) as service:
        for name in names:
            try:
                with service.database.write() as work:
                    dead_letters.retry(service, work, name)
            except dead_letters.NoDeadLetter as error:
                raise Failure(
                    f"{name!r} is no dead letter; `paleopost dead-letters` lists them.", 2
                ) from error
            click.echo(f"{name} is tried again.")

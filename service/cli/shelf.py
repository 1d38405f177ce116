"""Commands for dead letters, given up after too many failures: shown, and tried again."""

from __future__ import annotations

import os

import click

from service.cli.root import Failure


@click.command(epilog="Example: paleopost shelved")
def shelved() -> None:
    """List the moves, letters and mails that were given up, one line each."""
    from service.cli.opened import opened
    from service.ops.dead_letters import shelved as on_the_shelf

    with opened(os.environ) as service, service.database.read() as session:
        found = on_the_shelf(session)
    for one in found:
        match = f"match {one.match}" if one.match else "no match"
        click.echo(f"{one.name}  {one.since:%Y-%m-%d %H:%M}Z  {match}  {one.reason}")
    if not found:
        click.echo("Nothing was given up.")


@click.command(epilog="Example: paleopost unshelve move-7 mail-12")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def unshelve(names: tuple[str, ...]) -> None:
    """Try what was given up again, by the names that `shelved` lists (move-7, letter-12,
    mail-3)."""
    from service.cli.opened import opened
    from service.ops.dead_letters import NotShelved
    from service.ops.dead_letters import unshelve as try_again

    with opened(os.environ) as service:
        for name in names:
            try:
                with service.database.write() as work:
                    try_again(service, work, name)
            except NotShelved as error:
                raise Failure(
                    f"{name!r} is not on the shelf; `paleopost shelved` lists it.", 2
                ) from error
            click.echo(f"{name} is tried again.")

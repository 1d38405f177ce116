"""Commands about a player's data: writing it to a file, and erasing it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure
from service.core.plain import whole_number

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from service.core.models import Player


@click.command(
    "export-player", epilog="Example: paleopost export-player anna@example.org --out anna.json"
)
@click.argument("player", metavar="ADDRESS")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file for it; standard output without it.",
)
def export_player(player: str, out: Path | None) -> None:
    """Write all data of the player with this ADDRESS as JSON: what they get from their settings."""
    from service.cli.opened import opened
    from service.matches import own_data

    with opened(os.environ) as service, service.database.read() as session:
        data = own_data.encode(own_data.collect(session, _known(session, player), service.now()))
    if out is None:
        click.echo(data, nl=False)
        return
    try:
        out.write_bytes(data)
        out.chmod(0o600)
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}.") from error
    click.echo(f"All data of {player} are in {out}.")


@click.command(
    "erase-player",
    epilog="Examples: paleopost erase-player anna@example.org; paleopost erase-player 1204 --yes",
)
@click.argument("player", metavar="ADDRESS_OR_NUMBER")
@click.option("--yes", is_flag=True, help="Do not ask whether it is meant.")
def erase_player(player: str, yes: bool) -> None:
    """Erase the player with this address, or this number in the log: for good.

    Their matches go on without them, under a pseudonym. After a restore of an older copy it is to
    be done again.
    """
    from service.cli.opened import opened
    from service.matches import erasure

    with opened(os.environ) as service:
        with service.database.read() as session:
            found = _known(session, player)
            number = found.id
        if not yes and not click.confirm(f"Erase player {number} and all their data for good?"):
            raise Failure("nothing was erased.")
        erasure.erase(service, number)
    click.echo(f"Player {number} is erased.")


def _known(session: Session, text: str) -> Player:
    """The player with this address or number."""
    from sqlalchemy import select

    from service.core.models import Player
    from service.players.accounts import address_of

    number = whole_number(text, 18)
    if number is not None:
        known = session.get(Player, number)
    else:
        known = session.scalar(select(Player).where(Player.email == address_of(text)))
    if known is None or known.is_erased:
        raise Failure(f"there is no player {text}.", 2)
    return known

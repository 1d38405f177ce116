"""`paleopost waits`: how often somebody is waited for, of each game or of one match."""

from __future__ import annotations

import os

import click

from service.cli.root import Failure


@click.command(epilog="Example: paleopost waits k3v9")
@click.argument("match", required=False)
def waits(match: str | None) -> None:
    """Print the waits per hundred player turns: of each game, in matches that run or have ended in
    the last 30 days, or of one match by its code, with those for each seat."""
    from sqlalchemy import select

    from engine.waits import percent
    from service.cli.opened import opened
    from service.core.models import Match
    from service.matches.waits import lately, waits_of
    from service.ops.census import LATELY

    with opened(os.environ) as service, service.database.read() as session:
        if match is None:
            found = lately(session, service.now() - LATELY)
            for one in found:
                click.echo(
                    f"{one.game}  {one.status}  {one.matches} matches, {one.turns} player turns, "
                    f"{one.waits} waits: {percent(one.waits, one.turns)} in a hundred"
                )
            if not found:
                click.echo("No turn was waited for yet.")
            return
        row = session.scalar(select(Match).where(Match.code == match))
        if row is None:
            raise Failure(f"There is no match {match!r}.", 2)
        of = waits_of(session, row)
        click.echo(
            f"{row.game}  {row.status}  {of.turns} player turns, {of.waits} waits: "
            f"{of.percent} in a hundred; by seat {', '.join(map(str, of.by_seat))}"
        )

"""Commands that do for a table what its host can do: for whoever runs the place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure
from service.core.statuses import MatchStatus

if TYPE_CHECKING:
    from service.core.context import Service
    from service.core.db import Work
    from service.core.models import Match

SEAT = click.IntRange(0, 99)


@click.group(epilog="Example: paleopost host 7gkq2m9xha extend 1 5")
@click.argument("match")
@click.pass_context
def host(ctx: click.Context, match: str) -> None:
    """Do what the host of MATCH (its code) can do. Seats are counted from 0; the table is told."""
    ctx.obj = match


@contextmanager
def _table(code: str) -> Iterator[tuple[Service, Work, Match]]:
    from sqlalchemy import select
    from structlog.contextvars import bound_contextvars

    from service.cli.opened import opened
    from service.core.models import Match

    with (
        bound_contextvars(by="operator"),
        opened(os.environ) as service,
        service.database.write() as work,
    ):
        match = work.session.scalar(select(Match).where(Match.code == code))
        if match is None:
            raise Failure(f"there is no match {code}.", 2)
        yield service, work, match


@host.command()
@click.argument("seat", type=SEAT)
@click.argument("days", type=int)
@click.pass_obj
def extend(code: str, seat: int, days: int) -> None:
    """Give SEAT more DAYS for what it is asked now."""
    from service.matches import hosting

    with _table(code) as (service, work, match):
        deadline = hosting.extend(service, work, match, seat, days)
    until = f"until {deadline:%Y-%m-%d %H:%M}Z" if deadline else "once its clock runs again"
    click.echo(f"Seat {seat} of match {code} has time {until}.")


@host.command()
@click.argument("seat", type=SEAT)
@click.pass_obj
def remove(code: str, seat: int) -> None:
    """Take the player of SEAT off a match that is being played: a bot plays on."""
    from service.matches import hosting

    with _table(code) as (service, work, match):
        hosting.remove(service, work, match, seat)
        over = match.status != MatchStatus.PLAYING
    after = "the match is over" if over else "a bot plays on"
    click.echo(f"Seat {seat} of match {code} is given up; {after}.")


@host.command()
@click.argument("seat", type=SEAT)
@click.argument("guest", required=False, metavar="[ADDRESS[,LANGUAGE[,NAME]]]")
@click.option("--stop", is_flag=True, help="Withdraw the request.")
@click.pass_obj
def replace(code: str, seat: int, guest: str | None, stop: bool) -> None:
    """Ask somebody to take SEAT over; its clock stands until they have answered."""
    from service.cli.tables import _guest
    from service.matches import hosting

    if stop == (guest is not None):
        raise Failure("give either who is asked, or --stop.", 2)
    with _table(code) as (service, work, match):
        if guest is None:
            hosting.stop_replacing(service, work, match, seat)
            click.echo(f"Nobody is asked to take seat {seat} of match {code} over any more.")
            return
        row = hosting.replace(service, work, match, seat, _guest("ADDRESS", guest))
        name = row.name
    click.echo(f"{name} is asked to take seat {seat} of match {code} over.")


@host.command()
@click.argument("seat", type=SEAT)
@click.pass_obj
def resend(code: str, seat: int) -> None:
    """Send SEAT the letter it needs most once more, under a name of its own."""
    from service.matches import hosting

    with _table(code) as (service, work, match):
        hosting.resend(service, work, match, seat)
    click.echo(f"Seat {seat} of match {code} gets its letter once more.")


@host.command()
@click.pass_obj
def withdraw(code: str) -> None:
    """Call off a table that has not begun; who had accepted is told."""
    from service.matches import hosting

    with _table(code) as (service, work, match):
        hosting.withdraw(service, work, match)
    click.echo(f"Match {code} is called off.")


@host.command("join-link")
@click.option("--new", is_flag=True, help="Make another; the one before opens nothing any more.")
@click.option("--revoke", is_flag=True, help="Take it back.")
@click.pass_obj
def join_link(code: str, new: bool, revoke: bool) -> None:
    """Print the link by which anybody can take an empty seat; make one if there is none."""
    from service.access.links import Links
    from service.matches import join_links, seating

    if new and revoke:
        raise Failure("give either --new or --revoke.", 2)
    with _table(code) as (service, work, match):
        if revoke:
            seating.revoke_join_link(service, work, match)
            click.echo(f"Nobody can join match {code} by a link any more.")
            return
        if new or not join_links.is_good(match, service.now()):
            seating.make_join_link(service, work, match)
        link, until = Links(service).join(match), match.join_until
    click.echo(f"{link} (until {until:%Y-%m-%d %H:%M}Z)")

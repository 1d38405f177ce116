"""Matches, for whoever runs the place: listed, and how often somebody is waited for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure
from service.core.statuses import MatchStatus, SeatStatus

if TYPE_CHECKING:
    import datetime as dt

    from service.core.models import Match
    from service.matches.overview import Wait

STATES = {
    "open": (MatchStatus.INVITING, MatchStatus.PLAYING),
    "over": (MatchStatus.ENDED, MatchStatus.CANCELLED),
    "all": tuple(MatchStatus),
}


@click.command(epilog="Example: paleopost tables --state over --last 20")
@click.option(
    "--state",
    type=click.Choice([*STATES]),
    default="open",
    show_default=True,
    help="Tables that wait for answers or are being played, those that are over, or all.",
)
@click.option(
    "--last",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    metavar="NUMBER",
    help="How many at most, the newest first.",
)
def tables(state: str, last: int) -> None:
    """List tables: code, game, state, whose turn it is and until when. Times are UTC."""
    from sqlalchemy import func, select
    from sqlalchemy.orm import selectinload

    from service.cli.opened import opened
    from service.core.models import Match
    from service.matches.overview import waits_of

    wanted = Match.status.in_(STATES[state])
    with opened(os.environ) as service, service.database.read() as session:
        asked = select(Match).where(wanted).order_by(Match.id.desc()).limit(last)
        found = session.scalars(asked.options(selectinload(Match.invitees))).all()
        count = session.scalar(select(func.count()).select_from(Match).where(wanted)) or 0
        waits = waits_of(session, [m for m in found if m.status == MatchStatus.PLAYING])
        rows = [_row(match, waits.get(match.id, [])) for match in found]
    if not rows:
        click.echo("There are no such tables." if state != "all" else "There are no tables.")
        return
    for line in _aligned([("CODE", "GAME", "STATE", "PLAYERS", "WAITS FOR"), *rows]):
        click.echo(line)
    if count > len(rows):
        click.echo(f"and {count - len(rows)} older ones (--last {count} lists all)")


def _row(match: Match, waits: Sequence[Wait]) -> tuple[str, ...]:
    state = "paused" if match.status == MatchStatus.PLAYING and match.paused_at else match.status
    players = ", ".join(row.name for row in match.occupied)
    return match.code, match.game, str(state), players, _waits(match, waits)


def _waits(match: Match, waits: Sequence[Wait]) -> str:
    if match.status == MatchStatus.INVITING:
        asked = [row.name for row in match.occupied if row.status == SeatStatus.INVITED]
        return f"answers of {', '.join(asked)}" if asked else "its beginning"
    if match.status == MatchStatus.PLAYING:
        return "; ".join(map(_wait, waits)) or "a worker"
    return f"nobody, since {_time(match.ended_at)}" if match.ended_at else "nobody"


def _wait(wait: Wait) -> str:
    who = f"{wait.row.name} (seat {wait.row.seat})"
    if wait.row.played_by is not None:
        return f"{who}, a bot"
    if wait.deadline is not None:
        return f"{who} until {_time(wait.deadline)}"
    if wait.late is not None:
        return f"{who}, whose time was up {_time(wait.late)}"
    return f"{who}, whose clock stands ({wait.held})" if wait.held else f"{who}, without a clock"


def _time(at: dt.datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows in columns; the last one is as long as it is."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row[:-1], widths[:-1], strict=True))
        + f"  {row[-1]}"
        for row in rows
    ]


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

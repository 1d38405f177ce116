"""Tables from the command line: opened for a host, and taken out as records."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure

if TYPE_CHECKING:
    from service.usecases.tables import BotSeat, Guest

PERSON = "ADDRESS[,LANGUAGE[,NAME]]"


@click.command()
@click.argument("game")
@click.option("--host", required=True, metavar=PERSON, help="Who hosts, and sits first.")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar=f"{PERSON}|bot:NAME",
    help="Each further seat, clockwise: a guest, who is invited by mail, or a bot.",
)
@click.option(
    "--pace", default=3, show_default=True, metavar="DAYS", help="Days per turn.", type=int
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game's table; lists with commas. Any number of times.",
)
def open_table(
    game: str, host: str, seats: tuple[str, ...], pace: int, options: tuple[str, ...]
) -> None:
    """Open a table of GAME and invite its guests.

    LANGUAGE is en or fr (en if left out); it is the language of that person's letters.
    """
    from service.cli.opened import opened
    from service.links import Links
    from service.usecases.players import meet
    from service.usecases.tables import open_table as open_it

    hosting = _guest("--host", host)
    others = [_seat(text) for text in seats]
    chosen = _options(game, options)
    with opened(os.environ) as service, service.database.write() as work:
        player = meet(service, work.session, hosting.address, hosting.name, hosting.lang)
        match = open_it(service, work, player, game, others, pace, chosen)
        code, status = match.code, match.status
        watch = Links(service).watch(match)
    state = "has begun" if status == "playing" else "waits for its guests to answer"
    click.echo(f"Table {code} {state}. Spectators: {watch}")


@click.command()
@click.argument("match")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write; standard output if left out.",
)
def export(match: str, out: Path | None) -> None:
    """Write the record of MATCH (its code) as JSON; with the seed once it is over."""
    from sqlalchemy import select

    from service.cli.opened import opened
    from service.models import Match
    from service.usecases.records import export as record_of

    with opened(os.environ) as service, service.database.read() as session:
        row = session.scalar(select(Match).where(Match.code == match))
        if row is None:
            raise Failure(f"there is no match {match!r}.", 2)
        if row.setup is None:
            raise Failure(f"match {match} has not begun: there is nothing to record.", 2)
        data = record_of(session, row)
    if out is None:
        click.echo(data)
        return
    try:
        out.write_bytes(data + b"\n")
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}.") from error


def _guest(option: str, text: str) -> Guest:
    from service.templating import LANGUAGES
    from service.usecases.tables import Guest

    address, _, rest = text.partition(",")
    lang, _, name = rest.partition(",")
    lang = lang.strip() or "en"
    if lang not in LANGUAGES:
        raise Failure(f"{option} {text}: {lang!r} is none of our languages, en and fr.", 2)
    return Guest(address=address.strip(), lang=lang, name=name.strip())


def _seat(text: str) -> Guest | BotSeat:
    from service.usecases.tables import BotSeat

    kind, colon, bot = text.partition(":")
    if colon and kind == "bot":
        return BotSeat(bot=bot.strip())
    return _guest("--seat", text)


def _options(game: str, texts: tuple[str, ...]) -> dict[str, str | list[str]]:
    """The options as plain data: text, or a list of texts where the game wants several values."""
    from msgspec import inspect

    from engine.games import games

    several: set[str] = set()
    if game in games():
        known = inspect.type_info(games()[game].options_type)
        assert isinstance(known, inspect.StructType)
        several = {f.name for f in known.fields if isinstance(f.type, inspect.CollectionType)}
    chosen: dict[str, str | list[str]] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise Failure(f"--option {text}: it is written NAME=VALUE.", 2)
        chosen[name] = [v.strip() for v in value.split(",")] if name in several else value
    return chosen

"""Tables from the command line: opened for a host, and taken out as records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.faults import Faults
from service.cli.root import Failure
from service.core.statuses import MatchStatus, TimeoutPolicy

if TYPE_CHECKING:
    from engine.protocol import Game
    from service.matches.tables import BotSeat, Guest

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
PERSON = "ADDRESS[,LANGUAGE[,NAME]]"


class WithGames(click.Command):
    """Its help ends with the games there are, their bots and options."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the games take."""
        from engine.games import games

        for key, game in games().items():
            rows = [
                ("seats", f"{game.seats[0]} to {game.seats[-1]}, the host included"),
                ("bots", f"{', '.join(game.bots)} (the weakest first)"),
                *((f"--option {name}=...", said) for name, said in _options_of(game)),
            ]
            with formatter.section(f"Game {key}"):
                formatter.write_dl(rows)
        with formatter.section("Example" if len(games()) == 1 else "Examples"):
            for key, game in games().items():
                formatter.write_text(_example(key, game))


def _example(key: str, game: Game[Any, Any]) -> str:
    """The command for a table of a guest and bots, as many as the game needs."""
    count = max(game.seats[0], min(3, game.seats[-1])) - 2
    bots = f" --seat bot:{list(game.bots)[-1]}" * count
    return (
        f"paleopost open-table {key} --host ana@example.org,en,Ana --pace 2 "
        f"--seat bruno@example.org,fr,Bruno{bots}"
    )


def _options_of(game: Game[Any, Any]) -> Iterator[tuple[str, str]]:
    """The options that can be typed: names, and what they take. Whole tables of data cannot."""
    from msgspec import NODEFAULT, inspect

    from engine.protocol import later_options

    words = {
        inspect.StrType: "word",
        inspect.IntType: "number",
        inspect.FloatType: "number",
        inspect.BoolType: "yes or no",
    }
    known = inspect.type_info(game.options_type)
    assert isinstance(known, inspect.StructType)
    for field in known.fields:
        several = isinstance(field.type, inspect.CollectionType)
        kind = field.type
        if isinstance(kind, inspect.CollectionType):
            kind = kind.item_type
        parts = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
        word = next((words[type(part)] for part in parts if type(part) in words), None)
        if word is not None:
            default = later_options(game).get(field.name, field.default)
            left_out = "" if default in (None, (), NODEFAULT) else default
            yield (
                field.name,
                f"{word}{'s, with commas' if several else ''}"
                + (f" ({left_out} if left out)" if left_out != "" else ""),
            )


@click.command(cls=WithGames)
@click.argument("game")
@click.option("--host", metavar=PERSON, help="Who hosts, and sits first. Required.")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar=f"{PERSON}|bot:NAME",
    help="Each further seat, clockwise: a guest, who is invited by mail, or a bot.",
)
@click.option("--name", default="", help="What the table is called; a name is found if left out.")
@click.option("--greeting", default="", help="A line of the host's own in the invitations.")
@click.option(
    "--pace",
    default=None,
    metavar="DAYS",
    help="Days per turn (3 if there is no bank, 0 on top of one).",
)
@click.option("--bank", metavar="HOURS", help="Hours everybody has for the whole match.")
@click.option("--increment", metavar="HOURS", help="Hours added to it after each turn.")
@click.option(
    "--days",
    default=",".join(WEEKDAYS),
    show_default=True,
    metavar="DAY,...",
    help="The weekdays on which clocks run.",
)
@click.option(
    "--timeout",
    default=TimeoutPolicy.WAIT.value,
    show_default=True,
    metavar="|".join(policy.value for policy in TimeoutPolicy),
    help="When time is up: wait, play the default turn, let a bot play until the player is back, "
    "or drop the player.",
)
@click.option(
    "--hold",
    default="0",
    show_default=True,
    metavar="MINUTES",
    help="How long a turn can be taken back before it is played.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game's table; lists with commas. Any number of times.",
)
def open_table(
    game: str,
    host: str | None,
    seats: tuple[str, ...],
    name: str,
    greeting: str,
    pace: str | None,
    bank: str | None,
    increment: str | None,
    days: str,
    timeout: str,
    hold: str,
    options: tuple[str, ...],
) -> None:
    """Open a table of GAME and invite its guests.

    LANGUAGE is en or fr (en if left out); it is the language of that person's letters.
    """
    from service.access.links import Links
    from service.cli.opened import opened
    from service.matches.tables import open_table as open_it
    from service.players.accounts import meet
    from service.time.terms import BANKS, HOLDS, INCREMENTS, PACES, Terms

    faults = Faults()
    _check_game(faults, game, seats)
    if faults.given("--host", host, f"who hosts: {PERSON}"):
        _check_person(faults, "--host", host or "")
    paces = PACES if bank is None else range(PACES.stop)
    in_hours = f"hours, {BANKS.start} to {BANKS.stop - 1}"
    chosen_pace = faults.whole("--pace", pace, paces, f"{paces[0]} to {paces[-1]} days")
    chosen_bank = faults.whole("--bank", bank, BANKS, in_hours)
    bonus = faults.whole("--increment", increment, INCREMENTS, f"0 to {INCREMENTS[-1]} hours")
    if increment is not None and bank is None:
        faults.add("--increment", "goes with --bank only.")
    minutes = faults.whole("--hold", hold, HOLDS, f"0 to {HOLDS[-1]} minutes")
    playing = _weekdays(faults, days)
    faults.one_of("--timeout", timeout, [each.value for each in TimeoutPolicy], "policy")
    chosen = _options(faults, game, options)
    faults.stop()
    assert host is not None
    hosting = _guest("--host", host)
    others = [_seat(text) for text in seats]
    terms = Terms(
        pace_days=chosen_pace if chosen_pace is not None else 3 if bank is None else 0,
        bank_hours=chosen_bank,
        increment_hours=bonus,
        playing_days=playing,
        timeout=TimeoutPolicy(timeout),
        hold_minutes=minutes or 0,
    )
    with opened(os.environ) as service, service.database.write() as work:
        player = meet(service, work.session, hosting.address, hosting.name, hosting.lang)
        match = open_it(
            service, work, player, game, others, terms, chosen, name=name, greeting=greeting
        )
        code, status, called = match.code, match.status, match.name
        watch = Links(service).watch(match)
    state = "has begun" if status == MatchStatus.PLAYING else "waits for its guests to answer"
    click.echo(f"Table {code} {state}. Spectators: {watch}")
    click.echo(f"It is called {called}.")


@click.command(epilog="Example: paleopost export 7gkq2m9xha --out game.json")
@click.argument("match")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write; standard output if left out.",
)
def export(match: str, out: Path | None) -> None:
    """Write the record of MATCH (its code) as JSON; with the seed once it is over."""
    data = record_of_match(match)
    if out is None:
        click.echo(data)
        return
    try:
        out.write_bytes(data + b"\n")
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}.") from error


def record_of_match(code: str) -> bytes:
    """The record of the match with this code. Raises Failure if there is none, and
    `engine.journal.ReplayError` if its journal does not fold.
    """
    from sqlalchemy import select

    from service.cli.opened import opened
    from service.core.models import Match
    from service.matches.records import export as record_of

    with opened(os.environ) as service, service.database.read() as session:
        row = session.scalar(select(Match).where(Match.code == code))
        if row is None:
            raise Failure(f"there is no match {code}; “paleopost tables” lists them.", 2)
        if row.setup is None:
            raise Failure(f"match {code} has not begun: there is nothing to record.", 2)
        return record_of(session, row)


def _check_game(faults: Faults, game: str, seats: tuple[str, ...]) -> None:
    """The game, how many sit at it, and who."""
    from engine.games import games

    chosen = games().get(game)
    faults.one_of("GAME", game, games(), "game")
    for text in seats:
        kind, colon, bot = text.partition(":")
        if colon and kind == "bot":
            if chosen is not None:
                faults.one_of(f"--seat {text}", bot.strip(), chosen.bots, f"bot of {game}")
        else:
            _check_person(faults, f"--seat {text}", text)
    if chosen is not None and len(seats) + 1 not in chosen.seats:
        least, most = chosen.seats[0] - 1, chosen.seats[-1] - 1
        wanted = f"{least}" if least == most else f"{least} to {most}"
        faults.add("--seat", f"given {len(seats)} times; {game} takes {wanted} besides the host.")


def _check_person(faults: Faults, option: str, text: str) -> None:
    """An address, and a language of ours."""
    from service.core.names import BadAddress, clean_address
    from service.render.templating import LANGUAGES

    address, _, rest = text.partition(",")
    lang = rest.partition(",")[0].strip() or "en"
    try:
        clean_address(address.strip())
    except BadAddress:
        faults.add(option, f"“{address.strip()}” is no address that mail can be sent to.")
    faults.one_of(option, lang, LANGUAGES, "language")


def _weekdays(faults: Faults, text: str) -> int:
    """The weekdays as `Match.playing_days`: bit 0 is Monday."""
    days = [day.strip().lower() for day in text.split(",")]
    known = [day for day in days if faults.one_of("--days", day, WEEKDAYS, "weekday")]
    return sum(1 << WEEKDAYS.index(day) for day in set(known))


def _guest(option: str, text: str) -> Guest:
    from service.matches.tables import Guest
    from service.render.templating import LANGUAGES

    address, _, rest = text.partition(",")
    lang, _, name = rest.partition(",")
    lang = lang.strip() or "en"
    if lang not in LANGUAGES:
        raise Failure(f"{option} {text}: “{lang}” is none of our languages, en and fr.", 2)
    return Guest(address=address.strip(), lang=lang, name=name.strip())


def _seat(text: str) -> Guest | BotSeat:
    from service.matches.tables import BotSeat

    kind, colon, bot = text.partition(":")
    if colon and kind == "bot":
        return BotSeat(bot=bot.strip())
    return _guest("--seat", text)


def _options(faults: Faults, game: str, texts: tuple[str, ...]) -> dict[str, str | list[str]]:
    """The options as plain data: text, or a list of texts where the game wants several values. What
    the game cannot take is a fault.
    """
    import msgspec
    from msgspec import inspect

    from engine.games import games

    chosen: dict[str, str | list[str]] = {}
    if game not in games():
        return chosen
    kind = games()[game].options_type
    known = inspect.type_info(kind)
    assert isinstance(known, inspect.StructType)
    takes = dict(_options_of(games()[game]))
    several = {f.name for f in known.fields if isinstance(f.type, inspect.CollectionType)}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            faults.add("--option", f"“{text}” is to be written NAME=VALUE.")
            continue
        if not faults.one_of("--option", name, takes, f"option of {game}"):
            continue
        given = [v.strip() for v in value.split(",")] if name in several else value
        try:
            msgspec.convert({name: given}, kind, strict=False)
        except ValueError:  # msgspec.ValidationError is one
            faults.add("--option", f"{name} cannot be “{value}”; it takes: {takes[name]}.")
        chosen[name] = given
    return chosen

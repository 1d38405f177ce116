"""Games without a service: simulated between bots, and records checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.faults import Faults
from service.cli.root import Failure

if TYPE_CHECKING:
    from engine.record import Record
    from engine.verification import Unfinished

UNFINISHED = 3
"""Exit status for a record of a match that went on."""


@click.command(epilog="Example: paleopost bots")
@click.argument("game", required=False)
def bots(game: str | None) -> None:
    """List the bots of GAME (of every game if left out), the weakest first."""
    from engine.games import games

    if game is not None and game not in games():
        raise Failure(f"there is no game {game!r}; there are: {', '.join(games())}.", 2)
    for key, chosen in games().items():
        if game in (None, key):
            click.echo(f"{key}: {', '.join(chosen.bots)}")


@click.command(
    epilog="Example: paleopost simulate GAME --seats 2 --seed 42 --bots random --out game.json"
)
@click.argument("game")
@click.option("--seats", metavar="NUMBER", help="How many play. Required.")
@click.option("--seed", metavar="NUMBER", help="Any whole number: it decides. Required.")
@click.option("--bots", metavar="NAMES", help="A bot per seat, with commas, or one. Required.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file for the record (JSON). Required.",
)
@click.option(
    "--files",
    metavar="SEATS",
    help="The seats whose bots file orders and plans: numbers from 0, with commas, or all.",
)
@click.option(
    "--games",
    metavar="NUMBER",
    default="1",
    help="How many games: of this seed and those after it. FILE has the first. Usually 1.",
)
def simulate(
    game: str,
    seats: str | None,
    seed: str | None,
    bots: str | None,
    out: Path | None,
    files: str | None,
    games: str,
) -> None:
    """Let bots play GAME to its end and write the record of it."""
    from engine import waits
    from engine.chance import seed_of_number
    from engine.games import games as offered
    from engine.record import encode, journal_of
    from engine.record import simulate as play_out

    faults = Faults()
    chosen = offered().get(game)
    faults.one_of("GAME", game, offered(), "game")
    of_game = chosen.seats if chosen is not None else range(1, 100)
    players = "how many play"
    if chosen is not None:
        players += f", {of_game[0]} to {of_game[-1]}"
    faults.given("--seats", seats, players)
    count = faults.whole("--seats", seats, of_game, players)
    faults.given("--seed", seed, "any whole number")
    number = faults.whole("--seed", seed, range(2**63), "a whole number, 0 or more")
    known = list(chosen.bots) if chosen is not None else []
    many = faults.whole("--games", games, range(1, 1001), "how many games, 1 to 1000")
    names = [name.strip() for name in (bots or "").split(",") if name.strip()]
    faults.given("--bots", ",".join(names), f"one of {', '.join(known)}" if known else "a bot")
    if chosen is not None:
        for name in names:
            faults.one_of("--bots", name, known, f"bot of {game}")
    if names and count is not None and len(names) not in (1, count):
        faults.add("--bots", f"{len(names)} bots for {count} seats; name {count}, or one for all.")
    filing = {each.strip() for each in (files or "").split(",") if each.strip()}
    if filing == {"all"}:
        filing = {str(seat) for seat in range(count or 0)}
    if count is not None and not filing <= {str(seat) for seat in range(count)}:
        faults.add("--files", f"seats are numbers from 0 to {count - 1}, or all.")
    if faults.given("--out", out, "a file for the record") and out is not None:
        if out.is_dir():
            faults.add("--out", f"{out} is a folder; name a file.")
        elif not out.parent.is_dir():
            faults.add("--out", f"there is no folder {out.parent}.")
    faults.stop()
    assert chosen is not None
    assert count is not None
    assert number is not None
    assert many is not None
    assert out is not None
    filers = {int(seat) for seat in filing}
    seeds = range(number, number + many)
    record, *others = (
        play_out(chosen, count, seed_of_number(seed), names, files=filers) for seed in seeds
    )
    try:
        out.write_bytes(encode(record) + b"\n")
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}.") from error
    assert record.outcome is not None
    points = ", ".join(
        f"seat {seat} ({names[seat % len(names)]}) {score}"
        for seat, score in enumerate(record.outcome.scores)
    )
    counted = [waits.count(chosen, *journal_of(each)[:2]) for each in (record, *others)]
    turns, waited = sum(each.turns for each in counted), sum(each.waits for each in counted)
    of_all = f"; {many} games to seed {seeds[-1]}" if others else ""
    click.echo(
        f"{len(record.entries)} entries; {points}{of_all}. Of {turns} turns of players {waited} "
        f"were waited for ({waits.percent(waited, turns)} in a hundred). The record is in {out}."
    )


@click.command(epilog="Examples: paleopost verify game.json; paleopost verify 7gkq2m9xha")
@click.argument("record", metavar="FILE_OR_MATCH")
def verify(record: str) -> None:
    """Play a record again and compare everything it says: that in a FILE, or that of the MATCH with
    this code.

    Exit status 0: all of it is right; 1: the first thing that is not was printed; 2: there is no
    record that can be checked; 3: it is unfinished, the match went on after it.
    """
    from engine.games import games
    from engine.journal import ReplayError
    from engine.record import BadRecord, decode
    from engine.verification import Unfinished
    from engine.verification import verify as check
    from service.cli import divergences

    name, data = _read(record)
    read: Record | None = None
    try:
        read = decode(data)
        check(read, games())
    except BadRecord as error:
        reason = error.reason.replace("'", '"')
        raise Failure(
            f"{name} is no record that can be checked. At {error.place}: {reason}.", 2
        ) from error
    except ReplayError as error:
        raise Failure(
            f"{name} is not what the rules and the seed give. It first fails "
            f"{divergences.told(error, read)}"
        ) from error
    except Unfinished as error:
        raise Failure(f"{name} is unfinished: {_rest(error)}", UNFINISHED) from error
    click.echo(
        f"{name} is right: {read.game}, {read.seats} seats, {len(read.entries)} entries, "
        f"every shuffle and draw as the seed gives them; {_made(read)}."
    )


def _read(record: str) -> tuple[str, bytes]:
    """The record in this file, or of the match with this code, and what it is called."""
    path = Path(record)
    if path.exists() or not _CODE.fullmatch(record):
        try:
            return record, path.read_bytes()
        except OSError as error:
            raise Failure(f"{record} cannot be read: {error.strerror}.", 2) from error
    from engine.journal import ReplayError
    from service.cli import divergences
    from service.cli.tables import record_of_match

    try:
        return f"match {record}", record_of_match(record)
    except ReplayError as error:
        raise Failure(
            f"match {record}: its journal does not fold. It first fails {divergences.told(error)}"
        ) from error


_CODE = re.compile(r"[a-z0-9]{6,16}")
"""What may be the code of a match, and is no file."""


def _rest(error: Unfinished) -> str:
    if error.running:
        return (
            "the match was still running when this record was made. That is as it should be, but "
            "nothing can be checked without the seed; a record made at the end has it."
        )
    where = f"entry {error.n}" if error.n else "the set-up"
    return f"it breaks off after {where}, where the game goes on. What there is, is right."


def _made(record: Record) -> str:
    if record.fairness is None:
        return "the seed itself was not made of parts, so whoever drew it could have chosen it"
    givers = ", ".join(part.name for part in record.fairness.parts) or "nobody"
    return (
        f"the seed as the secret ({record.fairness.commitment[:8]}...) and the parts of {givers} "
        "make it; compare both with what your letters told you"
    )

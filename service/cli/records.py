"""Games without a service: simulated between bots, and records checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure

if TYPE_CHECKING:
    from engine.record import Record, Unfinished

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
@click.option("--seats", required=True, type=int, help="How many play.")
@click.option("--seed", required=True, type=click.IntRange(min=0), help="Any number: it decides.")
@click.option("--bots", required=True, help="A bot per seat, with commas; one name for all seats.")
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file for the record (JSON).",
)
def simulate(game: str, seats: int, seed: int, bots: str, out: Path) -> None:
    """Let bots play GAME to its end and write the record of it."""
    from engine import waits
    from engine.chance import seed_of_number
    from engine.games import games
    from engine.record import encode, journal_of
    from engine.record import simulate as play_out

    if game not in games():
        raise Failure(f"there is no game {game!r}; there are: {', '.join(games())}.", 2)
    chosen = games()[game]
    if seats not in chosen.seats:
        least, most = chosen.seats[0], chosen.seats[-1]
        raise Failure(f"{game} is for {least} to {most} players, not for {seats}.", 2)
    names = [name.strip() for name in bots.split(",")]
    if len(names) not in (1, seats):
        raise Failure(f"--bots names {len(names)} bots for {seats} seats; give {seats}, or one.", 2)
    for name in names:
        if name not in chosen.bots:
            raise Failure(f"{game} has no bot {name!r}; it has: {', '.join(chosen.bots)}.", 2)
    record = play_out(chosen, seats, seed_of_number(seed), names)
    try:
        out.write_bytes(encode(record) + b"\n")
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}.") from error
    assert record.outcome is not None
    points = ", ".join(
        f"seat {seat} ({names[seat % len(names)]}) {score}"
        for seat, score in enumerate(record.outcome.scores)
    )
    setup, entries, _ = journal_of(record)
    waited = waits.count(chosen, setup, entries)
    click.echo(
        f"{len(record.entries)} entries; {points}. Of {waited.turns} turns of players "
        f"{waited.waits} were waited for ({waited.percent} in a hundred). The record is in {out}."
    )


@click.command(epilog="Example: paleopost verify game.json")
@click.argument("file", type=click.Path(path_type=Path))
def verify(file: Path) -> None:
    """Play the record in FILE again and compare everything it says.

    Exit status 0: all of it is right; 1: the first thing that is not was printed; 2: the file is no
    record that can be checked; 3: it is unfinished, the match went on after it.
    """
    from engine.games import games
    from engine.journal import ReplayError
    from engine.record import BadRecord, Unfinished, decode
    from engine.record import verify as check

    try:
        record = decode(file.read_bytes())
        check(record, games())
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.", 2) from error
    except BadRecord as error:
        raise Failure(f"{file} is no record that can be checked: {error}.", 2) from error
    except ReplayError as error:
        raise Failure(
            f"{file} is not what the rules and the seed give. First at {error}."
        ) from error
    except Unfinished as error:
        raise Failure(f"{file} is unfinished: {_rest(error)}", UNFINISHED) from error
    click.echo(
        f"{file} is right: {record.game}, {record.seats} seats, {len(record.entries)} entries, "
        f"every shuffle and draw as the seed gives them; {_made(record)}."
    )


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

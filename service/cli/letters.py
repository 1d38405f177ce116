"""Letters and mails by hand: listed, sent again, handled again, and addresses that get none;
and what was given up after too many failures.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.root import Failure
from service.core.plain import whole_number

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from service.core.context import Service
    from service.core.models import Letter, Match

NUMBER = click.IntRange(1, 2**63 - 1)


@click.command(epilog="Example: paleopost letters --match 7gkq2m9xha")
@click.option("--match", "code", metavar="CODE", help="Those of one match.")
@click.option("--to", "address", metavar="ADDRESS", help="Those to one address.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1, 10_000))
def letters(code: str | None, address: str | None, last: int) -> None:
    """List letters, the newest last: number, time, kind, match and seat, and what became of it."""
    from service.cli.opened import opened
    from service.ops.listing import letters as listed

    with opened(os.environ) as service, service.database.read() as session:
        for row in listed(session, last, match=code, address=address):
            place = f"{row.match} seat {row.seat}" if row.match else "no match"
            reason = f"  {row.note}" if row.note else ""
            click.echo(
                f"{row.id}  {row.at:%Y-%m-%d %H:%M}Z  {row.kind}  {place}  {row.status}{reason}"
            )


@click.command(epilog="Example: paleopost mails --match 7gkq2m9xha")
@click.option("--match", "code", metavar="CODE", help="Those about one match.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1, 10_000))
def mails(code: str | None, last: int) -> None:
    """List mails that came in, the newest last: number, time, way in, match, and the verdict."""
    from service.cli.opened import opened
    from service.ops.listing import mails as listed

    with opened(os.environ) as service, service.database.read() as session:
        for row in listed(session, last, match=code):
            place = row.match or "no match"
            note = f"  {row.note}" if row.note else ""
            click.echo(
                f"{row.id}  {row.at:%Y-%m-%d %H:%M}Z  {row.kind}  {place}  {row.status}{note}"
            )


RESEND = {
    "waiting": "has not been sent yet: it goes out by itself.",
    "unwanted": "cannot go: its reader gets no letters of this kind (stopped, muted or declined).",
    "over": "is not needed any more: what it asks has been decided.",
}


@click.command(
    epilog="Examples: paleopost resend 1204; paleopost resend --match 7gkq2m9xha --seat 1 --anew"
)
@click.argument("letter", type=NUMBER, required=False, metavar="[LETTER]")
@click.option("--match", "code", metavar="CODE", help="The letter a seat of this match needs most:")
@click.option("--seat", type=click.IntRange(min=0), help="that of this seat, counted from 0.")
@click.option(
    "--anew",
    is_flag=True,
    help="Under a new Message-ID. Without it many mailboxes show a letter they know only once.",
)
def resend(letter: int | None, code: str | None, seat: int | None, anew: bool) -> None:
    """Send LETTER (its number, as `letters` lists it) once more, or that of a seat."""
    from service.cli.opened import opened
    from service.core.models import Letter
    from service.mail.send.resending import NotResendable, again

    by_seat = code is not None and seat is not None
    if (letter is None) != by_seat or (letter is not None and (code or seat is not None)):
        raise Failure("give either the number of a letter, or --match and --seat.", 2)
    with opened(os.environ) as service, service.database.write() as work:
        if letter is not None:
            row = work.session.get(Letter, letter)
            if row is None:
                raise Failure(f"there is no letter {letter}; `paleopost letters` lists them.", 2)
        else:
            row = _letter_of(work.session, str(code), seat or 0)
        number = row.id
        try:
            until = again(service, work, row, anew=anew)
        except NotResendable as error:
            raise Failure(f"letter {number} {RESEND[error.why]}") from error
    when = f" at {until:%Y-%m-%d %H:%M}Z, as its reader wants it" if until else ""
    click.echo(f"Letter {number} is sent again{when}.")


def _letter_of(session: Session, code: str, seat: int) -> Letter:
    from service.matches.hosting import needed

    match = _match(session, code)
    if seat >= len(match.seats):
        raise Failure(f"match {code} has no seat {seat}: they are 0 to {len(match.seats) - 1}.", 2)
    letter = needed(session, match, seat)
    if letter is None:
        raise Failure(f"seat {seat} of match {code} has no letter that could be sent again.")
    return letter


def _match(session: Session, code: str) -> Match:
    from sqlalchemy import select

    from service.core.models import Match

    match = session.scalar(select(Match).where(Match.code == code))
    if match is None:
        raise Failure(f"there is no match {code!r}.", 2)
    return match


REPLAY = {
    "unknown": "there is no such mail; `paleopost mails` lists them.",
    "handled": "it has been handled; give --again to have it handled once more.",
    "purged": "its text has been thrown away (INBOUND_KEEP).",
}


@click.command(epilog="Examples: paleopost replay-mail 31 --again; paleopost replay-mail reply.eml")
@click.argument("mails", nargs=-1, required=True, metavar="ID|FILE.eml...")
@click.option("--again", is_flag=True, help="Also a mail that was handled already.")
@click.option("--from", "sender", metavar="ADDRESS", help="The envelope sender of the files.")
@click.option("--to", "recipient", metavar="ADDRESS", help="Our address they were delivered to.")
def replay_mail(
    mails: tuple[str, ...], again: bool, sender: str | None, recipient: str | None
) -> None:
    """Handle stored mails again (by number), or take mails from files as if they came in now.

    A turn that was played is not played twice, and nobody gets a second answer to the same mail.
    """
    from service.cli.opened import opened

    with opened(os.environ) as service:
        for name in mails:
            stored = whole_number(name, 18)
            number = (
                _taken(service, Path(name), sender, recipient)
                if stored is None
                else _stored(service, stored, again=again)
            )
            click.echo(f"mail {number}: {_handled(service, number)}")


def _stored(service: Service, number: int, *, again: bool) -> int:
    from service.mail.receive.replaying import NotReplayable, replay

    try:
        with service.database.write() as work:
            replay(service, work, number, again=again)
    except NotReplayable as error:
        raise Failure(f"mail {number}: {REPLAY[error.why]}", 2) from error
    return number


def _taken(service: Service, file: Path, sender: str | None, recipient: str | None) -> int:
    from service.mail.receive.inbound import take

    try:
        raw = file.read_bytes()
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.", 2) from error
    with service.database.write() as work:
        number = take(service, work, raw, source="cli", envelope_from=sender, recipient=recipient)
    if number is None:
        raise Failure(f"{file} is stored already; `paleopost mails` lists it by its number.", 2)
    return number


def _handled(service: Service, number: int) -> str:
    from service.mail.receive.inbound import handle

    try:
        mail = handle(service, number)
    except Exception as error:
        # Counted as an attempt; the worker goes on with it.
        raise Failure(f"mail {number} failed: {type(error).__name__}: {error}") from error
    return mail.verdict or mail.status


@click.command(epilog="Examples: paleopost suppress bob@example.org; ... suppress --lift bob@...")
@click.argument("address")
@click.option("--lift", is_flag=True, help="Send letters to it again.")
def suppress(address: str, lift: bool) -> None:
    """Send nothing to ADDRESS any more, not even what is asked for, known to us or not.

    At running tables the others are told that no letters reach this player, and the clock stands.
    --lift also starts letters again that bounces have stopped.
    """
    from service.cli.opened import opened
    from service.players.accounts import meet
    from service.players.bounces import allow, forbid

    with opened(os.environ) as service, service.database.write() as work:
        player = meet(service, work.session, address)
        if not lift:
            forbid(service, work, player)
            said = "Nothing is sent to {} any more."
        elif allow(service, work, player):
            said = "Letters to {} are sent again."
        else:
            said = "Letters to {} were not stopped."
        email = player.email
    click.echo(said.format(email))


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

"""Hosting: what the host of a table can do for it, before it begins, and when somebody is in its
way.

Everything here is told to the table. Nobody is asked twice to the same table, and a stranger's
address gets one more letter at most: who has not answered is reminded once. The host is told what
became of an invitation, with the address as they have written it: whose it is, and what else they
have, is not theirs to know.
"""

from __future__ import annotations

import datetime as dt

import msgspec
import structlog
from msgspec.structs import replace as replace_in
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import (
    CancelledDetails,
    InvitationDetails,
    SuccessorAsked,
    TimeExtended,
)
from service.core.locks import LockedMatch, lock, lock_seat
from service.core.models import Letter, Match, Player, SeatRow
from service.core.names import clean_name
from service.core.statuses import LetterKind, LetterStatus, MatchStatus, SeatStatus
from service.matches import journal, leaving, reading, takeovers
from service.matches.tables import Guest, close_ranks, start_if_answered
from service.outgoing import copies, news
from service.outgoing.access_tokens import open_guest
from service.outgoing.outbox import owe_seat
from service.players.accounts import invite, language
from service.time import deadlines

log = structlog.get_logger(__name__)

AGAIN_AFTER = dt.timedelta(hours=1)

REMIND_AFTER = dt.timedelta(days=2)
"""How long after an invitation its guest can be reminded of it, once."""

RESENDABLE = (LetterKind.TURN, LetterKind.START, LetterKind.END)
"""Letters of a match worth a second copy: those somebody needs to play, or has a right to."""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """The facts the host is told of an invitation: the address as they wrote it ("" if they wrote
    none, as the table is an earlier one again), whether it has left, and whether it came back. From
    when on its guest can be reminded; when they were.
    """

    address: str
    sent: bool
    failed: bool
    remind_at: dt.datetime | None = None
    reminded_at: dt.datetime | None = None


def invitations(session: Session, match: Match) -> dict[int, Invitation]:
    """The invitations to a table that has not begun, by the player they went to."""
    found = session.scalars(
        select(Letter)
        .where(Letter.match_id == match.id, Letter.kind == LetterKind.INVITATION)
        .order_by(Letter.id)
    )
    told: dict[int, Invitation] = {}
    for letter in found:
        before = told.get(letter.player_id)
        if before is not None and copies.is_copy(letter):
            again = letter.created_at
            told[letter.player_id] = replace_in(before, remind_at=None, reminded_at=again)
            continue
        told[letter.player_id] = Invitation(
            address=letter.details_as(InvitationDetails).address or "",
            sent=letter.sent_at is not None,
            failed=letter.notes.failed or letter.status == LetterStatus.DEAD_LETTER,
            remind_at=letter.sent_at + REMIND_AFTER if letter.sent_at is not None else None,
        )
    return told


def withdraw(service: Service, work: Work, match: Match) -> None:
    """Call off a table that has not begun; those who had accepted are told.

    Raises Refused: "has_begun". Done again it changes nothing.
    """
    match = lock(service, work, match)
    if match.status == MatchStatus.CANCELLED:
        return
    if match.status != MatchStatus.INVITING:
        raise Refused("has_begun")
    match.status = MatchStatus.CANCELLED
    note(match, "withdraw")
    for row in match.invitees:
        if row.status == SeatStatus.ACCEPTED and row.player_id != match.host_id:
            told = CancelledDetails(why="withdrawn")
            owe_seat(service, work, LetterKind.CANCELLED, match, row, details=told)


def start_without(service: Service, work: Work, match: Match) -> None:
    """Begin with those who have accepted: who has not answered is no longer asked.

    Raises Refused: "has_begun", "too_few".
    """
    match = lock(service, work, match)
    silent = [row for row in match.invitees if row.status == SeatStatus.INVITED]
    _take_off(service, work, match, silent, "start_without", waits=False)


def remove_guest(service: Service, work: Work, match: Match, guest_id: int) -> None:
    """Take a guest (or a bot) off a table that has not begun, whether they have answered or not.

    Who had accepted is told. The match begins if the others are only waiting for this. Raises
    Refused: "has_begun", "own_seat", "no_such_guest", "too_few".
    """
    match = lock(service, work, match)
    _take_off(service, work, match, [_guest(match, guest_id)], "remove_guest")


def correct(service: Service, work: Work, match: Match, guest_id: int, guest: Guest) -> SeatRow:
    """Ask somebody else in a guest's place, before the table begins: their address was wrong. The
    invitation to that one is taken back.

    Done again it changes nothing. Raises Refused: "has_begun", "own_seat", "no_such_guest",
    "has_answered", "same_address", "asked_before" (`address`), "bad_address", "unwanted".
    """
    match = lock(service, work, match)
    if match.status != MatchStatus.INVITING:
        raise Refused("has_begun")
    row = _guest(match, guest_id)
    if row.player is None:
        raise Refused("no_such_guest")
    if row.status == SeatStatus.ACCEPTED:
        raise Refused("has_answered", name=row.name)
    player = meant(service, work, match, guest, instead_of=row)
    row.name, row.lang = clean_name(guest.name, row.name), language(guest.lang, row.lang)
    if player is row.player:
        _rewrite(work.session, match, row, guest)
        return row
    # Who was asked by mistake keeps a row, that their link says what became of it; the seat, and
    # with it who sits next to whom, is the new guest's.
    before = SeatRow(
        seat=None, player=row.player, name=row.name, lang=row.lang, status=SeatStatus.WITHDRAWN
    )
    match.invitees.append(before)
    row.player = player
    work.session.flush()
    ask(service, work, match, row, f"{row.seat}.corrected.{before.id}", guest)
    note(match, "correct", guest=row.id, player=player.id)
    return row


def _guest(match: Match, guest_id: int) -> SeatRow:
    """Somebody who is asked to the table or comes. Raises Refused: "no_such_guest", "own_seat"."""
    row = next((row for row in match.invitees if row.id == guest_id), None)
    if row is None or row.status not in (SeatStatus.INVITED, SeatStatus.ACCEPTED):
        raise Refused("no_such_guest")
    if row.player_id == match.host_id:
        raise Refused("own_seat")
    return row


def _take_off(
    service: Service,
    work: Work,
    match: LockedMatch,
    rows: list[SeatRow],
    act: str,
    *,
    waits: bool = True,
) -> None:
    if match.status != MatchStatus.INVITING:
        raise Refused("has_begun")
    least = journal.game_of(match).seats.start
    counted = [SeatStatus.INVITED, SeatStatus.ACCEPTED, *([SeatStatus.EMPTY] if waits else [])]
    left = [r for r in match.invitees if r.status in counted and r not in rows]
    if len(left) < least:
        raise Refused("too_few", least=least)
    note(match, act, guests=[row.id for row in rows])
    for row in rows:
        if row.status == SeatStatus.ACCEPTED:
            why = CancelledDetails(why="removed")
            # Another may be taken off the same seat later, when those behind it have moved up.
            dedupe = f"removed.{row.id}"
            owe_seat(service, work, LetterKind.CANCELLED, match, row, dedupe=dedupe, details=why)
        row.status, row.seat, row.held_until = SeatStatus.WITHDRAWN, None, None
    close_ranks(work, match)
    start_if_answered(service, work, match, waits=waits)


def remove(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Take a player off a match that is being played: a bot plays on, or the match ends.

    Raises Refused: "own_seat", "not_playing", "not_in_play" (the rules have put them out),
    "no_such_guest".
    """
    match = _lock_seat(service, work, match, seat)
    row = _other(match, seat)
    gone = row.left_at is not None
    leaving.remove(service, work, match, seat)
    if not gone:
        note(match, "remove", seat=seat, player=row.player_id)


def extend(service: Service, work: Work, match: Match, seat: Seat, days: int) -> dt.datetime | None:
    """Give a player more days for what they are asked; the table is told. Their deadline, if a
    clock runs.

    Where several decide in secret nobody is to learn who has not yet: then who has decided can be
    given days, too, to no effect, and no deadline is told. Raises Refused: "no_such_guest", and as
    `deadlines.extend`: "bad_days", "no_clock".
    """
    match = _lock_seat(service, work, match, seat)
    secret = seat in reading.asked_together(work.session, match)
    deadline = None
    try:
        deadline = deadlines.extend(service, work, match, seat, days).deadline
    except Refused as refused:
        if not secret or refused.code != "no_clock":
            raise
    note(match, "extend", seat=seat, days=days)
    key = f"{seat}.{service.now():%Y%m%d%H%M%S}"
    own = TimeExtended(about=seat, days=days, deadline=deadline)
    news.tell(service, work, match, own, key, to=[match.seats[seat]])
    others = [row for row in news.people(match) if row.seat != seat]
    told = TimeExtended(about=seat, days=days, deadline=None if secret else deadline)
    news.tell(service, work, match, told, key, to=others)
    return deadline


def replace(service: Service, work: Work, match: Match, seat: Seat, guest: Guest) -> SeatRow:
    """Ask somebody new to take over a seat of a match that is being played.

    Until they answer its clock stands; who sits there may play on meanwhile. Raises Refused:
    "own_seat", "not_playing", "not_in_play", "no_such_guest", "asked_already", "asked_before"
    (`address`), "same_address", "bad_address", "unwanted".
    """
    match = _lock_seat(service, work, match, seat)
    _other(match, seat)
    if match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    if match.seats[seat].is_out:
        raise Refused("not_in_play")
    if takeovers.successor(match, seat) is not None:
        raise Refused("asked_already")
    player = meant(service, work, match, guest)
    row = SeatRow(
        seat=None,
        successor_of=seat,
        player=player,
        name=clean_name(guest.name, player.name),
        lang=language(guest.lang),
        status=SeatStatus.INVITED,
    )
    match.invitees.append(row)
    work.session.flush()
    ask(service, work, match, row, f"{seat}.successor.{row.id}", guest)
    deadlines.refresh(service, work, match)
    note(match, "replace", seat=seat, guest=row.id, player=player.id)
    news.tell(service, work, match, SuccessorAsked(about=seat, guest=row.name), row.id)
    return row


def meant(
    service: Service, work: Work, match: Match, guest: Guest, instead_of: SeatRow | None = None
) -> Player:
    """The player the host means by this address: one who was never asked to this table, or who is
    `instead_of` already. Raises Refused: "same_address", "asked_before", "bad_address", "unwanted".
    """
    player = invite(
        service, work.session, guest.address, guest.name, language(guest.lang), match.host.zone
    )
    if instead_of is not None and instead_of.player is player:
        return player
    known = match.row_of(player.id)
    if known is not None and known in match.occupied:
        raise Refused("same_address", address=guest.address.strip())
    if known is not None:
        raise Refused("asked_before", address=guest.address.strip())
    if player.suppressed_at is not None or player.stopped_at is not None:
        raise Refused("unwanted", address=guest.address.strip())
    return player


def _rewrite(session: Session, match: Match, row: SeatRow, guest: Guest) -> None:
    """Show the host their correction, though both addresses are one person's and nobody was asked
    anew: that is nothing they should learn.
    """
    letters = session.scalars(
        select(Letter).where(
            Letter.match_id == match.id,
            Letter.player_id == row.player_id,
            Letter.kind == LetterKind.INVITATION,
        )
    )
    for letter in letters:
        letter.details = InvitationDetails(address=guest.address.strip())


def ask(
    service: Service, work: Work, match: Match, row: SeatRow, dedupe: str, guest: Guest
) -> None:
    """Send an invitation. Everybody who is asked to a table has their own letter, whatever seat it
    is about (`dedupe`).
    """
    assert row.player is not None
    open_guest(service, work.session, match, row.player.id)
    written = InvitationDetails(address=guest.address.strip())
    owe_seat(service, work, LetterKind.INVITATION, match, row, dedupe=dedupe, details=written)


def stop_replacing(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Take the question back. Raises Refused: "nobody_asked"."""
    match = lock(service, work, match)
    row = takeovers.successor(match, seat)
    if row is None:
        raise Refused("nobody_asked")
    row.status = SeatStatus.WITHDRAWN
    note(match, "stop_replacing", seat=seat, guest=row.id)
    takeovers.call_off(service, work, match, row)


def resend(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """Send the letter a seat needs most once more: that of what it is asked, else its last.

    It is a new letter with a name (Message-ID) of its own: many mailboxes drop a second one of the
    same name unseen, and who asks for this has not seen the first. Raises Refused:
    "nothing_to_resend", "resent_lately", "no_such_guest".
    """
    match = _lock_seat(service, work, match, seat)
    row = match.seats[seat]
    if row.player is None or (row.left_at is not None and match.status == MatchStatus.PLAYING):
        raise Refused("nothing_to_resend")
    lately = service.now() - AGAIN_AFTER
    letters = _resendable(work.session, match, seat)
    if any(x.created_at > lately and copies.is_copy(x) for x in letters):
        raise Refused("resent_lately")
    letter = needed(work.session, match, seat)
    if letter is None:
        raise Refused("nothing_to_resend")
    copies.copy(service, work, letter)
    note(match, "resend", seat=seat, letter=letter.id)


def _resendable(session: Session, match: Match, seat: Seat) -> list[Letter]:
    """The letters of a seat that may be worth a copy, of who sits there now, the newest first."""
    player = match.seats[seat].player_id
    return list(
        session.scalars(
            select(Letter)
            .where(
                Letter.match_id == match.id,
                Letter.seat == seat,
                Letter.player_id == player,
                Letter.kind.in_(RESENDABLE),
                Letter.status.in_(
                    (
                        LetterStatus.SENT,
                        LetterStatus.DEAD_LETTER,
                        LetterStatus.SENDING,
                        LetterStatus.DUE,
                    )
                ),
            )
            .order_by(Letter.id.desc())
        )
    )


def needed(session: Session, match: Match, seat: Seat) -> Letter | None:
    """The letter a seat needs most: that of what it is asked, else its last. None if it has none,
    or if all are still to be sent.
    """
    sent = [
        x
        for x in _resendable(session, match, seat)
        if x.status in (LetterStatus.SENT, LetterStatus.DEAD_LETTER)
    ]
    asked = {d.decision for d in deadlines.open_rows(session, match) if d.seat == seat}
    return next((x for x in sent if x.decision in asked), sent[0] if sent else None)


def note(match: Match, act: str, **of: object) -> None:
    """Log what was done in the host's place; the command line adds that an operator did (`by`)."""
    log.info("host_acted", act=act, match=match.id, host=match.host_id, **of)


def _other(match: Match, seat: Seat) -> SeatRow:
    """The seat of another player. Raises Refused: "own_seat", "no_such_guest"."""
    if seat not in range(len(match.seats)) or match.seats[seat].player is None:
        raise Refused("no_such_guest")
    if match.seats[seat].player_id == match.host_id:
        raise Refused("own_seat")
    return match.seats[seat]


def _lock_seat(service: Service, work: Work, match: Match, seat: Seat) -> LockedMatch:
    """As `lock`, if the seat is still that of whom the host means. Raises as `_other`."""
    if seat not in range(len(match.seats)):
        raise Refused("no_such_guest")
    return lock_seat(service, work, match, seat, "no_such_guest")

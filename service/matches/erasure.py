"""Erasing a player: what is about them goes, their matches stay, and keep a pseudonym for them.

All of it is one unit of work, which has locked every match they were ever at: broken off, nothing
has happened, and it can be asked for again. The row of the player is deleted. What has to name
somebody (a seat, the host of a match) names a new row that nobody can sign in to or write to; so
whatever was signed or derived for the old number opens nothing. No record changes but for names,
which no digest covers (docs/record.md).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from typing import NamedTuple

import structlog
from sqlalchemy import ColumnElement, CompoundSelect, delete, func, or_, select, union, update
from sqlalchemy.orm import Session

from service.core import locks, randomness
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import MailDetails, MessageDetails
from service.core.locks import LockedMatch
from service.core.models import (
    Absence,
    Alias,
    EntryRow,
    InboundMail,
    Key,
    Letter,
    Match,
    Player,
    SeatRow,
    Submission,
    TableMessage,
)
from service.core.names import FORMER, former_name
from service.core.session import of_matches
from service.core.statuses import (
    LetterKind,
    MailStatus,
    MailVerdict,
    MatchStatus,
    SeatStatus,
    StopReason,
    SubmissionStatus,
)
from service.matches import hosting, leaving, pseudonyms, tables, takeovers
from service.matches.stays import Stay, stays_of
from service.outgoing import access_tokens, identity
from service.outgoing.outbox import UNSENT, drop

log = structlog.get_logger(__name__)

TRIES = 5
"""How often it begins anew because somebody asked the player to another table meanwhile."""


class _Joined(Exception):
    """They are at a match by now that was not locked."""


def erase(service: Service, player_id: int) -> bool:
    """Erase a player in a unit of work of its own. False if there is none with this number: it was
    done before. Raises Refused("erasure_busy").
    """
    addresses = _addresses(service, player_id)
    mails = _mails_with(service, addresses)
    for _ in range(TRIES):
        try:
            with service.database.write() as work:
                return _erase(service, work, player_id, mails)
        except _Joined:
            continue
    raise Refused("erasure_busy")


def _addresses(service: Service, player_id: int) -> set[str]:
    with service.database.read() as session:
        player = session.get(Player, player_id)
        return set() if player is None else _addresses_of(session, player)


def _addresses_of(session: Session, player: Player) -> set[str]:
    others = session.scalars(select(Alias.email).where(Alias.player_id == player.id))
    return {address.lower() for address in (player.email, *others)}


class _Mails(NamedTuple):
    """The mails of a player, and those of others that name them."""

    theirs: list[int]
    naming: list[int]


def _mails_with(service: Service, addresses: Collection[str]) -> _Mails:
    """The mails still kept whole that hold one of these addresses: looked for before anything is
    locked, as all of them are read.
    """
    wanted = [address.encode() for address in addresses]
    found = _Mails([], [])
    with service.database.read() as session:
        kept = select(InboundMail.id, InboundMail.raw).where(func.length(InboundMail.raw) > 0)
        for number, raw in session.execute(kept.execution_options(yield_per=50)):
            if any(each in raw.lower() for each in wanted):
                (found.theirs if _writers(raw) & {*addresses} else found.naming).append(number)
    return found


def _writers(raw: bytes) -> set[str]:
    """The addresses that a mail says it is from (RFC 5322 3.6.2)."""
    head = BytesHeaderParser().parsebytes(raw)
    fields = [str(field) for name in ("From", "Sender") for field in head.get_all(name, [])]
    return {address.lower() for _, address in getaddresses(fields)}


def _erase(service: Service, work: Work, player_id: int, mails: _Mails) -> bool:
    session = work.session
    if session.get(Player, player_id) is None:
        return False
    matches = _lock(service, work, player_id)
    player = session.get(Player, player_id)
    if player is None:
        return False  # another was quicker
    addresses = _addresses_of(session, player)
    ghost = _ghost(service, session)
    for match in matches:
        _leave_match(service, work, match, player, ghost, addresses)
    _forget_mails(service, session, player, addresses, mails, [match.id for match in matches])
    _forget_letters(session, player, addresses, [match.id for match in matches])
    session.execute(delete(Key).where(Key.player_id == player.id))
    session.execute(delete(Absence).where(Absence.player_id == player.id))
    # Also where somebody else has named one of them as theirs, or the asking for it.
    session.execute(
        delete(Alias).where(
            or_(Alias.player_id == player.id, func.lower(Alias.email).in_(addresses))
        )
    )
    session.flush()
    session.expire_all()
    session.execute(delete(Player).where(Player.id == player_id))
    log.info("player_erased", player=player_id, became=ghost.id, matches=len(matches))
    return True


def _lock(service: Service, work: Work, player_id: int) -> list[LockedMatch]:
    """All matches they were ever at, in the order of everybody's locks, then their row: nobody can
    seat them anywhere else meanwhile.
    """
    session = work.session
    service.database.lock_matches(
        session, select(Match.id).where(Match.id.in_(_matches(player_id)))
    )
    if service.database.is_shared:
        session.execute(select(Player.id).where(Player.id == player_id).with_for_update())
    numbers = session.scalars(
        select(Match.id).where(Match.id.in_(_matches(player_id))).order_by(Match.id)
    ).all()
    if not all(service.database.holds(session, number) for number in numbers):
        raise _Joined
    return [locks.lock_number(service, work, number) for number in numbers]


def _matches(player_id: int) -> CompoundSelect[tuple[int]]:
    """The numbers of all matches that any row of theirs is about."""
    return union(
        select(Match.id).where(Match.host_id == player_id),
        *(
            select(row.match_id).where(row.player_id == player_id, row.match_id.is_not(None))
            for row in (SeatRow, TableMessage, Letter, InboundMail)
        ),
    )


def _ghost(service: Service, session: Session) -> Player:
    """The row that stands where somebody has to be named. Its address is nobody's (RFC 2606)."""
    ghost = Player(
        email=f"former-{randomness.token_hex(8)}@erased.invalid",
        name=FORMER,
        lang="en",
        zone="UTC",
        created_at=service.now(),
        stopped_at=service.now(),
        stopped_why=StopReason.ERASED,
        suppressed_at=service.now(),
    )
    session.add(ghost)
    session.flush()
    return ghost


def _leave_match(
    service: Service,
    work: Work,
    match: LockedMatch,
    player: Player,
    ghost: Player,
    addresses: Collection[str],
) -> None:
    """Take them out of one match: their words, their name, and themselves."""
    session = work.session
    rows = [row for row in match.invitees if row.player_id == player.id]
    stays = stays_of(session, match, player)
    names = _names(session, match, player, rows, stays)
    pseudonym = former_name(
        {row.name for row in match.invitees}
        | {name for row in match.invitees for name in (row.former or {}).values()}
    )
    _rename(match, rows, stays, names, pseudonym)
    _forget_words(session, match, player, rows, stays)
    session.flush()
    others = {row.name for row in match.invitees if row not in rows}
    pseudonyms.replace(session, match, names - others, addresses, pseudonym)
    session.flush()
    _go(service, work, match, player, rows)
    for row in rows:
        row.player = ghost
        if row.seat is not None:
            # What was derived for the seat opens nothing from now on, and is not derived again.
            access_tokens.close_seat(session, row)
            row.occupancy += 1
    if match.host_id == player.id:
        match.greeting, match.host = None, ghost
    session.flush()


def _names(
    session: Session, match: LockedMatch, player: Player, rows: list[SeatRow], stays: list[Stay]
) -> set[str]:
    """All that this match has called them."""
    said_as = session.scalars(
        select(TableMessage.name).where(
            TableMessage.match_id == match.id, TableMessage.player_id == player.id
        )
    )
    former = {stay.name for stay in stays if stay.name is not None}
    return {player.name, *(row.name for row in rows), *said_as, *former}


def _rename(
    match: LockedMatch, rows: list[SeatRow], stays: list[Stay], names: set[str], pseudonym: str
) -> None:
    for row in rows:
        row.name, row.seen_entry = pseudonym, None
    for stay in stays:
        row = match.seats[stay.seat]
        if row.former:
            row.former = {n: pseudonym if name in names else name for n, name in row.former.items()}
    seats = {stay.seat for stay in stays}
    if match.parts is not None:
        match.parts = pseudonyms.in_parts(match.parts, seats, names, pseudonym)


def _forget_words(
    session: Session, match: LockedMatch, player: Player, rows: list[SeatRow], stays: list[Stay]
) -> None:
    """What they wrote: notes, messages, lines, the texts of turns. What was played stays."""
    for row in rows:
        row.note = None
    gone = session.scalars(
        delete(TableMessage)
        .where(TableMessage.match_id == match.id, TableMessage.player_id == player.id)
        .returning(TableMessage.id)
    ).all()
    _forget_said(session, match, set(gone))
    of_it = of_matches(match.id)
    for stay in stays:
        session.execute(
            update(EntryRow)
            .where(
                EntryRow.match_id == match.id,
                EntryRow.seat == stay.seat,
                EntryRow.said.is_not(None),
                *stay.holds(EntryRow.made_at),
            )
            .values(said=None),
            execution_options=of_it,
        )
        session.execute(
            update(Submission)
            .where(
                Submission.match_id == match.id,
                Submission.seat == stay.seat,
                Submission.by_player,
                Submission.status.not_in((SubmissionStatus.RECEIVED, SubmissionStatus.HELD)),
                *stay.holds(Submission.received_at),
            )
            .values(body="", said=None),
            execution_options=of_it,
        )


def _forget_said(session: Session, match: LockedMatch, gone: set[int]) -> None:
    """Send no letter that would bring nothing but messages that are gone."""
    waiting = session.scalars(
        select(Letter).where(
            Letter.match_id == match.id,
            Letter.kind == LetterKind.MESSAGE,
            Letter.status.in_(UNSENT),
        )
    )
    for letter in waiting if gone else ():
        left = tuple(n for n in letter.details_as(MessageDetails).messages if n not in gone)
        letter.details = MessageDetails(messages=left)
        if not left:
            drop(session, Letter.id == letter.id)


def _go(
    service: Service, work: Work, match: LockedMatch, player: Player, rows: list[SeatRow]
) -> None:
    """Leave the match as players do: give up, come no more, or call an own table off."""
    if match.status == MatchStatus.INVITING and match.host_id == player.id:
        hosting.withdraw(service, work, match)
        match.join_until = None
        return
    for row in rows:
        asked = row.status in (SeatStatus.INVITED, SeatStatus.JOINING)
        if match.status == MatchStatus.INVITING:
            if asked or row.status == SeatStatus.ACCEPTED:
                tables.give_seat_back(service, work, match, row)
        elif row.successor_of is not None and asked:
            row.status, row.answered_at = SeatStatus.DECLINED, service.now()
            takeovers.answered(service, work, match, row)
        elif match.status == MatchStatus.PLAYING and row.seat is not None and not row.is_out:
            leaving.resign(service, work, match, row.seat)
    work.session.flush()
    # What they had handed in and was waiting until now was taken back by that.
    seats = [row.seat for row in rows if row.seat is not None]
    work.session.execute(
        update(Submission)
        .where(Submission.match_id == match.id, Submission.seat.in_(seats), Submission.by_player)
        .where(Submission.status == SubmissionStatus.WITHDRAWN)
        .values(body="", said=None),
        execution_options=of_matches(match.id),
    )


def _forget_mails(
    service: Service,
    session: Session,
    player: Player,
    addresses: Collection[str],
    mails: _Mails,
    matches: list[int],
) -> None:
    """The texts of their mails, and of those of others that name them or are about the same
    matches: they quote letters that named them. What somebody else wrote is handled first, and then
    forgotten. That the mails came stays, so that none is handled twice.
    """
    now: dt.datetime = service.now()
    handled = InboundMail.status == MailStatus.HANDLED
    theirs = or_(
        InboundMail.player_id == player.id,
        func.lower(InboundMail.envelope_from).in_(addresses),
        InboundMail.id.in_(mails.theirs),
    )
    session.execute(
        update(InboundMail)
        .where(theirs, ~handled)
        .values(
            status=MailStatus.HANDLED,
            verdict=MailVerdict.STRANGER,
            pending_since=None,
            done_at=now,
        )
    )
    naming = or_(InboundMail.id.in_(mails.naming), InboundMail.match_id.in_(matches))
    nothing = {"raw": b"", "envelope_from": None, "details": MailDetails()}
    session.execute(
        update(InboundMail).where(theirs | naming & handled).values(purged_at=now, **nothing)
    )
    session.execute(update(InboundMail).where(naming, ~handled).values(purged_at=now))
    session.execute(
        update(InboundMail).where(InboundMail.player_id == player.id).values(player_id=None)
    )


def _forget_letters(
    session: Session, player: Player, addresses: Collection[str], matches: list[int]
) -> None:
    """All letters to them, sent or not; and their name in what letters to others hold."""
    session.execute(delete(Letter).where(Letter.player_id == player.id))
    for letter in session.scalars(select(Letter).where(Letter.kind == LetterKind.ALIAS)):
        if str(letter.stored_details.get("address", "")).lower() in addresses:
            session.delete(letter)
    session.flush()
    together = select(SeatRow.player_id).where(
        SeatRow.match_id.in_(matches), SeatRow.player_id.is_not(None)
    )
    _write_anew(session, Letter.match_id.in_(matches))
    _write_anew(session, Letter.match_id.is_(None), Letter.player_id.in_(together))


def _write_anew(session: Session, *which: ColumnElement[bool]) -> None:
    """Drop the bytes of these letters: they are written when they are next taken up. As the server
    may have them, what is written then goes under another Message-ID.
    """
    letters = (
        select(Letter)
        .where(Letter.message.is_not(None), *which)
        .order_by(Letter.id)
        .with_for_update(of=Letter)
        .execution_options(populate_existing=True)
    )
    for letter in session.scalars(letters).unique():
        letter.message = None
        identity.rename(letter)

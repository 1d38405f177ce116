"""Giving back the time of an outage: clocks, pauses and held turns of a match are moved by it.

Each match notes the newest outage it was moved by, in the transaction that moves it: a crash loses
nothing and doubles nothing. The sweep goes through all matches; whoever wants to act on a time of a
match before the sweep has come there (time is up, a letter tells it) moves that match first.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import structlog
from msgspec.structs import replace
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from service.core import locks, system_clock
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import DigestBoard, DigestDetails, OutageTold
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Letter, Match, Outage, Pause, SeatRow, Submission
from service.core.statuses import WAITING, MatchStatus
from service.time import deadlines, outages

log = structlog.get_logger(__name__)

BATCH = 25
"""Matches that are moved in one transaction."""

LASTS = 20.0
"""Seconds of one sweep that may go into it; the next goes on."""


def give_back_everywhere(service: Service) -> int:
    """Move every match by the outages it has not been moved by; of how many."""
    with service.database.read() as session:
        newest = session.scalar(
            select(Outage.id).where(Outage.settled_at.is_(None)).order_by(Outage.id.desc()).limit(1)
        )
    if newest is None:
        return 0
    moved, failed, until, past = 0, False, system_clock.monotonic() + LASTS, 0
    while system_clock.monotonic() < until:
        with service.database.write() as work:
            found = work.session.scalars(
                select(Match.id)
                .where(Match.status == MatchStatus.PLAYING, Match.outage < newest, Match.id > past)
                .order_by(Match.id)
                .limit(BATCH)
            ).all()
            for match_id in found:
                failed |= not _give_back(service, work, match_id)
            if not found and not failed:
                work.session.execute(
                    update(Outage)
                    .where(Outage.id <= newest, Outage.settled_at.is_(None))
                    .values(settled_at=service.now())
                )
        if not found:
            break
        moved, past = moved + len(found), found[-1]
    return moved


def give_back(service: Service, work: Work, match: LockedMatch) -> None:
    """Move a locked match by the outages it has not been moved by. Does nothing if there are none.

    While the sweep is away its clocks are brought in line with the outage so far.
    """
    away, newest = outages.state(service, work.session)
    if match.status != MatchStatus.PLAYING:
        return
    if match.outage < newest:
        _move(service, work, match, newest)
    if away:
        deadlines.refresh(service, work, match)


def tell(session: Session, letter: Letter, boards: Iterable[DigestBoard] = ()) -> None:
    """Note with a letter that is taken up, and that nobody can have yet, which outage it tells its
    reader of, and that they have been told.

    `boards` of a digest, which tells of all its matches at once.
    """
    seats = [_seat(session, board.match, board.seat) for board in boards]
    if letter.match is not None and letter.seat is not None:
        seats.append(letter.match.seats[letter.seat])
    found = [
        seat
        for seat in seats
        if seat is not None and seat.outage_from is not None and seat.player_id == letter.player_id
    ]
    if not found:
        if known := letter.notes.outage:
            # Written anew with another deadline, it tells that one.
            told = replace(known, deadline=_deadline(session, letter))
            letter.notes = replace(letter.notes, outage=told)
        return
    began = min(seat.outage_from for seat in found if seat.outage_from is not None)
    ended = max(seat.outage_to for seat in found if seat.outage_to is not None)
    told = OutageTold(began=began, ended=ended, deadline=_deadline(session, letter))
    letter.notes = replace(letter.notes, outage=told)
    for seat in found:
        seat.outage_from = seat.outage_to = None


def take_back(session: Session, letter: Letter) -> None:
    """The reader of a letter that tells of an outage does not get it: another is to tell of it."""
    told, details = letter.notes.outage, letter.details
    if told is None or letter.message is not None or letter.sent_at is not None:
        return
    boards = details.boards if isinstance(details, DigestDetails) else ()
    seats = [_seat(session, board.match, board.seat) for board in boards]
    if letter.match is not None and letter.seat is not None:
        seats.append(letter.match.seats[letter.seat])
    for seat in seats:
        if seat is not None and seat.player_id == letter.player_id and seat.outage_from is None:
            seat.outage_from, seat.outage_to = told.began, told.ended
    letter.notes = replace(letter.notes, outage=None)


def _give_back(service: Service, work: Work, match_id: int) -> bool:
    """False if it failed, by an error that is logged: the other matches must not wait for it."""
    try:
        with work.session.begin_nested():
            give_back(service, work, locks.lock_number(service, work, match_id))
    except OperationalError:
        raise  # of the database, not of this match
    except Exception:
        log.exception("time_not_given_back", match=match_id)
        return False
    return True


def _move(service: Service, work: Work, match: LockedMatch, newest: int) -> None:
    session = work.session
    lost = outages.since(service, session, match.outage)
    if match.paused_at is not None:
        pauses = select(Pause).where(Pause.match_id == match.id, Pause.until.is_not(None))
        for pause in session.scalars(pauses):
            assert pause.until is not None
            pause.until = outages.moved(pause.until, match.paused_at, lost)
    for row in deadlines.shift(service, work, match, lost):
        seat = match.seats[row.seat]
        seat.outage_from = min(filter(None, (seat.outage_from, lost[0][0])))
        seat.outage_to = lost[-1][1]
    held = select(Submission).where(
        Submission.match_id == match.id,
        Submission.status.in_(WAITING),
        Submission.held_until.is_not(None),
    )
    for turn in session.scalars(held):
        _hold_on(session, turn, lost)
    match.outage = newest


def _hold_on(session: Session, turn: Submission, lost: tuple[outages.Span, ...]) -> None:
    """Its player has as long to take it back as the table wants, though never past the deadline."""
    assert turn.held_until is not None
    until = outages.moved(turn.held_until, turn.received_at, lost)
    row = session.get(DecisionRow, (turn.match_id, turn.decision))
    if row is not None and row.deadline is not None:
        until = min(until, max(row.deadline, turn.held_until))
    if turn.pending_since == turn.held_until:
        turn.pending_since = until
    turn.held_until = until


def _seat(session: Session, match_id: int, seat: int) -> SeatRow | None:
    """Of a match that has been read already, as it is locked."""
    match = session.get(Match, match_id)
    seats = match.seats if match is not None else []
    return next((row for row in seats if row.seat == seat), None)


def _deadline(session: Session, letter: Letter) -> dt.datetime | None:
    """What the letter's reader has to answer by at its table: the first of several."""
    if letter.match_id is None:
        return None
    return session.scalar(
        select(DecisionRow.deadline)
        .where(
            DecisionRow.match_id == letter.match_id,
            DecisionRow.seat == letter.seat,
            DecisionRow.closed_entry.is_(None),
            DecisionRow.deadline.is_not(None),
        )
        .order_by(DecisionRow.deadline)
        .limit(1)
    )

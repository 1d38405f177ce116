"""Taking a seat over: what the answer of whoever was asked to comes to."""

from __future__ import annotations

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import (
    CancelledDetails,
    Notes,
    StartDetails,
    SuccessorDeclined,
    SuccessorSits,
)
from service.core.locks import LockedMatch
from service.core.models import Match, SeatRow
from service.core.statuses import LetterKind, MatchStatus, SeatStatus
from service.matches import answering, bots, moves, reading
from service.matches.transitions import ask_player
from service.outgoing import access_tokens, calendars, news
from service.outgoing.outbox import keep_back, owe, owe_seat
from service.time import deadlines, pausing


def successor(match: Match, seat: Seat) -> SeatRow | None:
    """The invitee who is asked at present to take this seat over."""
    return next(
        (
            row
            for row in match.invitees
            if row.successor_of == seat and row.status == SeatStatus.INVITED
        ),
        None,
    )


def answered(service: Service, work: Work, match: LockedMatch, row: SeatRow) -> SeatRow:
    """Somebody who was asked to take a seat over has answered; the row they have from now on."""
    assert row.successor_of is not None
    if row.status != SeatStatus.ACCEPTED:
        call_off(service, work, match, row)
        return row
    return _take_over(service, work, match, row)


def call_off(service: Service, work: Work, match: LockedMatch, row: SeatRow) -> None:
    """Nobody takes the seat over: its clock runs again, and the table is told."""
    work.session.flush()
    deadlines.refresh(service, work, match)
    if match.status == MatchStatus.PLAYING:
        event = SuccessorDeclined(about=row.successor_of, guest=row.name)
        news.tell(service, work, match, event, row.id)


def _take_over(service: Service, work: Work, match: LockedMatch, guest: SeatRow) -> SeatRow:
    """The guest sits down. Nothing that the one before them was given opens anything any more."""
    assert guest.successor_of is not None
    at = guest.successor_of
    seat = match.seats[at]
    before, player = seat.name, guest.player
    assert player is not None
    _dismiss(service, work, match, seat, guest.name)
    answered_at = guest.answered_at
    name, lang = guest.name, guest.lang
    match.invitees.remove(guest)
    work.session.delete(guest)
    work.session.flush()
    # Who sat here for no turn has none that would bear their name.
    seat.former = {str(match.last_entry): before} | (seat.former or {})
    seat.player, seat.name, seat.lang = player, name, lang
    seat.occupancy += 1
    seat.answered_at, seat.status = answered_at, SeatStatus.ACCEPTED
    seat.stand_in = seat.left_at = seat.left_why = seat.left_entry = None
    seat.muted_at = seat.muted_why = seat.digest = seat.seen_entry = None
    seat.bank_left = seat.part = seat.note = None
    work.session.flush()
    access_tokens.open_seat(service, work.session, seat)
    told = StartDetails(before=before)
    owe_seat(service, work, LetterKind.START, match, seat, entry=match.last_entry, details=told)
    for asked in reading.open_decisions(work.session, match, at):
        if asked.blocks:
            ask_player(service, work, match, asked)
        else:
            access_tokens.open_decision(service, work.session, seat, asked.decision)
    others = [row for row in news.in_play(match) if row.seat != seat.seat]
    event = SuccessorSits(about=seat.seat, guest=name, before=before)
    news.tell(service, work, match, event, seat.occupancy, to=others)
    return seat


def _dismiss(
    service: Service, work: Work, match: LockedMatch, seat: SeatRow, successor: str
) -> None:
    """Who sits there gives the seat up: a turn of theirs, their links, and what has not been sent
    to them. They are told, with what their calendar shows of it struck out.
    """
    session, at = work.session, seat.seat
    assert at is not None
    access_tokens.close_seat(session, seat)
    pausing.forget(session, match, at)
    moves.withdraw_all(service, session, match, at)
    mine = [row.decision for row in deadlines.open_rows(session, match) if row.seat == at]
    # Dead letters, too: the operator may retry them.
    bots.call_off(service, work, match, mine)
    keep_back(session, match, at)
    answering.take_table_out(session, match, at)
    if seat.player is not None:
        owe(
            service,
            work,
            LetterKind.CANCELLED,
            seat.player,
            dedupe=f"cancelled.{match.code}.{at}.replaced.{seat.occupancy}",
            match=match,
            details=CancelledDetails(why="replaced", guest=successor),
            notes=Notes(calendar=tuple(calendars.strike_out(session, match, at))),
        )

"""The keys of a seat: what its player's links and reply addresses open, issued and taken back."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.orm import Session

from service import replies
from service.context import Service
from service.details import AnswerDetails, DigestDetails
from service.keys import seat_scope
from service.models import Key, Letter, Match, SeatRow
from service.results import ResignAsked

OF_A_SEAT = ("seat", "decision", "reply", "rematch", replies.RESIGNING)
"""The purposes of keys that belong to whoever sits there."""


def open_seat(service: Service, session: Session, row: SeatRow) -> None:
    """The link of the seat, and the address replies about the match go to."""
    assert row.seat is not None
    service.keys.issue(
        session,
        "seat",
        *seat_scope(row),
        match_id=row.match_id,
        seat=row.seat,
        tenant=row.tenant,
    )
    _reply(service, session, row, "")


def open_decision(service: Service, session: Session, row: SeatRow, decision: str) -> None:
    """The link of a decision of this seat, and the address it can be answered to."""
    assert row.seat is not None
    service.keys.issue(
        session,
        "decision",
        *seat_scope(row, decision),
        match_id=row.match_id,
        seat=row.seat,
        decision=decision,
        tenant=row.tenant,
    )
    _reply(service, session, row, decision)


def _reply(service: Service, session: Session, row: SeatRow, decision: str) -> None:
    replies.open_seat(service.keys, session, row, decision)


def open_replies(service: Service, session: Session, letter: Letter) -> None:
    """See that the addresses this letter is answered to open something: a match may have begun
    before there were any.
    """
    keys = service.keys
    if letter.kind == "digest":
        token = replies.player_token(keys, letter.player_id)
        if not keys.opens(session, token):
            replies.open_player(keys, session, letter.player_id)
        for board in letter.details_as(DigestDetails).boards:
            row = session.get_one(Match, board.match).seats[board.seat]
            _reply_once(service, session, row, board.decision)
    elif letter.match is None:
        return
    elif (asked := _asked_in(letter)) is not None and letter.seat is not None:
        _question(service, session, letter, letter.match.seats[letter.seat], asked)
    elif letter.entry is not None and letter.seat is not None:
        row = letter.match.seats[letter.seat]
        _reply_once(service, session, row, letter.decision or "")
    elif letter.player_id != letter.match.host_id:
        token = replies.guest_token(keys, letter.match.id, letter.player_id)
        if not keys.opens(session, token):
            replies.open_guest(keys, session, letter.match.id, letter.player_id)


def _reply_once(service: Service, session: Session, row: SeatRow, decision: str) -> None:
    token = replies.seat_token(service.keys, row, decision)
    # Looked for first: nearly all are there, and reading is cheaper.
    if not service.keys.opens(session, token):
        _reply(service, session, row, decision)


def _asked_in(letter: Letter) -> ResignAsked | None:
    """The question that an answer asks, if it does."""
    details = letter.details
    if not isinstance(details, AnswerDetails) or details.question is None:
        return None
    asked = (each for each in details.results if isinstance(each, ResignAsked))
    return next((each for each in asked if each.question == details.question), None)


def _question(
    service: Service, session: Session, letter: Letter, row: SeatRow, asked: ResignAsked
) -> None:
    """The address of the question that a letter asks, as it is written in it: since it was asked,
    there may be another epoch or secret key.
    """
    keys = service.keys.of(letter.epoch, letter.secret)
    if not keys.opens(session, replies.question_token(keys, row, asked.question)):
        replies.open_question(keys, session, row, asked.question, asked.until)


def close_seat(session: Session, row: SeatRow) -> None:
    """Take back every key of this seat: its player has given it up."""
    session.execute(
        delete(Key).where(
            Key.match_id == row.match_id, Key.seat == row.seat, Key.purpose.in_(OF_A_SEAT)
        )
    )

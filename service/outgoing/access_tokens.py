"""The keys of a seat: what its player's links and reply addresses open, issued and taken back."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.orm import Session

from service.access import reply_keys
from service.core.context import Service
from service.core.keys import NewKey, seat_scope
from service.core.letter_details import AnswerDetails, DigestDetails
from service.core.models import Key, Letter, Match, SeatRow
from service.core.results import ResignAsked
from service.core.statuses import LetterKind
from service.outgoing import one_click

OF_A_SEAT = ("seat", "decision", "reply", "rematch", reply_keys.RESIGNING)
"""The purposes of keys that belong to whoever sits there."""


def open_seat(service: Service, session: Session, row: SeatRow) -> None:
    """The link of the seat, and the address replies about the match go to."""
    keys = service.keys
    token = keys.token("seat", *seat_scope(row))
    seat = NewKey(token, "seat", match_id=row.match_id, seat=row.seat, occupancy=row.occupancy)
    keys.issue_all(session, [seat, reply_keys.of_seat(keys, row)])


def open_decision(service: Service, session: Session, row: SeatRow, decision: str) -> None:
    """The link of a decision of this seat, and the address it can be answered to."""
    keys = service.keys
    asked = NewKey(
        keys.token("decision", *seat_scope(row, decision)),
        "decision",
        match_id=row.match_id,
        seat=row.seat,
        decision=decision,
        occupancy=row.occupancy,
    )
    keys.issue_all(session, [asked, reply_keys.of_seat(keys, row, decision)])


def open_letter(service: Service, session: Session, letter: Letter) -> None:
    """See that the addresses this letter is answered to, and the page that ends its like, open
    something: a match may have begun before there were any.
    """
    keys = service.keys
    wanted = _answered_to(service, session, letter)
    stop = one_click.key_of(service, letter.kind, letter.player_id, letter.match_id)
    if _question(letter) is not None:
        # As it is written in the letter: since it was asked, there may be another epoch or key.
        keys.of(letter.epoch, letter.secret).issue_missing(session, wanted)
        wanted = []
    keys.issue_missing(session, [*wanted, *([stop] if stop is not None else [])])


def _answered_to(service: Service, session: Session, letter: Letter) -> list[NewKey]:
    keys = service.keys
    if letter.kind == LetterKind.DIGEST:
        found = [reply_keys.of_player(keys, letter.player_id)]
        for board in letter.details_as(DigestDetails).boards:
            row = session.get_one(Match, board.match).seats[board.seat]
            found.append(reply_keys.of_seat(keys, row, board.decision))
        return found
    match = letter.match
    if match is None:
        return []
    if (asked := _question(letter)) is not None and letter.seat is not None:
        own = keys.of(letter.epoch, letter.secret)
        return [reply_keys.of_question(own, match.seats[letter.seat], asked.question, asked.until)]
    if letter.entry is not None and letter.seat is not None:
        return [reply_keys.of_seat(keys, match.seats[letter.seat], letter.decision or "")]
    if letter.player_id != match.host_id:
        return [reply_keys.of_guest(keys, match.id, letter.player_id)]
    return []


def _question(letter: Letter) -> ResignAsked | None:
    """The question that an answer asks, if it does."""
    details = letter.details
    if not isinstance(details, AnswerDetails) or details.question is None:
        return None
    asked = (each for each in details.results if isinstance(each, ResignAsked))
    return next((each for each in asked if each.question == details.question), None)


def open_guest(service: Service, session: Session, match: Match, player_id: int) -> None:
    """Let the links and replies of who is asked to a table open their invitation."""
    keys = service.keys
    keys.issue(session, "invitation", match.id, player_id, match_id=match.id, player_id=player_id)
    keys.issue_all(session, [reply_keys.of_guest(keys, match.id, player_id)])


def close_seat(session: Session, row: SeatRow) -> None:
    """Take back every key of this seat: its player has given it up."""
    session.execute(
        delete(Key).where(
            Key.match_id == row.match_id, Key.seat == row.seat, Key.purpose.in_(OF_A_SEAT)
        )
    )

"""The decision what is done with a letter that is due.

What can wait waits for the end of the reader's quiet hours or for their digest; what nobody needs
or wants any more is not sent (`service.outgoing.policies`).
"""

from __future__ import annotations

import datetime as dt

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.models import DecisionRow, Letter, Match, SeatRow
from service.core.statuses import UNANSWERED, LetterKind, LetterStatus, MatchStatus
from service.outgoing import outbox
from service.outgoing.outbox import is_asked, is_unwanted
from service.outgoing.policies import policy_of
from service.time import reminders
from service.time.daytime import awake, digest_hour, next_digest

CLAIM_FOR = dt.timedelta(minutes=15)
"""A sender that has not come back by now has died, and the letter may be claimed again:
longer than the server's reply to a text may take (`smtp.Timeouts`)."""


class DeliveryDecision(msgspec.Struct, frozen=True):
    """The decision on a letter that is due: its new status, and until when that holds."""

    status: LetterStatus
    until: dt.datetime | None = None


def decide_delivery(session: Session, letter: Letter, now: dt.datetime) -> DeliveryDecision:
    """Decide what is to be done with a letter that is due now."""
    policy = policy_of(letter.kind)
    seat = letter.match.row_of(letter.player_id) if letter.match is not None else None
    if is_unwanted(letter.kind, letter.player, seat):
        return DeliveryDecision(LetterStatus.SUPPRESSED)
    if _is_of_another(letter):
        return DeliveryDecision(LetterStatus.DROPPED)
    if policy.consent == "stranger" and not _is_open(session, letter):
        return DeliveryDecision(LetterStatus.SUPPRESSED)
    if policy.lapses and not is_asked(session, letter):
        return DeliveryDecision(LetterStatus.DROPPED)
    if letter.kind in reminders.REMINDING:
        if not reminders.is_wanted(session, letter):
            return DeliveryDecision(LetterStatus.DROPPED)
        if letter.kind == LetterKind.REMINDER and reminders.is_too_late(session, letter, now):
            return DeliveryDecision(LetterStatus.DROPPED)
        if _comes_before_its_turn(session, letter):
            return DeliveryDecision(LetterStatus.DUE, now + outbox.LATE)
    if policy.gathers:
        hour = digest_hour(letter.player, seat)
        if hour is not None:
            at = next_digest(letter.player, hour, now)
            if not _presses(session, letter, at):
                return DeliveryDecision(LetterStatus.GATHERED, at)
    if policy.waits and (at := awake(letter.player, now)) > now:
        return DeliveryDecision(LetterStatus.DUE, at)
    return DeliveryDecision(LetterStatus.SENDING, now + CLAIM_FOR)


def _is_of_another(letter: Letter) -> bool:
    """True if it tells of the match from a seat that its reader has given up since."""
    if letter.match is None or letter.seat is None or letter.entry is None:
        return False
    return letter.match.seats[letter.seat].player_id != letter.player_id


def _comes_before_its_turn(session: Session, letter: Letter) -> bool:
    """True if the letter that this one reminds of has not been taken yet."""
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    return row is not None and outbox.untaken(session, row, letter.player_id) is not None


def _presses(session: Session, letter: Letter, at: dt.datetime) -> bool:
    """True if the deadline of what is asked comes before this moment."""
    if letter.match_id is None or letter.decision is None:
        return False
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    return row is not None and row.deadline is not None and row.deadline <= at


def _is_open(session: Session, letter: Letter) -> bool:
    """True if an invitation still asks something."""
    waiting = session.scalar(
        select(SeatRow.id)
        .join(Match)
        .where(
            SeatRow.match_id == letter.match_id,
            SeatRow.player_id == letter.player_id,
            SeatRow.status.in_(UNANSWERED),
            (Match.status == MatchStatus.INVITING)
            | (SeatRow.successor_of.is_not(None) & (Match.status == MatchStatus.PLAYING)),
        )
    )
    return waiting is not None

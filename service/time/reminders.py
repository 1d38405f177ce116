"""Reminders: letters that wait in the outbox for their moment before a deadline.

One row for each decision and kind of reminder, however often the clock changes: it is moved, taken
out and put in again, but not sent twice.
"""

from __future__ import annotations

import datetime as dt
import re

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work, insert_all
from service.core.letter_details import Notes, ReminderDetails, as_stored
from service.core.models import DecisionRow, Letter, Match, Player, SeatRow, Submission
from service.core.statuses import WAITING, LetterKind, LetterStatus
from service.outgoing import outbox
from service.time import pace
from service.time.pace import Schedule

APART = dt.timedelta(hours=1)
"""Between the turn letter and the first reminder, and between two reminders."""

IN_TIME = dt.timedelta(minutes=30)
"""Nearer to the deadline than this a reminder is of no use."""

REMINDING = (LetterKind.REMINDER, LetterKind.NUDGE)
_BEFORE = re.compile(r"([1-9][0-9]{0,3})([dhm])")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def schedule(
    service: Service, work: Work, match: Match, row: DecisionRow, hours: Schedule | None
) -> None:
    """Put the reminders of a decision in line with its clock, which runs by these hours (None: it
    stands, and there are none).
    """
    player = match.seats[row.seat].player
    if player is None:
        return
    wanted = _moments(service, row, player, hours) if hours is not None else {}
    if row not in work.session and _insert(work.session, match, row, player, wanted):
        return  # it is asked for the first time
    work.session.flush()
    for letter in _known(work.session, row, player):
        at = wanted.pop(letter.details_as(ReminderDetails).which, None)
        if (
            letter.status not in (LetterStatus.DUE, LetterStatus.DROPPED)
            or letter.message is not None
        ):
            continue  # on its way, or sent: not twice
        if letter.status == LetterStatus.DUE and letter.attempts:
            continue  # it is being tried
        letter.attempts, letter.failure = 0, None
        letter.status, letter.due_at = (
            (LetterStatus.DUE, at) if at is not None else (LetterStatus.DROPPED, None)
        )
        letter.created_at = at or letter.created_at
    _insert(work.session, match, row, player, wanted)


def _insert(
    session: Session, match: Match, row: DecisionRow, player: Player, wanted: dict[str, dt.datetime]
) -> bool:
    """Put these reminders into the outbox; whether none of them was there already."""
    new = [
        {
            "dedupe": f"reminder.{match.code}.{row.seat}.{row.decision}.{which}.{player.id}",
            "kind": LetterKind.REMINDER,
            "player_id": player.id,
            "match_id": match.id,
            "seat": row.seat,
            "entry": row.opened_entry,
            "decision": row.decision,
            "details": as_stored(LetterKind.REMINDER, ReminderDetails(which=which), Notes()),
            "status": LetterStatus.DUE,
            # What it says is seen from its own moment, not from when it was put here.
            "created_at": at,
            "due_at": at,
        }
        for which, at in sorted(wanted.items(), key=lambda item: item[1])
    ]
    return len(insert_all(session, Letter, new)) == len(new)


def drop(session: Session, row: DecisionRow) -> None:
    """Nobody needs the reminders of this decision any more."""
    outbox.drop(
        session,
        Letter.match_id == row.match_id,
        Letter.decision == row.decision,
        Letter.kind.in_(REMINDING),
        Letter.status.in_(outbox.UNSENT),
    )


def is_wanted(session: Session, letter: Letter) -> bool:
    """True if a reminder still reminds of something: asked again when it is sent."""
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    seat = session.scalar(
        select(SeatRow).where(SeatRow.match_id == letter.match_id, SeatRow.seat == letter.seat)
    )
    if row is None or row.closed_entry is not None or seat is None:
        return False
    if seat.player_id != letter.player_id or seat.played_by is not None or row.held is not None:
        return False
    if letter.kind == LetterKind.REMINDER and row.deadline is None:
        return False
    handed_in = select(Submission.id).where(
        Submission.match_id == letter.match_id,
        Submission.decision == letter.decision,
        Submission.status.in_(WAITING),
    )
    return session.scalar(handed_in) is None


def is_too_late(session: Session, letter: Letter, now: dt.datetime) -> bool:
    """True if a reminder has nothing to remind of any more: the deadline is over, or one that comes
    nearer to it is due as well, or has left. Of several that are late only the last one leaves.
    """
    if letter.message is not None:
        return False  # it may have reached its reader: the same again
    row = session.get_one(DecisionRow, (letter.match_id, letter.decision))
    if row.deadline is not None and row.deadline <= now:
        return True
    nearer = select(Letter.id).where(
        Letter.match_id == letter.match_id,
        Letter.decision == letter.decision,
        Letter.player_id == letter.player_id,
        Letter.kind == LetterKind.REMINDER,
        (Letter.created_at > letter.created_at)
        | ((Letter.created_at == letter.created_at) & (Letter.id > letter.id)),
        Letter.status.in_((LetterStatus.SENDING, LetterStatus.SENT))
        | Letter.message.is_not(None)
        | ((Letter.status == LetterStatus.DUE) & ((Letter.due_at <= now) | (Letter.attempts > 0))),
    )
    return session.scalar(nearer.limit(1)) is not None


def is_last(session: Session, letter: Letter) -> bool:
    """True if no other reminder of this decision comes after it, whatever has become of that one:
    a letter written again is the same.
    """
    later = select(Letter.id).where(
        Letter.match_id == letter.match_id,
        Letter.decision == letter.decision,
        Letter.player_id == letter.player_id,
        Letter.kind == LetterKind.REMINDER,
        Letter.created_at > letter.created_at,
    )
    return session.scalar(later.limit(1)) is None


def before(which: str) -> dt.timedelta | None:
    """The time before the deadline at which this reminder comes ("24h", "90m", "2d"); None for
    "half" and what is none.
    """
    found = _BEFORE.fullmatch(which)
    return dt.timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else None


def _known(session: Session, row: DecisionRow, player: Player) -> list[Letter]:
    query = select(Letter).where(
        Letter.match_id == row.match_id,
        Letter.decision == row.decision,
        Letter.player_id == player.id,
        Letter.kind == LetterKind.REMINDER,
    )
    return list(session.scalars(query))


def _moments(
    service: Service, row: DecisionRow, player: Player, hours: Schedule
) -> dict[str, dt.datetime]:
    """When to send which reminder, the ones to come only."""
    if row.deadline is None or row.clock_from is None or row.allowance is None:
        return {}
    # A clock that has stood may have begun anew with the letter.
    began = max(row.opened_at, row.clock_from)
    earliest = max(service.now(), pace.calm(began, hours) + APART)
    found: list[tuple[dt.datetime, str]] = []
    for which in dict.fromkeys(player.reminders):
        distance = before(which)
        if distance is not None:
            at = row.deadline - distance
        elif which == "half":
            at = pace.after(row.clock_from, row.allowance // 2, hours)
        else:
            continue
        good = _out_of_quiet(at, row.deadline, hours)
        if earliest <= good <= row.deadline - IN_TIME:
            found.append((good, which))
    kept: dict[str, dt.datetime] = {}
    later: dt.datetime | None = None
    for at, which in sorted(found, reverse=True):
        if later is None or later - at >= APART:
            kept[which] = later = at
    return kept


def _out_of_quiet(at: dt.datetime, deadline: dt.datetime, hours: Schedule) -> dt.datetime:
    """The moment after the quiet hours or free days it falls into; if that is too late, the one
    before them.
    """
    good = pace.settled(at, hours)
    return good if good <= deadline - IN_TIME else pace.settled_back(at, hours)

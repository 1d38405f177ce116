"""The dates a player's calendar holds of us: settled when a letter is taken up, kept with the
decision.

A turn letter or a reminder always brings its date. Any letter to a seat also brings what has become
wrong in the calendar since: a date that moved, or one that is over (made by whatever way, or its
clock stands).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from msgspec.structs import replace
from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from service.core.letter_details import CalendarDate, DigestBoard
from service.core.models import DecisionRow, Letter, Match
from service.outgoing.policies import policy_of

# Made once: building a statement costs as much as running it.
_DATED = (
    select(DecisionRow)
    .where(
        DecisionRow.match_id == bindparam("match"),
        DecisionRow.seat == bindparam("seat"),
        or_(
            DecisionRow.calendar_at.is_not(None),
            DecisionRow.decision.in_(bindparam("named", expanding=True)),
        ),
    )
    .order_by(DecisionRow.opened_entry, DecisionRow.decision)
)


def note(session: Session, letter: Letter) -> None:
    """Note with the letter what its calendar file says, and with the decisions that it does.

    Called again for the same letter it notes the same, unless a date has moved meanwhile.
    """
    if letter.match_id is None or letter.seat is None:
        return
    own = letter.decision if policy_of(letter.kind).dated else None
    _write(letter, {letter.match_id: _dates(session, letter, letter.match_id, letter.seat, own)})


def note_digest(session: Session, letter: Letter, boards: Iterable[DigestBoard]) -> None:
    """The same for a digest: the dates of all its boards."""
    _write(
        letter,
        {
            board.match: _dates(session, letter, board.match, board.seat, board.decision)
            for board in boards
        },
    )


def strike_out(session: Session, match: Match, seat: int) -> list[CalendarDate]:
    """The dates that the calendar of a seat's player shows, as a file that strikes them out; the
    rows then know that nothing is shown.
    """
    rows = session.scalars(
        select(DecisionRow)
        .where(
            DecisionRow.match_id == match.id,
            DecisionRow.seat == seat,
            DecisionRow.calendar_at.is_not(None),
        )
        .order_by(DecisionRow.opened_entry, DecisionRow.decision)
    ).all()
    found = []
    for row in rows:
        assert row.calendar_at is not None
        row.calendar_sequence += 1
        found.append(_date(row, row.calendar_at, cancelled=True))
        row.calendar_at = None
    return found


def _write(letter: Letter, dates: dict[int, list[CalendarDate]]) -> None:
    found = tuple(date for match in dates for date in dates[match])
    if found != letter.notes.calendar:
        letter.notes = replace(letter.notes, calendar=found)


def _dates(
    session: Session, letter: Letter, match_id: int, seat: int, own: str | None
) -> list[CalendarDate]:
    """What is to be told of this seat's decisions; the rows then know that it was."""
    before = {date.decision: date for date in letter.notes.calendar if date.match == match_id}
    named = [*before, *([own] if own else [])]
    rows = session.scalars(_DATED, {"match": match_id, "seat": seat, "named": named}).all()
    sits_there = next(
        (row for row in session.get_one(Match, match_id).seats if row.seat == seat), None
    )
    is_bots = sits_there is not None and sits_there.played_by is not None
    found = []
    for row in rows:
        wanted = None if row.closed_entry is not None or is_bots else row.deadline
        shown = row.calendar_at
        if wanted is None and shown is None:
            if row.decision in before and before[row.decision].cancelled:
                found.append(before[row.decision])
            continue
        if wanted != shown:
            row.calendar_sequence += shown is not None or row.calendar_sequence > 0
            row.calendar_at = wanted
            # All of them the same columns: then one statement writes all rows.
            flag_modified(row, "calendar_sequence")
        elif row.decision != own and row.decision not in before:
            continue
        due = wanted or shown
        assert due is not None
        found.append(_date(row, due, cancelled=wanted is None))
    return found


def _date(row: DecisionRow, at: dt.datetime, *, cancelled: bool) -> CalendarDate:
    """A date as the letter keeps it."""
    return CalendarDate(
        match=row.match_id,
        seat=row.seat,
        decision=row.decision,
        at=at,
        sequence=row.calendar_sequence,
        cancelled=cancelled,
    )

"""Who has been shown what: a turn that somebody else has seen cannot be taken back."""

from __future__ import annotations

from sqlalchemy import func, update
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service.context import Service
from service.models import Match, SeatRow


def is_noted(match: Match, seat: Seat | None) -> bool:
    """Whether it is known already that this seat (None: a spectator) has seen the newest entry."""
    if match.status != "playing":
        return True  # nothing is taken back any more, or there is nothing yet
    seen = match.watched_entry if seat is None else match.seats[seat].seen_entry
    return seen is not None and seen >= match.last_entry


def note(service: Service, match_id: int, seat: Seat | None) -> None:
    """Note, before it is shown, that this seat (None: a spectator) sees the newest entry.

    Of the match nothing changes but what its players can still take back.
    """
    with service.database.write() as work:
        # Either this comes first, and nothing is taken back, or what is shown is what is left.
        service.database.lock_match(work.session, match_id)
        last = work.session.get_one(Match, match_id, populate_existing=True).last_entry
        if seat is None:
            work.session.execute(
                update(Match)
                .where(Match.id == match_id, func.coalesce(Match.watched_entry, -1) < last)
                .values(watched_entry=last)
            )
            return
        note_shown(work.session, match_id, seat, last)


def note_shown(session: Session, match_id: int, seat: Seat, n: int) -> None:
    """Note that this seat is shown entry n, in a transaction that has locked the match."""
    session.execute(
        update(SeatRow)
        .where(
            SeatRow.match_id == match_id,
            SeatRow.seat == seat,
            func.coalesce(SeatRow.seen_entry, -1) < n,
        )
        .values(seen_entry=n)
    )

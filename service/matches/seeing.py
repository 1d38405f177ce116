"""Noting who has been shown what: a turn that somebody else has seen cannot be taken back.

A page carries a mark for the newest entry it shows, and a browser in which somebody looks at the
page sends it back. Opening a page notes nothing: mail servers, messengers and browsers themselves
open pages that nobody looks at.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, func, select, update
from sqlalchemy.orm import Session

from engine.protocol import Asks, Seat
from service.core import locks
from service.core.context import Service
from service.core.models import EntryRow, Match, SeatRow
from service.core.session import of_matches
from service.core.statuses import MatchStatus
from service.matches import journal

MOST = 12
"""Marks of one page: the list of one's games shows as many boards at most."""

_MARK = re.compile(r"([a-z2-9]{1,16})-(\d{1,2}|watch)-(\d{1,6})-([a-z2-7]{26})")


def marks(
    service: Service, session: Session, shown: Iterable[tuple[Match, Seat | None]]
) -> list[str]:
    """The marks of the newest moves for a page that shows each match to a seat (None: to
    spectators). There is none if nothing depends on it: it is known to be seen, or the match is not
    being played.

    A mark holds for this entry alone, not for one that is played in its place after it was taken
    back; and for who sits there now.
    """
    maybe = [(match, seat) for match, seat in shown if _is_unseen(match, seat, match.last_entry)]
    if not maybe:
        return []
    made = journal.last_moves(session, [match for match, _ in maybe])
    unseen = [(match, seat) for match, seat in maybe if _is_unseen(match, seat, made[match.id].n)]
    return [
        f"{match.code}-{'watch' if seat is None else seat}-{made[match.id].number}-"
        + _token(service, match, seat, made[match.id])
        for match, seat in unseen
    ]


def _is_unseen(match: Match, seat: Seat | None, n: int) -> bool:
    if match.status != MatchStatus.PLAYING:
        return False
    seen = match.watched_entry if seat is None else match.seats[seat].seen_entry
    return seen is None or seen < n


def note(service: Service, marks: str) -> None:
    """Note that somebody looks at a page with these marks, joined by dots. Of what has been taken
    back since, and of marks that are not ours, nothing is noted.

    Of a match nothing changes but what its players can still take back.
    """
    for text in marks.split(".")[:MOST]:
        if (found := _MARK.fullmatch(text)) is not None:
            code, where, turn, token = found.groups()
            _note(service, code, None if where == "watch" else int(where), int(turn), token)


def _note(service: Service, code: str, seat: Seat | None, turn: int, token: str) -> None:
    with service.database.read() as session:
        match = session.scalar(select(Match).where(Match.code == code))
        if match is None or _entry_of(service, session, match, seat, turn, token) is None:
            return  # nobody who only knows a code takes a match's lock
        number = match.id
    with service.database.write() as work:
        session = work.session
        # Either this comes first, and the entry stays, or it is gone.
        match = locks.lock_number(service, work, number)
        n = _entry_of(service, session, match, seat, turn, token)
        if n is None:
            return
        if seat is not None:
            note_shown(session, number, seat, n)
        elif match.watched_entry is None or match.watched_entry < n:
            match.watched_entry = n


def _entry_of(
    service: Service, session: Session, match: Match, seat: Seat | None, turn: int, token: str
) -> int | None:
    """The entry that this is the mark of, if it stands and the mark is of who sits there now."""
    if match.status != MatchStatus.PLAYING:
        return None
    if seat is not None and seat not in range(len(match.seats)):
        return None
    moves = select(*journal.MOVE).where(
        EntryRow.match_id == match.id, EntryRow.number == turn, EntryRow.asks == Asks.MUST
    )
    for move in session.execute(moves):
        if hmac.compare_digest(token, _token(service, match, seat, move)):
            return int(move.n)
    return None


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
        .execution_options(**of_matches(match_id))
    )


def _token(service: Service, match: Match, seat: Seat | None, move: Row[*tuple[Any, ...]]) -> str:
    """The proof of a mark of this move."""
    occupancy = 0 if seat is None else match.seats[seat].occupancy
    made_at = move.made_at.isoformat()
    return service.keys.token("seen", match.id, seat, occupancy, move.number, move.digest, made_at)

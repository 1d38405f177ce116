"""Join links: the address of a table at which anybody who has it can take a seat.

A table has one at a time. Its host can take it back, and have another made: the one before opens
nothing any more. It ends with the table's wait for its empty seats.
"""

from __future__ import annotations

import datetime as dt

from service.core.context import Service
from service.core.db import Work
from service.core.locks import LockedMatch
from service.core.models import Key, Match
from service.core.statuses import MatchStatus, SeatStatus

PURPOSE = "join"

GOOD_FOR = dt.timedelta(days=14)
"""How long a join link is good, and its table waits for its empty seats."""


def make(service: Service, work: Work, match: LockedMatch) -> None:
    """Make a join link; the one before is taken back."""
    revoke(match, service.now())
    match.join_links += 1
    match.join_until = service.now() + GOOD_FOR
    match.fill_until = max(match.join_until, match.fill_until or match.join_until)
    number = match.join_links
    service.keys.issue(
        work.session, PURPOSE, match.id, number, match_id=match.id, decision=str(number)
    )


def revoke(match: LockedMatch, now: dt.datetime) -> None:
    """Take the join link back: nobody asks for a seat by it, and who has not confirmed theirs is
    asked to no more. Seats are kept for nobody any longer.
    """
    match.join_until = None
    for row in match.invitees:
        if row.status == SeatStatus.JOINING:
            row.status = SeatStatus.WITHDRAWN
        row.stop_holding(now)


def is_good(match: Match, now: dt.datetime) -> bool:
    """True if the table has a join link by which seats can be asked for."""
    return (
        match.status == MatchStatus.INVITING
        and match.join_until is not None
        and match.join_until > now
    )


def is_newest(match: Match, key: Key) -> bool:
    """True if the key is that of the table's newest join link, and it was not taken back."""
    return match.join_until is not None and key.decision == str(match.join_links)

"""The time of a match as one seat sees it: what holds the clocks, and what can be done about it."""

from __future__ import annotations

import datetime as dt

import msgspec
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service.core.context import Service
from service.core.models import Match
from service.core.statuses import MatchStatus
from service.outgoing import news
from service.time import nudging, pausing


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """The state of time for a seat, and what it can do about it.

    `paused` with the moment it ends by itself (`until`), if it does; `asked_by` and `asked_days` of
    a pause that waits for consent, and `agreed` whether this seat has given its own; `alone` if no
    other person has to agree; `late` whom one may nudge, or when again (`nudge_at`); `stand_in` the
    bot that plays for this seat.
    """

    paused: bool
    until: dt.datetime | None
    asked_by: Seat | None
    asked_days: int | None
    agreed: bool
    alone: bool
    late: tuple[Seat, ...]
    nudge_at: dt.datetime | None
    stand_in: str | None


def timing_of(service: Service, session: Session, match: Match, seat: Seat) -> Timing | None:
    """None if there is nothing to do about time: it is not being played, or the player has left."""
    row = match.seats[seat]
    if match.status != MatchStatus.PLAYING or row.player_id is None or row.left_at is not None:
        return None
    if row.is_out:
        return None
    asked = pausing.asked_of(session, match)
    running = pausing.running_of(session, match)
    slow = nudging.slow(session, match, seat) if match.paused_at is None else []
    nudged = [r.nudged_at for r in slow if r.nudged_at is not None]
    waits = len(nudged) == len(slow) and bool(slow)
    again = min(nudged) + nudging.APART if waits else None
    return Timing(
        paused=match.paused_at is not None,
        until=running.until if running else None,
        asked_by=asked.seat if asked else None,
        asked_days=asked.days if asked else None,
        agreed=asked is not None and seat in asked.agreed,
        alone=all(other.seat == seat for other in news.present(match)),
        late=tuple(dict.fromkeys(r.seat for r in slow)),
        nudge_at=again if again is not None and again > service.now() else None,
        stand_in=row.stand_in,
    )

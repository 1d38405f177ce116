"""Locks on matches, taken in one order by everybody: matches by number, then what belongs to them.

Whatever concerns all matches of a player takes all of them first: two who have one match each and
want the other's would wait for each other for ever (PostgreSQL; SQLite has one writer).
"""

from __future__ import annotations

from sqlalchemy import Select, select

from service.context import Service
from service.db import Work
from service.models import Match, Player, SeatRow


def lock(service: Service, work: Work, match: Match) -> None:
    """Keep others from changing this match, and see it and its seats as they have left it."""
    if service.database.lock_match(work.session, match.id):
        work.session.flush()
        work.session.get_one(Match, match.id, populate_existing=True)


def lock_all(service: Service, work: Work, player: Player) -> list[Match]:
    """The same for all matches this player plays in, which are returned, and for the player."""
    waited = lock_numbers(service, work, player.id)
    if waited:
        work.session.refresh(player)
    return list(
        work.session.scalars(
            _playing(player.id).order_by(Match.id).execution_options(populate_existing=waited)
        )
    )


def lock_numbers(
    service: Service, work: Work, player_id: int | None, also: int | None = None
) -> bool:
    """Lock all matches somebody plays in, and one more, and read nothing. True if it may have
    waited.
    """
    found = work.session.scalars(_playing(player_id).with_only_columns(Match.id)).all()
    numbers = {*found} if also is None else {*found, also}
    waited = [service.database.lock_match(work.session, n) for n in sorted(numbers)]
    return any(waited)


def _playing(player_id: int | None) -> Select[Match]:
    return (
        select(Match)
        .join(SeatRow)
        .where(SeatRow.player_id == player_id, SeatRow.seat.is_not(None), Match.status == "playing")
    )

"""The hours in which a player's clock runs at a table: its weekdays, the player's zone and
absences.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from service.core.models import Absence, Match, Player
from service.time.pace import Schedule

_ABSENCES = (
    select(Absence.first, Absence.last)
    .where(Absence.player_id == bindparam("player"))
    .order_by(Absence.first)
)


def schedule_of(
    session: Session,
    match: Match,
    player: Player,
    outages: tuple[tuple[dt.datetime, dt.datetime], ...] = (),
) -> Schedule:
    """The schedule of this player at this table, with these times in which we were away."""
    return Schedule(
        zone=player.zone,
        playing_days=match.playing_days,
        quiet_from=player.quiet_from,
        quiet_to=player.quiet_to,
        absences=absences_of(session, player),
        outages=outages,
    )


def absences_of(session: Session, player: Player) -> tuple[tuple[dt.date, dt.date], ...]:
    """The days the player was, is or will be away, as (first, last)."""
    rows = session.execute(_ABSENCES, {"player": player.id})
    return tuple((row.first, row.last) for row in rows)

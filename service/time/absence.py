"""Being away: days on which no clock of a player runs, out of a budget for each year."""

from __future__ import annotations

import datetime as dt

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Absence, Player
from service.time import deadlines, pace

log = structlog.get_logger(__name__)

AHEAD = dt.timedelta(days=366)
"""How far ahead days away can be told of."""

_DAY = dt.timedelta(days=1)


def add(service: Service, work: Work, player: Player, first: dt.date, last: dt.date) -> Absence:
    """Be away from `first` to `last`, both counted; the clocks of all matches follow.

    Told of again it changes nothing. Raises Refused: "bad_dates" (in the past, too far ahead or
    ended before it began), "away_budget" (`left` days in `year`).
    """
    locks.lock_all(service, work, player)
    today = pace.today(service.now(), player.zone)
    if not today <= first <= last <= today + AHEAD:
        raise Refused("bad_dates")
    known = of(work.session, player)
    for absence in known:
        if absence.first <= first and last <= absence.last:
            return absence
    taken = _days(known)
    wanted = taken | {first + _DAY * n for n in range((last - first).days + 1)}
    budget = service.settings.vacation_days
    for year in range(first.year, last.year + 1):
        spent = _in(taken, year)
        if budget and _in(wanted, year) > max(budget, spent):
            raise Refused("away_budget", left=max(0, budget - spent), year=year)
    absence = Absence(player_id=player.id, first=first, last=last, made_at=service.now())
    work.session.add(absence)
    work.session.flush()
    deadlines.refresh_player(service, work, player)
    log.info("away", player=player.id, days=(last - first).days + 1)
    return absence


def end(service: Service, work: Work, player: Player, absence_id: int | None = None) -> None:
    """Be back, or not go at all: the days from today on count again.

    Without an id: from the absence that is running, or if there is none from all to come. Raises
    Refused("not_away").
    """
    locks.lock_all(service, work, player)
    today = pace.today(service.now(), player.zone)
    known = [row for row in of(work.session, player) if row.last >= today]
    if absence_id is not None:
        chosen = [row for row in known if row.id == absence_id]
    else:
        chosen = [row for row in known if row.first <= today] or known
    if not chosen:
        raise Refused("not_away")
    for row in chosen:
        if row.first >= today:
            work.session.delete(row)
        else:
            row.last = today - _DAY
    work.session.flush()
    deadlines.refresh_player(service, work, player)
    log.info("back_from_away", player=player.id)


def of(session: Session, player: Player) -> list[Absence]:
    """All of a player's absences, those that are over too, in order."""
    query = select(Absence).where(Absence.player_id == player.id).order_by(Absence.first)
    return list(session.scalars(query))


def left(service: Service, session: Session, player: Player, year: int) -> int | None:
    """The number of days away the player has left in this year; None for as many as they like."""
    budget = service.settings.vacation_days
    return max(0, budget - _in(_days(of(session, player)), year)) if budget else None


def _days(absences: list[Absence]) -> set[dt.date]:
    """The days, each once however often it was told of."""
    return {
        row.first + _DAY * n for row in absences for n in range((row.last - row.first).days + 1)
    }


def _in(days: set[dt.date], year: int) -> int:
    return sum(day.year == year for day in days)

"""Pausing a match: one asks, and it begins when everybody has agreed."""

from __future__ import annotations

import datetime as dt

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import (
    EverybodyAway,
    PauseBegun,
    PauseOver,
    PauseRefused,
    PauseWanted,
    PauseWithdrawn,
)
from service.core.locks import LockedMatch
from service.core.models import Match, Pause, SeatRow
from service.core.statuses import MatchStatus, PauseStatus
from service.outgoing import news
from service.time import deadlines, lost_time, outages

log = structlog.get_logger(__name__)

LENGTHS = range(1, 61)


def ask(
    service: Service, work: Work, match: Match, seat: int, days: int, *, answered: bool = False
) -> Pause:
    """Ask the others for a pause of so many days; with bots only it begins at once.

    Who asks again changes what they asked for. `answered`: who asks gets an answer to their mail,
    and no news besides (here and below). Raises Refused: "bad_days", "not_playing", "paused",
    "pause_asked" (somebody else has asked: agree or not), "seat_left", "out_of_game" (here and
    below).
    """
    if days not in LENGTHS:
        raise Refused("bad_days", least=LENGTHS.start, most=LENGTHS.stop - 1)
    match = locks.lock_in_play(service, work, match, seat)
    if match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    if match.paused_at is not None:
        raise Refused("paused")
    asked = asked_of(work.session, match)
    if asked is not None and asked.seat != seat:
        raise Refused("pause_asked", days=asked.days)
    if asked is not None:
        if asked.days == days:
            return asked
        asked.status = PauseStatus.WITHDRAWN
    pause = Pause(
        match_id=match.id,
        seat=seat,
        days=days,
        status=PauseStatus.ASKED,
        agreed=[seat],
        asked_at=service.now(),
    )
    work.session.add(pause)
    work.session.flush()
    if not _begin_if_agreed(service, work, match, pause, seat if answered else None):
        others = [row for row in news.present(match) if row.seat != seat]
        news.tell(service, work, match, PauseWanted(about=seat, days=days), pause.id, to=others)
    return pause


def answer(
    service: Service, work: Work, match: Match, seat: int, agree: bool, *, answered: bool = False
) -> Pause:
    """Agree to the pause that was asked for, or not; who asked and does not agree withdraws it.

    Raises Refused: "not_playing", "no_pause_asked", "paused" (it is already: nothing to agree to).
    """
    match = locks.lock_in_play(service, work, match, seat)
    if match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    pause = asked_of(work.session, match)
    if pause is None:
        raise Refused("no_pause_asked")
    if agree:
        if match.paused_at is not None:
            raise Refused("paused")
        pause.agreed = sorted({*pause.agreed, seat})
        log.info("pause_agreed", match=match.id, seat=seat)
        _begin_if_agreed(service, work, match, pause, seat if answered else None)
        return pause
    pause.status = PauseStatus.WITHDRAWN if seat == pause.seat else PauseStatus.REFUSED
    others = [row for row in news.present(match) if row.seat != seat]
    withdrawn = pause.status == PauseStatus.WITHDRAWN
    event = PauseWithdrawn(about=seat) if withdrawn else PauseRefused(about=seat)
    news.tell(service, work, match, event, pause.id, to=others)
    return pause


def resume(
    service: Service, work: Work, match: Match, seat: int, *, answered: bool = False
) -> None:
    """End the pause for all: it held by everybody's consent. Raises Refused("not_paused")."""
    match = locks.lock_in_play(service, work, match, seat)
    if match.paused_at is None:
        raise Refused("not_paused")
    _end(service, work, match, seat, seat if answered else None)


def end_if_over(service: Service, pause_id: int) -> None:
    """End a pause whose time has come. Calling it again changes nothing."""
    with service.database.write() as work:
        pause = work.session.get_one(Pause, pause_id)
        match = locks.lock_number(service, work, pause.match_id)
        now = outages.present(service, work.session)
        lost_time.give_back(service, work, match)
        if pause.until is None or pause.until > now:
            return
        _end(service, work, match, None)


def stop_all(service: Service, work: Work, match: LockedMatch, *, bots: bool = False) -> None:
    """Pause without anybody's asking or an end: the table is left alone (with bots that would play
    it to the end). Tell its people.
    """
    match.paused_at = service.now()
    deadlines.refresh(service, work, match)
    key = f"{match.paused_at:%Y%m%d%H%M%S}"
    news.tell(service, work, match, EverybodyAway(bots=bots), key)


def wake(service: Service, work: Work, match: LockedMatch, seat: int, *, secret: bool) -> None:
    """Somebody plays at a table that was left alone: it goes on. One they agreed on holds. Nobody
    is told who it was where that they have decided is `secret`.
    """
    if match.paused_at is not None and running_of(work.session, match) is None:
        _end(service, work, match, None if secret else seat, seat)


def look_again(service: Service, work: Work, match: LockedMatch) -> None:
    """Somebody does not play themselves any more: the pause they had not agreed to may begin."""
    pause = asked_of(work.session, match)
    if pause is not None and match.paused_at is None and news.present(match):
        _begin_if_agreed(service, work, match, pause)


def forget(session: Session, match: LockedMatch, seat: int) -> None:
    """Forget who sat here and has gone for good: they ask for no pause any more, and have agreed to
    none.
    """
    pause = asked_of(session, match)
    if pause is None:
        return
    pause.agreed = [each for each in pause.agreed if each != seat]
    if pause.seat == seat:
        pause.status = PauseStatus.WITHDRAWN


def asked_of(session: Session, match: Match) -> Pause | None:
    """The pause that was asked for and not answered by everybody yet."""
    return _newest(session, match, "asked")


def running_of(session: Session, match: Match) -> Pause | None:
    """The pause that was agreed on and is not over."""
    return _newest(session, match, "running")


def _newest(session: Session, match: Match, status: str) -> Pause | None:
    return session.scalars(
        select(Pause)
        .where(Pause.match_id == match.id, Pause.status == status)
        .order_by(Pause.id.desc())
        .limit(1)
        .execution_options(populate_existing=True)
    ).first()


def waits_for(match: Match, pause: Pause) -> list[SeatRow]:
    """The seats that have not agreed to the pause yet. Bots need not, nor those they play for."""
    return [row for row in news.present(match) if row.seat not in pause.agreed]


def _begin_if_agreed(
    service: Service, work: Work, match: LockedMatch, pause: Pause, knows: int | None = None
) -> bool:
    """Begin when all who play have agreed. The seat that `knows` is not told."""
    if waits_for(match, pause):
        return False
    now = service.now()
    pause.status, pause.until = PauseStatus.RUNNING, now + dt.timedelta(days=pause.days)
    match.paused_at = now
    deadlines.refresh(service, work, match)
    news.tell(
        service,
        work,
        match,
        PauseBegun(about=pause.seat, until=pause.until),
        pause.id,
        to=[row for row in news.in_play(match) if row.seat != knows],
    )
    return True


def _end(
    service: Service, work: Work, match: LockedMatch, seat: int | None, knows: int | None = None
) -> None:
    pause = running_of(work.session, match)
    if pause is not None:
        pause.status, pause.until = PauseStatus.OVER, None
    began = match.paused_at
    match.paused_at = None
    if match.status != MatchStatus.PLAYING or began is None:
        return
    deadlines.refresh(service, work, match)
    key = f"{began:%Y%m%d%H%M%S}"
    told = [row for row in news.in_play(match) if row.seat != knows]
    news.tell(service, work, match, PauseOver(about=seat), key, to=told)

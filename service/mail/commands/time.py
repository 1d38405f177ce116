"""Words about time: pauses, days away, reminders, nudges, and coming back."""

from __future__ import annotations

import datetime as dt

from service.core.errors import Refused
from service.core.models import Pause
from service.core.results import (
    Away,
    CameBack,
    HereAlready,
    NotAway,
    Nudged,
    PauseChanged,
    PauseEnded,
    Result,
)
from service.core.statuses import MatchStatus
from service.mail.commands import arguments as takes
from service.mail.commands.word import Arguments, Asking, Word
from service.matches import standins
from service.time import absence, nudging, pace, pausing


def _pause(asking: Asking, said: Arguments) -> Result:
    service, work, match = asking.service, asking.work, asking.table
    pause = pausing.ask(service, work, match, asking.seat, said["days"], answered=True)
    return _of_pause(asking, pause)


def _of_pause(asking: Asking, pause: Pause) -> Result:
    return PauseChanged(
        status=pause.status,
        days=pause.days,
        until=pause.until,
        asked_by_me=pause.seat == asking.seat,
        waits=tuple(row.name for row in pausing.waits_for(asking.table, pause)),
    )


def _resume(asking: Asking, _: Arguments) -> Result:
    pausing.resume(asking.service, asking.work, asking.table, asking.seat, answered=True)
    return PauseEnded()


def consent(asking: Asking, agree: bool) -> Result | None:
    """Agree to the pause that was asked for, or not; None if none was."""
    if asking.row is None or asking.row.seat is None or asking.table.status != MatchStatus.PLAYING:
        return None
    if pausing.asked_of(asking.work.session, asking.table) is None:
        return None
    service, work, match = asking.service, asking.work, asking.table
    pause = pausing.answer(service, work, match, asking.seat, agree, answered=True)
    return _of_pause(asking, pause)


def _away(asking: Asking, said: Arguments) -> Result:
    service, work, player = asking.service, asking.work, asking.player
    if said["over"]:
        absence.end(service, work, player)
        return NotAway()
    today = pace.today(service.now(), player.zone)
    try:
        last = said["last"] or today + dt.timedelta(days=said["days"] - 1)
        first, last = takes.dated(said["first"], last, today)
    except OverflowError as error:
        raise Refused("bad_dates") from error
    row = absence.add(service, work, player, first, last)
    return Away(
        first=row.first,
        last=row.last,
        left=absence.left(service, work.session, player, row.first.year),
        year=row.first.year,
    )


def _nudge(asking: Asking, _: Arguments) -> Result:
    nudging.nudge(asking.service, asking.work, asking.table, asking.seat)
    return Nudged()


def _back(asking: Asking, _: Arguments) -> Result:
    """Take the seat back from a bot; who is only away ends that."""
    service, work = asking.service, asking.work
    returned = asking.row is not None and asking.table.status == MatchStatus.PLAYING
    took = returned and standins.take_back(service, work, asking.table, asking.seat)
    try:
        absence.end(service, work, asking.player)
    except Refused:
        if not took:
            return HereAlready()
    return CameBack(took=took)


WORDS = (
    Word(
        name="pause",
        spellings=("pause",),
        arguments=takes.days,
        act=_pause,
        sample=True,
    ),
    Word(
        name="resume",
        spellings=("resume", "reprendre", "continue", "continuer"),
        arguments=takes.nothing,
        act=_resume,
    ),
    Word(
        name="away",
        spellings=("away", "absent", "absente", "absence", "vacation", "vacances"),
        arguments=takes.away,
        act=_away,
        sample=True,
        stays_away=True,
    ),
    Word(
        name="nudge",
        spellings=("nudge", "relancer", "relance"),
        arguments=takes.nothing,
        act=_nudge,
    ),
    Word(
        name="back",
        spellings=("back", "retour"),
        arguments=takes.nothing,
        act=_back,
        # The word itself takes the seat back, and says so.
        stays_away=True,
    ),
)

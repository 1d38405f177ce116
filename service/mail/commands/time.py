"""Words about time: pauses, days away, reminders, nudges, and coming back."""

from __future__ import annotations

import datetime as dt
from typing import Any

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
from service.mail.commands.command import Command, CommandContext
from service.matches import standins
from service.time import absence, nudging, pace, pausing


def _pause(context: CommandContext, said: takes.Days) -> Result:
    service, work, match = context.service, context.work, context.table
    pause = pausing.ask(service, work, match, context.seat, said.days, answered=True)
    return _of_pause(context, pause)


def _of_pause(context: CommandContext, pause: Pause) -> Result:
    return PauseChanged(
        status=pause.status,
        days=pause.days,
        until=pause.until,
        asked_by_me=pause.seat == context.seat,
        waits=tuple(row.name for row in pausing.waits_for(context.table, pause)),
    )


def _resume(context: CommandContext, _: takes.Nothing) -> Result:
    pausing.resume(context.service, context.work, context.table, context.seat, answered=True)
    return PauseEnded()


def consent(context: CommandContext, agree: bool) -> Result | None:
    """Agree to the pause that was asked for, or not; None if none was."""
    if (
        context.row is None
        or context.row.seat is None
        or context.table.status != MatchStatus.PLAYING
    ):
        return None
    if pausing.asked_of(context.work.session, context.table) is None:
        return None
    service, work, match = context.service, context.work, context.table
    pause = pausing.answer(service, work, match, context.seat, agree, answered=True)
    return _of_pause(context, pause)


def _away(context: CommandContext, said: takes.DaysAway) -> Result:
    service, work, player = context.service, context.work, context.player
    if said.over:
        absence.end(service, work, player)
        return NotAway()
    today = pace.today(service.now(), player.zone)
    try:
        last = said.last
        if last is None:
            assert said.days is not None
            last = today + dt.timedelta(days=said.days - 1)
        first, last = takes.dated(said.first, last, today)
    except OverflowError as error:
        raise Refused("bad_dates") from error
    row = absence.add(service, work, player, first, last)
    return Away(
        first=row.first,
        last=row.last,
        left=absence.left(service, work.session, player, row.first.year),
        year=row.first.year,
    )


def _nudge(context: CommandContext, _: takes.Nothing) -> Result:
    nudging.nudge(context.service, context.work, context.table, context.seat)
    return Nudged()


def _back(context: CommandContext, _: takes.Nothing) -> Result:
    """Take the seat back from a bot; who is only away ends that."""
    service, work = context.service, context.work
    returned = context.row is not None and context.table.status == MatchStatus.PLAYING
    took = returned and standins.take_back(service, work, context.table, context.seat)
    try:
        absence.end(service, work, context.player)
    except Refused:
        if not took:
            return HereAlready()
    return CameBack(took=took)


WORDS: tuple[Command[Any], ...] = (
    Command("pause", "pause", arguments=takes.days, act=_pause, sample=True),
    Command("resume", "resume reprendre continue continuer", act=_resume),
    Command(
        "away",
        "away absent absente absence vacation vacances",
        arguments=takes.away,
        act=_away,
        sample=True,
        stays_away=True,
    ),
    Command("nudge", "nudge relancer relance", act=_nudge),
    # The word itself takes the seat back, and says so.
    Command("back", "back retour", act=_back, stays_away=True),
)

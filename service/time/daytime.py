"""Moments by a player's own clock: when letters may wait until."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from service.core.models import Player, SeatRow
from service.time.pace import Schedule, calm

USUAL_DIGEST = 8 * 60
"""Minutes of the day by which a digest comes for who wants one of a single table only."""
DIGESTS_WITHIN = 30
"""Minutes before an hour in which its digests leave, each reader's in a minute of their own: none
waits for all the others (docs/decisions/0060-digests-come-by-the-hour.md).
"""


def awake(player: Player, at: dt.datetime) -> dt.datetime:
    """This moment, or the end of the player's quiet hours that it falls into."""
    if player.quiet_from is None or player.quiet_to is None:
        return at
    return calm(
        at, Schedule(zone=player.zone, quiet_from=player.quiet_from, quiet_to=player.quiet_to)
    )


def digest_hour(player: Player, seat: SeatRow | None) -> int | None:
    """Minutes of the local day by which the letters of this seat are sent together; None: each by
    itself. What is chosen for the table goes before what is chosen for all.
    """
    if seat is not None and seat.digest is not None:
        return (
            (player.digest_at if player.digest_at is not None else USUAL_DIGEST)
            if seat.digest
            else None
        )
    return player.digest_at


def _early(player: Player) -> dt.timedelta:
    """How long before the hour a player's digest leaves: 1 to `DIGESTS_WITHIN` minutes, always the
    same.
    """
    return dt.timedelta(minutes=1 + player.id % DIGESTS_WITHIN)


def next_digest(player: Player, hour: int, after: dt.datetime) -> dt.datetime:
    """The next moment at which the player's digest by this hour leaves, and the player is awake.

    One whose minute is over may still wait for the end of quiet hours.
    """
    early = _early(player)
    of_today, later = (
        awake(player, next_time(player.zone, hour, since + early) - early)
        for since in (after - dt.timedelta(days=1), after)
    )
    return of_today if of_today > after else later


def digest_day(player: Player, hour: int, now: dt.datetime) -> dt.date:
    """The local day of a digest by this hour that leaves now: that of its hour, for one that comes
    by midnight leaves the day before, and one that is late may leave the day after.
    """
    at = now + _early(player)
    day = at.astimezone(ZoneInfo(player.zone)).date()
    return day if _moment(player.zone, hour, day) <= at else day - dt.timedelta(days=1)


def next_time(zone: str, minutes: int, after: dt.datetime) -> dt.datetime:
    """The first moment after `after` at which the local clock shows this minute of the day."""
    day = after.astimezone(ZoneInfo(zone)).date()
    while (moment := _moment(zone, minutes, day)) <= after:
        day += dt.timedelta(days=1)
    return moment


def _moment(zone: str, minutes: int, day: dt.date) -> dt.datetime:
    """When the local clock shows this minute of a day. A time that the clocks skip is taken as they
    were before they changed, one that comes twice as the first (PEP 495).
    """
    wall = dt.datetime.combine(day, dt.time(minutes // 60, minutes % 60), ZoneInfo(zone))
    return wall.astimezone(dt.UTC)

"""The settings page: all that its reader has chosen, and the form that came back to be mended."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Response, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match, Player, SeatRow
from service.core.statuses import MatchStatus, SeatStatus
from service.matches import punctuality
from service.players import accounts, aliases, preferences
from service.players.preferences import clock_time
from service.time import absence
from service.time.pace import today
from service.web import identity
from service.web.fields import Form
from service.web.here import service
from service.web.identity import to_sign_in
from service.web.rendering import clock, page
from service.web.security import scripted

USUAL_REMINDERS = ("half", "24h", "4h")
DIGEST_HOURS = tuple(hour * 60 for hour in range(24))


@contextmanager
def changing(typed: Form) -> Iterator[tuple[Work, Player]]:
    """The unit of work in which a form of the reader's changes something. Raises Refused for what
    is no such form.
    """
    typed.check()
    with service().database.write() as work:
        player = identity.reader_in(work.session)
        assert player is not None
        yield work, player


def show(
    part: str = "",
    problem: Refused | None = None,
    typed: dict[str, Any] | None = None,
    *,
    saved: bool = False,
    what: str = "",
) -> Response:
    """The page. `part` is the form that was sent: there it says what is wrong, or that it is saved
    (and `what` that means, where it is not the same for all of the part).
    """
    with service().database.read() as database:
        player = identity.reader_in(database)
        assert player is not None
        now = service().now()
        day = today(now, player.zone)
        answer = page(
            "settings",
            400 if problem is not None else 200,
            part=part,
            problem=problem,
            saved=saved,
            what=what,
            typed=_kept(player) | (typed or {}),
            player=player,
            zones=_by_area(sorted({*accounts.listed_zones(), player.zone})),
            before=_before(),
            usual=USUAL_REMINDERS,
            digest_hours=[clock_time(at) for at in _hours(player)],
            clock=clock(player.zone),
            away=[row for row in absence.of(database, player) if row.last >= day],
            away_left=absence.left(service(), database, player, day.year),
            today=day,
            latest=day + dt.timedelta(days=366),
            aliases=aliases.of(database, player),
            tables=_tables(database, player),
            punctual=punctuality.of(database, player),
            least_turns=punctuality.LEAST,
            now=now,
        )
    return scripted(answer)


def _by_area(zones: list[str]) -> dict[str, list[str]]:
    """Zones by the continent or ocean that their names begin with; "" for those without."""
    found: dict[str, list[str]] = {}
    for zone in zones:
        found.setdefault(zone.partition("/")[0] if "/" in zone else "", []).append(zone)
    return found


def _before() -> dict[str, list[str]]:
    """The names from before, by those that zones are listed by."""
    found: dict[str, list[str]] = {}
    for old, new in accounts.renamed_zones().items():
        found.setdefault(new, []).append(old)
    return found


def again(part: str) -> ResponseReturnValue:
    """The page once more for a form whose guard token was not good."""
    if identity.reader() is None:
        return to_sign_in(url_for("account.form"))
    return show(part, Refused("stale_form"))


def done(part: str, what: str | None = None) -> Redirect:
    """On to the page, which says at this part of it that it is kept."""
    return redirect(url_for("account.saved", part=part, what=what, _anchor=part), 303)


def _kept(player: Player) -> dict[str, Any]:
    own = [text for text in player.reminders if text not in USUAL_REMINDERS]
    return {
        "name": player.name,
        "lang": player.lang,
        "zone": player.zone,
        "quiet-from": clock_time(player.quiet_from),
        "quiet-to": clock_time(player.quiet_to),
        "reminders": [text for text in player.reminders if text in USUAL_REMINDERS],
        "other-reminders": ", ".join(own),
        "digest": clock_time(player.digest_at),
        "thread": player.thread_by,
    }


def _hours(player: Player) -> list[int]:
    chosen = () if player.digest_at is None else (player.digest_at,)
    return sorted({*DIGEST_HOURS, *chosen})


def _tables(database: Session, player: Player) -> list[SeatRow]:
    """Where letters may still come from."""
    return list(
        database.scalars(
            select(SeatRow)
            .join(Match)
            .where(
                SeatRow.player_id == player.id,
                SeatRow.status == SeatStatus.ACCEPTED,
                SeatRow.seat.is_not(None),
                Match.status.in_((MatchStatus.INVITING, MatchStatus.PLAYING)),
            )
            .order_by(SeatRow.id.desc())
            .limit(60)
        )
    )


def minutes_or_none(text: str) -> int | None:
    """A time of the day that may be left open. Raises Refused("bad_time")."""
    return preferences.minutes(text) if text else None

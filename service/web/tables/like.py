"""The form of a new table, filled with what one had that was called off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.protocol import Game
from service.core.models import Match, SeatRow
from service.core.statuses import MatchStatus, SeatStatus
from service.matches import hosting

Options = tuple[dict[str, str], dict[str, list[str]]]


class Filled(NamedTuple):
    """The fields of the form, one value each and several, and who is left out of it: they could not
    come.
    """

    typed: dict[str, str]
    several: dict[str, list[str]]
    left_out: list[str]


def filled(
    session: Session, code: str, host: int, game: Game[Any, Any], choices: Mapping[str, bool]
) -> Filled | None:
    """The form, filled; None unless this host's table of the game was called off. Of a guest who
    came by a link the host has seen no address: that seat is open. Where too few are left, the form
    asks for guests.
    """
    match = session.scalar(select(Match).where(Match.code == code))
    if match is None or (match.host_id, match.game) != (host, game.key):
        return None
    if match.status != MatchStatus.CANCELLED:
        return None
    written = hosting.invitations(session, match)
    typed = {"way": "seats", "name": match.name or "", "greeting": match.greeting or ""}
    typed |= {f"seat{n}-who": "guest" for n in range(1, game.seats.start)}
    others = [row for row in match.invitees if row.player_id != host and _was_asked(row)]
    for n, row in enumerate(others[: game.seats.stop - 2], start=1):
        found = written.get(row.player_id or 0)
        address = found.address if found is not None else ""
        who = f"bot:{row.bot}" if row.bot else "guest" if address else "open"
        typed |= {f"seat{n}-who": who, f"seat{n}-address": address, f"seat{n}-lang": row.lang}
        if who != "open":
            typed[f"seat{n}-name"] = row.name
    options, several = _options(match, choices)
    days = [str(day) for day in range(7) if match.playing_days >> day & 1]
    return Filled(
        typed | _time(match) | options,
        several | {"playing": days},
        [row.name for row in match.absent],
    )


def _was_asked(row: SeatRow) -> bool:
    return row.status not in (SeatStatus.WITHDRAWN, SeatStatus.JOINING, SeatStatus.DECLINED)


def _time(match: Match) -> dict[str, str]:
    shared = {"timeout": str(match.timeout), "hold": str(match.hold_minutes)}
    if match.bank_hours is None:
        return shared | {"clock": "turn", "pace": str(match.pace_days)}
    bank, increment = str(match.bank_hours // 24), str(match.increment_hours or 0)
    return shared | {"clock": "bank", "bank": bank, "increment": increment}


def _options(match: Match, choices: Mapping[str, bool]) -> Options:
    chosen = msgspec.json.decode(match.options)
    one: dict[str, str] = {}
    many: dict[str, list[str]] = {}
    for name, several in choices.items():
        value = chosen.get(name.removeprefix("option-"))
        if several and value:
            many[name] = [str(each) for each in value]
        elif not several and value not in (None, False):
            one[name] = "true" if value is True else str(value)
    return one, many

"""The same table again: whoever asks first hosts it, everybody else is invited.

Terms, options and neighbours stay. Who sat after the last first player, clockwise, begins.
"""

from __future__ import annotations

from typing import cast

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.fairness import commitment_of
from engine.protocol import HasFirstPlayer, new_options
from service.core.context import Service
from service.core.db import Work
from service.core.locks import lock_key
from service.core.models import Match, SeatRow
from service.core.statuses import MatchStatus
from service.core.verdicts import JsonObject
from service.matches import journal
from service.matches.tables import BotSeat, Guest, OpenSeat, Place, open_table
from service.time.terms import terms_of


def rematch(service: Service, work: Work, token: str, part: bytes | None = None) -> Match:
    """Open the same table again, with the owner of this link as its host. `part` is what they add
    to its chance.

    Asked again, by whomever of the table, it is the same new match. Raises Refused: "unknown_link",
    and whatever `open_table` raises.
    """
    key = lock_key(service, work, token, "rematch")
    old = work.session.get_one(Match, key.match_id)
    opened = work.session.scalar(
        select(Match).where(Match.rematch_of == old.id, Match.status != MatchStatus.CANCELLED)
    )
    if opened is not None:
        return opened
    host = old.seats[key.seat or 0]
    assert host.player is not None
    # Clockwise from the host, so that everybody keeps the same neighbours.
    at = old.seats.index(host)
    others = old.seats[at + 1 :] + old.seats[:at]
    return open_table(
        service,
        work,
        host.player,
        old.game,
        [_place(row) for row in others],
        terms_of(old),
        _options(work.session, old, at),
        rematch_of=old,
        part=part,
        secret=_secret(service, work.session, old, host.player_id),
    )


def commitment(service: Service, session: Session, old: Match, host_id: int | None) -> str:
    """The hash of the secret that the same table again will have, if this player opens it."""
    return commitment_of(_secret(service, session, old, host_id))


def _secret(service: Service, session: Session, old: Match, host_id: int | None) -> bytes:
    called_off = session.scalar(
        select(func.count()).select_from(Match).where(Match.rematch_of == old.id)
    )
    return service.keys.derive("rematch", old.id, host_id, called_off)


def _options(session: Session, old: Match, at: int) -> JsonObject:
    """The options of the old match, and what has come to the game since as new tables have it, with
    the next seat to begin where the game has it so; `at` is where the new host sat.
    """
    game = journal.game_of(old)
    options = new_options(game, msgspec.json.decode(old.options))
    if not isinstance(game, HasFirstPlayer):
        return cast(JsonObject, msgspec.to_builtins(options))
    began = game.first_player(journal.position(session, old, 0).state)
    following = (began + 1 - at) % len(old.seats)
    return cast(JsonObject, msgspec.to_builtins(game.with_first(options, following)))


def _place(row: SeatRow) -> Place:
    if row.player is not None and row.player.is_erased:
        return OpenSeat()  # there is nobody to ask
    if row.player is not None:
        return Guest(address=row.player.email, name=row.name, lang=row.player.lang)
    assert row.bot is not None
    return BotSeat(bot=row.bot, name=row.name)

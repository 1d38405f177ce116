"""The one click of a letter (RFC 8058): it ends letters, it never resigns or leaves a table.

A complaint about a letter ends the same (`complaints`).
"""

from __future__ import annotations

from typing import Literal

import msgspec
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Letter, Match, Player, SeatRow
from service.core.statuses import UNANSWERED, MatchStatus, MuteReason
from service.matches import tables
from service.outgoing.one_click import PURPOSE
from service.outgoing.policies import policy_of
from service.players.preferences import mute_row
from service.time.daytime import digest_hour

log = structlog.get_logger(__name__)

What = Literal["seat", "invitation", "digest"]


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """The letters a link can end, and whether it has: those of a match, all invitations, or those
    of all `seats` that come in the digest.
    """

    what: What
    player: Player
    match: Match | None
    seats: tuple[SeatRow, ...]
    ended: bool


def wish_of(service: Service, session: Session, token: str) -> Wish:
    """The letters this link can end. Raises Refused("unknown_link"), also for who sits there no
    more.
    """
    key = service.keys.find(session, token, PURPOSE)
    if key is None or key.player_id is None:
        raise Refused("unknown_link")
    player = session.get_one(Player, key.player_id)
    return _wish(session, player, key.match_id, invitation=key.decision == "invitation")


def wish_about(session: Session, letter: Letter) -> Wish:
    """The letters the one click of this letter can end; of a letter without one, those of its
    match. Raises Refused("unknown_link") for who sits there no more.
    """
    invitation = policy_of(letter.kind).consent == "stranger"
    return _wish(session, letter.player, letter.match_id, invitation=invitation)


def _wish(session: Session, player: Player, match_id: int | None, *, invitation: bool) -> Wish:
    if match_id is None:
        seats = tuple(
            row for row in _playing(session, player) if digest_hour(player, row) is not None
        )
        ended = all(row.muted_at is not None for row in seats)
        return Wish(what="digest", player=player, match=None, seats=seats, ended=ended)
    row = session.scalar(
        select(SeatRow).where(SeatRow.match_id == match_id, SeatRow.player_id == player.id)
    )
    if row is None:
        raise Refused("unknown_link")
    if invitation:
        ended = player.suppressed_at is not None
        return Wish(what="invitation", player=player, match=row.match, seats=(row,), ended=ended)
    muted = row.muted_at is not None
    return Wish(what="seat", player=player, match=row.match, seats=(row,), ended=muted)


def unsubscribe(service: Service, work: Work, token: str) -> Wish:
    """End what the link can end. Calling it again changes nothing. Raises as `wish_of`."""
    wish = _lock(service, work, token)
    end(service, work, wish)
    return wish_of(service, work.session, token)


def end(service: Service, work: Work, wish: Wish, why: MuteReason | None = None) -> None:
    """End what can be ended; `why` it was, if not by the reader's own click."""
    if wish.what == "invitation":
        wish.player.suppressed_at = wish.player.suppressed_at or service.now()
        (row,) = wish.seats
        takes_over = row.successor_of is not None and row.match.status == MatchStatus.PLAYING
        if row.status in UNANSWERED and (row.match.status == MatchStatus.INVITING or takes_over):
            token = service.keys.token("invitation", row.match_id, wish.player.id)
            tables.answer(service, work, token, "never")
    else:
        for row in wish.seats:
            match = locks.lock(service, work, row.match)
            mute_row(service, work, match, row, on=True, why=why)
    work.session.flush()
    log.info("unsubscribed", player=wish.player.id, what=wish.what, why=why)


def resume(service: Service, work: Work, token: str) -> Wish:
    """Have again what the link has ended. An invitation that was declined stays so. Raises as
    `wish_of`.
    """
    wish = _lock(service, work, token)
    if wish.what == "invitation":
        wish.player.suppressed_at = None
    else:
        for row in wish.seats:
            mute_row(service, work, locks.lock(service, work, row.match), row, on=False)
    work.session.flush()
    return wish_of(service, work.session, token)


def _lock(service: Service, work: Work, token: str) -> Wish:
    """What the link can end, of matches that nobody else changes meanwhile. Raises as `wish_of`."""
    wish = wish_of(service, work.session, token)
    for number in sorted(row.match_id for row in wish.seats):
        service.database.lock_match(work.session, number)
    return wish_of(service, work.session, token)


def _playing(session: Session, player: Player) -> list[SeatRow]:
    rows = (
        select(SeatRow)
        .join(Match)
        .where(
            SeatRow.player_id == player.id,
            Match.status == MatchStatus.PLAYING,
            SeatRow.left_at.is_(None),
        )
    )
    return list(session.scalars(rows.order_by(SeatRow.id)))

"""Joining a table by its join link: with an address, which one letter confirms, or signed in.

Whoever has the link may type any address: what they are told is the same whether it is known here,
sits at the table already or wants no letters. Nobody sits down before its owner has confirmed.
"""

from __future__ import annotations

import datetime as dt

import msgspec
import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import JoinDetails
from service.core.locks import LockedMatch, lock_key, locked
from service.core.models import Key, Letter, Match, Player, SeatRow
from service.core.names import clean_name
from service.core.statuses import LetterKind, MatchStatus, SeatStatus
from service.matches import join_links
from service.matches.tables import held_seats, seats_left, start_if_answered, take_empty_seat
from service.outgoing.access_tokens import open_guest
from service.outgoing.outbox import owe, owed_since
from service.players.accounts import invite, language

log = structlog.get_logger(__name__)

HELD_FOR = dt.timedelta(hours=2)
"""How long a seat is kept for who has asked for one, for their letter to be found and answered."""

LETTERS_A_DAY = 3
"""How many letters of this kind go to one address within 24 hours, whoever asks for them."""

LETTERS_OF_A_TABLE = 30
"""How many of them one table may have sent within 24 hours."""


class Joinable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as its join link shows it: how many seats are empty, how many of them can be asked
    for now, and when the next is free again if none can.
    """

    match: Match
    empty: int
    left: int
    next_at: dt.datetime | None


def find(service: Service, session: Session, token: str) -> Joinable:
    """The table of a join link. Raises Refused: "unknown_link", "join_revoked", "join_expired",
    "begun_without", "match_cancelled".
    """
    key = service.keys.find(session, token, join_links.PURPOSE)
    if key is None or key.match_id is None:
        raise Refused("unknown_link")
    return _joinable(service, session.get_one(Match, key.match_id), key)


def _joinable(service: Service, match: Match, key: Key) -> Joinable:
    now = service.now()
    if match.status == MatchStatus.CANCELLED:
        raise Refused("match_cancelled")
    if match.status != MatchStatus.INVITING:
        raise Refused("begun_without")
    if not join_links.is_newest(match, key):
        raise Refused("join_revoked")
    if not join_links.is_good(match, now):
        raise Refused("join_expired")
    left = seats_left(match, now)
    empty = len(match.empty_seats)
    next_at = min(held_seats(match, now), default=None) if empty and not left else None
    return Joinable(match=match, empty=empty, left=left, next_at=next_at)


def _lock(service: Service, work: Work, token: str) -> tuple[LockedMatch, Joinable]:
    key = lock_key(service, work, token, join_links.PURPOSE)
    match = locked(service, work, work.session.get_one(Match, key.match_id))
    return match, _joinable(service, match, key)


def _require_seat(found: Joinable) -> None:
    if found.left:
        return
    if found.next_at is None:
        raise Refused("table_full")
    raise Refused("seats_held", until=found.next_at)


def ask(service: Service, work: Work, token: str, address: str, name: str, lang: str) -> None:
    """Keep a seat for the owner of this address, and send them the letter that takes it.

    Asked again, it is kept no longer than it was going to be, and another letter goes out. Nothing
    is sent to who sits there, was taken off by the host, wants no invitations, or has had
    LETTERS_A_DAY; a seat is kept, and a letter counted, all the same. Raises Refused as `find`, and
    "bad_address", "bad_name", "table_full", "seats_held" (`until`), "joined_often".
    """
    match, found = _lock(service, work, token)
    if not clean_name(name):
        raise Refused("bad_name")
    # Before anybody is looked up: who asks learns nothing of whose address it is.
    _require_seat(found)
    now = service.now()
    if _letters_of(work.session, match, now) >= LETTERS_OF_A_TABLE:
        raise Refused("joined_often")
    player = invite(service, work.session, address, name, language(lang), match.host.zone)
    row = match.row_of(player.id)
    if row is None:
        row = SeatRow(seat=None, player=player, name="", lang="", status=SeatStatus.JOINING)
        match.invitees.append(row)
    joins = _may_join(row)
    if row.held_until is None or row.held_until <= now:
        row.held_until = now + HELD_FOR
    if joins:
        row.status, row.answered_at = SeatStatus.JOINING, None
        if not _is_named_by_host(work.session, match, player):
            row.name, row.lang = clean_name(name), language(lang)
    elif row.status == SeatStatus.WITHDRAWN:
        row.answered_at = row.answered_at or now
    work.session.flush()
    if joins:
        open_guest(service, work.session, match, player.id)
    day = now - dt.timedelta(days=1)
    goes = joins and owed_since(work.session, player, LetterKind.JOIN, day) < LETTERS_A_DAY
    owe(
        service,
        work,
        LetterKind.JOIN,
        player,
        dedupe=f"join.{match.code}.{row.id}.{now:%Y%m%d%H%M%S%f}",
        match=match,
        details=JoinDetails(until=row.held_until),
        silent=not goes,
    )
    log.info("join_asked", match=match.id, player=player.id)


def sit_down(
    service: Service, work: Work, token: str, player: Player, part: bytes | None = None
) -> SeatRow:
    """Let a player who is signed in take a seat at once; their row. Done again it changes nothing.

    `part` is what they add to the chance of the match. Raises Refused as `find`, and "table_full",
    "seats_held" (`until`), "invitation_withdrawn" (the host has taken them off).
    """
    match, found = _lock(service, work, token)
    row = match.row_of(player.id)
    if row is not None and row.status == SeatStatus.ACCEPTED:
        return row
    now = service.now()
    if row is not None and row.status == SeatStatus.INVITED:
        row.status = SeatStatus.ACCEPTED
    else:
        if row is not None and not _may_join(row):
            raise Refused("invitation_withdrawn")
        if row is None or not seats_left(match, now, row):
            _require_seat(found)
        if row is None:
            row = SeatRow(
                seat=None,
                player=player,
                name=clean_name(player.name, "?"),
                lang=player.lang,
                status=SeatStatus.JOINING,
            )
            match.invitees.append(row)
            work.session.flush()
        take_empty_seat(work, match, row, now)
    row.answered_at, row.part = now, part
    player.suppressed_at = None
    open_guest(service, work.session, match, player.id)
    work.session.flush()
    log.info("joined", match=match.id, player=player.id)
    start_if_answered(service, work, match)
    return row


def _is_named_by_host(session: Session, match: Match, player: Player) -> bool:
    """True if the host has invited them to this table, by a name of the host's own."""
    invited = select(Letter.id).where(
        Letter.match_id == match.id,
        Letter.player_id == player.id,
        Letter.kind == LetterKind.INVITATION,
    )
    return session.scalar(invited.limit(1)) is not None


def _may_join(row: SeatRow) -> bool:
    """True if who has this row has no seat, and was not taken off by the host: who was asked to a
    join link that was taken back may use the next one.
    """
    asked = row.status == SeatStatus.WITHDRAWN and row.has_asked_by_link
    return asked or row.status in (SeatStatus.JOINING, SeatStatus.DECLINED)


def _letters_of(session: Session, match: Match, now: dt.datetime) -> int:
    sent = select(func.count()).where(
        Letter.match_id == match.id,
        Letter.kind == LetterKind.JOIN,
        Letter.created_at > now - dt.timedelta(days=1),
    )
    return session.scalar(sent) or 0

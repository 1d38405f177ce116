"""Filling the seats of a table that has not begun: guests are reminded, seats given to others, to
bots or to whoever has the join link. What its host does otherwise: `service.matches.hosting`.
"""

from __future__ import annotations

from sqlalchemy import select

from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.locks import LockedMatch, lock
from service.core.models import Letter, Match, SeatRow
from service.core.names import clean_name
from service.core.statuses import LetterKind, MatchStatus, SeatStatus
from service.matches import join_links, journal
from service.matches.hosting import REMIND_AFTER, ask, meant, note
from service.matches.tables import (
    BotSeat,
    Guest,
    held_seats,
    seats_left,
    start_if_answered,
    vacate,
    wait_for_host,
)
from service.outgoing import copies
from service.players.accounts import language


def free(service: Service, work: Work, match: Match, guest_id: int) -> None:
    """Take back the invitation of a guest who has not answered, and keep their seat for somebody
    else: it is empty then.

    Raises Refused: "has_begun", "no_such_guest", "has_answered" (`name`).
    """
    match = _lock(service, work, match)
    row = _silent(match, guest_id)
    row.status = SeatStatus.WITHDRAWN
    vacate(work, match, row)
    wait_for_host(service, match)
    note(match, "free", guest=row.id)


def fill(service: Service, work: Work, match: Match, seat_id: int, other: Guest | BotSeat) -> None:
    """Put a guest, who is asked, or a bot on an empty seat. The match begins if it waits for
    nothing else.

    Raises Refused: "has_begun", "not_empty", "seat_kept" (`until`: all empty seats are for those
    who have asked for one by the join link), "unknown_bot", "same_address", "asked_before"
    (`address`), "bad_address", "unwanted".
    """
    match = _lock(service, work, match)
    row = next((row for row in match.empty_seats if row.id == seat_id), None)
    if row is None:
        raise Refused("not_empty")
    if not seats_left(match, service.now()):
        raise Refused("seat_kept", until=min(held_seats(match, service.now())))
    if isinstance(other, BotSeat):
        bots = journal.game_of(match).bots
        if other.bot not in bots:
            raise Refused("unknown_bot", bot=other.bot, bots=sorted(bots))
        row.bot, row.name = other.bot, clean_name(other.name, other.bot.title())
        row.status = SeatStatus.ACCEPTED
    else:
        player = meant(service, work, match, other)
        row.player, row.name = player, clean_name(other.name, player.name)
        row.lang, row.status = language(other.lang), SeatStatus.INVITED
    work.session.flush()
    note(match, "fill", row=row.id, bot=row.bot, player=row.player_id)
    if isinstance(other, Guest):
        ask(service, work, match, row, f"{row.seat}.filled.{row.id}", other)
    start_if_answered(service, work, match)


def remind(service: Service, work: Work, match: Match, guest_id: int) -> None:
    """Send a guest who has not answered their invitation once more, and no third time.

    Raises Refused: "has_begun", "no_such_guest", "has_answered" (`name`), "reminded", "not_sent"
    (it has not left, or came back), "remind_later" (`at`).
    """
    match = _lock(service, work, match)
    row = _silent(match, guest_id)
    letters = work.session.scalars(
        select(Letter)
        .where(
            Letter.match_id == match.id,
            Letter.player_id == row.player_id,
            Letter.kind == LetterKind.INVITATION,
        )
        .order_by(Letter.id)
    ).all()
    if any(copies.is_copy(letter) for letter in letters):
        raise Refused("reminded")
    invited = letters[-1] if letters else None
    if invited is None or invited.sent_at is None or invited.notes.failed:
        raise Refused("not_sent")
    at = invited.sent_at + REMIND_AFTER
    if service.now() < at:
        raise Refused("remind_later", at=at)
    copies.copy(service, work, invited)
    note(match, "remind", guest=row.id)


def make_join_link(service: Service, work: Work, match: Match) -> None:
    """Make a join link, or another in the place of the one there is. Raises Refused: "has_begun",
    "no_empty_seat".
    """
    match = _lock(service, work, match)
    if not match.empty_seats:
        raise Refused("no_empty_seat")
    join_links.make(service, work, match)
    note(match, "make_join_link", number=match.join_links)


def revoke_join_link(service: Service, work: Work, match: Match) -> None:
    """Take the join link back. The table waits for its host to fill its empty seats. Raises
    Refused: "has_begun".
    """
    match = _lock(service, work, match)
    if match.join_until is None:
        return
    join_links.revoke(match, service.now())
    match.fill_until = None
    wait_for_host(service, match)
    note(match, "revoke_join_link", number=match.join_links)


def _lock(service: Service, work: Work, match: Match) -> LockedMatch:
    """As `lock`, for a table that has not begun. Raises Refused("has_begun")."""
    match = lock(service, work, match)
    if match.status != MatchStatus.INVITING:
        raise Refused("has_begun")
    return match


def _silent(match: Match, guest_id: int) -> SeatRow:
    """The guest who has not answered yet. Raises Refused: "no_such_guest", "has_answered"."""
    row = next((row for row in match.invitees if row.id == guest_id), None)
    if row is None or row.player is None or row.seat is None or row.player_id == match.host_id:
        raise Refused("no_such_guest")
    if row.status != SeatStatus.INVITED:
        raise Refused("has_answered", name=row.name)
    return row

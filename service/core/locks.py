"""Locks on matches, taken in one order by everybody: matches by number, then what belongs to them.

Whatever concerns all matches of a player takes all of them first: two who have one match each and
want the other's would wait for each other for ever (PostgreSQL; SQLite has one writer).

What was read before the lock was had may be another's doing by now. Rows are read again by
themselves (`Database.lock_match`); who acts, and by which key, is asked again here.
"""

from __future__ import annotations

from typing import NewType

from sqlalchemy import ScalarSelect, Select, inspect, select

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Key, Match, Player, SeatRow
from service.core.session import WriteWithoutLock, held
from service.core.statuses import MatchStatus

LockedMatch = NewType("LockedMatch", Match)
"""A match that nobody else changes before the unit of work ends. Made here alone; what writes to a
match, or to its seats, decisions, entries and submissions, asks for one. A `Match` is for reading.
"""


def lock(service: Service, work: Work, match: Match) -> LockedMatch:
    """Keep others from changing this match, and see it and its seats as they have left it."""
    if service.database.lock_match(work.session, match.id):
        # With its seats and players, at once.
        work.session.get_one(Match, match.id, populate_existing=True)
    return LockedMatch(match)


def lock_number(service: Service, work: Work, match_id: int) -> LockedMatch:
    """The same for a match that is known by its number."""
    service.database.lock_match(work.session, match_id)
    return LockedMatch(work.session.get_one(Match, match_id, populate_existing=True))


def locked(service: Service, work: Work, match: Match) -> LockedMatch:
    """A match that this unit of work has locked by its code, its player or something else it is
    known by. Raises WriteWithoutLock if it has not.
    """
    if not service.database.holds(work.session, match.id):
        raise WriteWithoutLock(f"match {match.id}")
    return LockedMatch(match)


def insert(work: Work, match: Match) -> LockedMatch:
    """Insert a match, which nobody else knows before the unit of work ends. Raises ValueError if it
    is stored already.
    """
    if inspect(match).persistent:
        raise ValueError(f"match {match.id} is stored already")
    work.session.add(match)
    work.session.flush()
    held(work.session).add(match.id)
    return LockedMatch(match)


def lock_seat(
    service: Service, work: Work, match: Match, seat: Seat, changed: str = "seat_left"
) -> LockedMatch:
    """As `lock`, for somebody who means this seat as they have read it.

    Raises Refused(`changed`) if another player has sat down there since.
    """
    meant = _occupancy(match, seat)
    found = lock(service, work, match)
    if _occupancy(found, seat) != meant:
        raise Refused(changed)
    return found


def lock_player(service: Service, work: Work, match: Match, seat: Seat) -> LockedMatch:
    """The same for the player of this seat, who does something at the table.

    Raises Refused("seat_left"), also if they have given up or were taken off.
    """
    found = lock_seat(service, work, match, seat)
    if found.seats[seat].left_at is not None:
        raise Refused("seat_left")
    return found


def lock_in_play(service: Service, work: Work, match: Match, seat: Seat) -> LockedMatch:
    """The same for a player who has a say in how the match goes on.

    Raises Refused("seat_left"), and Refused("out_of_game") if they are out of the game.
    """
    found = lock_player(service, work, match, seat)
    if found.seats[seat].is_out:
        raise Refused("out_of_game")
    return found


def lock_key(service: Service, work: Work, token: str, purpose: str) -> Key:
    """The key of a link, which opens something of a match that nobody else changes meanwhile.

    Raises Refused("unknown_link").
    """
    key = service.keys.find(work.session, token, purpose)
    if key is not None and key.match_id is not None:
        service.database.lock_match(work.session, key.match_id)
        # Whoever had the match may have taken the key back.
        key = service.keys.find(work.session, token, purpose)
    if key is None or key.match_id is None:
        raise Refused("unknown_link")
    return key


def lock_all(service: Service, work: Work, player: Player) -> list[LockedMatch]:
    """As `lock`, for all matches this player plays in, which are returned, and for the player."""
    lock_numbers(service, work, player.id)
    if service.database.is_shared:
        work.session.flush()
        work.session.refresh(player, with_for_update={"key_share": True, "of": Player})
    playing = work.session.scalars(_playing(player.id).order_by(Match.id))
    return [lock(service, work, match) for match in playing]


def lock_numbers(
    service: Service,
    work: Work,
    player_id: int | ScalarSelect[int | None] | None,
    also: int | None = None,
) -> None:
    """Lock all matches somebody plays in, and one more, and read nothing."""
    sits = select(SeatRow.match_id).where(SeatRow.player_id == player_id, SeatRow.seat.is_not(None))
    playing = (Match.status == MatchStatus.PLAYING) & Match.id.in_(sits)
    wanted = playing if also is None else playing | (Match.id == also)
    service.database.lock_matches(work.session, select(Match.id).where(wanted))


def _occupancy(match: Match, seat: Seat) -> tuple[int, int | None, int]:
    """Who sits there, to be told from whoever sat or sits there at another time."""
    row = match.seats[seat]
    return row.id, row.player_id, row.occupancy


def _playing(player_id: int | ScalarSelect[int | None] | None) -> Select[Match]:
    return (
        select(Match)
        .join(SeatRow)
        .where(
            SeatRow.player_id == player_id,
            SeatRow.seat.is_not(None),
            Match.status == MatchStatus.PLAYING,
        )
    )

"""Leaving a match for good: resigned, dropped by the clock, or removed by the host.

A bot plays the seat to the end while two or more people go on; with fewer the match is over at once
(`engine.leaving` says who wins then). Who left gets the last letter and nothing else before it.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.leaving import Leaving, outcome
from engine.protocol import Seat
from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import PlayerLeft
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Match
from service.core.statuses import LeaveReason, MatchStatus
from service.matches import journal, moves
from service.matches.transitions import finish
from service.outgoing import news
from service.outgoing.outbox import keep_back
from service.time import deadlines, pausing, reminders


def resign(service: Service, work: Work, match: Match, seat: Seat) -> None:
    """The player of this seat gives up. Done again it changes nothing.

    Raises Refused: "not_playing" (it has not begun, or is over), "seat_left" (somebody else sits
    there by now), "out_of_game" (the rules have put them out: there is nothing to give up).
    """
    match = locks.lock_seat(service, work, match, seat)
    _leave(service, work, match, seat, LeaveReason.RESIGNED)


def winners_without(session: Session, match: Match, seat: Seat) -> tuple[Seat, ...]:
    """The seats that would win, by all scores, if this one gave up now and that ended the match."""
    left = [*journal.leavings(match), Leaving(seat=seat, why="resigned", after=match.last_entry)]
    reached = journal.position(session, match)
    result = outcome(journal.game_of(match), reached.state, left, over=True)
    return result.winners if result is not None else ()


def drop(service: Service, work: Work, match: LockedMatch, seat: Seat) -> None:
    """The time of this seat's player is up, and the table wants them out then. As `resign`."""
    _leave(service, work, match, seat, LeaveReason.DROPPED)


def remove(service: Service, work: Work, match: LockedMatch, seat: Seat) -> None:
    """The host takes this seat's player off the table. As `resign`; who may, the caller knows."""
    _leave(service, work, match, seat, LeaveReason.REMOVED)


def _leave(service: Service, work: Work, match: LockedMatch, seat: Seat, why: LeaveReason) -> None:
    if match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    row = match.seats[seat]
    if row.left_at is not None or row.player is None:
        return
    if row.is_out and why is LeaveReason.RESIGNED:
        raise Refused("out_of_game")
    if row.is_out:
        raise Refused("not_in_play")
    row.left_at, row.left_why, row.left_entry = service.now(), why, match.last_entry
    moves.withdraw_all(service, work.session, match, seat)
    # What has not been sent to the seat asks nothing of its player any more.
    keep_back(work.session, match, seat)
    stayed = news.in_play(match)
    told = [*stayed, row] if why is not LeaveReason.RESIGNED else stayed
    if len(stayed) < 2:
        # What the end letter says of who left, it says to all.
        _end(service, work, match)
        return
    row.stand_in = row.stand_in or list(journal.game_of(match).bots)[-1]
    work.session.flush()
    deadlines.refresh(service, work, match)
    key = f"{match.last_entry}.{row.occupancy}"
    event = PlayerLeft(about=seat, why=why, bot=row.stand_in)
    news.tell(service, work, match, event, key, to=told)
    pausing.forget(work.session, match, seat)
    pausing.look_again(service, work, match)
    if match.paused_at is None and not news.present(match):
        # The others are away: bots are not to play it to the end among themselves.
        pausing.stop_all(service, work, match, bots=True)


def _end(service: Service, work: Work, match: LockedMatch) -> None:
    """The match is over in an open position."""
    asked = work.session.scalars(
        select(DecisionRow).where(
            DecisionRow.match_id == match.id, DecisionRow.closed_entry.is_(None)
        )
    )
    for row in asked:
        row.closed_entry = match.last_entry
        reminders.drop(work.session, row)
    reached = journal.position(work.session, match)
    game = journal.game_of(match)
    result = outcome(game, reached.state, journal.leavings(match), over=True)
    assert result is not None
    finish(service, work, match, reached.n, result)

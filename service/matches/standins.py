"""Stand-ins: a bot plays for somebody who is away, until they come back."""

from __future__ import annotations

from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import StandInEnded, StandInPlays
from service.core.locks import LockedMatch
from service.core.models import Match, SeatRow
from service.core.statuses import MatchStatus
from service.matches import bots, journal
from service.matches.transitions import ask_player
from service.outgoing import news
from service.time import deadlines, pausing


def put_in(service: Service, work: Work, match: LockedMatch, row: SeatRow) -> None:
    """Let a bot play this seat from now on, what it is asked at present included; tell the table.

    The game's strongest bot: a game lists its bots weakest first.
    """
    if row.played_by is not None:
        return
    row.stand_in = list(journal.game_of(match).bots)[-1]
    deadlines.refresh(service, work, match)
    event = StandInPlays(about=row.seat, bot=row.stand_in)
    news.tell(service, work, match, event, match.last_entry)
    pausing.look_again(service, work, match)


def take_back(service: Service, work: Work, match: Match, seat: int) -> bool:
    """The player is back: the seat is theirs again, and so is what it is asked now.

    False if no bot plays for them, they have left for good, or the match is over. Raises
    Refused("seat_left") if it is another's by now.
    """
    match = locks.lock_seat(service, work, match, seat)
    row = match.seats[seat]
    if match.status != MatchStatus.PLAYING:
        return False
    if row.stand_in is None or row.left_at is not None:
        return False
    row.stand_in = None
    mine = [row for row in deadlines.open_rows(work.session, match) if row.seat == seat]
    # Neither what the bot is thinking about counts any more, nor what it has just handed in.
    bots.call_off(service, work, match, [row.decision for row in mine], of_bots_only=True)
    for asked in mine:
        ask_player(service, work, match, asked)
    others = [other for other in news.in_play(match) if other.seat != seat]
    news.tell(service, work, match, StandInEnded(about=seat), match.last_entry, to=others)
    return True

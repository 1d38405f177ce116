"""Notices: telling players at once what has happened to them though they are asked nothing, and
noting who is out of the game.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work
from service.core.locks import LockedMatch
from service.core.statuses import LetterKind, MatchStatus
from service.outgoing import news
from service.outgoing.outbox import owe_seat


def owe(
    service: Service,
    work: Work,
    match: LockedMatch,
    n: int,
    seats: Collection[Seat],
    *,
    asked: Collection[Seat] = (),
) -> None:
    """Owe a letter of entry n to those of these seats (`engine.play.Played.notify`) that no other
    letter tells at once: who is `asked` something by it has it in the story of that letter, and at
    the end of a match the last letter tells all.
    """
    if not seats or match.status == MatchStatus.ENDED:
        return
    for row in news.people(match):
        # What a stand-in is asked is told to nobody.
        if row.seat in seats and (row.seat not in asked or row.stand_in is not None):
            owe_seat(service, work, LetterKind.NOTICE, match, row, entry=n)


def note_out(match: LockedMatch, n: int, in_play: Collection[Seat]) -> None:
    """Note who has gone out of the game with entry n, after which these seats are in play.

    A bot that stood in for somebody has nothing to do any more.
    """
    for row in match.seats:
        if row.seat in in_play:
            row.out_entry = None
        elif row.out_entry is None:
            row.out_entry = n
            if row.left_at is None:
                row.stand_in = None

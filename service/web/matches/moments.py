"""Moments of a match as addresses of pages name them."""

from __future__ import annotations

from collections.abc import Sequence

from flask import abort, request
from sqlalchemy.orm import Session

from service.core.models import Match
from service.core.plain import whole_number
from service.matches import journal
from service.matches.reading import HistoryEntry, MatchView
from service.render.templating import seats_have_boards


def entry_asked_for(database: Session, match: Match, turn: str) -> int:
    """The newest entry of the turn of this number. 404 for a turn there is not."""
    number = whole_number(turn, 6)
    newest = None if number is None else journal.newest_of(database, match, number)
    if newest is None:
        abort(404)
    return newest


def boards_of(match: Match, match_view: MatchView, reader: int | None) -> list[int]:
    """The seats whose boards can be looked at, the reader's first; none where all play on one."""
    if not seats_have_boards(match.game, match_view.view):
        return []
    return sorted(range(len(match.seats)), key=lambda seat: seat != reader)


def chosen_board(boards: Sequence[int]) -> int | None:
    """The board that was asked for by `?board=`; None: that of whoever moves."""
    asked = request.args.get("board")
    return next((seat for seat in boards if str(seat) == asked), None)


def shown_board(
    boards: Sequence[int], chosen: int | None, told: Sequence[HistoryEntry], reader: int | None
) -> int | None:
    """The board that is large: the chosen one, else that of who made the turn that is `told`."""
    mover = next((entry.seat for entry in told if entry.seat is not None and entry.turn), None)
    if chosen is not None:
        return chosen
    return mover if boards and mover is not None else reader if reader is not None else mover

"""Moments of a match as addresses of pages name them."""

from __future__ import annotations

from flask import abort
from sqlalchemy.orm import Session

from service.core.models import Match
from service.matches import journal


def entry_asked_for(database: Session, match: Match, turn: str) -> int:
    """The newest entry of the turn of this number. 404 for a turn there is not."""
    if not (turn.isascii() and turn.isdecimal() and len(turn) < 7):
        abort(404)
    newest = journal.newest_of(database, match, int(turn))
    if newest is None:
        abort(404)
    return newest

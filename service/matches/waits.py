"""The waits of matches, as `engine.waits` counts them, from the columns of their entries: without
folding a journal.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

import msgspec
from sqlalchemy import ColumnElement, Subquery, case, func, select
from sqlalchemy.orm import Session

from engine.protocol import Asks
from engine.waits import Waits
from service.core.models import EntryRow, Match
from service.core.statuses import Actor, Cause, MatchStatus

MOST_MATCHES = 500
"""Matches of a status that are counted: so it takes a while at most, however many there are."""


class PlayedTurns(msgspec.Struct, frozen=True, kw_only=True):
    """The waits and player turns of the newest matches of a game that are `status`."""

    game: str
    status: MatchStatus
    matches: int
    turns: int
    waits: int


def waits_of(session: Session, match: Match) -> Waits:
    """The waits of a match so far."""
    by_turn = _by_turn(EntryRow.match_id == match.id)
    found = session.execute(
        select(by_turn.c.seat, func.sum(by_turn.c.waits), func.count()).group_by(by_turn.c.seat)
    ).all()
    by_seat = [0] * len(match.seats)
    for seat, waits, _ in found:
        by_seat[seat] = int(waits)
    turns = sum(count for _, _, count in found)
    return Waits(waits=sum(by_seat), turns=turns, by_seat=tuple(by_seat))


def lately(session: Session, since: dt.datetime) -> list[PlayedTurns]:
    """The waits of each game in matches that have ended since then, and in those that run: of the
    newest MOST_MATCHES of either.
    """
    ended = (Match.status == MatchStatus.ENDED, Match.ended_at >= since)
    running = (Match.status == MatchStatus.PLAYING,)
    newest = [
        select(Match.id).where(*which).order_by(Match.id.desc()).limit(MOST_MATCHES)
        for which in (ended, running)
    ]
    numbers = [number for query in newest for number in session.scalars(query)]
    return _of_games(session, numbers)


def _of_games(session: Session, numbers: Collection[int]) -> list[PlayedTurns]:
    by_turn = _by_turn(EntryRow.match_id.in_(numbers))
    found = session.execute(
        select(
            Match.game,
            Match.status,
            func.count(by_turn.c.match_id.distinct()),
            func.count(),
            func.sum(by_turn.c.waits),
        )
        .join(Match, Match.id == by_turn.c.match_id)
        .group_by(Match.game, Match.status)
        .order_by(Match.game, Match.status)
    )
    return [
        PlayedTurns(game=game, status=status, matches=matches, turns=turns, waits=int(waits))
        for game, status, matches, turns, waits in found
    ]


def _by_turn(of: ColumnElement[bool]) -> Subquery:
    """The player turns of these entries: what one seat had to decide within what players call a
    turn, and how often it was waited for. Its plan is not waited for.
    """
    planned = EntryRow.cause == Cause(Actor.PLAN)
    # Entries of before turns were noted have none: each counts as one.
    turn = case((EntryRow.turn == "", EntryRow.decision), else_=EntryRow.turn)
    return (
        select(
            EntryRow.match_id,
            EntryRow.seat,
            func.sum(case((planned, 0), else_=1)).label("waits"),
        )
        .where(of, EntryRow.n > 0, EntryRow.asks == Asks.MUST)
        .group_by(EntryRow.match_id, EntryRow.seat, turn)
        .subquery()
    )

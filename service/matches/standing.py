"""The standing of a table, for one of its players: the line of the answer to "status", and a letter
with the board that a page is asked for.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match
from service.core.results import BoardShown, HistoryShown, TableLine, TablesListed
from service.core.statuses import MatchStatus
from service.matches import answering
from service.matches.overview import Table, tables_of
from service.matches.reading import held_turn
from service.render.bots import shown_name


def line_of(session: Session, table: Table) -> TableLine:
    """A table in one line: who is awaited until when, as its player may know it."""
    match, deadline = table.match, table.own.deadline if table.own else None
    named = [wait for wait in table.waits if wait.together == 1]
    secret = [wait for wait in table.waits if wait.together > 1]
    if table.own is None and named:
        deadline = named[0].deadline
    reader = table.row.player
    lang = reader.lang if reader is not None else table.row.lang
    held = None
    if table.own is not None and table.row.seat is not None:
        held = held_turn(session, match, table.row.seat)
    return TableLine(
        match=match.id,
        seat=table.row.seat,
        status=match.status,
        own=table.own is not None,
        waits=tuple(shown_name(match.game, wait.row.bot, wait.row.name, lang) for wait in named),
        missing=len(secret),
        of=max((wait.together for wait in secret), default=0),
        deadline=deadline,
        paused=match.paused_at is not None,
        held_turn=held.held_until if held is not None else None,
        muted=table.row.muted_at is not None,
        out=table.row.is_out,
    )


def send(service: Service, work: Work, match: Match, seat: int, dedupe: str) -> None:
    """Owe who sits there a letter that says how the match goes: whose move, the board, the story.
    The same `dedupe` again owes nothing.

    Raises Refused: "not_playing" (the match has not begun, or is over), "seat_left".
    """
    row = match.seats[seat]
    if match.status != MatchStatus.PLAYING:
        raise Refused("not_playing")
    if row.left_at is not None or row.player is None:
        raise Refused("seat_left")
    mine = [t for t in tables_of(work.session, row.player) if t.match.id == match.id]
    lines = tuple(line_of(work.session, table) for table in mine)
    results = [TablesListed(tables=lines), BoardShown(seat=seat), HistoryShown(seat=seat)]
    answering.report(service, work, row, results, f"standing.{match.id}.{seat}.{dedupe}")

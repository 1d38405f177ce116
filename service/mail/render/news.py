"""News of the table: something has changed that is no move."""

from __future__ import annotations

from service.core.letter_details import News
from service.mail.render.draft import Draft
from service.mail.render.filing import filings
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import journal, reading

ABOUT_A_TURN = ("extended", "time_up", "stand_in")
"""News that are about the turn their reader has to play."""


def write(context: LetterContext) -> Draft:
    """One sentence on what has changed, and what the reader can do about it."""
    table = Table.at(context)
    told = context.letter.details_as(News)
    return table.draft(
        (),
        code=told.code,
        told=told,
        host=_host(table),
        form=_form(table) if told.about == table.seat and told.code in ABOUT_A_TURN else None,
        orders=filings(table),
        awaited=reading.awaited(context.session, table.match, table.match_view),
    )


def _form(table: Table) -> str | None:
    """The page of the turn the reader is asked for at the letter's entry; None if for none."""
    match, seat = table.match, table.seat
    decisions = journal.game_of(match).decisions(table.position.state)
    asked = next((d for d in decisions if d.blocks and d.seat == seat), None)
    return None if asked is None else table.context.links.turn(match, seat, asked.id)


def _host(table: Table) -> int | None:
    """The seat of the host, if they play along."""
    match = table.match
    return next((row.seat for row in match.seats if row.player_id == match.host_id), None)

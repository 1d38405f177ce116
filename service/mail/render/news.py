"""News of the table: something has changed that is no move."""

from __future__ import annotations

from service.core.letter_details import News
from service.mail.render.draft import Draft
from service.mail.render.filing import filings
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import reading

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
        form=table.own_turn if told.about == table.seat and told.code in ABOUT_A_TURN else None,
        orders=filings(table),
        awaited=reading.awaited(context.session, table.match, table.match_view),
    )


def _host(table: Table) -> int | None:
    """The seat of the host, if they play along."""
    match = table.match
    return next((row.seat for row in match.seats if row.player_id == match.host_id), None)

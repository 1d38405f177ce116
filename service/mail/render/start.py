"""The letter that says that a match has begun, to those who are not asked first; or that somebody
plays on in another's place.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select

from service.core.letter_details import StartDetails
from service.core.models import DecisionRow
from service.core.names import clean_name
from service.mail.render.boards import boards, pictures
from service.mail.render.draft import Draft
from service.mail.render.filing import filings
from service.mail.render.lessons import learn_page
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import beginners, reading


def write(context: LetterContext) -> Draft:
    """Write the letter: who plays in which order, what was dealt, and the hash by which the deal
    can be checked later. Who takes a seat over learns in whose place they sit, and what the last
    turns brought.
    """
    table = Table.at(context)
    before, last = context.letter.details_as(StartDetails).before, table.match_view.n
    around = max(0, last - len(table.names) + 1)
    story = (
        reading.history(context.session, table.match, table.seat, around, last) if before else []
    )
    shown = boards(table, story, legend=not before and _is_new(table))
    return table.draft(
        pictures(shown),
        boards=shown,
        learn=learn_page(context, table.match.game),
        waiting=table.match_view.waiting_for,
        until=_until(table),
        awaited=reading.awaited(context.session, table.match, table.match_view),
        before=clean_name(before, "?") if before else None,
        story=story,
        orders=filings(table),
    )


def _is_new(table: Table) -> bool:
    """True for who has never played the game before."""
    player, match = table.context.letter.player_id, table.match
    return beginners.own_turn(table.context.session, match, table.seat, player) is not None


def _until(table: Table) -> dt.datetime | None:
    """The deadline of the only one who is asked first; None if there are several, or no clock
    runs.
    """
    waiting = table.match_view.waiting_for
    if len(waiting) != 1:
        return None
    return table.context.session.scalar(
        select(DecisionRow.deadline)
        .where(
            DecisionRow.match_id == table.match.id,
            DecisionRow.seat == waiting[0],
            DecisionRow.opened_entry == table.context.letter.entry,
            DecisionRow.blocks,
        )
        .limit(1)
    )

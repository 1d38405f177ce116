"""The letter that says that a match has begun, to those who are not asked first; or that somebody
plays on in another's place.
"""

from __future__ import annotations

from service.core.letter_details import StartDetails
from service.core.names import clean_name
from service.mail.render.boards import boards, pictures
from service.mail.render.draft import Draft
from service.mail.render.filing import filings
from service.mail.render.lessons import learn_page
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import reading


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
    shown = boards(table, story)
    return table.draft(
        pictures(shown),
        boards=shown,
        learn=learn_page(context, table.match.game),
        waiting=table.match_view.waiting_for,
        awaited=reading.awaited(context.session, table.match, table.match_view),
        before=clean_name(before, "?") if before else None,
        story=story,
        orders=filings(table),
    )

"""The letter that says that a match has begun, to those who are not asked first; or that somebody
plays on in another's place.
"""

from __future__ import annotations

from service.core.letter_details import StartDetails
from service.core.names import clean_name
from service.mail.render.boards import board
from service.mail.render.draft import Draft
from service.mail.render.letter_context import Desk
from service.mail.render.table import Table
from service.matches import reading


def write(desk: Desk) -> Draft:
    """Write the letter: who plays in which order, what was dealt, and the hash by which the deal
    can be checked later. Who takes a seat over learns in whose place they sit, and what the last
    turns brought.
    """
    table = Table.at(desk)
    before, last = desk.letter.details_as(StartDetails).before, table.sight.n
    around = max(0, last - len(table.names) + 1)
    story = reading.story(desk.session, table.match, table.seat, around, last) if before else []
    own = board(table, story)
    return table.draft(
        (own.picture,),
        board=own,
        waiting=table.sight.waiting_for,
        before=clean_name(before, "?") if before else None,
        story=story,
    )

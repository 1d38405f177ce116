"""The reminder, and the nudge by somebody at the table: what has happened, what is asked by when,
and the strongest choices once more.
"""

from __future__ import annotations

from service.core.letter_details import NudgeDetails, ReminderDetails
from service.core.models import DecisionRow
from service.mail.render.boards import boards, pictures
from service.mail.render.choices import choices, possible, shown_of, with_room
from service.mail.render.draft import Draft
from service.mail.render.lessons import learn_page
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.mail.render.turn import so_far
from service.time.reminders import is_last

SHOWN = 3
"""Choices that a reminder names; the page has all."""


def write(context: LetterContext) -> Draft:
    """As the turn letter, which may be lost among others by now: what happened, the board, what is
    asked.
    """
    table = Table.at(context)
    decision = context.letter.decision
    if decision is None:
        raise ValueError(f"letter {context.letter.dedupe} reminds of no decision")
    asked = context.session.get_one(DecisionRow, (table.match.id, decision))
    goes_on, story = so_far(table, asked)
    offered = choices(table, decision, most=SHOWN, seen=True)
    # Who has not played yet may be late because the first letter was not understood.
    first = not goes_on and bool(story) and not story[0].n
    shown = boards(table, story, legend=first, offered=offered)
    seen, details = pictures(shown), context.letter.details
    offered = with_room(offered, seen)
    return table.draft(
        (*seen, *shown_of(offered)),
        boards=shown,
        by=details.by if isinstance(details, NudgeDetails) else None,
        last=isinstance(details, ReminderDetails) and is_last(context.session, context.letter),
        kind=asked.kind,
        deadline=asked.deadline,
        held=asked.held,
        goes_on=goes_on,
        story=story,
        choices=offered,
        learn=learn_page(context, table.match.game) if first else None,
        possible=possible(table, decision),
        form=context.links.turn(table.match, table.seat, decision),
    )

"""The reminder, and the nudge by somebody at the table: whose move, by when, and the strongest
choices once more.
"""

from __future__ import annotations

from service.core.letter_details import NudgeDetails
from service.core.models import DecisionRow
from service.mail.render.boards import boards, pictures
from service.mail.render.choices import choices
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table


def write(context: LetterContext) -> Draft:
    """Short: the turn letter has told the story already."""
    table = Table.at(context)
    decision = context.letter.decision
    if decision is None:
        raise ValueError(f"letter {context.letter.dedupe} reminds of no decision")
    asked = context.session.get_one(DecisionRow, (table.match.id, decision))
    shown, details = boards(table), context.letter.details
    return table.draft(
        pictures(shown),
        boards=shown,
        by=details.by if isinstance(details, NudgeDetails) else None,
        kind=asked.kind,
        deadline=asked.deadline,
        held=asked.held,
        choices=choices(table, decision),
        form=context.links.turn(table.match, table.seat, decision),
    )

"""The letter that invites to file orders ahead: nobody waits for its reader."""

from __future__ import annotations

from service.core.models import DecisionRow
from service.mail.render.boards import boards, pictures, story_board
from service.mail.render.choices import shown_of
from service.mail.render.draft import Draft
from service.mail.render.filing import examples, filings
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import reading


def write(context: LetterContext) -> Draft:
    """As a turn letter, without a clock: the story, the board, what may be filed."""
    table = Table.at(context)
    decision = context.letter.decision
    if decision is None:
        raise ValueError(f"letter {context.letter.dedupe} offers no decision")
    offered = context.session.get_one(DecisionRow, (table.match.id, decision))
    story = reading.since_own_turn(context.session, table.match, table.seat, table.match_view.n)
    shown = boards(table, story)
    scene = story_board(table, story)
    seen = pictures([*([scene] if scene else []), *shown])
    proposed = examples(table, decision, seen)
    return table.draft(
        (*seen, *shown_of(proposed)),
        boards=shown,
        scene=scene,
        rolled=[event for entry in story for event in entry.events],
        kind=offered.kind,
        story=story,
        awaited=reading.awaited(context.session, table.match, table.match_view),
        orders=filings(table),
        examples=proposed,
        form=context.links.turn(table.match, table.seat, decision),
    )

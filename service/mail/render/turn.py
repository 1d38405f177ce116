"""The turn letter: whose move, what happened, how you stand, what you can do, how to stop it."""

from __future__ import annotations

from service.core.models import DecisionRow, EntryRow
from service.mail.render.boards import boards, pictures, story_board
from service.mail.render.choices import choices, possible, shown_of
from service.mail.render.draft import Draft
from service.mail.render.filing import filings
from service.mail.render.lessons import lesson
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import orders
from service.matches.reading import since_own_turn


def write(context: LetterContext) -> Draft:
    """Asked for one decision. The first letter of a match says besides who plays and publishes the
    hash.
    """
    table = Table.at(context)
    decision = context.letter.decision
    if decision is None:
        raise ValueError(f"letter {context.letter.dedupe} asks for no decision")
    asked = context.session.get_one(DecisionRow, (table.match.id, decision))
    story = since_own_turn(context.session, table.match, table.seat, table.match_view.n)
    scene = story_board(table, story)
    offered = choices(table, decision, seen=True)
    taught = lesson(table, offered[0].actions if offered else ())
    shown = boards(table, story, legend=taught is not None)
    newest = context.session.get_one(EntryRow, (table.match.id, table.match_view.n))
    filed = filings(table)
    if taught is not None and not taught.last:
        # What may be ordered ahead is taught by the last lesson.
        filed = [each for each in filed if each.filed is not None]
    return table.draft(
        (*pictures([*([scene] if scene else []), *shown]), *shown_of(offered)),
        boards=shown,
        scene=scene,
        kind=asked.kind,
        deadline=asked.deadline,
        held=asked.held,
        story=story,
        choices=offered,
        possible=possible(table, decision),
        lesson=taught,
        stopped=orders.stopped(table.match, table.seat, table.position),
        orders=filed,
        goes_on=bool(newest.turn) and (newest.seat, newest.turn) == (table.seat, asked.turn),
        form=context.links.turn(table.match, table.seat, decision),
    )

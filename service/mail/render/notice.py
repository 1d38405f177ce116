"""The notice: something has happened to its reader, who is asked nothing at present."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.protocol import Asks, Decision
from service.core.models import EntryRow
from service.core.statuses import Actor
from service.mail.render.boards import boards, pictures, story_board
from service.mail.render.choices import shown_of
from service.mail.render.draft import Draft
from service.mail.render.filing import examples, filings
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import journal, reading
from service.matches.reading import HistoryEntry


def write(context: LetterContext) -> Draft:
    """Write what has happened, first in a sentence, then as a story; and how it goes on: who is out
    of the game can watch it, who is invited to file by the same entry (`transitions._invite`)
    has the examples of that letter.
    """
    table = Table.at(context)
    n = table.match_view.n
    begun = _begun(table, n)
    story = (
        reading.since_own_turn(context.session, table.match, table.seat, n)
        if begun is None
        else reading.history(context.session, table.match, table.seat, begun, n)
    )
    happened = [event for entry in story for event in entry.events if event["now"]]
    told = story
    if not happened and story:
        latest = newest(story)
        happened = [event for entry in latest for event in entry.events]
        said = any(entry.said for entry in latest)
        if not said and not any(event["chapter"] for event in happened):
            # The headline has all of it; chapters say more, such as dice.
            told = story[: -len(latest)]
    shown = boards(table, story)
    scene = story_board(table, told)
    awaited = reading.awaited(context.session, table.match, table.match_view)
    decisions = journal.game_of(table.match).decisions(table.position.state)
    invited = [d for d in decisions if d.seat == table.seat and d.asks is Asks.INVITE]
    filed = filings(table)
    seen = pictures([*([scene] if scene else []), *shown])
    proposed = examples(table, invited[0].id, seen) if invited else []
    return table.draft(
        (*seen, *shown_of(proposed)),
        boards=shown,
        scene=scene,
        rolled=[event for entry in told for event in entry.events],
        story=told,
        earlier=begun is not None,
        happened=happened,
        planned=any(entry.by_plan and entry.seat == table.seat for entry in story),
        awaited=awaited,
        rest=_rest(table, awaited, decisions),
        orders=filed,
        invited=next((f for f in filed if invited and f.kind == invited[0].kind), None),
        examples=proposed,
    )


def _begun(table: Table, n: int) -> int | None:
    """The entry with which the reader began the turn that their plan has just gone on with; None if
    entry n is not of that kind.
    """
    session, match = table.context.session, table.match
    newest = session.get_one(EntryRow, (match.id, n))
    if newest.seat != table.seat or newest.cause.actor is not Actor.PLAN or not newest.turn:
        return None
    first = journal.first_of(session, match, newest.number)
    by_plan = session.get_one(EntryRow, (match.id, first)).cause.actor is Actor.PLAN
    return None if by_plan else first


def newest(story: Sequence[HistoryEntry]) -> Sequence[HistoryEntry]:
    """The last entries of a story, of one player: what a turn brings to light parts it."""
    last, count = story[-1], 1
    if last.seat is None:
        return story[-1:]
    for before in reversed(story[:-1]):
        if (before.seat, before.by_plan) != (last.seat, last.by_plan):
            break
        count += 1
    return story[-count:]


def _rest(
    table: Table, awaited: reading.Awaited, decisions: Iterable[Decision[Any]]
) -> Decision[Any] | None:
    """What the turn that was played last goes on with; None if it is over, or must not be told."""
    newest = table.context.session.get_one(EntryRow, (table.match.id, table.match_view.n))
    own = (
        d
        for d in decisions
        if newest.turn and d.blocks and (d.seat, d.turn) == (newest.seat, newest.turn)
    )
    return next((d for d in own if awaited.named == (d.seat,)), None)

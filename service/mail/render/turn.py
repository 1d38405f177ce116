"""The turn letter: whose move, what happened, how you stand, what you can do, how to stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from engine.kit.presentation import HasFights
from engine.protocol import Seat
from service.core.models import DecisionRow
from service.mail.render.boards import boards, pictures, story_board
from service.mail.render.choices import choices, possible, shown_of, with_room
from service.mail.render.draft import Draft, Picture
from service.mail.render.filing import filings
from service.mail.render.lessons import lesson
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches import orders, reading
from service.matches.reading import HistoryEntry
from service.render.pictures import patch_png
from service.render.templating import presentation_of

MOST_HTML = 19_900
"""How long the HTML part may be, for one phone client cuts it at 20 KB: what would be longer has
fewer choices, of which the weakest stand on the page alone.
"""
FEWEST = 2
"""So many of them stay, however long the letter is."""


class Turn(msgspec.Struct, frozen=True):
    """The events of one turn of another player, be it several entries."""

    seat: Seat
    events: list[Mapping[str, Any]]


class News(msgspec.Struct, frozen=True):
    """The doings of others since the reader's last turn: the `turns` in their order, and of their
    events those that are `done_to_reader`; all `events` since then.
    """

    turns: list[Turn]
    done_to_reader: list[Mapping[str, Any]]
    events: list[Mapping[str, Any]]


def write(context: LetterContext) -> Draft:
    """Asked for one decision. The first letter of a match says besides who plays and publishes the
    hash.
    """
    table = Table.at(context)
    decision = context.letter.decision
    if decision is None:
        raise ValueError(f"letter {context.letter.dedupe} asks for no decision")
    asked = context.session.get_one(DecisionRow, (table.match.id, decision))
    goes_on, story = so_far(table, asked)
    scene = story_board(table, story)
    offered = choices(table, decision, seen=True)
    # In the middle of a turn what is offered stands above the lesson, not "below".
    taught = lesson(table, offered[0].actions if offered and not goes_on else ())
    shown = boards(table, story, legend=taught is not None, offered=offered)
    seen = pictures([*([scene] if scene else []), *shown])
    # Choices that are alike on the board leave room for what they are about.
    fought = {} if any(each.seen for each in offered) else fights(table)
    seen = (*seen, *fought.values())
    offered = with_room(offered, seen)
    filed = filings(table)
    if goes_on or (taught is not None and not taught.last):
        # Who is asked for the rest of a turn is not invited to plan it, and what may be ordered
        # ahead is taught by the last lesson.
        filed = [each for each in filed if each.filed is not None]
    can_be = possible(table, decision)
    while True:
        draft = table.draft(
            (*seen, *shown_of(offered)),
            boards=shown,
            scene=scene,
            fought=fought,
            kind=asked.kind,
            deadline=asked.deadline,
            held=asked.held,
            story=story,
            news=news(story, table.seat),
            choices=offered,
            possible=can_be,
            lesson=taught,
            stopped=orders.stopped(table.match, table.seat, table.position),
            orders=filed,
            goes_on=goes_on,
            form=context.links.turn(table.match, table.seat, decision),
        )
        if len(offered) <= FEWEST or len(draft.html.encode()) <= MOST_HTML:
            return draft
        offered = offered[:-1]


def fights(table: Table) -> dict[int, Picture]:
    """The pictures of the reader's fights, by their hexes, of a game that draws them."""
    game, view, context = table.match.game, table.match_view.view, table.context
    shown = presentation_of(game)
    if not isinstance(shown, HasFights) or not context.drawn:
        return {}
    found: dict[int, Picture] = {}
    for each in shown.fights(view):
        at = each["hex"]
        png = patch_png(game, view, seat=table.seat, last=[str(at)], lang=context.lang)
        if png is not None:
            found[at] = context.picture(f"fight{at}", png)
    return found


def so_far(table: Table, asked: DecisionRow) -> tuple[bool, Sequence[HistoryEntry]]:
    """The story of the turn that its reader is asked to go on with, or since their last one."""
    session, n = table.context.session, table.match_view.n
    return reading.so_far(session, table.match, table.seat, asked, n)


def news(story: Sequence[HistoryEntry], reader: Seat) -> News:
    """The doings of others in this story."""
    turns = [
        Turn(seat, [event for entry in entries for event in entry.events])
        for seat, entries in groupby(story, lambda entry: entry.seat)
        if seat not in (None, reader)
    ]
    done = [event for turn in turns for event in turn.events]
    to_reader = [event for event in done if event["mine"] and event["seat"] != reader]
    return News(turns, to_reader, [event for entry in story for event in entry.events])

"""The daily letter: every board that waits for its reader, playable, and the news of all tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, lazyload

from engine.protocol import Seat
from service.access.addresses import Addresses
from service.access.reply_keys import player_token, seat_token
from service.core.letter_details import Details, DigestBoard, DigestDetails, NoDetails
from service.core.models import DecisionRow, Letter, Match, SeatRow
from service.core.statuses import LetterKind
from service.mail.render.boards import Board, boards, pictures
from service.mail.render.choices import (
    Choice,
    Possible,
    choices,
    possible,
    shown_of,
    with_room,
)
from service.mail.render.draft import Draft
from service.mail.render.filing import Filing, filings
from service.mail.render.letter_context import LetterContext, table_name
from service.mail.render.table import Table
from service.mail.render.turn import so_far
from service.matches.reading import HistoryEntry

OFFERED = 2
"""Choices of each board: its page has all."""

WHOLE = 8
"""Boards that are drawn, each about 8 KB of HTML: inboxes cut a letter at about 100. Of the others
it gives the names, the time and the page to play on.
"""


# Made once: building a statement costs as much as running it.
_IS_READERS = (
    select(SeatRow.id)
    .join(
        DecisionRow,
        (DecisionRow.match_id == SeatRow.match_id) & (DecisionRow.seat == SeatRow.seat),
    )
    .where(
        SeatRow.match_id == bindparam("match"),
        SeatRow.player_id == bindparam("player"),
        DecisionRow.decision == bindparam("decision"),
    )
)
_NEWS = (
    select(Letter)
    .join(SeatRow, (SeatRow.match_id == Letter.match_id) & (SeatRow.seat == Letter.seat))
    .where(
        Letter.id.in_(bindparam("letters", expanding=True)),
        SeatRow.player_id == bindparam("player"),
    )
    .order_by(Letter.id)
    .options(lazyload(Letter.player))
)


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the letter, as one of its own would see it."""

    table: Table

    @property
    def game(self) -> str:
        """The key of its game."""
        return self.table.match.game

    @property
    def called(self) -> str | None:
        """The name its host has given it."""
        return table_name(self.table.match)

    @property
    def names(self) -> list[str]:
        """The names of who sits there, from seat 0 on."""
        return self.table.names

    @property
    def me(self) -> Seat:
        """The reader's seat."""
        return self.table.seat

    @property
    def out(self) -> Sequence[Seat]:
        """The seats that are out of the game."""
        return self.table.match_view.out

    @property
    def others(self) -> list[str]:
        """The names of all but the reader."""
        return [name for at, name in enumerate(self.names) if at != self.me]

    @property
    def page(self) -> str:
        """The link of its page."""
        return self.table.context.links.seat(self.table.match, self.me)

    @property
    def view(self) -> Mapping[str, Any]:
        """The game's view at the letter's entry."""
        return self.table.match_view.view


class Awaiting(TableShown, frozen=True, kw_only=True):
    """A board that waits for the reader: until when, and the link of the page to play on."""

    deadline: dt.datetime | None
    held: str | None
    form: str


class Playable(Awaiting, frozen=True, kw_only=True):
    """One of which the letter has what its turn letter would say, in short: `kind` is what is
    asked, `possible` what it may begin with; whose turn `goes_on` is not invited to plan the rest.
    """

    kind: str
    possible: Possible
    boards: Sequence[Board]
    goes_on: bool
    story: Sequence[HistoryEntry]
    choices: Sequence[Choice]
    orders: Sequence[Filing]
    reply_to: str


class News(TableShown, frozen=True, kw_only=True):
    """A letter that was gathered, for a line of its own. The reader may file `orders` by a reply to
    `reply_to`.
    """

    letter: LetterKind
    told: Details
    orders: Sequence[Filing] = ()
    reply_to: str = ""


def write(context: LetterContext) -> Draft:
    """The boards that wait for its reader, as far as it has room, and a line for each letter that
    was gathered.
    """
    # A seat may have changed hands since this was put together.
    asked_for = [
        asked
        for asked in context.letter.details_as(DigestDetails).boards
        if is_readers(context.session, context.letter, asked)
    ]
    waiting = [_board(context, asked) for asked in asked_for[:WHOLE]]
    more = [_wait(context, asked) for asked in asked_for[WHOLE:]]
    news = [_line(context, letter) for letter in news_of(context.session, context.letter)]
    subject, text, html = context.write(
        waiting=waiting,
        more=more,
        news=news,
        count=len(waiting) + len(more),
        deadline=next((board.deadline for board in waiting), None),
    )
    return Draft(
        subject=subject,
        text=text,
        html=html,
        pictures=tuple(
            picture
            for one in waiting
            for picture in (*pictures(one.boards), *shown_of(one.choices))
        ),
        thread=f"digest.{context.letter.player_id}",
        group="digest",
        reply_to=waiting[0].reply_to if len(waiting) == 1 else _of_several(context),
    )


def _of_several(context: LetterContext) -> str:
    """The address of the reader alone: nobody could say which board a reply is about, and whoever
    writes all the same is told so.
    """
    token = player_token(context.service.keys, context.letter.player_id)
    return Addresses(context.service.settings).reply(token)


def is_readers(session: Session, digest: Letter, board: DigestBoard) -> bool:
    """True if a board of a digest is still its reader's to see: the question has not been taken
    back, and nobody else has the seat.
    """
    values = {"match": board.match, "player": digest.player_id, "decision": board.decision}
    return session.scalar(_IS_READERS, values) is not None


def news_of(session: Session, digest: Letter) -> list[Letter]:
    """The letters a digest tells in a line each: those to a seat that its reader still has."""
    gathered = digest.details_as(DigestDetails).letters
    if not gathered:
        return []
    return list(session.scalars(_NEWS, {"letters": gathered, "player": digest.player_id}))


def _board(context: LetterContext, asked: DigestBoard) -> Playable:
    table = _table(context, asked.match, asked.seat, asked.entry)
    row = _row(context, asked)
    goes_on, story = so_far(table, row)
    offered = choices(table, asked.decision, seen=True, most=OFFERED)
    shown = boards(table, story, offered=offered)
    return Playable(
        table=table,
        deadline=row.deadline,
        held=row.held,
        form=context.links.turn(table.match, table.seat, asked.decision),
        kind=row.kind,
        possible=possible(table, asked.decision),
        boards=shown,
        goes_on=goes_on,
        story=story,
        choices=with_room(offered, pictures(shown)),
        orders=[each for each in filings(table) if each.filed or not goes_on],
        reply_to=_reply_to(table, asked.decision),
    )


def _wait(context: LetterContext, asked: DigestBoard) -> Awaiting:
    table = _table(context, asked.match, asked.seat, asked.entry)
    row = _row(context, asked)
    return Awaiting(
        table=table,
        deadline=row.deadline,
        held=row.held,
        form=context.links.turn(table.match, table.seat, asked.decision),
    )


def _row(context: LetterContext, asked: DigestBoard) -> DecisionRow:
    return context.session.get_one(DecisionRow, (asked.match, asked.decision))


def _line(context: LetterContext, letter: Letter) -> News:
    assert letter.match_id is not None
    assert letter.seat is not None
    if letter.kind != LetterKind.ORDERS or letter.decision is None:
        table = _table(context, letter.match_id, letter.seat, letter.entry or 0)
        return News(table=table, letter=letter.kind, told=letter.details)
    # What there is to file ahead while the table waits for others, with what is on file by now.
    now = context.session.get_one(Match, letter.match_id).last_entry
    table = _table(context, letter.match_id, letter.seat, now)
    return News(
        table=table,
        letter=letter.kind,
        told=letter.details,
        orders=filings(table),
        reply_to=_reply_to(table, letter.decision),
    )


def _reply_to(table: Table, decision: str) -> str:
    service = table.context.service
    token = seat_token(service.keys, table.match.seats[table.seat], decision)
    return Addresses(service.settings).reply(token)


def _table(context: LetterContext, match_id: int, seat: int, entry: int) -> Table:
    """A table as a letter of its own would see it."""
    own = Letter(
        dedupe=f"{context.letter.dedupe}.{match_id}.{seat}",
        kind="turn",
        player_id=context.letter.player_id,
        player=context.letter.player,
        match_id=match_id,
        seat=seat,
        entry=entry,
        details=NoDetails(),
        created_at=context.letter.date,
    )
    return Table.at(LetterContext(context.service, context.session, own, context.lang))

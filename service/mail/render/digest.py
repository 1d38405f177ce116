"""The daily letter: every board that waits for its reader, playable, and the news of all tables."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.access.addresses import Addresses
from service.access.reply_keys import player_token, seat_token
from service.core.letter_details import DigestBoard, DigestDetails, NoDetails
from service.core.models import DecisionRow, Letter, SeatRow
from service.core.statuses import LetterKind
from service.mail.render.boards import boards, pictures
from service.mail.render.choices import choices, shown_of
from service.mail.render.draft import Draft
from service.mail.render.filing import filings
from service.mail.render.letter_context import LetterContext, table_name
from service.mail.render.table import Table
from service.matches.reading import since_own_turn

OFFERED = 2
"""Choices of each board: its page has all."""

WHOLE = 8
"""Boards that are drawn, each about 8 KB of HTML: inboxes cut a letter at about 100. Of the others
it gives the names, the time and the page to play on.
"""


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
        deadline=next((w["deadline"] for w in waiting), None),
    )
    return Draft(
        subject=subject,
        text=text,
        html=html,
        pictures=tuple(
            picture
            for one in waiting
            for picture in (*pictures(one["boards"]), *shown_of(one["choices"]))
        ),
        thread=f"digest.{context.letter.player_id}",
        group="digest",
        reply_to=waiting[0]["reply_to"] if len(waiting) == 1 else _of_several(context),
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
    found = session.scalar(
        select(SeatRow.id)
        .join(
            DecisionRow,
            (DecisionRow.match_id == SeatRow.match_id) & (DecisionRow.seat == SeatRow.seat),
        )
        .where(
            SeatRow.match_id == board.match,
            SeatRow.player_id == digest.player_id,
            DecisionRow.decision == board.decision,
        )
    )
    return found is not None


def news_of(session: Session, digest: Letter) -> list[Letter]:
    """The letters a digest tells in a line each: those to a seat that its reader still has."""
    return list(
        session.scalars(
            select(Letter)
            .join(SeatRow, (SeatRow.match_id == Letter.match_id) & (SeatRow.seat == Letter.seat))
            .where(
                Letter.id.in_(digest.details_as(DigestDetails).letters),
                SeatRow.player_id == digest.player_id,
            )
            .order_by(Letter.id)
        )
    )


def _board(context: LetterContext, asked: DigestBoard) -> dict[str, Any]:
    """One board that waits: what its turn letter would say, in short."""
    table = _table(context, asked.match, asked.seat, asked.entry)
    match, seat, decision = table.match, table.seat, asked.decision
    story = since_own_turn(context.session, match, seat, table.match_view.n)
    token = seat_token(context.service.keys, match.seats[seat], decision)
    return _wait(context, asked) | {
        "boards": boards(table, story),
        "view": table.match_view.view,
        "story": story,
        "choices": choices(table, decision, seen=True)[:OFFERED],
        "orders": filings(table),
        "reply_to": Addresses(context.service.settings).reply(token),
    }


def _wait(context: LetterContext, asked: DigestBoard) -> dict[str, Any]:
    """What is waited for at one board, without the board."""
    table = _table(context, asked.match, asked.seat, asked.entry)
    row = context.session.get_one(DecisionRow, (table.match.id, asked.decision))
    return _of_table(table) | {
        "deadline": row.deadline,
        "held": row.held,
        "form": context.links.turn(table.match, table.seat, asked.decision),
    }


def _line(context: LetterContext, letter: Letter) -> dict[str, Any]:
    """A letter that was gathered, for a line of its own."""
    assert letter.match_id is not None
    assert letter.seat is not None
    table = _table(context, letter.match_id, letter.seat, letter.entry or 0)
    line = _of_table(table) | {"letter": letter.kind, "told": letter.details, "orders": []}
    if letter.kind == LetterKind.ORDERS and letter.decision is not None:
        line |= _invitation(context, table, letter.decision)
    return line


def _invitation(context: LetterContext, table: Table, decision: str) -> dict[str, Any]:
    """What there is to file ahead at a table that waits for others, with what is on file by now."""
    match, seat = table.match, table.seat
    token = seat_token(context.service.keys, match.seats[seat], decision)
    now = _table(context, match.id, seat, match.last_entry)
    return {
        "view": now.match_view.view,
        "orders": filings(now),
        "reply_to": Addresses(context.service.settings).reply(token),
    }


def _of_table(table: Table) -> dict[str, Any]:
    return {
        "game": table.match.game,
        "called": table_name(table.match),
        "names": table.names,
        "me": table.seat,
        "out": table.match_view.out,
        "others": [name for at, name in enumerate(table.names) if at != table.seat],
        "page": table.context.links.seat(table.match, table.seat),
    }


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

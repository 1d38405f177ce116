"""Messages of players to their table: kept with the match, and sent to everybody else who plays.

Several messages that follow each other closely come in one letter.
"""

from __future__ import annotations

import datetime as dt

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work, insert_once
from service.core.errors import Refused
from service.core.letter_details import MessageDetails
from service.core.locks import lock_seat
from service.core.models import Letter, Match, SeatRow, TableMessage
from service.core.statuses import LetterKind, LetterStatus
from service.outgoing import news
from service.outgoing.outbox import owe_seat

log = structlog.get_logger(__name__)

LONGEST = 2000
GATHERED_FOR = dt.timedelta(minutes=1)
"""A letter waits so long for more to be said."""
MOST, WITHIN = 12, dt.timedelta(hours=1)
"""How many messages of one player a table can bear."""


def say(
    service: Service, work: Work, match: Match, seat: Seat, text: str, dedupe: str
) -> TableMessage:
    """Keep a message and owe the others a letter. The same `dedupe` again gives the stored one.

    Raises Refused: "blank_message", "long_message" (`most` characters), "too_many_messages"
    (`again_at`), "not_playing" (the match has not begun), "seat_left".
    """
    row = lock_seat(service, work, match, seat).seats[seat]
    known = _known(work.session, dedupe)
    if known is not None:
        return known
    if match.started_at is None:
        raise Refused("not_playing")
    if row.left_at is not None:
        raise Refused("seat_left")
    text = clean(text)
    if not text:
        raise Refused("blank_message")
    if len(text) > LONGEST:
        raise Refused("long_message", most=LONGEST, length=len(text))
    assert row.player_id is not None, "bots say nothing"
    _check_rate(service, work.session, match, row.player_id)
    stored = insert_once(
        work.session,
        TableMessage,
        dedupe=dedupe,
        match_id=match.id,
        seat=seat,
        player_id=row.player_id,
        name=row.name,
        text=text,
        said_at=service.now(),
    )
    log.info("message_said", match=match.id, seat=seat, message=stored)
    for other in news.in_play(match):
        if other.seat != seat:
            _owe(service, work, match, other, stored)
    message = _known(work.session, dedupe)
    assert message is not None
    return message


def of(session: Session, match: Match) -> list[TableMessage]:
    """All that was said at this table, oldest first."""
    query = select(TableMessage).where(TableMessage.match_id == match.id).order_by(TableMessage.id)
    return list(session.scalars(query))


def clean(text: str) -> str:
    """A message as it is kept: lines of printable characters, no empty ones at its ends, never two
    in a row.
    """
    lines: list[str] = []
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line = "".join(_shown(c) for c in raw).strip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()


def _shown(character: str) -> str:
    """Nothing for what turns or hides text (bidi controls, NUL), a space for a tab."""
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if character.isspace() else ""


_JOINERS = "\u200c\u200d"  # they shape words of some languages, and emoji


def _known(session: Session, dedupe: str) -> TableMessage | None:
    return session.scalar(select(TableMessage).where(TableMessage.dedupe == dedupe))


def _check_rate(service: Service, session: Session, match: Match, player_id: int) -> None:
    since = service.now() - WITHIN
    times = session.scalars(
        select(TableMessage.said_at)
        .where(
            TableMessage.match_id == match.id,
            TableMessage.player_id == player_id,
            TableMessage.said_at > since,
        )
        .order_by(TableMessage.said_at)
    ).all()
    if len(times) >= MOST:
        again = times[len(times) - MOST] + WITHIN
        raise Refused("too_many_messages", most=MOST, again_at=again.isoformat())


def _owe(service: Service, work: Work, match: Match, to: SeatRow, message: int) -> None:
    """Add it to the letter that waits for this seat, or begin one."""
    assert to.player is not None
    waiting = work.session.scalar(
        select(Letter)
        .where(
            Letter.match_id == match.id,
            Letter.seat == to.seat,
            Letter.player_id == to.player.id,
            Letter.kind == LetterKind.MESSAGE,
            Letter.status.in_((LetterStatus.DUE, LetterStatus.GATHERED)),
            Letter.message.is_(None),
            Letter.sent_at.is_(None),
        )
        .order_by(Letter.id.desc())
        .limit(1)
        .with_for_update(of=Letter)
        .execution_options(populate_existing=True)
    )
    if waiting is not None:
        # One that may have arrived stays what it is.
        said = waiting.details_as(MessageDetails).messages
        waiting.details = MessageDetails(messages=(*said, message))
        waiting.entry = match.last_entry
        return
    owe_seat(
        service,
        work,
        LetterKind.MESSAGE,
        match,
        to,
        entry=match.last_entry,
        dedupe=str(message),
        details=MessageDetails(messages=(message,)),
        due_at=service.now() + GATHERED_FOR,
    )

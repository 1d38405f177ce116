"""The texts a reply can quote: the letters its writer has had of a table, and what others said
there.

A reply address is of a seat or of one of its decisions, and several letters have the same. So all
that were sent lately count, and whatever letter the reply itself names.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import structlog
from sqlalchemy import or_, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.letter_details import MessageDetails
from service.core.models import DecisionRow, EntryRow, Letter, SeatRow, TableMessage
from service.core.statuses import LetterKind, LetterStatus
from service.mail.parse.sent import Sent
from service.mail.render import KINDS, language_of
from service.mail.render.letter_context import LetterContext
from service.matches.reading import stories_ahead
from service.outgoing import identity

log = structlog.get_logger(__name__)

MOST_LETTERS = 6
"""Letters that are written again to be compared: each takes about as long as sending it."""
MOST_MESSAGES = 500
_LANGUAGES = ("en", "fr")


def answered_by(
    service: Service, session: Session, row: SeatRow, named: Sequence[str]
) -> list[Letter]:
    """The letters to who sits there that a mail refers to by these Message-IDs (without brackets,
    the one it answers first): at most two.
    """
    letters = (identity.letter_named(service, session, name) for name in named[:MOST_LETTERS])
    return [each for each in letters if each is not None and each.player_id == row.player_id][:2]


def sent_to(
    service: Service,
    session: Session,
    row: SeatRow,
    answered: Sequence[Letter],
    arrived: dt.datetime,
) -> Sent:
    """The texts that a mail of who sits there can quote; `answered` are letters it refers to."""
    letters = {letter.id: letter for letter in answered}
    for letter in _lately(session, row, arrived):
        if len(letters) < MOST_LETTERS:
            letters.setdefault(letter.id, letter)
    read = _read_ahead(session, row.match_id, [*letters.values()])
    texts, pages = list[str](), list[str]()
    told = [
        letter.entry
        for letter in letters.values()
        if (letter.match_id, letter.seat) == (row.match_id, row.seat) and letter.entry is not None
    ]
    with stories_ahead(session, row.match_id, row.seat or 0, told):
        for letter in letters.values():
            # Who has changed the language meanwhile still has the letter as it was.
            languages = _LANGUAGES if letter in answered else (language_of(session, letter),)
            for lang in languages:
                text, html = _written(service, session, letter, lang)
                texts.append(text)
                pages.append(html)
    del read
    said = _said(session, row, arrived)
    details = (letter.details for letter in answered)
    ids = {i for each in details if isinstance(each, MessageDetails) for i in each.messages}
    return Sent.of(
        texts,
        pages,
        said=[message.text for message in said],
        answered=[line for m in said if m.id in ids for line in (m.text, *m.text.split("\n"))],
    )


def _read_ahead(
    session: Session, match_id: int, letters: Sequence[Letter]
) -> tuple[Sequence[EntryRow], Sequence[DecisionRow]]:
    """The entries and decisions that letters of this match tell of, at once: the session finds them
    as long as somebody holds them.
    """
    own = [letter for letter in letters if letter.match_id == match_id]
    entries = {letter.entry for letter in own if letter.entry is not None}
    asked = {letter.decision for letter in own if letter.decision is not None}
    return (
        session.scalars(
            select(EntryRow).where(EntryRow.match_id == match_id, EntryRow.n.in_(entries))
        ).all(),
        session.scalars(
            select(DecisionRow).where(
                DecisionRow.match_id == match_id, DecisionRow.decision.in_(asked)
            )
        ).all(),
    )


def _written(service: Service, session: Session, letter: Letter, lang: str) -> tuple[str, str]:
    """Text and HTML of a letter; empty if it can be written no more."""
    try:
        with session.no_autoflush:
            draft = KINDS[letter.kind](LetterContext(service, session, letter, lang, drawn=False))
    except DBAPIError:
        raise  # of the database, not of this letter
    except Exception as error:  # noqa: BLE001 (a letter of long ago must not stop a mail of today)
        log.warning("letter_not_compared", letter=letter.id, error=type(error).__name__)
        return "", ""
    return draft.text, draft.html


def _lately(session: Session, row: SeatRow, arrived: dt.datetime) -> list[Letter]:
    """The letters to this player of this match that had left lately, and the digests: the newest of
    each kind first.
    """
    left = or_(
        Letter.status.in_((LetterStatus.SENT, LetterStatus.SENDING)),
        (Letter.status == LetterStatus.DUE) & (Letter.due_at <= arrived),
        Letter.message.is_not(None),  # it may have been taken
    )
    # Each by itself: the newest are found at once among however many of the player's other letters.
    here, digests = (
        select(Letter.id)
        .where(Letter.player_id == row.player_id, which, left)
        .order_by(Letter.id.desc())
        .limit(3 * MOST_LETTERS)
        .subquery()
        for which in (
            Letter.match_id == row.match_id,
            Letter.match_id.is_(None) & (Letter.kind == LetterKind.DIGEST),
        )
    )
    found = session.scalars(
        select(Letter)
        .where(Letter.id.in_(select(here.c.id).union_all(select(digests.c.id))))
        .order_by(Letter.id.desc())
        .limit(3 * MOST_LETTERS)
    ).all()
    newest = {letter.kind: letter for letter in reversed(found)}
    return [*newest.values(), *(letter for letter in found if letter not in newest.values())]


def _said(session: Session, row: SeatRow, arrived: dt.datetime) -> list[TableMessage]:
    """What the others have said at the table, the newest if it is much."""
    others = or_(TableMessage.player_id != row.player_id, TableMessage.seat != row.seat)
    return list(
        session.scalars(
            select(TableMessage)
            .where(TableMessage.match_id == row.match_id, others, TableMessage.said_at <= arrived)
            .order_by(TableMessage.id.desc())
            .limit(MOST_MESSAGES)
        )
    )

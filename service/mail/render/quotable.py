"""The texts a reply can quote: the letters its writer has had of a table, and what others said
there.

A reply address is of a seat or of one of its decisions, and several letters have the same. So all
that were sent lately count, and whatever letter the reply itself names.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cached_property

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


class Quotable:
    """The texts that a mail of who sits there can quote; `answered` are letters it refers to.

    A letter is written again when it is first asked for, which takes about as long as sending it.
    """

    def __init__(
        self,
        service: Service,
        session: Session,
        row: SeatRow,
        answered: Sequence[Letter],
        arrived: dt.datetime,
    ) -> None:
        self._service = service
        self._session = session
        self._row = row
        self._answered = answered
        self._arrived = arrived
        self._written: dict[int, Sequence[tuple[str, str]]] = {}

    def answered(self) -> Sent:
        """The letters that the mail refers to alone."""
        return self._sent(self._answered)

    def all(self) -> Sent:
        """These, and the others of this table that were sent lately."""
        letters = {letter.id: letter for letter in self._answered}
        for letter in _lately(self._session, self._row, self._arrived):
            if len(letters) < MOST_LETTERS:
                letters.setdefault(letter.id, letter)
        return self._sent([*letters.values()])

    def _sent(self, letters: Sequence[Letter]) -> Sent:
        self._write([letter for letter in letters if letter.id not in self._written])
        parts = [part for letter in letters for part in self._written[letter.id]]
        details = (letter.details for letter in self._answered)
        ids = {i for each in details if isinstance(each, MessageDetails) for i in each.messages}
        said = self._said
        return Sent.of(
            [text for text, _ in parts],
            [html for _, html in parts],
            said=[message.text for message in said],
            answered=[line for m in said if m.id in ids for line in (m.text, *m.text.split("\n"))],
        )

    def _write(self, letters: Sequence[Letter]) -> None:
        row, session = self._row, self._session
        read = _read_ahead(session, row.match_id, letters)
        told = [
            letter.entry
            for letter in letters
            if (letter.match_id, letter.seat) == (row.match_id, row.seat)
            and letter.entry is not None
        ]
        with stories_ahead(session, row.match_id, row.seat or 0, told):
            for letter in letters:
                # Who has changed the language meanwhile still has the letter as it was.
                own = (language_of(session, letter),)
                languages = _LANGUAGES if letter in self._answered else own
                self._written[letter.id] = [
                    _written(self._service, session, letter, lang) for lang in languages
                ]
        del read

    @cached_property
    def _said(self) -> Sequence[TableMessage]:
        """What the others have said at the table, the newest if it is much."""
        row = self._row
        others = or_(TableMessage.player_id != row.player_id, TableMessage.seat != row.seat)
        return self._session.scalars(
            select(TableMessage)
            .where(
                TableMessage.match_id == row.match_id,
                others,
                TableMessage.said_at <= self._arrived,
            )
            .order_by(TableMessage.id.desc())
            .limit(MOST_MESSAGES)
        ).all()


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

"""The turns a letter offered, by their numbers, for who answers with a number."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.context import Service
from service.core.letter_details import AnswerDetails, NoDetails
from service.core.models import DecisionRow, Letter, Match
from service.core.statuses import LetterKind, LetterStatus
from service.mail.render.choices import Choice, choices
from service.mail.render.letter_context import LetterContext
from service.mail.render.table import Table
from service.matches.answering import offers_turns

_CLOCKS = dt.timedelta(minutes=1)
"""The clocks of two machines may differ by so much; what waits for a morning waits longer."""


def offered(service: Service, session: Session, match: Match, asked: DecisionRow) -> list[Choice]:
    """The choices in the letter that asked for this decision, first to last.

    Nothing if the position is another by now and would be offered others: a number must mean what
    its writer saw.
    """
    then = _at(service, session, match, asked, asked.opened_entry)
    if match.last_entry == asked.opened_entry:
        return then
    now = _at(service, session, match, asked, match.last_entry)
    return then if [c.notation for c in then] == [c.notation for c in now] else []


def has_offered(session: Session, asked: DecisionRow, player_id: int, arrived: dt.datetime) -> bool:
    """True if a letter with the choices of this decision had left by then, or was about to.

    One that waits for the end of its reader's quiet hours or for their digest has not been seen. An
    answer counts if it lists the choices.
    """
    letters = session.scalars(
        select(Letter).where(
            Letter.match_id == asked.match_id,
            Letter.decision == asked.decision,
            Letter.player_id == player_id,
            Letter.kind.in_(
                (LetterKind.TURN, LetterKind.REMINDER, LetterKind.NUDGE, LetterKind.ANSWER)
            ),
        )
    )
    return any(_lists(letter) and _had_left(letter, arrived) for letter in letters)


def _lists(letter: Letter) -> bool:
    if letter.kind != LetterKind.ANSWER:
        return True
    details = letter.details
    return isinstance(details, AnswerDetails) and offers_turns(details.results)


def _had_left(letter: Letter, arrived: dt.datetime) -> bool:
    if (
        letter.sent_at is not None
        or letter.message is not None
        or letter.status == LetterStatus.SENDING
    ):
        return True
    return (
        letter.status == LetterStatus.DUE
        and letter.due_at is not None
        and letter.due_at <= arrived + _CLOCKS
    )


def _at(
    service: Service, session: Session, match: Match, asked: DecisionRow, entry: int
) -> list[Choice]:
    player = match.seats[asked.seat].player
    if player is None:
        return []
    letter = Letter(
        dedupe="",
        kind="turn",
        player=player,
        player_id=player.id,
        match_id=match.id,
        seat=asked.seat,
        entry=entry,
        decision=asked.decision,
        details=NoDetails(),
        created_at=asked.opened_at,
    )
    with session.no_autoflush:
        table = Table.at(LetterContext(service, session, letter, player.lang))
        return choices(table, asked.decision)

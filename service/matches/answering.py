"""Owing the answer to a mail: one letter, whatever it tells."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.protocol import Seat
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import AnswerDetails, HeldTurn, MailDetails, PauseAsked
from service.core.models import InboundMail, Letter, Match, Pause, Player, SeatRow
from service.core.results import (
    BoardShown,
    GameOver,
    HistoryShown,
    NewLinks,
    NoSuchChoice,
    NothingFound,
    NotYourTurn,
    NumberAsked,
    OrderInMessage,
    OrdersListed,
    ResignAsked,
    Result,
    RulesShown,
    SeatBack,
    SeatLost,
    SetBack,
    SeveralTurns,
    TurnPlayed,
    TurnStale,
    TurnUndone,
    TurnWrong,
    Unsure,
    WordRefused,
)
from service.core.statuses import LetterKind, MatchStatus, PauseStatus
from service.matches import reading
from service.outgoing.outbox import owe

OFFERING: Final[frozenset[type[Result]]] = frozenset(
    {
        TurnWrong,
        SeveralTurns,
        NoSuchChoice,
        NumberAsked,
        NothingFound,
        Unsure,
        TurnStale,
        OrderInMessage,
        TurnUndone,
        BoardShown,
        RulesShown,
        SeatBack,
        SetBack,
        NewLinks,
    }
)
"""Results after which the reader chooses a turn, if one is asked of them."""
POSITION = (OFFERING - {SeatBack}) | {TurnPlayed, NotYourTurn, GameOver}
"""Results after which they look at the board."""


def offers_turns(results: Sequence[Result]) -> bool:
    """True if the reader chooses a turn after one of these, if one is asked of them."""
    return any(type(each) in OFFERING or _asked_back(each) for each in results)


def shows_board(results: Sequence[Result]) -> bool:
    """True if they look at the board after one of these."""
    return any(type(each) in POSITION or _asked_back(each) for each in results)


def _asked_back(result: Result) -> bool:
    """True for an undo where nothing could be taken back: it is their own turn perhaps."""
    return isinstance(result, WordRefused) and result.word == "undo"


_OF_THE_SEAT = ((POSITION | OFFERING) - {TurnPlayed, GameOver}) | {HistoryShown, OrdersListed}
"""Results that lead to the board, or to a turn."""


def answer(
    service: Service,
    work: Work,
    mail: InboundMail,
    player: Player,
    results: Sequence[Result],
    *,
    match: Match | None = None,
    row: SeatRow | None = None,
) -> None:
    """Owe the answer to this mail: what became of each thing in it, seen from the reader's seat as
    the match stands now.
    """
    work.session.flush()
    _owe(service, work, player, dedupe_of(str(mail.id)), results, match, row, mail.details)


def warn(
    service: Service,
    work: Work,
    player: Player,
    result: Result,
    dedupe: str,
    row: SeatRow | None,
) -> None:
    """Tell a player of a mail that was not theirs, unless that is told under `dedupe` already."""
    match = row.match if row is not None else None
    _owe(service, work, player, dedupe_of(dedupe), [result], match, row)


def report(
    service: Service,
    work: Work,
    row: SeatRow,
    results: Sequence[Result],
    dedupe: str,
    *,
    due_at: dt.datetime | None = None,
) -> None:
    """Tell who sits there what became of something that no mail of this moment asked for, unless
    that is told under `dedupe` already; at once, or when it is due.
    """
    if row.player is not None:
        name = dedupe_of(dedupe)
        _owe(service, work, row.player, name, results, row.match, row, due_at=due_at)


def take_table_out(session: Session, match: Match, seat: int) -> None:
    """Let the answers that are owed to a seat come without what its player sees: it is another's
    from now on.
    """
    owed = select(Letter).where(
        Letter.match_id == match.id,
        Letter.seat == seat,
        Letter.kind == LetterKind.ANSWER,
        Letter.sent_at.is_(None),
    )
    for letter in session.scalars(owed):
        letter.entry = letter.decision = None
        details = letter.details_as(AnswerDetails)
        letter.details = replace(details, results=tuple(of_no_seat(details.results)))


def of_no_seat(results: Sequence[Result]) -> list[Result]:
    """The results of a mail whose writer's seat is another's by now; if that was only to look or to
    try, that they play no longer.
    """
    done = [each for each in results if type(each) not in _OF_THE_SEAT]
    return done or [SeatLost(why="replaced")]


def dedupe_of(name: str) -> str:
    """The name of the letter that answers this: the number of a mail, or what `warn` and `report`
    were given.
    """
    return f"answer.{name}"


def _owe(
    service: Service,
    work: Work,
    player: Player,
    dedupe: str,
    results: Sequence[Result],
    match: Match | None,
    row: SeatRow | None,
    thread: MailDetails | None = None,
    due_at: dt.datetime | None = None,
) -> None:
    thread = thread or MailDetails()
    details = AnswerDetails(
        results=tuple(results),
        ended=match is not None and match.status == MatchStatus.ENDED,
        # The address of this letter takes a "yes" to that question alone.
        question=next((each.question for each in results if isinstance(each, ResignAsked)), None),
        message_id=thread.message_id,
        references=thread.references,
        subject=thread.subject,
    )
    entry = asked = None
    if match is not None and row is not None and row.left_at is None and row.seat is not None:
        entry = match.last_entry if match.started_at is not None else None
        if match.status == MatchStatus.PLAYING:
            mine = reading.open_decisions(work.session, match, row.seat)
            asked = mine[0].decision if mine and mine[0].blocks else None
            if details.question is None:
                details = _with_standing(work.session, match, row, row.seat, details)
    owe(
        service,
        work,
        LetterKind.ANSWER,
        player,
        dedupe=dedupe,
        match=match,
        seat=row.seat if row is not None else None,
        entry=entry,
        decision=asked,
        details=details,
        due_at=due_at,
    )


def _with_standing(
    session: Session, match: Match, row: SeatRow, seat: Seat, details: AnswerDetails
) -> AnswerDetails:
    """The details with what the reader has still to know of a match that goes on, whatever they
    wrote: the turn of theirs that waits to be played, and the pause they are asked for.
    """
    held_turn, pause_asked = None, None
    turn = reading.held_turn(session, match, seat)
    if turn is not None and turn.held_until is not None:
        held_turn = HeldTurn(until=turn.held_until, text=turn.body)
    pause = session.scalar(
        select(Pause)
        .where(Pause.match_id == match.id, Pause.status == PauseStatus.ASKED)
        .order_by(Pause.id.desc())
        .limit(1)
    )
    if pause is not None and seat not in pause.agreed and row.played_by is None:
        pause_asked = PauseAsked(by=pause.seat, days=pause.days)
    return replace(details, held_turn=held_turn, pause_asked=pause_asked)

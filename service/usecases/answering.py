"""Owing the answer to a mail: one letter, whatever it tells."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from service import reading
from service.context import Service
from service.db import Work
from service.letters.answer import OFFERING, POSITION
from service.models import InboundMail, Letter, Match, Pause, Player, SeatRow
from service.usecases.outbox import owe
from service.words.word import result as result_of

_OF_THE_SEAT = ((POSITION | OFFERING) - {"played", "over"}) | {"history"}
"""Results that lead to the board, or to a turn."""


def answer(
    service: Service,
    work: Work,
    mail: InboundMail,
    player: Player,
    results: Sequence[dict[str, Any]],
    *,
    match: Match | None = None,
    row: SeatRow | None = None,
) -> None:
    """Owe the answer to this mail: what became of each thing in it, seen from the reader's seat as
    the match stands now.
    """
    work.session.flush()
    known = ("message_id", "references", "subject")
    thread = {name: mail.details[name] for name in known if mail.details.get(name)}
    _owe(service, work, player, dedupe_of(str(mail.id)), results, match, row, thread)


def warn(
    service: Service,
    work: Work,
    player: Player,
    result: dict[str, Any],
    dedupe: str,
    row: SeatRow | None,
) -> None:
    """Tell a player of a mail that was not theirs, unless that is told under `dedupe` already."""
    match = row.match if row is not None else None
    _owe(service, work, player, dedupe_of(dedupe), [result], match, row, {})


def report(
    service: Service,
    work: Work,
    row: SeatRow,
    results: Sequence[dict[str, Any]],
    dedupe: str,
    *,
    due_at: dt.datetime | None = None,
) -> None:
    """Tell who sits there what became of something that no mail of this moment asked for, unless
    that is told under `dedupe` already; at once, or when it is due.
    """
    if row.player is not None:
        name = dedupe_of(dedupe)
        _owe(service, work, row.player, name, results, row.match, row, {}, due_at)


def take_table_out(session: Session, match: Match, seat: int) -> None:
    """Let the answers that are owed to a seat come without what its player sees: it is another's
    from now on.
    """
    owed = select(Letter).where(
        Letter.match_id == match.id,
        Letter.seat == seat,
        Letter.kind == "answer",
        Letter.sent_at.is_(None),
    )
    for letter in session.scalars(owed):
        letter.entry = letter.decision = None
        letter.details = {**letter.details, "results": of_no_seat(letter.details["results"])}


def of_no_seat(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a mail has done, for a writer whose seat is another's by now; if that was only to look
    or to try, that they play no longer.
    """
    done = [each for each in results if each["code"] not in _OF_THE_SEAT]
    return done or [result_of("left", why="replaced")]


def dedupe_of(name: str) -> str:
    """How the letter is called that answers this: the number of a mail, or what `warn` and `report`
    were given.
    """
    return f"answer.{name}"


def _owe(
    service: Service,
    work: Work,
    player: Player,
    dedupe: str,
    results: Sequence[dict[str, Any]],
    match: Match | None,
    row: SeatRow | None,
    thread: dict[str, Any],
    due_at: dt.datetime | None = None,
) -> None:
    seated = match is not None and row is not None and row.seat is not None
    begun = match is not None and match.started_at is not None
    asked = None
    if match is not None and row is not None and row.seat is not None and match.status == "playing":
        mine = reading.open_decisions(work.session, match, row.seat)
        asked = mine[0].decision if mine and mine[0].blocking else None
    ended = match is not None and match.status == "ended"
    here = begun and seated and row is not None and row.left_at is None
    standing = _standing(work.session, match, row) if here and match is not None and row else {}
    question = next((each["question"] for each in results if "question" in each), None)
    if question is not None:
        # The address of this letter takes a "yes" to that question alone.
        standing = {"question": question}
    owe(
        service,
        work,
        "answer",
        player,
        dedupe=dedupe,
        match=match,
        seat=row.seat if row is not None else None,
        entry=match.last_entry if match is not None and here else None,
        decision=asked if here else None,
        details={
            "results": list(results),
            **({"ended": True} if ended else {}),
            **standing,
            **thread,
        },
        due_at=due_at,
    )


def _standing(session: Session, match: Match, row: SeatRow) -> dict[str, Any]:
    """What the reader has still to know of a match that goes on, whatever they wrote: the turn of
    theirs that waits to be played, and the pause they are asked for.
    """
    assert row.seat is not None
    if match.status != "playing":
        return {}
    found: dict[str, Any] = {}
    turn = reading.held_turn(session, match, row.seat)
    if turn is not None and turn.held_until is not None:
        found["held_turn"] = {"until": turn.held_until.isoformat(), "text": turn.body}
    pause = session.scalar(
        select(Pause)
        .where(Pause.match_id == match.id, Pause.status == "asked")
        .order_by(Pause.id.desc())
        .limit(1)
    )
    if pause is not None and row.seat not in pause.agreed and row.played_by is None:
        found["pause_asked"] = {"by": pause.seat, "days": pause.days}
    return found

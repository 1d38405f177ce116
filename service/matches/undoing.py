"""Taking a turn back: before it is played, or after, until anybody else has been shown it.

A turn can be taken back as long as nothing follows from knowing it: it is the newest of the match,
it revealed nothing, no letter about it is with the mail server and no page with it was looked at by
anybody else (`seeing`: what only opens a page has not looked at it).

Orders that others have filed since are silent, so they do not stand in the way: they are filed anew
on the position before. An own order can be taken back as long as nothing has been played after it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec
import structlog
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.play import NotYourDecision
from engine.protocol import Asks, IllegalAction, Seat
from service.core import locks, verdicts
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.letter_details import AnswerDetails
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, EntryRow, Letter, Match, Submission
from service.core.results import AnyResult, OrderFiled, TurnPlayed, TurnWithdrawn
from service.core.statuses import Actor, LetterKind, LetterStatus, MatchStatus, SubmissionStatus
from service.matches import bots, journal, moves
from service.time import deadlines

log = structlog.get_logger(__name__)

UNSENT = (
    LetterStatus.DUE,
    LetterStatus.GATHERED,
    LetterStatus.SUPPRESSED,
    LetterStatus.DROPPED,
    LetterStatus.DEAD_LETTER,
)
"""Statuses of letters that the mail server has not taken, unless one is to be sent again."""


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """The turn that was taken back: one not played yet ("withdrawn"), or one that was ("taken
    back").

    `body` is the turn as it was handed in, and `said` the line that went with it, for the form that
    opens again; `submission` its code.
    """

    how: Literal["withdrawn", "taken back"]
    decision: str
    body: str
    submission: str
    said: str = ""


def undo(service: Service, work: Work, match: Match, seat: Seat) -> Undone:
    """Take back the newest turn of this seat; the decision is open again, its clock as it was.

    Raises Refused: "nothing_to_undo" (the newest turn is not one that this seat's player handed
    in), "bot_was_faster" (a bot has moved since), "too_late_revealed" (it has shown something
    hidden, or ended the match), "too_late_shown", "seat_left".
    """
    match = locks.lock_player(service, work, match, seat)
    waiting = moves.withdraw_all(service, work.session, match, seat)
    if waiting is not None:
        return _undone("withdrawn", waiting)
    entry, later = _newest(work.session, match, seat)
    # No sender may claim a letter of this turn from here on (PostgreSQL; SQLite has one writer).
    letters = work.session.scalars(
        select(Letter)
        .where(Letter.match_id == match.id, Letter.entry >= entry.n)
        .with_for_update(of=Letter)
        .execution_options(populate_existing=True)
    ).all()
    obstacle = _obstacle(work.session, match, seat, entry, letters)
    if obstacle is not None:
        raise Refused(obstacle)
    n = entry.n
    submission = work.session.scalars(
        select(Submission).where(
            Submission.match_id == match.id,
            Submission.entry == n,
            Submission.status == SubmissionStatus.PLAYED,
        )
    ).one()
    moves.withdraw(service, match, submission, verdicts.TakenBack())
    submission.entry = None
    log.info("turn_taken_back", match=match.id, seat=seat, entry=n)
    led_to = _unask(service, work, match, n, letters)
    moved = _unwrite(work.session, match, entry, later)
    _renumber(service, work.session, match, n, moved, letters)
    _reopen(service, work, match, n, led_to)
    return _undone("taken back", submission)


def _undone(how: Literal["withdrawn", "taken back"], submission: Submission) -> Undone:
    return Undone(
        how=how,
        decision=submission.decision,
        body=submission.body,
        submission=submission.code,
        said=submission.said or "",
    )


def obstacle(session: Session, match: Match, seat: Seat) -> str | None:
    """The reason why this seat cannot take its newest turn back, as a code of `undo`; None if it
    can.
    """
    if moves.waiting_of(session, match, seat) is not None:
        return None
    entry, _ = _newest(session, match, seat)
    letters = session.scalars(
        select(Letter).where(Letter.match_id == match.id, Letter.entry >= entry.n)
    ).all()
    return _obstacle(session, match, seat, entry, letters)


def _newest(session: Session, match: Match, seat: Seat) -> tuple[EntryRow, list[EntryRow]]:
    """The newest entry that is no order of another seat, and those orders, oldest first."""
    later: list[EntryRow] = []
    n = match.last_entry
    while True:
        entry = session.get_one(EntryRow, (match.id, n), populate_existing=True)
        if entry.asks is Asks.MUST or entry.seat == seat:
            return entry, later
        later.insert(0, entry)
        n -= 1


def _obstacle(
    session: Session, match: Match, seat: Seat, entry: EntryRow, letters: Sequence[Letter]
) -> str | None:
    if entry.seat != seat or entry.cause.actor is not Actor.PLAYER:
        if _answered(session, match, seat, entry):
            return "bot_was_faster"
        return "nothing_to_undo"
    if entry.revealed or match.status != MatchStatus.PLAYING:
        return "too_late_revealed"
    return "too_late_shown" if _shown(session, match, entry, letters) else None


def _answered(session: Session, match: Match, seat: Seat, entry: EntryRow) -> bool:
    """True if nobody but bots has moved since a turn that this seat's player handed in."""
    while entry.seat != seat and entry.cause.actor is Actor.BOT:
        entry = session.get_one(EntryRow, (match.id, entry.n - 1))
    return entry.seat == seat and entry.cause.actor is Actor.PLAYER


def _shown(session: Session, match: Match, entry: EntryRow, letters: Sequence[Letter]) -> bool:
    """True if anybody else may know the turn, or its player what it led to."""
    if (match.watched_entry or 0) >= entry.n:
        return True
    asked = {row.decision for row in _asked(session, match, entry.n)}
    for row in match.seats:
        if row.seat != entry.seat and (row.seen_entry or 0) >= entry.n:
            return True
        if (row.left_entry or 0) >= entry.n:
            return True  # somebody has left on this position
    return any(
        _has_left(letter)
        and not _is_silent(letter, entry)
        and (letter.seat != entry.seat or letter.decision in asked)
        for letter in letters
    )


def _has_left(letter: Letter) -> bool:
    """True if the mail server has taken it, or may have: once is enough."""
    return letter.status not in UNSENT or letter.sent_at is not None or letter.message is not None


def _is_silent(letter: Letter, entry: EntryRow) -> bool:
    """True if it tells nobody else of the turn: what was said, and our answer to who played it."""
    return letter.kind == LetterKind.MESSAGE or (
        letter.kind == LetterKind.ANSWER and letter.seat == entry.seat
    )


def _asked(session: Session, match: Match, n: int) -> list[DecisionRow]:
    """The decisions that entry n has led to."""
    return list(
        session.scalars(
            select(DecisionRow).where(
                DecisionRow.match_id == match.id, DecisionRow.opened_entry == n
            )
        )
    )


def _unask(
    service: Service, work: Work, match: LockedMatch, n: int, letters: Sequence[Letter]
) -> set[tuple[str, Seat]]:
    """Take back what the turn has led to: questions, letters about them, what bots began to think.
    The turns and seats of what was asked.
    """
    session = work.session
    rows = _asked(session, match, n)
    asked = [row.decision for row in rows]
    for letter in letters:
        if letter.decision in asked and letter.kind != LetterKind.ANSWER:
            session.delete(letter)
            continue
        if letter.decision in asked:
            letter.decision = None
    session.flush()
    bots.call_off(service, work, match, asked)
    for row in rows:
        session.delete(row)
    session.flush()
    return {(row.turn, row.seat) for row in rows}


def _unwrite(
    session: Session, match: LockedMatch, entry: EntryRow, later: Sequence[EntryRow]
) -> dict[int, int]:
    """Take the entry out of the journal, and file the later orders of others anew; their new
    numbers by the old. An order that only the turn has made possible goes with it, as what it was
    filed for is open no more.
    """
    game = journal.game_of(match)
    orders = [(journal.entry_of(row), row.cause, row.made_at) for row in later]
    for row in (entry, *later):
        session.delete(row)
    match.last_entry = entry.n - 1
    for seat in match.seats:  # its own player may have looked at it
        if seat.seen_entry is not None:
            seat.seen_entry = min(seat.seen_entry, entry.n - 1)
        if seat.out_entry == entry.n:
            seat.out_entry = None
    session.flush()
    moved = {}
    for order, cause, made_at in orders:
        actions = [msgspec.convert(action, game.action_type) for action in order.actions]
        reached = journal.position(session, match)
        try:
            made = journal.extend(
                session, match, reached, order.seat, order.decision, actions, cause, made_at
            )
        except (NotYourDecision, IllegalAction):
            continue
        session.flush()
        moved[order.n] = made.reached.n
    return moved


def _renumber(
    service: Service,
    session: Session,
    match: LockedMatch,
    n: int,
    moved: Mapping[int, int],
    letters: Sequence[Letter],
) -> None:
    """Let what speaks of entry n, or of later ones, speak of what they are now. The other letters
    of the time are about something else, and are of the entry before from now on; so are answers:
    each is the only one to a mail, whatever was asked of its reader then.
    """
    handed_in = session.scalars(
        select(Submission)
        .where(Submission.match_id == match.id, Submission.entry > n)
        .order_by(Submission.entry)
    )
    for submission in handed_in:
        submission.entry = moved.get(submission.entry or n)
        if submission.entry is None:
            submission.dedupe = submission.code  # it may be handed in again
            moves.withdraw(service, match, submission, verdicts.TakenBack())
    for letter in letters:
        if letter not in session or letter.entry is None:
            continue  # it is taken back with what it asked
        if letter.kind == LetterKind.ANSWER:
            # One that has left, too: it is written again for what a reply to it may quote.
            details = letter.details
            if isinstance(details, AnswerDetails):
                results = tuple(_retold(told, n, moved) for told in details.results)
                letter.details = replace(details, results=results)
        stayed = (new for old, new in moved.items() if old <= letter.entry)
        letter.entry = max(stayed, default=n - 1)
    session.flush()


def _retold(told: AnyResult, n: int, moved: Mapping[int, int]) -> AnyResult:
    """A result in an answer: entry n was not played after all."""
    if not isinstance(told, TurnPlayed | OrderFiled) or told.entry is None or told.entry < n:
        return told
    new = moved.get(told.entry)
    return TurnWithdrawn() if new is None else replace(told, entry=new)


def _reopen(
    service: Service,
    work: Work,
    match: LockedMatch,
    n: int,
    led_to: Collection[tuple[str, Seat]],
) -> None:
    """Ask again what the turn had answered. Clocks go on as if they had never stopped. `led_to` are
    the turns and seats of what it had led to.
    """
    session = work.session
    state = journal.position(session, match).state
    asks = {d.id: d.asks for d in journal.game_of(match).decisions(state)}
    rows = session.scalars(
        select(DecisionRow).where(
            DecisionRow.match_id == match.id,
            DecisionRow.closed_entry.is_(None) | (DecisionRow.closed_entry == n),
        )
    )
    again = []
    for row in rows:
        if row.decision not in asks:
            session.delete(row)  # a later order had led to it
            continue
        # What was made and could still be changed has stayed open, and held nobody up.
        if asks[row.decision] is Asks.MUST and (row.closed_entry == n or not row.blocks):
            again.append(row)
        row.closed_entry, row.asks = None, asks[row.decision]
    session.flush()
    for row in again:
        went_on = bool(row.turn) and (row.turn, row.seat) in led_to
        deadlines.reopen(service, work, match, row, went_on=went_on)

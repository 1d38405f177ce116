"""Owing letters: written in the transaction that makes them due, sent after it."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ColumnElement, bindparam, func, select, update
from sqlalchemy.orm import Session, lazyload

from service.core import counters
from service.core.context import Service
from service.core.db import Work, insert_once
from service.core.letter_details import Details, Notes, as_stored
from service.core.models import DecisionRow, Letter, Match, Player, SeatRow
from service.core.statuses import LetterKind, LetterStatus, MatchStatus, StopReason
from service.outgoing.policies import LASTING, policy_of

UNSENT = (LetterStatus.DUE, LetterStatus.GATHERED)
"""Nothing of a letter has left yet."""
ON_ITS_WAY = (LetterStatus.DUE, LetterStatus.SENDING, LetterStatus.DEAD_LETTER)

LATE = dt.timedelta(minutes=5)
"""A letter that has been due for so long waits for us: what its reader is asked waits with it."""


def is_unwanted(kind: LetterKind, player: Player, seat: SeatRow | None) -> bool:
    """True if a letter of this kind must not go to this player: mail to them was stopped, they want
    no invitations, or have muted this table. Whoever sits at a table has agreed to its letters.
    """
    policy = policy_of(kind)
    if player.stopped_at is not None and (
        policy.consent != "asked" or player.stopped_why in (StopReason.OPERATOR, StopReason.ERASED)
    ):
        return True
    if policy.consent == "stranger":
        return player.suppressed_at is not None
    return policy.mutable and seat is not None and seat.muted_at is not None


def owe(
    service: Service,
    work: Work,
    kind: LetterKind,
    player: Player,
    *,
    dedupe: str,
    match: Match | None = None,
    seat: int | None = None,
    entry: int | None = None,
    decision: str | None = None,
    details: Details | None = None,
    notes: Notes | None = None,
    due_at: dt.datetime | None = None,
    silent: bool = False,
) -> None:
    """Put a letter into the outbox, unless it is there already. It is not sent if its reader wants
    none, or if it is only to be counted (`silent`).
    """
    now = service.now()
    row = match.row_of(player.id) if match is not None else None
    silent = silent or is_unwanted(kind, player, row)
    due = None if silent else due_at or now
    letter = insert_once(
        work.session,
        Letter,
        dedupe=dedupe,
        kind=kind,
        player_id=player.id,
        match_id=match.id if match else None,
        seat=seat,
        entry=entry,
        decision=decision,
        details=as_stored(kind, details, notes or Notes()),
        epoch=service.keys.era.number,
        secret=service.keys.secret,
        status=LetterStatus.SUPPRESSED if silent else LetterStatus.DUE,
        created_at=now,
        due_at=due,
    )
    if letter is None:
        return
    if silent:
        counters.count(work.session, "letters", kind, "suppressed")
    if due is not None and due <= now:
        work.enqueue_after_commit("mail.deliver", letter)


def owe_seat(
    service: Service,
    work: Work,
    kind: LetterKind,
    match: Match,
    seat: SeatRow,
    *,
    entry: int | None = None,
    decision: str | None = None,
    details: Details | None = None,
    dedupe: str | None = None,
    due_at: dt.datetime | None = None,
) -> None:
    """Owe a letter to whoever sits there; nothing for a bot.

    `dedupe` tells it from the seat's other letters of this kind; without it the decision does, or
    the entry. Who sits down in another's place gets letters of their own.
    """
    if seat.player is None:
        return
    told_by = dedupe or decision or (0 if entry is None else entry)
    occupancy = f".{seat.occupancy}" if seat.occupancy else ""
    owe(
        service,
        work,
        kind,
        seat.player,
        dedupe=f"{kind}.{match.code}.{seat.seat}.{told_by}{occupancy}",
        match=match,
        seat=seat.seat,
        entry=entry,
        decision=decision,
        details=details,
        due_at=due_at,
    )


def owe_again(service: Service, work: Work, player: Player, match: Match | None = None) -> None:
    """Send what was held back from a player who wants letters again (of this match; None: of all):
    those that still ask something.
    """
    now = service.now()
    held_back = (
        select(Letter)
        .join(
            DecisionRow,
            (DecisionRow.match_id == Letter.match_id) & (DecisionRow.decision == Letter.decision),
        )
        .where(
            Letter.player_id == player.id,
            Letter.status == LetterStatus.SUPPRESSED,
            Letter.kind.in_((LetterKind.TURN, LetterKind.ORDERS)),
            DecisionRow.closed_entry.is_(None),
        )
        .order_by(Letter.id)
        .with_for_update(of=Letter)
        .execution_options(populate_existing=True)
    )
    if match is not None:
        held_back = held_back.where(Letter.match_id == match.id)
    for letter in work.session.scalars(held_back):
        letter.status, letter.due_at = LetterStatus.DUE, now
        work.enqueue_after_commit("mail.deliver", letter.id)


def drop(session: Session, *which: ColumnElement[bool]) -> None:
    """Send nothing of these letters."""
    dropped = session.scalars(
        update(Letter)
        .where(*which)
        .values(status=LetterStatus.DROPPED, due_at=None)
        .returning(Letter.kind)
    )
    counters.count_kinds(session, "letters", dropped, "dropped")


def keep_back(session: Session, match: Match, seat: int) -> None:
    """Send nothing of what waits for this seat, whose player has given it up; but the answers to
    their mails: each is the only one.
    """
    drop(
        session,
        Letter.match_id == match.id,
        Letter.seat == seat,
        Letter.kind != LetterKind.ANSWER,
        Letter.status.in_(UNSENT),
    )


def is_asked(session: Session, letter: Letter) -> bool:
    """True if what this letter asks for is still to be decided, and for one that asks nothing. Who
    is invited to file ahead is so no longer when their turn has come.
    """
    if letter.match_id is None or letter.decision is None:
        return True
    row = session.get(DecisionRow, (letter.match_id, letter.decision))
    if row is None or row.closed_entry is not None:
        return False
    return letter.kind != LetterKind.ORDERS or row.invites


def untaken(session: Session, row: DecisionRow, player_id: int) -> Letter | None:
    """The letter that asks this player for a decision, or the digest that does, which is on its way
    to the mail server, or that it has refused; the newest. None if it has taken one, and if none is
    on its way: its reader wants none, or has it wait.
    """
    return next(iter(_untaken(session, row, player_id)), None)


def stuck(session: Session, row: DecisionRow, player_id: int, now: dt.datetime) -> Letter | None:
    """The letter that asks this player for a decision, and is stuck. A copy of it that nobody has
    taken up yet changes nothing.
    """
    for letter in _untaken(session, row, player_id):
        if is_stuck(letter, now):
            return letter
        if letter.claim:
            return None
    return None


def _untaken(session: Session, row: DecisionRow, player_id: int) -> list[Letter]:
    asked = session.scalars(
        select(Letter)
        .where(
            Letter.match_id == row.match_id,
            Letter.decision == row.decision,
            Letter.player_id == player_id,
            Letter.kind == LetterKind.TURN,
        )
        .order_by(Letter.id.desc())
    ).all()
    told_by = [
        letter if letter.told_in is None else session.get(Letter, letter.told_in)
        for letter in asked
    ]
    if any(letter is not None and letter.sent_at is not None for letter in told_by):
        return []
    return [each for each in told_by if each is not None and each.status in ON_ITS_WAY]


def ready_at(letter: Letter) -> dt.datetime:
    """Since when this letter, which has not been taken, could have been handed over."""
    return letter.ready_at or letter.due_at or letter.created_at


def is_stuck(letter: Letter, now: dt.datetime) -> bool:
    """True if a letter that has not been taken was refused, or does not get through: it has failed,
    or its sender has died, or nobody has taken it up for LATE.
    """
    if letter.status == LetterStatus.DEAD_LETTER or letter.due_at is None:
        return True
    if letter.status == LetterStatus.SENDING:
        return letter.due_at <= now
    return letter.failure is not None or letter.due_at <= now - LATE


def is_pruned(letter: Letter) -> bool:
    """True if this letter cannot be written any more as it was."""
    match = letter.match
    return match is not None and match.pruned_at is not None and letter.kind not in LASTING


def owed_since(session: Session, player: Player, kind: LetterKind, since: dt.datetime) -> int:
    """The number of letters of this kind that the player has been owed since then."""
    owed = select(func.count()).select_from(Letter)
    since_then = (Letter.player_id == player.id, Letter.kind == kind, Letter.created_at > since)
    return session.scalar(owed.where(*since_then)) or 0


AWAITED = (
    select(DecisionRow, SeatRow, Match.last_entry)
    .join(Match, Match.id == DecisionRow.match_id)
    .join(
        SeatRow,
        (SeatRow.match_id == DecisionRow.match_id) & (SeatRow.seat == DecisionRow.seat),
    )
    .where(
        SeatRow.player_id == bindparam("player"),
        SeatRow.stand_in.is_(None),
        Match.status == MatchStatus.PLAYING,
        DecisionRow.blocks,
        DecisionRow.closed_entry.is_(None),
    )
    .options(lazyload(SeatRow.player))
)
"""Selects the decisions that wait for a player, each with whose seat it is and the match's newest
entry.
"""

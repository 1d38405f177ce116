"""Clocks: when time is up for each open decision, and everything that moves it.

A clock has a start and an allowance of playing time (`service.time.pace`); its deadline follows
from them, and from the outages since. While it is held there is only the allowance, which is then
what is left.
"""

from __future__ import annotations

import datetime as dt

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.protocol import Asks
from service.core import locks
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, EntryRow, Letter, Match, Player, SeatRow, Submission
from service.core.statuses import WAITING, HoldReason, SeatStatus, SubmissionStatus
from service.outgoing import outbox
from service.time import outages, pace, reminders
from service.time.availability import schedule_of
from service.time.pace import Schedule

DAY = 24 * 3600
HOUR = 3600
EXTENSIONS = range(1, 31)
LEAST = dt.timedelta(hours=1)
"""A change leaves at least this much, or what there was if that is less."""


def begin(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """Start the clock of a decision that a player has just been asked for, or hold it."""
    seat = match.seats[row.seat]
    seconds = match.pace_days * DAY
    if match.bank_hours is not None:
        if seat.bank_left is None:
            seat.bank_left = match.bank_hours * HOUR
        seconds += seat.bank_left
    # An empty bank still leaves the time to read the letter.
    row.allowance = max(seconds, HOUR)
    row.enqueued_at = row.clock_from = row.deadline = row.expired_at = None
    _run(service, work, match, row, seat)


def go_on(
    service: Service, work: Work, match: LockedMatch, made: DecisionRow, left: DecisionRow
) -> None:
    """Let the clock of a turn go on for what is left of it: its player has made one decision, and
    that has led to the next. An hour at least is left to read what it has revealed.
    """
    if made.allowance is None:
        begin(service, work, match, left)
        return
    reminders.drop(work.session, made)
    left.allowance = left_of(service, work.session, match, made)
    _run(service, work, match, left, match.seats[left.seat])


def expire_at_once(service: Service, work: Work, row: DecisionRow) -> None:
    """Let the time of a decision be up: it belongs to a turn whose time was up before."""
    row.allowance, row.clock_from, row.deadline = 0, service.now(), service.now()
    work.enqueue_after_commit("time.expire", row.match_id, row.decision)


def refresh(service: Service, work: Work, match: LockedMatch) -> None:
    """Recompute every open clock of the match and its reminders, after anything they depend on.

    Deadlines never move into the past, or nearer than LEAST. A decision whose seat a bot has taken
    over is the bot's from now on.
    """
    _refresh(service, work, match, ())


def shift(
    service: Service, work: Work, match: LockedMatch, lost: tuple[outages.Span, ...]
) -> list[DecisionRow]:
    """The same after outages that were journaled since; the decisions whose clocks they stopped."""
    rows = open_rows(work.session, match)
    stopped = [row for row in rows if _runs_in(row, lost)]
    _refresh(service, work, match, lost)
    return stopped


def _runs_in(row: DecisionRow, lost: tuple[outages.Span, ...]) -> bool:
    """True if the clock ran when any of these began, or has begun to run in one."""
    if row.clock_from is None or row.deadline is None:
        return False
    return any(row.clock_from < back and away < row.deadline for away, back in lost)


def _refresh(
    service: Service, work: Work, match: LockedMatch, lost: tuple[outages.Span, ...]
) -> None:
    for row in open_rows(work.session, match):
        seat = match.seats[row.seat]
        if seat.played_by is not None:
            _hand_to_bot(service, work, match, row)
        elif row.expired_at is None and row.allowance is not None:
            _run(service, work, match, row, seat, lost)
    _hold_made(service, work.session, match)


def _hold_made(service: Service, session: Session, match: LockedMatch) -> None:
    """Let the clocks of decisions that are made stand as well, if they can be taken back: theirs
    go on from then (`reopen`), and neither a pause nor what else holds a seat is theirs to pay.
    """
    held = {seat.seat: why for seat in match.seats if (why := why_held(match, seat)) is not None}
    if not held:
        return
    # Orders filed since do not stand in the way of taking back what was played before them.
    newest = select(func.max(EntryRow.n)).where(
        EntryRow.match_id == match.id, EntryRow.asks == Asks.MUST
    )
    made = select(DecisionRow).where(
        DecisionRow.match_id == match.id,
        DecisionRow.seat.in_(held),
        DecisionRow.closed_entry >= func.coalesce(newest.scalar_subquery(), 0),
        DecisionRow.clock_from.is_not(None),
    )
    for row in session.scalars(made).all():
        row.allowance = left_of(service, session, match, row)
        row.held, row.clock_from, row.deadline = held[row.seat], None, None


def refresh_player(service: Service, work: Work, player: Player) -> None:
    """As `refresh`, for all matches this player plays in."""
    work.session.flush()
    for match in locks.lock_all(service, work, player):
        refresh(service, work, match)


def extend(service: Service, work: Work, match: LockedMatch, seat: int, days: int) -> DecisionRow:
    """Give a seat more days for what it is asked now; time that was up begins again.

    Raises Refused: "bad_days", "no_clock" (nothing is asked of a player there).
    """
    if days not in EXTENSIONS:
        raise Refused("bad_days", least=EXTENSIONS.start, most=EXTENSIONS.stop - 1)
    row = next((r for r in open_rows(work.session, match) if r.seat == seat), None)
    if row is None or row.allowance is None or match.seats[seat].played_by is not None:
        raise Refused("no_clock")
    if row.expired_at is not None:
        row.expired_at, row.clock_from, row.allowance = None, None, 0
    row.allowance += days * DAY
    _run(service, work, match, row, match.seats[seat])
    return row


def stop(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """The decision is made, or asked no more: charge the bank, and drop its reminders."""
    reminders.drop(work.session, row)
    seat = match.seats[row.seat]
    if _charge(service, work.session, match, row):
        seat.bank_left = (seat.bank_left or 0) + (match.increment_hours or 0) * HOUR


def _charge(service: Service, session: Session, match: LockedMatch, row: DecisionRow) -> bool:
    """Take from the bank what this decision has used of it. False if it runs on none."""
    seat = match.seats[row.seat]
    if match.bank_hours is None or row.allowance is None or seat.player is None:
        return False
    # The days of the turn are used up before the bank is.
    seat.bank_left = min(seat.bank_left or 0, left_of(service, session, match, row))
    return True


def renew(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """Time was up, and it is given anew: the days of a turn, one at least, as the bank is empty."""
    _charge(service, work.session, match, row)
    row.allowance = max(match.pace_days, 1) * DAY
    row.clock_from = row.deadline = row.held = row.expired_at = None
    _run(service, work, match, row, match.seats[row.seat])


def reopen(
    service: Service, work: Work, match: LockedMatch, row: DecisionRow, *, went_on: bool
) -> None:
    """A decision that was made is open again: its clock goes on as if it had never stopped.
    `went_on`: it did not stop, but went on for the rest of the turn.
    """
    seat = match.seats[row.seat]
    banked = match.bank_hours is not None and row.allowance is not None and not went_on
    if banked and seat.bank_left is not None:
        # What was charged is charged again at the end, with what has passed until then.
        seat.bank_left = max(0, seat.bank_left - (match.increment_hours or 0) * HOUR)
    refresh(service, work, match)


def spare(
    service: Service, work: Work, match: LockedMatch, row: DecisionRow, since: dt.datetime
) -> None:
    """Take the time since then off this clock: the mail server had not taken the letter that asks.
    It stands as long as that is stuck, and begins anew otherwise.
    """
    seat = match.seats[row.seat]
    if row.closed_entry is not None or row.expired_at is not None or row.allowance is None:
        return
    if not row.blocks:
        return  # it was made while the letter was on its way, and can only be changed still
    if seat.player is None or seat.played_by is not None:
        return
    if row.clock_from is not None:
        schedule = _schedule(service, work.session, match, row, seat.player)
        used = pace.elapsed(row.clock_from, since, schedule)
        row.allowance = max(0, row.allowance - used)
        row.clock_from = row.deadline = None
    _run(service, work, match, row, seat)


def left_of(
    service: Service,
    session: Session,
    match: Match,
    row: DecisionRow,
    at: dt.datetime | None = None,
) -> int:
    """The seconds of playing time left for this decision at that time (None: now), or that were
    when it was handed in, if that came first.
    """
    if row.expired_at is not None or row.allowance is None:
        return 0
    player = match.seats[row.seat].player
    if row.clock_from is None or player is None:
        return row.allowance
    schedule = _schedule(service, session, match, row, player)
    until = at or service.now()
    until = min(until, handed_in_at(session, row) or until)
    return max(0, row.allowance - pace.elapsed(row.clock_from, until, schedule))


def handed_in_at(session: Session, row: DecisionRow) -> dt.datetime | None:
    """The time the player's turn came in that waits to be played, or was played; None if there is
    none.

    From then on no time passes for them: how long a turn is held, and how busy we are, is not
    theirs to pay.
    """
    return session.scalar(
        select(Submission.received_at)
        .where(
            Submission.match_id == row.match_id,
            Submission.decision == row.decision,
            Submission.seat == row.seat,
            Submission.status.in_(WAITING)
            | (
                (Submission.status == SubmissionStatus.PLAYED)
                & (Submission.entry == row.closed_entry)
            ),
            Submission.by_player,
        )
        .order_by(Submission.id.desc())
        .limit(1)
    )


def open_rows(session: Session, match: Match) -> list[DecisionRow]:
    """The decisions the match waits for, as the database has them now."""
    return list(
        session.scalars(
            select(DecisionRow)
            .where(
                DecisionRow.match_id == match.id,
                DecisionRow.closed_entry.is_(None),
                DecisionRow.blocks,
            )
            .order_by(DecisionRow.opened_at, DecisionRow.decision)
            .execution_options(populate_existing=True)
        )
    )


def why_held(match: Match, seat: SeatRow) -> HoldReason | None:
    """The reason why the clock of this seat stands; None if it runs."""
    if match.paused_at is not None:
        return HoldReason.PAUSED
    if any(g.successor_of == seat.seat and g.status == SeatStatus.INVITED for g in match.invitees):
        return HoldReason.REPLACED  # somebody is asked to take the seat over
    if seat.player is not None and seat.player.stopped_at is not None:
        return HoldReason.UNREACHABLE
    return None


def _schedule(
    service: Service, session: Session, match: Match, row: DecisionRow, player: Player
) -> Schedule:
    """By which this clock runs: without the times we were away since it began."""
    away = outages.since(service, session, row.clock_outage)
    return schedule_of(session, match, player, away)


def _run(
    service: Service,
    work: Work,
    match: LockedMatch,
    row: DecisionRow,
    seat: SeatRow,
    lost: tuple[outages.Span, ...] = (),
) -> None:
    """Bring hold, deadline and reminders in line with what they depend on. `lost`: outages it is
    told of the first time.
    """
    schedule = _update(service, work.session, match, row, seat, lost)
    reminders.schedule(service, work, match, row, schedule)


def _update(
    service: Service,
    session: Session,
    match: LockedMatch,
    row: DecisionRow,
    seat: SeatRow,
    lost: tuple[outages.Span, ...],
) -> Schedule | None:
    """The same without reminders. Gives the schedule that the clock runs by, None if it stands."""
    assert row.allowance is not None
    now = service.now()
    stuck = _stuck(session, row, seat, now)
    held = why_held(match, seat) or (None if stuck is None else HoldReason.UNSENT)
    if held is not None or seat.player is None:
        if row.held is None:
            # Nobody has been asked since the letter could have left, and no time is theirs to pay.
            until = None if stuck is None else outbox.ready_at(stuck)
            row.allowance = left_of(service, session, match, row, until)
        row.held, row.clock_from, row.deadline = held, None, None
        return None
    if row.clock_from is None:
        row.clock_from, row.clock_outage = now, match.outage
    row.held = None
    schedule = _schedule(service, session, match, row, seat.player)
    wanted = pace.deadline(row.clock_from, row.allowance, schedule)
    if row.deadline is None or wanted != row.deadline:
        least = now + LEAST
        if row.deadline is not None:
            least = min(least, outages.moved(row.deadline, row.clock_from, lost))
        row.deadline = max(wanted, pace.settled(least, schedule))
    return schedule


def _stuck(session: Session, row: DecisionRow, seat: SeatRow, now: dt.datetime) -> Letter | None:
    """The letter that asks for this decision if it is stuck: then its clock stands."""
    if seat.player_id is None or row not in session:
        return None  # nobody has been asked yet
    return outbox.stuck(session, row, seat.player_id, now)


def _hand_to_bot(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    _charge(service, work.session, match, row)
    row.allowance = row.clock_from = row.deadline = row.held = None
    reminders.drop(work.session, row)
    if row.enqueued_at is None:
        row.enqueued_at = service.now()
        work.enqueue_after_commit("moves.bot", match.id, row.decision)

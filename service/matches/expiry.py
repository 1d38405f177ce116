"""Time is up: what the table has agreed on happens."""

from __future__ import annotations

from itertools import groupby

import structlog
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from engine.bots import chance_of
from engine.play import complete, texts
from engine.protocol import Seat
from service.core import counters, locks
from service.core.context import Service
from service.core.db import Work
from service.core.letter_details import TimeUp
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, EntryRow, InboundMail, Match, Submission
from service.core.statuses import (
    CLOCK_SOURCE,
    Actor,
    MailStatus,
    MatchStatus,
    SubmissionStatus,
    TimeoutPolicy,
)
from service.matches import journal, leaving, moves, reading, standins
from service.outgoing import news, outbox
from service.time import deadlines, lost_time, pausing, reminders

log = structlog.get_logger(__name__)

PATIENCE = 2
"""Default turns one after the other of everybody before the table is paused."""

ENTRIES_OF_A_TURN = 20
"""More than a turn has, plans and reveals included."""


def expire(service: Service, match_id: int, decision: str) -> None:
    """Do what the match wants when time is up, if it is. Calling it again changes nothing.

    A turn that is handed in, and only waits to be played, is in time; so may be one in a mail that
    has come and not been looked at, and one that is a dead letter by a fault of ours. If what the
    match wants fails by one, it waits, and its players are told that time is up; the error is
    raised.

    After an outage the clocks are moved first, whether the sweep has noticed it yet or not.
    """
    try:
        _expire(service, match_id, decision)
    except OperationalError:
        raise  # of the database, which has good days again: the sweep enqueues it until then
    except Exception:
        _expire(service, match_id, decision, TimeoutPolicy.WAIT)
        raise


def _expire(
    service: Service, match_id: int, decision: str, policy: TimeoutPolicy | None = None
) -> None:
    with service.database.write() as work:
        match = locks.lock_number(service, work, match_id)
        row = work.session.get(DecisionRow, (match_id, decision), populate_existing=True)
        if row is None or row.closed_entry is not None or match.status != MatchStatus.PLAYING:
            return
        # The hour before the heartbeat: if we are stopped between the two, no time seems to be up.
        now = service.now()
        lost_time.give_back(service, work, match)
        if row.deadline is None or row.deadline > now:
            return
        if deadlines.why_held(match, match.seats[row.seat]) is not None:
            deadlines.refresh(service, work, match)
            return
        player_id = match.seats[row.seat].player_id
        asking = None if player_id is None else outbox.untaken(work.session, row, player_id)
        if asking is not None:
            # Nobody's time is up who has not been asked: if the letter is stuck, the clock stands.
            if outbox.is_stuck(asking, service.now()):
                deadlines.spare(service, work, match, row, outbox.ready_at(asking))
            return
        if moves.waiting(work.session, match, decision) is not None:
            return
        if _is_ours_to_look_at(work, row):
            return
        _act(service, work, match, row, policy or match.timeout)


def _is_ours_to_look_at(work: Work, row: DecisionRow) -> bool:
    """True if a turn may have come in time that we have not dealt with."""
    dead = select(Submission.id).where(
        Submission.match_id == row.match_id,
        Submission.decision == row.decision,
        Submission.seat == row.seat,
        Submission.status == SubmissionStatus.DEAD_LETTER,
        Submission.received_at <= row.deadline,
        Submission.by_player,
    )
    unread = select(InboundMail.id).where(
        InboundMail.match_id == row.match_id,
        InboundMail.status == MailStatus.RECEIVED,
        InboundMail.received_at <= row.deadline,
    )
    return any(work.session.scalar(each.limit(1)) is not None for each in (dead, unread))


def _act(
    service: Service, work: Work, match: LockedMatch, row: DecisionRow, policy: TimeoutPolicy
) -> None:
    # What is left of a turn whose time was up before is decided with it.
    if policy != TimeoutPolicy.WAIT and row.allowance and _is_left_alone(work, match, row):
        # Whoever lets it go on finds time to play, not a clock that has run out.
        deadlines.renew(service, work, match, row)
        pausing.stop_all(service, work, match, bots=match.timeout == TimeoutPolicy.BOT)
        return
    row.expired_at, row.deadline = service.now(), None
    counters.count(work.session, "clocks_expired", policy)
    log.info("time_up", match=match.id, seat=row.seat, decision=row.decision, then=policy)
    reminders.drop(work.session, row)
    if moves.follow_plan(service, work, match, row.seat):
        return  # what its player has said to be done now comes first
    if policy == TimeoutPolicy.DEFAULT:
        _play_default(service, work, match, row)
    elif policy == TimeoutPolicy.BOT:
        standins.put_in(service, work, match, match.seats[row.seat])
    elif policy == TimeoutPolicy.DROP:
        leaving.drop(service, work, match, row.seat)
    else:
        _tell_of(service, work, match, row)


def _tell_of(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """Tell the table that a seat's time is up. Where several decide in secret, others do not learn
    whose: that would tell who has decided.
    """
    key = f"{row.decision}.{row.expired_at:%Y%m%d%H%M}"
    late = [match.seats[row.seat]]
    others = [each for each in news.people(match) if each.seat != row.seat]
    secret = row.seat in reading.asked_together(work.session, match)
    news.tell(service, work, match, TimeUp(about=row.seat), key, to=late)
    event = TimeUp(about=None if secret else row.seat)
    news.tell(service, work, match, event, key, to=others)


def _play_default(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """Submit the default turn, by the road of every move: stored now, played by a worker."""
    game = journal.game_of(match)
    state = journal.position(work.session, match).state
    chance = chance_of(match.seed, row.seat, match.last_entry + 1)
    turn = complete(game, state, row.seat, row.decision, chance)
    moves.receive(
        service,
        work,
        match=match,
        seat=row.seat,
        decision=row.decision,
        body="\n".join(texts(game, state, row.seat, turn, "en")),
        lang="en",
        source=CLOCK_SOURCE,
        dedupe=f"clock.{match.id}.{row.decision}.{row.expired_at:%Y%m%d%H%M%S}",
    )


def _is_left_alone(work: Work, match: Match, row: DecisionRow) -> bool:
    """True if the match would go on without anybody: everybody sleeps, or bots play for all the
    others already.
    """
    if match.timeout == TimeoutPolicy.DEFAULT:
        return _all_asleep(work, match)
    return match.timeout == TimeoutPolicy.BOT and {each.seat for each in news.present(match)} <= {
        row.seat
    }


def _all_asleep(work: Work, match: Match) -> bool:
    """True if the last turns of every person were the clock's."""
    return all(_is_asleep(work, match, seat.seat) for seat in news.present(match))


def _is_asleep(work: Work, match: Match, seat: Seat | None) -> bool:
    """True if the last PATIENCE turns of this seat were the clock's, those aside that its plan has
    made alone. Who files an order is awake, and who has decided anything in a turn was there.
    """
    newest = (
        select(EntryRow.cause, EntryRow.turn, EntryRow.n)
        .where(EntryRow.match_id == match.id, EntryRow.seat == seat)
        .order_by(EntryRow.n.desc())
        .limit(PATIENCE * ENTRIES_OF_A_TURN)
    )
    rows = work.session.execute(newest)
    slept = 0
    for _, entries in groupby(rows, key=lambda row: row[1] or row[2]):
        actors = {cause.actor for cause, _, _ in entries}
        if not actors <= {Actor.CLOCK, Actor.PLAN}:
            break
        slept += Actor.CLOCK in actors
    return slept >= PATIENCE

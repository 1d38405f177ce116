"""The way of a move: stored first, then looked at by a worker, played in one transaction.

`receive` only stores; `play` checks and moves the game forward. Both may be called any number
of times for the same move: the dedupe key, the status and the decision's row see to it that a
decision is made at most once, and that everything acknowledged is played or answered.

A table may hold the turns of its players for some minutes (`Match.hold_minutes`): such a turn is
checked at once, and played when its time has come or its player says so. Until then nobody sees it.
So is one that leaves unused what costs nothing, by whoever wrote it by hand.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import structlog
from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session, joinedload, lazyload, make_transient_to_detached

from engine.chance import SeededChance
from engine.journal import Position
from engine.play import (
    Incomplete,
    NotYourDecision,
    decision_for,
    decision_of,
    orders_among,
    submit,
)
from engine.protocol import Ambiguous, Asks, Game, HasOrders, IllegalAction, Seat, Unreadable
from service.core import locks, randomness, retriable, verdicts
from service.core.context import Service
from service.core.db import MatchOf, Work, insert_once
from service.core.letter_details import DefaultPlayed
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, EntryRow, Match, Submission
from service.core.statuses import WAITING, Actor, Cause, MatchStatus, SubmissionStatus, actor_of
from service.matches import journal, lines, reading, telling
from service.matches.transitions import apply_transition
from service.outgoing import news
from service.time import deadlines, lost_time, outages, pausing

log = structlog.get_logger(__name__)

LONGEST_BODY = 10_000


def receive(
    service: Service,
    work: Work,
    *,
    match: LockedMatch,
    seat: Seat,
    decision: str,
    body: str,
    lang: str,
    source: str,
    dedupe: str | None = None,
    received_at: dt.datetime | None = None,
    said: str = "",
    at_once: bool = False,
    hold_minutes: int = 0,
) -> Submission:
    """Store a submission and enqueue its job. The same `dedupe` again gives the stored one back.

    `body` is notation text; what exceeds LONGEST_BODY characters is cut: what is left is still too
    long (`engine.protocol.LONGEST_TEXT`), so all of it is refused.
    The turn of a person is held as long as the table wants it, and at least so many minutes, but
    never beyond its deadline.
    `received_at` is when it reached us, if that was before now: clocks stop then. `said` is a line
    to the table, told with the turn once it is played (`lines.line`). Who plays it `at_once` wants
    no job: another would race them, and if they die the sweep enqueues it.

    Raises Refused("line_tells") if no line can go with this decision.
    """
    if said and match.status == MatchStatus.PLAYING:
        state = journal.position(work.session, match).state
        lines.check(journal.game_of(match), state, seat, decision)
    session, code, now = work.session, randomness.token_hex(16), service.now()
    values = {
        "code": code,
        "match_id": match.id,
        "seat": seat,
        "decision": decision,
        "source": source,
        "lang": lang,
        "body": body.replace("\0", " ")[:LONGEST_BODY],
        "said": said or None,
        "dedupe": dedupe or code,
        "status": SubmissionStatus.RECEIVED,
        "held_until": _held_until(session, match, decision, source, now, hold_minutes),
        "verdict": None,
        "entry": None,
        "attempts": 0,
        "received_at": received_at or now,
        "pending_since": now,
        "done_at": None,
    }
    stored = insert_once(session, Submission, **values)
    if stored is None:
        known = select(Submission).where(Submission.dedupe == values["dedupe"])
        return session.scalars(known).one()
    if not at_once:
        work.enqueue_after_commit("moves.play", stored)
    # As it has just been written: it need not be read again.
    submission = Submission(id=stored, **values)
    make_transient_to_detached(submission)
    session.add(submission)
    return submission


def _held_until(
    session: Session, match: Match, decision: str, source: str, now: dt.datetime, least: int
) -> dt.datetime | None:
    minutes = max(match.hold_minutes, least)
    if actor_of(source) is not Actor.PLAYER or not minutes:
        return None
    until = now + dt.timedelta(minutes=minutes)
    row = session.get(DecisionRow, (match.id, decision))
    if row is not None and not row.blocks:
        return None  # an order can be replaced as long as it is not used
    if row is not None and row.deadline is not None:
        until = min(until, row.deadline)
    return until if until > now else None


def waiting(session: Session, match: Match, decision: str) -> Submission | None:
    """The newest submission for this decision that is stored and neither played nor refused."""
    return session.scalars(
        _WAITING.where(Submission.match_id == match.id, Submission.decision == decision)
    ).first()


def waiting_of(session: Session, match: Match, seat: Seat) -> Submission | None:
    """The same for any decision of a seat, handed in by its player."""
    return session.scalars(_of_player(match, seat)).first()


def withdraw_all(
    service: Service, session: Session, match: LockedMatch, seat: Seat
) -> Submission | None:
    """Withdraw all that this seat's player has handed in and that waits; the newest of it."""
    found = session.scalars(_of_player(match, seat)).all()
    for each in found:
        withdraw(service, match, each, verdicts.Withdrawn())
    return found[0] if found else None


# With the players at its table, of whom what follows wants to know something.
_WITH_MATCH = (
    select(Submission, Match)
    .join(Match, Match.id == Submission.match_id)
    .where(Submission.id == bindparam("submission"))
    .options(lazyload(Match.host), joinedload(Match.invitees))
    .execution_options(populate_existing=True)
)
# What the match waits for, and the decision that is meant, if it is made already.
_ASKED = (
    select(DecisionRow)
    .where(
        DecisionRow.match_id == bindparam("match"),
        DecisionRow.closed_entry.is_(None) | (DecisionRow.decision == bindparam("decision")),
    )
    .execution_options(populate_existing=True)
)
_WAITING = (
    select(Submission)
    .where(Submission.status.in_(WAITING))
    .order_by(Submission.id.desc())
    .execution_options(populate_existing=True)
)


def _of_player(match: Match, seat: Seat) -> Select[Submission]:
    return _WAITING.where(
        Submission.match_id == match.id,
        Submission.seat == seat,
        Submission.by_player,
    )


def release(service: Service, work: Work, submission: Submission) -> None:
    """Have a turn that is held, or is to be, played now. Does nothing to any other."""
    service.database.lock_match(work.session, submission.match_id)
    if submission.status in WAITING and submission.held_until is not None:
        submission.status = SubmissionStatus.RECEIVED
        submission.held_until, submission.pending_since = None, service.now()
        work.enqueue_after_commit("moves.play", submission.id)


def withdraw(
    service: Service,
    match: LockedMatch,
    submission: Submission,
    verdict: verdicts.Withdrawn | verdicts.Replaced | verdicts.TakenBack,
) -> None:
    """A submission of this match its player no longer wants."""
    _settle(service, match, submission, SubmissionStatus.WITHDRAWN, verdict)


def play(service: Service, submission_id: int, *, ahead: bool = True) -> Submission:
    """Check a stored submission, and play it, hold it, or say why not. Calling it again changes
    nothing. `ahead`: the letter to the next player may be written with it, unless somebody has
    failed at this turn, or died over it: the letter may be why.

    An error of ours counts as an attempt and is raised; after `retriable.MOVES.limit` of them the
    submission is a dead letter, for the operator.
    """
    try:
        with service.database.write() as work:
            submission = _play(service, work, submission_id)
            if ahead and not submission.attempts:
                service.claim_ahead(work)
            return submission
    except Exception:
        count_attempt(service, submission_id)
        raise


def _play(service: Service, work: Work, submission_id: int) -> Submission:
    service.database.lock_match_of(work.session, MatchOf.SUBMISSION, submission_id)
    found = work.session.execute(_WITH_MATCH, {"submission": submission_id}).unique()
    submission, match = found.one()
    if submission.status in WAITING:
        play_locked(service, work, locks.locked(service, work, match), submission)
    return submission


def play_locked(service: Service, work: Work, match: LockedMatch, submission: Submission) -> None:
    """Check a submission that nobody has dealt with, and play it, hold it, or say why not."""
    waited = submission.status == SubmissionStatus.HELD
    if waited:
        lost_time.give_back(service, work, match)
    _play_in(service, work, match, submission)
    if waited and submission.status == SubmissionStatus.REFUSED:
        telling.tell_failed(service, work, match, submission)
    if submission.status == SubmissionStatus.REFUSED:
        _give_time_again(service, work, match, submission)


def _play_in(
    service: Service, work: Work, match: LockedMatch, submission: Submission
) -> Submission:
    if match.status != MatchStatus.PLAYING:
        return _refuse(service, match, submission, verdicts.MatchOver(status=match.status))
    meant = {"match": match.id, "decision": submission.decision}
    asked = work.session.scalars(_ASKED, meant).all()
    row = next((each for each in asked if each.decision == submission.decision), None)
    if row is None or row.seat != submission.seat:
        return _refuse(service, match, submission, verdicts.NotYours())
    if row.closed_entry is not None:
        return _refuse(service, match, submission, _stale(work, match, submission))
    by_bot = not submission.by_player
    if match.seats[submission.seat].left_at is not None and not by_bot:
        return _refuse(service, match, submission, verdicts.SeatLeft())
    by_clock = submission.actor is Actor.CLOCK and match.seats[row.seat].played_by is None
    if by_clock and (row.expired_at is None or not row.blocks):
        # The player has been given time again since it was handed in, or has decided.
        return _refuse(service, match, submission, verdicts.NotYours())
    held = submission.held_until is not None and submission.held_until > outages.present(
        service, work.session
    )
    if held and submission.status == SubmissionStatus.HELD:
        return submission  # its time has not come
    try:
        move = _read(work, match, submission)
        if held and move.asks is Asks.MUST:
            _check(match, submission, move)
            _hold(service, work, match, submission)
            return submission
        made = journal.extend(
            work.session,
            match,
            move.reached,
            submission.seat,
            move.decision,
            move.actions,
            Cause.parse(submission.source) if by_bot else Cause(Actor.PLAYER),
            service.now(),
            submission.said,
        )
    except NotYourDecision:
        return _refuse(service, match, submission, _stale(work, match, submission))
    except (Incomplete, IllegalAction, Unreadable, Ambiguous) as error:
        return _refuse(service, match, submission, verdicts.fault_of(error))
    submission.decision, submission.entry = move.decision, made.reached.n
    verdict = _verdict_on(work, match, move, made)
    _settle(service, match, submission, SubmissionStatus.PLAYED, verdict)
    if not by_bot:
        # One that waits to be played would be said to be, though this was played in its place.
        for other in _earlier(work, submission, (SubmissionStatus.HELD,)):
            withdraw(service, match, other, verdicts.Replaced())
    if by_clock:
        late = [match.seats[row.seat]]
        turn = row.turn or row.decision  # of which it may play more than one part
        news.tell(service, work, match, DefaultPlayed(about=row.seat), turn, to=late)
    paused = match.paused_at is not None
    secret = paused and submission.seat in reading.asked_together(work.session, match)
    followed = journal.follow_plans(work.session, match, made.reached, service.now())
    apply_transition(service, work, match, [made, *followed], asked)
    if not by_bot and made.asks is Asks.MUST:
        # An order is silent: a pause that ended by it would tell that it was filed.
        pausing.wake(service, work, match, submission.seat, secret=secret)
    return submission


def _verdict_on(
    work: Work, match: Match, move: _Move, made: journal.Made
) -> verdicts.Played | verdicts.Filed:
    """The verdict on what was played: on file, if it was orders alone."""
    game, played = journal.game_of(match), made.played
    actions = tuple(msgspec.to_builtins(action) for action in played.actions)
    taken = orders_among(game, move.reached.state, made.seat, played.actions[: played.orders])
    orders = tuple(dict.fromkeys(taken))
    if made.asks is Asks.MUST:
        open_now = {d.id for d in game.decisions(made.reached.state) if d.seat == made.seat}
        answer = move.decision in open_now
        return verdicts.Played(
            turn=made.number,
            unplayed=tuple(msgspec.to_builtins(action) for action in played.unplayed),
            orders=orders,
            filed=actions if answer else actions[: played.orders],
            answer=answer,
        )
    before, after = (_on_file(game, at.state, made.seat) for at in (move.reached, made.reached))
    kept = {decision for decision, filed in after.items() if filed != before.get(decision)}
    return verdicts.Filed(
        orders=orders,
        actions=actions,
        answer=_entry_of(work, match, move.decision) is not None,
        replaced=bool(before.keys() & kept),
        withdrawn=not kept,
    )


def _on_file(game: Game[Any, Any], state: Any, seat: Seat) -> dict[str, tuple[Any, ...]]:
    """What a seat has on file, by decision."""
    filed = game.filed(state, seat) if isinstance(game, HasOrders) else ()
    return {each.decision: each.actions for each in filed}


def follow_plan(service: Service, work: Work, match: LockedMatch, seat: Seat) -> bool:
    """Play what the plan of this seat, whose time is up, says to what it is asked; False if it has
    no answer.
    """
    reached = journal.position(work.session, match)
    followed = journal.follow_plans(work.session, match, reached, service.now(), expired=(seat,))
    if followed:
        asked = work.session.scalars(_ASKED, {"match": match.id, "decision": ""}).all()
        apply_transition(service, work, match, followed, asked)
    return bool(followed)


class _Move(msgspec.Struct, frozen=True, kw_only=True):
    """A submission as it was read: its actions, and the decision that they are for."""

    reached: Position[Any]
    decision: str
    asks: Asks
    actions: tuple[Any, ...]


def _check(match: Match, submission: Submission, move: _Move) -> None:
    """See that a turn can be played, and leave no trace. Raises as `engine.play.submit`.

    On the true position, and with its true chance: what is refused later must be refused now. What
    it would draw goes nowhere.
    """
    chance = SeededChance(match.seed, move.reached.next_draw)
    game, state = journal.game_of(match), move.reached.state
    submit(game, state, submission.seat, move.decision, move.actions, chance)


def _earlier(
    work: Work, submission: Submission, statuses: Collection[SubmissionStatus]
) -> Sequence[Submission]:
    """Submissions for the same decision that came before one and have one of these statuses."""
    return work.session.scalars(
        select(Submission).where(
            Submission.match_id == submission.match_id,
            Submission.decision == submission.decision,
            Submission.status.in_(statuses),
            Submission.id < submission.id,
        )
    ).all()


def _hold(service: Service, work: Work, match: LockedMatch, submission: Submission) -> None:
    """Let a turn that can be played wait. One that waited in its place is replaced by it."""
    replaced = False
    for other in _earlier(work, submission, WAITING):
        replaced = replaced or other.verdict is not None
        withdraw(service, match, other, verdicts.Replaced())
    submission.status, submission.verdict = SubmissionStatus.HELD, verdicts.Held(replaced=replaced)
    log.info("turn_held", submission=submission.id, match=submission.match_id)
    submission.pending_since = submission.held_until


def _read(work: Work, match: Match, submission: Submission) -> _Move:
    """The submission, read in the present position. Raises as `Notation.parse`, and
    NotYourDecision.
    """
    game, seat = journal.game_of(match), submission.seat
    reached = journal.position(work.session, match)
    actions = game.notation.parse(reached.state, seat, submission.body, submission.lang)
    decision = decision_for(game, reached.state, seat, submission.decision, actions)
    asks = decision_of(game, reached.state, seat, decision).asks
    return _Move(reached=reached, decision=decision, asks=asks, actions=actions)


def _stale(work: Work, match: Match, submission: Submission) -> verdicts.Stale:
    """The decision is made already: by which entry."""
    return verdicts.Stale(entry=_entry_of(work, match, submission.decision))


def _entry_of(work: Work, match: Match, decision: str) -> int | None:
    """The entry that made a decision which others waited for, though its answer can be changed
    still; None if it is not made.
    """
    return work.session.scalar(
        select(EntryRow.n).where(
            EntryRow.match_id == match.id,
            EntryRow.decision == decision,
            EntryRow.asks == Asks.MUST,
        )
    )


def _refuse(
    service: Service, match: LockedMatch, submission: Submission, verdict: verdicts.Verdict
) -> Submission:
    _settle(service, match, submission, SubmissionStatus.REFUSED, verdict)
    return submission


def _settle(
    service: Service,
    match: LockedMatch,
    submission: Submission,
    status: SubmissionStatus,
    verdict: verdicts.Verdict,
) -> None:
    submission.status, submission.verdict = status, verdict
    submission.done_at, submission.pending_since = service.now(), None
    log.info(
        "turn_settled",
        submission=submission.id,
        match=match.id,
        seat=submission.seat,
        source=submission.source,
        status=status,
        code=verdict.code,
    )


def count_attempt(service: Service, submission_id: int) -> None:
    """Note an attempt that failed: an exception, or a worker that died over it."""
    with service.database.write() as work:
        submission = work.session.get(Submission, submission_id)
        if submission is None:
            return
        match = locks.lock_number(service, work, submission.match_id)
        if submission.status not in WAITING:
            return
        if retriable.failed(retriable.MOVES, submission):
            waited = submission.status == SubmissionStatus.HELD
            _settle(service, match, submission, SubmissionStatus.DEAD_LETTER, verdicts.GivenUp())
            _give_time_again(service, work, match, submission)
            if waited:
                telling.tell_failed(service, work, match, submission)
            log.error("submission_given_up", submission=submission_id)


def _give_time_again(
    service: Service, work: Work, match: LockedMatch, submission: Submission
) -> None:
    """The default turn that the clock handed in is not played, by a fault of ours: its time begins
    again, as otherwise nobody would ever ask for the decision again.
    """
    row = work.session.get(DecisionRow, (match.id, submission.decision), populate_existing=True)
    if row is None or row.closed_entry is not None or row.expired_at is None or not row.blocks:
        return
    by_clock = submission.actor is Actor.CLOCK and match.seats[row.seat].played_by is None
    if by_clock and match.status == MatchStatus.PLAYING:
        deadlines.renew(service, work, match, row)

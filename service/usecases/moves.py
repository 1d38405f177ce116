"""The way of a move: stored first, then looked at by a worker, played in one transaction.

`receive` only stores; `play` checks and moves the game forward. Both may be called any number
of times for the same move: the dedupe key, the status and the decision's row see to it that a
decision is made at most once, and that everything acknowledged is played or answered.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
import structlog
from sqlalchemy import select

from engine.play import Incomplete, NotYourDecision, Played
from engine.protocol import Ambiguous, IllegalAction, Seat, Unreadable
from service import journal
from service.context import Service
from service.db import Work, insert_once
from service.models import DecisionRow, EntryRow, Match, Submission
from service.usecases.progress import announce

log = structlog.get_logger(__name__)

ATTEMPTS = 5
LONGEST_BODY = 10_000


def receive(
    service: Service,
    work: Work,
    *,
    match_id: int,
    seat: Seat,
    decision: str,
    body: str,
    lang: str,
    source: str,
    dedupe: str | None = None,
) -> Submission:
    """Store a submission and ring for a worker. The same `dedupe` again gives the stored one back.

    `body` is notation text; what exceeds LONGEST_BODY characters is cut (no legal turn is near it).
    """
    code, now = secrets.token_hex(16), service.now()
    dedupe = dedupe or code
    stored = insert_once(
        work.session,
        Submission,
        code=code,
        match_id=match_id,
        seat=seat,
        decision=decision,
        source=source,
        lang=lang,
        body=body.replace("\0", " ")[:LONGEST_BODY],
        dedupe=dedupe,
        status="received",
        attempts=0,
        received_at=now,
        pending_since=now,
    )
    if stored is not None:
        work.ring_after_commit("moves.play", stored)
    return work.session.scalars(select(Submission).where(Submission.dedupe == dedupe)).one()


def play(service: Service, submission_id: int) -> Submission:
    """Check a stored submission, and play it or say why not. Calling it again changes nothing.

    An error of ours counts as an attempt and is raised; after ATTEMPTS of them the submission is
    shelved for the operator.
    """
    try:
        with service.database.write() as work:
            return _play(service, work, submission_id)
    except Exception:
        count_attempt(service, submission_id)
        raise


def _play(service: Service, work: Work, submission_id: int) -> Submission:
    submission = work.session.get_one(Submission, submission_id)
    if service.database.lock_match(work.session, submission.match_id):
        work.session.refresh(submission)
    if submission.status != "received":
        return submission
    match = work.session.get_one(Match, submission.match_id, populate_existing=True)
    if match.status != "playing":
        return _refuse(service, submission, {"code": "match_over", "status": match.status})
    row = work.session.get(DecisionRow, (match.id, submission.decision), populate_existing=True)
    if row is None or row.seat != submission.seat:
        return _refuse(service, submission, {"code": "not_yours"})
    if row.closed_entry is not None:
        return _refuse(service, submission, _stale(work, match, submission))
    try:
        after, played = _extend(service, work, match, submission)
    except Incomplete as error:
        verdict = {"code": "incomplete", "kind": error.remaining.kind, "rule": error.remaining.rule}
        return _refuse(service, submission, verdict)
    except NotYourDecision:
        return _refuse(service, submission, _stale(work, match, submission))
    except (IllegalAction, Unreadable, Ambiguous) as error:
        return _refuse(service, submission, verdict_of(error))
    submission.entry = after.n
    unplayed = msgspec.to_builtins(played.unplayed)
    _settle(service, submission, "played", {"code": "played", "unplayed": unplayed})
    announce(service, work, match, after)
    return submission


def _extend(
    service: Service, work: Work, match: Match, submission: Submission
) -> tuple[Any, Played[Any, Any]]:
    game = journal.game_of(match)
    reached = journal.position(work.session, match)
    actions = game.notation.parse(reached.state, submission.seat, submission.body, submission.lang)
    cause = submission.source if submission.source.startswith("bot:") else "player"
    return journal.extend(
        work.session,
        match,
        reached,
        submission.seat,
        submission.decision,
        actions,
        "default" if submission.source == "default" else cause,
        service.now(),
    )


def verdict_of(error: Exception) -> dict[str, Any]:
    """An engine error as the data its sentence needs."""
    match error:
        case IllegalAction():
            return {
                "code": "illegal",
                "error": error.code,
                "rule": error.rule,
                "context": msgspec.to_builtins(error.context),
                "index": error.index,
            }
        case Ambiguous():
            return {
                "code": "ambiguous",
                "fragment": error.fragment,
                "readings": list(error.readings),
            }
        case Unreadable():
            return {
                "code": "unreadable",
                "fragment": error.fragment,
                "expected": msgspec.to_builtins(error.context.get("expected")),
            }
    raise error


def _stale(work: Work, match: Match, submission: Submission) -> dict[str, Any]:
    """The decision is made already: by which entry."""
    entry = work.session.scalar(
        select(EntryRow.n).where(
            EntryRow.match_id == match.id, EntryRow.decision == submission.decision
        )
    )
    return {"code": "stale", "entry": entry}


def _refuse(service: Service, submission: Submission, verdict: dict[str, Any]) -> Submission:
    _settle(service, submission, "refused", verdict)
    return submission


def _settle(service: Service, submission: Submission, status: str, verdict: dict[str, Any]) -> None:
    submission.status, submission.verdict = status, verdict
    submission.done_at, submission.pending_since = service.now(), None


def count_attempt(service: Service, submission_id: int) -> None:
    """Note an attempt that failed: an exception, or a worker that died over it."""
    with service.database.write() as work:
        submission = work.session.get(Submission, submission_id)
        if submission is None or submission.status != "received":
            return
        submission.attempts += 1
        if submission.attempts >= ATTEMPTS:
            _settle(service, submission, "shelved", {"code": "shelved"})
            log.error("submission_shelved", submission=submission_id)

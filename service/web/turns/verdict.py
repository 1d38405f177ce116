"""The page that tells what became of a turn that was handed in."""

from __future__ import annotations

import datetime as dt

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.play import NotYourDecision
from service.core import randomness, system_clock, verdicts
from service.core.models import DecisionRow, Submission
from service.core.statuses import MatchStatus, SubmissionStatus
from service.matches import journal, orders, reading, undoing
from service.web import grants, language
from service.web.grants import Access
from service.web.here import service
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.seen import seen_at
from service.web.turns import preview
from service.web.turns.turn import stale

blueprint = Blueprint("verdict", __name__)

PATIENCE = 1.5  # seconds
FIRST_LOOK, LONGEST_PAUSE = 0.01, 0.1


@blueprint.get("/m/<code:code>/<seat:number>/verdict/<submission:submission>")
def show(code: str, number: int, submission: str) -> ResponseReturnValue:
    """Wait a moment for the worker, then tell; if it is not done, the page looks again itself."""
    until = system_clock.monotonic() + PATIENCE
    pause = FIRST_LOOK
    while True:
        with service().database.read() as database:
            access = grants.seat(database, code, number)
            found = _handed_in(database, access, submission)
            looked_at = found.status != SubmissionStatus.RECEIVED
            if looked_at or system_clock.monotonic() >= until:
                language.prefer(access.row.lang)
                return _tell(database, access, found)
        system_clock.sleep(pause)
        pause = min(pause * 1.5, LONGEST_PAUSE)


def _handed_in(database: Session, access: Access, code: str) -> Submission:
    found = database.scalar(select(Submission).where(Submission.code == code))
    if found is None or found.match_id != access.match.id or found.seat != access.seat:
        abort(404)
    # Orders that answered a letter about something else are of their own decisions by now.
    if not (access.may_decide(found.decision) or isinstance(found.verdict, verdicts.Filed)):
        abort(404)
    return found


def _tell(database: Session, access: Access, found: Submission) -> ResponseReturnValue:
    match, seat = access.match, access.seat
    if found.status == SubmissionStatus.HELD and found.held_until is not None:
        return _held(database, access, found, found.held_until)
    if found.status == SubmissionStatus.RECEIVED:
        answer = page("verdict_waiting", match=match, seat=seat)
        answer.headers["Refresh"] = "2"
        return answer
    if isinstance(found.verdict, verdicts.Filed):
        return _filed(database, access, found, found.verdict)
    if found.status == SubmissionStatus.PLAYED:
        now = reading.match_view(database, match, seat)
        awaited = reading.awaited(database, match, now)
        asked = [d for d in reading.open_decisions(database, match, seat) if d.blocks]
        own = database.get_one(DecisionRow, (match.id, found.decision))
        answer = page(
            "verdict_played",
            match=match,
            seat=seat,
            whole=access.whole,
            names=reading.names(match, language.current()),
            unplayed=_unplayed(found),
            told=reading.history(database, match, seat, found.entry or 0, found.entry),
            match_view=reading.match_view(database, match, seat, found.entry),
            filed=_orders_of(database, access, found),
            may_decide=access.may_decide,
            nonce=randomness.token_hex(12),
            now=now,
            moved_on=found.entry != match.last_entry,
            outcome=reading.outcome_of(match),
            awaited=awaited,
            bots=bool(awaited.named) and all(match.seats[each].bot for each in awaited.named),
            again=next((d for d in asked if access.may_decide(d.decision)), None),
            asked=bool(asked),
            goes_on=next((d for d in asked if "" != d.turn == own.turn), None),
            since=reading.history(database, match, seat, (found.entry or 0) + 1),
            may_undo=found.entry == match.last_entry
            and undoing.obstacle(database, match, seat) is None,
            seen=seen_at(database, (match, seat)),
            clock=clock(access.player.zone),
        )
        return scripted(answer)
    row = database.get(DecisionRow, (match.id, found.decision))
    verdict = found.verdict
    if isinstance(verdict, verdicts.Replaced):
        newer = _newest(database, found)
        return redirect(url_for("verdict.show", code=match.code, number=seat, submission=newer))
    if row is None or row.closed_entry is not None or match.status != MatchStatus.PLAYING:
        if row is not None:
            return stale(database, access, row, found)
        names = reading.names(match, language.current())
        return page(
            "verdict_refused",
            match=match,
            seat=seat,
            verdict=verdict,
            names=names,
            unsaid=found.said or "",
        )
    try:
        path = url_for("turn.form", code=match.code, number=seat, decision=row.decision)
        text = preview.spoken(database, match, found, language.current())
        again = preview.Asked(typed=text, said=found.said)
        shown = preview.form(database, access, row, asked=again, path=path)
    except NotYourDecision:
        return stale(database, access, row, found)
    taken_back = found.status == SubmissionStatus.WITHDRAWN
    return scripted(
        page(
            "turn",
            verdict=None if taken_back else verdict,
            taken_back=taken_back,
            problem=None,
            only=None,
            seen=seen_at(database, (match, seat)),
            **shown.named(),
        )
    )


def _filed(
    database: Session, access: Access, found: Submission, verdict: verdicts.Filed
) -> Response:
    """What is on file by orders that were handed in alone, and the ways to change that."""
    match, seat = access.match, access.seat
    asked = reading.open_decisions(database, match, seat)
    return page(
        "verdict_filed",
        match=match,
        seat=seat,
        names=reading.names(match, language.current()),
        match_view=reading.match_view(database, match, seat, found.entry),
        orders=_orders_of(database, access, found),
        now=next((d for d in asked if d.blocks and access.may_decide(d.decision)), None),
        said=request.args.get("said"),
        may_decide=access.may_decide,
        nonce=randomness.token_hex(12),
        seen=seen_at(database, (match, seat)),
    )


def _orders_of(database: Session, access: Access, found: Submission) -> list[orders.OpenOrder]:
    """What was on file after a submission for the decisions that it filed orders for, and for what
    it answered itself if that can still be changed.
    """
    if not isinstance(found.verdict, verdicts.Filed | verdicts.Played) or found.entry is None:
        return []
    about = (*found.verdict.orders, found.decision)
    reached = journal.position(database, access.match, found.entry)
    open_then = orders.open_orders(database, access.match, access.seat, reached)
    return [order for order in open_then if order.decision in about]


def _unplayed(found: Submission) -> tuple[verdicts.JsonObject, ...]:
    """What of a turn was not played, as it stood behind a reveal."""
    return found.verdict.unplayed if isinstance(found.verdict, verdicts.Played) else ()


def _held(database: Session, access: Access, found: Submission, until: dt.datetime) -> Response:
    """A turn that can be played and waits: until when, the board after it, and the way back."""
    match, seat = access.match, access.seat
    return scripted(
        page(
            "verdict_held",
            match=match,
            seat=seat,
            until=until,
            names=reading.names(match, language.current()),
            match_view=reading.match_view(database, match, seat),
            plan=preview.foreseen(database, match, found),
            text=preview.spoken(database, match, found, language.current()),
            seen=seen_at(database, (match, seat)),
            said=found.said or "",
            clock=clock(access.player.zone),
        )
    )


def _newest(database: Session, found: Submission) -> str:
    """The code of the newest turn handed in for the same decision."""
    newest = database.scalar(
        select(Submission.code)
        .where(
            Submission.match_id == found.match_id,
            Submission.seat == found.seat,
            Submission.decision == found.decision,
            Submission.id > found.id,
        )
        .order_by(Submission.id.desc())
        .limit(1)
    )
    return newest or found.code

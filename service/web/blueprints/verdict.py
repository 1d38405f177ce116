"""What became of a turn that was handed in."""

from __future__ import annotations

import time

from flask import Blueprint, Response, abort, url_for
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.play import NotYourDecision
from service import reading
from service.models import DecisionRow, Submission
from service.web import grants, language, turns
from service.web.blueprints.turn import stale
from service.web.clocks import clock
from service.web.grants import Access
from service.web.here import service
from service.web.rendering import page
from service.web.security import scripted

blueprint = Blueprint("verdict", __name__)

PATIENCE = 1.5  # seconds
FIRST_LOOK, LONGEST_PAUSE = 0.01, 0.1


@blueprint.get("/m/<code:code>/<seat:number>/verdict/<submission:submission>")
def show(code: str, number: int, submission: str) -> Response:
    """Wait a moment for the worker, then tell; if it is not done, the page looks again itself."""
    until = time.monotonic() + PATIENCE
    pause = FIRST_LOOK
    while True:
        with service().database.read() as database:
            access = grants.seat(database, code, number)
            found = _handed_in(database, access, submission)
            if found.status != "received" or time.monotonic() >= until:
                language.prefer(access.row.lang)
                return _tell(database, access, found)
        time.sleep(pause)
        pause = min(pause * 1.5, LONGEST_PAUSE)


def _handed_in(database: Session, access: Access, code: str) -> Submission:
    found = database.scalar(select(Submission).where(Submission.code == code))
    if found is None or found.match_id != access.match.id or found.seat != access.seat:
        abort(404)
    if not access.may_decide(found.decision):
        abort(404)
    return found


def _tell(database: Session, access: Access, found: Submission) -> Response:
    match, seat = access.match, access.seat
    if found.status == "received":
        answer = page("verdict_waiting", match=match, seat=seat)
        answer.headers["Refresh"] = "2"
        return answer
    if found.status == "played":
        return page(
            "verdict_played",
            match=match,
            seat=seat,
            whole=access.whole,
            names=reading.names(match),
            verdict=found.verdict or {},
            told=reading.story(database, match, seat, found.entry or 0, found.entry),
            sight=reading.sight(database, match, seat, found.entry),
            waits=reading.sight(database, match, seat).waiting_for,
            clock=clock(access.row.player.zone if access.row.player else None),
        )
    row = database.get(DecisionRow, (match.id, found.decision))
    verdict = found.verdict or {}
    if row is None or row.closed_entry is not None or match.status != "playing":
        if row is not None:
            return stale(database, access, row)
        names = reading.names(match)
        return page("verdict_refused", match=match, seat=seat, verdict=verdict, names=names)
    try:
        path = url_for("turn.form", code=match.code, number=seat, decision=row.decision)
        shown = turns.form(database, access, row, typed=found.body, path=path)
    except NotYourDecision:
        return stale(database, access, row)
    return scripted(page("turn", verdict=verdict, problem=None, only=None, path=path, **shown))

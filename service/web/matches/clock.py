"""The time of a match, from its page: a pause, a nudge, being back."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match
from service.core.plain import whole_number
from service.core.statuses import MatchStatus
from service.matches import moves, reading, standins
from service.matches.overview import waits_of
from service.time import nudging, pausing
from service.time.timing import timing_of
from service.web import grants, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.rendering import clock, page

blueprint = Blueprint("clock", __name__)

PATH = "/m/<code:code>/<seat:number>/time"
PAUSE = 7


def _show(
    code: str, number: int, problem: Refused | None = None, typed: str = "", status: int = 200
) -> Response:
    with service().database.read() as database:
        access = grants.whole_seat(database, code, number)
        if access.match.status != MatchStatus.PLAYING:
            abort(404)
        language.prefer(access.row.lang)
        match = access.match
        sent = moves.waiting_of(database, match, number)
        waits = waits_of(database, [match]).get(match.id, [])
        return page(
            "clock",
            status,
            match=match,
            seat=number,
            names=reading.names(match, language.current()),
            clock=clock(access.player.zone),
            # What the reader has answered is no move of theirs, though it is not played yet.
            waits=[w for w in waits if sent is None or w.decision != sent.decision],
            timing=timing_of(service(), database, match, number),
            lengths=pausing.LENGTHS,
            length=typed or str(PAUSE),
            problem=problem,
        )


@blueprint.get(PATH)
def form(code: str, number: int) -> Response:
    """Show what the clocks do, and what can be done about it."""
    return _show(code, number)


def _again(code: str, number: int) -> Response:
    return _show(code, number, Refused("stale_form"), status=400)


@blueprint.post(PATH)
@shown_again_by(_again)
def change(code: str, number: int) -> ResponseReturnValue:
    """Ask for a pause, agree to one or not, end it, nudge, or take the seat back."""
    typed = Form(("do",), ("days",))
    try:
        typed.check()
        with service().database.write() as work:
            access = grants.whole_seat(work.session, code, number)
            _do(work, access.match, number, typed)
    except Refused as refused:
        return _show(code, number, refused, typed["days"], 400)
    return redirect(url_for("match.seat", code=code, number=number, _anchor="time"), 303)


def _do(work: Work, match: Match, seat: int, typed: Form) -> None:
    here, wish = service(), typed["do"]
    if wish == "pause":
        pausing.ask(here, work, match, seat, whole_number(typed["days"]) or 0)
    elif wish in ("agree", "refuse"):
        pausing.answer(here, work, match, seat, wish == "agree")
    elif wish == "resume":
        pausing.resume(here, work, match, seat)
    elif wish == "nudge":
        nudging.nudge(here, work, match, seat)
    elif wish == "back":
        standins.take_back(here, work, match, seat)
    else:
        raise Refused("bad_form", problem="foreign", field="do")

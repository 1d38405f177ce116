"""A match as a seat or a spectator sees it: boards, scores, whose move, story, every position."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request
from sqlalchemy.orm import Session

from service import reading
from service.links import Links
from service.models import Match
from service.overview import waits_of
from service.usecases import records
from service.web import grants, language
from service.web.clocks import clock
from service.web.drawings import last_turns
from service.web.here import service
from service.web.rendering import page

blueprint = Blueprint("match", __name__)


@blueprint.get("/m/<code:code>/<seat:number>")
def seat(code: str, number: int) -> Response:
    """The match through the eyes of a seat."""
    with service().database.read() as database:
        access = grants.seat(database, code, number)
        language.prefer(access.row.lang)
        player = access.row.player
        asked = reading.open_decisions(database, access.match, number)
        return _show(
            database,
            access.match,
            number,
            player.zone if player else None,
            now=next((d for d in asked if access.may_decide(d.decision)), None),
            whole=access.whole,
        )


@blueprint.get("/m/<code:code>/watch")
def watch(code: str) -> Response:
    """The match as everybody may see it."""
    with service().database.read() as database:
        match = grants.match_of(database, code)
        if not grants.may_watch(match):
            abort(404)
        return _show(database, match, None, None, now=None, whole=False)


@blueprint.get("/m/<code:code>/record.json")
def record(code: str) -> Response:
    """The record, to keep or to verify."""
    with service().database.read() as database:
        match = grants.match_of(database, code)
        if not grants.may_watch(match) or match.started_at is None:
            abort(404)
        made = records.export(database, match)
        name = f"{match.game}-{match.code}.json"
    answer = Response(made, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _show(
    database: Session,
    match: Match,
    number: int | None,
    zone: str | None,
    *,
    now: object,
    whole: bool,
) -> Response:
    shared = {
        "match": match,
        "seat": number,
        "now": now,
        "whole": whole,
        "clock": clock(zone),
        "watch_link": Links(service()).watch(match),
    }
    if match.started_at is None:
        return page("match_open", **shared)
    n = _entry(match)
    told = reading.story(database, match, number)
    return page(
        "match",
        sight=reading.sight(database, match, number, n),
        shown=_board(match, number),
        marked=last_turns(told, n),
        told=told,
        names=reading.names(match),
        waits=waits_of(database, [match]).get(match.id, []),
        outcome=reading.outcome_of(match),
        **shared,
    )


def _board(match: Match, number: int | None) -> int:
    """Whose board is drawn large: asked for by `?board=`, else the reader's own, else the first."""
    text = request.args.get("board", "")
    if text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < len(match.seats):
        return int(text)
    return number or 0


def _entry(match: Match) -> int:
    """The position that was asked for by `?n=`, by default the newest. 404 for one there is not."""
    text = request.args.get("n")
    if text is None:
        return match.last_entry
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        abort(404)
    if int(text) > match.last_entry:
        abort(404)
    return int(text)

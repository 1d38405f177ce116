"""Looking back on a match: turn by turn, in motion, and as curves."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request
from sqlalchemy.orm import Session

from service.core.models import Match
from service.core.statuses import MatchStatus
from service.matches import reading
from service.matches.chronicle import public_views
from service.render.pictures import filled, film_alt, film_gif
from service.web import grants, language
from service.web.drawings import last_turns
from service.web.here import service
from service.web.matches.moments import boards_of, chosen_board, entry_asked_for, shown_board
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.seen import seen_at

blueprint = Blueprint("replay", __name__)

SAVED_FOR = 24 * 3600  # seconds a browser keeps the film of a match that is over


@blueprint.get("/m/<code:code>/<seat:number>/replay")
def seat(code: str, number: int) -> Response:
    """The match step by step, through the eyes of a seat."""
    with service().database.read() as database:
        access = grants.seat(database, code, number)
        language.prefer(access.row.lang)
        return _show(database, access.match, number, access.player.zone)


@blueprint.get("/m/<code:code>/watch/replay")
def watch(code: str) -> Response:
    """The match step by step, as everybody may see it."""
    with service().database.read() as database:
        match = grants.watched(database, code)
        return _show(database, match, None, None)


def _show(database: Session, match: Match, number: int | None, zone: str | None) -> Response:
    if match.started_at is None:
        abort(404)
    n = _entry(database, match, number)
    told = reading.history(database, match, number, 0, n)
    views = public_views(database, match) if match.status == MatchStatus.ENDED else []
    names = reading.names(match, language.current())
    match_view = reading.match_view(database, match, number, n)
    entries = [entry for entry in told if entry.turn == told[-1].turn]
    boards = boards_of(match, match_view, number)
    chosen = chosen_board(boards)
    return scripted(
        page(
            "replay",
            match=match,
            seat=number,
            clock=clock(zone),
            match_view=match_view,
            marked=last_turns(told, n),
            told=entries,
            boards=boards,
            chosen=chosen,
            shown=shown_board(boards, chosen, entries, number),
            names=names,
            seen=seen_at(database, (match, number)),
            film=film_alt(match.game, views, names=names, lang=language.current())
            if views
            else None,
        )
    )


@blueprint.get("/m/<code:code>/film.gif")
def film(code: str) -> Response:
    """The whole match as one picture in motion, once it is over."""
    with service().database.read() as database:
        match = grants.watched(database, code)
        if match.status != MatchStatus.ENDED:
            abort(404)
        views = public_views(database, match)
        names = reading.names(match, language.current())
    made = film_gif(match.game, views, names=names, lang=language.current())
    answer = Response(made, mimetype="image/gif")
    answer.headers["Content-Disposition"] = f'inline; filename="{match.game}-{match.code}.gif"'
    answer.headers["Cache-Control"] = f"private, max-age={SAVED_FOR}"
    return answer


def _entry(database: Session, match: Match, number: int | None) -> int:
    """The newest entry of the turn that was asked for by `?n=`, by default of the first that leaves
    something on the board. 404 for one there is not.
    """
    asked = request.args.get("n")
    if asked is not None:
        return entry_asked_for(database, match, asked)
    seats = len(match.seats)
    turns = (
        entry.turn
        for entry in reading.history(database, match, number, 0)
        if entry.turn and any(filled(match.game, seats, [entry.events]).values())
    )
    return entry_asked_for(database, match, str(next(turns, 0)))

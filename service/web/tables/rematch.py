"""The same table once more."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.fairness import PART_BYTES
from service.core import randomness
from service.core.errors import Refused
from service.core.keys import seat_scope
from service.core.models import Match
from service.core.statuses import MatchStatus
from service.matches import reading
from service.matches.fairness import LONGEST_PART, part_typed
from service.matches.rematch import commitment, rematch
from service.web import grants, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.grants import Access
from service.web.here import service
from service.web.rendering import page
from service.web.security import scripted

blueprint = Blueprint("rematch", __name__)

PATH = "/m/<code:code>/<seat:number>/again"


def _opened(database: Session, code: str, number: int) -> Access:
    access = grants.whole_seat(database, code, number)
    if access.match.status != MatchStatus.ENDED:
        abort(404)
    language.prefer(access.row.lang)
    return access


def _show(
    code: str, number: int, problem: Refused | None = None, status: int = 200, typed: str = ""
) -> Response:
    with service().database.read() as database:
        access = _opened(database, code, number)
        opened = database.scalar(
            select(Match).where(
                Match.rematch_of == access.match.id, Match.status != MatchStatus.CANCELLED
            )
        )
        shown = page(
            "rematch",
            status,
            match=access.match,
            seat=number,
            names=reading.names(access.match, language.current()),
            others=[row.seat for row in access.match.seats if row.seat != number],
            opened=opened,
            mine=opened is not None and opened.host_id == access.row.player_id,
            problem=problem,
            commitment=commitment(service(), database, access.match, access.row.player_id),
            drawn=randomness.token_hex(PART_BYTES),
            typed=typed,
        )
    return shown if opened else scripted(shown)


@blueprint.get(PATH)
def form(code: str, number: int) -> Response:
    """One button, or the table it has opened."""
    return _show(code, number)


def _again(code: str, number: int) -> Response:
    typed = Form((), {"part"})["part"][:LONGEST_PART]
    return _show(code, number, Refused("stale_form"), 400, typed)


@blueprint.post(PATH)
@shown_again_by(_again)
def again(code: str, number: int) -> ResponseReturnValue:
    """Open it; the first to ask hosts it."""
    with service().database.read() as database:
        scope = seat_scope(_opened(database, code, number).row)
    typed = Form((), {"part"})
    try:
        typed.check()
        part = part_typed(typed["part"])
        with service().database.write() as work:
            rematch(service(), work, service().keys.token("rematch", *scope), part)
    except Refused as refused:
        return _show(code, number, refused, 400, typed["part"][:LONGEST_PART])
    return redirect(url_for("rematch.form", code=code, number=number), 303)

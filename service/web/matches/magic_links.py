"""The links of letters to a match: note what they open, and go on to a clean address."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from service.core.models import Key, Match
from service.web import grants
from service.web.grants import Grant
from service.web.here import service
from service.web.matches import check as check_pages
from service.web.matches import match as match_pages
from service.web.set_back import SetBack

blueprint = Blueprint("magic_links", __name__)


def _opened(key: str, purpose: str) -> tuple[Key, Match]:
    """What a key opens and its match; 404 for anything but a key of ours for this."""
    with service().database.read() as database:
        found = service().keys.find(database, key, purpose)
        if found is None or found.match_id is None:
            outdated = service().keys.outdated(database, key, purpose)
            if outdated is not None:
                raise SetBack(outdated)
            abort(404)
        match = database.get_one(Match, found.match_id)
        _ = match.invitees  # read while the session is open
        return found, match


def _occupancy(match: Match, key: Key) -> int:
    return match.seats[key.seat or 0].occupancy


@blueprint.get("/t/<key:key>")
def turn(key: str) -> ResponseReturnValue:
    """A decision, with a plan for it if the link has one."""
    found, match = _opened(key, "decision")
    to = url_for(
        "turn.form",
        code=match.code,
        number=found.seat,
        decision=found.decision,
        plan=request.args.get("plan"),
    )
    answer = redirect(to)
    grant = Grant(seat=found.seat, decision=found.decision, occupancy=_occupancy(match, found))
    grants.give(answer, match, grant)
    return answer


def _to_seat(key: str, page: str) -> ResponseReturnValue:
    found, match = _opened(key, "seat")
    answer = redirect(url_for(page, code=match.code, number=found.seat))
    grants.give(answer, match, Grant(seat=found.seat, occupancy=_occupancy(match, found)))
    return answer


@blueprint.get("/s/<key:key>")
def seat(key: str) -> ResponseReturnValue:
    """A seat."""
    return _to_seat(key, "match.seat")


@blueprint.get("/s/<key:key>/resign")
def resign(key: str) -> ResponseReturnValue:
    """The question whether a seat is to be given up."""
    return _to_seat(key, "own.resign_form")


@blueprint.get("/w/<key:key>")
def watch(key: str) -> ResponseReturnValue:
    """The public side of a match, at an address that can be handed on as it is: who shows links
    with a picture, and keeps no cookie, sees it, too, at every turn and with any board large.

    What goes on from there (turn by turn, film, record) opens with the cookie that comes along.
    """
    _, match = _opened(key, "watch")
    grants.open_here(match, Grant())
    answer = make_response(match_pages.watch(code=match.code))
    grants.give(answer, match, Grant())
    return answer


@blueprint.get("/w/<key:key>/check")
def check(key: str) -> ResponseReturnValue:
    """The page on how chance is checked, at an address that can be handed on, too. The record opens
    with the cookie that comes along.
    """
    _, match = _opened(key, "watch")
    grants.open_here(match, Grant())
    answer = make_response(check_pages.check(code=match.code))
    grants.give(answer, match, Grant())
    return answer


@blueprint.get("/w/<key:key>/board.png")
def card(key: str) -> ResponseReturnValue:
    """The match as a picture beside that link: one board, and the points."""
    _, match = _opened(key, "watch")
    grants.open_here(match, Grant())
    return match_pages.card(code=match.code)


@blueprint.get("/again/<key:key>")
def again(key: str) -> ResponseReturnValue:
    """The same table once more. Whoever may ask for it may see the seat."""
    found, match = _opened(key, "rematch")
    answer = redirect(url_for("rematch.form", code=match.code, number=found.seat))
    grants.give(answer, match, Grant(seat=found.seat, occupancy=_occupancy(match, found)))
    return answer

"""The letters of one match: muted, in the digest or each by itself; from the settings page and from
the page of the match.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match
from service.players import preferences
from service.web import grants, identity
from service.web.accounts.settings_page import again, done, show
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.members import members_only

blueprint = Blueprint("mail", __name__)

NONE = "none"
DIGEST = {"": None, "yes": True, "no": False}


@blueprint.post("/settings/tables/<code:code>")
@shown_again_by(lambda code: again("tables"))
@members_only
def table(code: str) -> ResponseReturnValue:
    """Change how one of the reader's own tables writes to them."""
    typed = Form(("do",), ("digest",))
    try:
        typed.check()
        with service().database.write() as work:
            match = grants.match_of(work.session, code)
            own = identity.reader_id()
            seat = next((row.seat for row in match.seats if row.player_id == own), None)
            if seat is None:
                abort(404)
            if typed["do"] == "digest":
                none = typed["digest"] == NONE
                preferences.mute(service(), work, match, seat, none)
                if not none:
                    chosen = DIGEST.get(typed["digest"])
                    preferences.set_digest(service(), work, match, seat, chosen)
            else:
                _mute(work, match, seat, typed["do"])
    except Refused as refused:
        return show("tables", refused)
    return done("tables")


@blueprint.post("/m/<code:code>/<seat:number>/mail")
@shown_again_by(lambda code, number: redirect(url_for("match.seat", code=code, number=number), 303))
def seat(code: str, number: int) -> ResponseReturnValue:
    """Mute the match, or hear of it again, from its own page."""
    typed = Form(("do",))
    try:
        typed.check()
        with service().database.write() as work:
            access = grants.seat(work.session, code, number)
            if not access.whole:
                abort(404)
            _mute(work, access.match, number, typed["do"])
    except Refused:
        abort(400)
    return redirect(url_for("match.seat", code=code, number=number, _anchor="letters"), 303)


def _mute(work: Work, match: Match, seat: int, wish: str) -> None:
    if wish not in ("mute", "unmute"):
        raise Refused("bad_answer")
    preferences.mute(service(), work, match, seat, wish == "mute")

"""The front page, and a sign of life for whoever watches the server."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from engine.games import games
from service.web import turns
from service.web.rendering import page
from service.web.sample import tried
from service.web.security import scripted

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def front() -> Response:
    """What this is, in ten seconds: in words, and on a board that can be tried."""
    args = request.args
    chosen = turns.draft_of(args.getlist("a"), (), "").texts
    shown = next(iter(games()))
    tried_here = tried(shown, chosen, args.getlist("tap"), url_for("home.front"))
    return scripted(page("front", shown=shown, tried=tried_here))


@blueprint.get("/healthz")
def healthz() -> Response:
    """ok."""
    return Response("ok\n", mimetype="text/plain")

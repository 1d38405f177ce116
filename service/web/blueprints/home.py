"""The front page, and a sign of life for whoever watches the server."""

from __future__ import annotations

from flask import Blueprint, Response

from engine.games import games
from service.web.rendering import page
from service.web.sample import sample

blueprint = Blueprint("home", __name__)

NAMES = ["Ana", "Bruno", "Chloé", "Dara"]


@blueprint.get("/")
def front() -> Response:
    """What this is, in ten seconds."""
    shown = next(iter(games()))
    view, seats = sample(shown)
    return page("front", shown=shown, view=view, names=NAMES[:seats])


@blueprint.get("/healthz")
def healthz() -> Response:
    """ok."""
    return Response("ok\n", mimetype="text/plain")

"""Learning a game in two minutes, with pictures of a real match."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from engine.games import games
from engine.kit.lessons import HasLesson
from service.access.links import Links
from service.web.front import bot_game
from service.web.here import service
from service.web.rendering import page
from service.web.security import scripted

blueprint = Blueprint("learn", __name__)


@blueprint.get("/learn/<game>")
def show(game: str) -> Response:
    """One idea a step; 404 for a game that has no lesson."""
    if game not in games():
        abort(404)
    known = games()[game]
    if not isinstance(known, HasLesson):
        abort(404)
    made = page(
        "learn",
        game=game,
        lesson=known.lesson,
        nonce=bot_game.nonce(),
        links=Links(service()),
    )
    return scripted(made)

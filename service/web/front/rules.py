"""The rules of every game, for everybody."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from engine.games import games
from engine.kit.lessons import HasLesson
from service.web.rendering import page

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
def all_games() -> Response:
    """The games there are."""
    return page("rules_all")


@blueprint.get("/rules/<game>")
def show(game: str) -> Response:
    """One game's rules."""
    if game not in games():
        abort(404)
    known = games()[game]
    taught = known if isinstance(known, HasLesson) else None
    return page("rules", game=game, taught=taught)

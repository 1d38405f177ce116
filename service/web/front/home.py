"""The front page, and a sign of life for whoever watches the server."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, url_for

from engine.games import games
from service.access.links import Links
from service.core.featured import featured_game
from service.matches.plans import LONGEST
from service.render.pictures import card_png
from service.web import language
from service.web.assets import DAY, is_asset
from service.web.front import bot_game
from service.web.front.sample import tried
from service.web.here import service
from service.web.rendering import page
from service.web.security import scripted

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def front() -> Response:
    """The front page: what this is, in ten seconds, in words, and on a board that can be tried."""
    args = request.args
    chosen = args.getlist("a")[:LONGEST]
    shown = featured_game(service().settings)
    tried_here = tried(shown, chosen, args.getlist("tap"), url_for("home.front"))
    letter = f"letters/{shown}.{language.current()}.webp"
    made = page(
        "front",
        shown=shown,
        tried=tried_here,
        letter=letter if is_asset(letter) else None,
        links=Links(service()),
        nonce=bot_game.nonce(),
    )
    return scripted(made)


@blueprint.get("/board.png")
def card() -> Response:
    """A position to try a game at as a picture, in the language of its address: of the front page's
    game, or another.
    """
    shown = request.args.get("game", featured_game(service().settings))
    if shown not in games():
        abort(404)
    sample = tried(shown, (), (), url_for("home.front"))
    made = card_png(
        shown, sample.plan.view, shown=sample.seat, names=sample.names, lang=language.named()
    )
    answer = Response(made, mimetype="image/png")
    answer.headers["Cache-Control"] = f"public, max-age={DAY}"
    return answer


@blueprint.get("/healthz")
def healthz() -> Response:
    """ok."""
    return Response("ok\n", mimetype="text/plain")

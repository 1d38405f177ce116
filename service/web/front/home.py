"""The front page, and a sign of life for whoever watches the server."""

from __future__ import annotations

import gzip
from functools import cache

from flask import Blueprint, Response, abort, request, url_for

from engine.games import games
from service.access.links import Links
from service.core.featured import featured_game
from service.core.models import Player
from service.core.statuses import MatchStatus, SeatStatus
from service.matches.overview import tables_of
from service.matches.plans import LONGEST
from service.render.pictures import card_png, glance_file
from service.web import identity, language
from service.web.assets import DAY, is_asset
from service.web.front import bot_game
from service.web.front.sample import tried
from service.web.here import service
from service.web.matches.glances import drawn, glances
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.seen import seen_at

blueprint = Blueprint("home", __name__)

LISTED = 3
"""Tables on the front page of who sits at some."""

GOING_ON = (MatchStatus.INVITING, MatchStatus.PLAYING)


@blueprint.get("/")
def front() -> Response:
    """The front page: what this is, in ten seconds, in words, and on a board that can be tried."""
    reader = identity.reader()
    if reader is not None and (made := _own(reader.id)) is not None:
        return made
    args = request.args
    chosen = args.getlist("a")[:LONGEST]
    shown = featured_game(service().settings)
    tried_here = tried(shown, chosen, args.getlist("tap"), url_for("home.front"))
    letter = f"letters/{shown}.{language.current()}"
    made = page(
        "front",
        shown=shown,
        tried=tried_here,
        letter=_asset(f"{letter}.webp"),
        letter_by_night=_asset(f"{letter}.night.webp"),
        links=Links(service()),
        nonce=bot_game.nonce(),
    )
    return scripted(made)


def _asset(name: str) -> str | None:
    return name if is_asset(name) else None


def _own(player_id: int) -> Response | None:
    """The front page of who has tables: those that wait for them first. None for who has none."""
    with service().database.read() as database:
        player = database.get_one(Player, player_id)
        tables = tables_of(database, player)
        if not tables:
            return None
        live = [table for table in tables if table.match.status in GOING_ON]
        waiting = [table for table in live if table.mine]
        invited = [table for table in live if table.row.status == SeatStatus.INVITED]
        listed = (waiting or invited or live)[:LISTED]
        return page(
            "front_own",
            listed=listed,
            waiting=len(waiting),
            invited=len(invited),
            more=len(live) - len(listed),
            clock=clock(player.zone),
            glances=glances(database, listed),
            shown=featured_game(service().settings),
            seen=seen_at(database, *drawn(listed)),
        )


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


@blueprint.get("/board.svg")
def board() -> Response:
    """The board of such a position alone, for pages: by day and by night. Drawings pack well: to a
    fifth, where the browser unpacks them.
    """
    shown = request.args.get("game", featured_game(service().settings))
    if shown not in games():
        abort(404)
    plain, packed = _board(shown, language.named())
    answer = Response(plain, mimetype="image/svg+xml")
    if request.accept_encodings.quality("gzip") > 0:
        answer = Response(packed, mimetype="image/svg+xml", headers={"Content-Encoding": "gzip"})
    answer.vary.add("Accept-Encoding")
    answer.headers["Cache-Control"] = f"public, max-age={DAY}"
    return answer


@cache
def _board(game: str, lang: str) -> tuple[bytes, bytes]:
    sample = tried(game, (), (), "")
    drawn = glance_file(game, sample.plan.view, seat=sample.seat, lang=lang)
    return drawn, gzip.compress(drawn, mtime=0)


@blueprint.get("/healthz")
def healthz() -> Response:
    """ok."""
    return Response("ok\n", mimetype="text/plain")

"""A game against a bot, by one button; whoever is not signed in names an address before."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from engine.games import games
from service.core import randomness
from service.core.errors import Refused
from service.matches import opponents
from service.matches.opponents import middling
from service.players import accounts
from service.web import identity, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.rendering import page
from service.web.security import scripted

blueprint = Blueprint("bot_game", __name__)


class Asked(NamedTuple):
    """A game against a bot that is asked for; of any strength, if `bot` is "". As a text in links:
    the game's key, and after a colon the bot's.
    """

    game: str
    bot: str = ""

    def __str__(self) -> str:
        return f"{self.game}:{self.bot}" if self.bot else self.game


def read(text: str | None) -> Asked | None:
    """The game that a link asks for; None if it is none of ours."""
    game, _, bot = (text or "").partition(":")
    if game not in games():
        return None
    return Asked(game, bot if bot in games()[game].bots else "")


def nonce() -> str:
    """A text for one form, so that pressing its button twice opens one game."""
    return randomness.token_hex(12)


@blueprint.get("/play/<game>")
def form(game: str) -> Response:
    """The form alone: what follows from a bad address."""
    return _show(_known(game))


def _show(
    game: str, problem: Refused | None = None, typed: str = "", status: int = 200
) -> Response:
    bots = list(games()[game].bots)
    made = page(
        "bot_game",
        status,
        game=game,
        problem=problem,
        typed=typed,
        nonce=nonce(),
        bots=bots,
        chosen=middling(games()[game]),
    )
    return scripted(made)


def _again(game: str) -> Response:
    return _show(_known(game), Refused("stale_form"), request.form.get("address", "")[:254], 400)


@blueprint.post("/play/<game>")
@shown_again_by(_again)
def start(game: str) -> ResponseReturnValue:
    """Open the game and go to its first turn; or mail a link that does so."""
    _known(game)
    reader = identity.reader()
    # Signed in or out since the form was shown: the field of the other form is no fault.
    typed = Form((), ["address", "zone", "nonce", "bot"])
    try:
        typed.check()
        asked = Asked(game, typed["bot"] if typed["bot"] in games()[game].bots else "")
        if reader is not None:
            return redirect(opened(reader.id, asked, typed["nonce"] or nonce()), 303)
        with service().database.write() as work:
            accounts.ask_sign_in(
                service(),
                work,
                typed["address"],
                language.current(),
                typed["zone"],
                play=str(asked),
            )
    except Refused as refused:
        return _show(game, refused, typed["address"], 400)
    identity.note_mailed_to(typed["address"])
    return redirect(url_for("signin.sent", play=str(asked)), 303)


def opened(host: int, asked: Asked, once: str) -> str:
    """Open a game of this player against a bot, once for each `once`; where it is to be played."""
    code, decision = opponents.open_bot_game(
        service(), host, asked.game, once, language.current(), asked.bot
    )
    if decision is None:
        return url_for("match.seat", code=code, number=0)
    return url_for("turn.form", code=code, number=0, decision=decision)


def _known(game: str) -> str:
    if game not in games():
        abort(404)
    return game

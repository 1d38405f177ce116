"""Signing in by a mailed link: no password, and a link works once."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from service.core.errors import Refused
from service.core.keys import digest_of
from service.players import accounts
from service.web import grants, identity, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.front import bot_game
from service.web.here import service
from service.web.rendering import page
from service.web.security import scripted

blueprint = Blueprint("signin", __name__)

CARRIED_FOR = 15 * 60
COOKIE = "signing-in"
PATH = "/sign-in"


def _show(problem: Refused | None = None, typed: str = "", status: int = 200) -> Response:
    wants_table = str(session.get("after", "")).startswith(url_for("tables.form"))
    made = page("sign_in", status, problem=problem, typed=typed, wants_table=wants_table)
    return scripted(made)


def _again() -> Response:
    return _show(Refused("stale_form"), Form({"address"})["address"], 400)


@blueprint.get(PATH)
def form() -> Response:
    """The form that asks for an address."""
    return _show()


@blueprint.post(PATH)
@shown_again_by(_again)
def ask() -> ResponseReturnValue:
    """Mail a link to the address."""
    typed = Form({"address"}, {"zone"})
    try:
        typed.check()
        with service().database.write() as work:
            accounts.ask_sign_in(
                service(), work, typed["address"], language.current(), typed["zone"]
            )
    except Refused as refused:
        return _show(refused, typed["address"], 400)
    identity.note_mailed_to(typed["address"])
    return redirect(url_for("signin.sent"), 303)


@blueprint.get(f"{PATH}/sent")
def sent() -> Response:
    """Look into your mailbox."""
    asked = bot_game.read(request.args.get("play"))
    return page("sign_in_sent", play=asked.game if asked else None, sent_to=identity.mailed_to())


@blueprint.get("/in/<key:key>")
def enter(key: str) -> ResponseReturnValue:
    """The link of the letter: carry its key in a cookie, and show a clean address."""
    answer = redirect(url_for("signin.confirm", play=_game()))
    grants.keep(answer, COOKIE, PATH, "sign-in", key, CARRIED_FOR)
    return answer


@blueprint.get(f"{PATH}/confirm")
def confirm() -> Response:
    """One button: a link alone must not sign anybody in, because mail scanners open links."""
    try:
        with service().database.read() as database:
            player = accounts.sign_in_of(service(), database, _carried())
            asked = bot_game.read(request.args.get("play"))
            return page("sign_in_confirm", player=player, play=asked)
    except Refused as refused:
        return _show(refused, status=410 if refused.code != "unknown_link" else 404)


@blueprint.post(f"{PATH}/confirm")
def sign_in() -> ResponseReturnValue:
    """Use the link; and start the game it was asked for with, if there is one."""
    typed, key = Form((), ["play"]), _carried()
    try:
        typed.check()
        with service().database.write() as work:
            player = accounts.sign_in(service(), work, key)
    except Refused as refused:
        return _show(refused, status=400 if refused.code == "bad_form" else 410)
    identity.enter(player)
    after = session.pop("after", None) or url_for("matches.own")
    if asked := bot_game.read(typed["play"]):
        after = bot_game.opened(player.id, asked, digest_of(key))
    answer = redirect(after, 303)
    answer.delete_cookie(COOKIE, path=PATH)
    return answer


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Sign out of this browser."""
    identity.leave()
    return redirect(url_for("home.front"), 303)


def _game() -> str | None:
    """The game against a bot that is to follow."""
    asked = bot_game.read(request.args.get("play"))
    return str(asked) if asked else None


def _carried() -> str:
    return grants.carried(COOKIE, "sign-in", CARRIED_FOR)

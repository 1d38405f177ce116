"""The other addresses a player writes from: named in the settings, confirmed by a mailed link."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, url_for
from flask.typing import ResponseReturnValue

from service.core.errors import Refused
from service.players import aliases
from service.web import grants, language
from service.web.accounts.settings_page import again, changing, done, show
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.identity import members_only
from service.web.rendering import page

blueprint = Blueprint("addresses", __name__)

PATH = "/address"
COOKIE = "address"
CARRIED_FOR = 3600


@blueprint.post("/settings/addresses")
@shown_again_by(lambda: again("addresses"))
@members_only
def add() -> ResponseReturnValue:
    """Name another address; a letter goes there."""
    typed = Form(("address",))
    try:
        with changing(typed) as (work, player):
            aliases.add(service(), work, player, typed["address"])
    except Refused as refused:
        return show("addresses", refused, typed.filled)
    return done("addresses", "asked")


@blueprint.post("/settings/addresses/<int:number>/remove")
@shown_again_by(lambda number: again("addresses"))
@members_only
def remove(number: int) -> ResponseReturnValue:
    """Forget one."""
    try:
        with changing(Form(())) as (work, player):
            aliases.remove(service(), work, player, number)
    except Refused as refused:
        return show("addresses", refused)
    return done("addresses", "removed")


@blueprint.get("/a/<key:key>")
def enter(key: str) -> ResponseReturnValue:
    """The link of the letter: carry its key in a cookie, and show a clean address."""
    answer = redirect(url_for("addresses.form"))
    grants.keep(answer, COOKIE, PATH, "address", key, CARRIED_FOR)
    return answer


@blueprint.get(PATH)
def form() -> Response:
    """One button: a link alone confirms nothing, because mail scanners open links."""
    return _show()


@blueprint.post(PATH)
@shown_again_by(lambda: _show(Refused("stale_form")))
def confirm() -> ResponseReturnValue:
    """Confirm it; or, as somebody else, have no such letters any more."""
    typed = Form(("answer",))
    try:
        typed.check()
        with service().database.write() as work:
            if typed["answer"] == "never":
                closed = aliases.refuse(service(), work, _carried())
                return page("address", 200, problem=None, alias=None, player=None, closed=closed)
            if typed["answer"] != "mine":
                raise Refused("bad_answer")
            aliases.confirm(service(), work, _carried())
    except Refused as refused:
        return _show(refused)
    return redirect(url_for("addresses.form"), 303)


def _show(problem: Refused | None = None) -> Response:
    try:
        with service().database.read() as database:
            alias, player = aliases.asked_by(service(), database, _carried())
            lang = aliases.language_of(database, alias.email) or player.lang
    except Refused as refused:
        status = 404 if refused.code == "unknown_link" else 410
        return page("address", status, problem=refused, alias=None, player=None)
    language.prefer(lang)
    status = 200 if problem is None else 400
    return page("address", status, problem=problem, alias=alias, player=player)


def _carried() -> str:
    return grants.carried(COOKIE, "address", CARRIED_FOR)

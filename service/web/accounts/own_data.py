"""A player's own data: taken along, erased, and what is kept of it how long."""

from __future__ import annotations

import datetime as dt

from flask import Blueprint, Response, redirect, url_for
from flask.typing import ResponseReturnValue

from service.core.errors import Refused
from service.matches import erasure, join_links, own_data
from service.ops import retention
from service.players import accounts, aliases, erasure_links
from service.web import grants, identity
from service.web.accounts.settings_page import again, changing, done, show
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.identity import SIGNED_IN_FOR, members_only
from service.web.rendering import page

blueprint = Blueprint("own_data", __name__)

PATH = "/erasure"
COOKIE = "erasure"
CARRIED_FOR = 3600


@blueprint.get("/settings/my-data.json")
@members_only
def take() -> Response:
    """All that is kept of the reader, as a file."""
    with service().database.read() as database:
        player = identity.reader_in(database)
        assert player is not None
        data = own_data.encode(own_data.collect(database, player, service().now()))
    answer = Response(data, mimetype="application/json")
    answer.headers["Content-Disposition"] = "attachment; filename=paleopost-my-data.json"
    return answer


@blueprint.post("/settings/erase")
@shown_again_by(lambda: again("data"))
@members_only
def ask_erasure() -> ResponseReturnValue:
    """Mail the link that erases everything."""
    try:
        with changing(Form(())) as (work, player):
            erasure_links.ask(service(), work, player)
    except Refused as refused:
        return show("data", refused)
    return done("data", "erasing")


@blueprint.get("/erase/<key:key>")
def enter(key: str) -> ResponseReturnValue:
    """The link of the letter: carry its key in a cookie, and show a clean address."""
    answer = redirect(url_for("own_data.form"))
    grants.keep(answer, COOKIE, PATH, "erasure", key, CARRIED_FOR)
    return answer


@blueprint.get(PATH)
def form() -> Response:
    """Show what happens, and one button: a link alone erases nothing, because mail scanners open
    links.
    """
    return _show()


@blueprint.post(PATH)
@shown_again_by(lambda: _show(Refused("stale_form")))
def erase() -> ResponseReturnValue:
    """Erase everything, and sign out."""
    try:
        Form(()).check()
        with service().database.read() as database:
            number = erasure_links.asked_by(service(), database, _carried()).id
        erasure.erase(service(), number)
    except Refused as refused:
        return _show(refused)
    if identity.reader_id() == number:
        identity.leave()
    answer = page("erasure", 200, problem=None, player=None, erased=True)
    answer.delete_cookie(COOKIE, path=PATH)
    return answer


@blueprint.get("/what-we-keep")
def kept() -> Response:
    """Show what is kept of players, why and how long."""
    periods = retention.periods(service().settings)
    return page(
        "kept",
        mails=periods.mails.days,
        letters=periods.letters.days,
        cookies=max(SIGNED_IN_FOR, dt.timedelta(seconds=grants.KEEP_FOR)).days,
        sign_in=int(accounts.SIGN_IN_FOR.total_seconds() // 3600),
        confirm=aliases.CONFIRM_FOR.days,
        join=join_links.GOOD_FOR.days,
        erase=int(erasure_links.GOOD_FOR.total_seconds() // 3600),
    )


def _show(problem: Refused | None = None) -> Response:
    try:
        with service().database.read() as database:
            player = erasure_links.asked_by(service(), database, _carried())
    except Refused as refused:
        status = 404 if refused.code == "unknown_link" else 410
        return page("erasure", status, problem=refused, player=None)
    return page("erasure", 200 if problem is None else 400, problem=problem, player=player)


def _carried() -> str:
    return grants.carried(COOKIE, "erasure", CARRIED_FOR)

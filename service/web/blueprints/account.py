"""Settings: how a player is called, in which language they are written to, by which clock."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, url_for
from flask.typing import ResponseReturnValue

from service.usecases import players
from service.usecases.errors import Refused
from service.web import identity, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.members import members_only, to_sign_in
from service.web.rendering import page

blueprint = Blueprint("account", __name__)
FIELDS = ("name", "lang", "zone")


def _show(
    typed: dict[str, str], problem: Refused | None = None, status: int = 200, *, saved: bool = False
) -> Response:
    return page(
        "settings",
        status,
        typed=typed,
        problem=problem,
        saved=saved,
        zones=sorted(players.zones()),
    )


def _now() -> dict[str, str]:
    player = identity.reader()
    assert player is not None
    return {"name": player.name, "lang": player.lang, "zone": player.zone}


@blueprint.get("/settings")
@members_only
def form() -> Response:
    """What is set."""
    return _show(_now())


@blueprint.get("/settings/saved")
@members_only
def saved() -> Response:
    """What is set, after it was changed."""
    return _show(_now(), saved=True)


def _again() -> ResponseReturnValue:
    if identity.reader() is None:
        return to_sign_in(url_for("account.form"))
    return _show(_now() | Form(FIELDS).filled, Refused("stale_form"), 400)


@blueprint.post("/settings")
@shown_again_by(_again)
@members_only
def save() -> ResponseReturnValue:
    """Change it."""
    typed = Form(FIELDS)
    try:
        typed.check()
        with service().database.write() as work:
            player = identity.reader_in(work.session)
            assert player is not None
            players.change(player, typed["name"], typed["lang"], typed["zone"])
    except Refused as refused:
        return _show(_now() | typed.filled, refused, 400)
    # What this browser was told before gives way to what the player now says.
    return language.forget(redirect(url_for("account.saved"), 303))

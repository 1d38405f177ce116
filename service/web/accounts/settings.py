"""Settings: how a player is called, by which clock, and how they are written to."""

from __future__ import annotations

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Player
from service.players import preferences
from service.time import absence
from service.web import language
from service.web.accounts import settings_page
from service.web.accounts.settings_page import again, changing, done, minutes_or_none, show
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.identity import members_only

blueprint = Blueprint("account", __name__)
YOU = ("name", "lang", "zone")
LETTERS = ("quiet-from", "quiet-to", "other-reminders", "digest", "thread")
PARTS = ("you", "letters", "away", "addresses", "tables", "invitations", "punctuality", "data")


@blueprint.get("/settings")
@members_only
def form() -> Response:
    """Show what is set."""
    return show()


@blueprint.get("/settings/saved")
@members_only
def saved() -> Response:
    """Show what is set, after a part of it was changed."""
    part = request.args.get("part", "you")
    what = request.args.get("what", "")
    return show(part if part in PARTS else "you", saved=True, what=what)


@blueprint.post("/settings")
@shown_again_by(lambda: again("you"))
@members_only
def save() -> ResponseReturnValue:
    """Change the name, the language, the clock."""
    typed = Form(YOU)
    try:
        with changing(typed) as (work, player):
            preferences.change(
                service(),
                work,
                player,
                name=typed["name"],
                lang=typed["lang"],
                zone=typed["zone"],
            )
    except Refused as refused:
        return show("you", refused, typed.filled)
    # What this browser was told before gives way to what the player now says.
    return language.forget(done("you"))


@blueprint.post("/settings/letters")
@shown_again_by(lambda: again("letters"))
@members_only
def letters() -> ResponseReturnValue:
    """Change quiet hours, reminders, the digest, threads."""
    typed = Form(LETTERS, lists=("reminders",))
    try:
        with changing(typed) as (work, player):
            _write_as(typed, player, work)
    except Refused as refused:
        return show("letters", refused, typed.filled | typed.several)
    return done("letters")


def _write_as(typed: Form, player: Player, work: Work) -> None:
    begin, end = minutes_or_none(typed["quiet-from"]), minutes_or_none(typed["quiet-to"])
    if (begin is None) != (end is None):
        raise Refused("half_quiet")
    own = typed["other-reminders"].replace(";", ",").split(",")
    preferences.change(
        service(),
        work,
        player,
        quiet=None if begin is None or end is None else (begin, end),
        reminders=[*typed.all("reminders"), *(text for text in own if text.strip())],
        digest=minutes_or_none(typed["digest"]),
        thread=typed["thread"],
    )


@blueprint.post("/settings/invitations")
@shown_again_by(lambda: again("invitations"))
@members_only
def invitations() -> ResponseReturnValue:
    """Have invitations, or none any more."""
    typed = Form(("wanted",))
    try:
        with changing(typed) as (_, player):
            if typed["wanted"] not in ("yes", "no"):
                raise Refused("bad_form", problem="foreign", field="wanted")
            preferences.be_invited(service(), player, typed["wanted"] == "yes")
    except Refused as refused:
        return show("invitations", refused)
    return done("invitations")


@blueprint.post("/settings/punctuality")
@shown_again_by(lambda: again("punctuality"))
@members_only
def punctuality() -> ResponseReturnValue:
    """Let hosts know how punctual one is, or not any more."""
    typed = Form(("shown",))
    try:
        with changing(typed) as (_, player):
            if typed["shown"] not in ("yes", "no"):
                raise Refused("bad_form", problem="foreign", field="shown")
            player.shows_punctuality = typed["shown"] == "yes"
    except Refused as refused:
        return show("punctuality", refused)
    return done("punctuality", what="shown")


@blueprint.post("/settings/away")
@shown_again_by(lambda: again("away"))
@members_only
def away() -> ResponseReturnValue:
    """Tell of days away."""
    typed = Form(("first", "last"))
    try:
        with changing(typed) as (work, player):
            first, last = preferences.day(typed["first"]), preferences.day(typed["last"])
            absence.add(service(), work, player, first, last)
    except Refused as refused:
        return show("away", refused, typed.filled)
    return done("away")


@blueprint.post("/settings/away/<int:number>/end")
@shown_again_by(lambda number: again("away"))
@members_only
def back(number: int) -> ResponseReturnValue:
    """Be back sooner, or not go at all."""
    try:
        with changing(Form(())) as (work, player):
            absence.end(service(), work, player, number)
    except Refused as refused:
        return settings_page.show("away", refused)
    return done("away")

"""The one click of a letter: a mail program posts, a person sees a page with a button.

What it takes is in the address (RFC 8058 §3.2): no cookie, no guard token, no redirect.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from service.core.errors import Refused
from service.mail.commands import unsubscribing
from service.mail.commands.unsubscribing import Wish
from service.web import language
from service.web.here import service
from service.web.rendering import page
from service.web.security import csrf

blueprint = Blueprint("unsubscribe", __name__)
csrf.exempt(blueprint)

PATH = "/u/<key:key>"


@blueprint.get(PATH)
def show(key: str) -> Response:
    """Show what can be ended here, or had again. Looking changes nothing."""
    with service().database.read() as database:
        try:
            return _show(unsubscribing.wish_of(service(), database, key))
        except Refused:
            abort(404)


@blueprint.post(PATH)
def end(key: str) -> Response:
    """End it, whoever asks and whatever else the form holds; or, on the page's other button, have
    it again.
    """
    change = unsubscribing.resume if "again" in request.form else unsubscribing.unsubscribe
    try:
        with service().database.write() as work:
            return _show(change(service(), work, key), done=True)
    except Refused:
        abort(404)


def _show(wish: Wish, *, done: bool = False) -> Response:
    language.prefer(wish.player.lang)
    return page("unsubscribe", wish=wish, done=done)

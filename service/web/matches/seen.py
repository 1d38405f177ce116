"""The addresses where pages tell that somebody looks at them. Nothing of a match changes by it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.matches import seeing
from service.web.here import service
from service.web.security import csrf
from service.web.seen import is_ahead, is_stylesheet

blueprint = Blueprint("seen", __name__)
# What a page may tell is in the address, which it was given.
csrf.exempt(blueprint)

PATH = "/seen/<marks>"


@blueprint.post(PATH)
def tell(marks: str) -> Response:
    """By its script."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin" and not is_ahead():
        seeing.note(service(), marks)
    return Response(status=204)


@blueprint.get(PATH)
def style(marks: str) -> Response:
    """By a stylesheet, where no scripts are run; it is empty."""
    if is_stylesheet() and not is_ahead():
        seeing.note(service(), marks)
    return Response("", mimetype="text/css")

"""Errors as pages: what is wrong in a sentence, a way on, and no word about any match."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from service.web import grants, set_back
from service.web.rendering import page, same_address

TOLD = (400, 403, 404, 405, 413, 414, 415, 429, 500)

View = Callable[..., ResponseReturnValue]


def shown_again_by(show: View) -> Callable[[View], View]:
    """Name the function that shows a view's form filled again when its guard token is not good.

    It is called with the view's own arguments.
    """

    def mark(view: View) -> View:
        view.__dict__["again"] = show
        return view

    return mark


def register(app: Flask) -> None:
    """Answer all errors of an application with pages."""
    app.register_error_handler(HTTPException, _told)
    app.register_error_handler(CSRFError, _unguarded)
    app.register_error_handler(500, _failed)
    set_back.register(app)


def _told(error: HTTPException) -> ResponseReturnValue:
    # Without a code it brings a whole answer of its own, as who has to sign in first gets.
    if error.code is None or error.code < 400:
        return error
    status = error.code
    answer = page("problem", status, status=status if status in TOLD else 400, code="", again=None)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            answer.headers[name] = value
    return answer


def _unguarded(error: CSRFError) -> ResponseReturnValue:
    if (outdated := grants.outdated_here()) is not None:
        return set_back.shown(outdated)
    view = current_app.view_functions.get(request.endpoint or "")
    show = getattr(view, "again", None)
    if show is not None:
        try:
            return show(**(request.view_args or {}))  # type: ignore[no-any-return]
        except HTTPException as nothing_to_show:
            return _told(nothing_to_show)
    return page("problem", 400, status=400, code="stale_form", again=None)


def _failed(error: Exception) -> Response:
    # Whatever failed may be what tells who is signed in.
    g.reader = None
    return page("problem", 500, status=500, code="", again=same_address())

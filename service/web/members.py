"""Pages for who is signed in; others are asked to sign in and come back."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from service.web import identity

View = Callable[..., ResponseReturnValue]


def to_sign_in(after: str) -> Response:
    """Ask to sign in; in this browser the mailed link then leads on to `after`, a path of ours."""
    session["after"] = after
    return redirect(url_for("signin.form"), 303)


def members_only(view: View) -> View:
    """Let only signed-in players see a page."""

    @wraps(view)
    def guarded(*args: object, **kwargs: object) -> ResponseReturnValue:
        if identity.reader() is None:
            # A form that was posted cannot be posted again by a redirect: its page comes instead.
            asked = request.full_path if request.method == "GET" else request.path
            return to_sign_in(asked.rstrip("?"))
        return view(*args, **kwargs)

    return guarded

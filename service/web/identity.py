"""The reader of a page, by the signed session cookie: the player who is signed in, or the address
that somebody has asked a letter to.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import wraps

from flask import Flask, Response, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from service.core.models import Player
from service.web.here import service

SIGNED_IN_FOR = dt.timedelta(days=30)
LONGEST_ADDRESS = 254
EPOCH = "epoch"
"""What the session was begun in; without it, in the first."""

FOR_EVERYBODY = frozenset({"home.board", "home.card"})
"""What caches keep for everybody (RFC 9111 §4.1): it must not vary by cookie, so none is looked at.
"""

View = Callable[..., ResponseReturnValue]


def register(app: Flask) -> None:
    """Have sessions end with the epoch they were begun in. Before the guard on forms is registered:
    forms of an earlier epoch shall not pass it.
    """
    app.before_request(_end_if_outdated)
    app.after_request(_note_epoch)


def _mark() -> str:
    return service().keys.history.now.mark[:8]


def _end_if_outdated() -> None:
    """Numbers mean others now, and what was shown may have been another board: nobody is signed in
    any more, and no form is good.
    """
    if request.endpoint in FOR_EVERYBODY:
        return
    if "player" not in session and "csrf_token" not in session:
        return
    history = service().keys.history
    if session.get(EPOCH, history.eras[0].mark[:8]) == history.now.mark[:8]:
        return
    player, tag = session.pop("player", None), int(session.get(EPOCH, history.eras[0].mark)[:2], 16)
    session.pop("csrf_token", None)
    session.pop(EPOCH, None)
    if isinstance(player, int) and history.knew(tag, player=player):
        g.outdated_reader = (player, tag)


def _note_epoch(response: Response) -> Response:
    if request.endpoint in FOR_EVERYBODY or len(service().keys.history.eras) == 1:
        return response
    if session.modified and EPOCH not in session:
        session[EPOCH] = _mark()
    return response


def outdated_reader() -> tuple[int, int] | None:
    """The player signed in here until the database was set back, and the tag of that epoch."""
    found: tuple[int, int] | None = g.get("outdated_reader")
    return found


def reader_id() -> int | None:
    """The id of the player who is signed in."""
    found = session.get("player")
    return found if isinstance(found, int) else None


def reader() -> Player | None:
    """The player who is signed in, for this request; looked up once."""
    if "reader" not in g:
        g.reader = None
        player = reader_id()
        if player is not None:
            with service().database.read() as database:
                g.reader = database.get(Player, player)
    found: Player | None = g.reader
    return found


def reader_in(database: Session) -> Player | None:
    """The player who is signed in, as a row of this database session."""
    player = reader_id()
    return None if player is None else database.get(Player, player)


def enter(player: Player) -> None:
    """Sign a player in, with nothing left of whoever was before."""
    after = session.get("after")
    session.clear()
    session["player"] = player.id
    session.permanent = True
    if after is not None:
        session["after"] = after
    g.pop("reader", None)


def leave() -> None:
    """Sign out."""
    session.clear()
    g.pop("reader", None)


def to_sign_in(after: str) -> Redirect:
    """Ask to sign in; in this browser the mailed link then leads on to `after`, a path of ours."""
    session["after"] = after
    return redirect(url_for("signin.form"), 303)


def members_only(view: View) -> View:
    """Let only signed-in players see a page; others sign in and come back."""

    @wraps(view)
    def guarded(*args: object, **kwargs: object) -> ResponseReturnValue:
        if reader() is None:
            # A form that was posted cannot be posted again by a redirect: its page comes instead.
            asked = request.full_path if request.method == "GET" else request.path
            return to_sign_in(asked.rstrip("?"))
        return view(*args, **kwargs)

    return guarded


def note_mailed_to(address: str) -> None:
    """Keep the address a letter was asked to, for the page after the form to name it."""
    session["mailed"] = address[:LONGEST_ADDRESS]


def mailed_to() -> str | None:
    """The address a letter was asked to last in this browser; None if none was, or somebody has
    signed in since.
    """
    found = session.get("mailed")
    return found if isinstance(found, str) else None

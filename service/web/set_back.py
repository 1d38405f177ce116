"""The page for a link, a cookie or a form of before the database was set back to a copy."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from service.core.keys import Outdated
from service.core.models import Match
from service.matches import reading
from service.web import language
from service.web.here import service
from service.web.identity import reader_id
from service.web.rendering import clock, page
from service.web.seen import seen_at


class SetBack(HTTPException):
    """Raised where only something outdated opens a page: the board as it is now is shown instead,
    and nothing is done.
    """

    code = 409

    def __init__(self, outdated: Outdated) -> None:
        super().__init__()
        self.outdated = outdated


def register(app: Flask) -> None:
    """Answer with that page wherever it is raised."""
    app.register_error_handler(SetBack, _shown)


def _shown(error: SetBack) -> Response:
    return shown(error.outdated)


def shown(outdated: Outdated) -> Response:
    """The page: when the server was set back to, and the board of that seat as it is now."""
    status = 200 if request.method in ("GET", "HEAD") else SetBack.code
    if outdated.match is None or outdated.seat is None:
        return page("set_back", status, copied_at=outdated.copied_at, match=None, clock=clock(None))
    with service().database.read() as database:
        match = database.get_one(Match, outdated.match)
        row = match.seats[outdated.seat]
        language.prefer(row.lang)
        return page(
            "set_back",
            status,
            copied_at=outdated.copied_at,
            match=match,
            seat=outdated.seat,
            seen=seen_at(database, (match, outdated.seat)),
            mine=row.player_id == reader_id(),
            names=reading.names(match, language.current()),
            match_view=reading.match_view(database, match, outdated.seat),
            clock=clock(row.player.zone if row.player else None),
        )

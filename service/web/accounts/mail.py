"""The letters of one match: muted, in the digest or each by itself; from the settings page and from
the page of the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match, SeatRow
from service.players import preferences
from service.web import grants, identity
from service.web.accounts.settings_page import again, done, show
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.identity import members_only

blueprint = Blueprint("mail", __name__)

TABLE = "letters-"
"""A field's name begins so, and ends with the code of the match."""

NONE = "none"
DIGEST: Mapping[str, bool | None] = MappingProxyType({"": None, "yes": True, "no": False})


@blueprint.post("/settings/tables")
@shown_again_by(lambda: again("tables"))
@members_only
def tables() -> ResponseReturnValue:
    """Change how those of the reader's tables write to them that the form names; all or none."""
    names = [name for name in request.form if name.startswith(TABLE)]
    typed = Form((), names)
    try:
        typed.check()
        if any(value not in (NONE, *DIGEST) for value in typed.filled.values()):
            raise Refused("bad_form", problem="foreign", field=TABLE)
        with service().database.write() as work:
            rows = _own(work.session, [name.removeprefix(TABLE) for name in names])
            if len(rows) < len(names):
                abort(404)
            for row in rows:
                _change(work, row, typed[TABLE + row.match.code])
    except Refused as refused:
        return show("tables", refused)
    return done("tables")


def _own(database: Session, codes: list[str]) -> list[SeatRow]:
    """The reader's seats at these tables; always in one order, for their matches are locked."""
    chosen = select(SeatRow).join(Match).where(Match.code.in_(codes), SeatRow.seat.is_not(None))
    mine = chosen.where(SeatRow.player_id == identity.reader_id())
    return list(database.scalars(mine.order_by(Match.id)))


def _change(work: Work, row: SeatRow, wish: str) -> None:
    assert row.seat is not None
    if wish == NONE or row.muted_at is not None:
        preferences.mute(service(), work, row.match, row.seat, wish == NONE)
    if wish != NONE and row.digest is not DIGEST[wish]:
        preferences.set_digest(service(), work, row.match, row.seat, DIGEST[wish])


@blueprint.post("/m/<code:code>/<seat:number>/mail")
@shown_again_by(lambda code, number: redirect(url_for("match.seat", code=code, number=number), 303))
def seat(code: str, number: int) -> ResponseReturnValue:
    """Mute the match, or hear of it again, from its own page."""
    typed = Form(("do",))
    try:
        typed.check()
        with service().database.write() as work:
            access = grants.whole_seat(work.session, code, number)
            _mute(work, access.match, number, typed["do"])
    except Refused:
        abort(400)
    return redirect(url_for("match.seat", code=code, number=number, _anchor="letters"), 303)


def _mute(work: Work, match: Match, seat: int, wish: str) -> None:
    if wish not in ("mute", "unmute"):
        raise Refused("bad_answer")
    preferences.mute(service(), work, match, seat, wish == "mute")

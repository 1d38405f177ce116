"""What a link in a letter has opened in this browser, kept in signed cookies.

The key itself leaves the address bar. A cookie is sent only to the pages of its own match.

A decision's link opens one decision and shows its seat; a seat's link opens everything of the seat.
Nobody's other matches or account come with either.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import abort, g, request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from service.models import DecisionRow, Match, SeatRow
from service.web.here import service
from service.web.identity import reader_id

KEEP_FOR = 30 * 24 * 3600
PREFIX = "open-"
DECISIONS = 12


class Grant(msgspec.Struct, frozen=True, array_like=True):
    """One thing opened: a match's public side (no seat), a whole seat, or one decision of it.

    `tenant` is the seat's at that time: to who has given the seat up it opens nothing any more.
    """

    seat: int | None = None
    decision: str | None = None
    tenant: int = 0


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that this browser may look through; if not `whole`, it may only make `decisions`."""

    match: Match
    row: SeatRow
    whole: bool
    decisions: tuple[str, ...]

    @property
    def seat(self) -> int:
        """The seat of the game."""
        assert self.row.seat is not None
        return self.row.seat

    def may_decide(self, decision: str) -> bool:
        """Whether this decision may be made from here."""
        return self.whole or decision in self.decisions


def _signer(scope: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().settings.secret_key, salt=f"paleopost {scope}")


def signed(name: str, scope: str, seconds: int) -> Any:
    """The value of this cookie, or None unless we have signed it for this scope, at most so many
    seconds ago: when a cookie ends is not left to who sends it.
    """
    try:
        return _signer(scope).loads(request.cookies.get(name, ""), max_age=seconds)
    except BadSignature:
        return None


def keep(response: Response, name: str, path: str, scope: str, value: Any, seconds: int) -> None:
    """Put a signed value into a cookie for the pages under a path."""
    response.set_cookie(
        name,
        str(_signer(scope).dumps(value)),
        max_age=seconds,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=service().settings.secure,
    )


def give(response: Response, match: Match, grant: Grant) -> None:
    """Let this browser see more of a match. What it has been given before stays, but of a seat's
    decisions only the newest DECISIONS: a whole match of them would be more than a server takes.

    The cookies are not sent to the address of a link, so none can be added to there. Each decision
    has its place in turn, and takes it from the one DECISIONS before.
    """
    name = PREFIX + ("watch" if grant.seat is None else str(grant.seat))
    if grant.decision is not None:
        name += f"-{_number(match, grant) % DECISIONS}"
    value = msgspec.to_builtins(grant)
    keep(response, name, f"/m/{match.code}", f"match {match.code}", value, KEEP_FOR)


def _number(match: Match, grant: Grant) -> int:
    """How many decisions the seat was asked for before this one."""
    asked = select(DecisionRow.decision).where(
        DecisionRow.match_id == match.id, DecisionRow.seat == grant.seat
    )
    order = asked.order_by(DecisionRow.opened_entry, DecisionRow.decision)
    with service().database.read() as database:
        return list(database.scalars(order)).index(grant.decision or "")


def open_here(match: Match, grant: Grant) -> None:
    """Open something for the answer to this request alone."""
    g.setdefault("opened_here", []).append((match.code, grant))


def given(code: str) -> list[Grant]:
    """What links have opened of the match with this code, if this is one of its pages."""
    here = [grant for opened, grant in g.get("opened_here", []) if opened == code]
    names = [name for name in request.cookies if name.startswith(PREFIX)]
    values = [signed(name, f"match {code}", KEEP_FOR) for name in names]
    return here + [msgspec.convert(value, Grant) for value in values if value is not None]


def match_of(database: Session, code: str) -> Match:
    """The match with this code, for views that check the right to see it. 404 if there is none."""
    match = database.scalar(select(Match).where(Match.code == code))
    if match is None:
        abort(404)
    return match


def seat(database: Session, code: str, number: int) -> Access:
    """The seat, if a link or its player's own sign-in has opened it here; 404 otherwise."""
    match = match_of(database, code)
    row = next((row for row in match.seats if row.seat == number), None)
    if row is None or row.player_id is None:
        abort(404)
    mine = (number, row.tenant)
    own = [grant for grant in given(code) if (grant.seat, grant.tenant) == mine]
    whole = row.player_id == reader_id() or any(grant.decision is None for grant in own)
    if not whole and not own:
        abort(404)
    decisions = tuple(grant.decision for grant in own if grant.decision is not None)
    return Access(match=match, row=row, whole=whole, decisions=decisions)


def may_watch(match: Match) -> bool:
    """Whether the public side of a match may be seen here: by a spectator's link, or any seat's."""
    player = reader_id()
    sits = player is not None and any(row.player_id == player for row in match.seats)
    tenants = {row.seat: row.tenant for row in match.seats}
    return sits or any(
        grant.seat is None or tenants.get(grant.seat) == grant.tenant for grant in given(match.code)
    )

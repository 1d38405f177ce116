"""The grants of a browser: what a link in a letter has opened there, kept in signed cookies.

The key itself leaves the address bar. A cookie is sent only to the pages of its own match.

A decision's link opens one decision and shows its seat; a seat's link opens everything of the seat.
Nobody's other matches or account come with either.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import abort, g, request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, joinedload
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from service.core.keys import Outdated
from service.core.models import DecisionRow, Match, Player, SeatRow
from service.web.here import service
from service.web.identity import outdated_reader, reader_id
from service.web.set_back import SetBack

KEEP_FOR = 30 * 24 * 3600
PREFIX = "open-"
DECISIONS = 12


class Grant(msgspec.Struct, frozen=True, array_like=True):
    """One thing opened: a match's public side (no seat), a whole seat, or one decision of it.

    A seat is opened in one epoch: in the next, its board may be another.

    `occupancy` is the seat's at that time: to who has given the seat up it opens nothing any more.
    """

    seat: int | None = None
    decision: str | None = None
    occupancy: int = 0
    # The mark of the epoch it was given in; "" in the first
    epoch: str = ""


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

    @property
    def player(self) -> Player:
        """The player who sits there: no bot's seat is opened."""
        assert self.row.player is not None
        return self.row.player

    def may_decide(self, decision: str) -> bool:
        """True if this decision may be made from here."""
        return self.whole or decision in self.decisions


def _signer(scope: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().settings.secret_keys[::-1], salt=f"paleopost {scope}")


def signed(name: str, scope: str, seconds: int) -> Any:
    """The value of this cookie, or None unless we have signed it for this scope, at most so many
    seconds ago: when a cookie ends is not left to who sends it.
    """
    try:
        return _signer(scope).loads(request.cookies.get(name, ""), max_age=seconds)
    except BadSignature:
        return None


def carried(name: str, scope: str, seconds: int) -> str:
    """The key that a link of a letter has left in this cookie (`keep`); "" if there is none."""
    key = signed(name, scope, seconds)
    return key if isinstance(key, str) else ""


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
    value = msgspec.to_builtins(msgspec.structs.replace(grant, epoch=_epoch()))
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
    grant = msgspec.structs.replace(grant, epoch=_epoch())
    g.setdefault("opened_here", []).append((match.code, grant))


def _epoch() -> str:
    history = service().keys.history
    return history.now.mark[:8] if len(history.eras) > 1 else ""


def given(code: str) -> list[Grant]:
    """The grants for the match with this code, if this is one of its pages."""
    here = [grant for opened, grant in g.get("opened_here", []) if opened == code]
    names = [name for name in request.cookies if name.startswith(PREFIX)]
    values = [signed(name, f"match {code}", KEEP_FOR) for name in names]
    return here + [msgspec.convert(value, Grant) for value in values if value is not None]


# With who sits at its table, of whom every page wants to know something.
_MATCH = select(Match).where(Match.code == bindparam("code")).options(joinedload(Match.invitees))


def match_of(database: Session, code: str) -> Match:
    """The match with this code, for views that check the right to see it. 404 if there is none."""
    match = database.scalars(_MATCH, {"code": code}).unique().first()
    if match is None:
        abort(404)
    return match


def seat(database: Session, code: str, number: int) -> Access:
    """The seat, if a link or its player's own sign-in has opened it here; 404 otherwise."""
    match = match_of(database, code)
    row = next((row for row in match.seats if row.seat == number), None)
    if row is None or row.player_id is None:
        abort(404)
    mine = (number, row.occupancy)
    found = [grant for grant in given(code) if (grant.seat, grant.occupancy) == mine]
    own = [grant for grant in found if grant.epoch == _epoch()]
    whole = row.player_id == reader_id() or any(grant.decision is None for grant in own)
    if not whole and not own:
        outdated = _outdated(database, match, row, found)
        if outdated is not None:
            raise SetBack(outdated)
        abort(404)
    decisions = tuple(grant.decision for grant in own if grant.decision is not None)
    return Access(match=match, row=row, whole=whole, decisions=decisions)


def _outdated(database: Session, match: Match, row: SeatRow, found: list[Grant]) -> Outdated | None:
    """What there is to say to who could see this seat before the database was set back."""
    keys = service().keys
    tags = [int((grant.epoch or keys.history.eras[0].mark)[:2], 16) for grant in found]
    past = outdated_reader()
    if past is not None and past[0] == row.player_id:
        tags.append(past[1])
    for tag in tags:
        assert row.seat is not None
        outdated = keys.set_back(database, tag, match.id, row.seat, row.occupancy)
        if outdated is not None:
            return outdated
    return None


def outdated_here() -> Outdated | None:
    """The facts to tell where the page of a seat was sent a form of an earlier epoch."""
    code, number = (request.view_args or {}).get("code"), (request.view_args or {}).get("number")
    if code is None or number is None:
        return None
    try:
        with service().database.read() as database:
            seat(database, code, number)
    except SetBack as error:
        return error.outdated
    except HTTPException:
        return None
    return None


def whole_seat(database: Session, code: str, number: int) -> Access:
    """The seat, for who may do everything there; 404 for others."""
    access = seat(database, code, number)
    if not access.whole:
        abort(404)
    return access


def watched(database: Session, code: str) -> Match:
    """The match, for who may see its public side: by a spectator's link, or any seat's; 404 for
    others.
    """
    match, player = match_of(database, code), reader_id()
    sits = player is not None and any(row.player_id == player for row in match.seats)
    occupancies = {row.seat: row.occupancy for row in match.seats}
    if not sits and not any(
        grant.seat is None or occupancies.get(grant.seat) == grant.occupancy
        for grant in given(match.code)
    ):
        abort(404)
    return match

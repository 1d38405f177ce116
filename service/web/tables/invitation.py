"""An invitation: who asks, to what; accept, decline, never again."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from engine.fairness import PART_BYTES
from service.core import randomness
from service.core.errors import Refused
from service.core.models import SeatRow
from service.core.statuses import UNANSWERED, MatchStatus, SeatStatus
from service.matches import tables
from service.matches.fairness import LONGEST_PART, part_typed, parts_shown
from service.matches.options import chosen_options
from service.matches.overview import waits_of
from service.web import grants, identity, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.set_back import SetBack

blueprint = Blueprint("invitation", __name__)

COOKIE = "invitation"
KEEP_FOR = 30 * 24 * 3600
ANSWERS = ("accept", "decline", "never")
STALE = (
    *("already_answered", "match_cancelled", "invitation_withdrawn", "not_playing"),
    *("table_full", "begun_without"),
)


@blueprint.get("/i/<key:key>")
def enter(key: str) -> ResponseReturnValue:
    """The link of the letter: note whom it invites, and show a clean address."""
    with service().database.read() as database:
        found = service().keys.find(database, key, "invitation")
        if found is None:
            outdated = service().keys.outdated(database, key, "invitation")
            if outdated is not None:
                raise SetBack(outdated)
            abort(404)
        row = _guest(database, found.match_id, found.player_id)
        answer = redirect(
            url_for("invitation.show", code=row.match.code, answer=request.args.get("answer"))
        )
        path = url_for("invitation.show", code=row.match.code)
        grants.keep(answer, COOKIE, path, _scope(row.match.code), row.player_id, KEEP_FOR)
    return answer


@blueprint.get("/invitation/<code:code>/table")
def table(code: str) -> ResponseReturnValue:
    """On to the turn that is asked, or to the board. A letter to whoever sits there has led here,
    and opens the seat as their other letters do.
    """
    with service().database.read() as database:
        row = _invited(database, code)
        if not _plays(row):
            return redirect(url_for("invitation.show", code=code))
        to = url_for("match.seat", code=code, number=row.seat)
        for wait in waits_of(database, [row.match])[row.match.id]:
            if wait.row.id == row.id:
                to = url_for("turn.form", code=code, number=row.seat, decision=wait.decision)
        answer = redirect(to)
        grants.give(answer, row.match, grants.Grant(seat=row.seat, occupancy=row.occupancy))
    return answer


def _plays(row: SeatRow) -> bool:
    """True for who sits at a table whose match has begun, and has not been replaced since."""
    begun = row.match.status in (MatchStatus.PLAYING, MatchStatus.ENDED)
    return begun and row.status == SeatStatus.ACCEPTED and row in row.match.seats


@blueprint.get("/invitation/<code:code>")
def show(code: str) -> Response:
    """The invitation, or what became of it. `?answer=` only says which button comes first."""
    with service().database.read() as database:
        return _show(database, _invited(database, code))


def _again(code: str) -> Response:
    with service().database.read() as database:
        typed = Form((), {"part"})["part"][:LONGEST_PART]
        return _show(database, _invited(database, code), Refused("stale_form"), 400, typed)


@blueprint.post("/invitation/<code:code>")
@shown_again_by(_again)
def answer(code: str) -> ResponseReturnValue:
    """Take the guest's answer."""
    with service().database.read() as database:
        row = _invited(database, code)
        match_id, player_id = row.match_id, row.player_id
    typed = Form({"answer"}, {"part"})
    try:
        typed.check()
        token = service().keys.token("invitation", match_id, player_id)
        part = part_typed(typed["part"]) if typed["answer"] == "accept" else None
        with service().database.write() as work:
            tables.answer(service(), work, token, typed["answer"], part)
    except Refused as refused:
        with service().database.read() as database:
            stale = refused.code in STALE
            row = _invited(database, code)
            status = 409 if stale else 400
            return _show(database, row, refused, status, typed["part"][:LONGEST_PART])
    return redirect(url_for("invitation.show", code=code), 303)


def _show(
    database: Session,
    row: SeatRow,
    problem: Refused | None = None,
    status: int = 200,
    typed: str = "",
) -> Response:
    language.prefer(row.lang)
    assert row.player is not None
    wanted = request.args.get("answer")
    # Of a match that is running, and of a table of before, all has been drawn.
    adds = row.match.status == MatchStatus.INVITING and row.match.commitment is not None
    drawn = randomness.token_hex(PART_BYTES) if adds and row.status in UNANSWERED else None
    shown = page(
        "invitation",
        status,
        row=row,
        match=row.match,
        host=row.match.host_row,
        replaces=None if row.successor_of is None else row.match.seats[row.successor_of],
        company=_company(row),
        options=chosen_options(row.match),
        problem=problem,
        plays=_plays(row),
        waits=waits_of(database, [row.match])[row.match.id],
        answers=sorted(ANSWERS, key=lambda answer: answer != wanted),
        clock=clock(row.player.zone),
        added=parts_shown(row.match, row),
        drawn=drawn,
        typed=typed,
    )
    return scripted(shown) if drawn else shown


def _company(row: SeatRow) -> list[SeatRow]:
    """Who sits at the table, or is asked to, with the guest; who has asked for a seat by a join
    link, and does not sit there yet, sees the host and bots alone.
    """
    seats = [seat for seat in row.match.seats if seat.status != SeatStatus.EMPTY]
    if row.successor_of is not None:
        return [seat for seat in seats if seat.seat != row.successor_of] + [row]
    if row.seat is not None:
        return seats
    host = row.match.host_id
    return [seat for seat in seats if seat.bot is not None or seat.player_id == host] + [row]


def _guest(database: Session, match_id: int | None, player_id: int | None) -> SeatRow:
    row = database.query(SeatRow).filter_by(match_id=match_id, player_id=player_id).one_or_none()
    if row is None:
        abort(404)
    return row


def _scope(code: str) -> str:
    """What the cookie is signed for: after a restore the player's number may mean another."""
    history = service().keys.history
    return f"invited {code}" + (f" {history.now.mark}" if len(history.eras) > 1 else "")


def linked(code: str) -> int | None:
    """The player whom an invitation opened in this browser asks to this match.

    The player, not the place: that may be somebody else's by now.
    """
    found = grants.signed(COOKIE, _scope(code), KEEP_FOR)
    return found if isinstance(found, int) else None


def _invited(database: Session, code: str) -> SeatRow:
    """The guest who is invited: by a link opened in this browser, or signed in. 404 if none."""
    match = grants.match_of(database, code)
    invited = linked(code)
    own = identity.reader_id()
    guests = [row for row in match.invitees if row.player_id not in (None, match.host_id)]
    found = next((row for row in guests if row.player_id in (invited, own)), None)
    if found is None:
        abort(404)
    return found

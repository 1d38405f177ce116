"""The host's page: what can be done for the table when somebody is in its way."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from service.access.links import Links
from service.core.context import Service
from service.core.db import Work
from service.core.errors import Refused
from service.core.models import Match
from service.core.plain import whole_number
from service.core.statuses import MatchStatus, SeatStatus
from service.matches import hosting, join_links, journal, reading, seating
from service.matches.overview import waits_of
from service.matches.tables import BotSeat, Guest
from service.render.qr import qr_svg
from service.web import grants, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.grants import Access
from service.web.here import service
from service.web.identity import reader_id, to_sign_in
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.tables.opening import called

blueprint = Blueprint("host", __name__)

PATH = "/m/<code:code>/<seat:number>/host"
FIELDS = ("seat", "guest", "days", "address", "name", "lang", "bot")


def _hosted(database: Session, code: str, number: int) -> Access:
    """The host's own seat; 404 for everybody else.

    A letter may be forwarded: its link opens one seat, not the whole table. So the host signs in.
    """
    access = grants.whole_seat(database, code, number)
    if access.row.player_id != access.match.host_id:
        abort(404)
    if reader_id() != access.match.host_id:
        language.prefer(access.row.lang)
        abort(to_sign_in(request.path))
    language.prefer(access.row.lang)
    return access


def _show(
    code: str,
    number: int,
    problem: Refused | None = None,
    status: int = 200,
    typed: dict[str, str] | None = None,
    done: str = "",
) -> Response:
    with service().database.read() as database:
        access = _hosted(database, code, number)
        match = access.match
        waits = waits_of(database, [match]).get(match.id, [])
        now = service().now()
        inviting = match.status == MatchStatus.INVITING
        link = Links(service()).join(match) if join_links.is_good(match, now) else None
        game = journal.game_of(match)
        shown = page(
            "host_open" if inviting else "host",
            status,
            match=match,
            seat=number,
            taken=[row for row in match.seats if row.status == SeatStatus.ACCEPTED],
            unanswered=[row for row in match.seats if row.status == SeatStatus.INVITED],
            joining=[row for row in match.invitees if row.held_until and row.held_until > now],
            absent=match.absent,
            least=game.seats.start,
            bots=list(game.bots),
            link=link,
            qr=qr_svg(link, link) if link else None,
            now=now,
            waits={wait.row.seat: wait for wait in waits},
            together=reading.asked_together(database, match),
            invitations=hosting.invitations(database, match),
            successors={
                row.successor_of: row for row in match.invitees if row.status == SeatStatus.INVITED
            },
            clock=clock(access.player.zone),
            typed=typed or {},
            done=done,
            problem=problem,
        )
        return scripted(shown) if link else shown


@blueprint.get(PATH)
def form(code: str, number: int) -> Response:
    """Everybody at the table, and what can be done about them."""
    return _show(code, number)


@blueprint.get(f"{PATH}/done")
def done(code: str, number: int) -> Response:
    """The same, after something was done."""
    did = request.args.get("did", "")
    return _show(code, number, done=did if did in ACTIONS else "done")


@blueprint.post(PATH)
@shown_again_by(
    lambda code, number: _show(code, number, Refused("stale_form"), 400, Form((), FIELDS).filled)
)
def act(code: str, number: int) -> ResponseReturnValue:
    """Do it."""
    typed = Form(("do",), FIELDS)
    try:
        typed.check()
        action = ACTIONS.get(typed["do"])
        if action is None:
            raise Refused("bad_form", problem="foreign", field="do")
        with service().database.write() as work:
            match = _hosted(work.session, code, number).match
            action(service(), work, match, typed)
    except Refused as refused:
        return _show(code, number, refused, 409, typed.filled)
    return redirect(url_for("host.done", code=code, number=number, did=typed["do"]), 303)


def _number(typed: Form, field: str) -> int:
    found = whole_number(typed[field], 9)
    return -1 if found is None else found


def _guest(typed: Form) -> Guest:
    return Guest(address=typed["address"], name=typed["name"], lang=typed["lang"])


def _bot(match: Match, typed: Form) -> BotSeat:
    bot = typed["bot"][:40]
    return BotSeat(bot=bot, name=called(journal.game_of(match), bot))


Act = Callable[[Service, Work, Match, Form], object]

ACTIONS: dict[str, Act] = {
    "withdraw": lambda here, work, match, _: hosting.withdraw(here, work, match),
    "start": lambda here, work, match, _: hosting.start_without(here, work, match),
    "remove_guest": lambda here, work, match, typed: hosting.remove_guest(
        here, work, match, _number(typed, "guest")
    ),
    "correct": lambda here, work, match, typed: hosting.correct(
        here, work, match, _number(typed, "guest"), _guest(typed)
    ),
    "free": lambda here, work, match, typed: seating.free(
        here, work, match, _number(typed, "guest")
    ),
    "remind": lambda here, work, match, typed: seating.remind(
        here, work, match, _number(typed, "guest")
    ),
    "invite": lambda here, work, match, typed: seating.fill(
        here, work, match, _number(typed, "seat"), _guest(typed)
    ),
    "bot": lambda here, work, match, typed: seating.fill(
        here, work, match, _number(typed, "seat"), _bot(match, typed)
    ),
    "make_link": lambda here, work, match, _: seating.make_join_link(here, work, match),
    "revoke_link": lambda here, work, match, _: seating.revoke_join_link(here, work, match),
    "remove": lambda here, work, match, typed: hosting.remove(
        here, work, match, _number(typed, "seat")
    ),
    "replace": lambda here, work, match, typed: hosting.replace(
        here, work, match, _number(typed, "seat"), _guest(typed)
    ),
    "stop_replacing": lambda here, work, match, typed: hosting.stop_replacing(
        here, work, match, _number(typed, "seat")
    ),
    "extend": lambda here, work, match, typed: hosting.extend(
        here, work, match, _number(typed, "seat"), _number(typed, "days")
    ),
    "resend": lambda here, work, match, typed: hosting.resend(
        here, work, match, _number(typed, "seat")
    ),
}

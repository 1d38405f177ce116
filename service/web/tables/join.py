"""A join link: which table it is, who hosts it, and a seat for whoever wants one.

The key stays in the address, as the link is to be handed on; opening it takes nothing.
"""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from engine.fairness import PART_BYTES
from service.access.links import Links
from service.core import randomness
from service.core.errors import Refused
from service.core.models import Match
from service.core.statuses import SeatStatus
from service.matches import joining
from service.matches.fairness import LONGEST_PART, part_typed, parts_shown
from service.matches.options import chosen_options
from service.web import identity, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.identity import to_sign_in
from service.web.rendering import clock, page
from service.web.security import scripted

blueprint = Blueprint("join", __name__)

PATH = "/j/<key:key>"
FIELDS = ("name", "address", "part")
SETTLED = ("table_full", "seats_held", "invitation_withdrawn", "joined_often")
GONE = ("unknown_link", "join_revoked", "join_expired", "begun_without", "match_cancelled")


def _show(
    key: str,
    problem: Refused | None = None,
    status: int = 200,
    typed: dict[str, str] | None = None,
    *,
    asked: bool = False,
) -> Response:
    try:
        with service().database.read() as database:
            found = joining.find(service(), database, key)
            match, own = found.match, identity.reader_id()
            hosting = match.host_row
            # What fetches a link for its preview names no language; a reader's browser does.
            if not language.of_browser():
                language.prefer(hosting.lang)
            mine = match.row_of(own)
            seated = mine is not None and mine.status == SeatStatus.ACCEPTED
            adds = identity.reader() is not None and not seated and match.commitment is not None
            drawn = randomness.token_hex(PART_BYTES) if adds else None
            links = Links(service())
            shown = page(
                "join",
                status,
                key=key,
                match=match,
                host=hosting,
                mine=mine if seated else None,
                taken=len(match.seats) - found.empty,
                left=found.left,
                empty=found.empty,
                next_at=found.next_at,
                options=chosen_options(match),
                clock=clock(match.host.zone),
                held_for=int(joining.HELD_FOR.total_seconds() // 3600),
                link=links.join(match),
                card=links.card(match.game, language.current()),
                asked=asked,
                sent_to=identity.mailed_to(),
                added=parts_shown(match, mine),
                drawn=drawn,
                typed=typed or {},
                problem=problem,
            )
            return scripted(shown) if drawn else shown
    except Refused as refused:
        if refused.code not in GONE:
            raise
        unknown = refused.code == "unknown_link"
        return page("join_gone", 404 if unknown else 410, problem=refused)


@blueprint.get(PATH)
def show(key: str) -> Response:
    """The table, and the form that asks for a seat; what became of the link otherwise."""
    return _show(key)


@blueprint.get(f"{PATH}/asked")
def asked(key: str) -> Response:
    """The same, once a letter was asked for: look into your mailbox."""
    return _show(key, asked=True)


@blueprint.post(PATH)
@shown_again_by(lambda key: _show(key, Refused("stale_form"), 400, Form((), FIELDS).filled))
def take(key: str) -> ResponseReturnValue:
    """Ask for a seat with an address, or take one at once as who is signed in."""
    typed = Form((), FIELDS)
    reader = identity.reader()
    try:
        typed.check()
        if reader is None:
            with service().database.write() as work:
                joining.ask(
                    service(), work, key, typed["address"], typed["name"], language.current()
                )
            identity.note_mailed_to(typed["address"])
            return redirect(url_for("join.asked", key=key), 303)
        part = part_typed(typed["part"])
        with service().database.write() as work:
            player = identity.reader_in(work.session)
            assert player is not None
            row = joining.sit_down(service(), work, key, player, part)
            match: Match = row.match
            hosting, code = match.host_id == player.id, match.code
    except Refused as refused:
        shown = typed.filled | {"part": typed["part"][:LONGEST_PART]}
        return _show(key, refused, 409 if refused.code in SETTLED else 400, shown)
    if hosting:
        return redirect(url_for("match.seat", code=code, number=0), 303)
    return redirect(url_for("invitation.show", code=code), 303)


@blueprint.post(f"{PATH}/sign-in")
@shown_again_by(lambda key: _show(key, Refused("stale_form"), 400))
def sign_in(key: str) -> ResponseReturnValue:
    """Sign in first, and come back."""
    return to_sign_in(request.path.removesuffix("/sign-in"))

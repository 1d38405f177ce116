"""The things a player does at their seat besides playing: take a turn back, talk, give up."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from service.core.errors import Refused
from service.core.statuses import MatchStatus
from service.matches import (
    leaving,
    messages,
    moves,
    private_notes,
    reading,
    standing,
    undoing,
)
from service.web import grants, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.matches import match as match_pages
from service.web.rendering import page

blueprint = Blueprint("own", __name__)

PATH = "/m/<code:code>/<seat:number>"
LONGEST_NOTE = 20_000
"""Characters of a note that are read at all: what is too long to be kept is shown back whole."""


def _stale(code: str, number: int) -> Response:
    return match_pages.refused(code, number, Refused("stale_form"))


@blueprint.post(f"{PATH}/undo")
@shown_again_by(_stale)
def undo(code: str, number: int) -> ResponseReturnValue:
    """Take the newest turn back; the form opens again as it was handed in."""
    try:
        Form(()).check()
        with service().database.write() as work:
            access = grants.seat(work.session, code, number)
            undone = undoing.undo(service(), work, access.match, number)
            if not access.may_decide(undone.decision):
                abort(404)  # and nothing of it is kept
    except Refused as refused:
        return match_pages.refused(code, number, refused)
    return redirect(
        url_for("verdict.show", code=code, number=number, submission=undone.submission), 303
    )


@blueprint.post(f"{PATH}/play-now")
@shown_again_by(_stale)
def play_now(code: str, number: int) -> ResponseReturnValue:
    """Have the turn that is held played at once."""
    try:
        Form(()).check()
        with service().database.write() as work:
            access = grants.seat(work.session, code, number)
            waiting = moves.waiting_of(work.session, access.match, number)
            if waiting is None:
                raise Refused("nothing_held")
            if not access.may_decide(waiting.decision):
                abort(404)
            moves.release(service(), work, waiting)
            submission = waiting.code
    except Refused as refused:
        return match_pages.refused(code, number, refused)
    return redirect(url_for("verdict.show", code=code, number=number, submission=submission), 303)


def _unsaid(code: str, number: int) -> Response:
    return match_pages.refused(code, number, Refused("stale_form"), text=Form(("text",))["text"])


@blueprint.post(f"{PATH}/say")
@shown_again_by(_unsaid)
def say(code: str, number: int) -> ResponseReturnValue:
    """Say something to the table. The form's nonce makes two presses one message."""
    typed = Form(("text", "nonce"))
    text = typed["text"]
    try:
        typed.check()
        with service().database.write() as work:
            access = grants.whole_seat(work.session, code, number)
            dedupe = f"page.{access.match.id}.{number}.{typed['nonce'][:40]}"
            sent = messages.say(service(), work, access.match, number, text, dedupe).id
    except Refused as refused:
        return match_pages.refused(code, number, refused, text=text)
    there = url_for("match.seat", code=code, number=number, sent=sent, _anchor="table")
    return redirect(there, 303)


@blueprint.post(f"{PATH}/how-it-goes")
@shown_again_by(_stale)
def how_it_goes(code: str, number: int) -> ResponseReturnValue:
    """Send a short letter that says how the match goes. Two presses of one page are one letter."""
    typed = Form(("nonce",))
    try:
        typed.check()
        with service().database.write() as work:
            access = grants.whole_seat(work.session, code, number)
            standing.send(service(), work, access.match, number, typed["nonce"][:40])
    except Refused as refused:
        return match_pages.refused(code, number, refused)
    there = url_for("match.seat", code=code, number=number, letter="sent", _anchor="how")
    return redirect(there, 303)


def _unkept(code: str, number: int) -> Response:
    typed = Form(("note",), longest=LONGEST_NOTE)["note"]
    return match_pages.refused(code, number, Refused("stale_form"), note=typed)


@blueprint.post(f"{PATH}/note")
@shown_again_by(_unkept)
def note(code: str, number: int) -> ResponseReturnValue:
    """Keep the private note as it was typed; none erases it."""
    typed = Form(("note", "version"), longest=LONGEST_NOTE)
    text = typed["note"]
    try:
        typed.check()
        with service().database.write() as work:
            access = grants.whole_seat(work.session, code, number)
            private_notes.replace(
                service(), work, access.match, number, text, typed["version"][:40]
            )
    except Refused as refused:
        return match_pages.refused(code, number, refused, note=text)
    return redirect(url_for("match.seat", code=code, number=number, noted=1, _anchor="note"), 303)


def _resign(code: str, number: int, problem: Refused | None = None, status: int = 200) -> Response:
    with service().database.read() as database:
        access = grants.whole_seat(database, code, number)
        language.prefer(access.row.lang)
        match = access.match
        playing = match.status == MatchStatus.PLAYING
        others = [row for row in match.seats if row.seat != number and row.left_at is None]
        stay = [row for row in others if not row.is_out]
        last = sum(row.player is not None for row in stay) < 2
        return page(
            "resign",
            status,
            match=match,
            seat=number,
            view=reading.match_view(database, match, number).view if playing else None,
            left=access.row.left_at is not None,
            stay=stay,
            last=last,
            ahead=leaving.winners_without(database, match, number) if playing and last else (),
            names=reading.names(match, language.current()),
            problem=problem,
        )


@blueprint.get(f"{PATH}/resign")
def resign_form(code: str, number: int) -> Response:
    """Show what giving up means, and the button."""
    return _resign(code, number)


@blueprint.post(f"{PATH}/resign")
@shown_again_by(lambda code, number: _resign(code, number, Refused("stale_form"), 400))
def resign(code: str, number: int) -> ResponseReturnValue:
    """Give up."""
    try:
        Form(()).check()
        with service().database.write() as work:
            access = grants.whole_seat(work.session, code, number)
            leaving.resign(service(), work, access.match, number)
    except Refused as refused:
        return _resign(code, number, refused, 409)
    return redirect(url_for("match.seat", code=code, number=number), 303)

"""The page of a turn: preview and full form in one. A GET shows, a POST hands the turn in."""

from __future__ import annotations

import hashlib
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace
from sqlalchemy.orm import Session

from engine.play import NotYourDecision
from engine.protocol import LONGEST_TEXT
from service.core import locks
from service.core.db import MatchOf
from service.core.errors import Refused
from service.core.models import DecisionRow, Submission
from service.core.plain import whole_number
from service.core.statuses import MatchStatus
from service.matches import lines, moves, reading, standins
from service.web import grants, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.grants import Access
from service.web.here import service
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.seen import seen_at
from service.web.turns import preview
from service.web.turns.selection import LONGEST_ADDRESS

blueprint = Blueprint("turn", __name__)

LARGEST = 60_000
"""Characters of a text that is read at all: what no turn can be is answered as a text, and shown
back whole.
"""

PATH = "/m/<code:code>/<seat:number>/turn/<decision:decision>"


def _opened(database: Session, code: str, number: int, decision: str) -> tuple[Access, DecisionRow]:
    """The seat and what it was asked, if this browser may make that decision; 404 otherwise."""
    access = grants.seat(database, code, number)
    row = database.get(DecisionRow, (access.match.id, decision))
    if row is None or row.seat != number or not access.may_decide(decision):
        abort(404)
    language.prefer(access.row.lang)
    return access, row


@blueprint.get(PATH)
def form(code: str, number: int, decision: str) -> Response:
    """The plan for a decision, or what became of it."""
    args = request.args
    with service().database.read() as database:
        access, row = _opened(database, code, number, decision)
        try:
            asked = preview.asked_of(args)
        except Refused as refused:
            return _show(database, access, row, problem=refused, status=400)
        return _show(
            database, access, row, asked, linked=args.get("plan"), look=args.get("look", "")
        )


def _written_again(code: str, number: int, decision: str) -> ResponseReturnValue:
    return _shown_again(
        code=code,
        number=number,
        decision=decision,
        asked=_as_far_as_it_goes(),
        problem=Refused("stale_form"),
    )


@blueprint.post(PATH)
@shown_again_by(_written_again)
def show(code: str, number: int, decision: str) -> ResponseReturnValue:
    """The plan for a text that was written, or one too long for an address. Plays nothing."""
    typed = Form(
        (),
        ["order", "line", "own", "open", "orders", "shown", "said", "whole", "update"],
        ["a", "w"],
        longest=LARGEST,
    )
    try:
        typed.check()
        asked = preview.asked_of(request.form)
    except Refused as refused:
        return _shown_again(
            code=code, number=number, decision=decision, asked=preview.NOTHING, problem=refused
        )
    sent = [(key, text) for key, text in request.form.items(multi=True) if key != "csrf_token"]
    here = url_for("turn.form", code=code, number=number, decision=decision)
    to = f"{here}?{urlencode(sent)}"
    if len(to) <= LONGEST_ADDRESS:
        return redirect(f"{to}#{'verdict' if asked.typed is not None else 'plan'}", 303)
    with service().database.read() as database:
        access, row = _opened(database, code, number, decision)
        return _show(database, access, row, asked)


def _show(
    database: Session,
    access: Access,
    row: DecisionRow,
    asked: preview.Asked = preview.NOTHING,
    *,
    linked: str | None = None,
    look: str = "",
    problem: Refused | None = None,
    status: int = 200,
) -> Response:
    if row.closed_entry is not None or access.match.status != MatchStatus.PLAYING:
        return stale(database, access, row)
    here = url_for("turn.form", code=access.match.code, number=access.seat, decision=row.decision)
    try:
        shown = preview.form(
            database,
            access,
            row,
            asked=asked,
            linked=linked,
            look=look,
            path=here,
            taps=request.args.getlist("tap") if request.method == "GET" else (),
            why=request.args.get("why") if request.method == "GET" else None,
        )
    except NotYourDecision:
        # It was made between two looks into the database.
        return stale(database, access, row)
    return scripted(
        page(
            "turn",
            status,
            problem=problem,
            verdict=None,
            only=whole_number(request.args.get("only", ""), 2),
            seen=seen_at(database, (access.match, access.seat)),
            **shown.named(),
        )
    )


def stale(
    database: Session, access: Access, row: DecisionRow, late: Submission | None = None
) -> Response:
    """The decision is made, be it a step of a turn that goes on: what happened since, the present
    board, and no form; of a turn that came too `late`, that it was not played.
    """
    match, seat = access.match, access.seat
    first = row.opened_entry if row.closed_entry is None else row.closed_entry
    told = reading.history(database, match, seat, first)
    own = [entry for entry in told if entry.seat == seat and entry.n == row.closed_entry]
    asked = reading.open_decisions(database, match, seat)
    return page(
        "turn_stale",
        match=match,
        seat=seat,
        names=reading.names(match, language.current()),
        row=row,
        late=late is not None,
        unsaid=late.said if late else "",
        outcome=reading.outcome_of(match),
        match_view=reading.match_view(database, match, seat),
        played=own,
        since=[entry for entry in told if entry not in own],
        seen=seen_at(database, (match, seat)),
        now=next((d for d in asked if d.blocks and access.may_decide(d.decision)), None),
        asked=any(d.blocks for d in asked),
        goes_on=any(d.blocks and "" != d.turn == row.turn for d in asked),
        clock=clock(access.player.zone),
    )


def _shown_again(
    *, code: str, number: int, decision: str, asked: preview.Asked, problem: Refused
) -> Response:
    """The form once more, with what is wrong with what was sent."""
    with service().database.read() as database:
        access, row = _opened(database, code, number, decision)
        return _show(database, access, row, asked, problem=problem, status=400)


def _as_far_as_it_goes() -> preview.Asked:
    """What the form asks for; nothing if there is more in it than any turn has."""
    try:
        return preview.asked_of(request.form)
    except Refused:
        return preview.NOTHING


def _again(code: str, number: int, decision: str, nonce: str) -> ResponseReturnValue:
    return _written_again(code, number, decision)


@blueprint.post(f"{PATH}/play/<nonce:nonce>")
@shown_again_by(_again)
def play(code: str, number: int, decision: str, nonce: str) -> ResponseReturnValue:
    """Hand the turn in, exactly as it is selected, with the orders beside it, or these `alone`. A
    worker checks and plays it.
    """
    typed = Form((), ["own", "orders", "shown", "said"], ["a", "w"], longest=LONGEST_TEXT)
    alone = "alone" in request.args
    asked = _as_far_as_it_goes()
    if alone:
        asked = preview.Asked(orders=asked.orders, said=asked.said)
    draft = asked.draft
    try:
        typed.check()
        preview.asked_of(request.form)
        if not (asked.orders if alone else draft.texts):
            field = "orders" if alone else "a"
            raise Refused("bad_form", problem="missing", field=field)
        said = lines.line(asked.said or "")
    except Refused as refused:
        return _shown_again(
            code=code, number=number, decision=decision, asked=asked, problem=refused
        )
    if (shown_first := _look_first(code, number, decision, asked, typed["shown"])) is not None:
        return shown_first
    body = "\n".join([*draft.texts, asked.orders]).strip()
    try:
        with service().database.write() as work:
            # What is read below is as others have left it.
            service().database.lock_match_of(work.session, MatchOf.CODE, code)
            access, _ = _opened(work.session, code, number, decision)
            match = locks.locked(service(), work, access.match)
            told = "" if alone else said
            pressed = "\0".join((str(match.id), str(number), decision, nonce, body, told))
            # Who plays is back: the bot has played in their place long enough.
            standins.take_back(service(), work, match, number)
            submission = moves.receive(
                service(),
                work,
                match=match,
                seat=number,
                decision=decision,
                body=body,
                lang=language.current(),
                source="form",
                dedupe=f"form.{hashlib.sha256(pressed.encode()).hexdigest()}",
                said=told,
            )
            # Orders say nothing: the line is kept for the turn.
            kept = said if alone and asked.said is not None else None
            to = url_for(
                "verdict.show", code=code, number=number, submission=submission.code, said=kept
            )
    except Refused as refused:
        return _shown_again(
            code=code, number=number, decision=decision, asked=asked, problem=refused
        )
    return redirect(to, 303)


def _look_first(
    code: str, number: int, decision: str, asked: preview.Asked, shown: str
) -> ResponseReturnValue | None:
    """The page on which the reader sees what the turn has come to, and what the orders say that go
    with it, before anything can be handed in; None if they have seen all of it. `shown` are the
    orders they have seen.
    """
    draft = asked.draft
    told = asked.orders.split() == shown.split()
    if draft.seen_whole and told:
        return None
    with service().database.read() as database:
        _, row = _opened(database, code, number, decision)
        if row.closed_entry is not None:
            return None
    if draft.seen:
        # What was suggested for the rest is shown on the board, as the reader's own.
        draft = replace(draft, own=len(draft.texts))
    look = "turn" if told else "orders"
    to = url_for(
        "turn.form",
        code=code,
        number=number,
        decision=decision,
        a=draft.texts,
        w=draft.shown,
        own=draft.own,
        orders=asked.orders or None,
        said=asked.said,
        look=look,
    )
    if len(to) <= LONGEST_ADDRESS:
        return redirect(to, 303)
    with service().database.read() as database:
        access, row = _opened(database, code, number, decision)
        again = preview.Asked(draft=draft, orders=asked.orders, said=asked.said)
        return _show(database, access, row, again, look=look)

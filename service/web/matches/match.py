"""A match as a seat or a spectator sees it: boards, scores, whose move, story, every position."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, request
from markupsafe import Markup
from sqlalchemy.orm import Session

from service.access.links import Links
from service.core import randomness
from service.core.errors import Refused
from service.core.models import DecisionRow, Match, Submission, TableMessage
from service.core.plain import whole_number
from service.core.statuses import MatchStatus
from service.matches import (
    journal,
    messages,
    moves,
    orders,
    private_notes,
    reading,
    records,
    seeing,
    undoing,
)
from service.matches.chronicle import public_views
from service.matches.fairness import parts_so_far
from service.matches.options import chosen_options
from service.matches.overview import waits_of
from service.render.pictures import card_png, has_plot, plot_svg
from service.time import pausing
from service.time.timing import timing_of
from service.web import grants, language
from service.web.drawings import last_turns
from service.web.grants import Access
from service.web.here import service
from service.web.matches.moments import boards_of, entry_asked_for
from service.web.rendering import clock, page
from service.web.security import scripted
from service.web.seen import is_followed, seen_at
from service.web.turns import preview

blueprint = Blueprint("match", __name__)

CARD_KEPT_FOR = 15 * 60  # seconds; who previews links asks again and again


@blueprint.get("/m/<code:code>/<seat:number>")
def seat(code: str, number: int) -> Response:
    """The match through the eyes of a seat."""
    return _seat(code, number)


def refused(
    code: str, number: int, problem: Refused, *, text: str = "", note: str | None = None
) -> Response:
    """The same page after something there could not be done; `text` is what was to be said, `note`
    what was to be noted.
    """
    status = 400 if problem.code == "stale_form" else 409
    return _seat(code, number, status, problem=problem, text=text, note=note)


def _seat(
    code: str,
    number: int,
    status: int = 200,
    *,
    problem: Refused | None = None,
    text: str = "",
    note: str | None = None,
) -> Response:
    with service().database.read() as database:
        access = grants.seat(database, code, number)
        language.prefer(access.row.lang)
        asked = reading.open_decisions(database, access.match, number)
        return _show(
            database,
            access.match,
            number,
            access.player.zone,
            turns=[row for row in asked if row.blocks and access.may_decide(row.decision)],
            asked=any(row.blocks for row in asked),
            whole=access.whole,
            status=status,
            problem=problem,
            text=text,
            note=_note(access, note),
            noted="noted" in request.args and problem is None,
            **_own(database, access),
        )


class PrivateNote(msgspec.Struct, frozen=True, kw_only=True):
    """The reader's private note as its form shows it; `version` is that of what is kept, `most` how
    many characters it may have.
    """

    text: str
    version: str
    most: int = private_notes.LONGEST


def _note(access: Access, typed: str | None) -> PrivateNote | None:
    """The reader's private note, or as they typed it; None for who has been shown only a turn."""
    if not access.whole or access.match.started_at is None:
        return None
    row = access.row
    text = (row.note or "") if typed is None else typed
    return PrivateNote(text=text, version=private_notes.version_of(row))


def _own(database: Session, access: Access) -> dict[str, Any]:
    """What the reader's own seat is about: a turn that waits, or can be taken back; what was said
    at the table, and whose host they are.
    """
    match, number = access.match, access.seat
    if match.started_at is None:
        return {"hosting": access.whole and access.row.player_id == match.host_id}
    reached = journal.position(database, match)
    waiting = moves.waiting_of(database, match, number)
    if waiting is not None and not access.may_decide(waiting.decision):
        waiting = None
    mine = access.whole and undoing.obstacle(database, match, number) is None
    return {
        "hosting": access.whole and access.row.player_id == match.host_id,
        "orders": orders.open_orders(database, match, number, reached),
        "own_view": reading.view_of(match, number, reached),
        "may_decide": access.may_decide,
        "stopped": orders.stopped(match, number, reached),
        "waiting": waiting,
        "waiting_text": _spoken(database, match, waiting),
        "may_undo": mine and waiting is None,
        "said": _placed(database, match) if access.whole else {},
        "on_its_way": access.whole and request.args.get("letter") == "sent",
        "sent": _sent(database, match, access.row.player_id) if access.whole else None,
        "me_id": access.row.player_id,
        "nonce": randomness.token_hex(12),
        "timing": timing_of(service(), database, match, number) if access.whole else None,
        "lengths": pausing.LENGTHS,
    }


def _spoken(database: Session, match: Match, waiting: Submission | None) -> str:
    return preview.spoken(database, match, waiting, language.current()) if waiting else ""


def _placed(database: Session, match: Match) -> dict[int, list[TableMessage]]:
    """What was said at the table, by the entry after which it was."""
    entries = reading.history(database, match, None)
    times = [entry.made_at for entry in entries]
    found: dict[int, list[TableMessage]] = {}
    for message in messages.of(database, match):
        after = entries[max(bisect_right(times, message.said_at) - 1, 0)]
        found.setdefault(after.n, []).append(message)
    return found


def _sent(database: Session, match: Match, player_id: int | None) -> TableMessage | None:
    """The message of the reader that they have just sent: `?sent=` has its number."""
    number = whole_number(request.args.get("sent", ""), 9)
    found = None if number is None else database.get(TableMessage, number)
    mine = found is not None and (found.match_id, found.player_id) == (match.id, player_id)
    return found if mine else None


@blueprint.get("/m/<code:code>/watch")
def watch(code: str) -> Response:
    """The match as everybody may see it."""
    with service().database.read() as database:
        match = grants.watched(database, code)
        return _show(database, match, None, None, turns=(), whole=False)


def card(code: str) -> Response:
    """The match as a small picture, in the language of its address: the board of who is to move,
    or has won in the end, and everybody's points. A preview for whoever is shown the link: nobody
    is taken to have seen it.
    """
    with service().database.read() as database:
        match = grants.watched(database, code)
        if match.started_at is None:
            abort(404)
        match_view = reading.match_view(database, match, None)
        outcome = reading.outcome_of(match)
        awaited = reading.awaited(database, match, match_view)
        shown = (outcome.winners if outcome else awaited.named) or (0,)
        names = reading.names(match, language.current())
    made = card_png(match.game, match_view.view, shown=shown[0], names=names, lang=language.named())
    answer = Response(made, mimetype="image/png")
    answer.headers["Cache-Control"] = f"private, max-age={CARD_KEPT_FOR}"
    return answer


@blueprint.get("/m/<code:code>/record.json")
def record(code: str) -> Response:
    """The record, to keep or to verify."""
    with service().database.read() as database:
        match = grants.watched(database, code)
        if match.started_at is None:
            abort(404)
        made = records.export(database, match)
        name = f"{match.game}-{match.code}.json"
        marks = seeing.marks(service(), database, [(match, None)]) if is_followed() else []
    for mark in marks:
        seeing.note(service(), mark)
    answer = Response(made, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _show(
    database: Session,
    match: Match,
    number: int | None,
    zone: str | None,
    *,
    turns: Sequence[DecisionRow],
    whole: bool,
    status: int = 200,
    **own: Any,
) -> Response:
    links = Links(service())
    shared = {
        "match": match,
        "seat": number,
        "turns": turns,
        "orders": (),
        "whole": whole,
        "clock": clock(zone),
        "watch_link": links.watch(match),
        "watch_card": links.watch_card(match, language.current()),
        "options": chosen_options(match),
        "problem": None,
        "hosting": False,
        "waiting": None,
        "may_undo": False,
        "said": {},
        "sent": None,
        "on_its_way": False,
        "me_id": None,
        "timing": None,
        "note": None,
        "noted": False,
        **own,
    }
    if match.started_at is None:
        return page("match_open", status, added=parts_so_far(match), **shared)
    n = _entry(database, match)
    told = reading.history(database, match, number)
    match_view = reading.match_view(database, match, number, n)
    outcome = reading.outcome_of(match)
    past = outcome is not None and n < match.last_entry
    then = [entry for entry in told if entry.turn == match_view.turn]
    first = number if number is not None else 0
    if match_view.turn < match_view.turns and boards_of(match, match_view, number):
        first = next((entry.seat for entry in then if entry.seat is not None), first)
    answer = page(
        "match",
        status,
        match_view=match_view,
        final=reading.match_view(database, match, number) if past else match_view,
        marked=last_turns(told, n),
        told=told,
        then=then,
        first=first,
        large="large" in request.args,
        names=reading.names(match, language.current()),
        waits=waits_of(database, [match]).get(match.id, []),
        outcome=outcome,
        left=journal.leavings(match),
        curves=_curves(database, match, number),
        seen=seen_at(database, (match, number)),
        **shared,
    )
    return scripted(answer)


def _entry(database: Session, match: Match) -> int:
    """The newest entry of the turn that was asked for by `?n=`, by default of the match. 404 for a
    turn there is not.
    """
    text = request.args.get("n")
    return match.last_entry if text is None else entry_asked_for(database, match, text)


def _curves(session: Session, match: Match, seat: int | None) -> list[Markup]:
    """Everybody's points over the turns as inline SVG: in a column for a narrow page, then in a row
    for a wide one, or one picture for both. None while the match goes on, and for a game that has
    no plot. The page has the game's symbols.
    """
    if match.status != MatchStatus.ENDED or not has_plot(match.game):
        return []
    names, lang = reading.names(match, language.current()), language.current()
    views = public_views(session, match)
    drawn = [
        plot_svg(match.game, views, seat=seat, names=names, lang=lang, across=across)
        for across in (1, len(names))
    ]
    return list(dict.fromkeys(drawn))

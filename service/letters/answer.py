"""The answer to a mail: what became of each thing in it, and what the reader needs to go on.

`details`: the "results" (templates/wording/answers.txt has a sentence for each code), whether the
match had "ended" by then, and what the reader's mail was called: "message_id", "references",
"subject".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy.orm import Session

from service import reading
from service.letters.boards import board, boards
from service.letters.choices import choices, possible
from service.letters.desk import Desk, seat_name, seat_names
from service.letters.draft import Draft, Picture
from service.letters.table import Table
from service.models import DecisionRow, Match

POSITION = frozenset(
    {
        "played",
        "mend",
        "several",
        "no_such_choice",
        "number_asked",
        "nothing",
        "unsure",
        "stale",
        "waiting",
        "order_in_message",
        "undone",
        "board",
        "over",
        "set_back",
        "new_links",
    }
)
"""Results after which the reader looks at the board."""
OFFERING = frozenset(
    {
        "mend",
        "several",
        "no_such_choice",
        "number_asked",
        "nothing",
        "unsure",
        "stale",
        "order_in_message",
        "undone",
        "board",
        "seat_back",
        "set_back",
        "new_links",
    }
)
"""Results after which they choose a turn, if one is asked of them."""
MOST_TOLD = 60
"""Entries of a history in one letter: about as much as stays well under what inboxes clip."""

_TIMES = ("until", "deadline", "again_at", "held_turn", "copied_at")


def write(desk: Desk) -> Draft:
    """One letter, whatever was asked: about a table if the mail was, else in a few words."""
    details = desk.letter.details
    zone = ZoneInfo(desk.letter.player.zone)
    results = [_timed(_dated(result, zone)) for result in details["results"]]
    codes = {result["code"] for result in results}
    values = {"results": results, "codes": codes, "subject_of_mail": details.get("subject", "")}
    if "status" in codes:
        values["tables"] = _tables(desk, results)
    if desk.letter.entry is None or desk.letter.seat is None:
        draft = _short(desk, values)
    else:
        draft = _of_table(Table.at(desk), codes, values)
    message_id = details.get("message_id")
    return msgspec.structs.replace(
        draft,
        in_reply_to=f"<{message_id}>" if message_id else None,
        references=tuple(f"<{one}>" for one in details.get("references", ())),
    )


def _short(desk: Desk, values: dict[str, Any]) -> Draft:
    """About no seat of a match that has begun."""
    match = desk.match if desk.letter.match_id is not None else None
    subject, text, html = desk.write(
        game=match.game if match is not None else None,
        names=seat_names(match) if match is not None else [],
        me=None,
        view=None,
        **values,
    )
    return Draft(subject=subject, text=text, html=html, reply_to=desk.reply_to)


def _of_table(table: Table, codes: set[str], values: dict[str, Any]) -> Draft:
    desk, match, seat = table.desk, table.match, table.seat
    session, decision = desk.session, desk.letter.decision
    asked = session.get(DecisionRow, (match.id, decision)) if decision is not None else None
    story = _story(session, table, values["results"])
    shown: tuple[Any, ...] = ()
    if "board" in codes or "over" in codes:
        shown = boards(table)
    elif codes & POSITION:
        shown = (board(table, story),)
    ended = desk.letter.details.get("ended", False)
    offering = asked is not None and bool(codes & OFFERING)
    offered = choices(table, decision) if offering and decision is not None else []
    values["results"] = [
        {**each, "choices": bool(offered)} if each["code"] == "unsure" else each
        for each in values["results"]
    ]
    pictures: tuple[Picture, ...] = tuple(each.picture for each in shown)
    return table.draft(
        pictures,
        boards=shown,
        story=story,
        history=_history(session, table) if "history" in codes else None,
        kind=asked.kind if asked is not None else None,
        deadline=asked.deadline if asked is not None else None,
        held=asked.held if asked is not None else None,
        waiting=table.sight.waiting_for,
        outcome=reading.outcome_of(match) if ended else table.sight.outcome,
        choices=offered,
        possible=possible(table, decision) if offering and decision is not None else [],
        offering=offering,
        form=None if decision is None else desk.links.turn(match, seat, decision),
        unplayed=_unplayed(values["results"]),
        rematch=desk.links.rematch(match, seat) if ended and "rematch" not in codes else None,
        opened=_opened(desk, values["results"]),
        resign=desk.links.resign(match, seat) if "resign_sure" in codes else None,
        held_turn=_timed(desk.letter.details.get("held_turn") or {}),
        pause_asked=desk.letter.details.get("pause_asked"),
        silenced=match.seats[seat].muted_why == "complaint",
        **values,
    )


def _story(session: Session, table: Table, results: Sequence[dict[str, Any]]) -> list[reading.Told]:
    """What the reader's own turn brought, or what has happened since the one they missed."""
    match, seat, last = table.match, table.seat, table.sight.n
    for result in results:
        entry = result.get("entry")
        if result["code"] == "played" and entry is not None:
            return reading.story(session, match, seat, entry, entry)
        if result["code"] == "stale" and entry is not None:
            return reading.story(session, match, seat, entry, last)[-MOST_TOLD:]
    return []


def _history(session: Session, table: Table) -> dict[str, Any]:
    """The whole story, or the end of a long one: "told", and how many turns are "left_out"."""
    last = table.sight.n
    first = max(0, last - MOST_TOLD + 1)
    return {
        "told": reading.story(session, table.match, table.seat, first, last),
        "left_out": first,
    }


def _opened(desk: Desk, results: Sequence[dict[str, Any]]) -> str | None:
    """The page of the table that a "rematch" opened, for who sits at it; None for who is invited,
    whose letter has the link.
    """
    match_id = next((result["match"] for result in results if result["code"] == "rematch"), None)
    if match_id is None:
        return None
    match = desk.session.get_one(Match, match_id)
    mine = next((row for row in match.guests if row.player_id == desk.letter.player_id), None)
    if mine is None or mine.seat is None or mine.status != "accepted":
        return None
    return (
        desk.links.seat(match, mine.seat)
        if match.started_at
        else desk.links.table(match, mine.seat)
    )


def _unplayed(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [action for result in results for action in result.get("unplayed", [])]


def _timed(result: dict[str, Any]) -> dict[str, Any]:
    """A result with its times as times again."""
    return {
        name: dt.datetime.fromisoformat(value) if name in _TIMES and value else value
        for name, value in result.items()
    }


def _dated(result: dict[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """A result with its days as noons by the reader's clock."""
    if result["code"] != "away":
        return result
    days = {name: dt.date.fromisoformat(result[name]) for name in ("first", "last")}
    noon = dt.time(12, tzinfo=zone)
    return {**result, **{name: dt.datetime.combine(day, noon) for name, day in days.items()}}


def _tables(desk: Desk, results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The reader's tables, as a "status" found them."""
    found = []
    for line in next(result["tables"] for result in results if result["code"] == "status"):
        match = desk.session.get_one(Match, line["match"])
        mine = line["seat"]
        begun = mine is not None and match.started_at is not None
        if begun and match.seats[mine].player_id != desk.letter.player_id:
            continue  # another plays on: the link of the seat is theirs
        others = [seat_name(row) for row in match.company if row.player_id != desk.letter.player_id]
        page = desk.links.seat(match, mine) if mine is not None and match.started_at else None
        found.append({**_timed(line), "game": match.game, "others": others, "page": page})
    return found

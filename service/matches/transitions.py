"""Applying a new position: decisions opened and closed, letters owed, bots enqueued, the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.journal import Position
from engine.leaving import outcome as outcome_of
from engine.protocol import Decision, Outcome
from service.core.context import Service
from service.core.db import Work
from service.core.keys import seat_scope
from service.core.locks import LockedMatch
from service.core.models import DecisionRow
from service.core.statuses import LetterKind, MatchStatus
from service.matches.journal import game_of, leavings
from service.outgoing.access_tokens import open_decision
from service.outgoing.outbox import owe_seat
from service.time import deadlines


def apply_transition(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    asked: Iterable[DecisionRow] = (),
) -> None:
    """Bring the tables in line with the position that has just been reached, in the same
    transaction. `asked` are the decisions that were open before.
    """
    game = game_of(match)
    open_now = {d.id: d for d in game.decisions(reached.state)}
    known = _close_made(service, work, match, reached, open_now, asked)
    for decision in open_now.values():
        if decision.id not in known:
            _ask(service, work, match, reached, decision)
    if reached.n == 0:
        _tell_start(service, work, match, reached, open_now)
    outcome = outcome_of(game, reached.state, leavings(match), over=False)
    if outcome is not None:
        finish(service, work, match, reached.n, outcome)


def _close_made(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    open_now: dict[str, Decision[Any]],
    asked: Iterable[DecisionRow],
) -> set[str]:
    """Close the rows of decisions that are open no more; the ids of those that still are."""
    still_open = set()
    for row in asked:
        if row.decision in open_now:
            still_open.add(row.decision)
        else:
            row.closed_entry = reached.n
            deadlines.stop(service, work, match, row)
    return still_open


def _ask(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    decision: Decision[Any],
) -> None:
    now = service.now()
    row = DecisionRow(
        match_id=match.id,
        decision=decision.id,
        seat=decision.seat,
        kind=decision.kind,
        blocking=decision.blocks,
        opened_entry=reached.n,
        opened_at=now,
    )
    if decision.blocks and match.seats[decision.seat].played_by is not None:
        row.enqueued_at = now
        work.enqueue_after_commit("moves.bot", match.id, decision.id)
    elif decision.blocks:
        ask_player(service, work, match, row)
    # With its clock, so that it is written once.
    work.session.add(row)


def ask_player(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """Ask the player of a seat: start the clock, open the links, owe the letter."""
    seat = match.seats[row.seat]
    deadlines.begin(service, work, match, row)
    open_decision(service, work.session, seat, row.decision)
    owe_seat(
        service, work, LetterKind.TURN, match, seat, entry=row.opened_entry, decision=row.decision
    )


def _tell_start(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    open_now: dict[str, Decision[Any]],
) -> None:
    """The start letter goes to everybody who is not asked anything yet: the others' turn letter
    says it.
    """
    asked = {d.seat for d in open_now.values() if d.blocks}
    for seat in match.seats:
        if seat.seat not in asked:
            owe_seat(service, work, LetterKind.START, match, seat, entry=reached.n)


def finish(service: Service, work: Work, match: LockedMatch, n: int, outcome: Outcome) -> None:
    """The match is over after entry n: keep how, and owe everybody the last letter."""
    match.status, match.ended_at = MatchStatus.ENDED, service.now()
    match.outcome = msgspec.json.encode(outcome)
    for seat in match.seats:
        if seat.player is not None:
            service.keys.issue(
                work.session,
                "rematch",
                *seat_scope(seat),
                match_id=match.id,
                seat=seat.seat,
                occupancy=seat.occupancy,
            )
        owe_seat(service, work, LetterKind.END, match, seat, entry=n)

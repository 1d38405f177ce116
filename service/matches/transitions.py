"""Applying a new position: decisions opened and closed, letters owed, bots enqueued, the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.journal import Position
from engine.leaving import outcome as outcome_of
from engine.protocol import Asks, Decision, Outcome, Seat
from service.core.context import Service
from service.core.db import Work
from service.core.keys import seat_scope
from service.core.locks import LockedMatch
from service.core.models import DecisionRow, Match
from service.core.statuses import Actor, LetterKind, MatchStatus, TimeoutPolicy
from service.matches import journal, notices
from service.matches.journal import Made
from service.outgoing.access_tokens import open_decision
from service.outgoing.outbox import owe_seat
from service.time import deadlines


def begin(service: Service, work: Work, match: LockedMatch, reached: Position[Any]) -> None:
    """Bring the tables in line with the set-up: ask the first decisions, tell everybody."""
    game = journal.game_of(match)
    open_now = game.decisions(reached.state)
    rows = [_row_of(service, match, reached, decision) for decision in open_now]
    _ask_all(service, work, match, reached, rows, {})
    _tell_start(service, work, match, reached, rows)
    _finish_if_over(service, work, match, reached)


def apply_transition(
    service: Service,
    work: Work,
    match: LockedMatch,
    path: Sequence[Made],
    asked: Iterable[DecisionRow],
) -> None:
    """Bring the tables in line with the entries that have just been written, in the same
    transaction: one that was handed in, and those that filed plans have made after it. `asked` are
    the decisions that were open before.

    Nobody is asked what a plan has answered.
    """
    game = journal.game_of(match)
    known = {row.decision: row for row in asked if row.closed_entry is None}
    went_on: dict[tuple[str, Seat], tuple[DecisionRow, Actor | None]] = {}
    to_ask: list[DecisionRow] = []
    for made in path:
        open_now = {d.id: d for d in game.decisions(made.reached.state)}
        for row in [row for row in known.values() if row.decision not in open_now]:
            row.closed_entry = made.reached.n
            del known[row.decision]
            if not row.blocks:
                continue  # no clock ran for it
            if row.turn and row.seat == made.seat:
                # The first: it has the clock, where a plan has made the next steps.
                went_on.setdefault((row.turn, row.seat), (row, made.cause.actor))
            else:
                deadlines.stop(service, work, match, row)
        for decision in open_now.values():
            if decision.id not in known:
                known[decision.id] = _row_of(service, match, made.reached, decision)
                to_ask.append(known[decision.id])
            elif known[decision.id].asks is not decision.asks:
                _ask_otherwise(service, work, match, known[decision.id], decision.asks, to_ask)
        notices.note_out(match, made.reached.n, game.in_play(made.reached.state))
    reached = path[-1].reached
    work.session.add_all(row for row in to_ask if row.closed_entry is not None)
    asking = [row for row in to_ask if row.closed_entry is None]
    _ask_all(service, work, match, reached, asking, went_on)
    _finish_if_over(service, work, match, reached)
    told = {seat for made in path for seat in made.played.notify}
    # Its player learns of what a plan has done for them.
    told |= {made.seat for made in path if made.cause.actor is Actor.PLAN}
    notices.owe(
        service, work, match, reached.n, told, asked={row.seat for row in asking if row.blocks}
    )
    _invite(service, work, match, reached, asking, told)


def _ask_otherwise(
    service: Service,
    work: Work,
    match: LockedMatch,
    row: DecisionRow,
    asks: Asks,
    to_ask: list[DecisionRow],
) -> None:
    """A decision is open still, but others wait for it now, or no longer: one that is made and can
    still be changed holds nobody up any more, so its clock stops.
    """
    if row.blocks:
        deadlines.stop(service, work, match, row)
        row.deadline = None
    elif asks is Asks.MUST:
        to_ask.append(row)
    row.asks = asks


def _row_of(
    service: Service, match: Match, reached: Position[Any], decision: Decision[Any]
) -> DecisionRow:
    return DecisionRow(
        match_id=match.id,
        decision=decision.id,
        seat=decision.seat,
        kind=decision.kind,
        turn=decision.turn,
        asks=decision.asks,
        opened_entry=reached.n,
        opened_at=service.now(),
    )


def _ask_all(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    rows: Iterable[DecisionRow],
    went_on: Mapping[tuple[str, Seat], tuple[DecisionRow, Actor | None]],
) -> None:
    """Ask what is to be decided now. `went_on` has, by turn and seat, what was made of a turn by
    its own player: its clock goes on for what is left of that.
    """
    left = dict(went_on)
    for row in rows:
        if row.blocks:
            before = left.pop((row.turn, row.seat), None)
            _ask(service, work, match, reached, row, before)
        else:
            _offer(service, work, match, row)
        # With its clock, so that it is written once.
        work.session.add(row)
    for row, _ in left.values():
        deadlines.stop(service, work, match, row)


def _ask(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    row: DecisionRow,
    before: tuple[DecisionRow, Actor | None] | None,
) -> None:
    seat = match.seats[row.seat]
    if seat.played_by is not None:
        if before is not None:
            deadlines.stop(service, work, match, before[0])
        row.enqueued_at = service.now()
        work.enqueue_after_commit("moves.bot", match.id, row.decision)
        return
    made, by = before if before is not None else (None, None)
    late = made is not None and made.expired_at is not None and by is not Actor.PLAYER
    if late and match.timeout is TimeoutPolicy.DEFAULT:
        # Its time was up before: what is left is not asked, but decided as what was made of it.
        deadlines.expire_at_once(service, work, row)
        open_decision(service, work.session, seat, row.decision)
    else:
        ask_player(service, work, match, row, after=made, entry=reached.n)


def _invite(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    rows: Iterable[DecisionRow],
    told: Collection[Seat],
) -> None:
    """Tell those who may file ahead from now on, each by one letter, but for whom another letter of
    the same entry tells: who is asked something, or is `told` of what has happened.
    """
    written = {row.seat for row in rows if row.blocks} | set(told)
    for row in rows:
        seat = match.seats[row.seat]
        if not row.invites or row.seat in written or seat.played_by is not None:
            continue
        written.add(row.seat)
        invite(service, work, match, row, reached.n)


def invite(service: Service, work: Work, match: LockedMatch, row: DecisionRow, entry: int) -> None:
    """Owe the letter that invites to file for a decision; it tells of the match up to `entry`."""
    seat = match.seats[row.seat]
    owe_seat(service, work, LetterKind.ORDERS, match, seat, entry=entry, decision=row.decision)


def _offer(service: Service, work: Work, match: LockedMatch, row: DecisionRow) -> None:
    """Let a seat file an order. A bot that only stands in for a player who is away files none."""
    seat = match.seats[row.seat]
    if seat.bot is not None or seat.left_at is not None:
        row.enqueued_at = service.now()
        work.enqueue_after_commit("moves.bot", match.id, row.decision)
    else:
        open_decision(service, work.session, seat, row.decision)


def ask_player(
    service: Service,
    work: Work,
    match: LockedMatch,
    row: DecisionRow,
    *,
    after: DecisionRow | None = None,
    entry: int | None = None,
) -> None:
    """Ask the player of a seat: start the clock, open the links, owe the letter. The clock of a
    turn that `after` began goes on. The letter tells of the match up to `entry`; without it, to
    where the decision was asked first.
    """
    seat = match.seats[row.seat]
    if after is None:
        deadlines.begin(service, work, match, row)
    else:
        deadlines.go_on(service, work, match, after, row)
    open_decision(service, work.session, seat, row.decision)
    shown = row.opened_entry if entry is None else entry
    owe_seat(service, work, LetterKind.TURN, match, seat, entry=shown, decision=row.decision)


def _tell_start(
    service: Service,
    work: Work,
    match: LockedMatch,
    reached: Position[Any],
    rows: Iterable[DecisionRow],
) -> None:
    """The start letter goes to everybody who is not asked anything yet: the others' turn letter
    says it.
    """
    asked = {row.seat for row in rows if row.blocks}
    for seat in match.seats:
        if seat.seat not in asked:
            owe_seat(service, work, LetterKind.START, match, seat, entry=reached.n)


def _finish_if_over(
    service: Service, work: Work, match: LockedMatch, reached: Position[Any]
) -> None:
    game = journal.game_of(match)
    outcome = outcome_of(game, reached.state, journal.leavings(match), over=False)
    if outcome is not None:
        finish(service, work, match, reached.n, outcome)


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

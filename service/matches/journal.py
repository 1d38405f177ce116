"""The journal of a match in the database: reading positions from it and adding to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

import msgspec
import structlog
from msgspec.structs import replace
from sqlalchemy import ColumnElement, and_, bindparam, false, func, or_, select
from sqlalchemy.orm import Session, aliased

from engine import journal
from engine.chance import Draw
from engine.games import games
from engine.journal import Entry, Position, Setup
from engine.leaving import Leaving, Why
from engine.play import Played, decision_of
from engine.protocol import Asks, Event, Game, Seat
from service.core.locks import LockedMatch
from service.core.models import EntryRow, Match
from service.core.statuses import Actor, Cause
from service.core.verdicts import JsonObject

T = TypeVar("T")
log = structlog.get_logger(__name__)


_events = msgspec.json.Decoder(tuple[Event, ...])
_draws = msgspec.json.Decoder(tuple[Draw, ...])
_actions = msgspec.json.Decoder(tuple[JsonObject, ...])
_setup = msgspec.json.Decoder(Setup)


def game_of(match: Match) -> Game[Any, Any]:
    """The rules this match is played by. Raises KeyError if this server has them no more."""
    game = games()[match.game]
    if game.rules_version != match.rules_version:
        raise KeyError(f"{match.game} rules {match.rules_version}")
    return game


def setup_of(match: Match) -> Setup:
    """The set-up of a match that has started."""
    if match.setup is None:
        raise ValueError(f"match {match.code} has not started")
    return _setup.decode(match.setup)


def leavings(match: Match) -> list[Leaving]:
    """The leavings of the match, in their order."""
    found = [
        (row.left_at, Leaving(seat=seat, why=cast(Why, row.left_why), after=row.left_entry or 0))
        for seat, row in enumerate(match.seats)
        if row.left_at is not None
    ]
    return [leaving for _, leaving in sorted(found, key=lambda one: (one[1].after, one[0]))]


def entry_of(row: EntryRow) -> Entry:
    """The journal entry in this row."""
    if row.seat is None or row.decision is None:
        raise ValueError("the set-up is no entry")
    return Entry(
        n=row.n,
        seat=row.seat,
        decision=row.decision,
        actions=_actions.decode(row.actions),
        draws=_draws.decode(row.draws),
        cause=str(row.cause),
        digest=row.digest,
    )


def events_of(row: EntryRow) -> tuple[Event, ...]:
    """The events of this entry, for all audiences: filter by `Event.is_for`."""
    return decode_events(row.events)


def decode_events(raw: bytes) -> tuple[Event, ...]:
    """Events as they are stored."""
    return _events.decode(raw)


def rows(session: Session, match: Match, first: int = 0, last: int | None = None) -> list[EntryRow]:
    """The rows from entry `first` to `last` (None: the newest), in order."""
    query = select(EntryRow).where(EntryRow.match_id == match.id, EntryRow.n >= first)
    if last is not None:
        query = query.where(EntryRow.n <= last)
    return list(session.scalars(query.order_by(EntryRow.n)))


def position(session: Session, match: Match, n: int | None = None) -> Position[Any]:
    """The position after entry n (None: the present one), from its snapshot or by folding the
    journal.

    Raises LookupError if there is no such entry, `engine.journal.ReplayError` if the journal does
    not fold.
    """
    n = match.last_entry if n is None else n
    row = session.get(EntryRow, (match.id, n))
    if row is None:
        raise LookupError(f"match {match.code} has no entry {n}")
    game = game_of(match)
    if row.state is not None:
        return _position_at(game, row)
    snapshot = session.scalars(_SNAPSHOT, {"match": match.id, "n": n}).first()
    if snapshot is None:
        entries = [entry_of(r) for r in rows(session, match, 1, n)]
        *_, reached = journal.replay(game, setup_of(match), entries)
        return reached
    entries = [entry_of(r) for r in rows(session, match, snapshot.n + 1, n)]
    *_, reached = journal.replay_from(game, _position_at(game, snapshot), entries)
    return reached


def last_entries(matches: Iterable[Match]) -> ColumnElement[bool]:
    """The condition that an entry is the newest of one of these matches. Each has its own clause:
    for pairs that are IN a list SQLite would read every entry there is.
    """
    newest = (
        and_(EntryRow.match_id == match.id, EntryRow.n == match.last_entry) for match in matches
    )
    return or_(false(), *newest)


def newest_moves(matches: Iterable[Match]) -> ColumnElement[bool]:
    """The condition that an entry is one of the newest moves of these matches, as many of each as
    it has seats. Orders alone are no moves.
    """
    move = aliased(EntryRow)
    return or_(
        false(),
        *(
            and_(
                EntryRow.match_id == match.id,
                EntryRow.asks == Asks.MUST,
                EntryRow.n
                >= func.coalesce(
                    select(move.n)
                    .where(move.match_id == match.id, move.asks == Asks.MUST)
                    .order_by(move.n.desc())
                    .offset(len(match.seats) - 1)
                    .limit(1)
                    .scalar_subquery(),
                    0,
                ),
            )
            for match in matches
        ),
    )


def last_moves(session: Session, matches: Collection[Match]) -> dict[int, Any]:
    """The newest move of each of these matches, by the match's id: the entry, orders alone aside,
    as its `n`, `number`, `digest` and `made_at`. The set-up where there is none.
    """
    newest = select(*MOVE, EntryRow.match_id, EntryRow.asks).where(last_entries(matches))
    found: dict[int, Any] = {row.match_id: row for row in session.execute(newest)}
    for match_id, row in found.items():
        if row.asks is not Asks.MUST:
            found[match_id] = session.execute(_LAST, {"match": match_id}).one()
    return found


MOVE = (EntryRow.n, EntryRow.number, EntryRow.digest, EntryRow.made_at)
"""What tells one entry from another."""


def present(session: Session, matches: Collection[Match]) -> dict[int, Position[Any]]:
    """The present positions of matches that have begun, by the match's id: one statement for all
    whose snapshots are kept. Raises as `position`.
    """
    session.scalars(select(EntryRow).where(last_entries(matches))).all()
    return {match.id: position(session, match) for match in matches}


# The nearest position that is kept: retention leaves every fiftieth, and the newest.
_SNAPSHOT = (
    select(EntryRow)
    .where(
        EntryRow.match_id == bindparam("match"),
        EntryRow.n < bindparam("n"),
        EntryRow.state.is_not(None),
    )
    .order_by(EntryRow.n.desc())
    .limit(1)
)


def _position_at(game: Game[Any, Any], row: EntryRow) -> Position[Any]:
    """The position in the snapshot of this row."""
    assert row.state is not None
    state = msgspec.json.decode(row.state, type=game.state_type)
    return Position(n=row.n, state=state, events=events_of(row), next_draw=row.next_draw)


def begin(session: Session, match: LockedMatch, made_at: Any) -> Position[Any]:
    """Set the match up and write entry 0. The row of the match gets its set-up."""
    game = game_of(match)
    options = msgspec.json.decode(match.options, type=game.options_type)
    setup, reached = journal.begin(game, len(match.seats), options, match.seed, match.seed_hash)
    match.setup = msgspec.json.encode(setup)
    session.add(
        EntryRow(
            match_id=match.id,
            n=0,
            actions=b"[]",
            draws=msgspec.json.encode(setup.draws),
            cause=Cause(),
            digest=setup.digest,
            events=msgspec.json.encode(reached.events),
            next_draw=reached.next_draw,
            state=msgspec.json.encode(reached.state),
            made_at=made_at,
        )
    )
    return reached


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that has just been written: the position it led to and how it was played. `number`
    is that of its turn.
    """

    seat: Seat
    cause: Cause
    asks: Asks
    reached: Position[Any]
    played: Played[Any, Any]
    number: int = 0


def extend(
    session: Session,
    match: LockedMatch,
    reached: Position[Any],
    seat: Seat,
    decision: str,
    actions: Sequence[Any],
    cause: Cause,
    made_at: Any,
    said: str | None = None,
) -> Made:
    """Play a submission on the present position and write its entry, with the line its player
    `said` with it; nothing is told with what is secret. Raises as `engine.play.submit`.
    """
    game = game_of(match)
    asks = decision_of(game, reached.state, seat, decision).asks
    entry, after, played = journal.extend(
        game, reached, seat, decision, actions, str(cause), match.seed
    )
    made = Made(seat=seat, cause=cause, asks=asks, reached=after, played=played)
    return _written(session, match, entry, made, made_at, said)


def follow_plans(
    session: Session,
    match: LockedMatch,
    reached: Position[Any],
    made_at: Any,
    *,
    expired: Collection[Seat] = (),
) -> list[Made]:
    """Play what filed plans say to the present position, and write the entries of it. The plans of
    those who left say nothing any more. `expired` as in `engine.journal.follow_plans`.
    """
    left = [leaving.seat for leaving in leavings(match)]
    said = journal.follow_plans(game_of(match), reached, match.seed, expired=expired, left=left)
    followed: list[Made] = []
    while (step := _next_of(said, match)) is not None:
        entry, after, played = step
        made = Made(
            seat=entry.seat, cause=Cause(Actor.PLAN), asks=Asks.MUST, reached=after, played=played
        )
        followed.append(_written(session, match, entry, made, made_at))
    return followed


def _next_of(said: Iterator[T], match: Match) -> T | None:
    """The next thing that plans say. One that fails says nothing: that is not to be the trouble of
    the table, which asks its player then.
    """
    try:
        return next(said, None)
    except Exception:
        log.exception("plan_failed", match=match.id, game=match.game)
        return None


def _written(
    session: Session,
    match: LockedMatch,
    entry: Entry,
    made: Made,
    made_at: Any,
    said: str | None = None,
) -> Made:
    secret = made.asks is not Asks.MUST or made.played.sealed
    number = _number(session, match, entry.n, made)
    session.add(
        EntryRow(
            match_id=match.id,
            n=entry.n,
            number=number,
            seat=entry.seat,
            decision=entry.decision,
            turn=made.played.turn,
            asks=made.asks,
            sealed=made.played.sealed,
            actions=msgspec.json.encode(entry.actions),
            draws=msgspec.json.encode(entry.draws),
            cause=made.cause,
            digest=entry.digest,
            events=msgspec.json.encode(made.reached.events),
            next_draw=made.reached.next_draw,
            state=msgspec.json.encode(made.reached.state),
            revealed=made.played.revealed,
            said=None if secret else said,
            made_at=made_at,
        )
    )
    match.last_entry = entry.n
    return replace(made, number=number)


def _number(session: Session, match: Match, n: int, made: Made) -> int:
    """The number of the turn that entry n is of. It depends on nothing that is secret, nor on the
    order in which secret answers have come.
    """
    before = session.get_one(EntryRow, (match.id, n - 1))
    if made.asks is not Asks.MUST:
        return before.number
    last = before
    if before.asks is not Asks.MUST:
        last = session.scalars(_LAST_MOVE, {"match": match.id}).one()
    turn = made.played.turn
    goes_on = bool(turn) and (last.turn, last.seat) == (turn, made.seat)
    return before.number + (made.played.sealed or last.sealed or not goes_on)


_LAST_MOVE = (
    select(EntryRow)
    .where(EntryRow.match_id == bindparam("match"), EntryRow.asks == Asks.MUST)
    .order_by(EntryRow.n.desc())
    .limit(1)
)
_LAST = _LAST_MOVE.with_only_columns(*MOVE)


def turn_of(session: Session, match: Match, n: int) -> int:
    """The number of the turn that entry n is of, as everybody counts turns."""
    return session.get_one(EntryRow, (match.id, n)).number


def first_of(session: Session, match: Match, number: int) -> int:
    """The first entry of the turn of this number, or of the next one there is; 1 before the
    first.
    """
    first = select(func.min(EntryRow.n)).where(
        EntryRow.match_id == match.id, EntryRow.number >= number, EntryRow.n > 0
    )
    return session.scalar(first) or 1


def newest_of(session: Session, match: Match, number: int) -> int | None:
    """The newest entry of the turn of this number; None if there is none."""
    return session.scalar(
        select(func.max(EntryRow.n)).where(EntryRow.match_id == match.id, EntryRow.number == number)
    )

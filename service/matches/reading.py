"""Reading a match as somebody may see it: the one source of letters, pages and records.

Everything here is made for one pair of eyes: a seat, or a spectator (None). What that pair of eyes
may not know is not in it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, bindparam, case, exists, func, select
from sqlalchemy.orm import Session, aliased

from engine.journal import Position
from engine.protocol import LANGUAGES, Game, HasOrders, Outcome, Seat, seats_to_wait_for
from service.core.models import DecisionRow, EntryRow, Match, SeatRow, Submission
from service.core.names import clean_name
from service.core.statuses import Actor, Cause, SubmissionStatus
from service.matches import journal


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as it is told: who acted, why (`cause`), when, and the events this reader may know.

    `events` are plain dicts {kind, seat, data} for the wording. Entry 0 is the set-up (`seat`
    None). Where somebody else sat at the table then, `names` are those of that time, and `me` is
    None if they had the reader's seat: what they did is not told as the reader's.
    """

    n: int
    seat: Seat | None
    cause: Cause
    made_at: dt.datetime
    events: list[dict[str, Any]]
    names: list[str] | None = None
    me: Seat | None = None

    @property
    def by_clock(self) -> bool:
        """True if the clock acted for who sat there."""
        return self.cause.actor is Actor.CLOCK

    @property
    def by_bot(self) -> bool:
        """True if a bot acted."""
        return self.cause.actor is Actor.BOT


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match after entry `n` as one reader sees it. `view` is the game's view as plain data.

    `waiting_for` are the seats whose decisions hold the match up after entry n, and `asked` those
    decisions: whoever tells of them asks `awaited` what may be told. `filed` is what the reader has
    on file, and nobody else's.
    """

    n: int
    last: int
    game: str
    seat: Seat | None
    names: list[str]
    view: dict[str, Any]
    waiting_for: tuple[Seat, ...]
    asked: tuple[str, ...]
    outcome: Outcome | None
    filed: tuple[FiledOrder, ...] = ()


class FiledOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order the reader has on file: the decision it was filed for, its actions as plain data,
    and its `text` by language, as notation.
    """

    decision: str
    kind: str
    actions: list[dict[str, Any]]
    text: dict[str, str]


class Awaited(msgspec.Struct, frozen=True, kw_only=True):
    """The seats a match waits for, as one reader may know them.

    Of several who decide in secret at the same time only the reader is named: `missing` of `of`
    have not decided yet.
    """

    named: tuple[Seat, ...]
    missing: int = 0
    of: int = 0


def names(match: Match) -> list[str]:
    """The names the table has for its seats, from seat 0 on."""
    return [row.name for row in match.seats]


def names_then(match: Match, n: int) -> list[str]:
    """The names the table had for its seats when entry n was made: by who sat there."""
    return [_name_then(row, n) for row in match.seats]


def _name_then(row: SeatRow, n: int) -> str:
    until = [int(entry) for entry in row.former or {} if int(entry) >= n]
    return str((row.former or {})[str(min(until))]) if until else row.name


def match_view(
    session: Session, match: Match, seat: Seat | None, n: int | None = None
) -> MatchView:
    """The match after entry n (None: now) for this reader. Raises LookupError for no such entry."""
    return match_view_of(match, seat, journal.position(session, match, n))


def match_view_of(match: Match, seat: Seat | None, reached: Position[Any]) -> MatchView:
    """A position of the match that is at hand already, for this reader."""
    game = journal.game_of(match)
    decisions = game.decisions(reached.state)
    return MatchView(
        n=reached.n,
        last=match.last_entry,
        game=match.game,
        seat=seat,
        names=names(match),
        view=msgspec.to_builtins(game.view(reached.state, seat)),
        waiting_for=seats_to_wait_for(decisions),
        asked=tuple(d.id for d in decisions if d.blocks),
        outcome=game.outcome(reached.state),
        filed=_filed(game, reached.state, seat, {d.id: d.kind for d in decisions}),
    )


def _filed(
    game: Game[Any, Any], state: Any, seat: Seat | None, kinds: Mapping[str, str]
) -> tuple[FiledOrder, ...]:
    if seat is None or not isinstance(game, HasOrders):
        return ()
    return tuple(
        FiledOrder(
            decision=filed.decision,
            kind=kinds[filed.decision],
            actions=[msgspec.to_builtins(action) for action in filed.actions],
            text={
                lang: "\n".join(game.notation.format(state, seat, a, lang) for a in filed.actions)
                for lang in LANGUAGES
            },
        )
        for filed in game.filed(state, seat)
    )


def awaited(session: Session, match: Match, match_view: MatchView) -> Awaited:
    """The seats the match waited for after this entry, as the reader of the view may know them."""
    asked = session.execute(
        select(DecisionRow.seat, TOGETHER).where(
            DecisionRow.match_id == match.id, DecisionRow.decision.in_(match_view.asked)
        )
    ).all()
    secret = {seat: of for seat, of in asked if of > 1}
    named = (s for s in match_view.waiting_for if s not in secret or s == match_view.seat)
    return Awaited(named=tuple(named), missing=len(secret), of=max(secret.values(), default=0))


def history(
    session: Session, match: Match, seat: Seat | None, first: int = 0, last: int | None = None
) -> list[HistoryEntry]:
    """The entries from `first` to `last` (None: the newest) as they are told to this reader."""
    newest = match.last_entry if last is None else last
    return _told(session, match, _STORY, seat, first=first, last=newest)


def last_round(
    session: Session, shown: Sequence[tuple[Match, Seat | None]]
) -> dict[int, list[HistoryEntry]]:
    """The newest entries of matches, as many as each has seats, as they are told to these readers,
    by the match's id. One statement for all.
    """
    most = max((len(match.seats) for match, _ in shown), default=0)
    newest = journal.last_entries((match for match, _ in shown), most)
    rows: dict[int, list[Any]] = {match.id: [] for match, _ in shown}
    for row in session.execute(_ENTRIES.add_columns(EntryRow.match_id).where(newest)):
        if row.n > 0:
            rows[row.match_id].append(row)
    return {
        match.id: _as_entries(match, reader, rows[match.id][-len(match.seats) :])
        for match, reader in shown
    }


def since_own_turn(session: Session, match: Match, seat: Seat, n: int) -> list[HistoryEntry]:
    """The history since this seat last acted, up to entry n, as a turn letter tells it.

    Begins with the set-up for a seat that has not acted yet; where several decided at the same
    time, with what the seat did itself: the first and the last of them read the same.
    """
    ahead = session.info.get(_AHEAD, {}).get((match.id, seat, n))
    if ahead is not None:
        return _as_entries(match, seat, ahead)
    return _told(session, match, _SINCE_OWN_TURN, seat, acting=seat, first=n, last=n)


@contextmanager
def stories_ahead(
    session: Session, match_id: int, seat: Seat, entries: Collection[int]
) -> Iterator[None]:
    """Read at once what `since_own_turn` is asked for of these entries within the block. Those long
    before the newest of them are read when they are asked for.
    """
    near = [n for n in entries if n > max(entries) - _NEAR]
    values = {"match": match_id, "acting": seat}
    rows = (
        session.execute(_SINCE_OWN_TURN, {**values, "first": min(near), "last": max(near)}).all()
        if near
        else []
    )
    ahead = session.info[_AHEAD] = {}
    for n in near:
        own = max((_told_from(row) for row in rows if row.seat == seat and row.n <= n), default=-1)
        ahead[match_id, seat, n] = [row for row in rows if own < row.n <= n]
    try:
        yield
    finally:
        del session.info[_AHEAD]


_AHEAD = "stories that were read ahead"
_NEAR = 30


def _told_from(row: Any) -> int:
    return int(row.n) - 1 if row.together else int(row.n)


_PEER = aliased(DecisionRow)
TOGETHER = (
    select(func.count())
    .where(
        _PEER.match_id == DecisionRow.match_id,
        _PEER.opened_entry == DecisionRow.opened_entry,
        _PEER.kind == DecisionRow.kind,
    )
    .correlate(DecisionRow)
    .scalar_subquery()
)
"""How many were asked at the same time for the same as in a decision, which is among them."""


def _at_once(entry: type[EntryRow]) -> ColumnElement[bool]:
    """True if an entry made a decision that several were asked for at the same time."""
    return exists().where(
        DecisionRow.match_id == entry.match_id,
        DecisionRow.decision == entry.decision,
        TOGETHER > 1,
    )


# Made once: building a statement costs as much as running it. Without the snapshots, which are
# most of an entry's bytes.
_OWN = aliased(EntryRow)
_ENTRIES = select(
    EntryRow.n,
    EntryRow.seat,
    EntryRow.cause,
    EntryRow.made_at,
    EntryRow.events,
    _at_once(EntryRow).label("together"),
).order_by(EntryRow.n)
_TOLD = _ENTRIES.where(EntryRow.match_id == bindparam("match"), EntryRow.n <= bindparam("last"))
_STORY = _TOLD.where(EntryRow.n >= bindparam("first"))
# The newest alone is looked at: a match may have hundreds.
_OWN_TURN = (
    select(case((_at_once(_OWN), _OWN.n - 1), else_=_OWN.n))
    .where(
        _OWN.match_id == bindparam("match"),
        _OWN.seat == bindparam("acting"),
        _OWN.n <= bindparam("first"),
    )
    .order_by(_OWN.n.desc())
    .limit(1)
    .scalar_subquery()
)
_SINCE_OWN_TURN = _TOLD.where(EntryRow.n > func.coalesce(_OWN_TURN, -1))


def _told(
    session: Session, match: Match, query: Any, reader: Seat | None, **values: int
) -> list[HistoryEntry]:
    return _as_entries(match, reader, session.execute(query, {"match": match.id, **values}))


def _as_entries(match: Match, reader: Seat | None, rows: Iterable[Any]) -> list[HistoryEntry]:
    """The entries as this reader is told them.

    Those of others that tell nothing are left out: that there is one would tell that somebody has
    acted in secret. What several decided at once is told as one entry of nobody's, whoever was the
    last of them.
    """
    told: list[HistoryEntry] = []
    open_ = False
    for row in rows:
        own = reader is not None and row.seat == reader
        entry = _as_entry(match, reader, row)
        if not (entry.events or row.n == 0 or own):
            continue
        if row.together:
            entry = replace(entry, seat=None, cause=row.cause if own else Cause())
            if open_:
                before = told.pop()
                cause = entry.cause if own else before.cause
                entry = replace(entry, events=[*before.events, *entry.events], cause=cause)
        open_ = bool(row.together)
        told.append(entry)
    return told


def _as_entry(match: Match, reader: Seat | None, row: Any) -> HistoryEntry:
    return HistoryEntry(
        n=row.n,
        seat=row.seat,
        cause=row.cause,
        made_at=row.made_at,
        events=[
            {"kind": e.kind, "seat": e.seat, "data": e.data}
            for e in journal.decode_events(row.events)
            if e.is_for(reader)
        ],
        **_called_then(match, reader, row.n),
    )


def _called_then(match: Match, reader: Seat | None, n: int) -> dict[str, Any]:
    before = {row.seat for row in match.seats if any(int(at) >= n for at in row.former or {})}
    if not before:
        return {}
    names = [clean_name(name, "?") for name in names_then(match, n)]
    return {"names": names, "me": None if reader in before else reader}


def open_decisions(session: Session, match: Match, seat: Seat) -> list[DecisionRow]:
    """The decisions this seat is asked now, blocking ones first."""
    query = (
        select(DecisionRow)
        .where(
            DecisionRow.match_id == match.id,
            DecisionRow.seat == seat,
            DecisionRow.closed_entry.is_(None),
        )
        .order_by(~DecisionRow.blocks, DecisionRow.opened_at)
    )
    return list(session.scalars(query))


def held_turn(session: Session, match: Match, seat: Seat) -> Submission | None:
    """The turn of this seat that waits to be played; its player can still take it back."""
    found = session.scalars(
        select(Submission)
        .where(
            Submission.match_id == match.id,
            Submission.seat == seat,
            Submission.status == SubmissionStatus.HELD,
        )
        .order_by(Submission.id.desc())
        .limit(1)
        .execution_options(populate_existing=True)
    )
    return found.first()


def outcome_of(match: Match) -> Outcome | None:
    """The outcome of a match that is over."""
    if match.outcome is None:
        return None
    return msgspec.json.decode(match.outcome, type=Outcome)

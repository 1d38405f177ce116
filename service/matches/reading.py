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
from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from engine.journal import Position
from engine.protocol import (
    LANGUAGES,
    Asks,
    Event,
    ExplainsPlans,
    Filed,
    Game,
    HasOrders,
    HasPlans,
    Outcome,
    Seat,
    seats_to_wait_for,
)
from service.core.models import DecisionRow, EntryRow, Match, SeatRow, Submission
from service.core.names import clean_name
from service.core.statuses import Actor, Cause, SubmissionStatus
from service.core.verdicts import JsonObject
from service.matches import journal
from service.matches.entries import ENTRIES, SINCE_OWN_TURN, STORY, TOGETHER
from service.render.bots import shown_name
from service.render.templating import concerned


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as it is told: who acted, why (`cause`), when, and the events this reader may know.

    `events` are plain dicts {kind, seat, data, chapter, mine, now} for the wording: the part of a
    story an event is told in, whether it concerns the reader, and whether they are told at once.
    Entry 0 is the set-up (`seat` None). Where somebody else sat at the table then, `names` are
    those of that time, and `me` is None if they had the reader's seat: what they did is not told as
    the reader's.

    `turn` is the number of the turn it is of, as everybody counts turns; None for orders alone,
    which are of none. `begins` is true of the first that is told of its turn. `said` is the line
    that its player said with it, for those at the table.
    """

    n: int
    turn: int | None
    begins: bool = True
    seat: Seat | None
    cause: Cause
    made_at: dt.datetime
    events: list[JsonObject]
    names: list[str] | None = None
    me: Seat | None = None
    said: str = ""

    @property
    def by_clock(self) -> bool:
        """True if the clock acted for who sat there."""
        return self.cause.actor is Actor.CLOCK

    @property
    def by_plan(self) -> bool:
        """True if a plan of who sat there acted, and the reader may know it."""
        return self.cause.actor is Actor.PLAN

    @property
    def by_bot(self) -> bool:
        """True if a bot acted."""
        return self.cause.actor is Actor.BOT


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match after entry `n` as one reader sees it. `view` is the game's view as plain data.
    `turn` and `turns` are the numbers of the turn that entry is of, and of the newest one: what
    anybody is shown, as entries count what is secret, too.

    `waiting_for` are the seats whose decisions hold the match up after entry n, and `asked` those
    decisions: whoever tells of them asks `awaited` what may be told. `out` are the seats that the
    rules have put out of the game. `filed` is what the reader has on file, and nobody else's.
    """

    n: int
    turn: int
    turns: int
    game: str
    seat: Seat | None
    names: list[str]
    view: JsonObject
    waiting_for: tuple[Seat, ...]
    asked: tuple[str, ...]
    out: tuple[Seat, ...]
    outcome: Outcome | None
    filed: tuple[FiledOrder, ...] = ()


class FiledOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order the reader has on file, or would file: the decision it is for, its actions as plain
    data, and its `text` by language, as notation.

    `explained` has for each action what it means, as data for the game's sentences, or None;
    `withdraws` is the notation that takes it off file; nothing where it can only be replaced.
    """

    decision: str
    kind: str
    actions: list[JsonObject]
    text: dict[str, str]
    explained: list[Any] = []
    withdraws: dict[str, str] = {}


class Awaited(msgspec.Struct, frozen=True, kw_only=True):
    """The seats a match waits for, as one reader may know them.

    Of several who decide in secret at the same time only the reader is named: `missing` of `of`
    have not decided yet.
    """

    named: tuple[Seat, ...]
    missing: int = 0
    of: int = 0


def names(match: Match, lang: str | None = None) -> list[str]:
    """The names the table has for its seats, from seat 0 on; with those of bots for a reader of
    `lang`.
    """
    if lang is None:
        return [row.name for row in match.seats]
    return [shown_name(match.game, row.bot, row.name, lang) for row in match.seats]


def names_then(match: Match, n: int) -> list[str]:
    """The names the table had for its seats when entry n was made: by who sat there."""
    return [_name_then(row, n) for row in match.seats]


def _name_then(row: SeatRow, n: int) -> str:
    until = [int(entry) for entry in row.former or {} if int(entry) >= n]
    return (row.former or {})[str(min(until))] if until else row.name


def match_view(
    session: Session, match: Match, seat: Seat | None, n: int | None = None
) -> MatchView:
    """The match after entry n (None: now) for this reader. Raises LookupError for no such entry."""
    return match_view_of(session, match, seat, journal.position(session, match, n))


def match_view_of(
    session: Session, match: Match, seat: Seat | None, reached: Position[Any]
) -> MatchView:
    """A position of the match that is at hand already, for this reader."""
    game = journal.game_of(match)
    decisions = game.decisions(reached.state)
    return MatchView(
        n=reached.n,
        turn=journal.turn_of(session, match, reached.n),
        turns=journal.turn_of(session, match, match.last_entry),
        game=match.game,
        seat=seat,
        names=names(match),
        view=view_of(match, seat, reached),
        waiting_for=seats_to_wait_for(decisions),
        asked=tuple(d.id for d in decisions if d.blocks),
        out=tuple(sorted({*range(len(match.seats))} - {*game.in_play(reached.state)})),
        outcome=game.outcome(reached.state),
        filed=filed_orders(game, reached.state, seat, {d.id: d.kind for d in decisions}),
    )


def view_of(match: Match, seat: Seat | None, reached: Position[Any]) -> JsonObject:
    """The game's view of this position for this reader, as plain data."""
    view: JsonObject = msgspec.to_builtins(journal.game_of(match).view(reached.state, seat))
    return view


def filed_orders(
    game: Game[Any, Any], state: Any, seat: Seat | None, kinds: Mapping[str, str]
) -> tuple[FiledOrder, ...]:
    """The orders the seat has on file; `kinds` are those of the open decisions, by their ids."""
    if seat is None or not isinstance(game, HasOrders):
        return ()
    return tuple(
        order_of(game, state, seat, kinds[filed.decision], filed)
        for filed in game.filed(state, seat)
    )


def order_of(game: Game[Any, Any], state: Any, seat: Seat, kind: str, filed: Filed) -> FiledOrder:
    """An order as its own player is shown it, on file or before it is."""
    explained = game.explained if isinstance(game, ExplainsPlans) else _says_itself
    return FiledOrder(
        decision=filed.decision,
        kind=kind,
        actions=[msgspec.to_builtins(action) for action in filed.actions],
        text=_written(game, state, seat, filed.actions),
        explained=[msgspec.to_builtins(explained(state, seat, action)) for action in filed.actions],
        withdraws=_written(game, state, seat, filed.withdraws) if filed.withdraws else {},
    )


def _says_itself(state: Any, seat: Seat, action: Any) -> None:
    """What a game that explains no orders has to tell of one besides its actions."""


def _written(
    game: Game[Any, Any], state: Any, seat: Seat, actions: Collection[Any]
) -> dict[str, str]:
    return {
        lang: "\n".join(game.notation.format(state, seat, action, lang) for action in actions)
        for lang in LANGUAGES
    }


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
    return _told(session, match, STORY, seat, first=first, last=newest)


def last_round(
    session: Session, shown: Sequence[tuple[Match, Seat | None]]
) -> dict[int, list[HistoryEntry]]:
    """The newest moves of matches, as many as each has seats, as they are told to these readers, by
    the match's id. Orders alone are none: that one was filed would be told by what it pushes out.
    One statement for all.
    """
    newest = journal.newest_moves(match for match, _ in shown)
    rows: dict[int, list[Any]] = {match.id: [] for match, _ in shown}
    for row in session.execute(ENTRIES.add_columns(EntryRow.match_id).where(newest)):
        if row.n > 0:
            rows[row.match_id].append(row)
    return {match.id: _as_entries(match, reader, rows[match.id]) for match, reader in shown}


def since_own_turn(session: Session, match: Match, seat: Seat, n: int) -> list[HistoryEntry]:
    """The history that this seat has not been shown when it is asked after entry n, as letters and
    pages tell it.

    Begins after the entry that asked it for its last own move: whoever asks tells all up to there.
    Of what its player did themselves only what that revealed is told; of what their plan, the clock
    or a bot did for them, all. Orders, and moves that a plan has made, begin no story. Where
    several decided at the same time, the first and the last of them read the same.

    Begins with the set-up for a seat that has made no move yet. The same whenever it is asked for:
    a letter has to be the same when it is written again, so no page looked at shortens it.
    """
    ahead = session.info.get(_AHEAD, {}).get((match.id, seat, n))
    if ahead is None:
        ahead = session.execute(SINCE_OWN_TURN, _own_values(match.id, seat, n, n)).all()
    return _as_entries(match, seat, ahead, since=True)


def so_far(
    session: Session, match: Match, seat: Seat, asked: DecisionRow, n: int
) -> tuple[bool, list[HistoryEntry]]:
    """True if this asks a seat after entry n to go on in the middle of a turn, and the story of
    that turn, with what it did in it itself; else False, and the story since its last turn.
    """
    # Not the newest entry: that may be an order, and nobody learns that it was filed.
    before = session.get_one(EntryRow, (match.id, asked.opened_entry))
    if asked.blocks and before.turn and (before.seat, before.turn) == (seat, asked.turn):
        first = journal.first_of(session, match, before.number)
        return True, history(session, match, seat, first, n)
    return False, since_own_turn(session, match, seat, n)


def _own_values(match_id: int, seat: Seat, first: int, last: int) -> dict[str, int]:
    return {"match": match_id, "acting": seat, "first": first, "last": last}


@contextmanager
def stories_ahead(
    session: Session, match_id: int, seat: Seat, entries: Collection[int]
) -> Iterator[None]:
    """Read at once what `since_own_turn` is asked for of these entries within the block. Those long
    before the newest of them are read when they are asked for.
    """
    near = sorted(n for n in entries if n > max(entries) - _NEAR)
    rows: Sequence[Any] = []
    if near:
        values = _own_values(match_id, seat, near[0], near[-1])
        rows = session.execute(SINCE_OWN_TURN, values).all()
    begun = _shown_before(seat, near[0], rows) if near else -1
    ahead = session.info[_AHEAD] = {}
    for n in near:
        shown = _shown_before(seat, n, rows)
        if shown >= begun:
            ahead[match_id, seat, n] = [row for row in rows if shown < row.n <= n]
    try:
        yield
    finally:
        del session.info[_AHEAD]


def _shown_before(seat: Seat, n: int, rows: Sequence[Any]) -> int:
    """The last entry a seat that is asked after entry n had been told of before; -1 for none."""
    own = [row for row in rows if row.seat == seat and row.n <= n and _is_own_move(row)]
    return int(own[-1].asked_after) if own else -1


def _is_own_move(row: Any) -> bool:
    """True if its seat was asked for this: neither an order alone nor what its plan has made."""
    return row.asks is Asks.MUST and row.cause.actor is not Actor.PLAN


_AHEAD = "stories that were read ahead"
_NEAR = 30


def asked_together(session: Session, match: Match) -> set[Seat]:
    """The seats that were asked together for what some of them have still to decide. Nobody else
    learns which of them these are.
    """
    missing = select(DecisionRow.opened_entry, DecisionRow.kind).where(
        DecisionRow.match_id == match.id,
        DecisionRow.closed_entry.is_(None),
        DecisionRow.blocks,
        TOGETHER > 1,
    )
    asked = select(DecisionRow.seat).where(
        DecisionRow.match_id == match.id,
        tuple_(DecisionRow.opened_entry, DecisionRow.kind).in_(missing),
    )
    return set(session.scalars(asked))


def _told(
    session: Session, match: Match, query: Any, reader: Seat | None, **values: int
) -> list[HistoryEntry]:
    return _as_entries(match, reader, session.execute(query, {"match": match.id, **values}))


def _as_entries(
    match: Match, reader: Seat | None, rows: Iterable[Any], *, since: bool = False
) -> list[HistoryEntry]:
    """The entries as this reader is told them; `since` their own turn without what they did.

    Those of others that tell nothing are left out: that there is one would tell that somebody has
    acted in secret. What several decided at once is told as one entry of nobody's, whoever was the
    last of them.
    """
    told: list[HistoryEntry] = []
    open_ = False
    begun: set[int | None] = set()
    for row in rows:
        own = reader is not None and row.seat == reader
        known = since and own and not row.together and row.cause.actor is Actor.PLAYER
        entry = _as_entry(match, reader, row, known=known)
        if not (entry.events or entry.said or row.n == 0 or (own and not known)):
            continue
        if row.together:
            entry = replace(entry, seat=None, cause=entry.cause if own else Cause())
            if open_:
                before = told.pop()
                cause = entry.cause if own else before.cause
                entry = replace(entry, events=[*before.events, *entry.events], cause=cause)
        open_ = bool(row.together)
        told.append(replace(entry, begins=entry.turn not in begun))
        begun.add(entry.turn)
    return told


def _as_entry(match: Match, reader: Seat | None, row: Any, *, known: bool) -> HistoryEntry:
    """One entry. Of what its reader did, which they know, only what it revealed is told."""
    return HistoryEntry(
        n=row.n,
        turn=row.number if row.asks is Asks.MUST else None,
        seat=row.seat,
        cause=_cause_told(match, reader, row),
        made_at=row.made_at,
        said=(row.said or "") if reader is not None and not known else "",
        events=[
            _as_plain(match.game, e, reader)
            for e in journal.decode_events(row.events)
            if e.is_for(reader) and (e.revealed or not known)
        ],
        **_called_then(match, reader, row.n),
    )


def _cause_told(match: Match, reader: Seat | None, row: Any) -> Cause:
    """The cause of an entry; a plan is its owner's secret, unless the game tells of plans."""
    if row.cause.actor is not Actor.PLAN or row.seat == reader:
        return row.cause  # type: ignore[no-any-return]
    game = journal.game_of(match)
    tells = isinstance(game, HasPlans) and game.tells_plans
    return row.cause if tells else Cause(Actor.PLAYER)


def _as_plain(game: str, event: Event, reader: Seat | None) -> JsonObject:
    plain = {"kind": event.kind, "seat": event.seat, "data": event.data, "chapter": event.chapter}
    mine = reader is not None and _concerns(game, event, plain, reader)
    return plain | {"mine": mine, "now": reader in event.notify}


def _concerns(game: str, event: Event, plain: JsonObject, reader: Seat) -> bool:
    """True if an event is the reader's own, or only some are told it and they among them."""
    if reader == event.seat or reader in event.notify or event.audience is not None:
        return True
    return reader in concerned(game, plain)


def _called_then(match: Match, reader: Seat | None, n: int) -> JsonObject:
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

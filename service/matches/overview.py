"""The tables of one player at a glance: whose move, since when, by when."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection

import msgspec
from sqlalchemy import or_, select
from sqlalchemy.orm import Session, contains_eager

from service.core.models import DecisionRow, Match, Player, SeatRow, Submission
from service.core.statuses import WAITING, HoldReason, MatchStatus, SeatStatus
from service.matches.entries import TOGETHER

OVER = 60
"""Matches that are over, listed for one player: the newest. Those that go on are listed all."""


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody a match waits for. `deadline` is None for bots and where there is none: `held` says
    why a clock stands, `late` when time was up. `together` is how many decide in secret at the same
    time: where it is more than one, nobody else is told who it is.
    """

    row: SeatRow
    decision: str
    since: dt.datetime
    deadline: dt.datetime | None
    held: HoldReason | None
    late: dt.datetime | None
    together: int = 1


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one of its players sees it listed. `own` is what they are asked themselves, `sent`
    the turn they have handed in for it that is not played yet.
    """

    match: Match
    row: SeatRow
    waits: list[Wait]
    own: Wait | None
    sent: Submission | None

    @property
    def mine(self) -> bool:
        """True if it waits for its player to do something."""
        return self.own is not None and self.sent is None


def waits_of(session: Session, matches: list[Match]) -> dict[int, list[Wait]]:
    """The people and bots these matches wait for, by match id, longest first."""
    seats = {(m.id, row.seat): row for m in matches for row in m.seats}
    found: dict[int, list[Wait]] = defaultdict(list)
    asked = session.execute(
        select(DecisionRow, TOGETHER)
        .where(
            DecisionRow.match_id.in_([m.id for m in matches]),
            DecisionRow.closed_entry.is_(None),
            DecisionRow.blocks,
        )
        .order_by(DecisionRow.opened_at)
    )
    for row, together in asked:
        found[row.match_id].append(
            Wait(
                row=seats[row.match_id, row.seat],
                decision=row.decision,
                since=row.opened_at,
                deadline=row.deadline,
                held=row.held,
                late=row.expired_at,
                together=together,
            )
        )
    return found


def tables_of(session: Session, player: Player, over: Collection[int] | None = None) -> list[Table]:
    """The player's matches: first those that wait for them, last those that are over, of which
    these are the newest, or the newest among those that are chosen (`over`: their ids). It asks the
    same few questions however many they are.
    """
    asked = (
        select(SeatRow)
        .join(SeatRow.match)
        .options(contains_eager(SeatRow.match).selectinload(Match.invitees))
        .where(
            SeatRow.player_id == player.id,
            SeatRow.status.in_((SeatStatus.INVITED, SeatStatus.ACCEPTED)),
        )
        # Nobody is asked any more to take over a seat of a match that has ended.
        .where(or_(SeatRow.seat.is_not(None), Match.status == MatchStatus.PLAYING))
    )
    live = Match.status.in_((MatchStatus.INVITING, MatchStatus.PLAYING))
    ended = ~live if over is None else Match.id.in_(sorted(over, reverse=True)[:OVER])
    newest = asked.where(ended).order_by(SeatRow.id.desc()).limit(OVER)
    rows = [*session.scalars(asked.where(live)), *session.scalars(newest)]
    waits = waits_of(
        session, [row.match for row in rows if row.match.status == MatchStatus.PLAYING]
    )
    own = {wait.row.id: wait for some in waits.values() for wait in reversed(some)}
    sent = _sent(session, [own[row.id] for row in rows if row.id in own])
    tables = [
        Table(
            match=row.match,
            row=row,
            waits=waits.get(row.match.id, []),
            own=own.get(row.id),
            sent=sent.get(row.id),
        )
        for row in rows
    ]
    return sorted(tables, key=_rank)


def _sent(session: Session, waits: list[Wait]) -> dict[int, Submission]:
    """The newest turns that wait to be played for these, by the seat's row."""
    asked = {(w.row.match_id, w.row.seat, w.decision): w.row.id for w in waits}
    found = session.scalars(
        select(Submission)
        .where(
            Submission.match_id.in_({w.row.match_id for w in waits}),
            Submission.status.in_(WAITING),
            Submission.by_player,
        )
        .order_by(Submission.id)
    )
    places = ((asked.get((x.match_id, x.seat, x.decision)), x) for x in found)
    return {row: submission for row, submission in places if row is not None}


def _rank(table: Table) -> tuple[int, dt.datetime | int]:
    if table.own is not None and table.sent is None:
        return 0, table.own.since
    order = list(MatchStatus)
    return 1 + order.index(table.match.status), -table.match.id

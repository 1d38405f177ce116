"""Counting what happens, for the metrics: turns, letters, mails and tables as they change status.

A change of status is noticed wherever it is made, and its number is written in the transaction that
makes it: what is rolled back is not counted, and a restart, or another machine, loses nothing. What
is changed by a bulk UPDATE has to be counted by hand (`count`).
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, cast

from sqlalchemy import Insert, Table, event, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import LoaderCallableStatus, Session, SessionTransaction, object_session

from service.core.models import InboundMail, Letter, Match, Submission, Tally
from service.core.statuses import WAITING, LetterStatus, MailStatus, MatchStatus

PARTS = 8

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds, in seconds, of the classes that times are sorted into."""

Totals = dict[str, dict[tuple[str, ...], int]]

_COUNTS, _CHANGED, _SAVED = "tallies", "changed", "saved"


def count(session: Session, name: str, *labels: str, times: int = 1) -> None:
    """Count something with the transaction of this session."""
    counts: Counter[tuple[str, str]] = session.info.setdefault(_COUNTS, Counter())
    counts[name, "|".join(labels)] += times


def count_kinds(session: Session, name: str, kinds: Iterable[str], *labels: str) -> None:
    """Count several things whose first label differs."""
    for kind in kinds:
        count(session, name, kind, *labels)


def time(session: Session, name: str, seconds: float) -> None:
    """Sort a time into its class, and add it to the sum of all (in milliseconds)."""
    bound = next((str(bound) for bound in BOUNDS if seconds <= bound), "+Inf")
    count(session, name, bound)
    count(session, f"{name}_sum", times=round(seconds * 1000))


def totals(session: Session) -> Totals:
    """All numbers, by name and labels: 0 of what has never happened."""
    found: Totals = defaultdict(lambda: defaultdict(int))
    rows = select(Tally.name, Tally.labels, func.sum(Tally.amount))
    for name, labels, amount in session.execute(rows.group_by(Tally.name, Tally.labels)):
        found[name][tuple(labels.split("|"))] = int(amount)
    return found


def _turn(row: Submission) -> tuple[str, ...]:
    return "turns", row.source.partition(":")[0], row.status  # without the name of a bot


def _letter(row: Letter) -> tuple[str, ...]:
    return "letters", row.kind, row.status


def _mail(row: InboundMail) -> tuple[str, ...]:
    return "mails", row.source, row.verdict or row.status


def _table(row: Match) -> tuple[str, ...]:
    return "tables", row.game, row.status


# What is counted of whom, and the statuses that nothing is yet, or that are only on the way.
_COUNTED: dict[type[Any], tuple[Callable[[Any], tuple[str, ...]], frozenset[str]]] = {
    Submission: (_turn, frozenset(WAITING)),
    Letter: (_letter, frozenset({LetterStatus.DUE, LetterStatus.SENDING})),
    InboundMail: (_mail, frozenset({MailStatus.RECEIVED})),
    Match: (_table, frozenset({MatchStatus.INVITING})),
}


def _noted(row: Any, value: Any, before: Any, _: Any) -> None:
    session = object_session(row)
    if session is not None and value != before and before is not LoaderCallableStatus.NO_VALUE:
        # The other columns are often set a moment later: labels are looked up at the end.
        session.info.setdefault(_CHANGED, {}).setdefault(row, before)


for _class in _COUNTED:
    event.listen(_class.status, "set", _noted, active_history=True)


@event.listens_for(Session, "before_commit")
def _write(session: Session) -> None:
    """Write the numbers, last of all and in one order: two transactions never wait for each
    other's.
    """
    if session.in_nested_transaction():
        return  # only a savepoint is let go: more may come
    if _COUNTS not in session.info and _CHANGED not in session.info:
        return
    session.flush()
    for row, before in session.info.pop(_CHANGED, {}).items():
        labels_of, passing = _COUNTED[type(row)]
        if row.status != before and row.status not in passing:
            count(session, *labels_of(row))
    counts: Counter[tuple[str, str]] = session.info.pop(_COUNTS, Counter())
    rows = [
        {"name": name, "labels": labels, "part": os.getpid() % PARTS, "amount": amount}
        for (name, labels), amount in sorted(counts.items())
    ]
    if not rows:
        return
    session.execute(_added(session.get_bind().dialect.name), rows)


@cache
def _added(dialect: str) -> Insert:
    """Add an amount to a number. Made once: it ends nearly every transaction."""
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(
        cast(Table, Tally.__table__)
    )
    return insert.on_conflict_do_update(
        index_elements=["name", "labels", "part"],
        set_={"amount": Tally.amount + insert.excluded.amount},
    )


@event.listens_for(Session, "after_transaction_create")
def _save(session: Session, transaction: SessionTransaction) -> None:
    if transaction.nested:
        counts = session.info.get(_COUNTS, Counter())
        session.info.setdefault(_SAVED, []).append(Counter(counts))


@event.listens_for(Session, "after_rollback")
def _forget(session: Session) -> None:
    """What was done is undone, to the last savepoint or whole; so are its numbers. Rows that have
    their old status back are seen to have it when the numbers are written.
    """
    if session.in_nested_transaction():
        session.info[_COUNTS] = session.info[_SAVED][-1]
        return
    for name in (_COUNTS, _CHANGED, _SAVED):
        session.info.pop(name, None)


@event.listens_for(Session, "after_transaction_end")
def _unsave(session: Session, transaction: SessionTransaction) -> None:
    if transaction.nested and session.info.get(_SAVED):
        session.info[_SAVED].pop()

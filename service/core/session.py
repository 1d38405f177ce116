"""Sessions: one that asks for a row once, and one that writes to a match only while it holds the
match's lock.

Whoever changes a match, a seat, a decision, an entry or a submission has to keep everybody else
from it. The types ask for that where functions are called (`service.core.locks.LockedMatch`); this
looks at what is written in the end, by whatever function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, cast

from sqlalchemy import Delete, Insert, Update, event
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction

from service.core.models import DecisionRow, EntryRow, Match, SeatRow, Submission

_ROWS = "rows"
_HELD, _SAVED = "locked matches", "locked matches at savepoints"

_GUARDED = (Match, SeatRow, DecisionRow, EntryRow, Submission)
_TABLES = {row.__tablename__: "id" if row is Match else "match_id" for row in _GUARDED}


class ReadSession(Session):
    """A session that keeps what it has read or inserted until it ends, so that it is found again by
    its primary key without asking. SQLAlchemy's own keeps only what somebody else holds.
    """


@event.listens_for(ReadSession, "loaded_as_persistent")
@event.listens_for(ReadSession, "pending_to_persistent")
def _keep(session: Session, row: Any) -> None:
    session.info.setdefault(_ROWS, []).append(row)


class WriteWithoutLock(Exception):
    """A row of a match was to be written by a unit of work that has not locked the match."""


class WriteSession(ReadSession):
    """The session of a unit of work. Raises WriteWithoutLock as it flushes a row of a match that it
    has not locked, and as it executes a bulk statement on such rows, unless that says with
    `of_matches` of which matches they are, and they are locked.
    """


def held(session: Session) -> set[int]:
    """The matches this session has locked."""
    return cast(set[int], session.info.setdefault(_HELD, set()))


def of_matches(*numbers: int) -> dict[str, Any]:
    """The execution options of a bulk statement on rows of these matches alone."""
    return {"of_matches": numbers}


@event.listens_for(WriteSession, "before_flush")
def _check_rows(session: Session, _context: Any, _objects: Any) -> None:
    locked = held(session)
    for row in chain(session.dirty, session.deleted, session.new):
        if not isinstance(row, _GUARDED):
            continue
        match_id = _match_of(row)
        if match_id in locked or _is_new(row, session):
            continue
        if row in session.new or row in session.deleted or session.is_modified(row):
            raise WriteWithoutLock(f"{type(row).__tablename__} of match {match_id}")


def _match_of(row: Match | SeatRow | DecisionRow | EntryRow | Submission) -> int:
    if isinstance(row, Match):
        return row.id
    # A seat that is put to the others of its match has no number of it yet.
    match: Match | None = row.__dict__.get("match")
    return row.match_id if match is None else match.id


def _is_new(row: Any, session: Session) -> bool:
    """True if it is of a match that is being inserted, which nobody else can know."""
    return (row if isinstance(row, Match) else row.__dict__.get("match")) in session.new


@event.listens_for(WriteSession, "do_orm_execute")
def _check_statement(state: ORMExecuteState) -> None:
    statement = state.statement
    if not isinstance(statement, Insert | Update | Delete):
        return
    column = _TABLES.get(getattr(statement.table, "name", ""))
    if column is None:
        return
    if state.is_insert and column == "id" and not state.execution_options.get("of_matches"):
        return  # new matches, which nobody else can know
    written = state.execution_options.get("of_matches") or _inserted(state, column)
    if not written or not held(state.session).issuperset(written):
        raise WriteWithoutLock(f"{column} {written} of {statement.table}")


def _inserted(state: ORMExecuteState, column: str) -> Sequence[Any]:
    """The matches of the rows that are inserted; none if the statement does not tell."""
    if not state.is_insert or state.parameters is None:
        return []
    several = isinstance(state.parameters, Sequence)
    rows = state.parameters if several else [state.parameters]
    return [cast(Mapping[str, Any], row).get(column) for row in rows]


# PostgreSQL lets go of what was locked since a savepoint when it rolls back to it.


@event.listens_for(WriteSession, "after_transaction_create")
def _save(session: Session, transaction: SessionTransaction) -> None:
    if transaction.nested:
        session.info.setdefault(_SAVED, []).append(set(held(session)))


@event.listens_for(WriteSession, "after_rollback")
def _forget(session: Session) -> None:
    nested = session.in_nested_transaction()
    session.info[_HELD] = set(session.info[_SAVED][-1]) if nested else set()


@event.listens_for(WriteSession, "after_transaction_end")
def _unsave(session: Session, transaction: SessionTransaction) -> None:
    if transaction.nested:
        session.info[_SAVED].pop()

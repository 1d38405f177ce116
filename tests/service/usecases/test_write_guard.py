"""A row of a match is written only by who has locked the match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from service.core import locks
from service.core.db import insert_once
from service.core.models import DecisionRow, EntryRow, Match, SeatRow, Submission
from service.core.session import WriteWithoutLock, of_matches
from service.matches.tables import Guest
from tests.support.tables import World

BOTH = pytest.mark.both_databases
BEN = Guest(address="ben@example.org", name="Ben")
KINDS = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(Match, marks=BOTH),
        SeatRow,
        DecisionRow,
        EntryRow,
        pytest.param(Submission, marks=BOTH),
    ],
)
"""The guard is the session's: on PostgreSQL the match itself and one of its rows tell as much."""

CHANGES: dict[type[Any], tuple[str, Any]] = {
    Match: ("hold_minutes", 30),
    SeatRow: ("bank_left", 60),
    DecisionRow: ("allowance", 60),
    EntryRow: ("revealed", False),
    Submission: ("lang", "fr"),
}


@pytest.fixture
def match_id(world: World, game_key: str) -> int:
    """A match that has begun, in which a turn was handed in."""
    number = world.begun([BEN], game_key)
    world.submit(number)
    return number


def row_of(session: Session, kind: type[Any], match_id: int) -> Any:
    column = Match.id if kind is Match else kind.match_id
    return session.scalars(select(kind).where(column == match_id)).first()


def change(session: Session, kind: type[Any], match_id: int) -> None:
    name, value = CHANGES[kind]
    row = row_of(session, kind, match_id)
    assert getattr(row, name) != value
    setattr(row, name, value)


def remove(session: Session, kind: type[Any], match_id: int) -> None:
    session.delete(row_of(session, kind, match_id))


def add(session: Session, kind: type[Any], match_id: int) -> None:
    """A copy of a row, as the next of its kind."""
    row = row_of(session, kind, match_id)
    own = {"id": None, "code": "another", "dedupe": "another", "seat": None, "n": 99}
    own["decision"] = "another"
    columns = (column.key for column in kind.__mapper__.column_attrs)
    session.add(kind(**{key: own.get(key, getattr(row, key)) for key in columns}))


@KINDS
@pytest.mark.parametrize("write", [change, remove, add])
def test_a_row_of_a_match_is_not_written_without_its_lock(
    world: World,
    match_id: int,
    kind: type[Any],
    write: Callable[[Session, type[Any], int], None],
) -> None:
    if kind is Match and write is add:
        pytest.skip("a match that is being inserted is nobody else's")
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        write(work.session, kind, match_id)


@KINDS
def test_a_row_of_a_match_is_written_with_its_lock(
    world: World, match_id: int, kind: type[Any]
) -> None:
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id)
        change(work.session, kind, match_id)
    name, value = CHANGES[kind]
    with world.service.database.read() as session:
        assert getattr(row_of(session, kind, match_id), name) == value


@KINDS
def test_the_lock_of_another_match_is_not_enough(
    world: World, match_id: int, kind: type[Any], game_key: str
) -> None:
    other = world.open([BEN], game_key)
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        locks.lock_number(world.service, work, other)
        change(work.session, kind, match_id)


@KINDS
def test_a_bulk_statement_says_which_match_it_writes_to(
    world: World, match_id: int, kind: type[Any]
) -> None:
    name, value = CHANGES[kind]
    statement = update(kind).values({name: value})
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id)
        work.session.execute(statement)
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        work.session.execute(statement.execution_options(**of_matches(match_id)))
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        work.session.execute(delete(kind.__table__))
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id)
        work.session.execute(statement.execution_options(**of_matches(match_id)))


@BOTH
def test_an_insert_that_goes_past_the_session_is_seen(world: World, match_id: int) -> None:
    values = {"match_id": match_id, "seat": 0, "decision": "x", "source": "form", "lang": "en"}
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        insert_once(work.session, Submission, **values)
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        work.session.execute(insert(Submission), [values])


@BOTH
def test_what_a_savepoint_had_locked_is_not_held_after_it(world: World, match_id: int) -> None:
    with pytest.raises(WriteWithoutLock), world.service.database.write() as work:
        part = work.session.begin_nested()
        locks.lock_number(world.service, work, match_id)
        change(work.session, Match, match_id)
        part.rollback()
        change(work.session, Match, match_id)


@BOTH
def test_what_was_locked_before_a_savepoint_is_held_after_it(world: World, match_id: int) -> None:
    with world.service.database.write() as work:
        locks.lock_number(world.service, work, match_id)
        part = work.session.begin_nested()
        change(work.session, SeatRow, match_id)
        part.rollback()
        change(work.session, Match, match_id)
    assert world.match(match_id).hold_minutes == 30


@BOTH
def test_a_match_that_is_stored_is_not_called_new(world: World, match_id: int) -> None:
    with pytest.raises(ValueError, match="is stored already"), world.service.database.write() as w:
        locks.insert(w, w.session.get_one(Match, match_id))


@BOTH
def test_what_is_set_as_it_was_needs_no_lock(world: World, match_id: int) -> None:
    with world.service.database.write() as work:
        match = work.session.get_one(Match, match_id)
        match.hold_minutes = match.hold_minutes

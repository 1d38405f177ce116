"""The statements that read a match's entries as they are told, and who was asked together.

Made once: building a statement costs as much as running it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, func, literal_column, select
from sqlalchemy.orm import aliased

from engine.protocol import Asks
from service.core.models import DecisionRow, EntryRow
from service.core.statuses import Actor, Cause

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


_MADE = aliased(EntryRow)
# As the index of what was made has it: SQLite uses that for no value that is bound.
_MUST: ColumnElement[Any] = literal_column(f"'{Asks.MUST}'")


def _at_once(entry: type[EntryRow]) -> ColumnElement[bool]:
    """True if an entry made a decision that several were asked for at the same time, or changed its
    answer. (Orders can be open for several at the same time, too; nobody is asked for one.)
    """
    return exists().where(
        DecisionRow.match_id == entry.match_id,
        DecisionRow.decision == entry.decision,
        _MADE.match_id == DecisionRow.match_id,
        _MADE.decision == DecisionRow.decision,
        _MADE.asks == _MUST,
        TOGETHER > 1,
    )


def _asked_after(entry: type[EntryRow]) -> ColumnElement[int]:
    """The entry after which a seat was asked for what it decided in this one."""
    opened = (
        select(DecisionRow.opened_entry)
        .where(DecisionRow.match_id == entry.match_id, DecisionRow.decision == entry.decision)
        .correlate(entry)
        .scalar_subquery()
    )
    return func.coalesce(opened, entry.n - 1)


# Without the snapshots, which are most of an entry's bytes.
_OWN = aliased(EntryRow)
ENTRIES = select(
    EntryRow.n,
    EntryRow.number,
    EntryRow.seat,
    EntryRow.asks,
    EntryRow.cause,
    EntryRow.made_at,
    EntryRow.events,
    EntryRow.said,
    _at_once(EntryRow).label("together"),
).order_by(EntryRow.n)
_TOLD = ENTRIES.where(EntryRow.match_id == bindparam("match"), EntryRow.n <= bindparam("last"))
STORY = _TOLD.where(EntryRow.n >= bindparam("first"))
# The newest alone is looked at: a match may have hundreds.
_OWN_TURN = (
    select(_asked_after(_OWN))
    .where(
        _OWN.match_id == bindparam("match"),
        _OWN.seat == bindparam("acting"),
        _OWN.n <= bindparam("first"),
        _OWN.asks == Asks.MUST,
        _OWN.cause != Cause(Actor.PLAN),
    )
    .order_by(_OWN.n.desc())
    .limit(1)
    .scalar_subquery()
)
SINCE_OWN_TURN = _TOLD.add_columns(_asked_after(EntryRow).label("asked_after")).where(
    EntryRow.n > func.coalesce(_OWN_TURN, -1)
)

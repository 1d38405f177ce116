"""Retention: what is thrown away in time, and what never is (docs/operating.md, "What is kept").

The journal of a match is never touched: its set-up, entries, draws, events and messages, and so its
record. All the rest is a convenience that somebody may still ask for, for a while. A sweep throws
away a little at a time, one match to a transaction, and goes on where the last one ended.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec
from sqlalchemy import (
    ColumnElement,
    Table,
    delete,
    insert,
    literal,
    null,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.orm import Session

from service.core import locks
from service.core.context import Service
from service.core.db import insert_once
from service.core.letter_details import MailDetails, notes_of
from service.core.models import (
    Base,
    EntryRow,
    InboundMail,
    Key,
    Letter,
    Match,
    RetentionMark,
    UtcTime,
)
from service.core.session import of_matches
from service.core.settings import Settings
from service.core.statuses import LetterStatus, MailStatus
from service.outgoing.policies import LASTING

BATCH: Final = 200

MATCHES: Final = 20
"""How many matches that are over are looked at in one sweep."""

EVERY: Final = 50
"""Of the snapshots of a match each such one is kept, so that a position is never far away."""


_SNAPSHOTS = "snapshots"


class Periods(msgspec.Struct, frozen=True, kw_only=True):
    """The periods after which things are thrown away by themselves: the text of mails since they
    were handled; what letters said, and links to single turns, since the end of their match;
    positions since a later turn. `service.web.accounts.own_data` tells players the same.
    """

    mails: dt.timedelta
    letters: dt.timedelta
    snapshots: dt.timedelta


def periods(settings: Settings) -> Periods:
    """The periods that these settings ask for."""
    return Periods(
        mails=dt.timedelta(days=settings.inbound_keep),
        letters=dt.timedelta(days=settings.keep_matches),
        snapshots=dt.timedelta(days=settings.keep_snapshots),
    )


def purge(service: Service) -> int:
    """Throw away the text of mails that were handled INBOUND_KEEP days ago; of how many.

    What was played, said or noted because of them is kept, and so is that they came: the same mail
    is not handled twice. A dead one is kept until somebody has looked at it.
    """
    now = service.now()
    until = now - periods(service.settings).mails
    old = (
        select(InboundMail.id)
        .where(
            InboundMail.done_at < until,
            InboundMail.purged_at.is_(None),
            InboundMail.status == MailStatus.HANDLED,
        )
        .order_by(InboundMail.done_at)
        .limit(BATCH)
    )
    with service.database.read() as session:
        found = session.scalars(old).all()
    if not found:
        return 0
    with service.database.write() as work:
        work.session.execute(
            update(InboundMail)
            .where(InboundMail.id.in_(found))
            .values(raw=b"", envelope_from=None, details=MailDetails(), purged_at=now)
        )
    return len(found)


def drop_snapshots(service: Service) -> int:
    """Throw away snapshots that KEEP_SNAPSHOTS days have passed over, but each fiftieth and the
    newest of a match; of how many matches.

    An entry that is old enough lets go those before it. So the newest stays, however old it is.
    """
    until = service.now() - periods(service.settings).snapshots
    with service.database.read() as session:
        found = session.execute(_old_entries(session.get(RetentionMark, _SNAPSHOTS), until)).all()
    newest: dict[int, int] = {}
    for _, match_id, n in found:
        newest[match_id] = max(n, newest.get(match_id, 0))
    for match_id, n in newest.items():
        with service.database.write() as work:
            service.database.lock_match(work.session, match_id)
            rewrite(
                work.session,
                EntryRow,
                (
                    EntryRow.match_id == match_id,
                    EntryRow.n < n,
                    EntryRow.n % EVERY != 0,
                    EntryRow.state.is_not(None),
                ),
                options=of_matches(match_id),
                state=null(),
            )
    if found:
        at, match_id, n = found[-1]
        with service.database.write() as work:
            _remember(work.session, at, match_id, n)
    return len(newest)


def _old_entries(mark: RetentionMark | None, until: dt.datetime) -> Any:
    place = tuple_(EntryRow.made_at, EntryRow.match_id, EntryRow.n)
    old = (
        select(EntryRow.made_at, EntryRow.match_id, EntryRow.n)
        # Written out: a parameter would not tell the databases that the small index is enough.
        .where(text("state IS NOT NULL"), EntryRow.made_at <= until)
        .order_by(EntryRow.made_at, EntryRow.match_id, EntryRow.n)
        .limit(BATCH)
    )
    if mark is None or mark.at is None:
        return old
    seen = tuple_(literal(mark.at, UtcTime()), literal(mark.row_id), literal(mark.n))
    return old.where(place > seen)


def _remember(session: Session, at: dt.datetime, match_id: int, n: int) -> None:
    place = {"at": at, "row_id": match_id, "n": n}
    known = update(RetentionMark).where(RetentionMark.name == _SNAPSHOTS).values(place)
    if session.execute(known).rowcount == 0:  # type: ignore[attr-defined]
        insert_once(session, RetentionMark, name=_SNAPSHOTS, **place)


def prune_matches(service: Service) -> int:
    """Throw away what nobody needs of matches that were over KEEP_MATCHES days ago; of how many.

    That are the keys of single decisions (links and reply addresses), letters that never left, and
    what letters said beyond the journal, but for those of the beginning and the end.
    """
    now = service.now()
    until = now - periods(service.settings).letters
    over = (
        select(Match.id)
        .where(Match.ended_at <= until, Match.ended_at.is_not(None), Match.pruned_at.is_(None))
        .order_by(Match.ended_at)
        .limit(MATCHES)
    )
    with service.database.read() as session:
        found = session.scalars(over).all()
    for match_id in found:
        with service.database.write() as work:
            match = locks.lock_number(service, work, match_id)
            _prune(work.session, match_id)
            match.pruned_at = now
    return len(found)


def _prune(session: Session, match_id: int) -> None:
    session.execute(
        delete(Key).where(
            Key.match_id == match_id,
            Key.purpose.in_(("decision", "reply")),
            Key.decision.is_not(None),
        )
    )
    session.execute(
        delete(Letter).where(
            Letter.match_id == match_id,
            Letter.status.in_((LetterStatus.DROPPED, LetterStatus.SUPPRESSED)),
        )
    )
    sent = session.execute(
        select(Letter.id, Letter.stored_details).where(
            Letter.match_id == match_id,
            Letter.status == LetterStatus.SENT,
            Letter.kind.not_in(LASTING),
        )
    )
    # That one came back is still of interest to who sees its address again.
    told = [letter for letter, details in sent if details and not notes_of(details).failed]
    if told:
        rewrite(
            session, Letter, (Letter.id.in_(told),), details=literal({}, Letter.stored_details.type)
        )


def rewrite(
    session: Session,
    row: type[Base],
    which: tuple[ColumnElement[bool], ...],
    options: Mapping[str, Any] | None = None,
    **values: Any,
) -> None:
    """Set columns of these rows so that what they no longer need can be used again.

    SQLite shrinks a row in its place and leaves a gap that nothing ever fills; a row that is taken
    out and put in again leaves whole pages free. Nothing refers to the rows.
    """
    table = cast(Table, row.__table__)
    if session.get_bind().dialect.name != "sqlite":
        session.execute(update(table).where(*which).values(values), execution_options=options or {})
        return
    columns = [values.get(column.name, column) for column in table.columns]
    session.execute(
        insert(table)
        .prefix_with("OR REPLACE")
        .from_select(list(table.columns.keys()), select(*columns).where(*which)),
        execution_options=options or {},
    )

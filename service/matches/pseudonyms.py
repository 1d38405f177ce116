"""Pseudonyms in what is stored of a match: the names and addresses of one player, wherever a text
or a letter's details hold them, give way to one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from sqlalchemy import select, true, update
from sqlalchemy.orm import Session

from engine.fairness import Part
from engine.protocol import Seat
from service.core.locks import LockedMatch
from service.core.models import EntryRow, Letter, SeatRow, Submission, TableMessage
from service.core.session import of_matches
from service.core.statuses import SubmissionStatus

SHORTEST = 3
"""A name of fewer characters may be a word: in free text it is left."""

_MARKS = frozenset({"code", "kind", "why", "how", "word", "error", "reply", "status"})
"""Fields of details whose text is one of ours, whatever somebody is called."""


def in_parts(
    parts: bytes, seats: Collection[Seat], names: Collection[str], pseudonym: str
) -> bytes:
    """The parts of a match's chance, with these names of these seats replaced. No seed covers
    names (`engine.fairness.seed_of`).
    """
    decoded = msgspec.json.decode(parts, type=tuple[Part, ...])
    return msgspec.json.encode(
        [
            msgspec.structs.replace(part, name=pseudonym)
            if part.seat in seats and part.name in names
            else part
            for part in decoded
        ]
    )


def replace(
    session: Session,
    match: LockedMatch,
    names: Collection[str],
    addresses: Collection[str],
    pseudonym: str,
) -> None:
    """Replace these names and addresses in every text of a match that others have written, and in
    what letters about it say beyond the journal.
    """
    wanted = _Wanted(names, addresses, pseudonym)
    match.name = wanted.in_text(match.name)
    match.greeting = wanted.in_text(match.greeting)
    for row in match.invitees:
        row.note = wanted.in_text(row.note)
    of_it = of_matches(match.id)
    # A turn that is still to be played has nobody's name (no notation has), but words of the game,
    # which somebody may be called like: played as it was written, or an acknowledged move is lost.
    waiting = Submission.status.in_((SubmissionStatus.RECEIVED, SubmissionStatus.HELD))
    for table, column, key in (
        (TableMessage, TableMessage.text, (TableMessage.id,)),
        (EntryRow, EntryRow.said, (EntryRow.match_id, EntryRow.n)),
        (Submission, Submission.said, (Submission.id,)),
        (Submission, Submission.body, (Submission.id,)),
    ):
        found = session.execute(
            select(column, *key).where(
                table.match_id == match.id,
                column.is_not(None),
                ~waiting if column is Submission.body else true(),
            )
        ).all()
        for text, *values in found:
            new = wanted.in_text(text)
            if new != text:
                session.execute(
                    update(table)
                    .where(*(part == value for part, value in zip(key, values, strict=True)))
                    .values({column: new}),
                    execution_options=of_it,
                )
    _in_letters(session, match, wanted)


def _in_letters(session: Session, match: LockedMatch, wanted: _Wanted) -> None:
    """In those about this match, and in those about no single one to somebody who plays here."""
    here = select(SeatRow.player_id).where(
        SeatRow.match_id == match.id, SeatRow.player_id.is_not(None)
    )
    about = (Letter.match_id == match.id) | (Letter.match_id.is_(None) & Letter.player_id.in_(here))
    found = session.execute(select(Letter.id, Letter.stored_details, Letter.error).where(about))
    for number, details, error in found.all():
        new = {"stored_details": wanted.in_value(details), "error": wanted.in_text(error)}
        if (new["stored_details"], new["error"]) != (details, error):
            session.execute(update(Letter).where(Letter.id == number).values(new))


class _Wanted:
    def __init__(self, names: Collection[str], addresses: Collection[str], pseudonym: str) -> None:
        self._names, self._pseudonym = frozenset(names), pseudonym
        words = sorted((name for name in names if len(name) >= SHORTEST), key=len, reverse=True)
        patterns = [re.escape(word) for word in words]
        patterns += [f"(?i:{re.escape(address)})" for address in addresses]
        self._pattern = re.compile(
            rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)" if patterns else "(?!)"
        )

    def in_text(self, text: str | None) -> str | None:
        return text if text is None else self._pattern.sub(self._pseudonym, text)

    def in_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._pseudonym if value in self._names else self.in_text(value)
        if isinstance(value, Mapping):
            return {
                key: each if key in _MARKS else self.in_value(each) for key, each in value.items()
            }
        if isinstance(value, list):
            return [self.in_value(each) for each in value]
        return value

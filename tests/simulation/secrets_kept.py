"""What a seat was sent is the same whatever it cannot know: all that is stored gets positions that
it cannot tell from the true ones, and what others were told, did and drew is taken out.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import select, update

from engine.chance import SeededChance
from service.core import locks
from service.core.context import Service
from service.core.models import EntryRow, Letter, Match, Submission
from service.core.statuses import LetterKind
from service.mail.render import render
from service.matches import journal


def betrayed(service: Service, most: int) -> str | None:
    """A letter among the newest so many turn letters that would say something else if what its
    reader cannot know were otherwise; None if there is none. The database is spoilt by it.
    """
    with service.database.read() as session:
        newest = select(Letter).where(Letter.kind == LetterKind.TURN).order_by(Letter.id.desc())
        letters = [each for each in session.scalars(newest.limit(most)) if each.written_at]
    for letter in letters:
        if letter.match_id is None or letter.seat is None:
            continue
        if not _has_all_positions(service, letter.match_id):
            continue  # days have passed: most are folded from the journal by now
        before = _written(service, letter.id)
        _permute(service, letter.match_id, letter.seat)
        if _written(service, letter.id) != before:
            return letter.dedupe
    return None


def _has_all_positions(service: Service, match_id: int) -> bool:
    dropped = select(EntryRow.n).where(EntryRow.match_id == match_id, EntryRow.state.is_(None))
    with service.database.read() as session:
        return session.scalar(dropped.limit(1)) is None


def _written(service: Service, number: int) -> bytes:
    with service.database.read() as session:
        letter = session.get_one(Letter, number)
        return render(service.writing(letter), session, letter)


def _permute(service: Service, match_id: int, reader: int) -> None:
    with service.database.write() as work:
        match = locks.lock_number(service, work, match_id)
        game: Any = journal.game_of(match)
        for row in work.session.scalars(select(EntryRow).where(EntryRow.match_id == match_id)):
            assert row.state is not None
            state = msgspec.json.decode(row.state, type=game.state_type)
            guessed = game.guess(state, reader, SeededChance(b"another deal %d" % row.n))
            row.state = msgspec.json.encode(guessed)
            events = [
                event
                if event.is_for(reader)
                else msgspec.structs.replace(event, kind="unseen", data={}, seat=None)
                for event in journal.decode_events(row.events)
            ]
            row.events = msgspec.json.encode(events)
        work.session.execute(
            update(Match).where(Match.id == match_id).values(seed=bytes(32)),
            execution_options={"of_matches": (match_id,)},
        )
        for turn in work.session.scalars(
            select(Submission).where(Submission.match_id == match_id, Submission.seat != reader)
        ):
            turn.body = "hidden"

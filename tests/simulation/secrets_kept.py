"""What a seat was sent is the same whatever it cannot know: all that is stored gets positions that
it cannot tell from the true ones, and what others were told, did and drew is taken out. And no
letter holds what opens somebody else's seat, or what chance a match will have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from email import policy
from email.parser import BytesParser
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select, update

from engine.chance import SeededChance
from service.access import reply_keys
from service.core import locks
from service.core.context import Service
from service.core.keys import seat_scope
from service.core.models import DecisionRow, EntryRow, Letter, Match, Submission
from service.core.statuses import LetterKind, MatchStatus
from service.mail.render import render
from service.matches import journal

if TYPE_CHECKING:
    from tests.simulation.mail_server import Copy

TOLD = (LetterKind.TURN, LetterKind.NOTICE, LetterKind.ORDERS)
"""Kinds of letters that show the match to who plays on."""


def handed_on(service: Service, copies: Sequence[Copy], told: int = 0) -> str | None:
    """The name of a letter that holds a secret of somebody else; None if there is none. The first
    so many were sent before a restore, which gives matches back that had ended: such letters may
    tell their chance.
    """
    with service.database.read() as session:
        secrets = [
            secret
            for match in session.scalars(select(Match).order_by(Match.id))
            for secret in _secrets(
                service,
                match,
                session.scalars(
                    select(DecisionRow.decision).where(DecisionRow.match_id == match.id)
                ).all(),
            )
        ]
    for number, copy in enumerate(copies):
        text = _text(copy.raw)
        for secret, owner in secrets:
            if owner is None and number < told:
                continue
            if secret in text and copy.to != owner:
                return copy.message_id
    return None


def _secrets(
    service: Service, match: Match, decisions: Iterable[str]
) -> Iterator[tuple[str, str | None]]:
    """What opens each seat, with the only address it may be written to; and the chance of a match
    that has not ended, which nobody is told.
    """
    keys = service.keys
    for row in match.seats:
        if row.seat is None or row.player is None:
            continue
        yield keys.token("seat", *seat_scope(row)), row.player.email
        for decision in decisions:
            yield keys.token("decision", *seat_scope(row, decision)), row.player.email
        for decision in ("", *decisions):
            yield reply_keys.seat_token(keys, row, decision), row.player.email
    if match.status != MatchStatus.ENDED and match.seed:
        yield match.seed.hex(), None


def _text(raw: bytes) -> str:
    """The head and all that can be read of a letter."""
    letter = BytesParser(policy=policy.default).parsebytes(raw)
    head = "\n".join(f"{name}: {value}" for name, value in letter.items())
    parts = [part.get_content() for part in letter.walk() if part.get_content_maintype() == "text"]
    return "\n".join([head, *parts])


def betrayed(service: Service, most: int) -> str | None:
    """A letter among the newest so many of a match that goes on which would say something else if
    what its reader cannot know were otherwise; None if there is none. The database is spoilt by it.
    """
    with service.database.read() as session:
        newest = select(Letter).where(Letter.kind.in_(TOLD)).order_by(Letter.id.desc())
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

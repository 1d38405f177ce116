"""What was promised, compared at the end with the database, with what the mail server got, and with
what the players were told.
"""

from __future__ import annotations

import datetime as dt
import re
import time
from collections import Counter, defaultdict
from contextlib import suppress

import msgspec
from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from engine.games import games
from engine.record import decode
from engine.verification import Unfinished, verify
from service.core.letter_details import AnswerDetails
from service.core.models import DecisionRow, EntryRow, InboundMail, Letter, Match, Submission
from service.core.statuses import (
    Actor,
    Cause,
    LeaveReason,
    LetterKind,
    LetterStatus,
    MailStatus,
    MatchStatus,
    SubmissionStatus,
)
from service.matches import records
from tests.chaos.people import Person
from tests.chaos.site import Ack, Site

FINISH = 120.0
"""Seconds at the end in which less has to be on its way than ever before."""
_KEY = re.compile(r"(?<![A-Za-z0-9])[a-z2-7]{26}(?![A-Za-z0-9])")
"""The form of what opens a link or a reply address (`service.core.keys`)."""
LONGEST_FINISH = 1800.0
"""Seconds after which all letters have to be sent."""
PLAYED_OUT = 240.0
"""Seconds in which matches are played out; those that have not ended then are left where they are,
waiting for somebody.
"""


class Verdict(msgspec.Struct):
    """What a run comes to. `broken` says each promise that was not kept, in words."""

    lost: list[Ack]
    differing: set[str]
    expired: int
    ended: Counter[str]
    broken: list[str]


def judged(site: Site) -> Verdict:
    """Compare what was acknowledged and has arrived with what the database says at the end."""
    with site.service.database.read() as session:
        turns = {
            row.code: row
            for row in session.scalars(select(Submission).where(Submission.source == "form"))
        }
        mails = {}
        for mail in session.scalars(select(InboundMail)):
            found = re.search(rb"^Message-ID:\s*(<[^>]+>)", mail.raw, re.MULTILINE)
            if found:
                mails[found[1].decode().strip("<>")] = mail
        answers = Counter(
            str(letter.details_as(AnswerDetails).message_id).strip("<>")
            for letter in session.scalars(select(Letter).where(Letter.kind == LetterKind.ANSWER))
        )
        lost, why, broken = [], [], []
        for number, ack in enumerate(site.acks):
            if number in site.forgotten:
                continue
            if ack.code is not None:
                turn = turns.get(ack.code)
                if turn is None or turn.status not in (
                    SubmissionStatus.PLAYED,
                    SubmissionStatus.REFUSED,
                    SubmissionStatus.WITHDRAWN,
                ):
                    lost.append(ack)
                    why.append(f"turn {ack.decision} of match {ack.match_id}: {_state_of(turn)}")
            elif ack.message_id is not None:
                seen, answered = mails.get(ack.message_id), answers[ack.message_id]
                if seen is None or seen.status != MailStatus.HANDLED or answered != 1:
                    lost.append(ack)
                    why.append(f"mail {ack.message_id}: {_state_of(seen)}, {answered} answers")
        twice = session.execute(
            select(Submission.match_id, Submission.decision)
            .where(Submission.status == SubmissionStatus.PLAYED)
            .group_by(Submission.match_id, Submission.decision)
            .having(func.count() > 1)
        ).all()
        if twice:
            broken.append(f"decisions made twice: {twice}")
        entries = (
            select(func.count()).select_from(EntryRow).where(EntryRow.cause == Cause(Actor.CLOCK))
        )
        timed_out = select(func.count()).select_from(DecisionRow)
        expired = (session.scalar(entries) or 0) + (
            session.scalar(timed_out.where(DecisionRow.expired_at.is_not(None))) or 0
        )
        ended: Counter[str] = Counter()
        for match_id in site.matches:
            match = session.get(Match, match_id)
            if match is None or match.started_at is None:
                continue  # opened, or begun, after the copy that was restored, or never begun
            expired += sum(seat.left_why is LeaveReason.DROPPED for seat in match.seats)
            over = match.status == MatchStatus.ENDED
            ended[match.game] += over
            if not over and not _waits_for_somebody(session, match):
                broken.append(f"match {match_id} is {match.status} and waits for nobody")
            with suppress(Unfinished):  # as far as it goes
                verify(decode(records.export(session, match)), games())
        owed = [
            f"{letter.kind} {letter.id} ({letter.status} {letter.due_at}, {letter.attempts} tries)"
            for letter in session.scalars(select(Letter).where(_is_owed()).order_by(Letter.id))
        ]
        sent = session.execute(
            select(Letter.id, Letter.kind, Letter.fingerprint)
            .where(Letter.status == LetterStatus.SENT)
            .order_by(Letter.id)
        ).all()
    copies = defaultdict(set)
    for copy in site.sink.copies:
        copies[copy.message_id].add(copy.digest)
    if owed:
        broken.append(f"{len(owed)} letters are still owed: {', '.join(owed[:8])}")
    came = {copy.digest for copy in site.sink.copies}
    missing = [
        f"{kind} {number}"
        for number, kind, fingerprint in sent
        if fingerprint is None or fingerprint.hex() not in came
    ]
    if missing:
        broken.append(
            f"{len(missing)} letters are said to be sent, and have not come: {missing[:5]}"
        )
    differing = {name for name, digests in copies.items() if len(digests) > 1}
    told = _told_in_logs(site)
    if told:
        broken.append(f"{len(told)} lines of logs tell secrets: {told[:3]}")
    if lost:
        broken.append(f"moves lost: {'; '.join(why[:5])} (now {site.service.now()})")
    if differing:
        broken.append(f"one Message-ID with several texts: {sorted(differing)[:5]}")
    if expired:
        broken.append(f"{expired} expiries of people who had not had their time")
    return Verdict(lost, differing, expired, ended, broken)


def _state_of(row: Submission | InboundMail | None) -> str:
    if row is None:
        return "not stored"
    return f"{row.status} since {row.pending_since}, {row.attempts} tries, {row.failures} failures"


def _told_in_logs(site: Site) -> list[str]:
    """Lines that name the secret key, a player's address, or what opens a link."""
    settings = site.service.settings
    secret = [*settings.secret_keys, "example.org"]
    found = []
    for log in site.logs():
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            plain = line.replace("***@example.org", "")
            if any(each in plain for each in secret) or _KEY.search(plain):
                found.append(f"{log.name}: {line[:300]}")
    return found


def finish(
    site: Site, people: list[Person], played_out: float = PLAYED_OUT, *, of_each: bool = False
) -> None:
    """Let matches end for so many seconds, or until one of each game has (`of_each`), and all
    letters go out; letters that wait for another attempt, or since a restore, do not wait any
    longer.
    """
    for person in people:
        person.last = True
    stopping = time.monotonic() + played_out
    while any(person.is_alive() for person in people):
        if time.monotonic() > stopping or (of_each and _one_of_each_has_ended(site)):
            for person in people:
                person.stops = True
        _hurry(site)
        time.sleep(1)
    least: int | None = None
    until, last = time.monotonic() + FINISH, time.monotonic() + LONGEST_FINISH
    while time.monotonic() < min(until, last):
        _hurry(site)
        with suppress(SQLAlchemyError), site.service.database.read() as session:
            open_ = sum(
                session.scalar(select(func.count()).select_from(table).where(condition)) or 0
                for table, condition in (
                    (Letter, _is_owed()),
                    (Submission, Submission.status == SubmissionStatus.RECEIVED),
                    (InboundMail, InboundMail.status == MailStatus.RECEIVED),
                )
            )
            if not open_ and all(_is_over_or_waits(session, each) for each in site.matches):
                return
            if least is None or open_ < least:
                least, until = open_, time.monotonic() + FINISH
        time.sleep(1)


def _one_of_each_has_ended(site: Site) -> bool:
    ended = select(Match.game).where(Match.status == MatchStatus.ENDED).distinct()
    with suppress(SQLAlchemyError), site.service.database.read() as session:
        return {*session.scalars(ended)} >= games().keys()
    return False


def _hurry(site: Site) -> None:
    with suppress(SQLAlchemyError), site.service.database.write() as work:
        work.session.execute(
            update(Letter)
            .where(Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING)))
            # What a restore takes up anew waits as well, without any try so far; reminders wait
            # for their hour.
            .where(or_(Letter.attempts > 0, Letter.kind != LetterKind.REMINDER))
            .where(Letter.due_at > site.service.now() + dt.timedelta(seconds=20))
            .values(due_at=site.service.now() + dt.timedelta(seconds=15))
        )


def _is_owed() -> ColumnElement[bool]:
    """What has to go out. Reminders of a match that goes on wait for their hour."""
    waits = and_(
        Letter.kind == LetterKind.REMINDER,
        Letter.status == LetterStatus.DUE,
        Letter.attempts == 0,
        Letter.match.has(Match.status == MatchStatus.PLAYING),
    )
    return and_(Letter.status.in_((LetterStatus.DUE, LetterStatus.SENDING)), ~waits)


def _waits_for_somebody(session: Session, match: Match) -> bool:
    """True if it goes on, a person is asked, and their clock runs since their letter was taken."""
    asked = select(DecisionRow).where(
        DecisionRow.match_id == match.id, DecisionRow.closed_entry.is_(None)
    )
    return match.status == MatchStatus.PLAYING and any(
        row.blocks and match.seats[row.seat].played_by is None and row.deadline is not None
        for row in session.scalars(asked)
    )


def _is_over_or_waits(session: Session, match_id: int) -> bool:
    """True of a match that was opened after the copy that was restored, or never begun, too."""
    match = session.get(Match, match_id)
    return (
        match is None
        or match.started_at is None
        or match.status == MatchStatus.ENDED
        or _waits_for_somebody(session, match)
    )

"""A player's own data, to be taken along: one JSON document (docs/operating.md, "People's data").

It holds what they told us and did, and of matches what their own pages show: no secret of a match,
nobody else's words, and no address but theirs.
"""

from __future__ import annotations

import datetime as dt

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.models import (
    Absence,
    Alias,
    InboundMail,
    Key,
    Letter,
    Match,
    Player,
    SeatRow,
    Submission,
    TableMessage,
)
from service.core.statuses import MailVerdict, MatchStatus
from service.matches.reading import outcome_of
from service.matches.stays import stays_of

FORMAT = "paleopost player 1"


class OtherAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Another address they write from."""

    address: str
    confirmed: dt.datetime | None


class DaysAway(msgspec.Struct, frozen=True, kw_only=True):
    """Days on which no clock of theirs runs; both count."""

    first: dt.date
    last: dt.date
    noted: dt.datetime


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of how to be written to. Quiet hours and the digest are minutes of their day."""

    quiet_from: int | None
    quiet_to: int | None
    reminders: list[str]
    digest_at: int | None
    conversations: str
    shows_punctuality: bool
    wants_no_invitations_since: dt.datetime | None
    letters_stopped: dt.datetime | None
    letters_stopped_why: str | None


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """The player as we know them."""

    address: str
    name: str
    language: str
    zone: str
    known_since: dt.datetime
    other_addresses: list[OtherAddress]
    settings: Settings
    days_away: list[DaysAway]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place at a table. `greeting` is what they wrote as its host; `score` and `won` are known
    once the match is over.
    """

    match: str
    game: str
    table: str | None
    status: str
    opened: dt.datetime
    started: dt.datetime | None
    ended: dt.datetime | None
    host: bool
    greeting: str | None
    seat: int | None
    called: str
    answer: str
    answered: dt.datetime | None
    left: dt.datetime | None
    left_why: str | None
    letters_muted: dt.datetime | None
    note: str | None
    score: int | None
    won: bool | None


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn or an order as they handed it in, and the line they said with it."""

    match: str
    seat: int
    decision: str
    received: dt.datetime
    way: str
    text: str
    line: str | None
    status: str


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message of theirs to a table."""

    match: str
    said: dt.datetime
    text: str


class LetterSent(msgspec.Struct, frozen=True, kw_only=True):
    """A letter that was owed to them."""

    kind: str
    match: str | None
    owed: dt.datetime
    sent: dt.datetime | None
    status: str


class MailReceived(msgspec.Struct, frozen=True, kw_only=True):
    """A mail of theirs that came in, and what became of it."""

    match: str | None
    received: dt.datetime
    subject: str
    verdict: str | None


class OwnData(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `sign_ins` are the times at which a sign-in link was used that is still known."""

    format: str
    taken: dt.datetime
    profile: Profile
    places: list[Place]
    turns: list[Turn]
    messages: list[Message]
    letters: list[LetterSent]
    mails: list[MailReceived]
    sign_ins: list[dt.datetime]


def collect(session: Session, player: Player, now: dt.datetime) -> OwnData:
    """All data of this player, as they are now."""
    rows = session.scalars(
        select(SeatRow).where(SeatRow.player_id == player.id).order_by(SeatRow.id)
    ).all()
    codes = _codes(session, player)
    return OwnData(
        format=FORMAT,
        taken=now,
        profile=_profile(session, player),
        places=[_place(row) for row in rows],
        turns=_turns(session, player),
        messages=[
            Message(match=codes[each.match_id], said=each.said_at, text=each.text)
            for each in session.scalars(
                select(TableMessage)
                .where(TableMessage.player_id == player.id)
                .order_by(TableMessage.id)
            )
        ],
        letters=_letters(session, player),
        mails=_mails(session, player),
        sign_ins=[
            at
            for at in session.scalars(
                select(Key.used_at)
                .where(Key.player_id == player.id, Key.purpose == "signin")
                .where(Key.used_at.is_not(None))
                .order_by(Key.used_at)
            )
            if at is not None
        ],
    )


def encode(data: OwnData) -> bytes:
    """The document as JSON, indented for who reads it."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"


def _profile(session: Session, player: Player) -> Profile:
    aliases = session.scalars(select(Alias).where(Alias.player_id == player.id).order_by(Alias.id))
    away = session.scalars(
        select(Absence).where(Absence.player_id == player.id).order_by(Absence.id)
    )
    return Profile(
        address=player.email,
        name=player.name,
        language=player.lang,
        zone=player.zone,
        known_since=player.created_at,
        other_addresses=[
            OtherAddress(address=each.email, confirmed=each.confirmed_at) for each in aliases
        ],
        settings=Settings(
            quiet_from=player.quiet_from,
            quiet_to=player.quiet_to,
            reminders=player.reminders,
            digest_at=player.digest_at,
            conversations=player.thread_by,
            shows_punctuality=player.shows_punctuality,
            wants_no_invitations_since=player.suppressed_at,
            letters_stopped=player.stopped_at,
            letters_stopped_why=player.stopped_why,
        ),
        days_away=[DaysAway(first=each.first, last=each.last, noted=each.made_at) for each in away],
    )


def _place(row: SeatRow) -> Place:
    match = row.match
    host = match.host_id == row.player_id
    outcome = outcome_of(match) if match.status == MatchStatus.ENDED else None
    own = outcome is not None and row.seat is not None
    return Place(
        match=match.code,
        game=match.game,
        table=match.name,
        status=match.status,
        opened=match.created_at,
        started=match.started_at,
        ended=match.ended_at,
        host=host,
        greeting=match.greeting if host else None,
        seat=row.seat,
        called=row.name,
        answer=row.status,
        answered=row.answered_at,
        left=row.left_at,
        left_why=row.left_why,
        letters_muted=row.muted_at,
        note=row.note,
        score=outcome.scores[row.seat] if own and outcome and row.seat is not None else None,
        won=row.seat in outcome.winners if own and outcome else None,
    )


def _turns(session: Session, player: Player) -> list[Turn]:
    """Of all their seats, also of those that others have by now, but nothing of those others."""
    seated = select(SeatRow.match_id).where(SeatRow.player_id == player.id)
    written_to = select(Letter.match_id).where(Letter.player_id == player.id)
    found: list[Turn] = []
    matches = session.scalars(
        select(Match).where(Match.id.in_(seated) | Match.id.in_(written_to)).order_by(Match.id)
    ).unique()
    for match in matches.all():
        for stay in stays_of(session, match, player):
            handed_in = session.scalars(
                select(Submission)
                .where(
                    Submission.match_id == match.id,
                    Submission.seat == stay.seat,
                    Submission.by_player,
                    *stay.holds(Submission.received_at),
                )
                .order_by(Submission.id)
            )
            found += [
                Turn(
                    match=match.code,
                    seat=each.seat,
                    decision=each.decision,
                    received=each.received_at,
                    way=each.source,
                    text=each.body,
                    line=each.said,
                    status=each.status,
                )
                for each in handed_in
            ]
    return found


def _letters(session: Session, player: Player) -> list[LetterSent]:
    found = session.execute(
        select(Letter.kind, Match.code, Letter.created_at, Letter.sent_at, Letter.status)
        .outerjoin(Match, Match.id == Letter.match_id)
        .where(Letter.player_id == player.id)
        .order_by(Letter.id)
    )
    return [
        LetterSent(kind=kind, match=code, owed=owed, sent=sent, status=status)
        for kind, code, owed, sent, status in found
    ]


def _mails(session: Session, player: Player) -> list[MailReceived]:
    """Those that were theirs: not what others sent to a reply address of theirs."""
    found = session.execute(
        select(InboundMail, Match.code)
        .outerjoin(Match, Match.id == InboundMail.match_id)
        .where(InboundMail.player_id == player.id)
        .where(InboundMail.verdict.is_(None) | (InboundMail.verdict != MailVerdict.FOREIGN))
        .order_by(InboundMail.id)
    )
    return [
        MailReceived(
            match=code,
            received=mail.received_at,
            subject=mail.details.subject,
            verdict=mail.verdict,
        )
        for mail, code in found
    ]


def _codes(session: Session, player: Player) -> dict[int, str]:
    said_at = select(TableMessage.match_id).where(TableMessage.player_id == player.id)
    found = session.execute(select(Match.id, Match.code).where(Match.id.in_(said_at)))
    return dict(found.all())

"""The tables. The database is the only truth; the queue only carries the ids of these rows.

Times are UTC. JSON of the engine (options, actions, draws, events, states) is kept as the bytes
that msgspec wrote, so that nothing between the engine and the disk interprets it.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    and_,
    func,
    select,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, synonym

from service.core.letter_details import Details, MailDetails, Notes, as_stored, details_of, notes_of
from service.core.statuses import (
    BOT_SOURCE,
    CLOCK_SOURCE,
    Actor,
    Cause,
    Channel,
    HoldReason,
    LeaveReason,
    LetterKind,
    LetterStatus,
    MailStatus,
    MailVerdict,
    MatchStatus,
    MuteReason,
    PauseStatus,
    SeatStatus,
    StopReason,
    SubmissionStatus,
    TimeoutPolicy,
    actor_of,
    channel_of,
)
from service.core.verdicts import AnyVerdict, Verdict

D = TypeVar("D", bound=Details)

REMINDERS = ("half", "24h", "4h")
"""When players are reminded of a deadline unless they have it otherwise."""

EVERY_DAY = 0b1111111
"""All seven days of the week, as `Match.playing_days`."""

# SQLite counts rowids only for a column declared INTEGER.
Id = BigInteger().with_variant(Integer, "sqlite")


class UtcTime(TypeDecorator[dt.datetime]):
    """An aware UTC time: SQLite keeps no zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone")
        return value.astimezone(dt.UTC)

    def process_result_value(
        self, value: dt.datetime | None, dialect: Dialect
    ) -> dt.datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)


class Choice(TypeDecorator[StrEnum]):
    """One of the values of an enumeration, stored as itself. Reading raises ValueError for any
    other.
    """

    impl = String
    cache_ok = True

    def __init__(self, kind: type[StrEnum], length: int = 12) -> None:
        super().__init__(length)
        self.kind = kind

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else self.kind(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.kind(value)


class CauseText(TypeDecorator[Cause]):
    """The cause of an entry, stored as its text. Reading raises ValueError for any other."""

    impl = String(48)
    cache_ok = True

    def process_bind_param(self, value: Cause | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Cause | None:
        return None if value is None else Cause.parse(value)


class StructJson(TypeDecorator[Any]):
    """A msgspec struct, or one of several that their tags tell apart, as JSON. Reading raises
    msgspec.ValidationError where there is something else.
    """

    impl = JSON
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return msgspec.to_builtins(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else msgspec.convert(value, self.kind)


class Base(DeclarativeBase):
    """All tables, with constraint names that Alembic can find again."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {
        dt.datetime: UtcTime,
        dict[str, Any]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        bytes: LargeBinary,
    }


class Retriable:
    """A row that is tried until it is done, or given up (`service.core.retriable`)."""

    # How often it was tried since it began to wait, or an operator had it tried again
    attempts: Mapped[int] = mapped_column(default=0)

    if TYPE_CHECKING:
        __tablename__: str
        id: Mapped[int]
        match_id: Mapped[int | None]
        status: Mapped[Any]
        # When it is to be looked at next; NULL: there is nothing to be done
        due_at: Mapped[dt.datetime | None]
        # How often in a row that has failed
        failures: Mapped[int]


def _partial_index(name: str, column: str, *conditions: str) -> Index:
    """An index of the rows that still want something: as small as what is open, however much is
    done.
    """
    return _index_of(name, column, " AND ".join((f"{column} IS NOT NULL", *conditions)))


def _index_of(name: str, column: str, condition: str, *more: str) -> Index:
    """An index, on these columns, of the rows for which this holds."""
    where = text(condition)
    return Index(name, column, *more, postgresql_where=where, sqlite_where=where)


class Outage(Base):
    """A time that we lost: from the last heartbeat before it to the first one after. No clock of a
    player runs in it.
    """

    __tablename__ = "outage"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    began_at: Mapped[dt.datetime]
    ended_at: Mapped[dt.datetime]
    noted_at: Mapped[dt.datetime]
    # When the last match had its clocks moved by it; NULL while some are left
    settled_at: Mapped[dt.datetime | None]

    __table_args__ = (_index_of("ix_outage_open", "id", "settled_at IS NULL"),)


_NEWEST_OUTAGE = select(func.coalesce(func.max(Outage.id), 0)).scalar_subquery()


class Player(Base):
    """An address, and how its owner likes to be written to."""

    __tablename__ = "player"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    lang: Mapped[str] = mapped_column(String(2))
    zone: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[dt.datetime]
    # "Never again": no invitation is sent from then on
    suppressed_at: Mapped[dt.datetime | None]
    # Nothing at all is sent from then on, and why
    stopped_at: Mapped[dt.datetime | None]
    stopped_why: Mapped[StopReason | None] = mapped_column(Choice(StopReason))
    # How often the address failed lately: hard and soft failures weigh differently, and fade
    bounce_score: Mapped[float] = mapped_column(default=0.0)
    bounced_at: Mapped[dt.datetime | None]
    # Quiet hours, in minutes of the local day; they may span midnight. Both NULL: none
    quiet_from: Mapped[int | None]
    quiet_to: Mapped[int | None]
    # When to be reminded of a deadline: "half" (of the time), or "24h", "90m" before it
    reminders: Mapped[list[str]] = mapped_column(default=lambda: list(REMINDERS))
    # Minutes of the local day at which a digest is sent instead of single letters; NULL: none
    digest_at: Mapped[int | None]
    # What makes a conversation in the reader's inbox: "match" | "turn"
    thread_by: Mapped[str] = mapped_column(String(8), default="match")

    __table_args__ = (_index_of("ix_player_stopped", "id", "stopped_at IS NOT NULL"),)


class Alias(Base):
    """Another address that a player writes from. It counts once its owner has confirmed it."""

    __tablename__ = "alias"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    email: Mapped[str] = mapped_column(String(254))
    confirmed_at: Mapped[dt.datetime | None]

    __table_args__ = (UniqueConstraint("player_id", "email"),)


class Absence(Base):
    """Days, in the player's own zone, on which no clock of theirs runs. Both days count."""

    __tablename__ = "absence"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    first: Mapped[dt.date]
    last: Mapped[dt.date]
    made_at: Mapped[dt.datetime]


class Match(Base):
    """A table from its opening to its last letter. `code` names it in addresses of pages."""

    __tablename__ = "match"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    game: Mapped[str] = mapped_column(String(32))
    rules_version: Mapped[int]
    options: Mapped[bytes]
    # Days a turn, each turn anew; or, if there is a bank, the days that come on top of it
    pace_days: Mapped[int]
    # Hours everybody has for the whole match, and those added after each turn; NULL: no bank
    bank_hours: Mapped[int | None]
    increment_hours: Mapped[int | None]
    # The weekdays on which clocks run: bit 0 is Monday
    playing_days: Mapped[int] = mapped_column(default=EVERY_DAY)
    timeout: Mapped[TimeoutPolicy] = mapped_column(
        Choice(TimeoutPolicy, 8), default=TimeoutPolicy.WAIT
    )
    # Minutes a turn that was handed in can be taken back before it is played
    hold_minutes: Mapped[int] = mapped_column(default=0)
    # All clocks stand while this is set
    paused_at: Mapped[dt.datetime | None]
    # The newest outage that its clocks, pause and held turns were moved by; 0: none
    outage: Mapped[int] = mapped_column(Id, default=_NEWEST_OUTAGE)
    host_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    status: Mapped[MatchStatus] = mapped_column(Choice(MatchStatus), index=True)
    # What the seed is made of (service/matches/fairness.py): a secret, the hash of it that is
    # published at once, and what players added, as JSON, settled when the match starts. NULL for a
    # table of before: its seed was drawn at its opening
    secret: Mapped[bytes | None]
    commitment: Mapped[str | None] = mapped_column(String(64))
    parts: Mapped[bytes | None]
    # Both empty until the match starts
    seed: Mapped[bytes]
    seed_hash: Mapped[str] = mapped_column(String(64))
    setup: Mapped[bytes | None]
    last_entry: Mapped[int] = mapped_column(default=0)
    # The newest entry that was looked at on the page for spectators, or with the record
    watched_entry: Mapped[int | None]
    outcome: Mapped[bytes | None]
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("match.id"), index=True)
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    ended_at: Mapped[dt.datetime | None]
    # When what nobody needs of a match that is over was thrown away (`service.ops.retention`)
    pruned_at: Mapped[dt.datetime | None]

    __table_args__ = (
        _index_of("ix_match_outage", "outage", "status = 'playing'"),
        _partial_index("ix_match_unpruned", "ended_at", "pruned_at IS NULL"),
    )

    host: Mapped[Player] = relationship(lazy="joined")
    # Everybody ever asked to sit here, in the order of the seats
    invitees: Mapped[list[SeatRow]] = relationship(
        back_populates="match", order_by="SeatRow.id", lazy="selectin"
    )

    @property
    def seats(self) -> list[SeatRow]:
        """The seats of the game, 0 first: all invitees but those who declined."""
        return [row for row in self.invitees if row.seat is not None]

    @property
    def occupied(self) -> list[SeatRow]:
        """The seats that somebody has or is asked to: not of who declined or was taken off, nor of
        who is asked to take over a seat that another still has.
        """
        return [
            row for row in self.seats if row.status in (SeatStatus.INVITED, SeatStatus.ACCEPTED)
        ]

    @property
    def called_off_by_host(self) -> bool:
        """True if its host called the table off. Too few can come only when all have answered; who
        has not answered is still invited then.
        """
        asked = any(row.status == SeatStatus.INVITED for row in self.invitees)
        return self.status == MatchStatus.CANCELLED and asked


class SeatRow(Base):
    """A place at a table, for a player or a bot. `name` is what the table calls them.

    `seat` is the seat of the game, from 0; NULL for who does not sit at the table: who declined, or
    was taken off it before it began, whose place is closed up, and who is asked to take over a
    seat.
    """

    __tablename__ = "seat"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"))
    seat: Mapped[int | None]
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    bot: Mapped[str | None] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(60))
    lang: Mapped[str] = mapped_column(String(2))
    status: Mapped[SeatStatus] = mapped_column(Choice(SeatStatus))
    answered_at: Mapped[dt.datetime | None]
    # What its player has added to the chance of the match, by opening the table or by accepting
    part: Mapped[bytes | None]
    # The bot that plays while the player is away; after `left_at` it plays to the end
    stand_in: Mapped[str | None] = mapped_column(String(32))
    left_at: Mapped[dt.datetime | None]
    left_why: Mapped[LeaveReason | None] = mapped_column(Choice(LeaveReason))
    # The newest entry at that time
    left_entry: Mapped[int | None]
    # The seat this guest is asked to take over from its player; such a row has no seat itself
    successor_of: Mapped[int | None]
    # How many have sat here before: their links open nothing any more
    occupancy: Mapped[int] = mapped_column(default=0)
    # What they were called, by the newest entry (in decimals) when they left; NULL: nobody
    former: Mapped[dict[str, Any] | None]
    # No letter of this match is wanted; it goes on all the same
    muted_at: Mapped[dt.datetime | None]
    # NULL: they said so here
    muted_why: Mapped[MuteReason | None] = mapped_column(Choice(MuteReason))
    # Whether this match's letters come in the digest; NULL: as the player has it everywhere
    digest: Mapped[bool | None]
    # Seconds left of the bank
    bank_left: Mapped[int | None]
    # The newest entry its player has looked at on a page
    seen_entry: Mapped[int | None]
    # The outage that the next letter to its player tells of; NULL: none
    outage_from: Mapped[dt.datetime | None]
    outage_to: Mapped[dt.datetime | None]

    match: Mapped[Match] = relationship(back_populates="invitees")
    player: Mapped[Player | None] = relationship(lazy="joined")

    __table_args__ = (UniqueConstraint("match_id", "seat"),)

    @property
    def played_by(self) -> str | None:
        """The bot that makes this seat's decisions now; None for a person."""
        return self.bot or self.stand_in


class EntryRow(Base):
    """One entry of the journal (`engine.journal.Entry`); n = 0 is the set-up.

    `state` is the snapshot after it: kept for speed, may be set to NULL at any time.
    """

    __tablename__ = "entry"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int | None]
    decision: Mapped[str | None] = mapped_column(String(32))
    actions: Mapped[bytes]
    draws: Mapped[bytes]
    cause: Mapped[Cause] = mapped_column(CauseText)
    digest: Mapped[str] = mapped_column(String(64))
    events: Mapped[bytes]
    next_draw: Mapped[int]
    state: Mapped[bytes | None]
    # Whether it told anybody something hidden before: then it cannot be taken back
    revealed: Mapped[bool] = mapped_column(default=True)
    made_at: Mapped[dt.datetime]

    # Each decision of a match is made at most once, whatever else goes wrong.
    __table_args__ = (
        UniqueConstraint("match_id", "decision"),
        _index_of("ix_entry_snapshot", "made_at", "state IS NOT NULL", "match_id", "n"),
    )


class DecisionRow(Base):
    """A decision somebody was asked for, and the clock on it."""

    __tablename__ = "decision"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    decision: Mapped[str] = mapped_column(String(32), primary_key=True)
    seat: Mapped[int]
    kind: Mapped[str] = mapped_column(String(32))
    blocking: Mapped[bool]
    opened_entry: Mapped[int]
    opened_at: Mapped[dt.datetime]
    # NULL where no clock runs: a bot's decision, a clock that is held, time that was up
    deadline: Mapped[dt.datetime | None]
    # Since when the clock runs, and the seconds of playing time it was given then
    clock_from: Mapped[dt.datetime | None]
    allowance: Mapped[int | None]
    # The newest outage when it began to run: only later ones take time from it
    clock_outage: Mapped[int] = mapped_column(Id, default=0)
    # Why the clock stands; `allowance` is then what is left
    held: Mapped[HoldReason | None] = mapped_column(Choice(HoldReason))
    expired_at: Mapped[dt.datetime | None]
    nudged_at: Mapped[dt.datetime | None]
    # The time its player's calendar shows, as our last file said; NULL if it is in none
    calendar_at: Mapped[dt.datetime | None]
    # How often that file was written anew (RFC 5545: SEQUENCE)
    calendar_sequence: Mapped[int] = mapped_column(default=0)
    # NULL while open; the entry that made it, or the one after which it was no longer asked
    closed_entry: Mapped[int | None]
    # When a bot's job was last enqueued to make it, so that a lost one is noticed
    enqueued_at: Mapped[dt.datetime | None]

    __table_args__ = (
        _partial_index("ix_decision_deadline", "deadline", "closed_entry IS NULL"),
        _partial_index("ix_decision_enqueued", "enqueued_at", "closed_entry IS NULL"),
        _index_of("ix_decision_open", "opened_at", "closed_entry IS NULL"),
    )


class Key(Base):
    """An unguessable link, kept as its SHA-256. `purpose` says what it opens."""

    __tablename__ = "key"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    # decision | seat | watch | invitation | rematch | signin | opened | reply | unsubscribe | alias
    # | resign
    purpose: Mapped[str] = mapped_column(String(12))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id"), index=True)
    seat: Mapped[int | None]
    decision: Mapped[str | None] = mapped_column(String(32))
    # Which occupancy of the seat (`SeatRow.occupancy`) it is for
    occupancy: Mapped[int | None]
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"))
    expires_at: Mapped[dt.datetime | None]
    used_at: Mapped[dt.datetime | None]
    # The fingerprint of the secret key it was derived with, and the epoch it was issued in
    secret: Mapped[str | None] = mapped_column(String(16))
    epoch: Mapped[int] = mapped_column(default=1)

    __table_args__ = (_partial_index("ix_key_expires", "expires_at", "used_at IS NULL"),)


class Submission(Retriable, Base):
    """A turn as it was handed in, stored before anything looks at it."""

    __tablename__ = "submission"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    # Names the verdict page.
    code: Mapped[str] = mapped_column(String(32), unique=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    seat: Mapped[int]
    decision: Mapped[str] = mapped_column(String(32))
    # form | link | reply | cli | bot:NAME | default: see `actor` and `channel`
    source: Mapped[str] = mapped_column(String(48))
    lang: Mapped[str] = mapped_column(String(2))
    # The actions as notation text
    body: Mapped[str] = mapped_column(Text)
    # Whatever makes two deliveries the same submission (a form's nonce, a Message-ID)
    dedupe: Mapped[str] = mapped_column(String(128), unique=True)
    status: Mapped[SubmissionStatus] = mapped_column(Choice(SubmissionStatus))
    # Not played before then, so that it can be taken back; NULL: at once
    held_until: Mapped[dt.datetime | None]
    # What the player is told; None until somebody has looked at it
    verdict: Mapped[Verdict | None] = mapped_column(StructJson(AnyVerdict))
    entry: Mapped[int | None]
    failures: Mapped[int] = synonym("attempts")
    received_at: Mapped[dt.datetime]
    # As received_at (or held_until) while nobody has dealt with it, then NULL: what the sweep looks
    # at
    pending_since: Mapped[dt.datetime | None]
    due_at: Mapped[dt.datetime | None] = synonym("pending_since")
    done_at: Mapped[dt.datetime | None]

    @property
    def actor(self) -> Actor:
        """The actor who handed it in."""
        return actor_of(self.source)

    @property
    def channel(self) -> Channel | None:
        """By which way its player handed it in; None for bots and the clock."""
        return channel_of(self.source)

    @hybrid_property
    def by_player(self) -> bool:
        """True if a player handed it in."""
        return self.actor is Actor.PLAYER

    @by_player.inplace.expression
    @classmethod
    def _by_player(cls) -> ColumnElement[bool]:
        return and_(cls.source != CLOCK_SOURCE, cls.source.not_like(f"{BOT_SOURCE}%"))

    __table_args__ = (
        _partial_index("ix_submission_pending", "pending_since"),
        _index_of("ix_submission_dead_letter", "id", "status = 'dead_letter'"),
    )


class InboundMail(Retriable, Base):
    """A mail that came in, stored whole before it is acknowledged or looked at."""

    __tablename__ = "inbound"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    # Message-ID and recipient, hashed: the same mail is handled once, whatever way it comes
    dedupe: Mapped[str] = mapped_column(String(64), unique=True)
    # lmtp | webhook | imap | mailbox | cli
    source: Mapped[str] = mapped_column(String(24))
    # RFC 5321: the reverse path ("" for reports), and the address it was delivered to
    envelope_from: Mapped[str | None] = mapped_column(String(320))
    recipient: Mapped[str | None] = mapped_column(String(320))
    raw: Mapped[bytes]
    status: Mapped[MailStatus] = mapped_column(Choice(MailStatus))
    # What became of it
    verdict: Mapped[MailVerdict | None] = mapped_column(Choice(MailVerdict, 32))
    details: Mapped[MailDetails] = mapped_column(StructJson(MailDetails), default=MailDetails)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id"), index=True)
    failures: Mapped[int] = synonym("attempts")
    received_at: Mapped[dt.datetime]
    pending_since: Mapped[dt.datetime | None]
    due_at: Mapped[dt.datetime | None] = synonym("pending_since")
    done_at: Mapped[dt.datetime | None]
    # When what it said was thrown away; `raw` is empty from then on
    purged_at: Mapped[dt.datetime | None]

    __table_args__ = (
        _partial_index("ix_inbound_pending", "pending_since"),
        _partial_index("ix_inbound_kept", "done_at", "purged_at IS NULL"),
        _index_of("ix_inbound_dead_letter", "id", "status = 'dead_letter'"),
    )


class MailPlace(Base):
    """The place up to which a mailbox has been looked through for our mail."""

    __tablename__ = "mailplace"

    # Whose mailbox on which server, and the folder
    mailbox: Mapped[str] = mapped_column(String(400), primary_key=True)
    # RFC 3501 §2.3.1.1: numbers are the same messages as long as this is the same
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    uid: Mapped[int] = mapped_column(BigInteger)


class TableMessage(Base):
    """A message of a player to the whole table."""

    __tablename__ = "message"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    # What makes two deliveries the same message (a form's nonce, a Message-ID)
    dedupe: Mapped[str] = mapped_column(String(128), unique=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    seat: Mapped[int]
    # Who sat there then, and as what: the seat may be somebody else's by now
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    name: Mapped[str] = mapped_column(String(60))
    text: Mapped[str] = mapped_column(Text)
    said_at: Mapped[dt.datetime]


class Pause(Base):
    """A pause somebody asked for. It begins when every person at the table has agreed."""

    __tablename__ = "pause"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    seat: Mapped[int]
    days: Mapped[int]
    status: Mapped[PauseStatus] = mapped_column(Choice(PauseStatus))
    # The seats that have agreed
    agreed: Mapped[list[int]]
    asked_at: Mapped[dt.datetime]
    # When it ends by itself; NULL until it has begun, and once it is over
    until: Mapped[dt.datetime | None]

    __table_args__ = (_partial_index("ix_pause_until", "until"),)


class Letter(Retriable, Base):
    """The outbox: a letter that is owed. It is rendered from the journal when it is sent."""

    __tablename__ = "letter"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    # (match, seat, entry, kind) in words: makes the letter, and its Message-ID, unique
    dedupe: Mapped[str] = mapped_column(String(128), unique=True)
    kind: Mapped[LetterKind] = mapped_column(Choice(LetterKind, 24))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("match.id"))
    seat: Mapped[int | None]
    entry: Mapped[int | None]
    decision: Mapped[str | None] = mapped_column(String(32))
    # Anything the letter says that is in no other row (`details`), and what is noted with it
    # (`notes`)
    stored_details: Mapped[dict[str, Any]] = mapped_column("details")
    # The epoch that its Message-ID and links are of, and the fingerprint of the secret key they are
    # derived with; NULL: those of when it is next taken up
    epoch: Mapped[int | None]
    secret: Mapped[str | None] = mapped_column(String(16))
    status: Mapped[LetterStatus] = mapped_column(Choice(LetterStatus))
    # How often in a row an error of ours, or the death of its sender, has ended a try
    faults: Mapped[int] = mapped_column(default=0)
    failures: Mapped[int] = synonym("faults")
    # Who is sending it: each sender that takes it up has the next number
    claim: Mapped[int] = mapped_column(default=0)
    # Why it has not been taken, as a `service.mail.send.smtp.SmtpFailure` and in words; NULL once
    # it is
    failure: Mapped[str | None] = mapped_column(String(12))
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    # Not to be sent before then (while it is sent: when the claim ends); NULL once nothing is to be
    # done any more
    due_at: Mapped[dt.datetime | None]
    # When it was due when it was first taken up; what it says is seen from `written_at`
    ready_at: Mapped[dt.datetime | None]
    written_at: Mapped[dt.datetime | None]
    # Its bytes (zlib), from when it is taken up until it is known whether the server has taken it:
    # while they are here, it may have
    message: Mapped[bytes | None]
    # The SHA-256 of what was taken
    fingerprint: Mapped[bytes | None]
    # When the mail server took it, or a digest was put together that tells of it: that digest's id
    sent_at: Mapped[dt.datetime | None]
    told_in: Mapped[int | None] = mapped_column(Id)

    player: Mapped[Player] = relationship(lazy="joined")
    match: Mapped[Match | None] = relationship(viewonly=True)

    @property
    def details(self) -> Details:
        """The details that are in no other row: of the struct of its kind, or `Forgotten`."""
        return details_of(self.kind, self.stored_details)

    @details.setter
    def details(self, new: Details) -> None:
        self.stored_details = as_stored(self.kind, new, self.notes)

    def details_as(self, wanted: type[D]) -> D:
        """Its details, which are of this struct. Raises TypeError if they are not."""
        found = self.details
        if not isinstance(found, wanted):
            raise TypeError(f"letter {self.dedupe} has {type(found).__name__}")
        return found

    @property
    def notes(self) -> Notes:
        """The notes made on its way."""
        return notes_of(self.stored_details or {})

    @notes.setter
    def notes(self, new: Notes) -> None:
        self.stored_details = as_stored(self.kind, self.details, new)

    @property
    def date(self) -> dt.datetime:
        """The time it says it was written."""
        return self.written_at or self.created_at

    __table_args__ = (
        # What a turn looks up, however many letters its match or its player ever had
        Index(None, "match_id", "decision", "player_id"),
        Index(None, "player_id", "match_id"),
        _index_of("ix_letter_answers", "player_id", "kind = 'answer'", "created_at"),
        _partial_index("ix_letter_due", "due_at"),
        _index_of("ix_letter_dead_letter", "id", "status = 'dead_letter'"),
        _index_of("ix_letter_retried", "created_at", "attempts > 1 AND due_at IS NOT NULL"),
    )


class Tally(Base):
    """A count of what has happened since the beginning, for the metrics.

    `part` spreads one number over several rows, so that workers do not wait for each other.
    """

    __tablename__ = "tally"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    # The values of the labels, in the order the metric has them, separated by "|"
    labels: Mapped[str] = mapped_column(String(120), primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    amount: Mapped[int] = mapped_column(BigInteger)


class Pulse(Base):
    """The last time of something that is to happen again and again, and how long it took."""

    __tablename__ = "pulse"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    at: Mapped[dt.datetime]
    seconds: Mapped[float]


class Breaker(Base):
    """The state of a server of others: whether it is to be left alone for a while. Losing a row
    costs nothing.
    """

    __tablename__ = "breaker"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    # Failures in a row
    failures: Mapped[int]
    # Until when nobody tries; after that one may. NULL: anybody may
    open_until: Mapped[dt.datetime | None]


class Epoch(Base):
    """The time from the beginning, or from a restore, to the next restore.

    What was sent in an earlier epoch after the copy was taken is unknown to this database.
    """

    __tablename__ = "epoch"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # Random: two restores of one copy begin two epochs
    mark: Mapped[str] = mapped_column(String(32))
    began_at: Mapped[dt.datetime]
    # When the copy was taken that this epoch goes on from; NULL for the first
    copied_at: Mapped[dt.datetime | None]
    # The newest match and player in that copy: higher numbers of earlier epochs mean others
    last_match: Mapped[int | None] = mapped_column(BigInteger)
    last_player: Mapped[int | None] = mapped_column(BigInteger)


class SecretKey(Base):
    """The fingerprint of a secret key this database was used with; the newest is in use."""

    __tablename__ = "secretkey"

    fingerprint: Mapped[str] = mapped_column(String(16), primary_key=True)
    accepted_at: Mapped[dt.datetime]


class Probe(Base):
    """The row written last to see that the database can be written (`writing`): one row."""

    __tablename__ = "probe"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    at: Mapped[dt.datetime]
    filler: Mapped[bytes]


class CensusRow(Base):
    """The newest count of what is too much to be counted whenever somebody asks
    (`service.ops.census`): one row.
    """

    __tablename__ = "census"

    id: Mapped[int] = mapped_column(Id, primary_key=True, autoincrement=False)
    at: Mapped[dt.datetime]
    # How long counting took
    seconds: Mapped[float]
    figures: Mapped[bytes]


class RetentionMark(Base):
    """The place up to which a table has been looked through for what is to be thrown away."""

    __tablename__ = "retention"

    name: Mapped[str] = mapped_column(String(20), primary_key=True)
    at: Mapped[dt.datetime | None]
    row_id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), default=0)
    n: Mapped[int] = mapped_column(default=0)

"""The tables of matches: who sits there, what was played, what is asked, what was handed in."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    and_,
    func,
    select,
)
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column, relationship, synonym

from engine.protocol import Asks
from service.core.models.base import (
    Base,
    CauseText,
    Choice,
    Id,
    Retriable,
    StructJson,
    index_of,
    partial_index,
)
from service.core.models.operation import Outage
from service.core.models.players import Player
from service.core.statuses import (
    BOT_SOURCE,
    CLOCK_SOURCE,
    Actor,
    Cause,
    Channel,
    HoldReason,
    LeaveReason,
    MatchStatus,
    MuteReason,
    PauseStatus,
    SeatStatus,
    SubmissionStatus,
    TimeoutPolicy,
    actor_of,
    channel_of,
)
from service.core.verdicts import AnyVerdict, Verdict

EVERY_DAY = 0b1111111
"""All seven days of the week, as `Match.playing_days`."""


_NEWEST_OUTAGE = select(func.coalesce(func.max(Outage.id), 0)).scalar_subquery()


class Match(Base):
    """A table from its opening to its last letter. `code` names it in addresses of pages."""

    __tablename__ = "match"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    # What people call it (`service.matches.table_names`); NULL: a table of before they had names
    name: Mapped[str | None] = mapped_column(String(60))
    # The host's own words to those they invite
    greeting: Mapped[str | None] = mapped_column(Text)
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
    # How many join links it has had; the newest is good until then. NULL: none is
    join_links: Mapped[int] = mapped_column(default=0)
    join_until: Mapped[dt.datetime | None]
    # Until when a table that has not begun waits for its empty seats; NULL: it does not
    fill_until: Mapped[dt.datetime | None]
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    ended_at: Mapped[dt.datetime | None]
    # When what nobody needs of a match that is over was thrown away (`service.ops.retention`)
    pruned_at: Mapped[dt.datetime | None]

    __table_args__ = (
        index_of("ix_match_outage", "outage", "status = 'playing'"),
        partial_index("ix_match_unpruned", "ended_at", "pruned_at IS NULL"),
        partial_index("ix_match_fill_until", "fill_until", "status = 'inviting'"),
    )

    host: Mapped[Player] = relationship(lazy="joined")
    # Everybody ever asked to sit here, and the seats nobody has, in the order of their rows
    invitees: Mapped[list[SeatRow]] = relationship(
        back_populates="match", order_by="SeatRow.id", lazy="selectin"
    )

    @property
    def seats(self) -> list[SeatRow]:
        """The seats of the game, 0 first; before it begins, some may be empty."""
        seated = (row for row in self.invitees if row.seat is not None)
        return sorted(seated, key=lambda row: row.seat or 0)

    @property
    def occupied(self) -> list[SeatRow]:
        """The seats that somebody has or is asked to: not of who declined or was taken off, nor of
        who is asked to take over a seat that another still has.
        """
        return [
            row for row in self.seats if row.status in (SeatStatus.INVITED, SeatStatus.ACCEPTED)
        ]

    @property
    def absent(self) -> list[SeatRow]:
        """Those who were asked and will not play."""
        return [
            row
            for row in self.invitees
            if row.status == SeatStatus.DECLINED and row.held_until is None
        ]

    @property
    def empty_seats(self) -> list[SeatRow]:
        """The seats that nobody has and nobody is asked to."""
        return [row for row in self.seats if row.status == SeatStatus.EMPTY]

    def row_of(self, player_id: int | None) -> SeatRow | None:
        """The place of a player at this table, whatever became of it; None if they have none."""
        if player_id is None:
            return None
        return next((row for row in self.invitees if row.player_id == player_id), None)

    @property
    def host_row(self) -> SeatRow:
        """The place of its host."""
        return next(row for row in self.invitees if row.player_id == self.host_id)

    @property
    def called_off_by_host(self) -> bool:
        """True if its host called the table off. Too few can come only when all have answered and
        no seat is waited for; who has not answered is still invited then, and a seat still empty.
        """
        unsettled = (SeatStatus.INVITED, SeatStatus.EMPTY)
        asked = any(row.status in unsettled for row in self.invitees)
        return self.status == MatchStatus.CANCELLED and asked


class SeatRow(Base):
    """A place at a table, for a player or a bot. `name` is what the table calls them.

    `seat` is the seat of the game, from 0; NULL for who does not sit at the table: who declined, or
    was taken off it before it began, whose place is closed up, who has asked for a seat and not
    confirmed it, and who is asked to take over a seat.
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
    # When they answered. Of who was taken off by the host, set at the latest when somebody asks for
    # a seat for them by a join link
    answered_at: Mapped[dt.datetime | None]
    # Until when a seat is kept, since somebody asked for one for them by a join link; of who has
    # declined, NULL unless they had asked for one
    held_until: Mapped[dt.datetime | None]
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
    former: Mapped[dict[str, str] | None]
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
    # The entry at which the rules put it out of the game; NULL: it is in play
    out_entry: Mapped[int | None]
    # What its player has noted for themselves: for nobody else's eyes, not even a successor's
    note: Mapped[str | None] = mapped_column(Text)
    # The outage that the next letter to its player tells of; NULL: none
    outage_from: Mapped[dt.datetime | None]
    outage_to: Mapped[dt.datetime | None]

    match: Mapped[Match] = relationship(back_populates="invitees")
    player: Mapped[Player | None] = relationship(lazy="joined")

    __table_args__ = (UniqueConstraint("match_id", "seat"),)

    @property
    def has_asked_by_link(self) -> bool:
        """True if they have no seat, asked for one by a join link, and were not taken off by the
        host.
        """
        taken_off = self.status == SeatStatus.WITHDRAWN and self.answered_at is not None
        return self.seat is None and self.held_until is not None and not taken_off

    def stop_holding(self, now: dt.datetime) -> None:
        """Keep no empty seat for them any longer; that they have asked for one stays known."""
        if self.held_until is not None:
            self.held_until = min(self.held_until, now)

    @property
    def played_by(self) -> str | None:
        """The bot that makes this seat's decisions now; None for a person."""
        return self.bot or self.stand_in

    @property
    def is_out(self) -> bool:
        """True if the rules have put it out of the game: it is asked nothing any more."""
        return self.out_entry is not None


class EntryRow(Base):
    """One entry of the journal (`engine.journal.Entry`); n = 0 is the set-up.

    `state` is the snapshot after it: kept for speed, may be set to NULL at any time.
    """

    __tablename__ = "entry"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # That of the turn, as everybody may count turns: what a seat makes of one in several entries
    # has one number, what is decided in secret each its own, orders alone that of the entry before
    number: Mapped[int] = mapped_column(default=0)
    seat: Mapped[int | None]
    decision: Mapped[str | None] = mapped_column(String(32))
    # What players call a turn, and who waited, as its decision had them; "": of no turn
    turn: Mapped[str] = mapped_column(String(32), default="")
    asks: Mapped[Asks] = mapped_column(Choice(Asks, 6), default=Asks.MUST)
    # Whether any of it was for its own seat's eyes
    sealed: Mapped[bool] = mapped_column(default=False)
    actions: Mapped[bytes]
    draws: Mapped[bytes]
    cause: Mapped[Cause] = mapped_column(CauseText)
    digest: Mapped[str] = mapped_column(String(64))
    events: Mapped[bytes]
    next_draw: Mapped[int]
    state: Mapped[bytes | None]
    # Whether it told anybody something hidden before: then it cannot be taken back
    revealed: Mapped[bool] = mapped_column(default=True)
    # The line its player said with it, which is told wherever it is; no part of the record
    said: Mapped[str | None] = mapped_column(Text)
    made_at: Mapped[dt.datetime]

    # Whatever else goes wrong, each decision of a match that has to be made is made at most once.
    # Orders are replaced as often as their players like.
    __table_args__ = (
        index_of("ix_entry_made", "match_id", "asks = 'must'", "decision", unique=True),
        index_of("ix_entry_snapshot", "made_at", "state IS NOT NULL", "match_id", "n"),
    )


class DecisionRow(Base):
    """A decision somebody was asked for, and the clock on it."""

    __tablename__ = "decision"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    decision: Mapped[str] = mapped_column(String(32), primary_key=True)
    seat: Mapped[int]
    kind: Mapped[str] = mapped_column(String(32))
    turn: Mapped[str] = mapped_column(String(32), default="")
    # Who waits for it: what is made, and can still be changed, only may be decided
    asks: Mapped[Asks] = mapped_column(Choice(Asks, 6))
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

    @hybrid_property
    def blocks(self) -> bool:
        """True if the match waits for it."""
        return self.asks is Asks.MUST

    @blocks.inplace.expression
    @classmethod
    def _blocks(cls) -> ColumnElement[bool]:
        return cls.asks == Asks.MUST

    @property
    def invites(self) -> bool:
        """True if its seat may file ahead, and is told so."""
        return self.asks is Asks.INVITE

    __table_args__ = (
        partial_index("ix_decision_deadline", "deadline", "closed_entry IS NULL"),
        partial_index("ix_decision_enqueued", "enqueued_at", "closed_entry IS NULL"),
        index_of("ix_decision_open", "opened_at", "closed_entry IS NULL"),
        # Those that were asked together
        Index("ix_decision_asked", "match_id", "opened_entry", "kind"),
    )


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
    # A line to the table that is told with the turn, once it is played
    said: Mapped[str | None] = mapped_column(Text)
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
        partial_index("ix_submission_pending", "pending_since"),
        index_of("ix_submission_dead_letter", "id", "status = 'dead_letter'"),
    )


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

    __table_args__ = (partial_index("ix_pause_until", "until"),)

"""The tables of players: who they are, where they are reached, when they are away."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import (
    ForeignKey,
    String,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from service.core.models.base import Base, Choice, Id, index_of
from service.core.statuses import (
    StopReason,
)

REMINDERS = ("half", "24h", "4h")
"""When players are reminded of a deadline unless they have it otherwise."""


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
    # Whether hosts are told how punctual they are before they invite them
    shows_punctuality: Mapped[bool] = mapped_column(default=False)

    __table_args__ = (index_of("ix_player_stopped", "id", "stopped_at IS NOT NULL"),)

    @property
    def is_erased(self) -> bool:
        """True if nobody is behind it any more: it keeps the place of who had their data erased."""
        return self.stopped_why is StopReason.ERASED


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

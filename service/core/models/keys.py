"""The tables of keys: what links open, and what they are derived with."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from service.core.models.base import Base, partial_index


class Key(Base):
    """An unguessable link, kept as its SHA-256. `purpose` says what it opens."""

    __tablename__ = "key"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    # decision | seat | watch | invitation | rematch | signin | opened | reply | unsubscribe | alias
    # | resign | join | erase
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

    __table_args__ = (partial_index("ix_key_expires", "expires_at", "used_at IS NULL"),)


class SecretKey(Base):
    """The fingerprint of a secret key this database was used with; the newest is in use."""

    __tablename__ = "secretkey"

    fingerprint: Mapped[str] = mapped_column(String(16), primary_key=True)
    accepted_at: Mapped[dt.datetime]


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

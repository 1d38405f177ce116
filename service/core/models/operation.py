"""The tables about the service itself: when it was away, what it counts, how far it has come."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import (
    BigInteger,
    Integer,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from service.core.models.base import Base, Id, index_of


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

    __table_args__ = (index_of("ix_outage_open", "id", "settled_at IS NULL"),)


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

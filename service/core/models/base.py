"""The base of all tables: columns of our own types, indexes, and what a row is tried by."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    TypeDecorator,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from service.core.statuses import (
    Cause,
)

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
        dict[str, str]: JSON,
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


def partial_index(name: str, column: str, *conditions: str) -> Index:
    """An index of the rows that still want something: as small as what is open, however much is
    done.
    """
    return index_of(name, column, " AND ".join((f"{column} IS NOT NULL", *conditions)))


def index_of(name: str, column: str, condition: str, *more: str, unique: bool = False) -> Index:
    """An index, on these columns, of the rows for which this holds."""
    where = text(condition)
    return Index(name, column, *more, unique=unique, postgresql_where=where, sqlite_where=where)

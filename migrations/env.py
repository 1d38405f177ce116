"""Alembic's entry: run by `service.core.schema`, which hands over a connection."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context

from service.core.models import Base, UtcTime


def render_item(kind: str, item: Any, _: Any) -> str | Literal[False]:
    """Write our time type as the plain one it is in the database: migrations import no models."""
    return "sa.DateTime(timezone=True)" if isinstance(item, UtcTime) else False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    # SQLite cannot alter most of a table: Alembic then copies it.
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()

"""Outages, and which of them a clock has been moved by"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "outage",
        sa.Column("id", ID, nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
    )
    _index("ix_outage_open", "outage", "id", "settled_at IS NULL")
    op.add_column("match", sa.Column("outage", ID, nullable=False, server_default="0"))
    _index("ix_match_outage", "match", "outage", "status = 'playing'")
    op.add_column("decision", sa.Column("clock_outage", ID, nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("outage_from", sa.DateTime(timezone=True), nullable=True))
    op.add_column("seat", sa.Column("outage_to", sa.DateTime(timezone=True), nullable=True))
    _index("ix_key_expires", "key", "expires_at", "expires_at IS NOT NULL AND used_at IS NULL")


def _index(name: str, table: str, column: str, condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, [column], postgresql_where=where, sqlite_where=where)
